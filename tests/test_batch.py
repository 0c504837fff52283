"""Batches: order, threads, and columns of every type."""

from __future__ import annotations

import gc
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import webtongue
from tests.cases import PAGES, rows
from webtongue import Identifier, Page, UsageError
from webtongue.markup import declarations as declared_module
from webtongue.schema import BATCH_FIELDS, COLUMN_NAMES, numpy_type
from webtongue.text.model import DEFAULT

INDEX = rows(PAGES / "index.jsonl")
ALL = [Page((PAGES / row["file"]).read_bytes(), row.get("url"), row.get("headers")) for row in INDEX]


def test_the_number_of_threads_does_not_change_answers() -> None:
    pages = ALL * 4
    one = webtongue.identify_many(pages, threads=1)
    assert [v.to_dict() for v in one[: len(ALL)]] == [
        webtongue.identify(p.raw, p.url, p.headers).to_dict() for p in ALL
    ]
    for threads in (None, 2, 7):
        assert [v.to_dict() for v in webtongue.identify_many(pages, threads=threads)] == [v.to_dict() for v in one]


def test_identify_many_accepts_bytes_pages_and_generators() -> None:
    many = Identifier().identify_many(page for page in (b"", Page("Καλημέρα".encode()), bytearray("สวัสดี".encode())))
    assert [v.label for v in many] == ["und", "ell_Grek", "tha_Thai"]
    assert Identifier().identify_many([]) == []


def test_identify_batch_equals_identify_many() -> None:
    pages = {"raw": [p.raw for p in ALL], "url": [p.url for p in ALL], "headers": [p.headers for p in ALL]}
    columns = webtongue.identify_batch(pages, threads=2)
    assert tuple(columns) == COLUMN_NAMES
    verdicts = webtongue.identify_many(ALL)
    for field in BATCH_FIELDS:
        expected = [getattr(v, field.name) for v in verdicts]
        if numpy_type(field):
            assert columns[field.name].dtype == numpy_type(field)
            assert columns[field.name].tolist() == pytest.approx(expected)
        else:
            assert columns[field.name] == expected


def test_empty_batch() -> None:
    columns = webtongue.identify_batch({"raw": []})
    assert columns["label"] == []
    assert columns["confidence"].shape == (0,)


@pytest.mark.parametrize(
    "columns",
    [
        {},
        {"url": ["x"]},
        {"raw": [b""], "url": []},
        {"raw": [b""], "colour": ["red"]},
        {"raw": [b"", b""], "ip": [None]},
    ],
)
def test_invalid_columns_are_refused(columns: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="columns"):
        webtongue.identify_batch(columns)


def test_invalid_cells_have_a_reason_and_invalid_thread_counts_are_refused() -> None:
    assert webtongue.identify_batch({"raw": ["text", 3, b"x"]})["reason"] == ["not_bytes", "not_bytes", "too_short"]
    with pytest.raises(UsageError, match="threads"):
        webtongue.identify_many([b""], threads=0)


@pytest.mark.parametrize("threads", [0, -3, "2", 1.5, float("nan")])
@pytest.mark.parametrize("rows", [0, 1, 2])
def test_invalid_thread_counts_are_refused_for_any_number_of_rows(threads: Any, rows: int) -> None:
    with pytest.raises(UsageError, match="threads must be 1 or more"):
        webtongue.identify_batch({"raw": [b"x"] * rows}, threads=threads)


def test_missing_values_are_none() -> None:
    columns = webtongue.identify_batch(
        {"raw": [b"x", b"y"], "url": [None, "http://a.example/"], "headers": [None, {}], "ip": [None, None]}
    )
    assert len(columns["label"]) == 2


def test_identifiers_compare_and_pickle_by_value() -> None:
    assert pickle.loads(pickle.dumps(Identifier())) == Identifier()


def test_decoded_text_is_never_markup() -> None:
    for text in (
        "<html><title>Καλημέρα κόσμε",
        "%PDF-1.4 Καλημέρα",
        "\x1b$B Καλημέρα",
        "<?xml version='1'?>Καλημέρα κόσμε",
        "GIF89a Καλημέρα",
    ):
        v = webtongue.identify_text(text)
        assert v.script == "Grek", text
        assert v.encoding == ""
    assert webtongue.identify_text("\ud800 Καλημέρα").label == "ell_Grek"


