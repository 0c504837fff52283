"""Many pages at once, columns in and columns out: what the census, Spark, the crawler and the service stand on.

Pages go to the kernel in chunks, which it takes through all stages without the GIL; the few that need more go on one by one.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar

from webtongue import _kernel, fuse, labels
from webtongue.columns import Pages, is_arrow, is_missing, pages_of, table_of, values_of
from webtongue.details import DETAILS, UNWEIGHED, Details, Weighed, joined
from webtongue.errors import UsageError
from webtongue.explain import sentence
from webtongue.hints.declared import Declared, declared
from webtongue.hints.domain import host_of
from webtongue.markup.sniff import media_of
from webtongue.page import NO_HEADERS, Page, content_headers, counts_of, inlinks_of
from webtongue.pipeline import DONE, Judged, Stages, go_on
from webtongue.verdict import SCHEMA, Explanation, Reason, Verdict, encoding_agrees, language_agrees

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["COLUMNS", "INPUT", "identify_batch", "identify_row", "identify_stream"]

INPUT = ("raw", "url", "headers", "ip", "country", "inlinks", "host")
NUMBERS = {"confidence": "f4", "encoding_confidence": "f4", "group_confidence": "f4", "reliable": "?", "tier": "u1"}
# In the order of docs/schema.md.
COLUMNS = (
    "label", "language", "script", "confidence", "reliable", "tier", "group", "group_confidence", "languages", "encoding",
    "encoding_confidence", "reason", "why", "declared_language", "declared_encoding", "agrees", "encoding_agrees", "country",
)  # fmt: skip
CHUNK = 64  # pages handed to a thread at a time
CHUNK_BYTES = 1 << 23  # and no more than this of them: bounds memory
AHEAD = 2  # chunks a thread that a stream reads ahead

Row = dict[str, list[Any]]
T = TypeVar("T")
R = TypeVar("R")


def identify_batch(columns: Any, by: Stages, threads: int | None = None, details: Iterable[str] = ()) -> Any:
    """Columns of answers, by the names in COLUMNS: lists, arrays for numbers; an Arrow table where one came in.

    ``details`` names further columns, of those in :data:`webtongue.details.DETAILS`; they come as lists, arrays and Ragged, not as
    Arrow.
    """
    wanted = frozenset(details)
    if unknown := wanted - set(DETAILS):
        raise UsageError(f"details are of {', '.join(DETAILS)}; unknown: {', '.join(sorted(unknown))}")
    if wanted and is_arrow(columns):
        raise UsageError("details are given for columns of lists or arrays, not for an Arrow table")
    found = table_of(columns, INPUT)
    pages = pages_of(found["raw"])
    known = Known({name: values_of(found[name]) for name in INPUT[1:] if name in found}, len(pages))
    spans = list(_spans(pages)) or [(0, 0)]
    chunks = list(_mapped(lambda span: _answers(pages, known, *span, by, wanted), iter(spans), threads))
    whole: Row = {name: list(chain.from_iterable(chunk[name] for chunk in chunks)) for name in COLUMNS}
    if is_arrow(columns):
        return _as_arrow(whole)
    return _as_arrays(whole) | {name: joined(chunks, name) for name in DETAILS if name in wanted}


def identify_stream(pages: Iterable[Page | bytes | None], by: Stages, threads: int | None = None) -> Iterator[Verdict]:
    """Verdicts in the order of the pages, as they come: no more than a few chunks are held."""
    yield from chain.from_iterable(_mapped(lambda chunk: _verdicts(chunk, by), _page_chunks(pages), threads))


def identify_row(page: Page, by: Stages) -> dict[str, Any]:
    """One page's row of :func:`identify_batch`: a Verdict without its guesses, segments and evidence, which cost most."""
    media = media_of(page.content_type) if page.headers else 0
    judged = go_on(page, by.flow.analyse(page.raw, media, False, False), by)
    return _judged_row(judged, fuse.locate(page, by.fusion).country, by)


