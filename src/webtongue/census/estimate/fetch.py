"""Phase 2: fetch the sampled records by range reads, identify them, and write their rows; then add weights to the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from webtongue.census.capture import Capture, Problem
from webtongue.census.config import Config
from webtongue.census.estimate.frame import Record
from webtongue.census.estimate.nonresponse import Nonresponse
from webtongue.census.estimate.strata import Design
from webtongue.census.read.position import read_record
from webtongue.census.rows import RowBuilder
from webtongue.census.schema import rows_schema
from webtongue.census.sink import ROWS, atomic_write, parquet_writer, part_filename

__all__ = ["NO_PAGE", "UNREACHABLE", "add_weights", "integer_weights", "write_rows"]

NO_PAGE = ""  # the answer for a fetched record that is not a page
UNREACHABLE = None  # the answer for a record that could not be fetched: it may be a page or not
BATCH_RECORDS = 128

OnRows = Callable[[int], None]


def write_rows(
    records: Sequence[Record],
    path: Path,
    config: Config,
    requests: int,
    *,
    is_trusted: bool = False,
    on_rows: OnRows | None = None,
) -> list[str | None]:
    """Fetch and identify the records, write a row for each to a Parquet file, and return their answers.

    ``is_trusted`` is that of ``read_record``. Raise WorkerError if too many records are unreachable.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    builder = RowBuilder(config)
    answers: list[str | None] = []
    nonresponse = Nonresponse(len(records))
    with parquet_writer(path, rows_schema()) as file:
        for captures in _fetch(records, config, requests, is_trusted):
            reasons = [capture.detail if capture.problem is Problem.UNREADABLE else None for capture in captures]
            for reason in reasons:
                nonresponse.count(records[nonresponse.done], reason)
            nonresponse.check()
            rows = builder.batch(captures).rows
            is_page = pc.and_(pc.equal(rows.column("status"), "identified"), pc.equal(rows.column("fetch_status"), 200))
            labels = pc.if_else(is_page, rows.column("label").cast(pa.string()), NO_PAGE)
            answers += [
                (label or NO_PAGE) if reason is None else UNREACHABLE
                for label, reason in zip(labels.to_pylist(), reasons, strict=True)
            ]
            file.write_batch(rows)
            if on_rows is not None:
                on_rows(len(captures))
    return answers


def add_weights(rows: Path, records: Sequence[Record], weights: Any, design: Design, out: Path) -> None:
    """Write the rows of a census with three more columns: the weight, the weight by design, and the number of the stratum."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    strata = np.array([record.stratum for record in records], np.int32)
    columns = {"weight": weights, "design_weight": design.weights[strata], "stratum": strata}
    fields = [pa.field(name, pa.array(values).type) for name, values in columns.items()]
    schema = pa.schema([*rows_schema(), *fields], metadata=rows_schema().metadata)
    begin = 0
    with (
        pq.ParquetFile(rows) as source,
        atomic_write(out / ROWS / part_filename(0)) as path,
        parquet_writer(path, schema) as target,
    ):
        for batch in source.iter_batches(BATCH_RECORDS * 8):
            end = begin + batch.num_rows
            added = [pa.array(values[begin:end]) for values in columns.values()]
            table = pa.Table.from_arrays([*batch.columns, *added], names=schema.names)
            target.write_table(table.cast(schema))
            begin = end


def _fetch(records: Sequence[Record], config: Config, requests: int, is_trusted: bool) -> Iterator[list[Capture]]:
    """Yield captures in batches, in the order of the records; several requests are made at a time."""
    with ThreadPoolExecutor(requests) as pool:
        for begin in range(0, len(records), BATCH_RECORDS):
            yield list(
                pool.map(lambda record: _read(record, config, is_trusted), records[begin : begin + BATCH_RECORDS])
            )


def _read(record: Record, config: Config, is_trusted: bool) -> Capture:
    capture = read_record(record.filename, record.offset, record.length, config, is_trusted=is_trusted)
    return replace(capture, filename=record.filename, offset=record.offset, length=record.length)


def integer_weights(answers: Any, totals: Any, design_weights: Any) -> Any:
    """Return the number of pages that each record stands for: those of an answer sum to its estimate, in proportion to the design.

    >>> integer_weights(np.array([0, 1, 0]), np.array([10.2, 5.0]), np.array([2.0, 4.0, 6.0]))
    array([3, 5, 7])
    """
    weights = np.ones(len(answers), np.int64)
    for answer, total in enumerate(totals):
        rows = np.flatnonzero(answers == answer)
        if len(rows):
            shares = np.cumsum(design_weights[rows]) / design_weights[rows].sum()
            rest = max(round(float(total)) - len(rows), 0)
            weights[rows] += np.diff(np.floor(rest * shares + 0.5).astype(np.int64), prepend=0)
    return weights
