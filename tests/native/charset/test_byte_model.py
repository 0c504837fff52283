"""The kernel's byte model equals its twin."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twins.charset import byte_model as twin
from tests.twins.charset.encoding_ranking import detect
from tests.twins.charset.multibyte import count_multibyte
from webtongue import _kernel
from webtongue.charset.detection import byte_model
from webtongue.lab.train.encodings.file import read_sections

MODEL = byte_model.load()
TWIN = twin.Model(read_sections(byte_model.DEFAULT))
WORDS = [
    "Příliš žluťoučký kůň".encode("cp1250"), "съешь ещё этих мягких".encode("koi8-r"), "Ελληνικά, Άρθρο".encode("iso8859-7"),
    "日本語の文章".encode("cp932"), "日本語の文章".encode("euc_jp"), "한국어 문장".encode("cp949"), "中文网页".encode("gb18030"),
    "繁體中文".encode("big5"), "𠮷€".encode("gb18030"), b"plain words ", b" ", b"\n", b"1984 ", b"\x1a", b"\xff", b"\x80",
    "Straße, Größe".encode("cp1252"), "çılgın ağaç".encode("cp1254"),
]  # fmt: skip
pages = st.lists(st.sampled_from(WORDS) | st.binary(max_size=6), max_size=30).map(b"".join)
rules = st.builds(
    twin.Rule,
    st.just(TWIN.rule.map),
    st.integers(0, 15),
    st.integers(0, 15),
    st.booleans(),
    st.sampled_from([1, 20, 4096]),
)


@settings(max_examples=300)
@given(text=pages, rule=rules)
def test_ngrams(text: bytes, rule: twin.Rule) -> None:
    keys, starts = _kernel.byte_ngrams([text], rule.map, rule.high, rule.plain, rule.everywhere, rule.max_ngrams)
    assert keys.tolist() == twin.ngrams(text, rule)
    assert starts.tolist() == [0, len(keys)]


@settings(max_examples=300)
@given(text=pages, kind=st.integers(1, 7))
def test_multibyte_counts(text: bytes, kind: int) -> None:
    assert _kernel.check_multibyte(text, kind) == count_multibyte(text, kind)


@settings(max_examples=200)
@given(text=pages)
def test_score(text: bytes) -> None:
    totals, known = MODEL.kernel.score(text)
    assert (totals, known) == TWIN.score(text)


@settings(max_examples=200)
@given(text=pages)
def test_costs_of_characters(text: bytes) -> None:
    assert MODEL.kernel.character_costs(text) == [TWIN.costs.cost(text, k) for k in range(len(TWIN.kinds))]


@settings(max_examples=200)
@given(text=pages)
def test_log_odds_of_text(text: bytes) -> None:
    odds = [MODEL.kernel.text_log_odds(text, k) for k in range(len(TWIN.kinds))]
    assert odds == [128 * TWIN.costs.odds(text, k) for k in range(len(TWIN.kinds))]


@settings(max_examples=200)
@given(text=pages)
def test_stray_bytes(text: bytes) -> None:
    for k, kind in enumerate(TWIN.kinds):
        if 0 < kind < 8:
            good = count_multibyte(text, kind)
            may_have = good[2] or good[4] * 1024 < (good[4] + good[5]) * 717
            assert MODEL.kernel.find_strays(text, k) == (TWIN.costs.divide(text, kind)[2] if may_have else [])


@settings(max_examples=200)
@given(text=pages, declared=st.sampled_from(["", "koi8-r", "windows-1250", "shift_jis", "gbk"]))
def test_detect(text: bytes, declared: str) -> None:
    offsets = byte_model.offsets_for((declared,))
    guesses, _, high, _ = MODEL.kernel.detect(text, offsets, 4)
    expected = detect(TWIN, text, offsets.tolist(), 4)
    assert high == sum(c >= 0x80 for c in text)
    assert [number for number, _ in guesses] == [number for number, _ in expected]
    for (_, log), (_, other) in zip(guesses, expected, strict=True):
        assert abs(log - other) <= 1  # two ways of rounding


def test_invalid_model_files_are_rejected(tmp_path: object) -> None:
    raw = byte_model.DEFAULT.read_bytes()
    for broken in (b"", raw[:100], raw[:-1], b"X" + raw[1:], raw[:8] + b"\xff\xff\xff\xff" + raw[12:]):
        with pytest.raises(ValueError):
            _kernel.ByteModel(array("B", broken))


def test_offsets_must_match_the_classes() -> None:
    with pytest.raises(ValueError, match="offsets"):
        MODEL.kernel.detect(b"x", array("i", [0]), 1)
