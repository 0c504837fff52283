"""Columns as they come: lists, NumPy, pandas, Arrow; and pages in a column, looked at where they lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from webtongue import _kernel
from webtongue.errors import UsageError
from webtongue.pipeline import Stages

__all__ = ["NO_CELL", "Pages", "cell_of", "is_arrow", "is_missing", "pages_of", "table_of", "values_of"]

# Of what Arrow can hold and Python cannot: years after 9999, zones of time that are none, text that is no UTF-8.
NO_CELL = (ValueError, OverflowError, KeyError)


class Pages(Protocol):
    """A column of pages."""

    def __len__(self) -> int: ...
    def analyse(self, by: Stages, begin: int, end: int, media: bytes) -> _kernel.Analyses:
        """What the kernel makes of some of them, claims included."""

    def item(self, i: int) -> Any:
        """One of them: bytes, None where it is missing, or whatever else stands there."""

    def size(self, i: int) -> int:
        """Its length in bytes, 0 where it is none."""

    def absent(self, begin: int, end: int) -> list[int]:
        """Which of some are missing though bytes lie in their place, counted from ``begin``."""


class ListPages:
    """Pages that are Python objects."""

    def __init__(self, values: list[Any]) -> None:
        self._values = [_plain(v) for v in values]

    def __len__(self) -> int:
        return len(self._values)

    def analyse(self, by: Stages, begin: int, end: int, media: bytes) -> _kernel.Analyses:
        return by.flow.analyse_list(self._values[begin:end], media, True)

    def item(self, i: int) -> Any:
        return self._values[i]

    def size(self, i: int) -> int:
        value = self._values[i]
        return len(value) if type(value) is bytes else 0

    def absent(self, begin: int, end: int) -> list[int]:
        return []


class ArrowPages:
    """Pages in one Arrow array, read where they lie."""

    def __init__(self, column: Any) -> None:
        import numpy as np
        import pyarrow as pa

        array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        kinds = (pa.binary(), pa.large_binary(), pa.string(), pa.large_string())
        if (
            array.type not in kinds
        ):  # views, fixed sizes, dictionaries; what is no text at all stays for the caller to refuse
            array = array.cast(pa.large_binary())
        self._array = array
        self._large = array.type in (pa.large_binary(), pa.large_string())
        _, offsets, data = array.buffers()
        width = np.int64 if self._large else np.int32
        whole = np.frombuffer(offsets, width) if offsets is not None else np.zeros(1, width)
        self._offsets: Any = whole[array.offset : array.offset + len(array) + 1]
        self._data = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)

    def __len__(self) -> int:
        return len(self._array)

    def analyse(self, by: Stages, begin: int, end: int, media: bytes) -> _kernel.Analyses:
        call = by.flow.analyse_large_buffer if self._large else by.flow.analyse_buffer
        return call(self._data, self._offsets[begin : end + 1], media, True)

    def item(self, i: int) -> Any:
        value = self._array[i]
        return bytes(value.as_buffer()) if value.is_valid else None

    def size(self, i: int) -> int:
        return int(self._offsets[i + 1] - self._offsets[i])

    def absent(self, begin: int, end: int) -> list[int]:
        if not self._array.null_count:
            return []
        return [i for i, null in enumerate(self._array[begin:end].is_null().to_pylist()) if null]


def _plain(value: Any) -> Any:
    """Bytes of any kind as bytes; a view that was released is whatever else it is."""
    if type(value) is bytes or not isinstance(value, bytes | bytearray | memoryview):
        return value
    try:
        return bytes(value)
    except ValueError:
        return value


def table_of(columns: Any, known: Sequence[str]) -> dict[str, Any]:
    """Columns by name, from a mapping, an Arrow table or a data frame; wrong names and lengths are refused."""
    if isinstance(columns, Mapping):
        found = dict(columns)
    elif hasattr(columns, "column_names"):
        found = {name: columns.column(name) for name in columns.column_names}
    elif hasattr(columns, "columns"):
        found = {str(name): columns[name] for name in columns.columns}
    else:
        raise TypeError(f"columns are a mapping, an Arrow table or a data frame, not {type(columns).__name__}")
    unknown = sorted(set(found) - set(known))
    if known[0] not in found or unknown:
        raise UsageError(f"columns are {', '.join(known)}; {known[0]} is needed; unknown: {unknown or 'none'}")
    lengths = {name: len(column) for name, column in found.items()}
    if len(set(lengths.values())) > 1:
        raise UsageError(f"columns differ in length: {lengths}")
    return found


def is_arrow(value: Any) -> bool:
    """Whether something is Arrow's, told without importing it."""
    return type(value).__module__.partition(".")[0] == "pyarrow"


def is_missing(value: Any) -> bool:
    """None, NaN, and what pandas has for a missing value, which does not equal itself or says neither yes nor no."""
    if value is None:
        return True
    if isinstance(value, str | bytes | bytearray | memoryview | Mapping | Sequence):
        return False
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # pandas.NA
        return True


def values_of(column: Any) -> list[Any]:
    """A column as a list, None where a value is missing."""
    values = _cells(column) if is_arrow(column) else column.tolist() if hasattr(column, "tolist") else list(column)
    return [None if is_missing(value) else value for value in values]


def _cells(column: Any) -> list[Any]:
    """A column of Arrow's as Python has it; where it cannot have one of its cells, all but that."""
    try:
        found: list[Any] = column.to_pylist()
    except NO_CELL:
        return [cell_of(value) for value in column]
    return found


def cell_of(value: Any) -> Any:
    """A cell; of text that is no UTF-8 what is, and nothing of a moment that Python does not know."""
    try:
        return value.as_py()
    except UnicodeDecodeError:
        return value.as_buffer().to_pybytes().decode("utf-8", "replace") if hasattr(value, "as_buffer") else None
    except NO_CELL:
        return None


def pages_of(column: Any) -> Pages:
    """A column of pages."""
    return ArrowPages(column) if is_arrow(column) else ListPages(values_of(column))
