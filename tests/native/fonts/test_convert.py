"""Converting font-encoded_text text: the kernel against its twin, and on any bytes."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twins.fonts import convert as twin
from webtongue.fonts.tables import all_fonts, load_font


@settings(max_examples=300)
@given(data=st.data(), name=st.sampled_from(sorted(all_fonts())))
def test_equals_its_twin(data: st.DataObject, name: str) -> None:
    font = load_font(name)
    fragments = st.sampled_from([g.sequence for g in font.glyphs] + [g.text for g in font.glyphs]) | st.text(max_size=2)
    text = "".join(data.draw(st.lists(fragments, max_size=25))).encode("utf-8", "replace").decode()
    assert font.convert(text) == twin.convert(font, text)


def test_any_bytes_become_utf8_with_the_same_lines() -> None:
    rng = random.Random(1)
    for font in all_fonts().values():
        converted = font.convert_utf8(bytes(rng.randrange(256) for _ in range(2000)))
        converted.decode()  # the output is always UTF-8
        lines = b"\n".join(g.sequence.encode() for g in font.glyphs)
        assert font.convert_utf8(lines).count(b"\n") == lines.count(b"\n")


def test_overlong_forms_are_no_line_ends() -> None:
    text = b"a\xc0\x8ab\xe0\x80\x8ac\xf0\x80\x80\x8ad\n"
    for font in all_fonts().values():
        assert font.convert_utf8(text).count(b"\n") == 1
