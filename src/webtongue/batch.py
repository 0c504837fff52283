"""Batches of pages, columns in and columns out: the primitive under the census, Spark, the crawler and the service.

The kernel takes chunks of pages through all stages without the GIL; the few pages that it cannot finish continue one by one.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar

from webtongue import _kernel, pipeline
from webtongue.analysis import Analysis
from webtongue.columns import Pages, is_arrow, is_missing, items_of, pages_of, table_of, values_of
from webtongue.errors import UsageError
from webtongue.evidence.combine import WeighedHints, apply_hints, weigh_hints
from webtongue.evidence.country import locate_server
from webtongue.extra_columns import EXTRA_COLUMNS, ExtraColumns, concat_column
from webtongue.markup.declarations import Declared, declared
from webtongue.markup.sniff import parse_media_type
from webtongue.model_set import Models
from webtongue.page import (
    NO_HEADERS,
    Page,
    content_headers,
    describe_wrong_page,
    has_only_urls,
    parse_counts,
    parse_inlinks,
)
from webtongue.pipeline import DONE, finish
from webtongue.policy import PAGE
from webtongue.reference.domains import host_of
from webtongue.schema import BATCH_FIELDS, BOOL, COLUMN_NAMES, INPUTS, arrow_schema, arrow_type, numpy_type, structs
from webtongue.text import why_unreliable
from webtongue.verdict import Explanation, Reason, Verdict, encoding_agrees, language_agrees

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["classify_many", "identify_batch", "identify_stream", "identify_texts", "texts_of"]

CHUNK_PAGES = 64  # pages that a thread takes at a time
CHUNK_TEXTS = 256  # texts that a thread takes at a time
CHUNK_BYTES = 1 << 23  # bound on the memory of a chunk
CHUNKS_AHEAD = 2  # chunks per thread that a stream reads ahead

TEXT_TABLES = "webtongue.integrations.arrow.identify_texts(), which answers missing texts with a reason"
NUMPY_TYPES = {field.name: numpy_type(field) for field in BATCH_FIELDS}
Columns = dict[str, list[Any]]
T = TypeVar("T")
R = TypeVar("R")


def identify_batch(columns: Any, models: Models, threads: int | None = None, extra: Iterable[str] = ()) -> Any:
    """Return a column for each of schema.BATCH_FIELDS: lists, arrays for numbers, or an Arrow table if an Arrow table is given.

    ``extra`` names further columns of :data:`webtongue.extra_columns.EXTRA_COLUMNS`: lists, arrays and Ragged, not Arrow.
    """
    wanted = frozenset(extra)
    if unknown := wanted - set(EXTRA_COLUMNS):
        raise UsageError(f"unknown extra columns: {', '.join(sorted(unknown))}; known are {', '.join(EXTRA_COLUMNS)}")
    if wanted and is_arrow(columns):
        raise UsageError("extra columns are not available for an Arrow table; pass columns of lists or arrays")
    threads = _count_threads(threads)
    table = table_of(columns, INPUTS)
    pages = pages_of(table["raw"])
    context = PageContext({name: values_of(table[name]) for name in INPUTS[1:] if name in table}, len(pages))
    if len(pages) == 1 and not wanted:
        single = _identify_one(pages, context, models)
        return _as_arrow(single) if is_arrow(columns) else _as_arrays(single)
    spans = list(_spans(pages)) or [(0, 0)]
    chunks = list(_map(lambda span: _identify_span(pages, context, *span, models, wanted), iter(spans), threads))
    rows: Columns = {name: list(chain.from_iterable(chunk[name] for chunk in chunks)) for name in COLUMN_NAMES}
    if is_arrow(columns):
        return _as_arrow(rows)
    return _as_arrays(rows) | {name: concat_column(chunks, name) for name in EXTRA_COLUMNS if name in wanted}


def identify_stream(
    pages: Iterable[Page | bytes | None], models: Models, threads: int | None = None
) -> Iterator[Verdict]:
    """Yield verdicts in the order of the pages; no more than a few chunks are in memory."""
    yield from chain.from_iterable(_map(lambda chunk: _verdicts(chunk, models), _page_chunks(pages), threads))


def identify_texts(texts: Sequence[str], models: Models, threads: int | None = None) -> list[Verdict]:
    """Return verdicts on decoded texts in their order."""
    chunks = _map(lambda chunk: pipeline.identify_texts(chunk, models), _text_chunks(texts), threads)
    return list(chain.from_iterable(chunks))


def classify_many(texts: Sequence[str], models: Models, threads: int | None = None) -> tuple[list[str], list[float]]:
    """Return the label and the probability of each text; long texts are answered as by ``identify_text``."""
    labels: list[str] = []
    confidences: list[float] = []
    for chunk in _map(lambda chunk: _classify_chunk(chunk, models), _text_chunks(texts), threads):
        labels += chunk[0]
        confidences += chunk[1]
    return labels, confidences


def _classify_chunk(texts: Sequence[str], models: Models) -> tuple[list[str], list[float]]:
    kernel = models.text.kernel
    short = [text for text in texts if len(text) <= PAGE.short_text_chars]
    try:
        labels, confidences = kernel.classify_many(short)
    except UnicodeEncodeError:  # lone surrogates
        labels, confidences = kernel.classify_many([text.encode("utf-8", "replace") for text in short])
    for position, text in enumerate(texts):
        if len(text) > PAGE.short_text_chars:
            verdict = pipeline.identify_text(text, models)
            labels.insert(position, verdict.label)
            confidences.insert(position, verdict.confidence)
    return labels, confidences


def texts_of(values: Any, function: str) -> list[str]:
    """Return the texts of a call on many; raise TypeError for values that are no texts."""
    if isinstance(values, str):
        raise TypeError(f"{function} takes many texts; one goes to identify_text()")
    texts = list(items_of(values, function, "texts", TEXT_TABLES))
    for position, text in enumerate(texts):
        if isinstance(text, str):
            continue
        if is_missing(text):
            raise TypeError(f"item {position:,} is missing ({text}): leave it out, or pass a table to {TEXT_TABLES}")
        advice = "; bytes go to identify_many()" if isinstance(text, bytes | bytearray | memoryview) else ""
        raise TypeError(f"item {position:,}: a text is str, not {type(text).__name__}{advice}")
    return texts


def _text_chunks(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    return (texts[begin : begin + CHUNK_TEXTS] for begin in range(0, len(texts), CHUNK_TEXTS))


class PageContext:
    """The columns of a batch beside the bytes: URLs, headers, IP addresses, ...; values of a wrong type are ignored."""

    def __init__(self, columns: Mapping[str, list[Any]], count: int) -> None:
        missing = [None] * count
        self.urls, self.ips, self.countries = (columns.get(name, missing) for name in ("url", "ip", "country"))
        self.inlinks, self.hosts = columns.get("inlinks", missing), columns.get("host", missing)
        if "inlinks" in columns and has_only_urls(self.inlinks):
            raise TypeError("a row of inlinks is a list of Inlink objects or mappings, not of URLs")
        self.headers = columns.get("headers", missing)

    def content(self, begin: int, end: int) -> list[tuple[str, str]]:
        """Return Content-Type and Content-Language of some pages."""
        return [content_headers(self.page_headers(i)) for i in range(begin, end)]

    def page_headers(self, i: int) -> Mapping[str, str]:
        """Return the headers of a page: a mapping, or a list of pairs, the form of an Arrow map."""
        row = self.headers[i]
        if row is None:
            return NO_HEADERS
        return row if type(row) is dict or isinstance(row, Mapping) else _pairs(row)

    def page(self, raw: bytes, i: int) -> Page:
        """Return a page with its URL, headers and other columns."""
        url, ip, country = (
            value if isinstance(value, str) else None for value in (self.urls[i], self.ips[i], self.countries[i])
        )
        inlinks = self.inlinks[i]
        return Page(
            raw, url, self.page_headers(i) or NO_HEADERS, ip, country, parse_inlinks(inlinks) if inlinks is not None else (),
            parse_counts(self.hosts[i]),
        )  # fmt: skip

    def country(self, i: int, models: Models) -> str:
        """Return the country of a page's server; empty where it is unknown."""
        country, ip = (value if isinstance(value, str) else None for value in (self.countries[i], self.ips[i]))
        return "" if country is None and ip is None else locate_server(country, ip, models.evidence).country

    def host(self, i: int) -> bytes:
        """Return the host of a page's URL; empty where there is none."""
        url = self.urls[i]
        return host_of(url).encode() if isinstance(url, str) else b""


