"""Converting font-coded text: the kernel against its twin, and on any bytes."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twins.fonts import convert as twin
from webtongue.fonts.tables import font, named


@settings(max_examples=300)
@given(data=st.data(), name=st.sampled_from(sorted(named())))
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
