"""Extra columns: the same for a page at every place in a batch, and for every chunk size."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tests.inputs import TEXTS, random_page, random_url
from webtongue import Identifier, batch, markup
from webtongue.charset.detection.mojibake import find_repair
from webtongue.errors import UsageError
from webtongue.extra_columns import BITS, EXTRA_COLUMNS, MAX_LIKELIEST, Links, Ragged, Texts, identified_by
from webtongue.labels import SPECIAL
from webtongue.packing import MAX_TEXT_BYTES, unpack
from webtongue.page import Page
from webtongue.policy import LOG_SCALE
from webtongue.schema import COLUMN_NAMES

IDENT = Identifier()
ENGLISH, GERMAN, RUSSIAN, JAPANESE, KOREAN = TEXTS[0], TEXTS[2], TEXTS[5], TEXTS[6], TEXTS[8]
LINKS = "<p>{0} <a href=http://b.example/#x>{1}</a> {0} <a href=//c.example hreflang=is>{1}</a><a href=http://a.example/>own</a>"


def linked(text: str, encoding: str) -> bytes:
    return (f"<p>{text * 4}</p>" + LINKS.format(text, text.split()[0][:6])).encode(encoding)


# Pages that the kernel does not finish, and values that are no pages.
ODD: dict[str, Any] = {
    "UTF-16": linked(RUSSIAN, "utf-16"),
    "windows-1251": linked(RUSSIAN, "cp1251"),
    "Shift_JIS": linked(JAPANESE, "shift_jis"),
    "ISO-2022-JP": linked(JAPANESE, "iso2022_jp"),
    "binary": b"\x89PNG\r\n\x1a\n\0\0\0",
    "nothing": b"",
    "blank": b" \n ",
    "code": b"<p>for (int i = 0; i < n; ++i) { if (a[i] != b[i]) return false; }",
    "several languages": f"<p>{RUSSIAN * 3}<p>{KOREAN * 3}<p>{GERMAN * 3}".encode(),
    "mojibake": linked(RUSSIAN, "utf-8").decode("cp1251", "replace").encode(),
    "legacy font": ("<p>Hkkjr ljdkj dk;kZy; vkns'k fØ;k " * 9).encode(),
    "None": None,
    "text": "a page is bytes",
    "a number": 5,
    "nan": math.nan,
}


def plain(text: str, i: int) -> bytes:
    return f"<html lang=x-{i}><p>{text}<a href=http://b{i}.example/>{i}</a>".encode()


def value_of(column: Any, i: int) -> Any:
    """Return a column's value for a page as plain values."""
    if isinstance(column, Ragged):
        place = slice(column.starts[i], column.starts[i + 1])
        return list(zip(column.labels[place].tolist(), column.values[place].tolist(), strict=True))
    if isinstance(column, Links):
        return [
            tuple(random_text(texts, n) for texts in column[1:])
            for n, page in enumerate(column.pages.tolist())
            if page == i
        ]
    value = column[i]
    return "NaN" if isinstance(value, np.floating) and np.isnan(value) else value


def random_text(texts: Texts, n: int) -> str:
    return texts.data[texts.starts[n] : texts.starts[n + 1]].decode()


def row_of(columns: dict[str, Any], i: int) -> dict[str, Any]:
    return {name: value_of(column, i) for name, column in columns.items()}


def every(columns: dict[str, Any], threads: int = 1, ident: Identifier = IDENT) -> list[dict[str, Any]]:
    answers = ident.identify_batch(columns, threads, extra=EXTRA_COLUMNS)
    assert list(answers) == [*COLUMN_NAMES, *EXTRA_COLUMNS]
    return [row_of(answers, i) for i in range(len(columns["raw"]))]


def random_columns(seed: int, count: int) -> dict[str, list[Any]]:
    rng = random.Random(seed)
    raws: list[Any] = [
        rng.choice(list(ODD.values())) if rng.random() < 0.2 else linked(rng.choice(TEXTS), "utf-8") if rng.random() < 0.3 else random_page(rng)
        for _ in range(count)
    ]  # fmt: skip
    return {
        "raw": raws,
        "url": [rng.choice((None, random_url(rng), "https://a.example/", "http://b.example/de/")) for _ in raws],
        "headers": [rng.choice((None, {"content-language": "de"}, {"content-type": "text/html; charset=cp1251"})) for _ in raws],
        "country": [rng.choice((None, None, "IS", "ZZ")) for _ in raws],
        "host": [rng.choice((None, {"isl": 30})) for _ in raws],
    }  # fmt: skip


