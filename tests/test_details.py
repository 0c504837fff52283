"""Columns beside the answers: the same for a page wherever it stands in a batch, and however the batch is cut."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tests.inputs import TEXTS, page_of, url_of
from webtongue import Identifier, batch, markup
from webtongue.batch import COLUMNS
from webtongue.details import BITS, DETAILS, LIKELIEST, UNANSWERED, Links, Ragged, Texts, identified_by
from webtongue.encodings.repair import repair
from webtongue.errors import UsageError
from webtongue.page import Page
from webtongue.second_look import SHORT, restored
from webtongue.text.thresholds import NATS

IDENT = Identifier()
ENGLISH, GERMAN, RUSSIAN, JAPANESE, KOREAN = TEXTS[0], TEXTS[2], TEXTS[5], TEXTS[6], TEXTS[8]
LINKS = "<p>{0} <a href=http://b.example/#x>{1}</a> {0} <a href=//c.example hreflang=is>{1}</a><a href=http://a.example/>own</a>"


def linked(text: str, encoding: str) -> bytes:
    return (f"<p>{text * 4}</p>" + LINKS.format(text, text.split()[0][:6])).encode(encoding)


# Pages that the kernel does not take all the way, by what they are, and what is no page at all.
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
    "misread": linked(RUSSIAN, "utf-8").decode("cp1251", "replace").encode(),
    "a font's": ("<p>Hkkjr ljdkj dk;kZy; vkns'k fØ;k " * 9).encode(),
    "None": None,
    "text": "a page is bytes",
    "a number": 5,
    "nan": math.nan,
}


def plain(text: str, i: int) -> bytes:
    return f"<html lang=x-{i}><p>{text}<a href=http://b{i}.example/>{i}</a>".encode()


def value_of(column: Any, i: int) -> Any:
    """What a column has for a page, in plain values."""
    if isinstance(column, Ragged):
        place = slice(column.starts[i], column.starts[i + 1])
        return list(zip(column.labels[place].tolist(), column.values[place].tolist(), strict=True))
    if isinstance(column, Links):
        return [
            tuple(text_of(texts, n) for texts in column[1:])
            for n, page in enumerate(column.pages.tolist())
            if page == i
        ]
    value = column[i]
    return "NaN" if isinstance(value, np.floating) and np.isnan(value) else value


def text_of(texts: Texts, n: int) -> str:
    return texts.data[texts.starts[n] : texts.starts[n + 1]].decode()


def row_of(found: dict[str, Any], i: int) -> dict[str, Any]:
    return {name: value_of(column, i) for name, column in found.items()}


def every(columns: dict[str, Any], threads: int = 1, ident: Identifier = IDENT) -> list[dict[str, Any]]:
    found = ident.identify_batch(columns, threads, details=DETAILS)
    assert list(found) == [*COLUMNS, *DETAILS]
    return [row_of(found, i) for i in range(len(columns["raw"]))]


def made(seed: int, count: int) -> dict[str, list[Any]]:
    rnd = random.Random(seed)
    raws: list[Any] = [
        rnd.choice(list(ODD.values())) if rnd.random() < 0.2 else linked(rnd.choice(TEXTS), "utf-8") if rnd.random() < 0.3 else page_of(rnd)
        for _ in range(count)
    ]  # fmt: skip
    return {
        "raw": raws,
        "url": [rnd.choice((None, url_of(rnd), "https://a.example/", "http://b.example/de/")) for _ in raws],
        "headers": [rnd.choice((None, {"content-language": "de"}, {"content-type": "text/html; charset=cp1251"})) for _ in raws],
        "country": [rnd.choice((None, None, "IS", "ZZ")) for _ in raws],
        "host": [rnd.choice((None, {"isl": 30})) for _ in raws],
    }  # fmt: skip


def test_however_a_batch_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = made(51, 200)
    alone = [
        every({name: [value] for name, value in zip(columns, row, strict=True)})[0]
        for row in zip(*columns.values(), strict=True)
    ]
    assert sum(bool(row["outlinks"]) for row in alone) > 30
    assert sum(row["reading"] is not None for row in alone) > 60
    for chunk, threads in ((1000, 1), (64, 1), (64, 3), (7, 2), (1, 2)):
        monkeypatch.setattr(batch, "CHUNK", chunk)
        assert every(columns, threads) == alone, (chunk, threads)


@pytest.mark.parametrize("odd", ODD)
def test_pages_that_go_another_way_in_every_place(odd: str) -> None:
    (wanted,) = every({"raw": [ODD[odd]], "url": ["http://a.example/"]})
    others = [plain(text, i) for i, text in enumerate(TEXTS[:4])]
    expected = every({"raw": others, "url": ["http://a.example/"] * 4})
    for places in ([0], [1], [2], [4], [0, 1], [0, 5], [2, 3], [0, 2, 4]):
        raws: list[Any] = list(others)
        rows = list(expected)
        for place in places:
            raws.insert(place, ODD[odd])
            rows.insert(place, wanted)
        assert every({"raw": raws, "url": ["http://a.example/"] * len(raws)}) == rows, places


def test_details_are_what_a_verdict_explains() -> None:
    """Bits are the weights that a Verdict's evidence has, the text is that of the page as it was scanned."""
    columns = made(52, 150)
    seen = 0
    for row, known in zip(every(columns), zip(*columns.values(), strict=True), strict=True):
        given = {name: value for name, value in zip(columns, known, strict=True) if value is not None}
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
        if row["encoding"] == "utf-8" and row["label"] not in UNANSWERED:
            scanned = markup.read(Page(given["raw"])).text
            assert row["text"] in (scanned, repair(scanned))
            assert row["text_bytes"] == len(row["text"].encode())
    assert seen > 200


