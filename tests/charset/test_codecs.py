"""Decoding of encodings other than UTF-8."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webtongue.charset.codecs import decode, single_byte_table
from webtongue.charset.names import known_labels, resolve
from webtongue.markup.rescan import decode_scan

HTML = 0  # the kernel's number
NAMES = sorted({resolve(label).name for label in known_labels()} - {"replacement"})
READABLE = [
    name
    for name in NAMES
    if resolve(name) and not name.startswith(("utf-16", "utf-32", "utf-7", "iso-2022", "hz", "tam"))
]


@pytest.mark.parametrize("name", READABLE)
def test_ascii_and_line_feeds_are_kept(name: str) -> None:
    """The kernel cuts text before it is decoded: line feeds and placeholders must be kept after any bytes."""
    plain = bytes(range(0x20, 0x5C)) + b"]^_" + bytes(range(0x61, 0x7E))
    assert decode(plain, name).isascii()
    for lead in (0x80, 0x81, 0xA1, 0xC3, 0xE0, 0xF0, 0xFE, 0xFF):
        raw = bytes([lead]) + b"\nx\x1ay"
        assert decode(raw, name).count("\n") == 1, hex(lead)
        assert decode(raw, name).count("\x1a") == 1, hex(lead)


@settings(max_examples=300)
@given(raw=st.binary(max_size=60), name=st.sampled_from(READABLE))
def test_any_bytes_are_decoded_to_utf8(raw: bytes, name: str) -> None:
    decode(raw, name).encode()
    decode_scan(b"<p>" + raw, HTML, name).text.decode()


@pytest.mark.parametrize(
    "name", ["koi8-r", "iso-8859-2", "windows-1253", "ibm866", "macintosh", "shift_jis", "big5", "euc-kr", "gb18030"]
)
def test_equals_python_codec(name: str) -> None:
    codec = resolve(name).codec
    for text in ("Příliš žluťoučký", "Καλημέρα", "Привет", "日本語", "한국어", "中文"):
        try:
            raw = text.encode(codec)
        except UnicodeEncodeError:
            continue
        assert decode(raw, name) == codecs.decode(raw, codec)
        assert decode_scan(b"<p>" + raw, HTML, name).text.decode() == codecs.decode(raw, codec)


@pytest.mark.parametrize("name", ["windows-1252", "shift_jis"])
def test_placeholders_of_references_are_kept(name: str) -> None:
    page = b"<title>a&rarr;b</title><p>&nvgt;c<img alt=&eacute;><p>d&hearts;"
    scan = decode_scan(page, HTML, name)
    assert scan.text.decode() == "a→b\n>⃒c\nd♥\né"
    assert scan.slice(0, scan.visible_size).decode() == "a→b\n>⃒c\nd♥"


def test_unassigned_bytes_of_windows_1252_are_controls() -> None:
    assert decode(b"\x81\x8d\x8f\x90\x9d", "windows-1252") == "\x81\x8d\x8f\x90\x9d"
    assert single_byte_table("shift_jis") is None
    assert single_byte_table("x-user-defined")[0] == 0xF780
