"""From captures to rows: identified in batches, columns by the names of schema.py."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

from webtongue import Identifier, Page, __version__, labels
from webtongue.census.capture import Capture, Problem, Status
from webtongue.census.config import Config
from webtongue.census.schema import BITS, links_schema, rows_schema
from webtongue.details import DETAILS, UNANSWERED, identified_by
from webtongue.links import site_of

__all__ = ["Answerer", "Batch", "Rows", "Said", "content_languages", "identifier", "model_checksum", "shares"]

OK = 200
MOST_STATUS = (1 << 15) - 1  # that the column holds: servers send any number
ALWAYS = frozenset(DETAILS) - {"outlinks", "text"}
PLAIN = {"content-type": "text/plain; charset=utf-8"}
ROBOTS = re.compile(r"^[a-z]+://[^/]+/robots\.txt$", re.IGNORECASE)
# Question marks or replacement characters in a row: what is left of text that was received in a wrong encoding (Cai 2009, 5.1.3).
LOST = re.compile(rb"\?{3,}|(?:\xef\xbf\xbd){2,}")
LOST_SHARE = 0.3  # of the visible text
BY_ENCODING = "encoding"  # the approach of the composite method that believes a declared charset
CHECKSUM = slice(24, 32)  # of a model file: its header's last field (files.py)
# Columns of identify_batch that are named otherwise here.
RENAMED = {
    "look_alikes": "group", "look_alikes_confidence": "group_confidence", "language_declared": "declared_language",
    "language_agrees": "agrees", "language_unrecognised": "unrecognised", "encoding_declared": "declared_encoding",
    "content_charset": "encoding", "content_mime_detected": "media_type",
}  # fmt: skip
WORDS = (
    "label", "language", "script", "reason", "charset_language", "look_alikes", "language_declared", "language_unrecognised",
    "encoding_declared", "content_charset", "content_mime_detected",
)  # fmt: skip
NUMBERS = ("confidence", "reliable", "encoding_confidence", "look_alikes_confidence", "tier", "letters", "text_bytes")


@dataclass(frozen=True, slots=True)
class Said:
    """What a published method says of a page, and by which of its approaches."""

    label: str
    by: str = ""
    reason: str = ""


Answerer = Callable[[Sequence[Page]], Sequence[Said]]


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows, and the links of their pages, as Arrow has them."""

    rows: Any
    links: Any


def identifier(config: Config) -> Identifier:
    """The Identifier of a census, made by whoever needs it: settings travel, models do not."""
    return Identifier(config.priors, config.languages, config.evidence, config.model, config.geo)


def model_checksum(ident: Identifier) -> str:
    """By which a row says what model made it."""
    return bytes(ident.reader.model.memory[CHECKSUM]).hex()


