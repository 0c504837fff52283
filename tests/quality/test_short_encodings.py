"""A few characters without a declaration are read in the encoding that they were written in."""

from __future__ import annotations

from collections import defaultdict

import pytest

import webtongue
from tests.quality.short_encodings import LENGTHS, short_texts

EAST_ASIAN = ("euc-kr", "euc-jp", "shift_jis", "gb18030", "big5", "windows-874")
# Shares of the strings of a length that must be right: in all encodings alike, and in those of East Asia and Thailand.
MIN_ALL = {5: 0.90, 10: 0.97, 20: 0.99, 40: 0.99}
MIN_EAST_ASIAN = {5: 0.93, 10: 0.99, 20: 1.0, 40: 1.0}


@pytest.fixture(scope="module")
def hits() -> dict[tuple[str, int], list[bool]]:
    results: dict[tuple[str, int], list[bool]] = defaultdict(list)
    for item in short_texts():
        results[item.encoding, item.length].append(webtongue.decode(item.raw).text == item.text)
    return results


@pytest.mark.parametrize("length", LENGTHS)
def test_share_of_right_texts(hits: dict[tuple[str, int], list[bool]], length: int) -> None:
    rates = {name: sum(found) / len(found) for (name, size), found in hits.items() if size == length}
    assert len(rates) >= 20
    assert sum(rates.values()) / len(rates) >= MIN_ALL[length], sorted(rates.items(), key=lambda item: item[1])[:8]
    asian = {name: rates[name] for name in EAST_ASIAN}
    assert sum(asian.values()) / len(asian) >= MIN_EAST_ASIAN[length], asian


def test_japanese_is_not_read_as_chinese() -> None:
    for item in short_texts():
        if item.encoding == "euc-jp" and item.length >= 10:
            found = webtongue.detect(item.raw)
            assert (found["encoding"], found["language"]) == ("euc-jp", "ja"), item.text


RUSSIAN = "Библиотека открыта каждый день, кроме воскресенья: с девяти утра до шести вечера.\n" * 3
KNOWN_FAILURE = pytest.mark.xfail(strict=True, reason="KOI8-T has a letter or a dash at this byte")


@pytest.mark.parametrize(
    "sign",
    ["■", "4 √ 2", "│", "▒", pytest.param("─", marks=KNOWN_FAILURE), pytest.param("≈", marks=KNOWN_FAILURE)],
)
def test_russian_with_a_sign_is_not_tajik(sign: str) -> None:
    assert webtongue.decode(f"{RUSSIAN} {sign} {RUSSIAN}".encode("koi8-r")).encoding == "koi8-r"
