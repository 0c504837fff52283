"""The second pass: unclear pages are identified again, with the links, hosts and domains of the whole crawl as evidence.

An engine gathers the evidence, by the queries of gather.sql, into a folder with files for each part. ``Identifier.second_pass``
decides, with the same functions as the first time. This module connects the two, and writes the new answers into the parts; each
row keeps its first answer too.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from webtongue import Identifier, Page, labels
from webtongue.census.config import Config
from webtongue.census.engines import Engine
from webtongue.census.manifest import Manifest, SecondPassCounts
from webtongue.census.rows import content_languages, create_identifier, languages_column
from webtongue.census.schema import BITS, rows_schema
from webtongue.census.sink import ROWS, atomic_write, parquet_writer, part_filename
from webtongue.evidence.combine import host_counts
from webtongue.extra_columns import identified_by
from webtongue.page import parse_inlinks
from webtongue.verdict import Verdict, language_agrees

__all__ = ["EVIDENCE_FOLDER", "run_second_pass"]

EVIDENCE_FOLDER = ".evidence"  # below the census: unclear pages with the evidence that an engine gathered
BATCH_PAGES = 4096
SOURCES = frozenset({"host", "links"})  # evidence that the whole crawl adds to


def run_second_pass(out: Path, config: Config, manifest: Manifest, engine: Engine) -> SecondPassCounts:
    """Identify the unclear pages of a census again; return the counts, including parts that were done in an earlier run."""
    if config.evidence is not None and not SOURCES & set(config.evidence):
        return SecondPassCounts()
    numbers = sorted(set(manifest.parts) - set(manifest.second_pass))
    folder = out / EVIDENCE_FOLDER
    try:
        if numbers:
            shutil.rmtree(folder, ignore_errors=True)  # a run that was killed left it
            engine.gather(out, folder)
        for number in numbers:
            if not pages_folder(folder, number).is_dir():
                manifest.add_second_pass(number, SecondPassCounts())  # there is no new evidence for its pages
        remaining = [number for number in numbers if number not in manifest.second_pass]
        rewrite_part = RewritePart(config.with_absolute_paths(), out.absolute())
        for number, counts in engine.rewrite(out, remaining, rewrite_part):
            manifest.add_second_pass(number, counts)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return sum(manifest.second_pass.values(), SecondPassCounts())


def pages_folder(folder: Path, number: int) -> Path:
    """Return the folder of a part's unclear pages, named like a Hive partition, as DuckDB and Spark write it."""
    return folder / f"part={number}"


@dataclass(frozen=True, slots=True)
class RewritePart:
    """A function that writes a part with new answers; it can be sent to executors."""

    config: Config
    out: Path

    def __call__(self, number: int, target: Path) -> SecondPassCounts:
        """Write part ``number`` to ``target``; return the counts."""
        ident = _cached_identifier(self.config)
        rows = _read_pages(pages_folder(self.out / EVIDENCE_FOLDER, number))
        pages = sorted((_identify_again(row, ident) for row in rows), key=lambda page: page.row)
        _rewrite(self.out / ROWS / part_filename(number), target, pages)
        return SecondPassCounts(
            len(pages),
            sum(page.verdict.label != page.first_label for page in pages),
            sum(page.first_label in labels.SPECIAL and page.verdict.label not in labels.SPECIAL for page in pages),
            sum(page.verdict.reliable for page in pages),
        )


@lru_cache(maxsize=1)
def _cached_identifier(config: Config) -> Identifier:
    """Return one Identifier for all parts that a process writes."""
    return create_identifier(config)


def _read_pages(folder: Path) -> Iterator[Mapping[str, Any]]:
    import pyarrow.parquet as pq

    for path in sorted(folder.glob("*.parquet")):
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(BATCH_PAGES):
                yield from batch.to_pylist()


@dataclass(frozen=True, slots=True)
class _Page:
    """A page with its first and its second answer."""

    row: int
    first_label: str
    first_confidence: float
    first_reliable: bool
    first_reason: str
    declared_language: str
    inlinks: int
    verdict: Verdict
    languages: tuple[tuple[str, float], ...]
    bits: Mapping[str, float]


