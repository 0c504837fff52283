"""Gather the evidence for the second pass with DuckDB, out of core."""

from __future__ import annotations

import glob
import shutil
from pathlib import Path
from typing import Any

from webtongue.census.engines.gather import LIMITS, STEPS, queries
from webtongue.census.folder import part_files
from webtongue.census.schema import links_schema
from webtongue.census.sink import LINKS, PART_PATTERN, ROWS
from webtongue.census.store import import_duckdb, open_offline, restrict_access, sql_string, write_error

__all__ = ["SPILL_FOLDER", "connect", "gather"]

SPILL_FOLDER = ".spill"  # for data that does not fit into memory
MEMORY = "2GB"


def gather(out: Path, folder: Path) -> None:
    """Write the pages of the second pass to ``folder``, with a folder for each part."""
    spill = out / SPILL_FOLDER
    try:
        connection = connect(out, spill)
        connection.execute(
            f"COPY (FROM evidence) TO {sql_string(str(folder.absolute()))} (FORMAT parquet, PARTITION_BY (part))"
        )
        connection.close()
    except import_duckdb().Error as error:
        raise write_error(error, folder) from None
    finally:
        shutil.rmtree(spill, ignore_errors=True)


def connect(out: Path, spill: Path) -> Any:
    """Return a connection with the tables of gather.sql, which has access to the folder of the census only."""
    out = out.absolute()
    pattern = glob.escape(str(out))  # DuckDB takes paths as patterns
    connection = open_offline()
    for setting, value in (("memory_limit", MEMORY), ("temp_directory", str(spill.absolute()))):
        connection.execute(f"SET {setting} = {sql_string(value)}")
    connection.execute("SET preserve_insertion_order = false")
    restrict_access(connection, [out])
    rows = connection.read_parquet(f"{pattern}/{ROWS}/{PART_PATTERN}", filename=True, file_row_number=True)
    number = "CAST(regexp_extract(filename, 'part-([0-9]+)[.]parquet$', 1) AS INTEGER)"
    rows.project(f"* EXCLUDE (filename, file_row_number), {number} AS part, file_row_number AS row").create_view("rows")
    if part_files(out, LINKS):
        connection.read_parquet(f"{pattern}/{LINKS}/{PART_PATTERN}").create_view("links")
    else:  # an earlier run deleted them
        connection.register("links", links_schema().empty_table())
    for name in STEPS:
        query = queries()[name]
        connection.execute(query, {key: value for key, value in LIMITS.items() if f"${key}" in query} or None)
    return connection