def _pairs(row: Any) -> dict[str, Any]:
    """Return the headers in a list of pairs, the form of an Arrow map; empty for any other value."""
    try:
        return {str(name): value for name, value in row}
    except (TypeError, ValueError):
        return {}


def _spans(pages: Pages) -> Iterator[tuple[int, int]]:
    begin = size = 0
    for i in range(len(pages)):
        size += pages.size(i)
        if i + 1 - begin == CHUNK_PAGES or size >= CHUNK_BYTES:
            yield begin, i + 1
            begin, size = i + 1, 0
    if begin < len(pages):
        yield begin, len(pages)


def _page_chunks(pages: Iterable[Any]) -> Iterator[list[Any]]:
    """Yield chunks of pages: bytes become pages, missing values are kept, and values of other types raise TypeError."""
    chunk: list[Any] = []
    size = 0
    for position, page in enumerate(pages):
        item = Page(bytes(page)) if isinstance(page, bytes | bytearray | memoryview) else page
        if not isinstance(item, Page) and not is_missing(item):
            raise TypeError(f"item {position:,}: {describe_wrong_page(item, 'identify_texts()')}")
        chunk.append(item)
        size += len(item.raw) if isinstance(item, Page) else 0
        if len(chunk) == CHUNK_PAGES or size >= CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _count_threads(threads: int | None) -> int:
    """Return a number of threads, that of the processors for None; raise UsageError for other values."""
    count = os.cpu_count() or 1 if threads is None else threads
    if not isinstance(count, int) or count < 1:
        raise UsageError(f"threads must be 1 or more, not {threads}")
    return count