def test_chunk_size_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = random_columns(51, 200)
    single = [
        every({name: [value] for name, value in zip(columns, row, strict=True)})[0]
        for row in zip(*columns.values(), strict=True)
    ]
    assert sum(bool(row["outlinks"]) for row in single) > 30
    assert sum(row["reading"] is not None for row in single) > 60
    for chunk, threads in ((1000, 1), (64, 1), (64, 3), (7, 2), (1, 2)):
        monkeypatch.setattr(batch, "CHUNK_PAGES", chunk)
        assert every(columns, threads) == single, (chunk, threads)


@pytest.mark.parametrize("odd", ODD)
def test_unfinished_pages_in_every_place(odd: str) -> None:
    (unfinished,) = every({"raw": [ODD[odd]], "url": ["http://a.example/"]})
    others = [plain(text, i) for i, text in enumerate(TEXTS[:4])]
    expected = every({"raw": others, "url": ["http://a.example/"] * 4})
    for places in ([0], [1], [2], [4], [0, 1], [0, 5], [2, 3], [0, 2, 4]):
        raws: list[Any] = list(others)
        rows = list(expected)
        for place in places:
            raws.insert(place, ODD[odd])
            rows.insert(place, unfinished)
        assert every({"raw": raws, "url": ["http://a.example/"] * len(raws)}) == rows, places


def test_extra_columns_equal_the_verdict() -> None:
    """Bits are the weights of a Verdict's evidence; the text is that of the scanned page."""
    columns = random_columns(52, 150)
    seen = 0
    for row, hints in zip(every(columns), zip(*columns.values(), strict=True), strict=True):
        given = {name: value for name, value in zip(columns, hints, strict=True) if value is not None}
        if not isinstance(given.get("raw"), bytes):
            continue
        verdict = IDENT.identify(**given)
        assert row["label"] == verdict.label
        for evidence in verdict.evidence:
            if evidence.source in BITS and evidence.weight:
                assert row[f"bits_{evidence.source}"] == pytest.approx(evidence.weight, abs=2e-3), evidence
                seen += 1
        if row["reading"] is not None:
            check_reading(row)
        if row["encoding"] == "utf-8" and row["label"] not in SPECIAL:
            scanned = markup.read(Page(given["raw"])).text
            repair = find_repair(scanned, IDENT.reader)
            assert row["text"] in (scanned, repair(scanned) if repair else scanned)
            assert row["text_bytes"] == len(row["text"].encode())
    assert seen > 200


def check_reading(row: dict[str, Any]) -> None:
    """The packed reading equals the columns beside it."""
    _, reading, scan = unpack(row["reading"], IDENT.models)
    if scan is None:
        assert row["letters"] == reading.letters
        likeliest = [
            (n, float(np.float32(log / LOG_SCALE - IDENT.reader.prior_nats(n, reading))))
            for n, log in reading.text_guesses(MAX_LIKELIEST)
        ]
        assert row["likeliest"] == likeliest
    else:  # a packed text is read again
        assert 0 < len(scan.text) <= MAX_TEXT_BYTES


def test_sources_without_evidence() -> None:
    raws = [plain(ENGLISH[:30], 0), plain(ENGLISH[:30], 0), b"%PDF-1.4", b"", None, ("<p>" + GERMAN * 40).encode()]
    urls = [None, "https://example.is/", "https://example.is/", None, "https://example.is/", "https://example.is/"]
    rows = every({"raw": raws, "url": urls})
    spoke = [[source for source in BITS if row[f"bits_{source}"] != "NaN"] for row in rows]
    assert spoke == [
        ["text", "prior"],
        ["text", "prior", "url"],
        [],
        [],
        [],
        ["text", "prior"],
    ]  # no hints are collected for long clear text
    assert [row["media_type"] for row in rows] == [
        "text/html",
        "text/html",
        "application/pdf",
        "text/plain",
        "",
        "text/html",
    ]
    assert [row["letters"] > 0 for row in rows] == [True, True, False, False, False, True]
    assert [row["text"] is None for row in rows] == [False, False, True, False, True, False]
    assert [row["reading"] is None for row in rows] == [False, False, True, False, True, True]


@pytest.mark.parametrize(
    ("text", "encoding", "name"),
    [
        (RUSSIAN, "utf-8", "utf-8"), (RUSSIAN, "cp1251", "windows-1251"), (RUSSIAN, "koi8-r", "koi8-r"), (RUSSIAN, "utf-16", "utf-16le"),
        (JAPANESE, "shift_jis", "shift_jis"), (JAPANESE, "euc_jp", "euc-jp"), (JAPANESE, "iso2022_jp", "iso-2022-jp"),
        (KOREAN, "euc_kr", "euc-kr"), (TEXTS[7], "big5", "big5"), (TEXTS[7], "gb18030", "gbk"),
    ],
)  # fmt: skip
def test_links_and_text_in_every_encoding(text: str, encoding: str, name: str) -> None:
    (row,) = every({"raw": [linked(text, encoding)], "url": ["http://a.example/"]})
    assert row["encoding"] == name
    words = text.split()[0][:6]
    assert row["outlinks"] == [("http://b.example/", words, ""), ("https://c.example", words, "is")]
    assert row["text"] == f"{text * 4}\n{text} {words} {text} {words}own"
    assert row["text_bytes"] == len(row["text"].encode())


