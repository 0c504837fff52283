"""What a whole crawl knows of its unclear pages, by DuckDB: the queries of gather.sql, out of core."""

from __future__ import annotations

import glob
import shutil
from pathlib import Path
from typing import Any

from webtongue.census.engines.gather import LIMITS, STEPS, queries
from webtongue.census.schema import links_schema
from webtongue.census.sink import LINKS, PARTS, ROWS
from webtongue.census.store import duck, quoted, refused

__all__ = ["connected", "gather"]

SPILL = ".spill"  # where DuckDB puts what does not fit into memory
MEMORY = "2GB"


def gather(out: Path, known: Path) -> None:
    """Every page that is to be looked at again into ``known``, a folder for each part that has some."""
    spill = out / SPILL
    try:
        connection = connected(out, spill)
        connection.execute(f"COPY (FROM known) TO {quoted(str(known))} (FORMAT parquet, PARTITION_BY (part))")
        connection.close()
    except duck().Error as error:
        raise refused(error) from None
    finally:
        shutil.rmtree(spill, ignore_errors=True)


def connected(out: Path, spill: Path) -> Any:
    """A connection with the tables that gather.sql makes."""
    place = glob.escape(str(out))  # DuckDB takes the name of a folder for a pattern, too
    connection = duck().connect(config={"memory_limit": MEMORY, "temp_directory": str(spill)})
    connection.execute("SET preserve_insertion_order = false")
    rows = connection.read_parquet(f"{place}/{ROWS}/{PARTS}", filename=True, file_row_number=True)
    number = "CAST(regexp_extract(filename, 'part-([0-9]+)[.]parquet$', 1) AS INTEGER)"
    rows.project(f"* EXCLUDE (filename, file_row_number), {number} AS part, file_row_number AS row").create_view("rows")
    if any((out / LINKS).glob(PARTS)):
        connection.read_parquet(f"{place}/{LINKS}/{PARTS}").create_view("links")
    else:  # they were let go of after a run that ended here
        connection.register("links", links_schema().empty_table())
    for name in STEPS:
        query = queries()[name]
        connection.execute(query, {key: value for key, value in LIMITS.items() if f"${key}" in query} or None)
    return connection