def _map(work: Callable[[T], R], items: Iterator[T], threads: int | None) -> Iterator[R]:
    """Yield results in the order of the items, computed on threads, a few items ahead of the reader."""
    count = _count_threads(threads)
    first = list(islice(items, 2))
    items = chain(first, items)
    if count == 1 or len(first) < 2:
        yield from map(work, items)
        return
    from concurrent.futures import (
        ThreadPoolExecutor,  # imported here: it takes a tenth of the import time of the package
    )

    with ThreadPoolExecutor(count) as pool:
        waiting: deque[Future[R]] = deque()
        error: BaseException | None = None
        try:
            while True:
                while error is None and len(waiting) < count * CHUNKS_AHEAD:
                    try:
                        waiting.append(pool.submit(work, next(items)))
                    except StopIteration as end:
                        error = end
                    except (
                        Exception
                    ) as failed:  # an error of the iterator is raised after the results of the items before it
                        error = failed
                if not waiting:
                    break
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
        if error is not None and not isinstance(error, StopIteration):
            raise error


def _verdicts(pages: list[Any], models: Models) -> list[Verdict]:
    raws = [page.raw if isinstance(page, Page) else None for page in pages]
    media = bytes(
        [parse_media_type(page.content_type) if isinstance(page, Page) and page.headers else 0 for page in pages]
    )
    analyses = models.flow.analyse_list(raws, media, False)
    return [
        finish(page, analyses.take(i), models).verdict if isinstance(page, Page) else _not_a_page(page)
        for i, page in enumerate(pages)
    ]


def _not_a_page(value: Any) -> Verdict:
    """Return the verdict on a value that is not a page."""
    if is_missing(value):
        return Verdict("und", 0.0, reason=Reason.MISSING, details=Explanation("no page was given"))
    why = f"a page is bytes, not {type(value).__name__}"
    return Verdict("und", 0.0, reason=Reason.NOT_BYTES, details=Explanation(why))


def _identify_one(pages: Pages, context: PageContext, models: Models) -> Columns:
    """Return the columns of one page, for which the arrays of the kernel would cost more than the analysis itself."""
    raw = None if pages.absent(0, 1) else pages.item(0)
    answer = pipeline.analyze(context.page(raw, 0), models) if type(raw) is bytes else _not_a_page(raw)
    return {name: [value] for name, value in answer.to_row().items()}


