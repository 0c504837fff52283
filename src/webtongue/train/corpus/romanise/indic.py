"""Words of Brahmic scripts in Latin letters.

Unicode lays these scripts out alike, so that a letter is first moved to its place in Devanagari; how it is spelt there is then a
matter of the language. Inherent vowels that are not spoken are left out (Ohala 1983): at the end of a word, and between a vowel and
consonant and a consonant and vowel, from right to left.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from webtongue.train.corpus.romanise.tables import Spellings
from webtongue.train.corpus.romanise.writer import Writer

__all__ = ["LANGUAGES", "Brahmic", "romanise", "units"]

FIRST, LAST, BLOCK = 0x0900, 0x0D7F, 0x80
INHERENT = "@"
VIRAMA, NUKTA = "\u094d", "\u093c"
SIGNS = dict(zip("ािीुूृॆेैॊोौॉॅ", "आइईउऊऋऎएऐऒओऔऑऍ", strict=True))  # sign of a vowel -> the vowel
VOWELS = frozenset("अआइईउऊऋऎएऐऒओऔऑऍ")
CONSONANTS = frozenset(chr(code) for code in range(0x0915, 0x093A))
NASALS = frozenset("ंँ")
OTHERS = frozenset("ः")
# What lies elsewhere in its own block: consonants without a vowel (Malayalam, Bengali), Gurmukhi's nasal and sign of doubling.
MOVED = {
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
JOINING = frozenset("कचतप")  # at the end of a Tamil word, before one that begins alike: nobody writes it in chat
VOICED = "~"
DROPS_LAST_VOWEL = frozenset("यरवलमन")  # a last conjunct with one of these needs its vowel: mitra, satya
TWICE = re.compile(r"(ch|sh|th|dh|kh|gh|bh|ph|jh)(\1)")
ASPIRATED_TWICE = re.compile(r"chchh|cchh")
DOUBLED_BEFORE = re.compile(r"([bdfgjklmnprstvwz])\1(?=[bcdfgjklmnpqrstvwz])")  # before a third, two are one: lagda


@dataclass(frozen=True, slots=True)
class Brahmic:
    """How a language treats the vowels that its script does not write."""

    drops: bool = False  # inherent vowels fall away
    keeps_after_two: bool = False  # ... but never after two consonants: Nepali garna, Bengali bondho
    voices: bool = False  # one letter for voiced and voiceless stops: Tamil
    closes: bool = False  # a consonant without a vowel at the end of a word is spoken with a short one: Malayalam


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
    """The word as this writer spells it."""
    found = units(word)
    if language.drops:
        follows = ["अ"] if word.endswith(VIRAMA) else []  # a vowel comes after what is given
        found = spoken(found + follows, language.keeps_after_two)[: -1 if follows else None]
    if language.voices:
        found = voiced(found[:-1] if len(found) > 2 and found[-1] in JOINING else found)
    if language.closes and found and found[-1] in CONSONANTS and word.endswith("\u0d4d"):
        found.append(VIRAMA)
    out, at = "", 0
    while at < len(found):
        pair = "".join(found[at : at + 2])
        if pair in spellings and at + 1 < len(found):
            out += spellings.write(pair, writer)
            at += 2
        else:
            out += _written(found, at, spellings, writer)
            at += 1
    out = TWICE.sub(lambda twice: twice[1][0] + twice[2], ASPIRATED_TWICE.sub("cch", out))
    return DOUBLED_BEFORE.sub(r"\1", out) if language.drops else out


def units(word: str) -> list[str]:
    """Consonants (with their dot) and vowels in order; `@` is the inherent vowel, `+` marks a vowel letter inside a word.

    >>> units("करना"), units("கல்"), units("गई")
    (['क', '@', 'र', '@', 'न', 'आ'], ['क', '@', 'ल'], ['ग', '@', '+ई'])
    """
    out: list[str] = []
    double = False
    for char in "".join(map(_in_devanagari, word)):
        if char in CONSONANTS:
            out += [char, char, INHERENT] if double else [char, INHERENT]
            double = False
        elif char in SIGNS:
            _close(out, SIGNS[char])
        elif char == VIRAMA:
            _close(out, "")
        elif char == NUKTA and len(out) > 1:
            out[-2] += NUKTA
        elif char in VOWELS:
            out.append(f"+{char}" if out else char)
        elif char in NASALS or char in OTHERS:
            out.append(char)
        elif char == DOUBLING:
            double = True
    return out


def _in_devanagari(char: str) -> str:
    if char in MOVED:
        return MOVED[char]
    code = ord(char)
    return chr(FIRST + (code - FIRST) % BLOCK) if FIRST <= code <= LAST else ""


def _close(out: list[str], vowel: str) -> None:
    """Puts a vowel, or none, in place of the inherent one."""
    if out and out[-1] == INHERENT:
        out.pop()
    if vowel:
        out.append(vowel)


def _is_vowel(unit: str) -> bool:
    return unit == INHERENT or unit[-1] in VOWELS


def _is_consonant(unit: str) -> bool:
    return unit[0] in CONSONANTS


def spoken(found: list[str], keeps_after_two: bool) -> list[str]:
    """Without the inherent vowels that are not spoken.

    >>> "".join(spoken(units("मतलब"), False)), "".join(spoken(units("समझना"), False))
    ('म@तल@ब', 'स@म@झनआ')
    """
    out = list(found)
    if len(out) > 2 and out[-1] == INHERENT:
        two = _is_consonant(out[-3]) and (keeps_after_two or out[-3] != out[-2])
        if not two or not (keeps_after_two or out[-2] in DROPS_LAST_VOWEL):
            out.pop()
    for at in range(len(out) - 3, 1, -1):
        joined = at > 2 and (
            out[at - 2] in NASALS or out[at - 2] == out[at - 1]
        )  # a nasal or doubled consonant counts as one
        before = out[at - 3] if joined else out[at - 2]
        between = out[at] == INHERENT and _is_vowel(before) and _is_consonant(out[at + 1])
        if between and _is_vowel(out[at + 2]):
            del out[at]
    return out


def voiced(found: list[str]) -> list[str]:
    """Marks stops between vowels and after nasals.

    >>> "".join(voiced(units("தம்பி"))), "".join(voiced(units("பக்கம்")))
    ('त@मप~इ', 'प@कक@म')
    """
    out = list(found)
    for at in range(1, len(out)):
        if found[at] in STOPS:
            follows = at + 1 < len(found) and _is_vowel(found[at + 1])
            if follows and (_is_vowel(found[at - 1]) or found[at - 1] in VOICED_AFTER):
                out[at] += VOICED
    return out


def _written(found: list[str], at: int, spellings: Spellings, writer: Writer) -> str:
    unit = found[at]
    last = at == len(found) - 1
    if unit in NASALS:
        if last:
            return spellings.write("ं$", writer)
        if unit in spellings and unit == "ँ":
            return spellings.write(unit, writer)
        return "m" if found[at + 1][0] in LABIALS and unit == "ं" else spellings.write("ं", writer)
    if at and _is_consonant(unit) and _is_consonant(found[at - 1]) and VIRAMA + unit in spellings:
        return spellings.write(VIRAMA + unit, writer)
    for key in (f"{unit}$" if last else f"^{unit}" if at == 0 else unit, unit, unit.lstrip("+"), unit[0]):
        if key in spellings:
            return spellings.write(key, writer)
    return ""
