"""Find the short vowels of Urdu words in Hindi, which shares most of the common words and writes all vowels.

Hindi words are spelt in Arabic letters as Urdu would, with letters that sound alike in Urdu merged; an Urdu word with the same
spelling is taken for that word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import product

from webtongue.lab.train.corpus.romanise.indic import INHERENT, NASALS, NUKTA, split_units

__all__ = ["add_dots", "fold_homophones", "map_readings"]

HOMOPHONES = str.maketrans({
    **dict.fromkeys("طۃ", "ت"), **dict.fromkeys("صث", "س"), **dict.fromkeys("ذضظژ", "ز"), **dict.fromkeys("حھهۂ", "ہ"),
    **dict.fromkeys("عأآ", "ا"), **dict.fromkeys("ئيے", "ی"), "ق": "ک", "ك": "ک", "غ": "گ", "ں": "ن", "ؤ": "و", "ء": "", "ّ": "",
    "َ": "", "ِ": "", "ُ": "", "ٰ": "",
})  # fmt: skip
LETTERS = {
    **dict(zip("कगचजटडतदनपबमयरलवशषसहणळ", "کگچجٹڈتدنپبمیرلوششسہنل", strict=True)),
    **{"ख": "کہ", "घ": "گہ", "छ": "چہ", "झ": "جہ", "ठ": "ٹہ", "ढ": "ڈہ", "थ": "تہ", "ध": "دہ", "फ": "پہ", "भ": "بہ"},
    **{"ख़": "خ", "ग़": "گ", "ज़": "ز", "फ़": "ف", "क़": "ک", "ड़": "ڑ", "ढ़": "ڑہ", "ङ": "ن", "ञ": "ن"},
}
# Hindi mostly omits the dot of these: ख for خ.
AMBIGUOUS_LETTERS = {"ख": ("کہ", "خ"), "फ": ("پہ", "ف"), "ज": ("ج", "ز")}
VOWELS = {
    "आ": "ا",
    "इ": "",
    "ई": "ی",
    "उ": "",
    "ऊ": "و",
    "ए": "ی",
    "ऐ": "ی",
    "ओ": "و",
    "औ": "و",
    "ऑ": "ا",
    "ऋ": "ر",
    "अ": "",
}
MAX_SPELLINGS = 8


def fold_homophones(word: str) -> str:
    """Return an Urdu word with letters that sound alike merged.

    >>> fold_homophones("صحيح")
    'سہیہ'
    """
    return word.translate(HOMOPHONES)


def spell_in_urdu(word: str) -> list[str]:
    """Return the spellings of a Hindi word in folded Arabic letters, one for each reading of its ambiguous letters.

    >>> "لڑکا" in spell_in_urdu("लड़का"), "خراب" in spell_in_urdu("खराब")
    (True, True)
    """
    options: list[tuple[str, ...]] = []
    previous = ""
    for index, unit in enumerate(split_units(word)):
        vowel = unit.lstrip("+")
        if unit == INHERENT:
            pass
        elif vowel in VOWELS:
            first = "ا" if index == 0 and vowel != "आ" else ""
            options.append((first + VOWELS[vowel],))
        elif unit in NASALS:
            options.append(("ن",))
        elif unit != previous:
            options.append(AMBIGUOUS_LETTERS.get(unit, (LETTERS.get(unit, LETTERS.get(unit[0], "")),)))
        previous = unit
    combinations = product(*options)
    return ["".join(combination) for _, combination in zip(range(MAX_SPELLINGS), combinations, strict=False)]


def add_dots(hindi: str, urdu: str) -> str:
    """Return the Hindi word with the dots that its Urdu spelling implies.

    >>> len(add_dots("लफ्ज", "لفظ")) - len("लफ्ज")
    2
    """
    for letter, letters, other in (
        ("फ", "ف", "پ"),
        ("ज", "زذضظ", "ج"),
        ("ख", "خ", "ک"),
        ("ग", "غ", "گ"),
        ("क", "ق", "ک"),
    ):
        if any(c in urdu for c in letters) and other not in urdu:
            hindi = re.sub(f"{letter}{NUKTA}?", letter + NUKTA, hindi)
    return hindi


def map_readings(words: Iterable[str]) -> dict[str, str]:
    """Return the most common matching Hindi word of each folded Urdu word."""
    counts = Counter(words)
    by_form: dict[str, str] = {}
    for word, _ in counts.most_common():
        for form in spell_in_urdu(word):
            if len(form) > 1:
                by_form.setdefault(form, word)
    return by_form