class Known:
    """What is known of pages beside their bytes, column by column; what is no address or header is left out."""

    def __init__(self, columns: Mapping[str, list[Any]], count: int) -> None:
        nothing = [None] * count
        self.urls, self.ips, self.countries = (columns.get(name, nothing) for name in ("url", "ip", "country"))
        self.inlinks, self.hosts = columns.get("inlinks", nothing), columns.get("host", nothing)
        self.headers = headers = columns.get("headers")
        self.types, self.languages = [""] * count, [""] * count
        if headers is not None:
            for i, row in enumerate(headers):
                if row is None:
                    continue
                if not isinstance(row, Mapping):
                    row = headers[i] = _pairs(row)
                self.types[i], self.languages[i] = content_headers(row)

    def media(self, begin: int, end: int) -> bytes:
        """What the Content-Type of each page says."""
        return bytes([media_of(kind) if kind else 0 for kind in self.types[begin:end]])

    def page(self, raw: bytes, i: int) -> Page:
        """A page with what is known of it."""
        headers = self.headers[i] if self.headers is not None else None
        url, ip, country = (
            value if isinstance(value, str) else None for value in (self.urls[i], self.ips[i], self.countries[i])
        )
        inlinks = self.inlinks[i]
        return Page(
            raw, url, headers or NO_HEADERS, ip, country, inlinks_of(inlinks) if inlinks is not None else (),
            counts_of(self.hosts[i]),
        )  # fmt: skip

    def country(self, i: int, by: Stages) -> str:
        """The country of a page's server; empty where it is not known."""
        country, ip = self.countries[i], self.ips[i]
        if country is None and ip is None:
            return ""
        said, address = (value if isinstance(value, str) else None for value in (country, ip))
        return fuse.locate_server(said, address, by.fusion).country

    def host(self, i: int) -> bytes:
        """The host of a page's address; empty where there is none."""
        url = self.urls[i]
        return host_of(url).encode() if isinstance(url, str) else b""


def _pairs(row: Any) -> dict[str, Any]:
    """Headers that came as a list of pairs, as Arrow's maps do; anything else says nothing."""
    try:
        return {str(name): value for name, value in row}
    except (TypeError, ValueError):
        return {}


def _spans(pages: Pages) -> Iterator[tuple[int, int]]:
    begin = size = 0
    for i in range(len(pages)):
        size += pages.size(i)
        if i + 1 - begin == CHUNK or size >= CHUNK_BYTES:
            yield begin, i + 1
            begin, size = i + 1, 0
    if begin < len(pages):
        yield begin, len(pages)


def _page_chunks(pages: Iterable[Any]) -> Iterator[list[Any]]:
    """Pages, and between them whatever else was given."""
    chunk: list[Any] = []
    size = 0
    for page in pages:
        whole = Page(bytes(page)) if isinstance(page, bytes | bytearray | memoryview) else page
        chunk.append(whole)
        size += len(whole.raw) if isinstance(whole, Page) else 0
        if len(chunk) == CHUNK or size >= CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _mapped(work: Callable[[T], R], items: Iterator[T], threads: int | None) -> Iterator[R]:
    """Results in the order of the items, worked out on threads, a few items ahead of the reader."""
    count = os.cpu_count() or 1 if threads is None else threads
    if not isinstance(count, int) or count < 1:
        raise UsageError(f"threads is 1 or more, not {threads}")
    first = list(islice(items, 2))
    items = chain(first, items)
    if count == 1 or len(first) < 2:
        yield from map(work, items)
        return
    from concurrent.futures import ThreadPoolExecutor  # here, since importing it takes a tenth of the whole

    with ThreadPoolExecutor(count) as pool:
        waiting: deque[Future[R]] = deque()
        error: BaseException | None = None
        try:
            while True:
                while error is None and len(waiting) < count * AHEAD:
                    try:
                        waiting.append(pool.submit(work, next(items)))
                    except StopIteration as end:
                        error = end
                    except Exception as failed:  # whoever gives the items: what came before is answered first
                        error = failed
                if not waiting:
                    break
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
        if error is not None and not isinstance(error, StopIteration):
            raise error


