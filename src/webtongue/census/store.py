"""The relational store of a census: SQL over its Parquet files, with the entities of Cai (2009), figure 3-5.

``store.sql`` has the relations. ``open_store`` makes them in memory, over the files where they lie now, and then closes all
other ways to files and networks. ``make_store`` writes them to ``OUT/census.duckdb`` for notebooks and other programs. The
views of that file hold the folder's path; after the folder was moved, ``open_store`` writes them anew, or a program says
``SET VARIABLE census = 'its new place'``.
"""

from __future__ import annotations

import glob
import json
import os
import secrets
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from webtongue.census.dialect import translated
from webtongue.census.entities import entities
from webtongue.census.schema import links_schema, rows_schema
from webtongue.errors import MissingExtra, UsageError

__all__ = [
    "STORE", "add_rows", "census_folder", "close", "connect", "duck", "is_portal", "make_store", "open_store", "refused",
]  # fmt: skip

STORE = "census.duckdb"
FILE = Path(__file__).with_name("store.sql")
MEMORY = "2500MB"  # for queries; more goes to disk. DuckDB keeps to it but for some hundred MB.
# Against all that reaches out of the folder; the last locks the others.
CLOSED = (
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET allow_community_extensions = false",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)


def duck() -> Any:
    """The package."""
    try:
        import duckdb
    except ImportError:
        raise MissingExtra("duckdb", "census") from None
    return duckdb


def open_store(out: Path, *, write: bool = False, memory: str = MEMORY, spill: str = "") -> Any:
    """A DuckDB connection with the relations of a census; with ``write`` one to ``OUT/census.duckdb``, which is made anew.

    Without, the relations are in memory, nothing of the folder is changed by what is made in it, and no file but those of
    the census can be read. What does not fit into ``memory`` goes to a folder beside the rows, which is gone when the
    connection is closed; at most ``spill`` of it, where that is given ('10GB'), else as much as the disk has.
    """
    out = census_folder(out)
    if write:
        return duck().connect(str(make_store(out)))
    _follow(out)
    connection = connect(out, memory, spill)
    make_relations(connection, out)
    close(connection, out)
    return connection


def make_store(out: Path) -> Path:
    """Write ``OUT/census.duckdb``; an old one is replaced once the new one is there."""
    out = census_folder(out)
    path, unfinished = out / STORE, out / f".{STORE}-{secrets.token_hex(4)}"
    try:
        with duck().connect(str(unfinished)) as connection:
            make_relations(connection, out)
            connection.execute("CREATE TABLE store AS SELECT ? AS place", [str(out)])
            connection.execute("CHECKPOINT")  # by itself DuckDB would do so on closing, and say nothing where it cannot
        unfinished.replace(path)
    except duck().Error as error:
        raise refused(error) from None
    finally:
        for stray in (unfinished, unfinished.with_name(f"{unfinished.name}.wal")):
            stray.unlink(missing_ok=True)
    return path


def connect(out: Path, memory: str = MEMORY, spill: str = "") -> Any:
    """A connection in memory, with a place to put what does not fit."""
    beside = out if os.access(out, os.W_OK) else Path(tempfile.gettempdir())
    connection = duck().connect(config={"python_enable_replacements": False})
    connection.execute(f"SET memory_limit = {quoted(memory)}")
    connection.execute(f"SET temp_directory = {quoted(str(beside / f'.spill-{os.getpid()}-{secrets.token_hex(4)}'))}")
    if spill:
        connection.execute(f"SET max_temp_directory_size = {quoted(spill)}")
    connection.execute("SET preserve_insertion_order = false")
    connection.execute("SET TimeZone = 'UTC'")
    return connection


def close(connection: Any, *censuses: Path) -> None:
    """From here on nothing but the rows and links of these can be read, and no setting be changed."""
    places = {form for out in censuses for form in (str(out), glob.escape(str(out)))}
    allowed = [f"{place}/{part}/" for place in sorted(places) for part in ("rows", "links")]
    connection.execute(f"SET allowed_directories = [{', '.join(map(quoted, allowed))}]")
    for setting in CLOSED:
        connection.execute(setting)


def make_relations(connection: Any, out: Path) -> None:
    """All relations of a census."""
    for name, table in entities().items():
        connection.register("made_of", table)
        connection.execute(f"CREATE TABLE {name} AS SELECT * FROM made_of")
        connection.unregister("made_of")
    add_rows(connection, out)
    found = definitions(out)
    for name in ("pages", "server", "extracted_content", "geo", "country_distribution", "language_distribution"):
        connection.execute(f"CREATE VIEW {name} AS {found[name]}")
    connection.execute(f"CREATE VIEW links AS {found['links']}")


def add_rows(connection: Any, out: Path, suffix: str = "") -> None:
    """The views ``rows`` and ``captures``; a suffix keeps those of two censuses apart."""
    found = definitions(out)
    captures = found["portals" if is_portal(out) else "captures"]
    try:
        connection.execute(f"CREATE VIEW rows{suffix} AS {found['rows']}")
        connection.execute(f"CREATE VIEW captures{suffix} AS {captures.replace('FROM rows', f'FROM rows{suffix}')}")
    except duck().Error as error:
        raise refused(error) from None


def definitions(out: Path) -> dict[str, str]:
    """What each relation is."""
    known = {"rows": rows_schema, "links": links_schema}
    sources = {}
    for name, schema in known.items():
        # A folder that is there and empty, or was never made, has columns too.
        there = any((out / name).glob("part-*.parquet"))
        sources[f"{{{name}}}"] = _files(out, name) if there else _no_rows(schema())
    texts = {}
    for name, text in _sections().items():
        for mark, source in sources.items():
            text = text.replace(mark, source)
        texts[name] = translated(text)
    return texts


def is_portal(out: Path) -> bool:
    """Whether the census counts one home page a server."""
    try:
        config = json.loads((out / "census.json").read_text("utf-8")).get("config")
        return bool(config.get("portal"))
    except (OSError, ValueError, AttributeError):
        return False


def refused(error: Exception) -> UsageError:
    """What DuckDB says, as one sentence."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = lines[0] if lines else type(error).__name__
    if "parquet" in said.lower() and ("magic" in said or "footer" in said or "Invalid" in said):
        return UsageError(f"a part of the census is damaged ({said}): run the census again with --resume")
    if "max_temp_directory_size" in str(error):
        return UsageError("the question needs more disk than it may take: ask for less, or open OUT/census.duckdb")
    return UsageError(said)


def quoted(text: str) -> str:
    """A string of SQL."""
    return "'" + text.replace("'", "''") + "'"


@cache
def _sections() -> dict[str, str]:
    parts = FILE.read_text("utf-8").split("-- name: ")[1:]
    return {name.strip(): text.strip() for name, _, text in (part.partition("\n") for part in parts)}


def census_folder(out: Path) -> Path:
    """The folder of a census, as an absolute path."""
    out = Path(out).resolve()
    if not (out / "rows").is_dir():
        raise UsageError(f"{out} is no census: there is no folder 'rows' in it; webtongue census makes one")
    return out


def _files(out: Path, name: str) -> str:
    """Parts of earlier releases may lack columns: they are matched by name."""
    place = f"coalesce(getvariable('census'), {quoted(glob.escape(str(out)))})"
    return f"read_parquet({place} || '/{name}/part-*.parquet', union_by_name = true, hive_partitioning = false)"


def _no_rows(schema: Any) -> str:
    """Columns of the right types and no rows."""
    import pyarrow as pa

    names: dict[Any, str] = {
        pa.int16(): "SMALLINT", pa.int32(): "INTEGER", pa.int64(): "BIGINT", pa.float32(): "FLOAT", pa.bool_(): "BOOLEAN",
        pa.binary(): "BLOB", pa.timestamp("ms", "UTC"): "TIMESTAMPTZ",
    }  # fmt: skip

    def kind(found: Any) -> str:
        if pa.types.is_list(found):
            return f"{kind(found.value_type)}[]"
        if pa.types.is_struct(found):
            return f"STRUCT({', '.join(f'{part.name} {kind(part.type)}' for part in found)})"
        return names.get(found, "VARCHAR")

    columns = ", ".join(f"CAST(NULL AS {kind(field.type)}) AS {field.name}" for field in schema)
    return f"(SELECT {columns}) WHERE false"


def _follow(out: Path) -> None:
    """Write the store anew if the folder was moved since; where that cannot be, it is left as it is."""
    path = out / STORE
    with suppress(duck().Error, OSError):
        if path.is_file():
            with duck().connect(str(path), read_only=True) as connection:
                place = connection.execute("SELECT place FROM store").fetchone()[0]
            if place != str(out):
                make_store(out)
