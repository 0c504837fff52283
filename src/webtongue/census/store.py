"""The relational store of a census: SQL over its Parquet files, with the entities of Cai (2009), figure 3-5.

``store.sql`` defines the relations. ``open_store`` creates them in memory, in a connection that has no access to other files or
to the network. ``write_store`` writes them to ``OUT/census.duckdb`` for notebooks and other programs. This package never opens
that file again: a census may come from someone else, and a view can read any file. The views contain the path of the folder.
After the folder was moved, a program can ``SET VARIABLE census = 'the new path'``, or ``write_store`` can write the file again.
"""

from __future__ import annotations

import glob
import os
import secrets
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from webtongue import labels
from webtongue.census.audit.precision import AUDITED, audited_table
from webtongue.census.dialect import translate
from webtongue.census.entities import entities
from webtongue.census.folder import ESTIMATE, census_folder, is_estimate, part_files, read_about, read_estimate
from webtongue.census.schema import ADDED_COLUMNS, links_schema, rows_schema
from webtongue.census.sink import LINKS, PART_PATTERN, ROWS
from webtongue.errors import MissingExtra, OutputError, UsageError, WebtongueError
from webtongue.files import read_queries

__all__ = [
    "STORE", "VIEWS", "connect", "create_row_views", "import_duckdb", "is_portal", "open_offline", "open_store", "query_error",
    "restrict_access", "sql_string", "write_error", "write_store",
]  # fmt: skip

STORE = "census.duckdb"
FILE = Path(__file__).with_name("store.sql")
ESTIMATED_CUBE = "shares"  # the cube that an estimate has from its sample, in place of the query of the census
VIEWS = (
    "pages", "counts", "server", "extracted_content", "geoip", "geo", "country_distribution", "language_distribution",
)  # fmt: skip
MEMORY = "2500MB"  # for queries; DuckDB may exceed it by some hundred MB
# Settings of every connection: no extension is installed or loaded automatically, and no Python variable is a table.
OFFLINE = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "python_enable_replacements": False,
}


def import_duckdb() -> Any:
    """Return the package ``duckdb``."""
    try:
        import duckdb
    except ImportError:
        raise MissingExtra("duckdb", "census") from None
    return duckdb


def open_store(out: Path, *, write: bool = False, memory: str = MEMORY, max_spill: str = "") -> Any:
    """Return a DuckDB connection with the relations of a census; with ``write``, to ``OUT/census.duckdb``, which is written again.

    Without ``write``, the relations are in memory, the folder does not change, and no file outside of the census can be read. Data
    that does not fit into ``memory`` is written to a folder beside the rows, which is deleted when the connection is closed;
    ``max_spill`` limits its size ('10GB').
    """
    out = census_folder(out)
    if write:
        return import_duckdb().connect(str(write_store(out)))
    connection = connect(out, memory=memory, max_spill=max_spill)
    try:
        create_relations(connection, out)
        _create_temporary(connection, AUDITED, audited_table(out))
        if is_estimate(out):
            _create_temporary(connection, ESTIMATED_CUBE, _estimated_shares(out))
    except BaseException:
        connection.close()
        raise
    return connection


def write_store(out: Path) -> Path:
    """Write ``OUT/census.duckdb``; an old file is replaced when the new one is complete."""
    out = census_folder(out)
    path, unfinished = out / STORE, out / f".{STORE}-{secrets.token_hex(4)}"
    try:
        with open_offline(unfinished) as connection:
            create_relations(connection, out)
            connection.execute("CHECKPOINT")  # the implicit one, on closing, does not report errors
        unfinished.replace(path)
    except import_duckdb().Error as error:
        raise write_error(error, path) from None
    finally:
        for temporary in (unfinished, unfinished.with_name(f"{unfinished.name}.wal")):
            with suppress(OSError):
                temporary.unlink()
    return path


def open_offline(path: Path | None = None) -> Any:
    """Return a connection to a database of our own, or to one in memory, that installs and loads no extension automatically."""
    return import_duckdb().connect(":memory:" if path is None else str(path), config=dict(OFFLINE))