def _verdicts(pages: list[Any], by: Stages) -> list[Verdict]:
    raws = [page.raw if isinstance(page, Page) else None for page in pages]
    media = bytes([media_of(page.content_type) if isinstance(page, Page) and page.headers else 0 for page in pages])
    many = by.flow.analyse_list(raws, media, False)
    return [
        go_on(page, many.take(i), by).verdict if isinstance(page, Page) else no_page(page)
        for i, page in enumerate(pages)
    ]


def no_page(value: Any) -> Verdict:
    """The verdict on what is no page."""
    if is_missing(value):
        return Verdict("und", 0.0, reason=Reason.MISSING, details=Explanation("no page was given"))
    said = f"a page is bytes, not {type(value).__name__}"
    return Verdict("und", 0.0, reason=Reason.NOT_BYTES, details=Explanation(said))


def _answers(pages: Pages, known: Known, begin: int, end: int, by: Stages, wanted: frozenset[str]) -> Row:
    """The columns of some pages: plain answers at once, every other page by its Verdict."""
    import numpy as np  # here, since it takes longer to import than all of webtongue

    many = pages.analyse(by, begin, end, known.media(begin, end))
    said = [
        declared(*key) for key in zip(many.claims(), known.types[begin:end], known.languages[begin:end], strict=True)
    ]
    countries, weighed = _weigh(many, said, known, begin, by)
    stop, label, confidence, reliable, tier, _, group, group_confidence, *_ = many.columns()
    names = by.text.names
    ids = label.tolist()
    found = [names.labels[i] for i in ids]
    encodings = [what.encoding.best for what in said]
    rows: Row = {
        "label": found,
        "language": [names.languages[i] for i in ids],
        "script": [names.scripts[i] for i in ids],
        "confidence": confidence.tolist(),
        "reliable": reliable.tolist(),
        "tier": tier.tolist(),
        "group": [names.groups[i] for i in group.tolist()],
        "group_confidence": group_confidence.tolist(),
        "languages": [names.alone[i] for i in ids],
        "encoding": ["utf-8"] * len(ids),
        "encoding_confidence": [1.0] * len(ids),
        "reason": [""] * len(ids),
        "why": [""] * len(ids),
        "declared_language": [what.language for what in said],
        "declared_encoding": encodings,
        "agrees": [language_agrees(what.language, name) for what, name in zip(said, found, strict=True)],
        "encoding_agrees": [encoding_agrees(name, "utf-8") for name in encodings],
        "country": countries,
    }
    text = by.text.kernel
    for i in np.flatnonzero(many.holder_count()).tolist():
        rows["languages"][i] = many.languages(text, i)
    details = Details(many, said, wanted, by) if wanted else None
    others = {*np.flatnonzero((stop != DONE) | (label < 0)).tolist(), *pages.absent(begin, end)}
    if details is not None:
        _describe(details, pages, known, begin, said, weighed, others)
    for i in others:
        raw = pages.item(begin + i)
        judged = go_on(known.page(raw, begin + i), many.take(i), by) if type(raw) is bytes else None
        for name, value in (
            _judged_row(judged, known.country(begin + i, by), by) if judged else _row(no_page(raw))
        ).items():
            rows[name][i] = value
        if details is not None:
            details.judged(i, judged, known.host(begin + i)) if judged else details.absent(i)
    return rows if details is None else rows | details.finished()


def _describe(
    details: Details,
    pages: Pages,
    known: Known,
    begin: int,
    said: Sequence[Declared],
    weighed: Sequence[Weighed | None],
    others: set[int],
) -> None:
    """Details of the pages that the kernel took all the way: ``weighed`` is None where long clear text was settled at once."""
    hosts = [known.host(begin + i) for i in range(len(said))]
    details.links([pages.item(begin + i) for i in range(len(said))], hosts)
    for i, what in enumerate(said):
        if i not in others:
            details.plain(i, what, weighed[i])


