"""ISO 2022 decoded escape by escape, while ``charset/iso2022.py`` uses arrays."""

from __future__ import annotations

import re

from webtongue.charset import tables

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
HIGH_HALF_CODECS = {b"A": "latin-1", b"F": "iso8859-7"}
RUN = re.compile(rb"[\x21-\x7e]+|[^\x21-\x7e]")
# A Hangul syllable in letters: a filler, a consonant, a vowel, a consonant or a filler.
SPELLED_SYLLABLE = re.compile(rb"(\$T\$[\x21-\x3e]\$[\x3f-\x53]\$[\x21-\x3eT])")


def decode(raw: bytes) -> str:
    text = ""
    g0, g1, g2, high_half, shifted, at = "", "", "H", "latin-1", False, 0
    for match in ESCAPES.finditer(raw):
        if match.start() < at:
            continue  # inside the character after a single shift
        text += read(raw[at : match.start()], g1 if shifted else g0, high_half)
        at = match.end()
        plain, two, right, _, single, _, where, high = match.groups()
        if plain or two:
            g0 = (plain or two).decode()
        elif right:
            g1 = right.decode()
        elif single:
            g0 = single.decode().lower() if single in (b"J", b"I") else ""
        elif high:
            high_half = HIGH_HALF_CODECS[high]
            g2 = high_half if where == b"." else g2
        elif match.group() in (b"\x0e", b"\x0f"):
            shifted = match.group() == b"\x0e"
        elif match.group() == b"\x1bN":
            size = 2 if g2 == "H" else 1
            raw_pair = raw[at : at + size]
            at += len(raw_pair)
            if raw_pair and g2 == "H":
                text += pair(raw_pair, "H") or "\ufffd"
            else:
                text += bytes(b | 0x80 for b in raw_pair).decode(g2, "replace") if raw_pair else ""
    return text + read(raw[at:], g1 if shifted else g0, high_half)


def read(run: bytes, active_set: str, high_half: str) -> str:
    """Decode bytes without escapes: runs of graphic bytes in the active set, and other bytes."""
    text = ""
    for part in RUN.findall(run):
        if not active_set or not 0x21 <= part[0] <= 0x7E:
            text += part.decode(high_half, "replace")
        elif active_set == "j":
            text += part.decode("ascii").replace("\\", "¥").replace("~", "‾")
        elif active_set == "i":
            text += "".join(chr(0xFF61 + byte - 0x21) if byte < 0x60 else "\ufffd" for byte in part)
        else:
            whole = part[: len(part) & ~1]
            for i, fragment in enumerate(SPELLED_SYLLABLE.split(whole) if active_set == "C" else [whole]):
                text += bytes(b | 0x80 for b in fragment).decode("euc_kr") if i % 2 else pairs(fragment, active_set)
            text += "\ufffd" * (len(part) % 2)
    return text


def pairs(run: bytes, active_set: str) -> str:
    """Decode pairs of a set; an unassigned pair loses raw_pair byte, or two in a set with a prefix."""
    text, at = "", 0
    while at < len(run):
        char = pair(run[at : at + 2], active_set)
        text += char or "\ufffd"
        at += 2 if char or SETS[active_set][1] else 1
    return text


def pair(raw_pair: bytes, active_set: str) -> str:
    """Return the character of a pair, or the two of JIS X 0213; empty if it is unassigned."""
    codec, prefix = SETS[active_set]
    if (
        len(raw_pair) < 2
        or not all(0x21 <= byte & 0x7F <= 0x7E for byte in raw_pair)
        or (active_set == "C" and raw_pair == b"$T")
    ):
        return ""
    high = prefix + bytes(b | 0x80 for b in raw_pair)
    if codec == "euc-tw":
        return tables.load(codec).decode_map.get(high.decode("latin-1"), "")
    text = high.decode(codec, "replace")
    return text if len(text) == 1 or (len(text) == 2 and "\ufffd" not in text) else ""
