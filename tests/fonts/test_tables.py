"""Every font's table against known strings, its encoder, and the kernel against its twin."""

from __future__ import annotations

import random
import unicodedata
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import rows
from tests.fonts.texts import TEXTS
from tests.twins.fonts import convert as twin
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


@settings(max_examples=300)
@given(data=st.data(), name=st.sampled_from(NAMES))
def test_kernel_equals_twin(data: st.DataObject, name: str) -> None:
    of = font(name)
    pieces = st.sampled_from([g.sequence for g in of.glyphs] + [g.text for g in of.glyphs]) | st.text(max_size=2)
    text = "".join(data.draw(st.lists(pieces, max_size=25))).encode("utf-8", "replace").decode()
    assert of.convert(text) == twin.convert(of, text)


def test_nothing_is_lost_on_any_bytes() -> None:
    chance = random.Random(1)
    for of in named().values():
        out = of.convert_utf8(bytes(chance.randrange(256) for _ in range(2000)))
        out.decode()  # UTF-8 whatever came in
        lines = b"\n".join(g.sequence.encode() for g in of.glyphs)
        assert of.convert_utf8(lines).count(b"\n") == lines.count(b"\n")
