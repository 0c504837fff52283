"""Identify captures in batches, and build the columns of schema.py from them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

from webtongue import Identifier, __version__, labels
from webtongue.census.capture import Capture, Problem, Status
from webtongue.census.config import Config
from webtongue.census.methods import PLAIN_TEXT_HEADERS, MethodFunction, method_columns
from webtongue.census.schema import BITS, batch_name, links_schema, rows_schema
from webtongue.census.text_columns import page_text_columns, text_column
from webtongue.evidence.geo import Located
from webtongue.extra_columns import EXTRA_COLUMNS, PAGE_TEXTS, identified_by
from webtongue.reference.domains import site_of

__all__ = [
    "Batch", "RowBuilder", "content_languages", "create_identifier", "languages_column",
    "model_checksum",
]  # fmt: skip

OK = 200
MAX_STATUS = 2**15 - 1  # int16 column; servers send arbitrary status codes
BASIC_COLUMNS = frozenset(EXTRA_COLUMNS) - {"outlinks", *PAGE_TEXTS}
ROBOTS_URL = re.compile(r"^[a-z]+://[^/]+/robots\.txt$", re.IGNORECASE)
# Runs of question marks or replacement characters: text that was converted from a wrong encoding (Cai 2009, 5.1.3).
LOST_CHARACTERS = re.compile(rb"\?{3,}|(?:\xef\xbf\xbd){2,}")
MIN_LOST_SHARE = 0.3  # share of the visible text that is lost
CHECKSUM = slice(24, 32)  # the last field in the header of a model file (files.py)
TEXT_COLUMNS = (
    "label", "language", "script", "reason", "charset_language", "group", "declared_language", "unrecognised_language",
    "declared_encoding", "content_charset", "content_mime_detected",
)  # fmt: skip
NUMBER_COLUMNS = ("confidence", "reliable", "encoding_confidence", "group_confidence", "tier", "letters", "text_bytes")


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows, and the links of their pages, as Arrow tables."""

    rows: Any
    links: Any


def create_identifier(config: Config) -> Identifier:
    """Return the Identifier of a census. Workers receive settings and create it themselves, because models are not sent."""
    return Identifier(config.priors, config.languages, config.evidence, config.model, config.geo)


def model_checksum(ident: Identifier) -> str:
    """Return the checksum of the model, which is in every row."""
    return bytes(ident.reader.model.memory[CHECKSUM]).hex()


