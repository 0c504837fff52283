"""Arrow tables: the answers of the batch function, a row for each row, for any values."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import webtongue
from tests.cases import PAGES, rows
from webtongue import Identifier, MissingExtra, UsageError
from webtongue.integrations import arrow
from webtongue.schema import COLUMN_NAMES, INPUTS

INDEX = rows(PAGES / "index.jsonl")
RAW = [(PAGES / row["file"]).read_bytes() for row in INDEX]
URLS = [row.get("url") for row in INDEX]
HEADERS = [row.get("headers") for row in INDEX]
GREEK = "<p>Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα".encode()
SHORT = b"<p>Trenutno nedostupno"
ODD = {
    "null": pa.array([None, None]),
    "int": pa.array([1, None]),
    "bool": pa.array([True, None]),
    "float": pa.array([1.5, float("nan")]),
    "list": pa.array([[1], None]),
    "struct": pa.array([{"a": 1}, None]),
    "timestamp": pa.array([0, None], pa.timestamp("s")),
    "map": pa.array([[("a", 1)], None], pa.map_(pa.string(), pa.int64())),
    "large_list": pa.array([["a", None], []], pa.large_list(pa.string())),
}


def broken_text(*texts: bytes) -> pa.Array:
    """Return a column of text with invalid UTF-8."""
    held = pa.array(texts, pa.binary())
    return pa.Array.from_buffers(pa.string(), len(texts), held.buffers())


def reasons(table: Any, **options: Any) -> list[str]:
    return list(arrow.identify(table, **options).column("reason").to_pylist())


def test_answers_equal_those_of_the_batch_function() -> None:
    headers = pa.array([None if h is None else list(h.items()) for h in HEADERS], pa.map_(pa.string(), pa.string()))
    table = pa.table({"raw": pa.array(RAW), "url": pa.array(URLS, pa.string()), "headers": headers})
    result = arrow.identify(table)
    assert result.equals(webtongue.identify_batch(table))
    assert tuple(result.column_names) == COLUMN_NAMES
    assert result.schema.metadata == webtongue.identify_batch(table).schema.metadata


def test_columns_equal_the_inputs_of_the_batch_function() -> None:
    assert arrow.INPUTS == INPUTS


def test_long_tables_keep_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    table = pa.concat_tables([pa.table({"raw": [page]}) for page in RAW])
    whole = arrow.identify(table)
    monkeypatch.setattr(arrow, "BATCH_ROWS", 7)
    assert arrow.identify(table).to_pylist() == whole.to_pylist()
    assert arrow.identify(table.slice(5, 9)).to_pylist() == whole.slice(5, 9).to_pylist()


@pytest.mark.parametrize("name", [*ODD])
def test_values_of_other_types_have_a_reason(name: str) -> None:
    result = reasons(pa.table({"raw": ODD[name]}))
    assert set(result) <= {"missing", "not_bytes"}
    assert len(result) == 2
    assert (result == ["missing"] * 2) == (name == "null")


@pytest.mark.parametrize("column", INPUTS[1:])
@pytest.mark.parametrize("name", [*ODD])
def test_invalid_values_in_other_columns_are_ignored(name: str, column: str) -> None:
    table = pa.table({"raw": [GREEK, GREEK], column: ODD[name]})
    assert arrow.identify(table).column("label").to_pylist() == ["ell_Grek"] * 2


def test_empty_tables_missing_and_empty_pages() -> None:
    assert arrow.identify(pa.table({"raw": pa.array([], pa.binary())})).num_rows == 0
    assert arrow.identify(pa.table({"raw": pa.chunked_array([], pa.binary())})).num_rows == 0
    assert reasons(pa.table({"raw": [None, b"", b"%PDF-1.4", GREEK]})) == ["missing", "empty", "binary", ""]


def test_a_huge_page_is_a_row() -> None:
    result = arrow.identify(pa.table({"raw": pa.array([b" " * (1 << 25) + GREEK, GREEK])}))
    assert result.column("label").to_pylist()[1] == "ell_Grek"
    assert result.num_rows == 2


@pytest.mark.parametrize(
    "kind", [pa.binary(), pa.large_binary(), pa.binary_view(), pa.string(), pa.large_string(), pa.string_view()]
)
def test_bytes_and_text_of_every_kind(kind: pa.DataType) -> None:
    table = pa.table({"raw": pa.array([GREEK.decode(), None]).cast(kind)})
    assert reasons(table) == ["", "missing"]


@pytest.mark.parametrize("kind", [pa.binary(), pa.string()])
def test_dictionaries(kind: pa.DataType) -> None:
    column = pa.array([GREEK.decode(), None, GREEK.decode()]).cast(kind).dictionary_encode()
    assert reasons(pa.table({"raw": column})) == ["", "missing", ""]


def test_invalid_utf8_is_accepted() -> None:
    bad = broken_text(b"\xff\xfe\xfd", b"https://example.hr/\xff")
    result = arrow.identify(pa.table({"raw": [GREEK, SHORT], "url": bad, "ip": bad}))
    assert result.column("label").to_pylist() == ["ell_Grek", "hrv_Latn"]
    inside = pa.StructArray.from_arrays([bad], ["content-type"])
    assert reasons(pa.table({"raw": [GREEK, GREEK], "headers": inside})) == ["", ""]
    assert len(reasons(pa.table({"raw": bad}))) == 2


def test_urls_can_be_bytes() -> None:
    table = pa.table({"raw": [SHORT], "url": [b"https://example.hr/"]})
    assert arrow.identify(table).column("label").to_pylist() == ["hrv_Latn"]


def test_columns_can_be_named_and_kept() -> None:
    table = pa.table(
        {"id": [7, 8], "language": ["?", "?"], "body": [GREEK, SHORT], "at": [None, "https://example.hr/"]}
    )
    result = arrow.identify(table, raw="body", url="at", keep=["id", "language"], prefix="found_")
    assert result.column_names == ["id", "language", *(f"found_{name}" for name in COLUMN_NAMES)]
    assert result.select(["id", "found_language"]).to_pylist() == [
        {"id": 7, "found_language": "el"},
        {"id": 8, "found_language": "hr"},
    ]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "no column 'raw'"),
        ({"raw": "content"}, "no column 'content'"),
        ({"raw": "body", "url": "address"}, "no column 'address'"),
        ({"raw": "body", "colour": "red"}, "unknown column colour"),
        ({"raw": "body", "keep": ["language"]}, "prefix"),
        ({"raw": "body", "keep": ["nothing"]}, "'nothing'"),
        ({"raw": "body", "keep": "language"}, r"\['language'\]"),
    ],
)
def test_errors_tell_what_to_do(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        arrow.identify(pa.table({"body": [GREEK], "language": ["?"]}), **options)


def test_two_columns_of_a_name_and_no_table() -> None:
    with pytest.raises(UsageError, match="several columns"):
        arrow.identify(pa.table([pa.array([GREEK])] * 2, names=["raw", "raw"]))
    with pytest.raises(UsageError, match="not list"):
        arrow.identify([GREEK])


def test_without_pyarrow_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    table = pa.table({"raw": [GREEK]})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"webtongue\[integrations\]"):
        arrow.identify(table)


def test_settings_are_used() -> None:
    table = pa.table({"raw": ["<html lang=is><p>Halló".encode()]})
    assert arrow.identify(table).column("language").to_pylist() == ["is"]
    alone = arrow.identify(table, identifier=Identifier(evidence=()))
    assert alone.column("language").to_pylist() == [Identifier(evidence=()).identify(table["raw"][0].as_py()).language]
    assert alone.column("language").to_pylist() != ["is"]
    danish = Identifier(languages=["da"])
    assert arrow.identify(pa.table({"raw": [GREEK]}), identifier=danish).column("label").to_pylist() == ["und"]


def test_batches_and_readers() -> None:
    table = pa.table({"raw": RAW})
    whole = arrow.identify(table).to_pylist()
    assert arrow.identify(table.combine_chunks().to_batches()[0]).to_pylist() == whole
    assert arrow.identify(table.to_reader(max_chunksize=5)).to_pylist() == whole


def test_pandas_with_mixed_values() -> None:
    cells = [GREEK, None, float("nan"), pd.NA, 5, "text", [1], bytearray(GREEK), b""]
    frame = pd.DataFrame({"raw": pd.Series(cells, dtype=object), "mixed": [1, "a", b"b", *[None] * 6]})
    expected = ["", "missing", "missing", "missing", "not_bytes", "not_bytes", "not_bytes", "", "empty"]
    assert reasons(frame) == expected
    assert arrow.identify(frame).to_pandas()["language"].tolist()[0] == "el"
    with pytest.raises(UsageError, match="Arrow has no type"):
        arrow.identify(frame, keep=["mixed"])
    assert reasons(pd.DataFrame({"raw": np.array([GREEK], dtype=object), "url": [3]}, index=[9])) == [""]


def test_polars() -> None:
    pl = pytest.importorskip("polars", reason="Polars is not installed: pip install polars")
    frame = pl.DataFrame({"id": [1, 2, 3], "content": [GREEK, None, b"\x00\xff"]})
    result = pl.from_arrow(arrow.identify(frame, raw="content", keep=["id"]))
    assert result["id"].to_list() == [1, 2, 3]
    assert result["label"].cast(pl.String).to_list()[:2] == ["ell_Grek", "und"]
    assert result["reason"].cast(pl.String).to_list()[1] == "missing"


@pytest.mark.parametrize("function", ["identify", "identify_texts"])
@pytest.mark.parametrize(
    "column", [pd.Series(["x"]), pa.array(["x"]), pa.chunked_array([["x"]]), ["x"], {"text": ["x"]}, None]
)
def test_values_that_are_no_tables_are_refused(function: str, column: Any) -> None:
    name = "raw" if function == "identify" else "text"
    message = rf'^{function} takes an Arrow table or a data frame, not .*: write pyarrow.table\({{"{name}": column}}\)'
    with pytest.raises(UsageError, match=message):
        getattr(arrow, function)(column)


def test_texts_are_answered_as_by_identify_text() -> None:
    texts = ["Die Bibliothek ist jeden Tag geöffnet.", "<html lang=is>Where is the library?", None, "", 7, "\ud800"]
    table = arrow.identify_texts(
        pd.DataFrame({"id": range(6), "text": pd.Series(texts, dtype=object)}), keep=["id"], threads=2
    )
    assert table.column("id").to_pylist() == list(range(6))
    for answer, text in zip(table.to_pylist(), texts, strict=True):
        if isinstance(text, str):
            assert answer["label"] == webtongue.identify_text(text).label
        else:
            assert (answer["label"], answer["reason"]) == ("und", "missing" if text is None else "not_bytes")
    assert arrow.identify_texts(pa.table({"text": pa.array([], pa.string())})).num_rows == 0
    with pytest.raises(UsageError, match="no column 'text'; name one with text="):
        arrow.identify_texts(pa.table({"raw": ["x"]}))
