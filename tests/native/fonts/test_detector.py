"""Detection of fonts: the kernel equals its twin, and any bytes are accepted."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fonts.texts import ORDINARY, TEXTS, encoded_text
from tests.twins.fonts.detector import FontDetector
from webtongue.fonts import detect
from webtongue.fonts.tables import all_fonts


@settings(max_examples=150)
@given(raw=st.binary(max_size=300))
def test_any_bytes_are_accepted(raw: bytes) -> None:
    model = detect.load()
    model.may_have_font_text(raw)
    fonts, margins = model.lines(raw, 0)
    assert len(fonts) == len(margins) == raw.count(b"\n") + 1
    for number in range(len(model.names) + 2):
        assert len(model.lines(raw, number)[0]) == len(fonts)
        characters, own, font, ordinary = model.fit(raw, number)
        assert 0 <= own <= characters <= 2 * len(raw)
        assert font >= ordinary


def test_equals_its_twin() -> None:
    twin = FontDetector(detect.DEFAULT)
    rng = random.Random(2)
    texts = [*ORDINARY, *TEXTS.values(), *(encoded_text(name) for name in all_fonts())]
    for text in texts:
        for raw in (
            text.encode(),
            text[:40].encode(),
            text.encode("utf-16-le"),
            bytes(rng.randbytes(80)),
            text.encode() * 30,
        ):
            assert detect.load().may_have_font_text(raw) == twin.may_have_font(raw)
            for number in (0, 1, 5, len(twin.names) - 1):
                assert tuple(detect.load().lines(raw, number)) == twin.lines(raw, number)
                assert detect.load().fit(raw, number) == twin.fit(raw, number)
    assert detect.load().typical == twin.typical
