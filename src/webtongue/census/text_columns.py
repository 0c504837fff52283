"""Columns of text: names and short values, and the texts of pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["page_text_columns", "text_column"]


def text_column(values: Sequence[str]) -> Any:
    """Return a column of text, null where it is empty; lone surrogates, which Parquet cannot store, are replaced."""
    import pyarrow as pa

    try:
        return pa.array([value or None for value in values], pa.string())
    except UnicodeEncodeError:
        return pa.array([value.encode("utf-8", "replace").decode() or None for value in values], pa.string())


def page_text_columns(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of the texts of pages, if there are any; a page without a title has null."""
    import pyarrow as pa

    types = {"text": pa.large_string(), "title": pa.string(), "metadata": pa.string()}
    return {
        name: pa.array([value if value or name == "text" else None for value in answers[name]], data_type)
        for name, data_type in types.items()
        if name in answers
    }
