"""UTF-16 and UTF-32 decoded unit by unit."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from webtongue.charset.wide import WIDE_ENCODINGS, to_utf8

UNITS = st.lists(st.sampled_from([0x41, 0xE9, 0x4E2D, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xFFFF, 0]), max_size=12)
CODES = st.lists(st.sampled_from([0x41, 0x1F600, 0xD800, 0xDFFF, 0x10FFFF, 0x110000, 0xFFFFFFFF]), max_size=6)


def from_utf16(raw: bytes, big_endian: bool) -> bytes:
    """Decode unit by unit: a lone surrogate or a lone last byte is one U+FFFD (Python's codec drops differently)."""
    order = "big" if big_endian else "little"
    units = [int.from_bytes(raw[i : i + 2], order) for i in range(0, len(raw) - 1, 2)]
    out = []
    at = 0
    while at < len(units):
        pair = b"".join(u.to_bytes(2, "big") for u in units[at : at + 2])
        unit = units[at]
        if 0xD800 <= unit < 0xDC00 and at + 1 < len(units) and 0xDC00 <= units[at + 1] < 0xE000:
            out.append(pair.decode("utf-16-be"))
            at += 2
        else:
            out.append("\ufffd" if 0xD800 <= unit < 0xE000 else chr(unit))
            at += 1
    return "".join(out + ["\ufffd"] * (len(raw) % 2)).encode()


def from_utf32(raw: bytes, big_endian: bool) -> bytes:
    order = "big" if big_endian else "little"
    out = []
    for i in range(0, len(raw) - 3, 4):
        code = int.from_bytes(raw[i : i + 4], order)
        out.append("\ufffd" if code > 0x10FFFF or 0xD800 <= code < 0xE000 else chr(code))
    return "".join(out + ["\ufffd"] * bool(len(raw) % 4)).encode()


@settings(max_examples=600)
@given(raw=UNITS.map(lambda u: b"".join(x.to_bytes(2, "big") for x in u)) | st.binary(max_size=40), big=st.booleans())
def test_utf16(raw: bytes, big: bool) -> None:
    assert to_utf8(raw, WIDE_ENCODINGS[big]) == from_utf16(raw, big)


@settings(max_examples=600)
@given(
    raw=CODES.map(lambda u: b"".join(x.to_bytes(4, "little") for x in u)) | st.binary(max_size=40), big=st.booleans()
)
def test_utf32(raw: bytes, big: bool) -> None:
    assert to_utf8(raw, WIDE_ENCODINGS[2 + big]) == from_utf32(raw, big)


@settings(max_examples=300)
@given(text=st.text(max_size=50))
def test_well_formed_text_is_kept(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    for name in WIDE_ENCODINGS:
        assert to_utf8(text.encode(name), name).decode() == text
