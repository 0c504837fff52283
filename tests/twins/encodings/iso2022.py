"""ISO 2022 escape by escape, the way its reader in ``encodings/iso2022.py`` does not work."""

from __future__ import annotations

import re

from webtongue.encodings import tables

ESCAPES = re.compile(
    rb"\x1b(?:\$([@AB])|\$\(([@ABCDGOPQ])|\$\)([ACEG])|\$\*(H)|\(([A-Z])|\)([A-Z])|([.\-])([AF])|N|&@)|[\x0e\x0f]"
)
SETS = {
    "@": ("euc_jp", b""),
    "B": ("euc_jp", b""),
    "D": ("euc_jp", b"\x8f"),
    "O": ("euc_jisx0213", b""),
    "Q": ("euc_jis_2004", b""),
    "P": ("euc_jis_2004", b"\x8f"),
    "A": ("gb2312", b""),
    "E": ("gb2312", b""),
    "C": ("euc_kr", b""),
    "G": ("euc-tw", b""),
    "H": ("euc-tw", b"\x8e\xa2"),
}
UPPER = {b"A": "latin-1", b"F": "iso8859-7"}
RUN = re.compile(rb"[\x21-\x7e]+|[^\x21-\x7e]")
# A syllable of Hangul in letters: a filler, a consonant, a vowel, a consonant or a filler.
SPELT = re.compile(rb"(\$T\$[\x21-\x3e]\$[\x3f-\x53]\$[\x21-\x3eT])")


def decode(raw: bytes) -> str:
    out = ""
    g0, g1, g2, upper, shifted, at = "", "", "H", "latin-1", False, 0
    for match in ESCAPES.finditer(raw):
        if match.start() < at:
            continue  # inside of what a single shift is followed by
        out += read(raw[at : match.start()], g1 if shifted else g0, upper)
        at = match.end()
        plain, two, right, _, single, _, where, high = match.groups()
        if plain or two:
            g0 = (plain or two).decode()
        elif right:
            g1 = right.decode()
        elif single:
            g0 = single.decode().lower() if single in (b"J", b"I") else ""
        elif high:
            upper = UPPER[high]
            g2 = upper if where == b"." else g2
        elif match.group() in (b"\x0e", b"\x0f"):
            shifted = match.group() == b"\x0e"
        elif match.group() == b"\x1bN":
            size = 2 if g2 == "H" else 1
            one = raw[at : at + size]
            at += len(one)
            if one and g2 == "H":
                out += pair(one, "H") or "\ufffd"
            else:
                out += bytes(b | 0x80 for b in one).decode(g2, "replace") if one else ""
    return out + read(raw[at:], g1 if shifted else g0, upper)


def read(run: bytes, kept: str, upper: str) -> str:
    """A stretch without escapes: runs of graphic bytes in the set that is kept, and others as they are."""
    out = ""
    for part in RUN.findall(run):
        if not kept or not 0x21 <= part[0] <= 0x7E:
            out += part.decode(upper, "replace")
        elif kept == "j":
            out += part.decode("ascii").replace("\\", "¥").replace("~", "‾")
        elif kept == "i":
            out += "".join(chr(0xFF61 + byte - 0x21) if byte < 0x60 else "\ufffd" for byte in part)
        else:
            whole = part[: len(part) & ~1]
            for i, piece in enumerate(SPELT.split(whole) if kept == "C" else [whole]):
                out += bytes(b | 0x80 for b in piece).decode("euc_kr") if i % 2 else pairs(piece, kept)
            out += "\ufffd" * (len(part) % 2)
    return out


def pairs(run: bytes, kept: str) -> str:
    """Pairs of a set; a pair that it has not is one lost byte, or two where the set needs a prefix."""
    out, at = "", 0
    while at < len(run):
        found = pair(run[at : at + 2], kept)
        out += found or "\ufffd"
        at += 2 if found or SETS[kept][1] else 1
    return out


def pair(one: bytes, kept: str) -> str:
    """The character of a pair, or the two of JIS X 0213; empty if there is none."""
    codec, prefix = SETS[kept]
    if len(one) < 2 or not all(0x21 <= byte & 0x7F <= 0x7E for byte in one) or (kept == "C" and one == b"$T"):
        return ""
    high = prefix + bytes(b | 0x80 for b in one)
    if codec == "euc-tw":
        return tables.load(codec).units.get(high.decode("latin-1"), "")
    text = high.decode(codec, "replace")
    return text if len(text) == 1 or (len(text) == 2 and "\ufffd" not in text) else ""
