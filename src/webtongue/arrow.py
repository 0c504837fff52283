"""Arrow in, Arrow out: how tables of any engine are identified. pandas, Polars, DuckDB and Ray come by way of it.

>>> import pyarrow as pa
>>> pages = pa.table({"id": [1, 2], "body": ["<p>Η βιβλιοθήκη είναι ανοιχτή".encode(), None]})
>>> identify(pages, raw="body", keep=["id"]).select(["id", "language", "reason"]).to_pylist()
[{'id': 1, 'language': 'el', 'reason': ''}, {'id': 2, 'language': 'und', 'reason': 'missing'}]
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import webtongue
from webtongue.errors import MissingExtra, UsageError

if TYPE_CHECKING:
    from webtongue import Identifier

__all__ = ["identify"]

INPUT = ("raw", "url", "headers", "ip", "country", "inlinks", "host")
EXTRA = "arrow"
ROWS = 4096  # of a table at a time: what is made of pages on the way is let go of before the next come


def identify(
    table: Any,
    *,
    identifier: Identifier | None = None,
    keep: Sequence[str] = (),
    prefix: str = "",
    threads: int | None = None,
    **names: str,
) -> Any:
    """An Arrow table of answers, a row for each row that came in, with the columns of docs/schema.md.

    ``table``: an Arrow table, batch or reader, a data frame of pandas or Polars, or whatever else gives Arrow away
    (``__arrow_c_stream__``). Columns are found by the names that ``identify_batch`` has for them: ``raw``, and ``url``,
    ``headers``, ``ip``, ``country``, ``inlinks``, ``host`` where they are there; ``raw="content"`` says that one has another
    name. A column of text is read as its UTF-8; a page that is missing or no bytes is a row with a reason.

    ``identifier`` holds settings, ``keep`` names columns that go before the answers as they are, ``prefix`` goes before the
    names of the answers.
    """
    data = _data(table)
    found = {ours: _column(data, theirs) for ours, theirs in _asked(list(data.columns), names).items()}
    answers = [
        _answers({name: column[begin : begin + ROWS] for name, column in found.items()}, identifier, threads)
        for begin in range(0, max(len(found["raw"]), 1), ROWS)
    ]
    return _joined(data, keep, prefix, answers)


def _data(table: Any) -> Any:
    """Something with ``columns`` (their names) that gives a column by its name."""
    pa = _pyarrow()
    if type(table).__module__.partition(".")[0] == "pandas" and hasattr(table, "columns"):
        return table  # column by column, as one that Arrow refuses must not stop the rest
    if isinstance(table, pa.RecordBatch):
        table = pa.Table.from_batches([table])
    if not isinstance(table, pa.Table):
        if not hasattr(table, "__arrow_c_stream__"):
            raise UsageError(
                f"this takes an Arrow table or a data frame, not {type(table).__name__}: pyarrow.table(...)"
            )
        table = pa.table(table)
    return _Columns(table)


class _Columns:
    """An Arrow table that is asked as data frames are."""

    def __init__(self, table: Any) -> None:
        self.columns: list[str] = table.column_names
        self._table = table

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def __getitem__(self, name: str) -> Any:
        return self._table.column(name)


def _asked(there: list[Any], names: dict[str, str]) -> dict[str, str]:
    """The columns to read: our names and those of the table."""
    if unknown := sorted(set(names) - set(INPUT)):
        raise UsageError(f"columns that can be named are {', '.join(INPUT)}; unknown: {', '.join(unknown)}")
    wanted = {name: names.get(name, name) for name in INPUT}
    asked = {ours: theirs for ours, theirs in wanted.items() if theirs in there or ours in names or ours == "raw"}
    for ours, theirs in asked.items():
        if there.count(theirs) != 1:
            many = "several columns" if theirs in there else "no column"
            raise UsageError(f"the table has {many} {theirs!r}; say which it is with {ours}=, of {_some(there)}")
    return asked


def _some(names: list[Any]) -> str:
    return ", ".join(repr(name) for name in names[:20]) or "none"


def _column(data: Any, name: str) -> Any:
    """A column as Arrow has it; where it cannot be had so, such as bytes beside numbers, a list of objects."""
    pa = _pyarrow()
    column = data[name]
    if isinstance(column, pa.ChunkedArray):
        return column
    try:
        array = pa.array(column, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return list(column)
    return array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])


def _answers(columns: dict[str, Any], identifier: Identifier | None, threads: int | None) -> Any:
    """The answers for some rows."""
    pa = _pyarrow()
    pages = {name: _values(column) for name, column in columns.items() if name != "raw"}
    pages["raw"] = _pages(columns["raw"])
    identify_batch = identifier.identify_batch if identifier is not None else webtongue.identify_batch
    return pa.Table.from_pydict(identify_batch(pages, threads), schema=_schema())


def _pages(column: Any) -> Any:
    """Pages where they lie; what is neither bytes nor text as objects, which are answered one by one with a reason."""
    pa = _pyarrow()
    if isinstance(column, list):
        return column
    try:
        return column.cast(pa.large_binary())  # only offsets are copied; a small one ends at 2 GB
    except pa.ArrowException:
        pass
    try:
        return column.to_pylist()
    except (ValueError, OverflowError):  # moments that Python has none for: no pages in any case
        return [0] * len(column)


def _values(column: Any) -> list[Any]:
    """What is known of pages; bytes and text that is no UTF-8 as text with its damage marked."""
    pa = _pyarrow()
    try:
        values = column if isinstance(column, list) else column.to_pylist()
    except (ValueError, OverflowError):  # no UTF-8, or a moment that Python has none for
        try:
            values = column.cast(pa.large_binary()).to_pylist()
        except pa.ArrowException:  # deeper inside: nothing of it can be used
            return [None] * len(column)
    return [value.decode("utf-8", "replace") if isinstance(value, bytes) else value for value in values]


@cache
def _schema() -> Any:
    """The columns of answers and their types, as the batch function has them."""
    pa = _pyarrow()
    return webtongue.identify_batch(pa.table({"raw": pa.array([], pa.binary())})).schema


def _joined(data: Any, keep: Sequence[str], prefix: str, answers: list[Any]) -> Any:
    """Columns that are kept, then the answers, in one table."""
    pa = _pyarrow()
    whole = pa.concat_tables(answers).unify_dictionaries()
    names = [prefix + name for name in whole.column_names]
    if isinstance(keep, str):
        raise UsageError(f"keep is a list of columns: [{keep!r}]")
    if both := sorted(set(keep) & set(names)):
        raise UsageError(f"{', '.join(both)}: kept, and the name of an answer; prefix='found_' keeps the two apart")
    columns = []
    for name in keep:
        if list(data.columns).count(name) != 1:
            raise UsageError(f"there is no one column {name!r} to keep, of {_some(list(data.columns))}")
        column = _column(data, name)
        if isinstance(column, list):
            raise UsageError(f"{name!r} cannot be kept: Arrow has no type for what is in it")
        columns.append(column)
    table = pa.table([*columns, *whole.columns], names=[*keep, *names])
    return table.replace_schema_metadata(whole.schema.metadata)


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise MissingExtra("pyarrow", EXTRA) from None
    return pyarrow
