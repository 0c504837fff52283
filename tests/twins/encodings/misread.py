"""Text that was misread, put right with a regular expression."""

from __future__ import annotations

import re
from functools import cache

from webtongue.encodings.codecs import single_byte_table

WRONG = ("windows-1252", "windows-1251")  # what UTF-8 was taken for, the commonest first
# The scanner folds no-break spaces into spaces, and that is what the second byte of "à" was taken for.
FOLDED = re.compile("Ã (?=\\S)")


def repair(text: str) -> str:
    """The text with every stretch put right that is well-formed UTF-8 in one of the wrong encodings."""
    best = max((_undo(text, name) for name in WRONG), key=lambda done: done[1])
    return best[0] if best[1] else text


def _undo(text: str, name: str) -> tuple[str, int]:
    """The text put right as if it had been read by that name, and how many stretches that were."""
    back, runs = _inverse(name)
    done = 0

    def put_right(match: re.Match[str]) -> str:
        nonlocal done
        try:
            fixed = bytes(back[char] for char in match.group()).decode("utf-8")
        except UnicodeDecodeError:
            return match.group()
        done += 1
        return fixed

    if name == "windows-1252":
        text = FOLDED.sub("à ", text)
    return runs.sub(put_right, text), done


@cache
def _inverse(name: str) -> tuple[dict[str, int], re.Pattern[str]]:
    """Bytes by the characters that they were taken for, and what a sequence of UTF-8 looks like then."""
    table = single_byte_table(name) or ()
    back = {chr(byte): byte for byte in range(0x80, 0xA0)}  # control codes, where it was taken for ISO 8859
    back |= {chr(point): byte for byte, point in enumerate(table, 0x80) if point != 0xFFFD}

    def signs(low: int, high: int) -> str:
        return "[" + "".join(re.escape(char) for char, byte in back.items() if low <= byte <= high) + "]"

    trail = signs(0x80, 0xBF)
    lead = f"{signs(0xC2, 0xDF)}{trail}|{signs(0xE0, 0xEF)}{trail}{{2}}|{signs(0xF0, 0xF4)}{trail}{{3}}"
    return back, re.compile(f"(?:{lead})+")
