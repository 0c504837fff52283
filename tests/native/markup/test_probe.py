"""The first look at a page."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from webtongue import _kernel

HEAD, TILDE_HEAD = 4096, 1 << 14
CONTROLS = {c for c in range(0x20) if c not in b"\t\n\v\f\r\x1b"} | {0x7F}
chunk = st.sampled_from([b"\0", b"a\0", b"\0\0\0b", b"\x1b", b"~{", b"~", b"\x7f", b"text " * 50, b"\x01", b"y" * 4000])


@settings(max_examples=400)
@given(page=st.lists(chunk | st.binary(max_size=8), max_size=12).map(b"".join))
def test_probe(page: bytes) -> None:
    found = _kernel.probe(page)
    head = page[:HEAD]
    assert found.head == len(head)
    assert found.nuls == tuple(head[i::4].count(0) for i in range(4))
    assert found.controls == sum(c in CONTROLS for c in head)
    assert found.escape == (b"\x1b" in page)
    assert found.tilde_brace == (b"~{" in page[:TILDE_HEAD])