class RowBuilder:
    """Builds rows from captures. Each worker has one, because it holds a model."""

    def __init__(self, config: Config, method: MethodFunction | None = None) -> None:
        self.config, self._method = config, method
        self.ident = create_identifier(config)
        wants_links = config.keep_links or (config.second_pass and method is None)
        self._extra_columns = (
            BASIC_COLUMNS | ({"outlinks"} if wants_links else set()) | (set(PAGE_TEXTS) if config.keep_text else set())
        )

    @cached_property
    def _constants(self) -> dict[str, str]:
        return {
            "model": self.config.method or model_checksum(self.ident),
            "version": __version__,
            "crawl": self.config.crawl,
        }

    def batch(self, captures: Sequence[Capture]) -> Batch:
        """Return a row for each capture, in order."""
        import pyarrow as pa

        readable = [i for i, capture in enumerate(captures) if capture.body is not None and not capture.problem]
        located = [self._locate(capture) for capture in captures]
        countries = [place.country for place in located]
        answers, links = self._identify([captures[i] for i in readable], [countries[i] for i in readable])
        if answers and len(readable) < len(captures):  # rows without an answer are null
            indexes: list[int | None] = [None] * len(captures)
            for index, i in enumerate(readable):
                indexes[i] = index
            spread = pa.RecordBatch.from_arrays(list(answers.values()), list(answers))
            answers = dict(zip(answers, spread.take(pa.array(indexes, pa.int32())).columns, strict=True))
        columns = answers | self._capture_columns(captures, located, set(readable))
        schema = rows_schema()
        arrays = [_cast(columns.get(field.name), field.type, len(captures)) for field in schema]
        return Batch(pa.RecordBatch.from_arrays(arrays, schema=schema), links)

    def _capture_columns(
        self, captures: Sequence[Capture], located: Sequence[Located], readable: set[int]
    ) -> dict[str, Any]:
        """Return the columns that do not depend on the language of a page."""
        import pyarrow as pa

        sites = [_split_host(capture.url) for capture in captures]
        codes = [max(-1, min(capture.fetch_status, MAX_STATUS)) for capture in captures]
        statuses = [
            Status.IDENTIFIED if i in readable else Status.FAILED if capture.problem else _unread_status(capture)
            for i, capture in enumerate(captures)
        ]
        texts = {
            "url": [capture.url for capture in captures],
            "url_host_name": [site[0] for site in sites],
            "url_host_registered_domain": [site[1] for site in sites],
            "url_host_tld": [site[2] for site in sites],
            "content_digest": [capture.digest for capture in captures],
            "content_mime_type": [capture.mime_type for capture in captures],
            "content_truncated": [capture.truncated for capture in captures],
            "warc_filename": [capture.filename for capture in captures],
            "subset": [_subset(capture, code) for capture, code in zip(captures, codes, strict=True)],
            "record_type": [capture.record_type for capture in captures],
            "status": [str(status) for status in statuses],
            "problem": [str(capture.problem) for capture in captures],
            "problem_detail": [capture.detail for capture in captures],
            "ip": [capture.ip for capture in captures],
            "country": [place.country for place in located],
            "ip_network": [place.network for place in located],
            **{name: [value] * len(captures) for name, value in self._constants.items()},
        }
        return {name: text_column(values) for name, values in texts.items()} | {
            "fetch_time": pa.array([capture.fetch_time or None for capture in captures], pa.timestamp("ms", "UTC")),
            "fetch_status": pa.array(codes, pa.int16()),
            "warc_record_offset": pa.array([capture.offset for capture in captures], pa.int64()),
            "warc_record_length": pa.array([capture.length or None for capture in captures], pa.int64()),
        }

    def _locate(self, capture: Capture) -> Located:
        """Return the country of a server, from the input or by its IP address, for a capture of any kind and status."""
        if capture.country:
            return Located(capture.country)
        return self.ident.locate(capture.ip) if capture.ip else Located()

    def _identify(self, captures: Sequence[Capture], countries: Sequence[str]) -> tuple[dict[str, Any], Any]:
        """Return the columns of answers, and the links, of captures that have a body."""
        if not captures:
            return {}, links_schema().empty_table()
        if self._method is not None:
            texts = self._read_texts(captures) if self.config.keep_text else {}
            return method_columns(captures, self._method) | texts, links_schema().empty_table()
        columns = {
            "raw": [capture.body for capture in captures],
            "url": [capture.url or None for capture in captures],
            "headers": [PLAIN_TEXT_HEADERS if capture.is_text else capture.headers for capture in captures],
            "country": [code or None for code in countries],
        }
        has_hints = any(capture.inlinks or capture.host for capture in captures)  # from a page list
        if has_hints:
            columns["inlinks"] = [capture.inlinks or None for capture in captures]
            columns["host"] = [capture.host for capture in captures]
        answers = self.ident.identify_batch(columns, 1, extra=self._extra_columns)
        if has_hints:
            _exclude_from_second_pass(captures, answers)
        _mark_lost_characters(captures, answers)
        return _answer_columns(answers, self.ident), _links_table(captures, answers)

    def _read_texts(self, captures: Sequence[Capture]) -> dict[str, Any]:
        """Return the texts of pages that a published method answers, decoded as the Identifier decodes them."""
        columns = {
            "raw": [capture.body for capture in captures],
            "headers": [PLAIN_TEXT_HEADERS if capture.is_text else capture.headers for capture in captures],
        }
        return page_text_columns(self.ident.identify_batch(columns, 1, extra=set(PAGE_TEXTS)))


def _unread_status(capture: Capture) -> Status:
    return Status.SKIPPED if capture.status is Status.IDENTIFIED else capture.status


def _subset(capture: Capture, code: int) -> str:
    """Return the subset in which Common Crawl would put a capture."""
    if ROBOTS_URL.match(capture.url):
        return "robotstxt"
    return "warc" if code == OK else "crawldiagnostics"


def _cast(column: Any, data_type: Any, count: int) -> Any:
    """Return a column in the type of the schema; nulls for a missing column."""
    import pyarrow as pa

    if column is None:
        return pa.nulls(count, data_type)
    if pa.types.is_dictionary(data_type):
        return column.dictionary_encode()
    return column if column.type == data_type else column.cast(data_type)


@lru_cache(1 << 14)
def _split_host(url: str) -> tuple[str, str, str]:
    """Return host, registered domain and top-level domain of a URL; a numeric address has no domain."""
    host, domain = site_of(url)
    tld = host.rpartition(".")[2]
    return (host, "", "") if not tld or tld.isdigit() or ":" in host or "." not in host else (host, domain, tld)


def _answer_columns(answers: dict[str, Any], ident: Identifier) -> dict[str, Any]:
    """Return the columns of schema.py from those of identify_batch."""
    import pyarrow as pa

    is_answered = [label not in labels.SPECIAL for label in answers["label"]]
    columns = {name: text_column(answers[batch_name(name)]) for name in TEXT_COLUMNS}
    columns |= {name: pa.array(answers[batch_name(name)], pa.bool_()) for name in ("agrees", "encoding_agrees")}
    columns |= {name: pa.array(answers[batch_name(name)]) for name in NUMBER_COLUMNS}
    bits = {source: answers[f"bits_{source}"] for source in BITS}
    for source, values in bits.items():
        columns[f"bits_{source}"] = pa.array(values, mask=_missing_bits(values, is_answered))
    columns["identified_by"] = text_column(_top_sources(bits, is_answered))
    columns["languages"] = languages_column(answers["languages"])
    columns["content_languages"] = text_column([content_languages(pairs) for pairs in answers["languages"]])
    columns["likeliest"] = _likeliest_column(answers["likeliest"], ident)
    columns["reading"] = pa.array(answers["reading"], pa.binary())
    columns["inlinks_used"] = pa.array(answers.get("inlinks_used", [0] * len(is_answered)), pa.int32())
    return columns | page_text_columns(answers)