class Rows:
    """Makes rows of captures; one for each worker, since it holds a model."""

    def __init__(self, config: Config, answer: Answerer | None = None) -> None:
        self.config, self._answer = config, answer
        self.ident = identifier(config)
        wants_links = config.keep_links or (config.settle and answer is None)
        self._details = ALWAYS | ({"outlinks"} if wants_links else set()) | ({"text"} if config.keep_text else set())

    @cached_property
    def _stamp(self) -> dict[str, str]:
        return {"model": model_checksum(self.ident), "version": __version__, "crawl": self.config.crawl}

    def batch(self, captures: Sequence[Capture]) -> Batch:
        """One row for each capture, in their order."""
        import pyarrow as pa

        read = [i for i, one in enumerate(captures) if one.body is not None and not one.problem]
        found = self._identified([captures[i] for i in read])
        places: list[int | None] = [None] * len(captures)
        for place, i in enumerate(read):
            places[i] = place
        links = found.pop("", None)
        if found and len(read) < len(captures):  # rows without an answer are null
            some = pa.RecordBatch.from_arrays(list(found.values()), list(found)).take(pa.array(places, pa.int32()))
            found = dict(zip(found, some.columns, strict=True))
        columns = found | self._own(captures, set(read))
        schema = rows_schema()
        arrays = [_of_type(columns.get(field.name), field.type, len(captures)) for field in schema]
        return Batch(pa.RecordBatch.from_arrays(arrays, schema=schema), links or links_schema().empty_table())

    def _own(self, captures: Sequence[Capture], read: set[int]) -> dict[str, Any]:
        """Columns that do not hang on what a page is in."""
        import pyarrow as pa

        sites = [_site(one.url) for one in captures]
        statuses = [max(-1, min(one.fetch_status, MOST_STATUS)) for one in captures]
        status = [
            Status.IDENTIFIED if i in read else Status.FAILED if one.problem else _unread(one)
            for i, one in enumerate(captures)
        ]
        names = {
            "url": [one.url for one in captures],
            "url_host_name": [site[0] for site in sites],
            "url_host_registered_domain": [site[1] for site in sites],
            "url_host_tld": [site[2] for site in sites],
            "content_digest": [one.digest for one in captures],
            "content_mime_type": [one.mime_type for one in captures],
            "content_truncated": [one.truncated for one in captures],
            "warc_filename": [one.filename for one in captures],
            "subset": [_subset(one, code) for one, code in zip(captures, statuses, strict=True)],
            "record_type": [one.record_type for one in captures],
            "status": [str(one) for one in status],
            "problem_detail": [one.detail for one in captures],
            "ip": [one.ip for one in captures],
        }
        out = {name: _names(values) for name, values in names.items()}
        out["country"] = _names(self._countries(captures))
        out["fetch_time"] = pa.array([one.fetch_time or None for one in captures], pa.timestamp("ms", "UTC"))
        out["fetch_status"] = pa.array(statuses, pa.int16())
        out["warc_record_offset"] = pa.array([one.offset for one in captures], pa.int64())
        out["warc_record_length"] = pa.array([one.length or None for one in captures], pa.int64())
        out["problem"] = _names([str(one.problem) for one in captures])
        count = len(captures)
        return out | {name: _names([value] * count) for name, value in self._stamp.items()}

    def _countries(self, captures: Sequence[Capture]) -> list[str]:
        """Where servers are: as the input says, or by their address; of captures of any kind and status."""
        return [one.country or (self.ident.country(one.ip) if one.ip else "") for one in captures]

    def _identified(self, captures: Sequence[Capture]) -> dict[str, Any]:
        """Columns of answers, for captures that have a body; under "" their links."""
        if not captures:
            return {}
        if self._answer is not None:
            return _by_method(captures, self._answer)
        columns = {
            "raw": [one.body for one in captures],
            "url": [one.url or None for one in captures],
            "headers": [PLAIN if one.is_text else one.headers for one in captures],
            "country": [code or None for code in self._countries(captures)],
        }
        found = self.ident.identify_batch(columns, 1, details=self._details)
        _note_lost(captures, found)
        return _answers(found, self.ident) | {"": _links(captures, found)}


def _unread(capture: Capture) -> Status:
    return Status.SKIPPED if capture.status is Status.IDENTIFIED else capture.status


def _subset(capture: Capture, status: int) -> str:
    """As Common Crawl files captures."""
    if ROBOTS.match(capture.url):
        return "robotstxt"
    return "warc" if status == OK else "crawldiagnostics"


def _of_type(column: Any, kind: Any, count: int) -> Any:
    """A column as the schema has it; null where there is none."""
    import pyarrow as pa

    if column is None:
        return pa.nulls(count, kind)
    if pa.types.is_dictionary(kind):
        return column.dictionary_encode()
    return column if column.type == kind else column.cast(kind)


@lru_cache(1 << 14)
def _site(url: str) -> tuple[str, str, str]:
    """Host, registered domain and top level domain of an address; an address in numbers has no domain."""
    host, domain = site_of(url)
    top = host.rpartition(".")[2]
    return (host, "", "") if not top or top.isdigit() or ":" in host or "." not in host else (host, domain, top)


def _names(values: Sequence[str]) -> Any:
    """Text, null where it is empty; what no reader of Parquet would take is replaced."""
    import pyarrow as pa

    try:
        return pa.array([value or None for value in values], pa.string())
    except UnicodeEncodeError:  # lone surrogates
        return pa.array([value.encode("utf-8", "replace").decode() or None for value in values], pa.string())


def _answers(found: dict[str, Any], ident: Identifier) -> dict[str, Any]:
    """Columns of schema.py from those of identify_batch."""
    import pyarrow as pa

    answered = [label not in UNANSWERED for label in found["label"]]
    out = {name: _names(found[RENAMED.get(name, name)]) for name in WORDS}
    out |= {
        name: pa.array(found[RENAMED.get(name, name)], pa.bool_()) for name in ("language_agrees", "encoding_agrees")
    }
    out |= {name: pa.array(found[RENAMED.get(name, name)]) for name in NUMBERS}
    bits = {source: found[f"bits_{source}"] for source in BITS}
    for source, values in bits.items():
        out[f"bits_{source}"] = pa.array(values, mask=_silent(values, answered))
    out["identified_by"] = _names(_identified_by(bits, answered))
    out["languages"] = shares(found["languages"])
    out["content_languages"] = _names([content_languages(held) for held in found["languages"]])
    out["likeliest"] = _likeliest(found["likeliest"], ident)
    out["reading"] = pa.array(found["reading"], pa.binary())
    out["inlinks_used"] = pa.array([0] * len(answered), pa.int32())
    if "text" in found:
        out["text"] = pa.array(found["text"], pa.large_string())
    return out


