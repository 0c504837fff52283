"""Extract texts from captures: prefilter, verdict, text, deduplication."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from webtongue import Identifier, Page, Segment, labels
from webtongue.census.capture import Capture, Problem, Status
from webtongue.census.extract.config import ExtractConfig
from webtongue.census.extract.dedup import RecentHashes, hash_text, normalize_space
from webtongue.census.extract.text import PageText, find_texts, select_lines
from webtongue.reference.domains import site_of

__all__ = ["Deduplicator", "ExtractCounts", "ExtractedText", "TextExtractor"]

OK = 200
TEXT_BITS, LINE_BITS = 22, 21  # of the tables of texts and lines: 4 and 2 million hashes, in 32 and 16 MB


@dataclass(slots=True)
class ExtractedText:
    """A row: the text of a page in one language. Columns of Common Crawl's index have its names."""

    url: str
    fetch_time: int  # milliseconds since 1970, UTC; 0 if unknown
    content_digest: str
    content_charset: str  # of the page; the text is UTF-8
    warc_filename: str
    warc_record_offset: int
    label: str
    confidence: float
    reliable: bool
    tier: int
    declared_language: str
    segments: tuple[Segment, ...]  # byte ranges of the text in the page
    lines: list[str]

    @property
    def text(self) -> str:
        """The text, with a line for each block."""
        return "\n".join(self.lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the row as a JSON object."""
        row = asdict(self)
        del row["lines"]
        row["segments"] = [segment._asdict() for segment in self.segments]
        return {**row, "language": labels.bcp47(self.label), "text": self.text}

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> ExtractedText:
        """Return the row of a JSON object."""
        values = {name: row[name] for name in cls.__dataclass_fields__ if name in row}
        segments = tuple(Segment(**segment) for segment in row["segments"])
        return cls(**{**values, "segments": segments, "lines": row["text"].split("\n") if row["text"] else []})


@dataclass(slots=True)
class ExtractCounts:
    """The numbers of captures and texts by outcome."""

    captures: int = 0
    unreadable: int = 0  # inputs
    damaged: int = 0  # records: damaged, cut, too large
    other: int = 0  # captures of types without text, revisits, and pages with a status other than 200
    refused: int = 0  # by the prefilter
    identified: int = 0
    texts: int = 0  # in the chosen languages
    short: int = 0  # texts of which too little remained
    duplicates: int = 0
    rows: int = 0  # written
    characters: int = 0

    def add(self, counts: Mapping[str, int]) -> None:
        """Add the counts of another worker."""
        for name, count in counts.items():
            setattr(self, name, getattr(self, name) + count)


class TextExtractor:
    """Extracts texts from captures. Each worker has one, because it holds a model."""

    def __init__(self, config: ExtractConfig, ident: Identifier) -> None:
        self.counts = ExtractCounts()
        self._config, self._ident = config, ident
        self._labels = frozenset(config.labels)
        self._prefilter = ident.prefilter(config.labels) if config.prefilter else None

    def batch(self, captures: Iterable[Capture]) -> list[ExtractedText]:
        """Return the texts of some captures, in order, with repeated lines and texts."""
        return [row for capture in captures for row in self._extract(capture)]

    def _extract(self, capture: Capture) -> Iterator[ExtractedText]:
        counts, body = self.counts, capture.body
        counts.captures += 1
        if capture.problem:
            is_unreadable = capture.problem is Problem.UNREADABLE
            counts.unreadable += is_unreadable
            counts.damaged += not is_unreadable
            return
        if body is None or capture.fetch_status != OK or capture.status is not Status.IDENTIFIED:
            counts.other += 1
            return
        page = Page(
            body, capture.url or None, capture.headers, capture.ip or None, capture.country or None, capture.inlinks, capture.host
        )  # fmt: skip
        if self._prefilter is not None and not self._prefilter.may_hold(page):
            counts.refused += 1
            return
        counts.identified += 1
        analysis = self._ident.analyze(page, is_text=capture.is_text)
        for text in find_texts(analysis, self._labels, self._config.min_confidence, self._ident):
            lines = select_lines(text, self._config.boilerplate)
            yield _build_row(capture, text, analysis.verdict.encoding, analysis.declared.language, lines)


def _build_row(
    capture: Capture, text: PageText, encoding: str, declared_language: str, lines: list[str]
) -> ExtractedText:
    return ExtractedText(
        capture.url, capture.fetch_time, capture.digest, encoding or "utf-8", capture.filename, capture.offset, text.label,
        round(text.confidence, 6), text.reliable, text.tier, declared_language, text.segments, lines,
    )  # fmt: skip


class Deduplicator:
    """The last step, over the rows of all workers in the order of the inputs: repeated lines and texts are removed."""

    def __init__(self, config: ExtractConfig) -> None:
        self._min_characters = config.min_characters
        self._texts = None if config.duplicates else RecentHashes(TEXT_BITS)
        self._lines = None if config.boilerplate else RecentHashes(LINE_BITS)

    def __call__(self, rows: Iterable[ExtractedText], counts: ExtractCounts) -> Iterator[ExtractedText]:
        """Yield the rows that remain, and count them."""
        for row in rows:
            counts.texts += 1
            # Texts are compared before lines are removed, because no line of a repeated page would remain.
            if self._texts is not None and self._texts.add(hash_text(normalize_space(row.text))):
                counts.duplicates += 1
                continue
            row.lines = self._new_lines(row)
            size = sum(map(len, row.lines))
            if size < self._min_characters:
                counts.short += 1
                continue
            counts.rows += 1
            counts.characters += size
            yield row

    def _new_lines(self, row: ExtractedText) -> list[str]:
        """Return the lines that no other page of the host had; all lines of a page without a URL."""
        hashes, host = self._lines, site_of(row.url)[0]
        if hashes is None or not host:
            return row.lines
        return [line for line in row.lines if not hashes.add(hash_text(line, host))]
