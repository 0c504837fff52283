"""Encodings that shift between alphabets by escape sequences: bytes of theirs that look like markup may be text.

They are told by their escapes and decoded before the page is scanned. One reader knows every designation of ISO 2022 that
was used for East Asia; which of them a page has says what the encoding is called.
"""

from __future__ import annotations

import binascii
import codecs
import re
import unicodedata
from collections.abc import Callable
from functools import partial

from webtongue.encodings import tables
from webtongue.encodings.scripts import one_script

__all__ = ["decode", "find"]

# ISO 2022: a set of two-byte or one-byte characters put at G0, G1 or G2; shift out and in; single shift two.
ESCAPES = re.compile(
    rb"\x1b(?:\$([@AB])|\$\(([@ABCDGOPQ])|\$\)([ACEG])|\$\*(H)|\(([A-Z])|\)([A-Z])|([.\-])([AF])|N|&@)|[\x0e\x0f]"
)
HZ = re.compile(rb"~\{(?:[\x21-\x77][\x21-\x7e])+~\}")
UTF7 = re.compile(rb"\+([A-Za-z0-9+/]*)(-?)")
ONE_SCRIPT = 0.9  # share of a text's letters
UTF7_LETTERS = 6  # that a single shift must have
SIGNS = "\u00a0¡£§©«®°±²³´µ·º»¼½¾¿×‐‑–—‘’‚“”„•…€™"  # that a text may have one of
UTF7_HEAD = 1 << 16  # bytes looked at
CHUNK = 1 << 20  # bytes decoded at a time: bounds memory on huge pages

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
        found = {_designated(match) for match in ESCAPES.finditer(raw[:CHUNK])} - {""}
        if found - {"(J", "(I", "latin", "greek"} or "(J" in found or "(I" in found:
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
    for match in UTF7.finditer(raw):
        body, end = match.groups()
        if not body:
            if not end:
                return False
            continue
        run = None if match.end() == len(raw) == UTF7_HEAD else _shifted(body)
        if run is None:
            return False
        runs.append((run, match))
    whole = "".join(run for run, _ in runs)
    beyond = [(run, match) for run, match in runs if not run.isascii()]
    if len(beyond) < 2 and len(whole) < UTF7_LETTERS:
        return len(beyond) == 1 and _expected(raw, *beyond[0])
    share = one_script(whole.encode())
    return share > ONE_SCRIPT or (
        not share and all(char.isascii() or char.isalpha() or char in SIGNS for char in whole)
    )


def _shifted(body: bytes) -> str | None:
    """What a shift of UTF-7 holds, None if it is not well-formed."""
    units, rest = divmod(6 * len(body), 16)
    if not units or rest >= 6:
        return None
    value = int.from_bytes(binascii.a2b_base64(body + b"A" * (-len(body) % 4)), "big")
    value >>= 6 * (-len(body) % 4)
    if value & ((1 << rest) - 1):
        return None
    try:
        run = (value >> rest).to_bytes(2 * units, "big").decode("utf-16-be")
    except UnicodeDecodeError:
        return None
    return None if any(unicodedata.category(char) in ("Cn", "Co", "Cc") for char in run) else run


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
        return _decode_2022(raw)
    decoder = codecs.getincrementaldecoder("hz" if encoding == "hz-gb-2312" else encoding)("replace")
    out = bytearray()
    for start in range(0, len(raw), CHUNK):
        out += decoder.decode(raw[start : start + CHUNK]).encode("utf-8", "replace")
    out += decoder.decode(b"", True).encode("utf-8", "replace")
    return bytes(out)


def _designated(match: re.Match[bytes]) -> str:
    """What an escape puts where; empty for shifts and a return to ASCII."""
    plain, g0, g1, g2, single, _, _, high = match.groups()
    if plain or g0:
        return (plain or g0).decode()
    if g1 or g2:
        return f"){g1.decode()}" if g1 else "*H"
    if single in (b"J", b"I"):
        return "(" + single.decode()
    return {b"A": "latin", b"F": "greek"}.get(high, "")


def _pairs(prefix: bytes, codec: str, run: bytes) -> str:
    """Two-byte characters of a 94 x 94 set, by the codec that has them with the high bit set."""
    if len(run) % 2:
        return _pairs(prefix, codec, run[:-1]) + "\ufffd"
    high = bytes(byte | 0x80 for byte in run)
    if prefix:
        high = b"".join(prefix + high[i : i + 2] for i in range(0, len(high), 2))
    if codec == "euc-tw":
        return tables.load(codec).decode(high.decode("latin-1"))
    return high.decode(codec, "replace")


def _roman(run: bytes) -> str:
    return run.decode("ascii").replace("\\", "¥").replace("~", "‾")


def _katakana(run: bytes) -> str:
    return "".join(chr(0xFF61 + byte - 0x21) if byte < 0x60 else "\ufffd" for byte in run)


def _ascii(run: bytes) -> str:
    return run.decode("ascii")


SETS: dict[str, Callable[[bytes], str]] = {
    "@": partial(_pairs, b"", "euc_jp"),
    "B": partial(_pairs, b"", "euc_jp"),
    "D": partial(_pairs, b"\x8f", "euc_jp"),
    "O": partial(_pairs, b"", "euc_jisx0213"),
    "Q": partial(_pairs, b"", "euc_jis_2004"),
    "P": partial(_pairs, b"\x8f", "euc_jis_2004"),
    "A": partial(_pairs, b"", "gb2312"),
    "C": partial(_pairs, b"", "euc_kr"),
    "G": partial(_pairs, b"", "euc-tw"),
    "E": partial(_pairs, b"", "gb2312"),
    "H": partial(_pairs, b"\x8e\xa2", "euc-tw"),
    "(J": _roman,
    "(I": _katakana,
}
UPPER = {b"A": "latin-1", b"F": "iso8859-7"}
RUN = re.compile(rb"[\x21-\x7e]+|[^\x21-\x7e]+")


def _decode_2022(raw: bytes) -> bytes:
    out = bytearray()
    g0, g1, g2, upper, shifted, at = "", "", "H", "latin-1", False, 0
    for match in ESCAPES.finditer(raw):
        if match.start() < at:
            continue
        _append(out, raw[at : match.start()], g1 if shifted else g0, upper)
        at = match.end()
        plain, two, right, _, single, _, where, high = match.groups()
        if plain or two:
            g0 = (plain or two).decode()
        elif right:
            g1 = right.decode()
        elif single:
            g0 = "(" + single.decode() if single in (b"J", b"I") else ""
        elif high:
            upper, g2 = UPPER[high], UPPER[high] if where == b"." else g2
        elif match.group() in (b"\x0e", b"\x0f"):
            shifted = match.group() == b"\x0e"
        elif match.group() == b"\x1bN":  # one character of G2
            size = 2 if g2 == "H" else 1
            one = raw[at : at + size]
            at += len(one)
            out += (SETS["H"](one) if size == 2 else bytes(b | 0x80 for b in one).decode(g2, "replace")).encode()
    _append(out, raw[at:], g1 if shifted else g0, upper)
    return bytes(out)


def _append(out: bytearray, run: bytes, kept: str, upper: str) -> None:
    if not kept:
        out += run if run.isascii() else run.decode(upper, "replace").encode()
        return
    for part in RUN.findall(run):
        if 0x21 <= part[0] <= 0x7E:
            out += SETS[kept](part).encode("utf-8", "replace")
        else:
            out += part if part.isascii() else part.decode(upper, "replace").encode()
