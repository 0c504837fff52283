"""Tests of junk detection: the kernel equals its twin, and cases written by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twins.text import junk as twin
from webtongue._kernel import junk_features, look_for_junk

CASES = [json.loads(line) for line in (Path(__file__).parents[2] / "data" / "junk.jsonl").read_text().splitlines()]
PIECES = [
    "word", "Two Words", "it's", "well-known", "(so)", "«да»", "слово", "Имя Фамилия", "ไทย", "中文，没有空格", "é", "Ñ", "—", "😀",
    "\ufffd", "\ue000", "fooBar", "snake_case", "a.b.c", "x=1;", "{", "}", "};\n", "f(x)", "[]", '{"a": 1}', '"k":"v",', "<p>", "</a>",
    'a="b"', "=>", "::", "!=", "12px", "3em", "100vh", "3.14", "1,000", "12:30", "10kg", "0xFF", "https://a.example/b", "me@ex.org",
    "www.ex.org.uk", "/usr/lib/x", "deadbeef01234567", "QmFzZTY0IGVuY29kZWQ9PQ", "return", "sizeof(", "brrr", "strč", "#tag", "@me", "$1",
    "A" * 50, "a" * 45, "7abibi", "mu2tamar", "(al-3asifa),", "m4", "Ba11a", "John Smith, ", "Ada Byron\n", " ", "  ", "\t", "\n", "\r\n", "\f", "\v", "\0", "SELECT", "FROM", "WHERE", "LIMIT", "\xa0", "\u2003", "\u3000", "\x85", ",", ";", "-", "'", "!", "&", "_",
]  # fmt: skip

texts = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=60).map("".join).map(str.encode),
    st.lists(st.sampled_from(PIECES), max_size=60).map(" ".join).map(str.encode),
    st.text(max_size=200).map(lambda t: t.encode("utf-8", "replace")),
    st.binary(max_size=200),
)


@settings(max_examples=1000)
@given(texts)
def test_equals_the_twin(text: bytes) -> None:
    assert junk_features(text) == twin.junk_features(text)
    assert look_for_junk(text) == twin.look_for_junk(text)


@settings(max_examples=60)
@given(st.lists(texts, min_size=1, max_size=8), st.integers(1, 400))
def test_twin_on_long_text(parts: list[bytes], times: int) -> None:
    text = (b" ".join(parts) * times)[:40_000]
    assert look_for_junk(text) == twin.look_for_junk(text)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["label"])
def test_cases_written_by_hand(case: dict[str, str]) -> None:
    score, kind = look_for_junk(case["text"].encode())
    if case.get("known_failure"):
        pytest.xfail(case["known_failure"])
    assert (score > 0) == (case["expect"] != "language"), (score, kind)
    assert kind in case.get("kinds", [case["expect"]]) or case["expect"] in ("language", "any"), (score, kind)


def test_empty_text_is_not_junk() -> None:
    assert look_for_junk(b"")[0] <= 0
