"""webtongue.compat.chardet and .charset_normalizer beside chardet and charset-normalizer."""

from __future__ import annotations

import codecs
import io
from pathlib import Path
from typing import Any

import pytest

from tests.compat.comparing import SENTENCES, assert_accepts, outcome, require
from webtongue.charset.detection import byte_model
from webtongue.charset.names import resolve
from webtongue.compat import chardet, charset_normalizer

ENCODED = {
    ("ru", "windows-1251"), ("ru", "koi8-r"), ("pl", "windows-1250"), ("el", "windows-1253"), ("ja", "shift_jis"),
    ("ja", "euc-jp"), ("ko", "euc-kr"), ("de", "utf-8"), ("en", "ascii"), ("th", "cp874"), ("hi", "utf-16"),
}  # fmt: skip
ODD = (b"", bytearray(b"abc"), "text", None, b"\x00\x01\xff\xfe\x80")


@pytest.fixture(params=[chardet, charset_normalizer], ids=["chardet", "charset_normalizer"])
def pair(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    return request.param, require(request.param.__name__.rpartition(".")[2])


def test_signatures(pair: tuple[Any, Any]) -> None:
    ours, theirs = pair
    assert_accepts(ours.detect, theirs.detect)
    for name in ("from_bytes", "from_fp", "from_path", "detect_all", "UniversalDetector"):
        if hasattr(theirs, name):
            assert_accepts(getattr(ours, name), getattr(theirs, name))


@pytest.mark.parametrize(("code", "encoding"), sorted(ENCODED))
def test_answers_decode_the_bytes(pair: tuple[Any, Any], code: str, encoding: str) -> None:
    ours, theirs = pair
    raw = SENTENCES[code].encode(encoding)
    mine, other = ours.detect(raw), theirs.detect(raw)
    assert mine.keys() == other.keys()
    assert [type(mine[key]) for key in ("encoding", "confidence", "language")] == [str, float, str]
    assert raw.decode(mine["encoding"]) == SENTENCES[code]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("code", ["de", "hi"])
def test_byte_order_marks_are_not_part_of_the_text(pair: tuple[Any, Any], code: str, encoding: str) -> None:
    ours, theirs = pair
    raw = SENTENCES[code].encode(encoding)
    assert ours.detect(raw)["encoding"] == theirs.detect(raw)["encoding"].lower() == encoding
    assert raw.decode(ours.detect(raw)["encoding"]) == SENTENCES[code]
    if hasattr(theirs, "from_bytes"):
        mine, other = ours.from_bytes(raw).best(), theirs.from_bytes(raw).best()
        assert (mine.encoding, str(mine)) == (other.encoding, str(other))


@pytest.mark.parametrize(("name", "mark"), [("utf-16-be", codecs.BOM_UTF16_BE), ("utf-32-be", codecs.BOM_UTF32_BE)])
def test_big_endian_marks_are_not_part_of_the_text(name: str, mark: bytes) -> None:
    raw = mark + SENTENCES["de"].encode(name)
    assert raw.decode(chardet.detect(raw)["encoding"]) == SENTENCES["de"]


@pytest.mark.parametrize("raw", ODD)
def test_same_outcome_for_odd_input(pair: tuple[Any, Any], raw: Any) -> None:
    ours, theirs = pair
    assert outcome(lambda: ours.detect(raw)) == outcome(lambda: theirs.detect(raw))
    if isinstance(raw, bytes) and raw:
        assert ours.detect(raw)["encoding"] is theirs.detect(raw)["encoding"] is None


def test_languages_are_codes_in_one_and_names_in_the_other() -> None:
    raw = SENTENCES["pl"].encode("cp1250")
    assert chardet.detect(raw)["language"] == "pl"
    assert charset_normalizer.detect(raw)["language"] == "Polish"


def test_names_are_those_of_python_codecs_where_there_is_one() -> None:
    for name in byte_model.load().classes:
        encoding = resolve(name)
        if encoding is not None and encoding.codec:
            assert codecs.lookup(chardet.PYTHON_NAMES.get(name, name))


def test_bytes_in_parts() -> None:
    theirs = require("chardet").UniversalDetector()
    ours = chardet.UniversalDetector()
    assert ours.result == theirs.result and ours.done is theirs.done is False
    raw = SENTENCES["ru"].encode("koi8-r")
    for detector in (ours, theirs):
        for at in range(0, len(raw), 7):
            detector.feed(raw[at : at + 7])
    assert ours.close()["encoding"] == theirs.close()["encoding"].lower() == "koi8-r"
    assert ours.done is theirs.done is True
    ours.reset()
    ours.feed(b"x" * 300_000)
    assert ours.done and ours.close() == ours.result == chardet.detect_all(b"x" * 200_000)[0]


def test_binary_data(tmp_path: Path) -> None:
    theirs = require("charset_normalizer")
    assert_accepts(charset_normalizer.is_binary, theirs.is_binary)
    path = tmp_path / "file"
    for raw, expected in ((SENTENCES["de"].encode(), False), (b"", False), (b"\x00\x01\xff\xfe\x80" * 50, True)):
        path.write_bytes(raw)
        for source in (raw, bytearray(raw), path, str(path)):
            assert charset_normalizer.is_binary(source) == theirs.is_binary(source) == expected
        assert charset_normalizer.is_binary(io.BytesIO(raw)) is expected


def test_matches(tmp_path: Path) -> None:
    raw = SENTENCES["pl"].encode("cp1250")
    path = tmp_path / "page.txt"
    path.write_bytes(raw)
    theirs = require("charset_normalizer").from_bytes(raw).best()
    for matches in (
        charset_normalizer.from_bytes(raw),
        charset_normalizer.from_path(path),
        charset_normalizer.from_fp(io.BytesIO(raw)),
    ):
        best = matches.best()
        assert best is not None and best is matches.first()
        assert (best.encoding, str(best), best.language) == (theirs.encoding, str(theirs), theirs.language)
        assert best.raw == raw and best.output() == SENTENCES["pl"].encode() == theirs.output()
        assert best.output("ascii").count(b"?") > 3
    assert charset_normalizer.from_bytes(b"\x00\x01\xff\xfe\x80").best() is None