def _identify_span(
    pages: Pages, context: PageContext, begin: int, end: int, models: Models, wanted: frozenset[str]
) -> Columns:
    """Return the columns of a range of pages: from the kernel for pages that it finished, from an Analysis for the others."""
    import numpy as np  # imported here: it takes longer to import than the package

    headers = context.content(begin, end)
    media = bytes([parse_media_type(kind) if kind else 0 for kind, _ in headers])
    analyses = pages.analyse(models, begin, end, media)
    declarations = [declared(packed, *row) for packed, row in zip(analyses.declarations(), headers, strict=True)]
    countries, hints = _apply_hints(analyses, declarations, context, begin, models)
    stop, label, confidence, reliable, tier, _, group, group_confidence, *_ = analyses.columns()
    names = models.text.names
    ids = label.tolist()
    labels = [names.labels[i] for i in ids]
    encodings = [page.encoding.best for page in declarations]
    rows: Columns = {
        "label": labels,
        "language": [names.languages[i] for i in ids],
        "script": [names.scripts[i] for i in ids],
        "confidence": confidence.tolist(),
        "reliable": reliable.tolist(),
        "tier": tier.tolist(),
        "group": [names.groups[i] for i in group.tolist()],
        "group_confidence": group_confidence.tolist(),
        "languages": [names.single_language[i] for i in ids],
        "encoding": ["utf-8"] * len(ids),
        "encoding_confidence": [1.0] * len(ids),
        "reason": [""] * len(ids),
        "why": [""] * len(ids),
        "declared_language": [page.language for page in declarations],
        "declared_encoding": encodings,
        "agrees": [language_agrees(page.language, name) for page, name in zip(declarations, labels, strict=True)],
        "encoding_agrees": [encoding_agrees(name, "utf-8") for name in encodings],
        "country": countries,
    }
    for i in np.flatnonzero((stop == DONE) & (label >= 0) & ~reliable.astype(bool)).tolist():
        rows["why"][i] = why_unreliable(analyses.reading(i), names.labels)
    for i in np.flatnonzero(analyses.holder_count()).tolist():
        rows["languages"][i] = analyses.languages(models.text.kernel, i)
    extra = ExtraColumns(analyses, declarations, wanted, models) if wanted else None
    unfinished = {*np.flatnonzero((stop != DONE) | (label < 0)).tolist(), *pages.absent(begin, end)}
    if extra is not None:
        hosts = [context.host(begin + i) for i in range(len(declarations))]
        extra.add_links([pages.item(begin + i) for i in range(len(declarations))], hosts)
        for i in set(range(len(declarations))) - unfinished:
            extra.add_finished(i, declarations[i], hints[i])
    for i in unfinished:
        raw = pages.item(begin + i)
        analysis: Analysis | None = None
        if type(raw) is bytes:
            analysis = finish(context.page(raw, begin + i), analyses.take(i), models)
        for name, value in (analysis or _not_a_page(raw)).to_row().items():
            rows[name][i] = value
        if extra is not None:
            extra.add_analysis(i, analysis, context.host(begin + i)) if analysis else extra.add_missing(i)
    return rows if extra is None else rows | extra.columns_wanted()


def _apply_hints(
    analyses: _kernel.Analyses, declarations: Sequence[Declared], context: PageContext, begin: int, models: Models
) -> tuple[list[str], list[WeighedHints | None]]:
    """Apply the hints of each page that the kernel finished.

    Return the country of each server, and the hints of each page: None for long clear text, which needs none.
    """
    countries = [""] * len(declarations)
    applied: list[WeighedHints | None] = [{}] * len(declarations)
    stops, label_ids = (column.tolist() for column in analyses.columns()[:2])
    settled = analyses.settled().tolist()
    for i, declaration in enumerate(declarations):
        if stops[i] != DONE or label_ids[i] < 0:
            continue
        countries[i] = context.country(begin + i, models)
        if settled[i]:
            applied[i] = None
            continue
        hints = weigh_hints(context.page(b"", begin + i), declaration, "utf-8", models.evidence)
        if hints:
            applied[i] = hints
            reread = partial(models.flow.read_again, analyses, i)
            apply_hints(analyses.reading(i), hints, models.flow, models.evidence, reread)
    return countries, applied


def _as_arrays(rows: Columns) -> dict[str, Any]:
    import numpy as np

    return {name: np.array(rows[name], kind) if kind else rows[name] for name, kind in NUMPY_TYPES.items()}


def _as_arrow(rows: Columns) -> Any:
    import pyarrow as pa

    arrays = []
    for field in BATCH_FIELDS:
        column, kind = rows[field.name], arrow_type(field)
        if field.kind is None:
            column = [list(structs(field.name, values)) for values in column]
        if pa.types.is_dictionary(kind):
            arrays.append(pa.array(column, kind.value_type).dictionary_encode())
        else:
            arrays.append(pa.array(map(bool, column) if field.kind is BOOL else column, kind))
    return pa.Table.from_arrays(arrays, schema=arrow_schema())
