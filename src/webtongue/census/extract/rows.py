"""From captures to rows of text in wanted languages: a first look, the verdict, the text, and what was seen before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from webtongue import Identifier, Page, Segment, labels
from webtongue.census.capture import Capture, Status
from webtongue.census.extract.seen import Seen, folded, hash_of
from webtongue.census.extract.text import Part, lines_of, parts_of
from webtongue.census.extract.wanted import Wanted
from webtongue.links import site_of

__all__ = ["Finisher", "Rows", "Tally", "Text"]

OK = 200
TEXT_BITS, LINE_BITS = 22, 21  # of how many texts and lines are remembered: 4 and 2 million, in 32 and 16 MB


@dataclass(slots=True)
class Text:
    """A row: the text of a page in one language, and what is known of it. Names are Common Crawl's where it has them."""

    url: str
    fetch_time: int  # milliseconds since 1970, UTC; 0: not known
    content_digest: str
    content_charset: str  # that the page was in; the text is UTF-8
    warc_filename: str
    warc_record_offset: int
    label: str
    confidence: float
    reliable: bool
    tier: int
    language_declared: str
    segments: tuple[Segment, ...]  # where in the page's bytes the text stands
    lines: list[str]

    @property
    def text(self) -> str:
        """A line a block."""
        return "\n".join(self.lines)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        row = asdict(self)
        del row["lines"]
        row["segments"] = [segment._asdict() for segment in self.segments]
        return {**row, "language": labels.bcp47(self.label), "text": self.text}

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Text:
        """The inverse."""
        known = {name: row[name] for name in cls.__dataclass_fields__ if name in row}
        segments = tuple(Segment(**segment) for segment in row["segments"])
        return cls(**{**known, "segments": segments, "lines": row["text"].split("\n") if row["text"] else []})


@dataclass(slots=True)
class Tally:
    """What became of captures."""

    captures: int = 0
    unreadable: int = 0  # inputs
    damaged: int = 0  # records: damaged, cut, too large
    other: int = 0  # of types that hold no text, revisits, and pages that the server did not give (not status 200)
    refused: int = 0  # at the first look
    identified: int = 0
    texts: int = 0  # in wanted languages
    short: int = 0  # of them, of which too little was left
    duplicates: int = 0  # that were there before
    rows: int = 0  # written
    characters: int = 0

    def add(self, counts: Mapping[str, int]) -> None:
        """Those of another worker."""
        for name, count in counts.items():
            setattr(self, name, getattr(self, name) + count)


class Rows:
    """Makes rows of captures; one for each worker, since it holds a model."""

    def __init__(self, wanted: Wanted, ident: Identifier) -> None:
        self.tally = Tally()
        self._wanted, self._ident = wanted, ident
        self._labels = frozenset(wanted.labels)
        self._prefilter = ident.prefilter(wanted.labels) if wanted.first_look else None

    def batch(self, captures: Iterable[Capture]) -> list[Text]:
        """Rows of some captures, in their order; repeated lines and texts are still in them."""
        return [row for capture in captures for row in self._texts(capture)]

    def _texts(self, capture: Capture) -> Iterator[Text]:
        tally, body = self.tally, capture.body
        tally.captures += 1
        if capture.problem:
            tally.unreadable += capture.problem == "unreadable"
            tally.damaged += capture.problem != "unreadable"
            return
        if body is None or capture.fetch_status != OK or capture.status is not Status.IDENTIFIED:
            tally.other += 1
            return
        page = Page(body, capture.url or None, capture.headers, capture.ip or None, capture.country or None)
        if self._prefilter is not None and not self._prefilter.may_hold(page):
            tally.refused += 1
            return
        tally.identified += 1
        found = self._ident.contents(page, is_text=capture.is_text)
        for part in parts_of(found, self._labels, self._wanted.min_confidence, self._ident):
            yield _text(capture, part, found.verdict.encoding, found.declared_language, self._wanted)


def _text(capture: Capture, part: Part, encoding: str, declared: str, wanted: Wanted) -> Text:
    return Text(
        capture.url, capture.fetch_time, capture.digest, encoding or "utf-8", capture.filename, capture.offset, part.label,
        round(part.confidence, 6), part.reliable, part.tier, declared, part.segments, lines_of(part, wanted.boilerplate),
    )  # fmt: skip


class Finisher:
    """The last step, over the rows of all workers in the order of the input: what was seen before is left out."""

    def __init__(self, wanted: Wanted) -> None:
        self._least = wanted.min_characters
        self._texts = None if wanted.duplicates else Seen(TEXT_BITS)
        self._lines = None if wanted.boilerplate else Seen(LINE_BITS)

    def __call__(self, rows: Iterable[Text], tally: Tally) -> Iterator[Text]:
        """The rows that are left, counted."""
        for row in rows:
            tally.texts += 1
            # Before lines are left out: of a page that comes again none would be left.
            if self._texts is not None and self._texts.add(hash_of(folded(row.text))):
                tally.duplicates += 1
                continue
            row.lines = self._fresh(row)
            size = sum(map(len, row.lines))
            if size < self._least:
                tally.short += 1
                continue
            tally.rows += 1
            tally.characters += size
            yield row

    def _fresh(self, row: Text) -> list[str]:
        """Lines that no page of the host had before; of a page without an address nothing is known."""
        seen, host = self._lines, site_of(row.url)[0]
        if seen is None or not host:
            return row.lines
        return [line for line in row.lines if not seen.add(hash_of(line, host))]
