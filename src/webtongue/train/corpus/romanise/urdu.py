"""Short vowels for Urdu, from Hindi: most of its common words are Hindi's too, and Devanagari writes all vowels.

Hindi words are spelt in Arabic letters as Urdu would, letters that sound alike in Urdu taken as one; an Urdu word that comes out
the same is that word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import product

from webtongue.train.corpus.romanise.indic import INHERENT, NASALS, NUKTA, units

__all__ = ["dotted", "folded", "readings"]

ALIKE = str.maketrans({
    **dict.fromkeys("طۃ", "ت"), **dict.fromkeys("صث", "س"), **dict.fromkeys("ذضظژ", "ز"), **dict.fromkeys("حھهۂ", "ہ"),
    **dict.fromkeys("عأآ", "ا"), **dict.fromkeys("ئيے", "ی"), "ق": "ک", "ك": "ک", "غ": "گ", "ں": "ن", "ؤ": "و", "ء": "", "ّ": "",
    "َ": "", "ِ": "", "ُ": "", "ٰ": "",
})  # fmt: skip
LETTERS = {
    **dict(zip("कगचजटडतदनपबमयरलवशषसहणळ", "کگچجٹڈتدنپبمیرلوششسہنل", strict=True)),
    **{"ख": "کہ", "घ": "گہ", "छ": "چہ", "झ": "جہ", "ठ": "ٹہ", "ढ": "ڈہ", "थ": "تہ", "ध": "دہ", "फ": "پہ", "भ": "بہ"},
    **{"ख़": "خ", "ग़": "گ", "ज़": "ز", "फ़": "ف", "क़": "ک", "ड़": "ڑ", "ढ़": "ڑہ", "ङ": "ن", "ञ": "ن"},
}
# A dot that Hindi leaves out more often than not: ख for خ.
UNDOTTED = {"ख": ("کہ", "خ"), "फ": ("پہ", "ف"), "ज": ("ج", "ز")}
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
MOST_WAYS = 8


def folded(word: str) -> str:
    """An Urdu word with letters that sound alike made one.

    >>> folded("صحيح")
    'سہیہ'
    """
    return word.translate(ALIKE)


def spelt(word: str) -> list[str]:
    """A Hindi word in folded Arabic letters, by every way its undotted letters may be meant.

    >>> "لڑکا" in spelt("लड़का"), "خراب" in spelt("खराब")
    (True, True)
    """
    parts: list[tuple[str, ...]] = []
    before = ""
    for at, unit in enumerate(units(word)):
        vowel = unit.lstrip("+")
        if unit == INHERENT:
            pass
        elif vowel in VOWELS:
            first = "ا" if at == 0 and vowel != "आ" else ""
            parts.append((first + VOWELS[vowel],))
        elif unit in NASALS:
            parts.append(("ن",))
        elif unit != before:
            parts.append(UNDOTTED.get(unit, (LETTERS.get(unit, LETTERS.get(unit[0], "")),)))
        before = unit
    ways = product(*parts)
    return ["".join(way) for _, way in zip(range(MOST_WAYS), ways, strict=False)]


def dotted(hindi: str, urdu: str) -> str:
    """The Hindi word with the dots that its Urdu spelling asks for.

    >>> len(dotted("लफ्ज", "لفظ")) - len("लफ्ज")
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


def readings(words: Iterable[str]) -> dict[str, str]:
    """Folded Urdu word -> the commonest Hindi word that may be it."""
    counts = Counter(words)
    out: dict[str, str] = {}
    for word, _ in counts.most_common():
        for form in spelt(word):
            if len(form) > 1:
                out.setdefault(form, word)
    return out
