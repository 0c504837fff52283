"""Predict a language for every address, form strata, and draw the records to fetch, on DuckDB and out of core."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from webtongue.census.estimate.addresses import Addresses
from webtongue.census.estimate.draw import draw_hosts
from webtongue.census.estimate.strata import NO_LABEL, Cell, Design, used_label
from webtongue.census.store import MEMORY, open_offline, sql_string
from webtongue.files import read_queries

__all__ = ["Record", "draw_records", "open_frame", "read_cells"]

FILE = Path(__file__).with_name("predict.sql")
# The numbers of the rules; docs/estimate.md describes them.
RULES = {"declared_probability": 0.93, "sure_url": 0.8, "sure_host": 0.6, "weak_host": 0.35, "large_host": 5}
PLACEHOLDER = re.compile(r"\$(\w+)")


@dataclass(frozen=True, slots=True)
class Record:
    """A record to fetch: its position, its stratum and host, and the used prediction."""

    stratum: int
    host: int  # number of the host, which differs from those of its neighbours
    host_pages: int  # pages of the host in the stratum
    model: str  # the used prediction, empty for none
    filename: str
    offset: int
    length: int


@contextmanager
def open_frame(addresses: Addresses) -> Iterator[Any]:
    """Return a connection with the predictions of all addresses; data that does not fit into memory is beside the addresses."""
    connection = open_offline(addresses.path.with_name("frame.duckdb"))
    try:
        connection.execute(f"SET memory_limit = {sql_string(MEMORY)}")
        connection.execute(f"SET temp_directory = {sql_string(str(addresses.path.with_name('spill')))}")
        connection.execute(f"CREATE VIEW addresses AS SELECT * FROM read_parquet({sql_string(str(addresses.path))})")
        connection.execute(f"CREATE TABLE hosts AS {_query('hosts')}")
        connection.execute(f"CREATE TABLE predictions AS {_query('predictions')}")
        yield connection
    finally:
        connection.close()


def _query(name: str, **values: Any) -> str:
    return PLACEHOLDER.sub(lambda match: str({**RULES, **values}[match[1]]), read_queries(FILE)[name])


def read_cells(connection: Any, addresses: Addresses) -> list[Cell]:
    """Return the cells of an index: addresses with the same prediction, class, kind of domain and size of host."""
    names = [*addresses.labels, NO_LABEL]  # the last entry is that of -1
    rows = connection.execute(_query("cells")).fetchall()
    return [Cell(names[label], class_, national, large, pages, p) for label, class_, national, large, pages, p in rows]


def draw_records(connection: Any, addresses: Addresses, design: Design, seed: int) -> list[Record]:
    """Return the records to fetch, sorted by stratum, in the order of the draw."""
    import pyarrow as pa

    rng = np.random.default_rng(seed)
    numbers = {label: number for number, label in enumerate(addresses.labels)} | {NO_LABEL: -1}
    keys = [(numbers[cell.label], cell.class_number, cell.is_national, cell.is_large) for cell in design.cells]
    columns: Any = list(zip(*keys, strict=True))
    cells = pa.table(
        dict(zip(("label", "class", "national", "large"), columns, strict=True)) | {"stratum": design.stratum}
    )
    _create(connection, "cells", cells)
    connection.execute(f"CREATE TABLE stratum_hosts AS {_query('stratum_hosts')}")
    drawn: dict[str, list[Any]] = {"place": [], "stratum": [], "host": [], "pages": [], "fetches": []}
    for stratum, fetches in enumerate(design.fetches.tolist()):
        found = connection.execute(
            "SELECT host, pages FROM stratum_hosts WHERE stratum = ? ORDER BY host", [stratum]
        ).fetchnumpy()
        chosen = draw_hosts(found["pages"].astype(np.int64), fetches, rng)
        starts = np.flatnonzero(np.diff(chosen, prepend=-1))
        drawn["place"] += range(len(drawn["place"]), len(drawn["place"]) + len(starts))
        drawn["stratum"] += [stratum] * len(starts)
        drawn["host"] += found["host"][chosen[starts]].tolist()
        drawn["pages"] += found["pages"][chosen[starts]].tolist()
        drawn["fetches"] += np.diff(starts, append=fetches).tolist()
    _create(connection, "drawn", pa.table(drawn | {"host": pa.array(drawn["host"], pa.uint64())}))
    labels = [*addresses.labels, NO_LABEL]
    rows = connection.execute(_query("records", seed=seed)).fetchall()
    return [
        Record(stratum, place, pages, used_label(labels[label], class_), addresses.filenames[file], offset, length)
        for place, stratum, pages, label, class_, file, offset, length in rows
    ]


def _create(connection: Any, name: str, table: Any) -> None:
    connection.register("arrow", table)
    connection.execute(f"CREATE OR REPLACE TABLE {name} AS SELECT * FROM arrow")
    connection.unregister("arrow")
