"""Whether text is drawn by a font, and by which: the kernel against its twin, and on any bytes."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fonts.texts import ORDINARY, TEXTS, coded
from tests.twins.fonts.guess import Twin
from webtongue.fonts import guess
from webtongue.fonts.tables import named


@settings(max_examples=150)
@given(raw=st.binary(max_size=300))
def test_any_bytes_are_looked_at(raw: bytes) -> None:
    model = guess.load()
    model.suspects_text(raw)
    fonts, margins = model.lines(raw, 0)
    assert len(fonts) == len(margins) == raw.count(b"\n") + 1
    for number in range(len(model.names) + 2):
        assert len(model.lines(raw, number)[0]) == len(fonts)


def test_guess_equals_twin() -> None:
    twin = Twin(guess.DEFAULT)
    chance = random.Random(2)
    texts = [*ORDINARY, *TEXTS.values(), *(coded(name) for name in named())]
    for text in texts:
        for raw in (
            text.encode(),
            text[:40].encode(),
            text.encode("utf-16-le"),
            bytes(chance.randbytes(80)),
            text.encode() * 30,
        ):
            assert guess.load().suspects_text(raw) == twin.suspects(raw)
            for number in (0, 1, 5, len(twin.names) - 1):
                assert tuple(guess.load().lines(raw, number)) == twin.lines(raw, number)
