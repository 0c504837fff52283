"""UTF-8 that was decoded as another encoding, detected and repaired with a regular expression."""

from __future__ import annotations

import re
from functools import cache

from webtongue.charset.codecs import single_byte_table

# The scanner folds no-break spaces, as which the byte A0 was decoded, into spaces.
FOLDED = re.compile("Ã (?=\\S)")
FOLDED_LEADS = {char.encode()[0] for char in "РנΠŠ"}


def repair(text: str, name: str) -> str:
    """Return the text with every span repaired that is well-formed UTF-8 in the wrong encoding."""
    byte_of, _, folded = _inverse(name)
    return folded.sub(lambda match: _fixed(match[0], byte_of) or match[0], _unfolded(text, byte_of))


def count_sequences(text: str, name: str) -> tuple[int, int, int, int]:
    """Return the number of sequences, of the bytes they begin with and of their characters, and all characters beyond ASCII."""
    byte_of, strict, _ = _inverse(name)
    text = _unfolded(text, byte_of)
    rows = [(match[0], fixed) for match in strict.finditer(text) if (fixed := _fixed(match[0], byte_of))]
    explained = sum(len(row) for row, _ in rows)
    units = len(text.encode("utf-16-le", "surrogatepass")) // 2
    fixed = "".join(fixed for _, fixed in rows)
    leads = {char.encode("utf-8", "surrogatepass")[0] for char in fixed}
    return len(fixed), len(leads), explained, units - sum(c < "\x80" for c in text)


def _unfolded(text: str, byte_of: dict[str, int]) -> str:
    return FOLDED.sub("à ", text) if "Ã" in byte_of else text


def _fixed(row: str, byte_of: dict[str, int]) -> str:
    try:
        return bytes(byte_of.get(char, 0xA0) for char in row).decode("utf-8")
    except UnicodeDecodeError:
        return ""


@cache
def _inverse(name: str) -> tuple[dict[str, int], re.Pattern[str], re.Pattern[str]]:
    """Return bytes by character, and patterns of mojibake without and with folded spaces."""
    table = single_byte_table(name) or ()
    byte_of = {chr(byte): byte for byte in range(0x80, 0xA0)}  # control codes, as which ISO 8859 decodes them
    byte_of |= {chr(point): byte for byte, point in enumerate(table, 0x80) if point != 0xFFFD}

    def signs(low: int, high: int, only: frozenset[int] = frozenset(range(256))) -> str:
        characters = [re.escape(char) for char, byte in byte_of.items() if low <= byte <= high and byte in only]
        return f"[{''.join(characters)}]" if characters else "(?!)"

    trail = signs(0x80, 0xBF)
    strict = f"{signs(0xC2, 0xDF)}{trail}|{signs(0xE0, 0xEF)}{trail}{{2}}|{signs(0xF0, 0xF4)}{trail}{{3}}"
    if byte_of.get("\xa0") != 0xA0:
        return byte_of, re.compile(f"(?:{strict})+"), re.compile(f"(?:{strict})+")
    space = "(?<!^) (?=\\S)"
    second = third = f"(?:{trail}|{space})"
    folded = (
        f"{signs(0xC2, 0xDF)}{trail}|{signs(0xC2, 0xDF, frozenset(FOLDED_LEADS))}{space}"
        f"|{signs(0xE0, 0xEF)}{trail}{third}|{signs(0xE1, 0xEF)}{space}{trail}"
        f"|{signs(0xF0, 0xF4)}(?:{trail}{second}{trail}|{space}{trail}{{2}})"
    )
    return byte_of, re.compile(f"(?:{strict})+"), re.compile(f"(?:{folded})+")