def _missing_bits(values: Any, is_answered: Sequence[bool]) -> Any:
    import numpy as np

    return np.isnan(values) | ~np.array(is_answered)


def _top_sources(bits: dict[str, Any], is_answered: Sequence[bool]) -> list[str]:
    """Return the source with most bits for each answer; for long clear text no other evidence is collected."""
    hints = [source for source in BITS if source not in ("text", "prior")]
    has_hints = [any(row) for row in zip(*[(bits[source] == bits[source]).tolist() for source in hints], strict=True)]
    sources = []
    for i, answered in enumerate(is_answered):
        if not answered:
            sources.append("")
        elif not has_hints[i]:
            sources.append("text")
        else:
            sources.append(identified_by({source: float(bits[source][i]) for source in BITS}))
    return sources


def languages_column(languages: Sequence[Sequence[tuple[str, float]]]) -> Any:
    """Return the column of the languages of pages with their shares."""
    import pyarrow as pa

    starts = [0]
    for pairs in languages:
        starts.append(starts[-1] + len(pairs))
    all_pairs = [pair for pairs in languages for pair in pairs]
    names = pa.array([label for label, _ in all_pairs], pa.string())
    shares = pa.array([share for _, share in all_pairs], pa.float32())
    structs = pa.StructArray.from_arrays([names, shares], ["label", "share"])
    return pa.ListArray.from_arrays(pa.array(starts, pa.int32()), structs)


def content_languages(pairs: Iterable[tuple[str, float]]) -> str:
    """Return languages in the form of Common Crawl's index: ISO 639-3, the largest share first.

    >>> content_languages([("isl_Latn", 0.8), ("eng_Latn", 0.2)])
    'isl,eng'
    """
    return ",".join(dict.fromkeys(label[:3] for label, _ in pairs))


@cache
def _label_array(names: tuple[str, ...]) -> Any:
    import pyarrow as pa

    return pa.array(names, pa.string())


def _likeliest_column(ragged: Any, ident: Identifier) -> Any:
    import pyarrow as pa

    names = _label_array(tuple(ident.reader.model.labels)).take(pa.array(ragged.labels))
    structs = pa.StructArray.from_arrays([names, pa.array(ragged.values)], ["label", "log_likelihood"])
    return pa.ListArray.from_arrays(pa.array(ragged.starts), structs)


def _exclude_from_second_pass(captures: Sequence[Capture], answers: dict[str, Any]) -> None:
    """Exclude pages whose input has links or host counts: the second pass would replace these by those of this crawl."""
    answers["inlinks_used"] = [len(capture.inlinks) for capture in captures]
    answers["reading"] = [
        None if capture.inlinks or capture.host else reading
        for capture, reading in zip(captures, answers["reading"], strict=True)
    ]


def _mark_lost_characters(captures: Sequence[Capture], answers: dict[str, Any]) -> None:
    """Set the problem of pages without a language whose characters were lost before they were stored."""
    for i, label in enumerate(answers["label"]):
        if label in labels.WITHOUT_TEXT:
            body, text_bytes = captures[i].body or b"", int(answers["text_bytes"][i])
            lost_bytes = sum(len(match[0]) for match in LOST_CHARACTERS.finditer(body)) if text_bytes else 0
            if text_bytes and lost_bytes >= MIN_LOST_SHARE * text_bytes:
                captures[i].problem = Problem.CHARACTERS_LOST


def _links_table(captures: Sequence[Capture], answers: dict[str, Any]) -> Any:
    """Return the links of pages that lead to other hosts or name a language, each with its page."""
    import numpy as np
    import pyarrow as pa

    links = answers.get("outlinks")
    if links is None:
        return links_schema().empty_table()
    texts = [
        pa.Array.from_buffers(pa.string(), len(links.pages), [None, pa.py_buffer(text.starts), pa.py_buffer(text.data)])
        for text in links[1:]
    ]
    indexes = pa.array(links.pages)
    urls = text_column([capture.url for capture in captures])
    page_columns = [urls, pa.array(answers["label"]), pa.array(answers["confidence"])]
    columns = [*texts, *(column.take(indexes) for column in page_columns)]
    table = pa.Table.from_arrays(columns, schema=links_schema())
    is_ok = np.array([capture.fetch_status == OK for capture in captures])
    return table if is_ok.all() else table.filter(pa.array(is_ok[links.pages]))
