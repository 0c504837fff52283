"""Spans of UTF-8 among other bytes: the kernel equals its twin."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from tests.twins.charset import utf8_spans as twin
from webtongue import _kernel
from webtongue.charset.mixed import ANY_EVIDENCE, HIGH_EVIDENCE

ROWS = [tuple(round(100 * nats) for nats in row) for row in (ANY_EVIDENCE, HIGH_EVIDENCE)]
PIECES = [
    "für".encode(), "é".encode(), "Привет мир".encode(), "日本語".encode(), "😀".encode(), "\ufffd".encode(), "Привет".encode("cp1251"),
    "日本語".encode("shift_jis"), "한국어".encode("euc-kr"), "é".encode("cp1252"), b" plain words ", b"\n", b"\xe0\x80\x80",
    b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xf5", b"\xc3", b"\xbf",
]  # fmt: skip


def test_equals_its_twin() -> None:
    chance = random.Random(7)
    for _ in range(3000):
        text = b"".join(chance.choices(PIECES, k=chance.randrange(30)))
        row = chance.choice(ROWS)
        assert _kernel.find_utf8_spans(text, *row) == twin.find_utf8_spans(text, *row), text


@given(st.binary(max_size=80), st.tuples(*[st.integers(-500, 2000)] * 6))
def test_any_bytes_equal_their_twin(text: bytes, row: tuple[int, int, int, int, int, int]) -> None:
    assert _kernel.find_utf8_spans(text, *row) == twin.find_utf8_spans(text, *row)
