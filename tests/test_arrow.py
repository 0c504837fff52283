"""Tables of any engine by way of Arrow: the same answers, a row for a row, whatever stands in the cells."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import webtongue
from tests.cases import PAGES, rows
from webtongue import Identifier, MissingExtra, UsageError, arrow
from webtongue.batch import COLUMNS, INPUT

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
    """A column of text that is no UTF-8, as a careless writer makes it."""
    held = pa.array(texts, pa.binary())
    return pa.Array.from_buffers(pa.string(), len(texts), held.buffers())


def reasons(table: Any, **options: Any) -> list[str]:
    return list(arrow.identify(table, **options).column("reason").to_pylist())


def test_answers_are_those_of_the_batch_function() -> None:
    headers = pa.array([None if h is None else list(h.items()) for h in HEADERS], pa.map_(pa.string(), pa.string()))
    table = pa.table({"raw": pa.array(RAW), "url": pa.array(URLS, pa.string()), "headers": headers})
    found = arrow.identify(table)
    assert found.equals(webtongue.identify_batch(table))
    assert tuple(found.column_names) == COLUMNS
    assert found.schema.metadata == webtongue.identify_batch(table).schema.metadata


def test_columns_that_can_be_named_are_those_of_the_batch_function() -> None:
    assert arrow.INPUT == INPUT


def test_tables_longer_than_a_slice_keep_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    table = pa.concat_tables([pa.table({"raw": [page]}) for page in RAW])
    whole = arrow.identify(table)
    monkeypatch.setattr(arrow, "ROWS", 7)
    assert arrow.identify(table).to_pylist() == whole.to_pylist()
    assert arrow.identify(table.slice(5, 9)).to_pylist() == whole.slice(5, 9).to_pylist()


@pytest.mark.parametrize("name", [*ODD])
def test_a_column_of_another_type_is_rows_with_reasons(name: str) -> None:
    found = reasons(pa.table({"raw": ODD[name]}))
    assert set(found) <= {"missing", "not_bytes"}
    assert len(found) == 2
    assert (found == ["missing"] * 2) == (name == "null")


@pytest.mark.parametrize("column", INPUT[1:])
@pytest.mark.parametrize("name", [*ODD])
def test_garbage_beside_the_page_changes_nothing(name: str, column: str) -> None:
    table = pa.table({"raw": [GREEK, GREEK], column: ODD[name]})
    assert arrow.identify(table).column("label").to_pylist() == ["ell_Grek"] * 2


def test_empty_tables_missing_and_empty_pages() -> None:
    assert arrow.identify(pa.table({"raw": pa.array([], pa.binary())})).num_rows == 0
    assert arrow.identify(pa.table({"raw": pa.chunked_array([], pa.binary())})).num_rows == 0
    assert reasons(pa.table({"raw": [None, b"", b"%PDF-1.4", GREEK]})) == ["missing", "empty", "binary", ""]


def test_a_huge_page_is_a_row() -> None:
    found = arrow.identify(pa.table({"raw": pa.array([b" " * (1 << 25) + GREEK, GREEK])}))
    assert found.column("label").to_pylist()[1] == "ell_Grek"
    assert found.num_rows == 2


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


def test_text_that_is_no_text() -> None:
    bad = broken_text(b"\xff\xfe\xfd", b"https://example.hr/\xff")
    found = arrow.identify(pa.table({"raw": [GREEK, SHORT], "url": bad, "ip": bad}))
    assert found.column("label").to_pylist() == ["ell_Grek", "hrv_Latn"]
    inside = pa.StructArray.from_arrays([bad], ["content-type"])
    assert reasons(pa.table({"raw": [GREEK, GREEK], "headers": inside})) == ["", ""]
    assert len(reasons(pa.table({"raw": bad}))) == 2


def test_addresses_that_are_bytes_are_heard() -> None:
    table = pa.table({"raw": [SHORT], "url": [b"https://example.hr/"]})
    assert arrow.identify(table).column("label").to_pylist() == ["hrv_Latn"]


def test_columns_have_any_name_and_go_along() -> None:
    table = pa.table(
        {"id": [7, 8], "language": ["?", "?"], "body": [GREEK, SHORT], "at": [None, "https://example.hr/"]}
    )
    found = arrow.identify(table, raw="body", url="at", keep=["id", "language"], prefix="found_")
    assert found.column_names == ["id", "language", *(f"found_{name}" for name in COLUMNS)]
    assert found.select(["id", "found_language"]).to_pylist() == [
        {"id": 7, "found_language": "el"},
        {"id": 8, "found_language": "hr"},
    ]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "no column 'raw'"),
        ({"raw": "content"}, "no column 'content'"),
        ({"raw": "body", "url": "address"}, "no column 'address'"),
        ({"raw": "body", "colour": "red"}, "unknown: colour"),
        ({"raw": "body", "keep": ["language"]}, "prefix"),
        ({"raw": "body", "keep": ["nothing"]}, "'nothing'"),
        ({"raw": "body", "keep": "language"}, r"\['language'\]"),
    ],
)
def test_bad_calls_say_what_to_do(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        arrow.identify(pa.table({"body": [GREEK], "language": ["?"]}), **options)


def test_two_columns_of_a_name_and_no_table() -> None:
    with pytest.raises(UsageError, match="several columns"):
        arrow.identify(pa.table([pa.array([GREEK])] * 2, names=["raw", "raw"]))
    with pytest.raises(UsageError, match="not list"):
        arrow.identify([GREEK])


def test_without_pyarrow_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    table = pa.table({"raw": [GREEK]})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"webtongue\[arrow\]"):
        arrow.identify(table)


def test_settings_are_heard() -> None:
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


def test_pandas_with_anything_in_its_cells() -> None:
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
    found = pl.from_arrow(arrow.identify(frame, raw="content", keep=["id"]))
    assert found["id"].to_list() == [1, 2, 3]
    assert found["label"].cast(pl.String).to_list()[:2] == ["ell_Grek", "und"]
    assert found["reason"].cast(pl.String).to_list()[1] == "missing"
