"""Unicode encodings against Python's codecs."""

from __future__ import annotations

from array import array

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.twins import utf
from webtongue import _kernel

tricky = st.lists(
    st.one_of(
        st.sampled_from([b"\xc0", b"\xc2", b"\xe0\x80", b"\xe0\xa0", b"\xed\xa0\x80", b"\xf0\x90", b"\xf4\x90", b"\xf5", b"\x80"]),
        st.text(max_size=20).map(lambda s: s.encode("utf-8", "replace")),
        st.binary(max_size=3),
    ),
    max_size=12,
).map(b"".join)


@settings(max_examples=1200, deadline=None)
@given(raw=tricky)
@example(raw=b"\xf0\x90\x80")
def test_utf8(raw: bytes) -> None:
    assert _kernel.repair_utf8(raw) == utf.repair_utf8(raw)
    assert _kernel.check_utf8(raw) == utf.check_utf8(raw)


units = st.lists(st.sampled_from([0x41, 0xE9, 0x4E2D, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xFFFF, 0]), max_size=12)


@settings(max_examples=600, deadline=None)
@given(raw=units.map(lambda u: b"".join(x.to_bytes(2, "big") for x in u)) | st.binary(max_size=40), big=st.booleans())
def test_utf16(raw: bytes, big: bool) -> None:
    assert _kernel.utf16_to_utf8(raw, big) == utf.from_utf16(raw, big)


@settings(max_examples=600, deadline=None)
@given(raw=st.text(max_size=12).map(lambda s: s.encode("utf-32-le", "replace")) | st.binary(max_size=40), big=st.booleans())
def test_utf32(raw: bytes, big: bool) -> None:
    assert _kernel.utf32_to_utf8(raw, big) == utf.from_utf32(raw, big)


@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=50))
def test_well_formed_text_comes_through(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    assert _kernel.repair_utf8(text.encode()).decode() == text
    assert _kernel.utf16_to_utf8(text.encode("utf-16-le"), False).decode() == text
    assert _kernel.utf32_to_utf8(text.encode("utf-32-be"), True).decode() == text


@settings(max_examples=300, deadline=None)
@given(raw=st.binary(max_size=80))
def test_single_byte(raw: bytes) -> None:
    high = array("H", [ord(bytes([b]).decode("koi8-r")) for b in range(0x80, 0x100)])
    assert _kernel.single_byte_to_utf8(raw, high).decode() == raw.decode("koi8-r")
