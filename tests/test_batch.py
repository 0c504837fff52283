"""Many pages at once: the order is kept, threads change nothing, columns are columns."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import webtongue
from tests.cases import PAGES, rows
from webtongue import Identifier, Page, UsageError
from webtongue.batch import COLUMNS, NUMBERS

INDEX = rows(PAGES / "index.jsonl")
ALL = [Page((PAGES / row["file"]).read_bytes(), row.get("url"), row.get("headers")) for row in INDEX]


def test_threads_change_nothing() -> None:
    pages = ALL * 4
    one = webtongue.identify_many(pages, threads=1)
    assert [v.to_dict() for v in one[: len(ALL)]] == [
        webtongue.identify(p.raw, p.url, p.headers).to_dict() for p in ALL
    ]
    for threads in (None, 2, 7):
        assert [v.to_dict() for v in webtongue.identify_many(pages, threads=threads)] == [v.to_dict() for v in one]


def test_bytes_and_pages_mix_and_generators_do() -> None:
    many = Identifier().identify_many(page for page in (b"", Page("Καλημέρα".encode()), bytearray("สวัสดี".encode())))
    assert [v.label for v in many] == ["und", "ell_Grek", "tha_Thai"]
    assert Identifier().identify_many([]) == []


def test_batch_is_many_by_columns() -> None:
    columns = {"raw": [p.raw for p in ALL], "url": [p.url for p in ALL], "headers": [p.headers for p in ALL]}
    out = webtongue.identify_batch(columns, threads=2)
    assert tuple(out) == COLUMNS
    verdicts = webtongue.identify_many(ALL)
    for name in set(COLUMNS) - set(NUMBERS):
        assert out[name] == [getattr(v, name) for v in verdicts]
    for name, dtype in NUMBERS.items():
        assert out[name].dtype == dtype
        assert len(out[name]) == len(ALL)


def test_empty_batch() -> None:
    out = webtongue.identify_batch({"raw": []})
    assert out["label"] == []
    assert out["confidence"].shape == (0,)


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
def test_bad_columns(columns: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="columns"):
        webtongue.identify_batch(columns)


def test_bad_cells_and_threads() -> None:
    assert webtongue.identify_batch({"raw": ["text", 3, b"x"]})["reason"] == ["not_bytes", "not_bytes", "too_short"]
    with pytest.raises(UsageError, match="threads"):
        webtongue.identify_many([b""], threads=0)


def test_missing_values_are_none() -> None:
    out = webtongue.identify_batch(
        {"raw": [b"x", b"y"], "url": [None, "http://a.example/"], "headers": [None, {}], "ip": [None, None]}
    )
    assert len(out["label"]) == 2


def test_identifier_is_a_value() -> None:
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
