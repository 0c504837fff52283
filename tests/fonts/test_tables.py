"""The table font every font, compared with known strings and with its encoder."""

from __future__ import annotations

import random
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from tests.cases import rows
from tests.fonts.texts import TEXTS
from webtongue.fonts.encode import encode
from webtongue.fonts.tables import all_fonts, load_font

CASES = list(rows(Path(__file__).parent.parent / "data" / "fonts.jsonl"))
NAMES = sorted(all_fonts())


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['font']} {case['text']}")
def test_known_strings(case: dict[str, str]) -> None:
    assert load_font(case["font"]).convert(case["coded"]) == unicodedata.normalize("NFC", case["text"])


def test_every_table_has_ten_known_strings() -> None:
    """At least ten strings are confirmed by another source than the table's author."""
    confirmed = Counter(case["font"] for case in CASES if not case["origin"].startswith("written from memory"))
    assert set(confirmed) == set(NAMES)
    assert min(confirmed.values()) >= 10


@pytest.mark.parametrize("name", NAMES)
def test_round_trip(name: str) -> None:
    font = load_font(name)
    for label in set(font.languages) & set(TEXTS):
        text = unicodedata.normalize("NFC", TEXTS[label])
        for variety in (None, random.Random(5)):
            encoded_text = encode(text, font, variety)
            assert encoded_text is not None
            assert unicodedata.normalize("NFC", font.convert(encoded_text)) == text
            assert encoded_text != text


@pytest.mark.parametrize("name", NAMES)
def test_tables_are_well_formed(name: str) -> None:
    font = load_font(name)
    for glyph in font.glyphs:
        assert glyph.sequence
        assert glyph.kind in ("", "pre", "reph", "sub")
        assert unicodedata.is_normalized("NFC", glyph.text)
    assert font.encoding == f"x-font-{name}"
    assert font.languages and font.names
