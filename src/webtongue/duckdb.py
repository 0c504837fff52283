"""Languages in DuckDB's SQL: ``language(page)`` and ``identify(page)``, a vector of rows at a time through Arrow.

>>> import duckdb
>>> con = register(duckdb.connect())
>>> con.execute("SELECT language(encode('Η βιβλιοθήκη είναι ανοιχτή'))").fetchone()
('el',)
>>> con.close()
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from webtongue import arrow
from webtongue.errors import UsageError

if TYPE_CHECKING:
    from webtongue import Identifier

__all__ = ["register"]

ARGUMENTS = ("raw", "url", "country")
# As SQL has the columns of docs/schema.md: a test holds it to what the batch function answers.
TYPES = {"float": "FLOAT", "bool": "BOOLEAN", "uint8": "UTINYINT"}
LANGUAGES = 'STRUCT("label" VARCHAR, share FLOAT)[]'


def register(
    con: Any, *, identifier: Identifier | None = None, language: str = "language", identify: str = "identify"
) -> Any:
    """Makes two functions known to a connection, and gives it back.

    ``language(page)`` is the BCP 47 tag of a page, ``und`` where none can be said; ``identify(page)`` a struct with all
    columns of an answer. Both take the page's bytes (a BLOB, or text, which is read as UTF-8) and, if known, its URL and the
    country of its server: ``language(page, url, country)``. A page that is NULL or no bytes is answered too, with a reason.

    ``identifier`` holds settings; ``language`` and ``identify`` are the names, so that one connection can have several settings.
    """

    import duckdb

    def answers(columns: tuple[Any, ...]) -> Any:
        if not 1 <= len(columns) <= len(ARGUMENTS):
            raise UsageError(
                f"a page, and perhaps its URL and country: {', '.join(ARGUMENTS)}; not {len(columns)} values"
            )
        return arrow.identify(_table(columns), identifier=identifier)

    def tag(*columns: Any) -> Any:
        return _plain(answers(columns).column("language"))

    def whole(*columns: Any) -> Any:
        import pyarrow as pa

        found = answers(columns)
        return pa.StructArray.from_arrays([_plain(column) for column in found.columns], found.column_names)

    for name, function, kind in ((language, tag, "VARCHAR"), (identify, whole, _struct())):
        with contextlib.suppress(duckdb.Error):  # it is there where a cell of a notebook is run again
            con.remove_function(name)
        try:
            con.create_function(name, function, None, kind, type="arrow", null_handling="special")
        except (duckdb.CatalogException, duckdb.NotImplementedException):
            raise UsageError(
                f"this database has a function {name!r} of another connection: give ours other names with language= and identify="
            ) from None
    return con


def _table(columns: tuple[Any, ...]) -> Any:
    import pyarrow as pa

    return pa.table(list(columns), names=list(ARGUMENTS[: len(columns)]))


def _plain(column: Any) -> Any:
    """One array without a dictionary, which DuckDB does not take inside a struct."""
    import pyarrow as pa

    array = column.combine_chunks()
    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array


def _struct() -> str:
    """The type of an answer in SQL."""
    import pyarrow as pa

    schema = arrow.identify(pa.table({"raw": pa.array([], pa.binary())})).schema
    kinds = {field.name: TYPES.get(str(field.type), "VARCHAR") for field in schema} | {"languages": LANGUAGES}
    fields = ", ".join(f'"{name}" {kind}' for name, kind in kinds.items())
    return f"STRUCT({fields})"
