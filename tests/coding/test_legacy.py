"""Decoding of encodings other than UTF-8."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webtongue.coding.labels import known_labels, resolve
from webtongue.coding.legacy import single_byte_table, to_utf8

NAMES = sorted({resolve(label).name for label in known_labels()} - {"replacement"})
READABLE = [name for name in NAMES if resolve(name) and not name.startswith(("utf-16", "utf-32", "utf-7", "iso-2022", "hz"))]


@pytest.mark.parametrize("name", READABLE)
def test_ascii_is_ascii_and_lines_stay_lines(name: str) -> None:
    """The kernel cuts text before it is decoded: line feeds and placeholders must come through, whatever is before them."""
    plain = bytes(range(0x20, 0x5C)) + b"]^_" + bytes(range(0x61, 0x7E))
    assert to_utf8(plain, name).isascii()
    for lead in (0x80, 0x81, 0xA1, 0xC3, 0xE0, 0xF0, 0xFE, 0xFF):
        raw = bytes([lead]) + b"\nx\x1ay"
        assert to_utf8(raw, name).count(b"\n") == 1, hex(lead)
        assert to_utf8(raw, name).count(b"\x1a") == 1, hex(lead)


@settings(max_examples=300, deadline=None)
@given(raw=st.binary(max_size=60), name=st.sampled_from(READABLE))
def test_any_bytes_become_utf8(raw: bytes, name: str) -> None:
    to_utf8(raw, name).decode()


@pytest.mark.parametrize("name", ["koi8-r", "iso-8859-2", "windows-1253", "ibm866", "macintosh", "shift_jis", "big5", "euc-kr", "gb18030"])
def test_as_python_decodes(name: str) -> None:
    codec = resolve(name).codec
    for text in ("Příliš žluťoučký", "Καλημέρα", "Привет", "日本語", "한국어", "中文"):
        try:
            raw = text.encode(codec)
        except UnicodeEncodeError:
            continue
        assert to_utf8(raw, name).decode() == codecs.decode(raw, codec)


def test_references_come_back() -> None:
    assert to_utf8(b"\x1a\xe9\x1a", "windows-1252", "→\x1a≫⃒\x1a".encode()).decode() == "→é≫⃒"
    assert to_utf8("あ\x1aい".encode("shift_jis"), "shift_jis", "é\x1a".encode()).decode() == "あéい"


def test_holes_of_windows_1252_are_controls() -> None:
    assert to_utf8(b"\x81\x8d\x8f\x90\x9d", "windows-1252").decode() == "\x81\x8d\x8f\x90\x9d"
    assert single_byte_table("shift_jis") is None
    assert single_byte_table("x-user-defined")[0] == 0xF780
