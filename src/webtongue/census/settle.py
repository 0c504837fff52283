"""The second look: pages that were not clear are judged again with what the whole crawl knows of their hosts and who links to them.

An engine gathers that, by the queries of gather.sql, into a folder with a file for each part. ``second_look.judge_again`` decides,
with the functions that decided first; this module only brings the two together and writes the answers into the parts, where each
row keeps its first answer beside.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from webtongue import Identifier, Page, fuse, labels
from webtongue.census.config import Config
from webtongue.census.engines import Engine
from webtongue.census.manifest import Manifest, Settled
from webtongue.census.rows import content_languages, identifier, shares
from webtongue.census.schema import BITS, rows_schema
from webtongue.census.sink import ROWS, part_name, replacing, writer
from webtongue.details import UNANSWERED, identified_by
from webtongue.page import inlinks_of
from webtongue.second_look import JudgedAgain, judge_again
from webtongue.verdict import language_agrees

__all__ = ["KNOWN", "settle"]

KNOWN = ".known"  # the folder in which an engine leaves what it gathered, below the census
FETCHED = 4096  # pages at a time
SOURCES = frozenset({"host", "links"})  # that a crawl knows more of than a page


def settle(out: Path, config: Config, manifest: Manifest, engine: Engine) -> Settled:
    """Look at the unclear pages of a census again; parts that were settled before are only counted."""
    if config.evidence is not None and not SOURCES & set(config.evidence):
        return Settled()
    left = sorted(set(manifest.parts) - set(manifest.settled))
    known = out / KNOWN
    try:
        if left:
            shutil.rmtree(known, ignore_errors=True)  # of a run that was killed
            engine.gather(out, known)
        for number in left:
            if not pages_of(known, number).is_dir():
                manifest.was_settled(number, Settled())  # nothing more is known of its pages
        there = [number for number in left if number not in manifest.settled]
        for number, found in engine.rewrite(out, there, SecondAnswers(config.placed(), out.absolute())):
            manifest.was_settled(number, found)
    finally:
        shutil.rmtree(known, ignore_errors=True)
    return sum(manifest.settled.values(), Settled())


def pages_of(known: Path, number: int) -> Path:
    """Where pages of a part lie that are looked at again: a folder by the custom of Hive, as DuckDB and Spark write it."""
    return known / f"part={number}"


@dataclass(frozen=True, slots=True)
class SecondAnswers:
    """A part with second answers in it: plain settings, which travel."""

    config: Config
    out: Path

    def __call__(self, number: int, target: Path) -> Settled:
        """Write part ``number`` anew to ``target``."""
        ident = _identifier(self.config)
        known = sorted(
            (_look_again(page, ident) for page in _pages(pages_of(self.out / KNOWN, number))), key=lambda one: one.row
        )
        _rewrite(self.out / ROWS / part_name(number), target, known)
        return Settled(
            len(known),
            sum(page.answer.label != page.label for page in known),
            sum(page.label in UNANSWERED and page.answer.label not in UNANSWERED for page in known),
            sum(page.answer.reliable for page in known),
        )


@lru_cache(maxsize=1)
def _identifier(config: Config) -> Identifier:
    """One for all parts that a process writes."""
    return identifier(config)


def _pages(folder: Path) -> Iterator[Mapping[str, Any]]:
    import pyarrow.parquet as pq

    for path in sorted(folder.glob("*.parquet")):
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(FETCHED):
                yield from batch.to_pylist()


@dataclass(frozen=True, slots=True)
class _Known:
    """A page that is looked at again: its first answer, and what is known of it now."""

    row: int
    label: str
    confidence: float
    reliable: bool
    reason: str
    declared: str
    inlinks: int
    answer: JudgedAgain


def _look_again(page: Mapping[str, Any], ident: Identifier) -> _Known:
    inlinks = inlinks_of(page["inlinks"] or ())
    levels = [_counts(page[name]) for name in ("of_host", "of_domain", "of_top")]
    host = fuse.host_counts(levels[0], levels[1], levels[2], ident.stages.fusion)
    known = Page(b"", page["url"], country=page["country"], inlinks=inlinks, host=host)
    answer = judge_again(page["reading"], known, page["content_charset"] or "", ident.stages)
    return _Known(
        page["row"], page["label"], page["confidence"], page["reliable"], page["reason"] or "",
        page["language_declared"] or "", len(inlinks), answer,
    )  # fmt: skip


def _counts(listed: Sequence[Mapping[str, Any]] | None) -> dict[str, float]:
    return {pair["language"]: float(pair["pages"]) for pair in listed or ()}


def _rewrite(path: Path, target: Path, known: Sequence[_Known]) -> None:
    """The part at ``path`` with second answers in it, group by group."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    fresh = _columns(known)
    places = [page.row for page in known]
    with (
        pq.ParquetFile(path) as part,
        replacing(target) as unfinished,
        writer(unfinished, rows_schema()) as fresh_part,
    ):
        first = 0
        for number in range(part.num_row_groups):
            group = part.read_row_group(number)
            inside = [i for i, place in enumerate(places) if first <= place < first + group.num_rows]
            if inside:
                at = pa.array([places[i] - first for i in inside])
                group = _put(group, at, fresh.take(pa.array(inside)))
            fresh_part.write_table(group, row_group_size=max(group.num_rows, 1))
            first += group.num_rows