def _silent(values: Any, answered: Sequence[bool]) -> Any:
    import numpy as np

    return np.isnan(values) | ~np.array(answered)


def _identified_by(bits: dict[str, Any], answered: Sequence[bool]) -> list[str]:
    """The source that did most for each answer; long clear text is its own proof."""
    spoke = [source for source in BITS if source not in ("text", "prior")]
    heard = [any(pair) for pair in zip(*[(bits[source] == bits[source]).tolist() for source in spoke], strict=True)]
    out = []
    for i, is_answered in enumerate(answered):
        if not is_answered:
            out.append("")
        elif not heard[i]:
            out.append("text")
        else:
            out.append(identified_by({source: float(bits[source][i]) for source in BITS}))
    return out


def shares(languages: Sequence[Sequence[tuple[str, float]]]) -> Any:
    """Languages of pages with their shares, as the column has them."""
    import pyarrow as pa

    starts = [0]
    for held in languages:
        starts.append(starts[-1] + len(held))
    every = [pair for held in languages for pair in held]
    pairs = pa.StructArray.from_arrays(
        [pa.array([label for label, _ in every], pa.string()), pa.array([share for _, share in every], pa.float32())],
        ["label", "share"],
    )
    return pa.ListArray.from_arrays(pa.array(starts, pa.int32()), pairs)


def content_languages(held: Iterable[tuple[str, float]]) -> str:
    """As Common Crawl's index has them: ISO 639-3, the largest share first.

    >>> content_languages([("isl_Latn", 0.8), ("eng_Latn", 0.2)])
    'isl,eng'
    """
    return ",".join(dict.fromkeys(label[:3] for label, _ in held))


@cache
def _label_names(names: tuple[str, ...]) -> Any:
    import pyarrow as pa

    return pa.array(names, pa.string())


def _likeliest(ragged: Any, ident: Identifier) -> Any:
    import pyarrow as pa

    names = _label_names(tuple(ident.reader.model.labels)).take(pa.array(ragged.labels))
    pairs = pa.StructArray.from_arrays([names, pa.array(ragged.values)], ["label", "log_likelihood"])
    return pa.ListArray.from_arrays(pa.array(ragged.starts), pairs)


def _note_lost(captures: Sequence[Capture], found: dict[str, Any]) -> None:
    """Pages whose characters were lost on their way: identified as nothing, and the reason is theirs, not ours."""
    for i, label in enumerate(found["label"]):
        if label in ("und", "zxx"):
            body, size = captures[i].body or b"", int(found["text_bytes"][i])
            if size and sum(len(hit[0]) for hit in LOST.finditer(body)) >= LOST_SHARE * size:
                captures[i].problem = Problem.CHARACTERS_LOST


def _links(captures: Sequence[Capture], found: dict[str, Any]) -> Any:
    """Links of pages in a language, to other hosts or with a language; each with its page."""
    import numpy as np
    import pyarrow as pa

    links = found.get("outlinks")
    if links is None:
        return links_schema().empty_table()
    texts = [
        pa.Array.from_buffers(pa.string(), len(links.pages), [None, pa.py_buffer(text.starts), pa.py_buffer(text.data)])
        for text in links[1:]
    ]
    at = pa.array(links.pages)
    page = [_names([one.url for one in captures]), pa.array(found["label"]), pa.array(found["confidence"])]
    table = pa.Table.from_arrays([*texts, *(column.take(at) for column in page)], schema=links_schema())
    good = np.array([one.fetch_status == OK for one in captures])
    return table if good.all() else table.filter(pa.array(good[links.pages]))


def _by_method(captures: Sequence[Capture], answer: Answerer) -> dict[str, Any]:
    """Columns where a published method answers: a label and by what."""
    pages = [
        Page(one.body or b"", one.url or None, PLAIN if one.is_text else one.headers, one.ip or None)
        for one in captures
    ]
    said = answer(pages)
    names = [one.label for one in said]
    parsed = [labels.parse(name) if name not in UNANSWERED else None for name in names]
    return {
        "label": _names(names),
        "language": _names([labels.bcp47(name) for name in names]),
        "script": _names([one.script if one else "" for one in parsed]),
        "reason": _names([one.reason for one in said]),
        "identified_by": _names([one.by for one in said]),
        # What an encoding named by itself, as table 5-2 of Cai (2009) counts it.
        "charset_language": _names([one.label if one.by == BY_ENCODING else "" for one in said]),
    }
