"""Extract texts from captures: prefilter, verdict, text, measures of quality."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from typing import Any

from webtongue import Analysis, Identifier, Page, Segment, labels
from webtongue.census.capture import Capture, Problem, Status
from webtongue.census.extract.config import ExtractConfig
from webtongue.census.extract.text import PageText, find_texts
from webtongue.content.blocks import build_blocks, join_markdown, to_markdown
from webtongue.content.duplicates import hash_text, minhash_bands, normalize_space
from webtongue.content.metadata import Metadata, read_metadata
from webtongue.content.quality import measure_quality
from webtongue.content.select import select_blocks
from webtongue.reference.domains import site_of

__all__ = ["LISTS", "ExtractCounts", "ExtractedText", "TextExtractor"]

OK = 200
MAX_UNREAD = 20  # inputs that are named, because any number of them may be missing


@dataclass(slots=True)
class ExtractedText:
    """A row: the text of a page in one language. Columns of Common Crawl's index have its names.

    Lines and keys, the hashes that find duplicates, are no columns. Repeated lines and the least size of a text are decided by the
    plain lines, so that a crawl has the same rows as text and as Markdown.
    """

    url: str
    url_host_name: str
    fetch_time: str  # ISO 8601, UTC; empty if unknown
    content_digest: str
    content_charset: str  # encoding of the page; the text is UTF-8
    warc_filename: str
    warc_record_offset: int
    title: str
    author: str
    date: str  # as declared, ISO 8601
    licences: tuple[str, ...]
    label: str
    confidence: float
    reliable: bool
    tier: int
    declared_language: str
    segments: tuple[Segment, ...]  # byte ranges of the text in the page
    characters: int
    words: int
    symbol_share: float
    stop_word_share: float | None
    repeated_line_share: float
    list_share: float
    lines: list[str]  # the plain text of each block
    markdown_lines: list[str]  # the same blocks as Markdown; empty if the text is plain
    text_key: int = 0
    line_keys: tuple[int, ...] = ()
    band_keys: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The text, with a line for each block, or as Markdown."""
        return join_markdown(self.markdown_lines) if self.markdown_lines else "\n".join(self.lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the columns as a JSON object."""
        row = {name: getattr(self, name) for name in COLUMN_FIELDS}
        row["segments"] = [segment._asdict() for segment in self.segments]
        row["licences"] = list(self.licences)
        return {**row, "language": labels.bcp47(self.label), "text": self.text}

    def to_part(self) -> dict[str, Any]:
        """Return all fields as a JSON object, from which `from_part` creates the row again."""
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return values | {"segments": [segment._asdict() for segment in self.segments]}

    @classmethod
    def from_part(cls, row: Mapping[str, Any]) -> ExtractedText:
        """Return the row of `to_part`."""
        values: dict[str, Any] = {name: tuple(value) if name in TUPLE_FIELDS else value for name, value in row.items()}
        values["segments"] = tuple(Segment(**segment) for segment in row["segments"])
        return cls(**values)


NOT_COLUMNS = ("lines", "markdown_lines", "text_key", "line_keys", "band_keys")
COLUMN_FIELDS = tuple(column.name for column in fields(ExtractedText) if column.name not in NOT_COLUMNS)
TUPLE_FIELDS = ("licences", "line_keys", "band_keys")

LISTS = ("languages", "unread")  # fields of counts that are not numbers


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
    poor: int = 0  # texts outside of the limits of quality
    short: int = 0  # texts of which too little remained
    duplicates: int = 0
    near_duplicates: int = 0
    rows: int = 0  # written
    characters: int = 0
    languages: dict[str, list[int]] = field(default_factory=dict)  # rows and characters by label
    unread: list[list[str]] = field(default_factory=list)  # name and reason of the first unreadable inputs

    def add(self, counts: Mapping[str, int], unread: Iterable[list[str]] = ()) -> None:
        """Add the counts of a worker, which has none by language, and the inputs that it could not read."""
        for name, count in counts.items():
            setattr(self, name, getattr(self, name) + count)
        self.unread = [*self.unread, *unread][:MAX_UNREAD]

    def add_row(self, label: str, characters: int) -> None:
        """Count a row that is written."""
        self.rows += 1
        self.characters += characters
        language = self.languages.setdefault(label, [0, 0])
        language[0] += 1
        language[1] += characters

    def numbers(self) -> dict[str, int]:
        """Return the counts that are single numbers."""
        return {name: count for name, count in asdict(self).items() if name not in LISTS}


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
            counts.add(
                {"unreadable": is_unreadable, "damaged": not is_unreadable},
                [[capture.filename, capture.detail]] if is_unreadable else (),
            )
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
        texts = list(find_texts(analysis, self._labels, self._config.min_confidence, self._ident))
        metadata = read_metadata(analysis) if texts and not capture.is_text else Metadata()
        for text in texts:
            counts.texts += 1
            row = _build_row(capture, analysis, metadata, text, self._config)
            if row is None:
                counts.poor += 1
            else:
                yield row


def _build_row(
    capture: Capture, analysis: Analysis, metadata: Metadata, text: PageText, config: ExtractConfig
) -> ExtractedText | None:
    """Return the row of a text, or None if its quality is outside of the limits."""
    blocks = list(build_blocks(select_blocks(text.blocks, config.boilerplate), analysis.page.raw))
    quality = measure_quality(blocks, text.label)
    if not config.limits.accept(quality):
        return None
    lines = [block.text for block in blocks]
    host = site_of(capture.url)[0]
    plain = normalize_space(" ".join(lines))
    return ExtractedText(
        capture.url, host, _iso_time(capture.fetch_time), capture.digest, analysis.verdict.encoding or "utf-8",
        capture.filename, capture.offset, metadata.title, metadata.author, metadata.date, metadata.licences, text.label,
        round(text.confidence, 6), text.reliable, text.tier, analysis.declared.language, text.segments,
        **asdict(quality), lines=lines, markdown_lines=[to_markdown(block) for block in blocks] if config.markdown else [],
        text_key=0 if config.duplicates else hash_text(plain),
        line_keys=() if config.host_lines or not host else tuple(hash_text(line, host) for line in lines),
        band_keys=() if config.near_duplicates else tuple(minhash_bands(plain)),
    )  # fmt: skip


def _iso_time(milliseconds: int) -> str:
    """Return a time as ISO 8601.

    >>> _iso_time(1710238800000), _iso_time(0)
    ('2024-03-12T10:20:00Z', '')
    """
    if not milliseconds:
        return ""
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):  # a year out of range
        return ""