def test_urls_in_a_legacy_encoding() -> None:
    """URLs in a multi-byte encoding are decoded with the page."""
    page = f"<p>{JAPANESE * 4}<a href=http://b.example/日本>{JAPANESE[:3]}</a>"
    (row,) = every({"raw": [page.encode("shift_jis")]})
    assert row["outlinks"] == [("http://b.example/日本", JAPANESE[:3], "")]


def test_links_of_mojibake_are_repaired() -> None:
    (row,) = every({"raw": [ODD["mojibake"]], "url": ["http://a.example/"]})
    assert row["label"] == "rus_Cyrl"
    assert row["outlinks"] == [("http://b.example/", RUSSIAN[:6], ""), ("https://c.example", RUSSIAN[:6], "is")]


def test_unrecognised_declarations_and_encodings_of_one_language() -> None:
    heads = ["<html lang=xyzzy>", "<html lang=xyzzy><meta name=language content=de>", "<html lang=de>", "", "<meta charset=windows-1252>",
             "<meta charset=koi8-u>", "<meta charset=utf-8>", "<meta charset=x-nonsense>"]  # fmt: skip
    rows = every({"raw": [f"{head}<p>{ENGLISH}".encode() for head in heads]})
    assert [row["unrecognised_language"] for row in rows] == ["xyzzy", *[""] * 7]
    assert [row["charset_language"] for row in rows] == ["", "", "", "", "", "ukr_Cyrl", "", ""]


def test_an_empty_batch() -> None:
    answers = IDENT.identify_batch({"raw": []}, extra=EXTRA_COLUMNS)
    assert {
        name: len(answers[name]) for name in EXTRA_COLUMNS if name not in ("likeliest", "outlinks")
    } == dict.fromkeys(set(EXTRA_COLUMNS) - {"likeliest", "outlinks"}, 0)
    assert [part.tolist() for part in answers["likeliest"]] == [[0], [], []]
    assert answers["outlinks"].pages.tolist() == []
    assert all(texts.starts.tolist() == [0] and texts.data == b"" for texts in answers["outlinks"][1:])


def test_only_the_requested_columns() -> None:
    columns = {"raw": [plain(ENGLISH, 0), ODD["windows-1251"], None]}
    rows = every(columns)
    for name in EXTRA_COLUMNS:
        answers = IDENT.identify_batch(columns, extra=[name])
        assert list(answers) == [*COLUMN_NAMES, name]
        assert [value_of(answers[name], i) for i in range(3)] == [row[name] for row in rows]
    assert list(IDENT.identify_batch(columns)) == list(COLUMN_NAMES)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UsageError, match=r"unknown extra columns: bits_gut, colour; known are media_type, "):
        IDENT.identify_batch({"raw": [b""]}, extra=["colour", "text", "bits_gut"])
    with pytest.raises(UsageError, match="not available for an Arrow table"):
        IDENT.identify_batch(pa.table({"raw": pa.array([b"x"])}), extra=["text"])


def test_arrow_columns_with_bytes_under_nulls() -> None:
    pages = [plain(ENGLISH, 0), None, ODD["windows-1251"], plain(GERMAN, 1)]
    expected = every({"raw": pages})
    assert every({"raw": pa.array(pages, pa.binary())}) == expected
    assert every({"raw": pa.array([b"x", *pages], pa.large_binary())[1:]}) == expected
    covered = plain(ENGLISH, 0).replace(b"x-0", b"xyzzy")
    buffers = [pa.py_buffer(b"\x01"), pa.py_buffer(np.array([0, len(covered), 2 * len(covered)], np.int32).tobytes())]
    array = pa.Array.from_buffers(pa.binary(), 2, [*buffers, pa.py_buffer(covered * 2)])
    assert every({"raw": array}) == every({"raw": [covered, None]})


@pytest.mark.parametrize(
    ("bits", "source"),
    [
        ({"text": 2.0, "prior": 9.0, "url": 3.5}, "url"), ({"text": 2.0, "url": 2.0}, "text"), ({"text": -2.0, "url": 0.0}, "text"),
        ({"text": -2.0, "host": 0.5, "links": math.nan}, "host"), ({}, "text"), ({"text": math.nan, "encoding": 1.0}, "encoding"),
    ],
)  # fmt: skip
def test_identified_by(bits: dict[str, float], source: str) -> None:
    assert identified_by(bits) == source
