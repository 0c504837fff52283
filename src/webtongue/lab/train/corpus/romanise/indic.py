"""Romanise words of Brahmic scripts.

Unicode arranges these scripts alike, so a letter is first mapped to the same place in Devanagari; its spelling then depends on the
language. Inherent vowels that are not spoken are dropped (Ohala 1983): at the end of a word, and in the context
vowel-consonant _ consonant-vowel, from right to left.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from webtongue.lab.train.corpus.romanise.tables import Spellings
from webtongue.lab.train.corpus.romanise.writer import Writer

__all__ = ["LANGUAGES", "Brahmic", "romanise", "split_units"]

FIRST_CODE, LAST_CODE, BLOCK_SIZE = 0x0900, 0x0D7F, 0x80
INHERENT = "@"
VIRAMA, NUKTA = "\u094d", "\u093c"
VOWEL_SIGNS = dict(zip("ािीुूृॆेैॊोौॉॅ", "आइईउऊऋऎएऐऒओऔऑऍ", strict=True))  # vowel sign -> vowel letter
VOWELS = frozenset("अआइईउऊऋऎएऐऒओऔऑऍ")
CONSONANTS = frozenset(chr(code) for code in range(0x0915, 0x093A))
NASALS = frozenset("ंँ")
OTHER_SIGNS = frozenset("ः")
# Letters at another place in their block: consonants without a vowel (Malayalam, Bengali), Gurmukhi's nasal and doubling sign.
EQUIVALENTS = {
    "ൺ": "ण" + VIRAMA,
    "ൻ": "न" + VIRAMA,
    "ർ": "र" + VIRAMA,
    "ൽ": "ल" + VIRAMA,
    "ൾ": "ळ" + VIRAMA,
    "ൿ": "क" + VIRAMA,
    "ৎ": "त" + VIRAMA,
    "ৗ": "ौ",
    "ൗ": "ौ",
    "ੜ": "ड" + NUKTA,
    "ੰ": "ं",
    "ੲ": "इ",
    "ੳ": "उ",
    "ੱ": "ੱ",
}
DOUBLING = "ੱ"
LABIALS = frozenset("पफबभम")
VOICED_AFTER = frozenset("ङञणनमऩ")  # Tamil stops are voiced after these
STOPS = frozenset("कचटतप")
# Final consonants that Tamil repeats from the next word; nobody writes them in chat.
SANDHI_CONSONANTS = frozenset("कचतप")
VOICED = "~"
KEEPS_FINAL_VOWEL = frozenset("यरवलमन")  # a final conjunct that ends in one of these keeps its vowel: mitra, satya
DOUBLED_DIGRAPH = re.compile(r"(ch|sh|th|dh|kh|gh|bh|ph|jh)(\1)")
DOUBLED_CHH = re.compile(r"chchh|cchh")
# A double consonant before another is written once: lagda.
DOUBLED_BEFORE_CONSONANT = re.compile(r"([bdfgjklmnprstvwz])\1(?=[bcdfgjklmnpqrstvwz])")


@dataclass(frozen=True, slots=True)
class Brahmic:
    """How a language treats the vowels that its script does not write."""

    drops: bool = False  # silent inherent vowels are dropped
    keeps_after_two: bool = False  # but not after two consonants: Nepali garna, Bengali bondho
    voices: bool = False  # voiced and voiceless stops have one letter: Tamil
    closes: bool = False  # a short vowel is spoken after a final consonant without a vowel: Malayalam


LANGUAGES = {
    "hin_Latn": Brahmic(drops=True),
    "mar_Latn": Brahmic(drops=True),
    "guj_Latn": Brahmic(drops=True),
    "pan_Latn": Brahmic(drops=True),
    "nep_Latn": Brahmic(drops=True, keeps_after_two=True),
    "ben_Latn": Brahmic(drops=True, keeps_after_two=True),
    "tam_Latn": Brahmic(voices=True),
    "tel_Latn": Brahmic(),
    "kan_Latn": Brahmic(),
    "mal_Latn": Brahmic(closes=True),
}


def romanise(word: str, language: Brahmic, spellings: Spellings, writer: Writer) -> str:
    """Return the word as this writer spells it."""
    parts = split_units(word)
    if language.drops:
        # The ending that follows this stem begins with a vowel.
        following_vowel = ["अ"] if word.endswith(VIRAMA) else []
        parts = drop_silent_vowels(parts + following_vowel, language.keeps_after_two)[: -1 if following_vowel else None]
    if language.voices:
        parts = mark_voiced_stops(parts[:-1] if len(parts) > 2 and parts[-1] in SANDHI_CONSONANTS else parts)
    if language.closes and parts and parts[-1] in CONSONANTS and word.endswith("\u0d4d"):
        parts.append(VIRAMA)
    romanised, index = "", 0
    while index < len(parts):
        pair = "".join(parts[index : index + 2])
        if pair in spellings and index + 1 < len(parts):
            romanised += spellings.write(pair, writer)
            index += 2
        else:
            romanised += _write_unit(parts, index, spellings, writer)
            index += 1
    romanised = DOUBLED_DIGRAPH.sub(lambda twice: twice[1][0] + twice[2], DOUBLED_CHH.sub("cch", romanised))
    return DOUBLED_BEFORE_CONSONANT.sub(r"\1", romanised) if language.drops else romanised


def split_units(word: str) -> list[str]:
    """Return consonants (with their nukta) and vowels in order; `@` is the inherent vowel, `+` marks a vowel letter inside a word.

    >>> split_units("करना"), split_units("கல்"), split_units("गई")
    (['क', '@', 'र', '@', 'न', 'आ'], ['क', '@', 'ल'], ['ग', '@', '+ई'])
    """
    parts: list[str] = []
    is_doubled = False
    for char in "".join(map(_to_devanagari, word)):
        if char in CONSONANTS:
            parts += [char, char, INHERENT] if is_doubled else [char, INHERENT]
            is_doubled = False
        elif char in VOWEL_SIGNS:
            _replace_inherent_vowel(parts, VOWEL_SIGNS[char])
        elif char == VIRAMA:
            _replace_inherent_vowel(parts, "")
        elif char == NUKTA and len(parts) > 1:
            parts[-2] += NUKTA
        elif char in VOWELS:
            parts.append(f"+{char}" if parts else char)
        elif char in NASALS or char in OTHER_SIGNS:
            parts.append(char)
        elif char == DOUBLING:
            is_doubled = True
    return parts


def _to_devanagari(char: str) -> str:
    if char in EQUIVALENTS:
        return EQUIVALENTS[char]
    code = ord(char)
    return chr(FIRST_CODE + (code - FIRST_CODE) % BLOCK_SIZE) if FIRST_CODE <= code <= LAST_CODE else ""


def _replace_inherent_vowel(parts: list[str], vowel: str) -> None:
    """Replace the inherent vowel at the end of ``parts`` by another vowel, or by none."""
    if parts and parts[-1] == INHERENT:
        parts.pop()
    if vowel:
        parts.append(vowel)


def _is_vowel(unit: str) -> bool:
    return unit == INHERENT or unit[-1] in VOWELS


def _is_consonant(unit: str) -> bool:
    return unit[0] in CONSONANTS


def drop_silent_vowels(parts: list[str], keeps_after_two: bool) -> list[str]:
    """Return the units without the inherent vowels that are not spoken.

    >>> "".join(drop_silent_vowels(split_units("मतलब"), False)), "".join(drop_silent_vowels(split_units("समझना"), False))
    ('म@तल@ब', 'स@म@झनआ')
    """
    spoken_parts = list(parts)
    if len(spoken_parts) > 2 and spoken_parts[-1] == INHERENT:
        two = _is_consonant(spoken_parts[-3]) and (keeps_after_two or spoken_parts[-3] != spoken_parts[-2])
        if not two or not (keeps_after_two or spoken_parts[-2] in KEEPS_FINAL_VOWEL):
            spoken_parts.pop()
    for index in range(len(spoken_parts) - 3, 1, -1):
        # A nasal before a consonant, and a doubled consonant, count as one.
        joined = index > 2 and (spoken_parts[index - 2] in NASALS or spoken_parts[index - 2] == spoken_parts[index - 1])
        before = spoken_parts[index - 3] if joined else spoken_parts[index - 2]
        between = spoken_parts[index] == INHERENT and _is_vowel(before) and _is_consonant(spoken_parts[index + 1])
        if between and _is_vowel(spoken_parts[index + 2]):
            del spoken_parts[index]
    return spoken_parts


def mark_voiced_stops(parts: list[str]) -> list[str]:
    """Return the units with a mark on stops between vowels and after nasals.

    >>> "".join(mark_voiced_stops(split_units("தம்பி"))), "".join(mark_voiced_stops(split_units("பக்கம்")))
    ('त@मप~इ', 'प@कक@म')
    """
    voiced_parts = list(parts)
    for index in range(1, len(voiced_parts)):
        if parts[index] in STOPS:
            before_vowel = index + 1 < len(parts) and _is_vowel(parts[index + 1])
            if before_vowel and (_is_vowel(parts[index - 1]) or parts[index - 1] in VOICED_AFTER):
                voiced_parts[index] += VOICED
    return voiced_parts


def _write_unit(parts: list[str], index: int, spellings: Spellings, writer: Writer) -> str:
    unit = parts[index]
    is_last = index == len(parts) - 1
    if unit in NASALS:
        if is_last:
            return spellings.write("ं$", writer)
        if unit in spellings and unit == "ँ":
            return spellings.write(unit, writer)
        return "m" if parts[index + 1][0] in LABIALS and unit == "ं" else spellings.write("ं", writer)
    if index and _is_consonant(unit) and _is_consonant(parts[index - 1]) and VIRAMA + unit in spellings:
        return spellings.write(VIRAMA + unit, writer)
    for key in (f"{unit}$" if is_last else f"^{unit}" if index == 0 else unit, unit, unit.lstrip("+"), unit[0]):
        if key in spellings:
            return spellings.write(key, writer)
    return ""
