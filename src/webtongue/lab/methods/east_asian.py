"""Find East-Asian characters in bytes of an unknown coding system (Kikui 1996, sections 3.1 and 3.3).

Escape sequences determine the characters that follow them; elsewhere every coding system is tried by its byte pattern.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["CODINGS", "Coding", "EastAsianText", "match_escapes", "match_pattern", "match_text"]


@dataclass(frozen=True, slots=True)
class Coding:
    """An 8-bit coding system: the pattern of its characters (table 1), Python's codec, and encodings with the same languages."""

    name: str
    pattern: re.Pattern[bytes]
    codec: str
    encodings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EastAsianText:
    """The characters of a coding system in a byte string, and the rest; an empty ``encodings`` does not restrict the languages."""

    coding: str
    encodings: tuple[str, ...]
    text: str
    rest: bytes


HANS, HANT, JAPANESE, KOREAN = ("gbk",), ("big5",), ("euc-jp",), ("euc-kr",)
# Table 1 is a sample, without Shift JIS. Half-width katakana are one byte in the range of accented letters, and are not
# matched.
CODINGS = (
    Coding("euc-gb", re.compile(rb"[\xa1-\xfe]{2}"), "gb2312", HANS),
    Coding("euc-ks", re.compile(rb"[\xa1-\xfe]{2}"), "euc_kr", KOREAN),
    Coding("euc-jis", re.compile(rb"\x8f[\xa1-\xfe]{2}|[\xa1-\xfe]{2}"), "euc_jp", JAPANESE),
    Coding("big5", re.compile(rb"[\xa1-\xfe][\x40-\x7e\xa1-\xfe]"), "big5", HANT),
    Coding("shift_jis", re.compile(rb"[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]"), "shift_jis", JAPANESE),
)
UNKNOWN_CHARACTER = "\ufffd"
CharacterSet = tuple[str, str, tuple[str, ...]]  # coding system, its 8-bit codec, encodings
# Character sets by escape sequence. Those with ")" become active with SO.
ESCAPES: dict[bytes, CharacterSet] = {
    b"$B": ("iso-2022-jp", "euc_jp", JAPANESE),
    b"$@": ("iso-2022-jp", "euc_jp", JAPANESE),
    b"$(B": ("iso-2022-jp", "euc_jp", JAPANESE),
    b"$A": ("iso-2022-int", "gb2312", HANS),
    b"$(A": ("iso-2022-int", "gb2312", HANS),
    b"$(C": ("iso-2022-int", "euc_kr", KOREAN),
    b"$)C": ("ks c 5601", "euc_kr", KOREAN),
    b"$)A": ("gb 2312", "gb2312", HANS),
}
SHIFTS = re.compile(rb"\x1b(\$[()]?[@-C]|\([A-Z])|([\x0e\x0f\n])|~([{}])")
HZ: CharacterSet = ("gb 2312", "gb2312", HANS)
# Characters of East Asia only, with its signs and full-width forms.
EAST_ASIAN = (
    r"\u1100-\u11ff\u2e80-\u2fdf\u3000-\u33ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff01-\uffee"
    r"\U00020000-\U0003ffff"
)
# Signs that Europe uses too, but East-Asian sets encode in two bytes: quotes, dashes, arrows. They count as East-Asian beside
# East-Asian characters.
SHARED_SIGNS = r"\u00a7\u00a8\u00b0\u00b1\u00b4\u00b6\u00b7\u00d7\u00f7\u2010-\u2027\u2030-\u203b\u2100-\u27bf"
CHARACTERS = re.compile(rf"(?<![{SHARED_SIGNS}])[{SHARED_SIGNS}]*+[{EAST_ASIAN}][{EAST_ASIAN}{SHARED_SIGNS}]*+")
ANY_ENCODING: tuple[str, ...] = ()  # Unicode text may be in any of the languages


def match_pattern(raw: bytes, coding: Coding) -> EastAsianText:
    """Return all byte sequences that match the pattern of a coding system, decoded, and the rest.

    >>> match_pattern(b"\\xc6\\xfc\\xcb\\xdc!", CODINGS[2]).text
    '日本'
    """
    text = "".join(_decode_character(pair, coding.codec) for pair in coding.pattern.findall(raw))
    return EastAsianText(coding.name, coding.encodings, text, coding.pattern.sub(b" ", raw))


def match_escapes(raw: bytes) -> EastAsianText | None:
    """Return the characters after escapes of ISO 2022 or HZ, with the set that has most of them, or None without escapes.

    >>> match_escapes("日本 and".encode("iso2022_jp")).text, match_escapes("한국".encode("iso2022_kr")).coding
    ('日本', 'ks c 5601')
    """
    if b"\x1b$" not in raw and b"~{" not in raw:
        return None
    active = designated = None
    sizes: Counter[CharacterSet] = Counter()
    text: list[str] = []
    rest: list[bytes] = []
    position = 0
    for match in SHIFTS.finditer(raw):
        _add_segment(raw[position : match.start()], active, sizes, text, rest)
        position = match.end()
        escape, shift, brace = match.groups()
        if escape and escape in ESCAPES:
            if escape[1:2] == b")":
                designated = ESCAPES[escape]
            else:
                active = ESCAPES[escape]
        elif brace == b"{":
            active = HZ
        elif shift == b"\x0e":
            active = designated
        else:
            active = None
            rest.append(b" ")
    _add_segment(raw[position:], active, sizes, text, rest)
    if not text:
        return None
    name, _, encodings = sizes.most_common(1)[0][0]
    return EastAsianText(name, encodings, "".join(text), b"".join(rest))


def match_text(text: str) -> EastAsianText | None:
    """Return the East-Asian characters of decoded text, or None. Unicode does not restrict the languages.

    >>> match_text("see 日本の「家」 here").text
    '日本の「家」'
    """
    characters = "".join(CHARACTERS.findall(text))
    return (
        EastAsianText("", ANY_ENCODING, characters, CHARACTERS.sub(" ", text).encode("utf-8", "replace"))
        if characters
        else None
    )


def _add_segment(
    raw: bytes, now: CharacterSet | None, sizes: Counter[CharacterSet], text: list[str], rest: list[bytes]
) -> None:
    """Add a segment between two escapes: seven-bit pairs of the active set, or other text."""
    if now is None:
        rest.append(raw)
        return
    pairs = bytes(byte | 0x80 for byte in raw if byte > 0x20)
    sizes[now] += len(pairs)
    text += [_decode_character(pairs[i : i + 2], now[1]) for i in range(0, len(pairs) - 1, 2)]


@lru_cache(maxsize=1 << 16)
def _decode_character(raw: bytes, codec: str) -> str:
    """Return one character, or U+FFFD, which no model has, for a code without a character."""
    try:
        return raw.decode(codec)
    except UnicodeDecodeError:
        return UNKNOWN_CHARACTER
