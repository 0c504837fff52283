"""Monosyllables of Greek without their accents: the readable twin of native/text/greek.cpp."""

from __future__ import annotations

import unicodedata

VOWELS = frozenset("αεηιουωϊϋ")
DIPHTHONGS = frozenset({"αι", "ει", "οι", "υι", "αυ", "ευ", "ου", "ηυ"})
ACUTE = "\u0301"


def plain_vowel(char: str) -> str:
    """Return a vowel without its accent, and an empty string for any other letter."""
    plain = unicodedata.normalize("NFC", unicodedata.normalize("NFD", char).replace(ACUTE, ""))
    return plain if plain in VOWELS else ""


def strip_monosyllable(word: str) -> str:
    """Return a lower-case word without its accent if it has one syllable."""
    vowels = [plain_vowel(char) for char in word]
    pairs = zip(["", *word], ["", *vowels], vowels, strict=False)
    syllables = sum(bool(vowel) and written + vowel not in DIPHTHONGS for written, _, vowel in pairs)
    if syllables != 1:
        return word
    last = max((at for at, vowel in enumerate(vowels) if vowel and vowel != word[at]), default=-1)
    return word if last < 0 else word[:last] + vowels[last] + word[last + 1 :]
