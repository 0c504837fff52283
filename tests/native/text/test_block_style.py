"""Styles of blocks equal their twin's, and cases written by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twins.text import block_style as twin
from webtongue._kernel import block_style

TOKENS = [
    "word", "Name", "van", "J.", "D.J.", "R.E.M.", "it's", "Jean-Luc", "(so)", "AT&T", "a.b", "x=1", "i386", "1.5", "2003/01/31", "12:30",
    "$", "$OpenBSD:", "Exp", "lib.so", "слово", "Имя", "日本語", "العربية", "é", "—", "₫", "a,b", "O'Neill", "A.b.c", "Mr.", "\xa0", "the\xa0word", "Anna\u2003Weber", "\u3000",
]  # fmt: skip


@settings(max_examples=1000)
@given(st.lists(st.sampled_from(TOKENS), max_size=9).map(" ".join))
def test_equals_the_twin(block: str) -> None:
    assert block_style(block.encode()) == twin.style_of(block)


@pytest.mark.parametrize(
    ("block", "style"),
    [
        ("Clint Adam Smith", twin.NAMES),
        ("Taco van Ieperen", twin.NAMES),
        ("D. J. Bernstein, autor programa qmail.", twin.RUNNING),
        ("Ispravka za pouzdanost", twin.RUNNING),
        ("セキュリティ", twin.RUNNING),
        ("irssi-0.8.9.tgz i386", twin.CODES),
        ("$OpenBSD: 1.4 2003/01/31 12:52:20 jufi Exp $", twin.CODES),
        ("Giá: 1.700.000 ₫", twin.FRAGMENT),
        ("Kontakt", twin.FRAGMENT),
        ("", twin.CODES),
        ("John Smith, " * 10, twin.RUNNING),
    ],
)
def test_cases(block: str, style: int) -> None:
    assert block_style(block.encode()) == style