def connect(*censuses: Path, memory: str = MEMORY, max_spill: str = "") -> Any:
    """Return a connection in memory that can read the parts of these censuses, and no other file.

    Data that does not fit into ``memory`` is written to a folder in the first census, or to the system's temporary folder if the
    census cannot be written to.
    """
    connection = open_offline()
    parent = censuses[0] if os.access(censuses[0], os.W_OK) else Path(tempfile.gettempdir())
    spill_folder = parent / f".spill-{os.getpid()}-{secrets.token_hex(4)}"
    connection.execute(f"SET memory_limit = {sql_string(memory)}")
    connection.execute(f"SET temp_directory = {sql_string(str(spill_folder))}")
    if max_spill:
        connection.execute(f"SET max_temp_directory_size = {sql_string(max_spill)}")
    connection.execute("SET preserve_insertion_order = false")
    connection.execute("SET TimeZone = 'UTC'")
    restrict_access(connection, [out / part for out in censuses for part in (ROWS, LINKS)])
    return connection


def restrict_access(connection: Any, folders: Sequence[Path], files: Sequence[Path] = ()) -> None:
    """Restrict a connection to these folders and files, and lock its settings."""
    # DuckDB compares paths as they are written, and a pattern is written with escapes.
    paths = sorted({f"{form}/" for folder in folders for form in (str(folder), glob.escape(str(folder)))})
    for setting, allowed in (("allowed_directories", paths), ("allowed_paths", list(map(str, files)))):
        connection.execute(f"SET {setting} = [{', '.join(map(sql_string, allowed))}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def create_relations(connection: Any, out: Path) -> None:
    """Create all relations of a census."""
    for name, table in entities().items():
        connection.register("entity", table)
        connection.execute(f"CREATE TABLE {name} AS SELECT * FROM entity")
        connection.unregister("entity")
    create_row_views(connection, out)
    definitions = _view_definitions(out)
    for name in (*VIEWS, "links"):
        connection.execute(f"CREATE VIEW {name} AS {definitions[name]}")


def _create_temporary(connection: Any, name: str, table: Any) -> None:
    connection.register("entity", table)
    connection.execute(f"CREATE TEMP TABLE {name} AS SELECT * FROM entity")
    connection.unregister("entity")


def _estimated_shares(out: Path) -> Any:
    """Return the cube of shares of an estimate, whose intervals are those of its sample (docs/estimate.md).

    It also has labels of which no page was fetched, but pages are predicted in the index.
    """
    import pyarrow as pa

    types = {"label": pa.string(), "pages": pa.int64(), "fetched": pa.int64()}
    names = ("label", "pages", "fetched", "share", "effective", "low", "high")
    try:
        rows = [row for row in read_estimate(out)["labels"] if row["pages"] > 0]
        table = pa.table({name: pa.array([row[name] for row in rows], types.get(name, pa.float64())) for name in names})
    except (KeyError, TypeError, ValueError, pa.ArrowException):
        raise UsageError(f"{out / ESTIMATE} is damaged: run the estimate again") from None
    return table.rename_columns(["hosts" if name == "fetched" else name for name in names])


def _estimated_counts(out: Path, counts: str) -> str:
    """Return the view ``counts`` of an estimate: with the pages and labels of which no page was fetched."""
    shares = [row for row in _estimated_shares(out).to_pylist() if row["label"] not in labels.SPECIAL]
    pages = sum(row["pages"] for row in shares if not row["hosts"])
    more = ", ".join(f"{name} + {pages} AS {name}" for name in ("captures", "identified", "pages", "unreliable_pages"))
    languages = len({row["label"].partition("_")[0] for row in shares})
    return f"SELECT * REPLACE ({more}, {len(shares)} AS labels, {languages} AS languages) FROM ({counts})"


def create_row_views(connection: Any, out: Path, suffix: str = "") -> None:
    """Create the views ``rows`` and ``captures``; with a suffix, which tells those of two censuses apart, also ``counts``."""
    definitions = _view_definitions(out)
    captures = definitions["estimated" if is_estimate(out) else "portals" if is_portal(out) else "captures"]
    try:
        connection.execute(f"CREATE VIEW rows{suffix} AS {definitions['rows']}")
        connection.execute(f"CREATE VIEW captures{suffix} AS {captures.replace('FROM rows', f'FROM rows{suffix}')}")
        if suffix:
            counts = definitions["counts"].replace("FROM captures", f"FROM captures{suffix}")
            connection.execute(f"CREATE VIEW counts{suffix} AS {counts}")
    except import_duckdb().Error as error:
        raise query_error(error) from None


def _view_definitions(out: Path) -> dict[str, str]:
    """Return the queries of store.sql by name, over the files of a census; a folder without parts is an empty table."""
    definitions = read_queries(FILE)
    for name, schema in ((ROWS, rows_schema()), (LINKS, links_schema())):
        parts = part_files(out, name)
        source = _read_parts(out, name) if parts else _empty_table(schema)
        if parts and (missing := _missing_columns(parts, schema)):  # a census of an earlier release
            source = f"(SELECT *, {', '.join(missing)} FROM {source})"
        definitions = {view: query.replace(f"{{{name}}}", source) for view, query in definitions.items()}
    definitions = {view: translate(query) for view, query in definitions.items()}
    if is_estimate(out):
        definitions["counts"] = _estimated_counts(out, definitions["counts"])
    return definitions


def is_portal(out: Path) -> bool:
    """Return True if the census counts one home page per server."""
    try:
        config = read_about(out).get("config")
    except ValueError:
        return False
    return isinstance(config, dict) and bool(config.get("portal"))


def query_error(error: Exception) -> UsageError:
    """Return an error of DuckDB as one sentence."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    message = lines[0] if lines else type(error).__name__
    if "parquet" in message.lower() and ("magic" in message or "footer" in message or "Invalid" in message):
        return UsageError(f"a part of the census is damaged ({message}): run the census again with --resume")
    if "max_temp_directory_size" in str(error):
        return UsageError("the query needs more disk space than allowed: select less, or open OUT/census.duckdb")
    return UsageError(message)


def write_error(error: Exception, path: Path) -> WebtongueError:
    """Return an error of DuckDB at writing a file as one sentence."""
    sentence = query_error(error)
    is_disk_error = isinstance(error, import_duckdb().IOException | import_duckdb().TransactionException)
    return OutputError(f"{path}: {sentence}") if is_disk_error else sentence


def sql_string(text: str) -> str:
    """Return a string literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def _read_parts(out: Path, name: str) -> str:
    """Return the table function that reads the parts; columns are matched by name, because old parts may lack some."""
    folder = f"coalesce(getvariable('census'), {sql_string(glob.escape(str(out)))})"
    return f"read_parquet({folder} || '/{name}/{PART_PATTERN}', union_by_name = true, hive_partitioning = false)"


def _missing_columns(parts: Sequence[Path], schema: Any) -> list[str]:
    """Return the columns of later versions that no part has, each as a null of its type."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    names: set[str] = set()
    for part in parts:
        with suppress(OSError, pa.ArrowException):  # the first query reports a damaged part
            names |= set(pq.read_schema(part).names)
    return [_null_column(field) for field in schema if names and field.name in ADDED_COLUMNS - names]


def _empty_table(schema: Any) -> str:
    """Return a subquery with the columns of a schema and no rows."""
    return f"(SELECT {', '.join(map(_null_column, schema))}) WHERE false"


def _null_column(field: Any) -> str:
    """Return a null with the name and the type of a field."""
    import pyarrow as pa

    sql_types: dict[Any, str] = {
        pa.int16(): "SMALLINT", pa.int32(): "INTEGER", pa.int64(): "BIGINT", pa.float32(): "FLOAT", pa.bool_(): "BOOLEAN",
        pa.binary(): "BLOB", pa.timestamp("ms", "UTC"): "TIMESTAMPTZ",
    }  # fmt: skip

    def sql_type(arrow_type: Any) -> str:
        if pa.types.is_list(arrow_type):
            return f"{sql_type(arrow_type.value_type)}[]"
        if pa.types.is_struct(arrow_type):
            return f"STRUCT({', '.join(f'{part.name} {sql_type(part.type)}' for part in arrow_type)})"
        return sql_types.get(arrow_type, "VARCHAR")

    return f'CAST(NULL AS {sql_type(field.type)}) AS "{field.name}"'
