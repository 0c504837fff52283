"""Romanise words of Arabic script, whose short vowels are not written and have to be inserted.

They are inserted by syllables: a consonant without a following vowel gets one, unless it closes the syllable before it. The vowel
is drawn at random, but always the same for a word, so that most writers agree on it; the tables hold the true vowels of common
words.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from webtongue.lab.train.corpus.romanise.tables import Spellings, Words
from webtongue.lab.train.corpus.romanise.writer import Writer

__all__ = ["ARABIC", "PERSIAN", "URDU", "Abjad", "romanise"]

VOWEL_SIGNS = {"َ": "a", "ُ": "u", "ِ": "i", "ً": "an", "ٌ": "un", "ٍ": "in"}
DOUBLED, TATWEEL, NO_VOWEL = "ّ", "ـ", "ْ"
HALF_VOWELS = frozenset("ويی")
HALF_I = frozenset("يی")  # as consonants they follow an i
LONG_VOWELS = frozenset("اويی")
VOWEL_AFTER_LONG = "e"  # between the last two consonants after a long vowel: fate7, sahel
VOWEL_LETTERS = frozenset("اآأإىةئءؤےٱ")
FINAL_H = frozenset("هہ")  # a vowel at the end of a word after a consonant
ARTICLE = "ال"
MIN_LETTERS_WITH_ARTICLE = 4
OTHER_VOWEL_SHARE = 0.2  # vowels for which a writer deviates from the usual choice


@dataclass(frozen=True, slots=True)
class Abjad:
    """How a language inserts the vowels that are not written."""

    vowels: str  # short vowels, repeated in proportion to their frequency
    article: bool = False  # words may begin with the Arabic article and its prefixes
    prefixes: Mapping[str, tuple[str, ...]] | None = None  # spellings of the article with the words joined to it
    silent: tuple[tuple[str, str], ...] = ()  # letter groups with silent letters, and their replacements
    clusters: frozenset[str] = frozenset()  # pairs of final consonants that may follow a long vowel


ARABIC = Abjad(
    "aaaaaeeeeiiou",
    article=True,
    prefixes={
        "وال": ("w el", "wel", "w el ", "wal", "w al"),
        "بال": ("bel", "bil", "b el", "bal"),
        "فال": ("fel", "f el", "fal"),
        "لل": ("lel", "lil", "l el"),
        "كال": ("kal", "k el"),
        "ال": ("el", "el ", "el-", "al", "al-", "il", "l"),
        "هال": ("hal", "hal "),
        "عال": ("3al", "3al "),
    },
)
FINAL_CLUSTERS = frozenset({"ست", "شت", "خت", "فت", "رد", "رت", "رک", "رچ"})  # rast, dasht, sakht
PERSIAN = Abjad("aaaaaaeeeeeoo", silent=(("خوا", "خا"),), clusters=FINAL_CLUSTERS)
URDU = Abjad("aaaaaaaaiiiuu", silent=(("خوا", "خا"),), clusters=FINAL_CLUSTERS)


def romanise(word: str, language: Abjad, spellings: Spellings, words: Words, writer: Writer) -> str:
    """Return the word as this writer spells it."""
    if language.article:
        for prefix in sorted(language.prefixes or {}, key=len, reverse=True):
            if word.startswith(prefix) and len(word) >= len(prefix) + MIN_LETTERS_WITH_ARTICLE - len(ARTICLE):
                stem = word[len(prefix) :]
                before = writer.pick(f"^{prefix}", (language.prefixes or {})[prefix])
                return before + (words.find(stem, writer) or _romanise_stem(stem, language, spellings, writer))
    return _romanise_stem(word, language, spellings, writer)


def _romanise_stem(word: str, language: Abjad, spellings: Spellings, writer: Writer) -> str:
    for letters, replacement in language.silent:
        word = word.replace(letters, replacement)
    sounds = _classify_letters(word)
    short_vowels = _draw_vowels(word, language.vowels)
    spelt: list[str] = []
    open_syllable = False  # the last sound was a vowel, so that one consonant may close the syllable
    for index, (letter, vowel) in enumerate(sounds):
        after = sounds[index + 1] if index + 1 < len(sounds) else None
        if vowel:
            spelt.append(_write_letter(letter, index, after is None, True, spellings, writer))
            open_syllable = True
            continue
        spelt.append(_write_letter(letter, index, after is None, False, spellings, writer))
        long_before = index > 1 and sounds[index - 1][1] and sounds[index - 1][0] in LONG_VOWELS
        two_left = long_before and index == len(sounds) - 2 and word[-2:] not in language.clusters
        if after is None or after[1] or (open_syllable and not two_left):
            open_syllable = False
        else:
            usual = (
                "i" if after[0] in HALF_I else VOWEL_AFTER_LONG if two_left else short_vowels[index % len(short_vowels)]
            )
            spelt.append(writer.rng.choice(language.vowels) if writer.rng.random() < OTHER_VOWEL_SHARE else usual)
            open_syllable = True
    return "".join(spelt)


def _classify_letters(word: str) -> list[tuple[str, bool]]:
    """Return the letters and whether each is a vowel: و and ي are vowels between consonants.

    >>> [vowel for _, vowel in _classify_letters("بيت")], [vowel for _, vowel in _classify_letters("ولد")]
    ([False, True, False], [False, False, False])
    """
    sounds: list[tuple[str, bool]] = []
    letters = [c for c in word if c not in (TATWEEL, NO_VOWEL)]
    for index, char in enumerate(letters):
        if char in VOWEL_SIGNS:
            sounds.append((char, True))
        elif char == DOUBLED:
            if sounds and not sounds[-1][1]:
                sounds.append(sounds[-1])
        elif char in HALF_VOWELS:
            after_vowel = bool(sounds) and sounds[-1][1]
            following = letters[index + 1 :]
            before_vowel = bool(following) and (
                following[0] in VOWEL_LETTERS or (len(following) == 1 and following[0] in FINAL_H)
            )
            sounds.append((char, bool(sounds) and not after_vowel and not before_vowel))
        else:
            ending = char in FINAL_H and index == len(letters) - 1 and bool(sounds) and not sounds[-1][1]
            marbuta = ending and sounds[-1][0] in HALF_I  # after ي, ه is often written for ة
            sounds.append(("ة" if marbuta else char, ending or char in VOWEL_LETTERS))
    return sounds


def _write_letter(letter: str, index: int, is_last: bool, is_vowel: bool, spellings: Spellings, writer: Writer) -> str:
    if letter in VOWEL_SIGNS:
        return VOWEL_SIGNS[letter]
    mark = "=" if is_vowel and letter in HALF_VOWELS else ""
    for key in (f"{letter}{mark}$" if is_last else f"^{letter}" if index == 0 else "", letter + mark, letter):
        if key and key in spellings:
            return spellings.write(key, writer)
    return ""


@lru_cache(maxsize=200_000)
def _draw_vowels(word: str, vowels: str) -> str:
    """Return the usual short vowels of a word, drawn from a random generator that the word seeds."""
    rng = random.Random(word)
    return "".join(rng.choice(vowels) for _ in range(6))
