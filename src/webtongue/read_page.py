"""A page that was read: what its Verdict and its Analysis are computed from, with the parts that few callers ask for on demand."""

from __future__ import annotations

from collections.abc import Sequence

from webtongue import _kernel
from webtongue.charset.decoding import Decoding
from webtongue.evidence.combine import WeighedHints, collect_hints, weigh_hints
from webtongue.evidence.hint import MAX_CACHED_HINTS, Hint
from webtongue.markup import Markup, Syntax
from webtongue.markup.declarations import MAX_CACHED_BYTES, Declared, declared, wide_declaration
from webtongue.model_set import Models
from webtongue.page import Page, content_headers
from webtongue.verdict import Reason

__all__ = ["ReadPage"]


class ReadPage:
    """The results of all stages for one page.

    ``reading`` is None for a page without text. ``scanned`` is the kernel's analysis, or a Markup if the page was scanned again; it
    is None for a page without text and after a second pass. ``source`` is what was scanned: the bytes of the page or, if
    ``transcoded`` names an encoding that cannot be scanned as bytes, the page in UTF-8. ``is_inner``: only the text inside the page
    was read (``markup.documents``), and segments are scaled to the page. ``is_certain_text`` is False if the encoding or the repair
    of the text is a guess. ``is_repaired``: the text was published as mojibake.
    """

    __slots__ = (
        "_declared", "_hints", "_markup", "_scanned", "_weighed", "bom", "decoding", "is_certain_text", "is_inner", "is_repaired",
        "models", "page", "reading", "reason", "source", "transcoded",
    )  # fmt: skip

    def __init__(
        self,
        page: Page,
        models: Models,
        decoding: Decoding,
        scanned: _kernel.Analysis | Markup | None = None,
        source: bytes = b"",
        bom: str = "",
        transcoded: str = "",
        declared: Declared | None = None,
        *,
        is_inner: bool = False,
    ) -> None:
        self.page = page
        self.models = models
        self.decoding = decoding
        self.source = source
        self.bom = bom
        self.transcoded = transcoded
        self.is_inner = is_inner
        self.is_repaired = False
        self.is_certain_text = True
        self.reason = Reason.NONE
        self.reading: _kernel.Reading | None = None
        self._declared = declared
        self._hints: Sequence[Hint] | None = None
        self._weighed: WeighedHints | None = None
        self._markup: Markup | None = None
        self._scanned: _kernel.Analysis | None = None
        if isinstance(scanned, Markup):
            self.replace_markup(scanned)
        else:
            self._scanned = scanned

    def replace_markup(self, markup: Markup) -> None:
        """Set the result of another scan of the page."""
        self._markup = markup
        self.source, self.bom, self.transcoded = markup.source, markup.bom, markup.transcoded

    @property
    def has_scan(self) -> bool:
        """Whether the page was scanned: False for a page without text, and after a second pass."""
        return self._scanned is not None or self._markup is not None

    @property
    def scan(self) -> _kernel.Scan:
        """The blocks, declarations and links of the page, packed in the kernel."""
        if self._markup is not None:
            return self._markup.scan
        assert self._scanned is not None, "the page was not scanned"
        return self._scanned.scan

    @property
    def markup(self) -> Markup | None:
        """The scanned page."""
        scanned = self._scanned
        if self._markup is None and scanned is not None:
            syntax = Syntax(scanned.syntax)
            self._markup = Markup(self.page, self.source, syntax, scanned.scan, self.bom, self.transcoded)
        return self._markup

    @property
    def declared(self) -> Declared:
        """The declarations of the page and its server."""
        if self._declared is None:
            raw, flow = self.page.raw, self.models.flow
            packed = flow.pack_declarations(self.scan, self.source, raw) if self.has_scan else b""
            wide = wide_declaration(raw) if self.transcoded else ""
            self._declared = declared(packed, *content_headers(self.page.headers), self.bom, wide)
        return self._declared

    @property
    def hints(self) -> Sequence[Hint]:
        """The hints of all sources in use that have information about the page."""
        if self._hints is None:
            self._hints = collect_hints(self.page, self.declared, self.decoding.encoding, self.models.evidence)
        return self._hints

    @property
    def weighed(self) -> WeighedHints:
        """The same hints in the form of the combiner."""
        if self._weighed is None:
            if self._declared is None and self.has_scan and not self.transcoded and self.page.is_bare:
                self._weigh_declarations()
            else:
                self._weighed = weigh_hints(self.page, self.declared, self.decoding.encoding, self.models.evidence)
        assert self._weighed is not None
        return self._weighed

    def _weigh_declarations(self) -> None:
        """Compute the declarations and the hints of a page that has no other hints: many pages have the same few."""
        config = self.models.evidence
        packed = self.models.flow.pack_declarations(self.scan, self.source, self.page.raw)
        key = (packed, self.bom, self.decoding.encoding)
        entry = config.declarations_cache.get(key)
        if entry is None:
            parsed = declared(packed, bom=self.bom)
            entry = parsed, weigh_hints(self.page, parsed, self.decoding.encoding, config)
            if len(packed) <= MAX_CACHED_BYTES:
                if len(config.declarations_cache) >= MAX_CACHED_HINTS:
                    config.declarations_cache.clear()
                config.declarations_cache[key] = entry
        self._declared, self._weighed = entry