def _put(group: Any, at: Any, fresh: Any) -> Any:
    """A table with the rows at some places taken from another, in the columns that this has."""
    import numpy as np
    import pyarrow as pa

    index = np.arange(group.num_rows)
    index[at.to_numpy()] = group.num_rows + np.arange(len(at))
    for column, field in enumerate(rows_schema()):
        if field.name not in fresh.column_names:
            continue
        plain = pa.string() if pa.types.is_dictionary(field.type) else field.type
        both = pa.chunked_array([*group[field.name].cast(plain).chunks, *fresh[field.name].cast(plain).chunks])
        group = group.set_column(column, field, both.take(pa.array(index)).cast(field.type))
    return group


def _columns(known: Sequence[_Known]) -> Any:
    """What changes of a row, and what it said first."""
    import pyarrow as pa

    answers = [page.answer for page in known]
    answered = [answer.label not in UNANSWERED for answer in answers]
    columns: dict[str, Any] = {
        "label": [answer.label for answer in answers],
        "language": [labels.bcp47(answer.label) for answer in answers],
        "script": [answer.script or None for answer in answers],
        "confidence": [answer.confidence for answer in answers],
        "reliable": [answer.reliable for answer in answers],
        "tier": [answer.tier for answer in answers],
        "look_alikes": [answer.group or None for answer in answers],
        "look_alikes_confidence": [answer.group_confidence for answer in answers],
        "content_languages": [content_languages(answer.languages) or None for answer in answers],
        "reason": [_reason(page) or None for page in known],
        "language_agrees": [language_agrees(page.declared, page.answer.label) for page in known],
        "identified_by": [
            identified_by(one.bits) if is_answered else None for one, is_answered in zip(answers, answered, strict=True)
        ],
        "inlinks_used": [page.inlinks for page in known],
        "first_label": [page.label for page in known],
        "first_confidence": [page.confidence for page in known],
        "first_reliable": [page.reliable for page in known],
    }
    for source in BITS:
        columns[f"bits_{source}"] = [
            one.bits.get(source) if is_answered else None for one, is_answered in zip(answers, answered, strict=True)
        ]
    types = {field.name: pa.string() if pa.types.is_dictionary(field.type) else field.type for field in rows_schema()}
    arrays = {name: pa.array(values, types[name]) for name, values in columns.items()}
    return pa.table(arrays | {"languages": shares([answer.languages for answer in answers])})


def _reason(page: _Known) -> str:
    """Why there is no answer; where there was none before either, the page's own bytes said it best."""
    return page.reason if page.answer.label == page.label else page.answer.reason.value
