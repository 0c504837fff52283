"""Detect and decode stateful encodings, which switch character sets: ISO 2022, HZ, UTF-7.

Bytes of their text can look like markup, so they are detected by their escape sequences and decoded before the page is scanned. One
reader decodes all designations of ISO 2022 that were used in East Asia; those of a page give the name of its encoding.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator
from types import ModuleType

from webtongue.charset.buffers import join_chunks
from webtongue.charset.scripts import main_script_share

__all__ = ["decode", "detect", "split_utf7"]

HZ = re.compile(rb"~\{(?:[\x21-\x77][\x21-\x7e])++~\}")  # possessive: no first byte of a pair is a tilde
UTF7_SHIFT = re.compile(rb"\+([A-Za-z0-9+/]*)(-?)")
UTF7_SHIFT_END = re.compile(rb"[^A-Za-z0-9+/]")
MIN_SCRIPT_SHARE = 0.9  # share of a text's letters that must be in one script
MIN_UTF7_LETTERS = 6  # minimum for text with a single shift
COMMON_SIGNS = "\u00a0¡£§©«®°±²³´µ·º»¼½¾¿×‐‑–—‘’‚“”„•…€™"  # signs that may occur once in a text
NOT_TEXT = ("Cn", "Co", "Cc", "Cs")  # categories of characters that do not occur in text
MAX_UTF7_SAMPLE = 1 << 16  # bytes
MAX_ISO2022_SAMPLE = 1 << 20  # bytes
CHUNK_BYTES = 1 << 16  # bounds memory on huge pages
MAX_UTF8_GROWTH = 3  # bytes of UTF-8 for one of the page

# Encodings by the sets that they may designate, the narrowest first; a page with other combinations is Mule's mixture.
ISO2022_FAMILIES: tuple[tuple[str, frozenset[str]], ...] = (
    ("iso-2022-jp", frozenset({"@", "B", "(J", "(I"})),
    ("iso-2022-jp-1", frozenset({"@", "B", "D", "(J", "(I"})),
    ("iso-2022-jp-3", frozenset({"@", "B", "O", "P", "Q", "(J", "(I"})),
    ("iso-2022-jp-2", frozenset({"@", "B", "D", "A", "C", "(J", "(I", "latin", "greek"})),
    ("iso-2022-kr", frozenset({")C"})),
    ("iso-2022-cn", frozenset({")A", ")G", ")E", "*H"})),
)
ISO2022_MIXTURE = "iso-2022-int-1"


def detect(raw: bytes) -> str:
    """Return the stateful encoding of a page, or an empty string.

    >>> detect("日本".encode("iso2022_jp"))
    'iso-2022-jp'
    >>> detect("中文".encode("hz"))
    'hz-gb-2312'
    """
    if b"\x1b" in raw:
        sample = raw[:MAX_ISO2022_SAMPLE]
        if any(escape in sample for escape in (b"\x1b$", b"\x1b(J", b"\x1b(I")):
            designated = _iso2022().designated_sets(sample)
            if designated - {"latin", "greek"}:
                return next((name for name, sets in ISO2022_FAMILIES if designated <= sets), ISO2022_MIXTURE)
    elif b"~{" in raw and raw.isascii() and HZ.search(raw):
        return "hz-gb-2312"
    elif b"+" in raw and raw.isascii() and _is_utf7(raw[:MAX_UTF7_SAMPLE]):
        return "utf-7"
    return ""


def _is_utf7(raw: bytes) -> bool:
    """Return True if every plus sign is a shift to well-formed characters of one script.

    There must be several shifts, a long one, or one to a character that is expected there.

    >>> _is_utf7("Grüße über Flüsse".encode("utf-7")), _is_utf7(b"q=search+term&x=1+2"), _is_utf7(b"call +49301234567")
    (True, False, False)
    >>> _is_utf7("the cat – mine".encode("utf-7")), _is_utf7(b"C+IBM-PC and others")
    (True, False)
    """
    shifts: list[tuple[str, re.Match[bytes]]] = []
    decoded: dict[bytes, str] = {}
    for match in UTF7_SHIFT.finditer(raw):
        body, end = match.groups()
        if match.end() == len(raw) == MAX_UTF7_SAMPLE:  # the end of the sample cuts the shift
            continue
        if not body:
            if not end:
                return False
            continue
        if body not in decoded:
            decoded[body] = _decode_shift(body)
        if not decoded[body]:
            return False
        shifts.append((decoded[body], match))
    text = "".join(shifted for shifted, _ in shifts)
    beyond_ascii = [(shifted, match) for shifted, match in shifts if not shifted.isascii()]
    if len(beyond_ascii) < 2 and len(text) < MIN_UTF7_LETTERS:
        return len(beyond_ascii) == 1 and _is_expected(raw, *beyond_ascii[0])
    share = main_script_share(text.encode())
    return share > MIN_SCRIPT_SHARE or (
        not share and all(char.isascii() or char.isalpha() or char in COMMON_SIGNS for char in text)
    )


def _decode_shift(body: bytes) -> str:
    """Return the text of a shift of UTF-7, empty if it is ill-formed."""
    try:
        text = (b"+" + body + b"-").decode("utf-7")
    except UnicodeDecodeError:
        return ""
    return "" if any(unicodedata.category(char) in NOT_TEXT for char in text) else text


def _is_expected(raw: bytes, shifted: str, match: re.Match[bytes]) -> bool:
    """Return True if a single short shift is a Latin letter in a lower-case word, or a sign at the edge of a word."""
    earlier, after = raw[: match.start()][-2:].decode(), raw[match.end() :][:1].decode()
    before = earlier[-1:] if earlier[:1].isalpha() else earlier[-1:].lower()  # a word may begin with a capital
    if shifted.isalpha():
        adjacent = (before + after).strip(" \n\r\t,.;:!?()\"'")
        is_latin = all("\u00c0" <= char < "\u02c0" or "\u1e00" <= char < "\u1f00" for char in shifted)
        return is_latin and (not adjacent or adjacent.islower())
    return all(char in COMMON_SIGNS for char in shifted) and not (
        before.isalnum() and after.isalnum() and match.group(1).isupper()
    )


def decode(raw: bytes, encoding: str) -> bytes:
    """Return the page in UTF-8."""
    if encoding.startswith("iso-2022"):
        decoded: bytes = _iso2022().decode(raw)
        return decoded
    texts = (
        _decode_utf7(raw)
        if encoding == "utf-7"
        else _decode_chunks(raw, "hz" if encoding == "hz-gb-2312" else encoding)
    )
    return join_chunks((text.encode("utf-8", "replace") for text in texts), MAX_UTF8_GROWTH * len(raw))


def _decode_utf7(raw: bytes) -> Iterator[str]:
    with memoryview(raw) as view:  # a shift may be as long as the page and is not copied
        for start, end in split_utf7(raw):
            yield codecs.utf_7_decode(view[start:end], "replace", True)[0]


def _decode_chunks(raw: bytes, codec: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(codec)("replace")
    for start in range(0, len(raw), CHUNK_BYTES):
        yield decoder.decode(raw[start : start + CHUNK_BYTES])
    yield decoder.decode(b"", True)


def split_utf7(raw: bytes, min_bytes: int = CHUNK_BYTES) -> Iterator[tuple[int, int]]:
    """Yield chunks of a page in UTF-7 that end outside of shifts.

    Python's incremental decoder keeps a long shift and decodes it again with every chunk.
    """
    start = 0
    while start < len(raw):
        match = UTF7_SHIFT_END.search(raw, start + min_bytes)
        end = match.end() if match else len(raw)
        yield start, end
        start = end


def _iso2022() -> ModuleType:
    """Import the reader of ISO 2022, which imports NumPy, for the few pages that need it."""
    from webtongue.charset import iso2022

    return iso2022
