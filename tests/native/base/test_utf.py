"""UTF-8 against Python's codec."""

from __future__ import annotations

from array import array

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.twins.base import utf
from webtongue import _kernel

tricky = st.lists(
    st.one_of(
        st.sampled_from(
            [b"\xc0", b"\xc2", b"\xe0\x80", b"\xe0\xa0", b"\xed\xa0\x80", b"\xf0\x90", b"\xf4\x90", b"\xf5", b"\x80"]
        ),
        st.text(max_size=20).map(lambda s: s.encode("utf-8", "replace")),
        st.binary(max_size=3),
    ),
    max_size=12,
).map(b"".join)


@settings(max_examples=1200)
@given(raw=tricky)
@example(raw=b"\xf0\x90\x80")
def test_utf8(raw: bytes) -> None:
    assert _kernel.check_utf8(raw) == utf.check_utf8(raw)


@settings(max_examples=300)
@given(raw=st.binary(max_size=80).map(lambda b: b.translate(None, b"\0")))
def test_single_byte_while_scanning(raw: bytes) -> None:
    assume(not _kernel.find_bom(raw)[1])  # a mark is no text
    high = array("H", [ord(bytes([b]).decode("koi8-r")) for b in range(0x80, 0x100)])
    decoded = _kernel.scan(raw, 3, False, True, high)
    first = _kernel.scan(raw.decode("koi8-r").encode(), 3, False, True)
    assert (decoded.text, decoded.blocks()[0].tolist()) == (first.text, first.blocks()[0].tolist())
