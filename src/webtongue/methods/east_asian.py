"""East-Asian characters in a code string whose coding system is not known (Kikui 1996, sections 3.1 and 3.3).

Where escapes say which characters follow, they are believed; elsewhere every coding system is tried by its pattern.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["CODINGS", "Coding", "Strings", "by_escapes", "by_pattern", "in_text"]


@dataclass(frozen=True, slots=True)
class Coding:
    """An 8-bit coding system: the pattern of its characters (table 1), and the encodings whose languages it writes."""

    name: str
    pattern: re.Pattern[bytes]
    codec: str
    encodings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Strings:
    """What a coding system finds in a code string: its characters, and the rest; ``encodings`` narrow the languages,
    and do not if there are none."""

    coding: str
    encodings: tuple[str, ...]
    text: str
    rest: bytes


HANS, HANT, JAPANESE, KOREAN = ("gbk",), ("big5",), ("euc-jp",), ("euc-kr",)
# Table 1 is a sample; Shift JIS is not in it. Half-width katakana are one byte in the range of accented letters, and are
# not looked for.
CODINGS = (
    Coding("euc-gb", re.compile(rb"[\xa1-\xfe]{2}"), "gb2312", HANS),
    Coding("euc-ks", re.compile(rb"[\xa1-\xfe]{2}"), "euc_kr", KOREAN),
    Coding("euc-jis", re.compile(rb"\x8f[\xa1-\xfe]{2}|[\xa1-\xfe]{2}"), "euc_jp", JAPANESE),
    Coding("big5", re.compile(rb"[\xa1-\xfe][\x40-\x7e\xa1-\xfe]"), "big5", HANT),
    Coding("shift_jis", re.compile(rb"[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]"), "shift_jis", JAPANESE),
)
LOST = "\ufffd"
Set = tuple[str, str, tuple[str, ...]]  # coding system, its 8-bit codec, encodings
# What an escape sequence calls in. Those with ")" come into force by SO.
ESCAPES: dict[bytes, Set] = {
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
HZ: Set = ("gb 2312", "gb2312", HANS)
# Characters that only East Asia writes, with its signs and full-width forms.
OWN = (
    r"\u1100-\u11ff\u2e80-\u2fdf\u3000-\u33ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff01-\uffee"
    r"\U00020000-\U0003ffff"
)
# Signs that the East-Asian sets have in two bytes like any character, and Europe writes too: quotes, dashes, arrows. They belong
# to East-Asian characters that they stand at.
SHARED = r"\u00a7\u00a8\u00b0\u00b1\u00b4\u00b6\u00b7\u00d7\u00f7\u2010-\u2027\u2030-\u203b\u2100-\u27bf"
CHARACTERS = re.compile(rf"(?<![{SHARED}])[{SHARED}]*+[{OWN}][{OWN}{SHARED}]*+")
ANY: tuple[str, ...] = ()  # a text in Unicode may be in any of the languages


def by_pattern(raw: bytes, coding: Coding) -> Strings:
    """Everything that could be characters of a coding system, decoded as such.

    >>> by_pattern(b"\\xc6\\xfc\\xcb\\xdc!", CODINGS[2]).text
    '日本'
    """
    text = "".join(_character(pair, coding.codec) for pair in coding.pattern.findall(raw))
    return Strings(coding.name, coding.encodings, text, coding.pattern.sub(b" ", raw))


def by_escapes(raw: bytes) -> Strings | None:
    """The characters that escapes of ISO 2022, or HZ, mark, by the set that has most of them; None where there are none.

    >>> by_escapes("日本 and".encode("iso2022_jp")).text, by_escapes("한국".encode("iso2022_kr")).coding
    ('日本', 'ks c 5601')
    """
    if b"\x1b$" not in raw and b"~{" not in raw:
        return None
    now = called = None
    sizes: Counter[Set] = Counter()
    text: list[str] = []
    rest: list[bytes] = []
    at = 0
    for match in SHIFTS.finditer(raw):
        _take(raw[at : match.start()], now, sizes, text, rest)
        at = match.end()
        escape, shift, brace = match.groups()
        if escape and escape in ESCAPES:
            if escape[1:2] == b")":
                called = ESCAPES[escape]
            else:
                now = ESCAPES[escape]
        elif brace == b"{":
            now = HZ
        elif shift == b"\x0e":
            now = called
        else:
            now = None
            rest.append(b" ")
    _take(raw[at:], now, sizes, text, rest)
    if not text:
        return None
    name, _, encodings = sizes.most_common(1)[0][0]
    return Strings(name, encodings, "".join(text), b"".join(rest))


def in_text(text: str) -> Strings | None:
    """East-Asian characters of text that is decoded. Unicode does not narrow the languages: likelihood alone decides.

    >>> in_text("see 日本の「家」 here").text
    '日本の「家」'
    """
    found = "".join(CHARACTERS.findall(text))
    return Strings("", ANY, found, CHARACTERS.sub(" ", text).encode("utf-8", "replace")) if found else None


def _take(raw: bytes, now: Set | None, sizes: Counter[Set], text: list[str], rest: list[bytes]) -> None:
    """A stretch between two escapes: seven-bit pairs of the set in force, or other text."""
    if now is None:
        rest.append(raw)
        return
    pairs = bytes(byte | 0x80 for byte in raw if byte > 0x20)
    sizes[now] += len(pairs)
    text += [_character(pairs[i : i + 2], now[1]) for i in range(0, len(pairs) - 1, 2)]


@lru_cache(maxsize=1 << 16)
def _character(raw: bytes, codec: str) -> str:
    """One character; U+FFFD, which no model has, where the coding system has none at that place."""
    try:
        return raw.decode(codec)
    except UnicodeDecodeError:
        return LOST