def _weigh(
    many: _kernel.Analyses, said: list[Declared], known: Known, begin: int, by: Stages
) -> tuple[list[str], list[Weighed | None]]:
    """Hints weighed in, page by page: the country of each server, where it is known, and what was weighed, None where long clear
    text is settled already."""
    countries = [""] * len(said)
    weighed: list[Weighed | None] = [UNWEIGHED] * len(said)
    stops, labels_ = (column.tolist() for column in many.columns()[:2])
    settled = many.settled().tolist()
    for i, what in enumerate(said):
        if stops[i] != DONE or labels_[i] < 0:
            continue
        countries[i] = known.country(begin + i, by)
        if settled[i]:
            weighed[i] = None
            continue
        hints = fuse.hear(known.page(b"", begin + i), what, "utf-8", by.fusion)
        if hints:
            weighed[i] = Weighed(hints, fuse.factor(many.reading(i), by.fusion.by))
            fuse.weigh(many.reading(i), hints, by.flow, by.fusion, partial(by.flow.read_again, many, i))
    return countries, weighed


def _judged_row(judged: Judged, country: str, by: Stages) -> dict[str, Any]:
    """The row of a page that went on, without the rest of its explanation, which costs more than its verdict."""
    verdict, said, reading = judged.verdict, judged.said, judged.reading
    if reading is None:
        return _row(verdict)
    languages = by.text.kernel.languages(reading)
    why = sentence(verdict.reason, reading, by.text)
    return _row(verdict, Explanation(why, languages, (), (), (), said.language, said.encoding.best, country))


def _row(verdict: Verdict, known: Explanation | None = None) -> dict[str, Any]:
    explanation = known or verdict.explanation
    return {
        "label": verdict.label,
        "language": labels.bcp47(verdict.label),
        "script": verdict.script,
        "confidence": verdict.confidence,
        "reliable": verdict.reliable,
        "tier": verdict.tier,
        "group": verdict.group,
        "group_confidence": verdict.group_confidence,
        "languages": explanation.languages,
        "encoding": verdict.encoding,
        "encoding_confidence": verdict.encoding_confidence,
        "reason": verdict.reason.value,
        "why": explanation.why,
        "declared_language": explanation.declared_language,
        "declared_encoding": explanation.declared_encoding,
        "agrees": language_agrees(explanation.declared_language, verdict.label),
        "encoding_agrees": encoding_agrees(explanation.declared_encoding, verdict.encoding),
        "country": explanation.country,
    }


def _as_arrays(rows: Row) -> dict[str, Any]:
    import numpy as np

    return {name: np.array(column, NUMBERS[name]) if name in NUMBERS else column for name, column in rows.items()}


def _as_arrow(rows: Row) -> Any:
    import pyarrow as pa

    held = pa.list_(pa.struct([("label", pa.string()), ("share", pa.float32())]))
    arrays = {}
    for name, column in rows.items():
        if name in NUMBERS:
            kind = {"f4": pa.float32(), "?": pa.bool_(), "u1": pa.uint8()}[NUMBERS[name]]
            arrays[name] = pa.array(map(bool, column) if kind == pa.bool_() else column, kind)
        elif name == "languages":
            arrays[name] = pa.array([[{"label": n, "share": s} for n, s in pairs] for pairs in column], held)
        elif name in ("agrees", "encoding_agrees"):
            arrays[name] = pa.array(column, pa.bool_())
        else:
            arrays[name] = (
                pa.array(column, pa.string()) if name == "why" else pa.array(column, pa.string()).dictionary_encode()
            )
    table = pa.table(arrays)
    return table.replace_schema_metadata({"webtongue.schema": str(SCHEMA)})
