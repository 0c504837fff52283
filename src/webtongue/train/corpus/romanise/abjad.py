"""Words of Arabic script in Latin letters: short vowels are not written and have to be put in.

They are put in by syllables: a consonant that no vowel follows gets one, unless it closes the syllable before it. Which vowel is
drawn, but always the same one for a word, so that most writers agree on it; common words are in the tables, with their true ones.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from webtongue.train.corpus.romanise.tables import Spellings, Words
from webtongue.train.corpus.romanise.writer import Writer

__all__ = ["ARABIC", "PERSIAN", "URDU", "Abjad", "romanise"]

SIGNS = {"َ": "a", "ُ": "u", "ِ": "i", "ً": "an", "ٌ": "un", "ٍ": "in"}
DOUBLED, STRETCH, NO_VOWEL = "ّ", "ـ", "ْ"
HALF_VOWELS = frozenset("ويی")
HALF_I = frozenset("يی")  # as consonants they have an i before them
LONG = frozenset("اويی")
AFTER_LONG = "e"  # between the last two consonants after a long vowel: fate7, sahel
VOWEL_LETTERS = frozenset("اآأإىةئءؤےٱ")
LAST_H = frozenset("هہ")  # at the end of a word after a consonant: a vowel
ARTICLE = "ال"
SHORTEST_WITH_ARTICLE = 4  # letters of a word that may begin with the article
DISAGREE = 0.2  # share of vowels that a writer hears otherwise than most


@dataclass(frozen=True, slots=True)
class Abjad:
    """How a language fills in what is not written."""

    vowels: str  # short vowels, as often as they are met
    article: bool = False  # words may begin with Arabic's article, and with what is written onto it
    prefixes: Mapping[str, tuple[str, ...]] | None = None  # written onto the article
    silent: tuple[tuple[str, str], ...] = ()  # letters that are not spoken, and what is left of them
    clusters: frozenset[str] = frozenset()  # two last consonants that may follow a long vowel


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
ENDS = frozenset({"ست", "شت", "خت", "فت", "رد", "رت", "رک", "رچ"})  # rast, dasht, sakht
PERSIAN = Abjad("aaaaaaeeeeeoo", silent=(("خوا", "خا"),), clusters=ENDS)
URDU = Abjad("aaaaaaaaiiiuu", silent=(("خوا", "خا"),), clusters=ENDS)


def romanise(word: str, language: Abjad, spellings: Spellings, words: Words, writer: Writer) -> str:
    """The word as this writer spells it."""
    if language.article:
        for prefix in sorted(language.prefixes or {}, key=len, reverse=True):
            if word.startswith(prefix) and len(word) >= len(prefix) + SHORTEST_WITH_ARTICLE - len(ARTICLE):
                stem = word[len(prefix) :]
                before = writer.pick(f"^{prefix}", (language.prefixes or {})[prefix])
                return before + (words.find(stem, writer) or _stem(stem, language, spellings, writer))
    return _stem(word, language, spellings, writer)


def _stem(word: str, language: Abjad, spellings: Spellings, writer: Writer) -> str:
    for letters, left in language.silent:
        word = word.replace(letters, left)
    parts = _sounds(word)
    drawn = _vowels(word, language.vowels)
    out: list[str] = []
    open_syllable = False  # the last sound was a vowel that one consonant may close
    for at, (letter, vowel) in enumerate(parts):
        after = parts[at + 1] if at + 1 < len(parts) else None
        if vowel:
            out.append(_written(letter, at, after is None, True, spellings, writer))
            open_syllable = True
            continue
        out.append(_written(letter, at, after is None, False, spellings, writer))
        long_before = at > 1 and parts[at - 1][1] and parts[at - 1][0] in LONG
        two_left = long_before and at == len(parts) - 2 and word[-2:] not in language.clusters
        if after is None or after[1] or (open_syllable and not two_left):
            open_syllable = False
        else:
            heard = "i" if after[0] in HALF_I else AFTER_LONG if two_left else drawn[at % len(drawn)]
            out.append(writer.rnd.choice(language.vowels) if writer.rnd.random() < DISAGREE else heard)
            open_syllable = True
    return "".join(out)


def _sounds(word: str) -> list[tuple[str, bool]]:
    """Letters, and whether each is a vowel here: و and ي are where consonants stand around them.

    >>> [vowel for _, vowel in _sounds("بيت")], [vowel for _, vowel in _sounds("ولد")]
    ([False, True, False], [False, False, False])
    """
    out: list[tuple[str, bool]] = []
    letters = [c for c in word if c not in (STRETCH, NO_VOWEL)]
    for at, char in enumerate(letters):
        if char in SIGNS:
            out.append((char, True))
        elif char == DOUBLED:
            if out and not out[-1][1]:
                out.append(out[-1])
        elif char in HALF_VOWELS:
            after_vowel = bool(out) and out[-1][1]
            rest = letters[at + 1 :]
            before_vowel = bool(rest) and (rest[0] in VOWEL_LETTERS or (len(rest) == 1 and rest[0] in LAST_H))
            out.append((char, bool(out) and not after_vowel and not before_vowel))
        else:
            ending = char in LAST_H and at == len(letters) - 1 and bool(out) and not out[-1][1]
            marbuta = ending and out[-1][0] in HALF_I  # ه is often put for ة after ي
            out.append(("ة" if marbuta else char, ending or char in VOWEL_LETTERS))
    return out


def _written(letter: str, at: int, last: bool, vowel: bool, spellings: Spellings, writer: Writer) -> str:
    if letter in SIGNS:
        return SIGNS[letter]
    mark = "=" if vowel and letter in HALF_VOWELS else ""
    for key in (f"{letter}{mark}$" if last else f"^{letter}" if at == 0 else "", letter + mark, letter):
        if key and key in spellings:
            return spellings.write(key, writer)
    return ""


@lru_cache(maxsize=200_000)
def _vowels(word: str, vowels: str) -> str:
    """The short vowels of a word as most people hear them."""
    rnd = random.Random(word)
    return "".join(rnd.choice(vowels) for _ in range(6))