def _identify_again(row: Mapping[str, Any], ident: Identifier) -> _Page:
    inlinks = parse_inlinks(row["inlinks"] or ())
    levels = [_parse_counts(row[name]) for name in ("host_languages", "domain_languages", "tld_languages")]
    host = host_counts(levels[0], levels[1], levels[2], ident.models.evidence)
    page = Page(b"", row["url"], country=row["country"], inlinks=inlinks, host=host)
    analysis = ident.second_pass(row["reading"], page, row["content_charset"] or "")
    return _Page(
        row["row"], row["label"], row["confidence"], row["reliable"], row["reason"] or "",
        row["declared_language"] or "", len(inlinks), analysis.verdict, analysis.languages, analysis.bits,
    )  # fmt: skip


def _parse_counts(pairs: Sequence[Mapping[str, Any]] | None) -> dict[str, float]:
    return {pair["language"]: float(pair["pages"]) for pair in pairs or ()}


def _rewrite(path: Path, target: Path, pages: Sequence[_Page]) -> None:
    """Copy the part at ``path`` to ``target`` with the new answers, one row group after the other."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    new_rows = _columns(pages)
    positions = [page.row for page in pages]
    with (
        pq.ParquetFile(path) as part,
        atomic_write(target) as unfinished,
        parquet_writer(unfinished, rows_schema()) as new_part,
    ):
        start = 0
        for number in range(part.num_row_groups):
            group = part.read_row_group(number)
            inside = [i for i, position in enumerate(positions) if start <= position < start + group.num_rows]
            if inside:
                indexes = pa.array([positions[i] - start for i in inside])
                group = _replace_rows(group, indexes, new_rows.take(pa.array(inside)))
            new_part.write_table(group, row_group_size=max(group.num_rows, 1))
            start += group.num_rows


def _replace_rows(group: Any, indexes: Any, new_rows: Any) -> Any:
    """Return a table with some rows replaced, in the columns that the new rows have."""
    import numpy as np
    import pyarrow as pa

    order = np.arange(group.num_rows)
    order[indexes.to_numpy()] = group.num_rows + np.arange(len(indexes))
    for column, field in enumerate(rows_schema()):
        if field.name not in new_rows.column_names:
            continue
        plain = pa.string() if pa.types.is_dictionary(field.type) else field.type
        both = pa.chunked_array([*group[field.name].cast(plain).chunks, *new_rows[field.name].cast(plain).chunks])
        group = group.set_column(column, field, both.take(pa.array(order)).cast(field.type))
    return group


def _columns(pages: Sequence[_Page]) -> Any:
    """Return the columns that the second pass changes, and the first answers."""
    import pyarrow as pa

    verdicts = [page.verdict for page in pages]
    bits = [page.bits if page.verdict.label not in labels.SPECIAL else None for page in pages]
    columns: dict[str, Any] = {
        "label": [verdict.label for verdict in verdicts],
        "language": [labels.bcp47(verdict.label) for verdict in verdicts],
        "script": [verdict.script or None for verdict in verdicts],
        "confidence": [verdict.confidence for verdict in verdicts],
        "reliable": [verdict.reliable for verdict in verdicts],
        "tier": [verdict.tier for verdict in verdicts],
        "group": [verdict.group or None for verdict in verdicts],
        "group_confidence": [verdict.group_confidence for verdict in verdicts],
        "content_languages": [content_languages(page.languages) or None for page in pages],
        "reason": [_reason(page) or None for page in pages],
        "agrees": [language_agrees(page.declared_language, page.verdict.label) for page in pages],
        "identified_by": [None if page_bits is None else identified_by(page_bits) for page_bits in bits],
        "inlinks_used": [page.inlinks for page in pages],
        "first_label": [page.first_label for page in pages],
        "first_confidence": [page.first_confidence for page in pages],
        "first_reliable": [page.first_reliable for page in pages],
    }
    for source in BITS:
        columns[f"bits_{source}"] = [None if page_bits is None else page_bits.get(source) for page_bits in bits]
    types = {field.name: pa.string() if pa.types.is_dictionary(field.type) else field.type for field in rows_schema()}
    arrays = {name: pa.array(values, types[name]) for name, values in columns.items()}
    return pa.table(arrays | {"languages": languages_column([page.languages for page in pages])})


def _reason(page: _Page) -> str:
    """Return why there is no language; if the label is unchanged, the first reason, which was found in the page's bytes."""
    return page.first_reason if page.verdict.label == page.first_label else page.verdict.reason.value
