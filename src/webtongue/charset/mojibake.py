"""Detect and undo mojibake, text decoded in a wrong encoding and saved in UTF-8: "Ã©" for é, "Ïðèâåò" for Привет.

>>> Mojibake("utf-8", "windows-1252").undo("CafÃ© crÃ¨me â€“ 3 â‚¬")
'Café crème – 3 €'
>>> Mojibake("windows-1251", "windows-1252").undo("Ïðèâåò")
'Привет'
>>> detect_utf8_mojibake("РџСЂРёРІРµС‚")
Mojibake(encoding='utf-8', decoded_as='windows-1251', confidence=0.99)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from webtongue.charset.codecs import decode, python_codec, single_byte_table
from webtongue.records import dataclass

__all__ = ["COMMON", "HIGH_CONFIDENCE", "Mojibake", "bytes_by_character", "detect_utf8_mojibake", "find_mojibake_lines"]

LATIN = "windows-1252"
# Encodings as which UTF-8 was decoded, the most common first.
SINGLE_BYTE = (
    LATIN, "windows-1251", "iso-8859-2", "windows-1250", "windows-1254", "windows-1253", "windows-1257", "macintosh", "ibm866",
    "koi8-r", "cp850", "cp437", "cp852",
)  # fmt: skip
MULTIBYTE = ("gb18030", "shift_jis", "big5", "euc-kr")
COMMON = SINGLE_BYTE[:2]
# Minimal sequences, and the minimal share of the characters beyond ASCII that they explain: those of the kernel
# (native/charset/mojibake.cpp) for common encodings, and stricter ones for others, whose letters are frequent in some language.
MIN_COMMON_SEQUENCES, MIN_COMMON_SHARE = 2, 0.5
MIN_SEQUENCES, MIN_SHARE = 4, 0.8
# Distinct lead bytes: a language has a few; an alphabet with a sign after each letter has as many as letters.
FREE_LEADS, SEQUENCES_PER_LEAD = 6, 5
HIGH_CONFIDENCE = 0.99
MEDIUM_CONFIDENCE = (
    0.95  # confidence if many other characters are beyond ASCII, or bytes of another encoding look like sequences
)
# Characters beyond ASCII in a word, and their share, that no language has.
MIN_HIGH_IN_WORD, MIN_HIGH_SHARE = 3, 2 / 3
MIN_HIGH_WORD_SHARE = 1 / 4  # share of such words in a line of mojibake
CHUNK_CHARS = 1 << 16  # bounds memory on huge pages
BEYOND_ASCII = re.compile("[^\x00-\x7f]+")
FIRST_EAST_ASIAN = "\u2e80"
REPLACEMENT = "\ufffd"
MAX_LOST_SHARE = 0.25  # share of the characters of a run


@dataclass(frozen=True, slots=True)
class Mojibake:
    """An encoding, the wrong one as which it was decoded, and the confidence in both."""

    encoding: str
    decoded_as: str
    confidence: float = 1.0

    def undo(self, text: str) -> str:
        """Return the text with this mojibake repaired, and everything else kept."""
        if text.isascii():
            return text
        if self.encoding == "utf-8" and self.decoded_as not in MULTIBYTE:
            from webtongue.charset import mojibake_sequences  # imports NumPy, which few pages need

            return mojibake_sequences.repair(text, self.decoded_as)
        return "".join(map(self._undo_chunk, _chunks(text)))

    def _undo_chunk(self, text: str) -> str:
        if self.encoding == "utf-8":
            return BEYOND_ASCII.sub(lambda match: _undo_run(match[0], self.decoded_as) or match[0], text)
        return "\n".join(_undo_line(line, self.encoding) for line in text.split("\n"))


def detect_utf8_mojibake(text: str) -> Mojibake | None:
    """Return the encoding as which the UTF-8 of a text was decoded, or None if the text is no such mojibake."""
    from webtongue.charset import mojibake_sequences  # imports NumPy, which few texts need

    best, most_sequences, confidence = "", 0, HIGH_CONFIDENCE
    for name in SINGLE_BYTE:
        if not _sequence_start(name).search(text):
            continue
        counts = mojibake_sequences.count_sequences(text, name)
        is_common = name in COMMON
        minimum, share = (MIN_COMMON_SEQUENCES, MIN_COMMON_SHARE) if is_common else (MIN_SEQUENCES, MIN_SHARE)
        max_leads = FREE_LEADS + counts.sequences / SEQUENCES_PER_LEAD
        if counts.sequences <= most_sequences or counts.leads > max_leads:
            continue
        if counts.sequences >= minimum and counts.explained >= share * counts.high:
            best, most_sequences = name, counts.sequences
            confidence = HIGH_CONFIDENCE if counts.explained >= MIN_SHARE * counts.high else MEDIUM_CONFIDENCE
    for name in MULTIBYTE if not best else ():
        runs = BEYOND_ASCII.findall(text)
        repaired = [(run, fixed) for run in runs if (fixed := _undo_run(run, name))]
        sequences = sum(len(fixed) for _, fixed in repaired)
        if sequences >= MIN_SEQUENCES and sum(len(run) for run, _ in repaired) >= MIN_SHARE * sum(map(len, runs)):
            best, most_sequences = name, sequences
            break
    if not best:
        return None
    return Mojibake("utf-8", best, confidence if best in COMMON else min(confidence, 1 - 0.5**most_sequences))


@cache
def _sequence_start(name: str) -> re.Pattern[str]:
    """Return the pattern of the two characters that every sequence begins with; most short texts do not match it."""
    byte_of = bytes_by_character(name)
    leads = "".join(char for char, byte in byte_of.items() if 0xC2 <= byte < 0xF5)
    trails = "".join(char for char, byte in byte_of.items() if 0x80 <= byte < 0xC0)
    return re.compile(f"[{re.escape(leads)}][{re.escape(trails)}Ã]")  # Ã is read as à before a space


def find_mojibake_lines(text: str) -> list[bytes]:
    """Return the original bytes of lines that were decoded as windows-1252 and are in no language then."""
    return [_latin_bytes(line) for line in text.split("\n") if _is_mojibake(line)]


def _chunks(text: str) -> Iterator[str]:
    """Yield chunks of a text that end at a line end or a space if possible."""
    start = 0
    while start < len(text):
        end = start + CHUNK_CHARS
        if end < len(text):
            end = next((at + 1 for mark in "\n " if (at := text.rfind(mark, start, end)) >= 0), end)
        yield text[start:end]
        start = end


def _undo_run(run: str, name: str) -> str:
    """Return the UTF-8 that was decoded as a multi-byte encoding, with lost bytes as U+FFFD; empty if it was not."""
    if 2 * sum(char >= FIRST_EAST_ASIAN for char in run) < len(run):
        return ""
    try:
        text = run.encode(python_codec(name)).decode("utf-8", "replace")
    except UnicodeEncodeError:
        return ""
    return text if len(text) > 1 and text.count(REPLACEMENT) <= MAX_LOST_SHARE * len(text) else ""


def _undo_line(line: str, encoding: str) -> str:
    if not _is_mojibake(line):
        return line
    return _latin_runs().sub(lambda match: decode(_latin_bytes(match[0]), encoding), line)


def _is_mojibake(line: str) -> bool:
    """Return True if a line has words of characters beyond ASCII, or hardly other characters."""
    if line.isascii():
        return False
    byte_of = bytes_by_character(LATIN)
    size = letters = high = high_in_words = 0
    for word in line.split():
        word_high = sum(map(byte_of.__contains__, word))
        is_high_word = word_high >= MIN_HIGH_IN_WORD and word_high >= MIN_HIGH_SHARE * len(word)
        high_in_words += word_high if is_high_word else 0
        letters += sum(c.isalpha() or c in byte_of for c in word)
        high += word_high
        size += len(word)
    return high_in_words >= MIN_HIGH_WORD_SHARE * size > 0 or high > MIN_HIGH_SHARE * letters


def _latin_bytes(text: str) -> bytes:
    """Return the bytes of a text in windows-1252, including control codes."""
    return text.translate(_latin_table()).encode("latin-1", "replace")


@cache
def _latin_table() -> dict[int, int]:
    return {ord(char): byte for char, byte in bytes_by_character(LATIN).items()}


@cache
def _latin_runs() -> re.Pattern[str]:
    return re.compile(f"[\x00-\x7f{''.join(map(re.escape, bytes_by_character(LATIN)))}]+")


@cache
def bytes_by_character(name: str) -> dict[str, int]:
    """Return the bytes beyond ASCII by their characters, control codes included, as which ISO 8859 decodes them."""
    controls = {chr(byte): byte for byte in range(0x80, 0xA0)}
    table = single_byte_table(name) or ()
    return controls | {chr(point): byte for byte, point in enumerate(table, 0x80) if point != ord(REPLACEMENT)}
