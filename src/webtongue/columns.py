"""Input columns of any kind: lists, NumPy, pandas and Arrow; pages in an Arrow column are read in place, without a copy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from webtongue import _kernel
from webtongue.errors import UsageError
from webtongue.model_set import Models

__all__ = [
    "UNREPRESENTABLE",
    "Pages",
    "cell_of",
    "is_arrow",
    "is_missing",
    "items_of",
    "pages_of",
    "table_of",
    "urls_of",
    "values_of",
]

# Raised for values that Arrow can hold and Python cannot: years after 9999, unknown time zones, text that is not UTF-8.
UNREPRESENTABLE = (ValueError, OverflowError, KeyError)


PRESENT_TYPES = frozenset({bytes, str, dict, list, tuple})  # types of most cells, of which none is a missing value


class Pages(Protocol):
    """A column of pages."""

    def __len__(self) -> int: ...
    def analyse(self, models: Models, begin: int, end: int, media: bytes) -> _kernel.Analyses:
        """Return the kernel's analyses of a slice of the pages, declarations included."""

    def item(self, i: int) -> Any:
        """Return a page: bytes, None where it is missing, or the value of another type that was given."""

    def size(self, i: int) -> int:
        """Return the length of a page in bytes, 0 where the value is not bytes."""

    def absent(self, begin: int, end: int) -> list[int]:
        """Return the null rows of a slice, as indices from ``begin``; the buffer may have bytes for them."""


class ListPages:
    """Pages that are Python objects."""

    def __init__(self, values: list[Any]) -> None:
        self._values = [_plain(v) for v in values]

    def __len__(self) -> int:
        return len(self._values)

    def analyse(self, models: Models, begin: int, end: int, media: bytes) -> _kernel.Analyses:
        return models.flow.analyse_list(self._values[begin:end], media, True)

    def item(self, i: int) -> Any:
        return self._values[i]

    def size(self, i: int) -> int:
        value = self._values[i]
        return len(value) if type(value) is bytes else 0

    def absent(self, begin: int, end: int) -> list[int]:
        return []


class ArrowPages:
    """Pages in one Arrow array, read in place."""

    def __init__(self, array: Any) -> None:
        """``array`` is of a type that `_byte_array` returns."""
        import numpy as np
        import pyarrow as pa

        self._array = array
        self._large = array.type in (pa.large_binary(), pa.large_string())
        _, offsets, data = array.buffers()
        width = np.int64 if self._large else np.int32
        all_offsets = np.frombuffer(offsets, width) if offsets is not None else np.zeros(1, width)
        self._offsets: Any = all_offsets[array.offset : array.offset + len(array) + 1]
        self._data = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)

    def __len__(self) -> int:
        return len(self._array)

    def analyse(self, models: Models, begin: int, end: int, media: bytes) -> _kernel.Analyses:
        call = models.flow.analyse_large_buffer if self._large else models.flow.analyse_buffer
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
    """Return bytes-like values as bytes; return other values, and a released memoryview, unchanged."""
    if type(value) is bytes or not isinstance(value, bytes | bytearray | memoryview):
        return value
    try:
        return bytes(value)
    except ValueError:
        return value


def table_of(columns: Any, known: Sequence[str]) -> dict[str, Any]:
    """Return columns by name, from a mapping, an Arrow table or a data frame; raise UsageError for wrong names and lengths."""
    if isinstance(columns, Mapping):
        table = dict(columns)
    elif hasattr(columns, "column_names"):
        table = {name: columns.column(name) for name in columns.column_names}
    elif hasattr(columns, "columns"):
        table = {str(name): columns[name] for name in columns.columns}
    else:
        raise TypeError(f"columns are a mapping, an Arrow table or a data frame, not {type(columns).__name__}")
    unknown = sorted(set(table) - set(known))
    if known[0] not in table or unknown:
        raise UsageError(f"columns are {', '.join(known)}; {known[0]} is needed; unknown: {unknown or 'none'}")
    for name, column in table.items():
        _check_column(name, column)
    lengths = {name: len(column) for name, column in table.items()}
    if len(set(lengths.values())) > 1:
        raise UsageError(f"columns differ in length: {lengths}")
    return table


