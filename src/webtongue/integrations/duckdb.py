"""SQL functions for DuckDB, which work on Arrow batches: for pages, and for texts.

>>> import duckdb
>>> con = register_texts(register(duckdb.connect()))
>>> con.execute("SELECT language(encode('Η βιβλιοθήκη είναι ανοιχτή'))").fetchall()
[('el',)]
>>> con.execute("SELECT text_language('Wie spät ist es in Wien?')").fetchall()
[('de',)]
>>> con.close()
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from webtongue.errors import UsageError
from webtongue.integrations import arrow

if TYPE_CHECKING:
    from webtongue import Identifier

__all__ = ["register", "register_texts"]

ARGUMENTS = ("raw", "url", "country")
# SQL types of the columns of docs/schema.md; a test compares them with the batch function.
SQL_TYPES = {"float": "FLOAT", "bool": "BOOLEAN", "uint8": "UTINYINT"}
LANGUAGES_TYPE = 'STRUCT("label" VARCHAR, share FLOAT)[]'


def register(
    con: Any, *, identifier: Identifier | None = None, language: str = "language", identify: str = "identify"
) -> Any:
    """Register two SQL functions with a connection, and return the connection.

    ``language(page)`` returns the BCP 47 tag of a page, ``und`` if it is unknown; ``identify(page)`` returns a struct with all
    columns of an answer. Both take the page (a BLOB, or text in UTF-8) and, optionally, its URL and the country of its server:
    ``language(page, url, country)``. The answer for NULL has a reason.

    ``identifier`` holds settings; ``language`` and ``identify`` are the names of the functions, so that one connection can have
    functions with different settings.
    """

    def identify_columns(columns: tuple[Any, ...]) -> Any:
        if not 1 <= len(columns) <= len(ARGUMENTS):
            raise UsageError(f"the function takes a page and optionally its URL and country, not {len(columns)} values")
        return arrow.identify(_table(columns), identifier=identifier)

    return _create_functions(con, identify_columns, language, identify)


def register_texts(
    con: Any, *, identifier: Identifier | None = None, language: str = "text_language", identify: str = "identify_text"
) -> Any:
    """Register two SQL functions for decoded text with a connection, and return the connection.

    ``text_language(text)`` and ``identify_text(text)`` answer as ``language`` and ``identify`` do for pages, but do not look for
    markup and declarations.
    """

    def identify_columns(columns: tuple[Any, ...]) -> Any:
        if len(columns) != 1:
            raise UsageError(f"the function takes a text, not {len(columns)} values")
        return arrow.identify_texts(_table(columns), text=ARGUMENTS[0], identifier=identifier)

    return _create_functions(con, identify_columns, language, identify)


def _create_functions(
    con: Any, identify_columns: Callable[[tuple[Any, ...]], Any], language: str, identify: str
) -> Any:
    """Create the function that returns a tag and the one that returns a struct, and return the connection."""
    import duckdb

    def language_tags(*columns: Any) -> Any:
        return _to_array(identify_columns(columns).column("language"))

    def structs(*columns: Any) -> Any:
        import pyarrow as pa

        answers = identify_columns(columns)
        return pa.StructArray.from_arrays([_to_array(column) for column in answers.columns], answers.column_names)

    for name, function, sql_type in ((language, language_tags, "VARCHAR"), (identify, structs, _struct_type())):
        with contextlib.suppress(duckdb.Error):  # it exists if a notebook cell is run again
            con.remove_function(name)
        try:
            con.create_function(name, function, None, sql_type, type="arrow", null_handling="special")
        except (duckdb.CatalogException, duckdb.NotImplementedException):
            raise UsageError(
                f"the database already has a function {name!r} of another connection: "
                "choose other names with language= and identify="
            ) from None
    return con


def _table(columns: tuple[Any, ...]) -> Any:
    import pyarrow as pa

    return pa.table(list(columns), names=list(ARGUMENTS[: len(columns)]))


def _to_array(column: Any) -> Any:
    """Return a column as one array without a dictionary, which DuckDB does not accept inside a struct."""
    import pyarrow as pa

    array = column.combine_chunks()
    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array


def _struct_type() -> str:
    """Return the SQL type of an answer."""
    import pyarrow as pa

    schema = arrow.identify(pa.table({"raw": pa.array([], pa.binary())})).schema
    sql_types = {field.name: SQL_TYPES.get(str(field.type), "VARCHAR") for field in schema} | {
        "languages": LANGUAGES_TYPE
    }
    fields = ", ".join(f'"{name}" {sql_type}' for name, sql_type in sql_types.items())
    return f"STRUCT({fields})"