GREEK = "<html lang=el><p>Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα εκτός Κυριακής.</p>".encode()
RUSSIAN = "<p>Библиотека открывается в девять часов утра.</p>".encode("cp1251")
MIXED: list[Any] = [GREEK, None, RUSSIAN, b"", b"%PDF-1.4"]
ANSWERS = ["ell_Grek", "und", "rus_Cyrl", "und", "zxx"]


def columns_of_pages() -> dict[str, Any]:
    """The same pages in every form that a column may have."""
    arrow = pa.array(MIXED, pa.binary())
    return {
        "list": {"raw": MIXED},
        "tuple": {"raw": tuple(MIXED)},
        "bytearray": {"raw": [None if raw is None else bytearray(raw) for raw in MIXED]},
        "memoryview": {"raw": [None if raw is None else memoryview(raw) for raw in MIXED]},
        "nan": {"raw": [float("nan") if raw is None else raw for raw in MIXED]},
        "pandas.NA": {"raw": [pd.NA if raw is None else raw for raw in MIXED]},
        "NumPy": {"raw": np.array(MIXED, object)},
        "series": {"raw": pd.Series(MIXED)},
        "data frame": pd.DataFrame({"raw": MIXED, "url": ["https://example.gr/", None, float("nan"), pd.NA, "x"]}),
        "Arrow array": {"raw": arrow},
        "large": {"raw": arrow.cast(pa.large_binary())},
        "view": {"raw": arrow.cast(pa.binary_view())},
        "slice": {"raw": pa.array([b"x", *MIXED, b"y"], pa.binary())[1:-1]},
        "chunked": {"raw": pa.chunked_array([arrow[:2], arrow[2:]])},
        "dictionary": {"raw": arrow.dictionary_encode()},
        "record batch": pa.record_batch({"raw": arrow, "url": pa.array(["https://example.gr/", None, None, None, "x"])}),
        "table": pa.table({"raw": arrow, "headers": pa.array([[("content-language", "el")], None, [], None, None],
                                                             pa.map_(pa.string(), pa.string()))}),
    }  # fmt: skip


@pytest.mark.parametrize("form", columns_of_pages())
def test_columns_may_have_any_sequence_type(form: str) -> None:
    columns = webtongue.identify_batch(columns_of_pages()[form])
    assert list(columns["label"].to_pylist() if isinstance(columns, pa.Table) else columns["label"]) == ANSWERS


def test_invalid_hint_cells_are_ignored() -> None:
    columns = webtongue.identify_batch(
        {
            "raw": [GREEK] * 7,
            "url": [3, None, float("nan"), "", "::", b"x", ["y"]],
            "headers": [
                None,
                float("nan"),
                [("Content-Type", "text/html")],
                "nonsense",
                5,
                {},
                {"content-type": [b"image/png"]},
            ],
            "ip": [None, 1, "", "x", b"", float("nan"), "192.0.2.7"],
        }
    )
    assert columns["label"] == ["ell_Grek"] * 7


def test_streams_are_lazy_and_bounded() -> None:
    taken = 0

    def endless() -> Iterator[bytes]:
        nonlocal taken
        while True:
            taken += 1
            yield GREEK

    stream = webtongue.identify_stream(endless(), threads=2)
    assert [next(stream).label for _ in range(100)] == ["ell_Grek"] * 100
    assert taken <= 100 + 64 * 8
    stream.close()  # type: ignore[attr-defined]
    assert [v.reason for v in webtongue.identify_many([GREEK, None])] == ["", "missing"]


