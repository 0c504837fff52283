"""The analysis of one page: its Verdict, and the intermediate results that it was computed from.

Every application reads from this object: the library, the census, the crawler, the service and ``--explain``. Its parts are
computed on demand from one scan and one reading of the page.

>>> from webtongue.identifier import Identifier
>>> page = Page("<nav>Um</nav><h1>Sýning</h1><p>Opið er til klukkan níu".encode("iso-8859-1"))
>>> [(block.kind, block.text) for block in Identifier().analyze(page).blocks]
[('navigation', 'Um'), ('heading', 'Sýning'), ('paragraph', 'Opið er til klukkan níu')]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from webtongue import _kernel
from webtongue.evidence.combine import bits
from webtongue.evidence.country import locate
from webtongue.explain import sentence
from webtongue.markup import Block, Link, Markup
from webtongue.markup.declarations import Declared
from webtongue.packing import pack
from webtongue.page import Page
from webtongue.read_page import ReadPage
from webtongue.records import dataclass, field
from webtongue.verdict import Evidence, Segment, Verdict, encoding_agrees, language_agrees

__all__ = ["Analysis"]


@dataclass(frozen=True, slots=True)
class Analysis:
    """A Verdict with the page's scan, reading, declarations and hints."""

    _FIELD_DOCS = {"page": "The page that was analysed.", "verdict": "The verdict on the page."}

    page: Page = field(repr=False)
    verdict: Verdict
    _state: ReadPage = field(repr=False, compare=False)

    @property
    def declared(self) -> Declared:
        """What the page and its server declare."""
        return self._state.declared

    @property
    def reading(self) -> _kernel.Reading | None:
        """The kernel's reading of the text; None for a page without text."""
        return self._state.reading

    @property
    def markup(self) -> Markup | None:
        """The scanned page; None for a page without text."""
        return self._state.markup

    @property
    def is_repaired(self) -> bool:
        """Whether the text was published as mojibake (decoded with a wrong encoding); ``blocks`` contain the repaired text."""
        return self._state.is_repaired

    @property
    def blocks(self) -> list[Block]:
        """Every block of text, decoded from the page's encoding; noise is marked, ``alt`` and ``<meta>`` come last.

        Offsets point into the page's own bytes, as in :attr:`segments`.
        """
        return list(self.iter_blocks())

    def iter_blocks(self) -> Iterator[Block]:
        """Yield :attr:`blocks` one by one: a page may have millions."""
        return iter(()) if self.markup is None else self.markup.iter_blocks()

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Where each language is on the page."""
        return self.verdict.segments

    @property
    def links(self) -> Iterator[Link]:
        """The page's links, resolved against its base and URL; an iterator, since a page may have millions."""
        return iter(()) if self.markup is None else self.markup.iter_links()

    @property
    def declarations(self) -> tuple[Evidence, ...]:
        """Every declaration of a language or an encoding by the page or its server."""
        return self.declared.evidence

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What each source contributed to the Verdict."""
        return self.verdict.evidence

    @property
    def languages(self) -> tuple[tuple[str, float], ...]:
        """The Verdict's languages with their shares, without computing the rest of its explanation."""
        return () if self.reading is None else self._state.models.text.kernel.languages(self.reading)

    @property
    def bits(self) -> Mapping[str, float]:
        """What text, prior and each evidence source contribute to the label against the runner-up, in bits."""
        if self.reading is None:
            return {}
        return bits(self.reading, self._state.weighed if self.reading.has_hints else {}, self._state.models.evidence)

    @property
    def packed(self) -> bytes | None:
        """The page in the form that a second pass reads (:mod:`webtongue.packing`); None if no evidence can change the answer."""
        state = self._state
        if state.reading is None or not state.has_scan or state.reading.settled:
            return None
        # Uncertain text has lower probabilities. The packed reading keeps them, a second reading of the packed text would not.
        scan = state.scan if state.is_certain_text else None
        return pack(state.reading, state.declared.languages, state.models, scan)

    def to_row(self) -> dict[str, Any]:
        """Return the page's row of ``identify_batch``: a Verdict without guesses, segments and evidence, which cost most."""
        state = self._state
        if state.reading is None:
            return self.verdict.to_row()
        verdict, declared, encoding = self.verdict, state.declared, state.declared.encoding.best
        return {
            "label": verdict.label,
            "language": verdict.language,
            "script": verdict.script,
            "confidence": verdict.confidence,
            "reliable": verdict.reliable,
            "tier": verdict.tier,
            "group": verdict.group,
            "group_confidence": verdict.group_confidence,
            "languages": self.languages,
            "encoding": verdict.encoding,
            "encoding_confidence": verdict.encoding_confidence,
            "reason": str(verdict.reason),
            "why": sentence(verdict.reason, state.reading, state.models.text),
            "declared_language": declared.language,
            "declared_encoding": encoding,
            "agrees": language_agrees(declared.language, verdict.label),
            "encoding_agrees": encoding_agrees(encoding, verdict.encoding),
            "country": locate(self.page, state.models.evidence).country,
        }
