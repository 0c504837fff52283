"""The quick check of a page's bytes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import webtongue
from webtongue import _kernel

HEAD, TILDE_HEAD = 4096, 1 << 14
CONTROLS = {c for c in range(0x20) if c not in b"\t\n\v\f\r\x1b"} | {0x7F}
chunk = st.sampled_from([b"\0", b"a\0", b"\0\0\0b", b"\x1b", b"~{", b"~", b"\x7f", b"text " * 50, b"\x01", b"y" * 4000])


PADDING = re.compile(rb"\0{6,}|\0{4,}\Z")


@settings(max_examples=400)
@given(page=st.lists(chunk | st.binary(max_size=8), max_size=12).map(b"".join))
def test_probe(page: bytes) -> None:
    probe = _kernel.probe(page)
    start = match.end() if (match := PADDING.match(page)) else 0
    stop = min(len(page), start + HEAD)
    fills = [match.span() for match in PADDING.finditer(page, start, stop) if match.end() < stop or stop == len(page)]
    fills += [(at, stop) for at in _cut_padding(page, start, stop)]
    filled = {at for begin, end in fills for at in range(begin, end)}
    head = {at: page[at] for at in range(start, stop) if at not in filled}
    assert probe.head == len(head) + len(fills)
    assert probe.nuls == tuple(sum(c == 0 for at, c in head.items() if at % 4 == i) for i in range(4))
    assert probe.controls == sum(c in CONTROLS for c in head.values()) + len(fills)
    assert probe.escape == (b"\x1b" in page)
    assert probe.tilde_brace == (b"~{" in page[:TILDE_HEAD])


def _cut_padding(page: bytes, start: int, stop: int) -> list[int]:
    """Return the positions of NULs that are padding at the end of the sample of a longer page."""
    size = len(page[start:stop]) - len(page[start:stop].rstrip(b"\0"))
    return [stop - size] if size > 5 and stop < len(page) else []


@pytest.mark.parametrize("count", [1, 3, 5, 20, 100, 1000, 5000])
def test_padding_is_not_binary(count: int) -> None:
    page = b"<html><p>My neighbour repairs old bicycles in his garage and sells them again in spring.</p></html>"
    for padded in (page + b"\0" * count, b"\0" * count + page, page[:60] + b"\0" * count + page[60:]):
        verdict = webtongue.identify(padded)
        assert (verdict.label, verdict.encoding) == ("eng_Latn", "utf-8")
    for codec in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
        wide = page.decode().encode(codec)
        assert webtongue.identify(wide + bytes(count * 4)).label == "eng_Latn"


def test_archive_is_binary() -> None:
    header = (
        b"notes.txt" + bytes(91) + b"0000644\0" + b"0001750\0" * 2 + b"00000000123\0" * 2 + b"012345\0 0" + bytes(100)
    )
    assert (
        webtongue.identify((header + b"ustar\x0000" + bytes(240) + b"A line of text." + bytes(497)) * 4).label == "zxx"
    )
