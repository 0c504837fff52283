"""The second look: pages that were not clear are judged again with what the whole crawl knows of their hosts and who links to them.

DuckDB gathers that, out of core (settle.sql). ``second_look.judge_again`` decides, with the functions that decided first; this
module only brings the two together and writes the answers into the parts, where each row keeps its first answer beside.
"""

from __future__ import annotations

import glob
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from webtongue import Identifier, Page, files, fuse, labels
from webtongue.census.config import Config
from webtongue.census.rows import content_languages, identifier, shares
from webtongue.census.schema import BITS, links_schema, rows_schema
from webtongue.census.sink import LINKS, ROWS, Manifest, part_name, replacing, writer
from webtongue.census.store import duck, refused
from webtongue.details import UNANSWERED, identified_by
from webtongue.page import inlinks_of
from webtongue.second_look import JudgedAgain, judge_again
from webtongue.verdict import language_agrees

__all__ = ["Settled", "settle"]

FILE = Path(__file__).with_name("settle.sql")
SPILL = ".spill"  # where DuckDB puts what does not fit into memory
MEMORY = "2GB"
FETCHED = 4096  # pages at a time
LIMITS = {"most_languages": 32, "most_of_host": 16, "most_inlinks": 256}  # as page.py and hints/host.py have them
SOURCES = frozenset({"host", "links"})  # that a crawl knows more of than a page


@dataclass(frozen=True, slots=True)
class Settled:
    """Pages that were looked at again, and of these: with another label, with one where they had none, and reliable now."""

    pages: int = 0
    changed: int = 0
    named: int = 0
    reliable: int = 0


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


def settle(out: Path, config: Config, manifest: Manifest) -> Settled:
    """Look at the unclear pages of a census again; parts that were settled before are only counted."""
    if config.evidence is not None and not SOURCES & set(config.evidence):
        return Settled()
    spill = out / SPILL
    try:
        connection = _connected(out, spill)
        ident = identifier(config)
        pages = changed = named = reliable = 0
        seen = set()
        for part, known in groupby(_judged(connection, ident), key=lambda pair: pair[0]):
            fresh = [page for _, page in known]
            seen.add(part)
            if part not in manifest.settled:
                _rewrite(out / ROWS / part_name(part), fresh)
                manifest.was_settled(part)
            pages += len(fresh)
            changed += sum(page.answer.label != page.label for page in fresh)
            named += sum(page.label in UNANSWERED and page.answer.label not in UNANSWERED for page in fresh)
            reliable += sum(page.answer.reliable for page in fresh)
        for part in set(manifest.parts) - seen - manifest.settled:
            manifest.was_settled(part)
        connection.close()
        return Settled(pages, changed, named, reliable)
    except duck().Error as error:
        raise refused(error) from None
    finally:
        shutil.rmtree(spill, ignore_errors=True)


def _connected(out: Path, spill: Path) -> Any:
    """A connection with the views and tables that the last query reads."""
    place = glob.escape(str(out))  # DuckDB takes the name of a folder for a pattern, too
    connection = duck().connect(config={"memory_limit": MEMORY, "temp_directory": str(spill)})
    connection.execute("SET preserve_insertion_order = false")
    rows = connection.read_parquet(f"{place}/{ROWS}/part-*.parquet", filename=True, file_row_number=True)
    number = "CAST(regexp_extract(filename, 'part-([0-9]+)[.]parquet$', 1) AS INTEGER)"
    rows.project(f"* EXCLUDE (filename, file_row_number), {number} AS part, file_row_number AS row").create_view("rows")
    if any((out / LINKS).glob("part-*.parquet")):
        connection.read_parquet(f"{place}/{LINKS}/part-*.parquet").create_view("links")
    else:  # they were let go of after a run that ended here
        connection.register("links", links_schema().empty_table())
    queries = files.queries(FILE)
    for name in ("hosts", "levels", "unclear", "inlinks", "known"):
        used = {key: value for key, value in LIMITS.items() if f"${key}" in queries[name]}
        connection.execute(queries[name], used or None)
    return connection


def _judged(connection: Any, ident: Identifier) -> Iterator[tuple[int, _Known]]:
    """Pages with their second answers, part by part."""
    found = connection.sql(files.queries(FILE)["pages"]).to_arrow_reader(FETCHED)
    for batch in found:
        for page in batch.to_pylist():
            yield page["part"], _look_again(page, ident)


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


def _rewrite(path: Path, known: Sequence[_Known]) -> None:
    """The part with second answers in it, group by group."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    fresh = _columns(known)
    places = [page.row for page in known]
    with (
        pq.ParquetFile(path) as part,
        replacing(path) as unfinished,
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
