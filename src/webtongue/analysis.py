"""The analysis of one page: its Verdict, and the intermediate results that it was computed from.

Every application reads from this object: the library, the census, the crawler, the service and ``--explain``. Its parts are
computed on demand from one scan and one reading of the page.

>>> from webtongue.identifier import Identifier
>>> page = Page("<nav>Um</nav><h1>Sýning</h1><p>Opið er til klukkan níu".encode("iso-8859-1"))
>>> [(block.kind, block.text) for block in Identifier().analyze(page).blocks]
[('navigation', 'Um'), ('heading', 'Sýning'), ('paragraph', 'Opið er til klukkan níu')]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from webtongue import _kernel
from webtongue.evidence.combine import bits
from webtongue.evidence.country import locate
from webtongue.evidence.hint import Hint
from webtongue.explain import sentence
from webtongue.markup import Block, Link, Markup
from webtongue.markup.declarations import Declared
from webtongue.model_set import Models
from webtongue.packing import pack
from webtongue.page import Page
from webtongue.verdict import Evidence, Explanation, Segment, Verdict

__all__ = ["Analysis"]


@dataclass(frozen=True, slots=True)
class Analysis:
    """A Verdict with the page's scan, reading, declarations and hints. ``reading`` and ``markup`` are None for a page without text.

    ``is_repaired``: the text was published as mojibake (decoded with a wrong encoding); ``blocks`` contain the repaired text.
    """

    page: Page = field(repr=False)
    verdict: Verdict
    declared: Declared = field(repr=False)
    models: Models = field(repr=False)
    reading: _kernel.Reading | None = field(default=None, repr=False)
    markup: Markup | None = field(default=None, repr=False)
    hints: Sequence[Hint] = field(default=(), repr=False)
    is_repaired: bool = False
    is_certain_text: bool = field(
        default=True, repr=False
    )  # False if the encoding or the repair of the text is a guess

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
        return () if self.reading is None else self.models.text.kernel.languages(self.reading)

    @property
    def bits(self) -> Mapping[str, float]:
        """What text, prior and each evidence source contribute to the label against the runner-up, in bits."""
        if self.reading is None:
            return {}
        return bits(self.reading, self.hints, self.models.evidence)

    @property
    def packed(self) -> bytes | None:
        """The page in the form that a second pass reads (:mod:`webtongue.packing`); None if no evidence can change the answer."""
        if self.reading is None or self.markup is None or self.reading.settled:
            return None
        # Uncertain text has lower probabilities. The packed reading keeps them, a second reading of the packed text would not.
        scan = self.markup.scan if self.is_certain_text else None
        return pack(self.reading, self.declared.languages, self.models, scan)

    def to_row(self) -> dict[str, Any]:
        """Return the page's row of ``identify_batch``: a Verdict without guesses, segments and evidence, which cost most."""
        if self.reading is None:
            return self.verdict.to_row()
        why = sentence(self.verdict.reason, self.reading, self.models.text)
        country = locate(self.page, self.models.evidence).country
        declared = self.declared
        brief = Explanation(why, self.languages, (), (), (), declared.language, declared.encoding.best, country)
        return replace(self.verdict, details=brief).to_row()
