"""Identify the pages or the texts of an Arrow table. The adapters for pandas, Polars, DuckDB and Ray use this one.

>>> import pyarrow as pa
>>> pages = pa.table({"id": [1, 2], "body": ["<p>Η βιβλιοθήκη είναι ανοιχτή".encode(), None]})
>>> identify(pages, raw="body", keep=["id"]).select(["id", "language", "reason"]).to_pylist()
[{'id': 1, 'language': 'el', 'reason': ''}, {'id': 2, 'language': 'und', 'reason': 'missing'}]
>>> texts = pa.table({"text": ["Wie spät ist es in Wien?", None]})
>>> identify_texts(texts).column("language").to_pylist()
['de', 'und']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import webtongue
from webtongue.errors import MissingExtra, UsageError
from webtongue.schema import COLUMN_NAMES, INPUTS, arrow_schema

if TYPE_CHECKING:
    from webtongue import Identifier

__all__ = ["identify", "identify_texts"]

BATCH_ROWS = 4096  # rows identified at a time, which bounds memory


def identify(
    table: Any,
    *,
    identifier: Identifier | None = None,
    keep: Sequence[str] = (),
    prefix: str = "",
    threads: int | None = None,
    **names: str,
) -> Any:
    """Return an Arrow table of answers, with a row for each input row and the columns of docs/schema.md.

    ``table`` is an Arrow table, batch or reader, a data frame of pandas or Polars, or another object with ``__arrow_c_stream__``.
    Its columns have the names that ``identify_batch`` uses: ``raw`` and, optionally, ``url``, ``headers``, ``ip``, ``country``,
    ``inlinks``, ``host``; ``raw="content"`` names another column. Text is read as UTF-8. The answer for a missing page, or for a
    value that is not bytes, has a reason.

    ``identifier`` holds settings, ``keep`` names columns to copy before the answers, ``prefix`` is put before the names of answers.
    """
    data = _to_columns(table, "identify")
    columns = {name: _read_column(data, column) for name, column in _match_columns(list(data.columns), names).items()}
    answers = [
        _identify({name: column[begin : begin + BATCH_ROWS] for name, column in columns.items()}, identifier, threads)
        for begin in range(0, max(len(columns["raw"]), 1), BATCH_ROWS)
    ]
    return _join(data, keep, prefix, answers)


def identify_texts(
    table: Any,
    *,
    text: str = "text",
    identifier: Identifier | None = None,
    keep: Sequence[str] = (),
    prefix: str = "",
    threads: int | None = None,
) -> Any:
    """Return an Arrow table of answers for a column of decoded text, such as sentences: markup in it is not read as markup.

    ``text`` names the column; the other arguments and the answers are those of :func:`identify`. The answer for a missing text, or
    for a value that is not text, has a reason.
    """
    data = _to_columns(table, "identify_texts")
    column = _read_column(data, _check_column(list(data.columns), "text", text))
    answers = [
        _identify_texts(_to_values(column[begin : begin + BATCH_ROWS]), identifier, threads)
        for begin in range(0, max(len(column), 1), BATCH_ROWS)
    ]
    return _join(data, keep, prefix, answers)


def _identify_texts(values: list[Any], identifier: Identifier | None, threads: int | None) -> Any:
    used: Any = identifier if identifier is not None else webtongue
    answers = iter(used.identify_texts([value for value in values if isinstance(value, str)], threads))
    others = used.identify_batch({"raw": [value for value in values if not isinstance(value, str)]}, threads)
    reasons = iter([dict(zip(others, row, strict=True)) for row in zip(*others.values(), strict=True)])
    rows = [next(answers).to_dict() if isinstance(value, str) else next(reasons) for value in values]
    columns = {name: [row[name] for row in rows] for name in COLUMN_NAMES}
    return _pyarrow().Table.from_pydict(columns, schema=arrow_schema())


def _to_columns(table: Any, function: str) -> Any:
    """Return an object with the attribute ``columns`` (names) that returns a column by its name."""
    pa = _pyarrow()
    if type(table).__module__.partition(".")[0] == "pandas" and hasattr(table, "columns"):
        return table  # converted column by column, because Arrow may reject some
    if isinstance(table, pa.RecordBatch):
        table = pa.Table.from_batches([table])
    if not isinstance(table, pa.Table):
        try:
            converted = pa.table(table) if hasattr(table, "__arrow_c_stream__") else None
        except pa.ArrowException:  # a series, whose stream has no columns
            converted = None
        if converted is None:
            name = "text" if function == "identify_texts" else "raw"
            raise UsageError(
                f"{function} takes an Arrow table or a data frame, not {type(table).__name__}: "
                f'write pyarrow.table({{"{name}": column}})'
            )
        table = converted
    return _Columns(table)


class _Columns:
    """An Arrow table with the interface of a data frame."""

    def __init__(self, table: Any) -> None:
        self.columns: list[str] = table.column_names
        self._table = table

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def __getitem__(self, name: str) -> Any:
        return self._table.column(name)


def _match_columns(existing: list[Any], names: dict[str, str]) -> dict[str, str]:
    """Return the columns to read: from names of inputs to names in the table."""
    if unknown := sorted(set(names) - set(INPUTS)):
        raise UsageError(f"unknown column {', '.join(unknown)}; the columns are {', '.join(INPUTS)}")
    columns = {name: names.get(name, name) for name in INPUTS}
    used = {name: column for name, column in columns.items() if column in existing or name in names or name == "raw"}
    return {name: _check_column(existing, name, column) for name, column in used.items()}


def _check_column(existing: list[Any], name: str, column: str) -> str:
    """Return the name of a column; raise a UsageError if the table has none or several of that name."""
    if existing.count(column) != 1:
        count = "several columns" if column in existing else "no column"
        raise UsageError(f"the table has {count} {column!r}; name one with {name}=, of {_list_names(existing)}")
    return column


def _list_names(names: list[Any]) -> str:
    return ", ".join(repr(name) for name in names[:20]) or "none"


def _read_column(data: Any, name: str) -> Any:
    """Return a column as a chunked array, or as a list if Arrow has no type for it, such as bytes and numbers."""
    pa = _pyarrow()
    column = data[name]
    if isinstance(column, pa.ChunkedArray):
        return column
    try:
        array = pa.array(column, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return list(column)
    return array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])


def _identify(columns: dict[str, Any], identifier: Identifier | None, threads: int | None) -> Any:
    pa = _pyarrow()
    pages = {name: _to_values(column) for name, column in columns.items() if name != "raw"}
    pages["raw"] = _to_pages(columns["raw"])
    identify_batch = identifier.identify_batch if identifier is not None else webtongue.identify_batch
    return pa.Table.from_pydict(identify_batch(pages, threads), schema=arrow_schema())


def _to_pages(column: Any) -> Any:
    """Return a column of pages without copying them; values that are neither bytes nor text as Python objects."""
    pa = _pyarrow()
    if isinstance(column, list):
        return column
    try:
        return column.cast(pa.large_binary())  # copies only offsets; plain binary is limited to 2 GB
    except pa.ArrowException:
        pass
    try:
        return column.to_pylist()
    except (ValueError, OverflowError):  # times that Python cannot represent; they are no pages
        return [0] * len(column)


def _to_values(column: Any) -> list[Any]:
    """Return a column as Python objects, bytes as text with replacement characters for invalid UTF-8."""
    pa = _pyarrow()
    try:
        values = column if isinstance(column, list) else column.to_pylist()
    except (ValueError, OverflowError):  # invalid UTF-8, or a time that Python cannot represent
        try:
            values = column.cast(pa.large_binary()).to_pylist()
        except pa.ArrowException:  # nested values that cannot be used
            return [None] * len(column)
    return [value.decode("utf-8", "replace") if isinstance(value, bytes) else value for value in values]


def _join(data: Any, keep: Sequence[str], prefix: str, batches: list[Any]) -> Any:
    """Return a table of the kept columns and the answers."""
    pa = _pyarrow()
    answers = pa.concat_tables(batches).unify_dictionaries()
    names = [prefix + name for name in answers.column_names]
    if isinstance(keep, str):
        raise UsageError(f"keep is a list of columns: [{keep!r}]")
    if repeated := sorted(set(keep) & set(names)):
        raise UsageError(
            f"{', '.join(repeated)}: both a kept column and an answer; rename answers with prefix='answer_'"
        )
    columns = []
    for name in keep:
        if list(data.columns).count(name) != 1:
            raise UsageError(f"not exactly one column {name!r} to keep, of {_list_names(list(data.columns))}")
        column = _read_column(data, name)
        if isinstance(column, list):
            raise UsageError(f"{name!r} cannot be kept: Arrow has no type for its values")
        columns.append(column)
    table = pa.table([*columns, *answers.columns], names=[*keep, *names])
    return table.replace_schema_metadata(answers.schema.metadata)


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise MissingExtra("pyarrow", "integrations") from None
    return pyarrow
