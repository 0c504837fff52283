"""Every font's table against known strings and its encoder."""

from __future__ import annotations

import random
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from tests.cases import rows
from tests.fonts.texts import TEXTS
from webtongue.fonts.encode import encode
from webtongue.fonts.tables import font, named

CASES = list(rows(Path(__file__).parent.parent / "data" / "fonts.jsonl"))
NAMES = sorted(named())


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['font']} {case['text']}")
def test_known_strings(case: dict[str, str]) -> None:
    assert font(case["font"]).convert(case["coded"]) == unicodedata.normalize("NFC", case["text"])


def test_every_table_has_ten_known_strings() -> None:
    """Ten that another source than the table's author confirms."""
    confirmed = Counter(case["font"] for case in CASES if not case["origin"].startswith("written from memory"))
    assert set(confirmed) == set(NAMES)
    assert min(confirmed.values()) >= 10


@pytest.mark.parametrize("name", NAMES)
def test_round_trip(name: str) -> None:
    of = font(name)
    for label in set(of.languages) & set(TEXTS):
        text = unicodedata.normalize("NFC", TEXTS[label])
        for variety in (None, random.Random(5)):
            coded = encode(text, of, variety)
            assert coded is not None
            assert unicodedata.normalize("NFC", of.convert(coded)) == text
            assert coded != text


@pytest.mark.parametrize("name", NAMES)
def test_tables_are_well_formed(name: str) -> None:
    of = font(name)
    for glyph in of.glyphs:
        assert glyph.sequence
        assert glyph.kind in ("", "pre", "reph", "sub")
        assert unicodedata.is_normalized("NFC", glyph.text)
    assert of.encoding == f"x-font-{name}"
    assert of.languages and of.names