def _check_column(name: str, column: Any) -> None:
    """Raise TypeError for a value that is no column."""
    advice = ""
    if _is_table(column):
        advice = ": pass one of its columns"
    elif isinstance(column, set | frozenset):
        advice = ", which has no order"
    elif _is_column(column):
        return
    raise TypeError(f"{name} is a column (a list, an array or a series), not {type(column).__name__}{advice}")


def items_of(values: Any, function: str, kind: str, table_function: str = "") -> Iterable[Any]:
    """Return the items that a call on many pages, texts or URLs is given, Arrow arrays as Python values.

    Raise TypeError for tables, which go to ``table_function`` if there is one, and for what is no collection.
    """
    if type(values) is list:
        return values
    if _is_table(values):
        advice = f", or the table to {table_function}" if table_function else ""
        raise TypeError(
            f"{function} takes a list of {kind}, not a {type(values).__name__} of columns: "
            f"pass one of its columns{advice}"
        )
    if is_arrow(values) and hasattr(values, "to_pylist"):
        return values_of(values)
    if is_arrow(values) or not isinstance(values, Iterable):  # such as a scalar of Arrow
        raise TypeError(f"{function} takes a list or an iterator of {kind}, not {type(values).__name__}")
    return values


def urls_of(values: Any, function: str) -> list[Any]:
    """Return the URLs of a call on many, None where one is missing; raise TypeError for values that are no URLs."""
    if isinstance(values, str | bytes | bytearray | memoryview):
        raise TypeError(f"{function} takes many URLs, not one {type(values).__name__}; one goes to identify_url()")
    urls = list(items_of(values, function, "URLs"))
    for position, url in enumerate(urls):
        if url is None or isinstance(url, str | bytes):
            continue
        if not is_missing(url):
            raise TypeError(f"item {position:,}: a URL is str, not {type(url).__name__}")
        urls[position] = None
    return urls


def _is_table(value: Any) -> bool:
    """Return True for mappings, Arrow tables and data frames."""
    return isinstance(value, Mapping) or any(hasattr(type(value), name) for name in ("columns", "column_names"))


def _is_column(value: Any) -> bool:
    if isinstance(value, str | bytes | bytearray | memoryview) or not hasattr(value, "__len__"):
        return False
    return hasattr(value, "to_pylist") or not is_arrow(value)


def is_arrow(value: Any) -> bool:
    """Return True for objects of pyarrow, without importing it."""
    return type(value).__module__.partition(".")[0] == "pyarrow"


def is_missing(value: Any) -> bool:
    """Return True for None, NaN and pandas.NA."""
    if value is None:
        return True
    # Text, bytes and collections have a length; arrays of any library are among them, and compare by element.
    if type(value) in PRESENT_TYPES or hasattr(type(value), "__len__"):
        return False
    try:
        differs = value != value
        return differs is value or bool(differs)  # pandas.NA differs from itself by pandas.NA
    except Exception:  # A comparison of a foreign class may raise anything.
        return False


def values_of(column: Any) -> list[Any]:
    """Return a column as a list, with None for missing values."""
    values = _cells(column) if is_arrow(column) else column.tolist() if hasattr(column, "tolist") else list(column)
    return [None if is_missing(value) else value for value in values]


def _cells(column: Any) -> list[Any]:
    """Return an Arrow column as Python values; cells that Python cannot represent become None."""
    try:
        cells: list[Any] = column.to_pylist()
    except UNREPRESENTABLE:
        return [cell_of(value) for value in column]
    return cells


def cell_of(value: Any) -> Any:
    """Return an Arrow cell as a Python value: text with invalid UTF-8 replaced, None for times that Python cannot represent."""
    try:
        return value.as_py()
    except UnicodeDecodeError:
        return value.as_buffer().to_pybytes().decode("utf-8", "replace") if hasattr(value, "as_buffer") else None
    except UNREPRESENTABLE:
        return None


def _byte_array(column: Any) -> Any:
    """Return an Arrow column of bytes or text as one array with offsets; None for columns of other types."""
    import pyarrow as pa

    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if array.type in (pa.binary(), pa.large_binary(), pa.string(), pa.large_string()):
        return array
    try:
        return array.cast(pa.large_binary())  # views, fixed sizes and dictionaries
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid, pa.ArrowTypeError):
        return None


def pages_of(column: Any) -> Pages:
    """Return a column of pages."""
    array = _byte_array(column) if is_arrow(column) else None
    return ListPages(values_of(column)) if array is None else ArrowPages(array)