@pytest.mark.parametrize("identify", [webtongue.identify_many, webtongue.identify_stream])
@pytest.mark.parametrize(
    ("pages", "message"),
    [
        ([GREEK, "text"], r"item 1: a page is bytes, not str; decoded text goes to identify_texts\(\)"),
        (pd.Series(["text"]), r"item 0: a page is bytes, not str; decoded text goes to identify_texts\(\)"),
        ([("https://example.is/", GREEK)], r"a page is bytes, not tuple; write Page\(raw, url=..., headers=...\)"),
        ([{"raw": GREEK}], "a page is bytes, not dict; write Page"),
        ([5], "a page is bytes, not int"),
        ({"a": GREEK}, r"not a dict of columns: .*identify_batch\(\)"),
        (pd.DataFrame({"raw": [GREEK]}), r"not a DataFrame of columns: .*identify_batch\(\)"),
        (pa.table({"raw": [GREEK]}), r"not a Table of columns: .*identify_batch\(\)"),
        (None, "a list or an iterator of pages, not NoneType"),
        (5, "a list or an iterator of pages, not int"),
        (pa.scalar(GREEK), "a list or an iterator of pages, not BinaryScalar"),
        ("text", r"decoded text goes to identify_text\(\)"),
        (GREEK, r"one goes to identify\(\)"),
        (Page(GREEK), r"one goes to identify\(\)"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_wrong_calls_are_refused_with_advice(identify: Any, pages: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        list(identify(pages))


def test_series_and_arrow_arrays_of_pages() -> None:
    for pages in (pd.Series([GREEK, None], dtype=object), pa.array([GREEK, None]), pa.chunked_array([[GREEK], [None]])):
        assert [v.reason for v in webtongue.identify_many(pages)] == ["", "missing"]


class Incomparable:
    """A value that cannot be compared."""

    def __ne__(self, other: object) -> bool:
        raise KeyError("no comparison")

    __hash__ = None  # type: ignore[assignment]


NO_PAGES: list[Any] = [
    np.frombuffer(GREEK, np.uint8), np.array([np.nan]), np.array([]), pd.Series([1, 2]), pd.DataFrame({"a": [1.5, None]}),
    Incomparable(),
]  # fmt: skip


@pytest.mark.parametrize("value", NO_PAGES, ids=lambda value: type(value).__name__)
def test_arrays_and_objects_in_the_place_of_pages_are_not_missing(value: Any) -> None:
    name = type(value).__name__
    with pytest.raises(TypeError, match=f"item 1: a page is bytes, not {name}"):
        webtongue.identify_many([GREEK, value])
    with pytest.raises(TypeError, match=f"item 0: a text is str, not {name}"):
        Identifier().identify_texts([value])
    assert webtongue.identify_batch({"raw": [value]})["reason"] == ["not_bytes"]
    assert webtongue.identify_batch({"raw": [value, GREEK]})["reason"] == ["not_bytes", ""]


COLUMNS_WITHOUT_BYTES: list[Any] = [
    pa.array([1, None]), pa.array([1.5, None]), pa.array([[GREEK], None]), pa.array([{"raw": GREEK}, None]),
    pa.array([True, None]), pa.array([7, None]).dictionary_encode(), pa.chunked_array([[1], [None]]),
]  # fmt: skip


@pytest.mark.parametrize("column", COLUMNS_WITHOUT_BYTES, ids=lambda column: str(column.type))
def test_arrow_columns_of_other_types_are_data(column: Any) -> None:
    expected = ["not_bytes", "missing"]
    assert webtongue.identify_batch({"raw": column.to_pylist()})["reason"] == expected
    assert webtongue.identify_batch({"raw": column})["reason"] == expected
    assert webtongue.identify_batch(pa.table({"raw": column}))["reason"].to_pylist() == expected


def test_missing_values_of_other_libraries() -> None:
    missing: list[Any] = [pd.NA, pd.NaT, np.float32("nan"), np.datetime64("NaT")]
    assert [v.reason for v in webtongue.identify_many(missing)] == ["missing"] * 4


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"raw": [GREEK], "url": "x"}, "url is a column .*, not str"),
        ({"raw": b"x"}, "raw is a column .*, not bytes"),
        ({"raw": None}, "raw is a column .*, not NoneType"),
        ({"raw": pa.table({"raw": [GREEK]})}, "raw is a column .*, not Table: pass one of its columns"),
        ({"raw": pa.record_batch({"raw": [GREEK]})}, "not RecordBatch: pass one of its columns"),
        ({"raw": pd.DataFrame({"raw": [GREEK]})}, "not DataFrame: pass one of its columns"),
        ({"raw": [GREEK], "url": pl.DataFrame({"url": ["x"]})}, "url is a column .*, not DataFrame: pass one"),
        ({"raw": {GREEK}}, "raw is a column .*, not set, which has no order"),
        ({"raw": pa.scalar([GREEK])}, "raw is a column .*, not ListScalar"),
        ({"raw": [GREEK], "host": {"isl": 1}}, "host is a column .*, not dict"),
        ({"raw": [GREEK], "inlinks": [["https://example.is/"]]}, "a row of inlinks is a list of Inlink objects"),
        (
            {"raw": [GREEK] * 2, "inlinks": [None, "https://example.is/"]},
            "a row of inlinks is a list of Inlink objects",
        ),
    ],
)
def test_values_that_are_no_columns_are_refused(columns: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        webtongue.identify_batch(columns)


def test_missing_pages_get_a_verdict_and_earlier_pages_are_answered() -> None:
    pages: list[Any] = [GREEK, None, float("nan"), bytearray(GREEK)]
    assert [v.reason for v in webtongue.identify_many(pages)] == ["", "missing", "missing", ""]

    def failing() -> Iterator[bytes]:
        yield from [GREEK] * 300
        raise OSError("the disk is gone")

    for threads in (1, 2):
        answered = []
        with pytest.raises(OSError, match="gone"):
            for verdict in webtongue.identify_stream(failing(), threads):
                answered.append(verdict.label)
        assert len(answered) >= 256


def test_arrow_nulls_may_have_bytes_below_them() -> None:
    buffers = [pa.py_buffer(b"\x01"), pa.py_buffer(np.array([0, len(GREEK), 2 * len(GREEK)], np.int32).tobytes())]
    array = pa.Array.from_buffers(pa.binary(), 2, [*buffers, pa.py_buffer(GREEK * 2)])
    assert webtongue.identify_batch(pa.table({"raw": array}))["reason"].to_pylist() == ["", "missing"]


def test_all_bytes_like_types_are_accepted() -> None:
    pages = list(np.array([RUSSIAN, GREEK]))
    assert webtongue.identify_batch({"raw": pages})["label"] == ["rus_Cyrl", "ell_Grek"]


@pytest.mark.parametrize("name", [None, 1, (), b"content-type"])
def test_unusual_header_names_are_ignored(name: Any) -> None:
    deep: Any = "x"
    for _ in range(2000):
        deep = [deep]
    for value in ("HTTP/1.1 200", deep, None, {}, b"text/html"):
        rows = webtongue.identify_batch(
            {"raw": [GREEK, GREEK], "headers": [{name: value, "content-language": deep}, None]}
        )
        assert rows["label"] == ["ell_Grek"] * 2
        assert webtongue.identify(GREEK, headers={name: value}).label == "ell_Grek"


def test_long_declarations_are_not_cached() -> None:
    before = declared_module._cached_declared.cache_info().currsize
    for n in range(20):
        webtongue.identify(b"<!doctype html><meta name=language content='%d%s'>" % (n, b"x" * 2000) + GREEK).to_json()
    assert declared_module._cached_declared.cache_info().currsize <= before


def test_detached_verdicts_release_their_page() -> None:
    for page in (GREEK + b"<p>1", RUSSIAN + b"<p>2", GREEK.decode().encode("utf-16")):
        before = sys.getrefcount(page)
        verdict = Identifier().identify(page)
        assert sys.getrefcount(page) > before
        assert verdict.detached() is verdict
        gc.collect()
        assert sys.getrefcount(page) == before
        assert verdict.segments


def test_a_truncated_model_file_does_not_crash(tmp_path: Path) -> None:
    copy = tmp_path / "model.wtm"
    copy.write_bytes(DEFAULT.read_bytes())
    ident = Identifier(model=str(copy))
    copy.write_bytes(b"")
    assert ident.identify(GREEK).label == "ell_Grek"
    with pytest.raises(webtongue.ModelError):
        Identifier(model=str(tmp_path / "none.wtm"))
