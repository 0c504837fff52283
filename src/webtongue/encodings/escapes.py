"""Encodings that shift between alphabets by escape sequences: bytes of theirs that look like markup may be text.

They are told by their escapes and decoded before the page is scanned. One reader knows every designation of ISO 2022 that
was used for East Asia; which of them a page has says what the encoding is called.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator
from types import ModuleType

from webtongue.encodings.gather import gathered
from webtongue.encodings.scripts import one_script

__all__ = ["decode", "find"]

HZ = re.compile(rb"~\{(?:[\x21-\x77][\x21-\x7e])++~\}")  # possessive: no first byte of a pair is a tilde
UTF7 = re.compile(rb"\+([A-Za-z0-9+/]*)(-?)")
ENDS_SHIFT = re.compile(rb"[^A-Za-z0-9+/]")
ONE_SCRIPT = 0.9  # share of a text's letters that must be in one script
UTF7_LETTERS = 6  # letters that a single shift must have
SIGNS = "\u00a0¡£§©«®°±²³´µ·º»¼½¾¿×‐‑–—‘’‚“”„•…€™"  # signs that a text may well have a single one of
UTF7_HEAD = 1 << 16  # bytes looked at
NOT_TEXT = ("Cn", "Co", "Cc", "Cs")  # categories of characters that no text has
HEAD = 1 << 20  # bytes looked at for escapes of ISO 2022
CHUNK = 1 << 16  # bytes decoded at a time: bounds memory on huge pages
LARGEST = 3  # bytes of UTF-8 for one of the page

# Names by what is designated, the narrowest first; what fits none is Mule's mixture.
FAMILIES: tuple[tuple[str, frozenset[str]], ...] = (
    ("iso-2022-jp", frozenset({"@", "B", "(J", "(I"})),
    ("iso-2022-jp-1", frozenset({"@", "B", "D", "(J", "(I"})),
    ("iso-2022-jp-3", frozenset({"@", "B", "O", "P", "Q", "(J", "(I"})),
    ("iso-2022-jp-2", frozenset({"@", "B", "D", "A", "C", "(J", "(I", "latin", "greek"})),
    ("iso-2022-kr", frozenset({")C"})),
    ("iso-2022-cn", frozenset({")A", ")G", ")E", "*H"})),
)


def find(raw: bytes) -> str:
    """The escaping encoding of a page, or an empty string.

    >>> find("日本".encode("iso2022_jp"))
    'iso-2022-jp'
    >>> find("中文".encode("hz"))
    'hz-gb-2312'
    """
    if b"\x1b" in raw:
        head = raw[:HEAD]
        if any(escape in head for escape in (b"\x1b$", b"\x1b(J", b"\x1b(I")):
            found = _iso2022().designated(head)
            if found - {"latin", "greek"}:
                return next((name for name, sets in FAMILIES if found <= sets), "iso-2022-int-1")
    elif b"~{" in raw and raw.isascii() and HZ.search(raw):
        return "hz-gb-2312"
    elif b"+" in raw and raw.isascii() and _is_utf7(raw[:UTF7_HEAD]):
        return "utf-7"
    return ""


def _is_utf7(raw: bytes) -> bool:
    """Whether every plus sign is a shift to well-formed characters of one script, and that more than once, or for long, or to
    a character that is expected where it stands.

    >>> _is_utf7("Grüße über Flüsse".encode("utf-7")), _is_utf7(b"q=search+term&x=1+2"), _is_utf7(b"call +49301234567")
    (True, False, False)
    >>> _is_utf7("the cat – mine".encode("utf-7")), _is_utf7(b"C+IBM-PC and others")
    (True, False)
    """
    runs: list[tuple[str, re.Match[bytes]]] = []
    known: dict[bytes, str] = {}
    for match in UTF7.finditer(raw):
        body, end = match.groups()
        if match.end() == len(raw) == UTF7_HEAD:  # cut off by the end of the head
            continue
        if not body:
            if not end:
                return False
            continue
        if body not in known:
            known[body] = _shifted(body)
        if not known[body]:
            return False
        runs.append((known[body], match))
    whole = "".join(run for run, _ in runs)
    beyond = [(run, match) for run, match in runs if not run.isascii()]
    if len(beyond) < 2 and len(whole) < UTF7_LETTERS:
        return len(beyond) == 1 and _expected(raw, *beyond[0])
    share = one_script(whole.encode())
    return share > ONE_SCRIPT or (
        not share and all(char.isascii() or char.isalpha() or char in SIGNS for char in whole)
    )


def _shifted(body: bytes) -> str:
    """What a shift of UTF-7 holds, empty if it is not well-formed."""
    try:
        run = (b"+" + body + b"-").decode("utf-7")
    except UnicodeDecodeError:
        return ""
    return "" if any(unicodedata.category(char) in NOT_TEXT for char in run) else run


def _expected(raw: bytes, run: str, match: re.Match[bytes]) -> bool:
    """Whether a single short shift makes sense: a letter of Latin in a word of small ones, or a sign at the edge of a word."""
    earlier, after = raw[: match.start()][-2:].decode(), raw[match.end() :][:1].decode()
    before = earlier[-1:] if earlier[:1].isalpha() else earlier[-1:].lower()  # a word may begin with a capital
    if run.isalpha():
        beside = (before + after).strip(" \n\r\t,.;:!?()\"'")
        latin = all("\u00c0" <= char < "\u02c0" or "\u1e00" <= char < "\u1f00" for char in run)
        return latin and (not beside or beside.islower())
    return all(char in SIGNS for char in run) and not (
        before.isalnum() and after.isalnum() and match.group(1).isupper()
    )


def decode(raw: bytes, encoding: str) -> bytes:
    """The page in UTF-8."""
    if encoding.startswith("iso-2022"):
        decoded: bytes = _iso2022().decode(raw)
        return decoded
    texts = _utf7(raw) if encoding == "utf-7" else _by_codec(raw, "hz" if encoding == "hz-gb-2312" else encoding)
    return gathered((text.encode("utf-8", "replace") for text in texts), LARGEST * len(raw))


def _utf7(raw: bytes) -> Iterator[str]:
    with memoryview(raw) as view:  # a shift may be as long as the page: it is not copied
        for begin, end in unshifted(raw):
            yield codecs.utf_7_decode(view[begin:end], "replace", True)[0]


def _by_codec(raw: bytes, codec: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(codec)("replace")
    for start in range(0, len(raw), CHUNK):
        yield decoder.decode(raw[start : start + CHUNK])
    yield decoder.decode(b"", True)


def unshifted(raw: bytes, size: int = CHUNK) -> Iterator[tuple[int, int]]:
    """Stretches of a page in UTF-7 that end where no shift is open, of that size or little more.

    Python's incremental decoder would keep a long shift and read it again and again.
    """
    begin = 0
    while begin < len(raw):
        found = ENDS_SHIFT.search(raw, begin + size)
        end = found.end() if found else len(raw)
        yield begin, end
        begin = end


def _iso2022() -> ModuleType:
    """Loaded for the few pages that need it: it stands on NumPy."""
    from webtongue.encodings import iso2022

    return iso2022
