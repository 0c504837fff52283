"""Random bytes are no language, and a few stray bytes do not hide one."""

from __future__ import annotations

import pytest

import webtongue
from tests.quality.damaged_bytes import damaged_pages, random_strings, tamil_and_vietnamese

STRINGS = 120  # random strings of each length and alphabet
MAX_NAMED_SHARE = 0.02  # random strings of 12 to 200 bytes that get a language at all
MIN_RIGHT_SHARE = 0.98
MIN_SHORT_SHARE = 0.98


def test_random_bytes_are_no_language() -> None:
    verdicts = [(raw, webtongue.identify(raw)) for raw in random_strings(STRINGS)]
    assert [(raw, v.label, v.encoding) for raw, v in verdicts if v.reliable] == []
    named = [v.label for _, v in verdicts if v.label not in ("und", "zxx")]
    assert len(named) <= MAX_NAMED_SHARE * len(verdicts), len(named) / len(verdicts)


@pytest.mark.parametrize("declared", [True, False])
def test_stray_bytes_do_not_hide_the_encoding(declared: bool) -> None:
    pages = list(damaged_pages(declared=declared))
    verdicts = [(page, webtongue.identify(page.raw)) for page in pages]
    wrong = [(page.raw, v.label, v.encoding) for page, v in verdicts if v.label[:3] != page.language]
    assert [v.label for page, v in verdicts if v.reliable and v.label[:3] != page.language] == []
    assert len(wrong) <= (1 - MIN_RIGHT_SHARE) * len(pages), wrong[:5]
    wrong_encodings = [v.encoding for page, v in verdicts if v.encoding != page.encoding]
    assert len(wrong_encodings) <= (1 - MIN_RIGHT_SHARE) * len(pages), wrong_encodings


def test_short_tamil_and_vietnamese_stay_right() -> None:
    pages = list(tamil_and_vietnamese())
    wrong = [(page.encoding, page.raw) for page in pages if webtongue.identify(page.raw).label[:3] != page.language]
    assert len(wrong) <= (1 - MIN_SHORT_SHARE) * len(pages), (len(wrong), len(pages), wrong[:8])


def test_stray_bytes_become_replacement_characters() -> None:
    text = "图书馆每天早上九点开门。"
    raw = text.encode("gbk")
    decoded = webtongue.decode(raw[:8] + b"\xff" + raw[8:]).text
    assert decoded == text[:4] + "\ufffd" + text[4:]