def check_reading(row: dict[str, Any]) -> None:
    """The reading that is kept says the same as the columns beside it."""
    _, reading, scan = restored(row["reading"], IDENT.stages)
    priors = IDENT.reader.log_priors
    if scan is None:
        assert row["letters"] == reading.letters
        likeliest = [(n, float(np.float32((log - priors[n]) / NATS))) for n, log in reading.by_text(LIKELIEST)]
        assert row["likeliest"] == likeliest
    else:  # a text that is kept is read anew, with what is known then
        assert 0 < len(scan.text) <= SHORT


def test_sources_that_did_not_speak() -> None:
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
    ]  # long clear text is not asked about
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
    ("text", "encoding", "found"),
    [
        (RUSSIAN, "utf-8", "utf-8"), (RUSSIAN, "cp1251", "windows-1251"), (RUSSIAN, "koi8-r", "koi8-r"), (RUSSIAN, "utf-16", "utf-16le"),
        (JAPANESE, "shift_jis", "shift_jis"), (JAPANESE, "euc_jp", "euc-jp"), (JAPANESE, "iso2022_jp", "iso-2022-jp"),
        (KOREAN, "euc_kr", "euc-kr"), (TEXTS[7], "big5", "big5"), (TEXTS[7], "gb18030", "gbk"),
    ],
)  # fmt: skip
def test_links_and_text_in_every_encoding(text: str, encoding: str, found: str) -> None:
    (row,) = every({"raw": [linked(text, encoding)], "url": ["http://a.example/"]})
    assert row["encoding"] == found
    words = text.split()[0][:6]
    assert row["outlinks"] == [("http://b.example/", words, ""), ("https://c.example", words, "is")]
    assert row["text"] == f"{text * 4}\n{text} {words} {text} {words}own"
    assert row["text_bytes"] == len(row["text"].encode())


def test_addresses_in_an_old_encoding() -> None:
    """Of several bytes a character they are decoded with the page; of one, what is not ASCII cannot be told from UTF-8."""
    page = f"<p>{JAPANESE * 4}<a href=http://b.example/日本>{JAPANESE[:3]}</a>"
    (row,) = every({"raw": [page.encode("shift_jis")]})
    assert row["outlinks"] == [("http://b.example/日本", JAPANESE[:3], "")]


def test_links_of_misread_pages_are_put_right() -> None:
    (row,) = every({"raw": [ODD["misread"]], "url": ["http://a.example/"]})
    assert row["label"] == "rus_Cyrl"
    assert row["outlinks"] == [("http://b.example/", RUSSIAN[:6], ""), ("https://c.example", RUSSIAN[:6], "is")]


def test_declarations_that_name_nothing_and_encodings_of_one_language() -> None:
    heads = ["<html lang=xyzzy>", "<html lang=xyzzy><meta name=language content=de>", "<html lang=de>", "", "<meta charset=windows-1252>",
             "<meta charset=koi8-u>", "<meta charset=utf-8>", "<meta charset=x-nonsense>"]  # fmt: skip
    rows = every({"raw": [f"{head}<p>{ENGLISH}".encode() for head in heads]})
    assert [row["unrecognised"] for row in rows] == ["xyzzy", *[""] * 7]
    assert [row["charset_language"] for row in rows] == ["", "", "", "", "", "ukr_Cyrl", "", ""]


def test_an_empty_batch() -> None:
    found = IDENT.identify_batch({"raw": []}, details=DETAILS)
    assert {name: len(found[name]) for name in DETAILS if name not in ("likeliest", "outlinks")} == dict.fromkeys(
        set(DETAILS) - {"likeliest", "outlinks"}, 0
    )
    assert [part.tolist() for part in found["likeliest"]] == [[0], [], []]
    assert found["outlinks"].pages.tolist() == []
    assert all(texts.starts.tolist() == [0] and texts.data == b"" for texts in found["outlinks"][1:])


def test_what_was_asked_for_and_nothing_else() -> None:
    columns = {"raw": [plain(ENGLISH, 0), ODD["windows-1251"], None]}
    whole = every(columns)
    for name in DETAILS:
        found = IDENT.identify_batch(columns, details=[name])
        assert list(found) == [*COLUMNS, name]
        assert [value_of(found[name], i) for i in range(3)] == [row[name] for row in whole]
    assert list(IDENT.identify_batch(columns)) == list(COLUMNS)


def test_names_that_are_none_are_refused() -> None:
    with pytest.raises(UsageError, match=r"details are of media_type, .*; unknown: bits_gut, colour"):
        IDENT.identify_batch({"raw": [b""]}, details=["colour", "text", "bits_gut"])
    with pytest.raises(UsageError, match="not for an Arrow table"):
        IDENT.identify_batch(pa.table({"raw": pa.array([b"x"])}), details=["text"])


def test_columns_of_arrow_and_nulls_that_cover_bytes() -> None:
    pages = [plain(ENGLISH, 0), None, ODD["windows-1251"], plain(GERMAN, 1)]
    wanted = every({"raw": pages})
    assert every({"raw": pa.array(pages, pa.binary())}) == wanted
    assert every({"raw": pa.array([b"x", *pages], pa.large_binary())[1:]}) == wanted
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
