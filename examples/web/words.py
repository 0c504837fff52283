"""Words of URLs: from the texts of a language if they can be written in ASCII, else random syllables and encoded words."""

from __future__ import annotations

import random
import re
import unicodedata
from urllib.parse import quote

from crawl.texts import Language

__all__ = ["Words", "collect_words"]

LATIN = {"ß": "ss", "æ": "ae", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i", "œ": "oe"}
CYRILLIC = dict(
    zip(
        "абвгдезийклмнопрстуфхъьыэіўґєїѓќљњџј",
        "a b v g d e z i j k l m n o p r s t u f h   y e i u g e yi g k lj nj dz j".replace("h   y", "h _ _ y").split(),
        strict=True,
    )
) | {"ж": "zh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ю": "yu", "я": "ya", "ё": "yo"}
GREEK = dict(
    zip("αβγδεζηθικλμνξοπρστυφχψως", "a v g d e z i th i k l m n x o p r s t y f ch ps o s".split(), strict=True)
)
LETTERS = {**LATIN, **CYRILLIC, **GREEK, "ъ": "", "ь": ""}
MIN_NAMES = 20  # with fewer words in ASCII, names are made of syllables
SYLLABLES = "ba do ka li mo na pe ri sa to ve zu lan mir tok sen dal vi go ru".split()


class Words:
    """The vocabulary of a language: ``names`` in ASCII, which may be empty, and ``native`` words in its own script."""

    def __init__(self, names: list[str], native: list[str]) -> None:
        self.names, self.native = names, native

    def name(self, rng: random.Random) -> str:
        """Return a random word in ASCII."""
        return rng.choice(self.names) if self.names else "".join(rng.choice(SYLLABLES) for _ in range(3))

    def slug(self, rng: random.Random, max_words: int = 4) -> str:
        """Return random words for a path: in ASCII, or percent-encoded in the script of the language, or a number."""
        if self.names:
            return "-".join(rng.choice(self.names) for _ in range(rng.randrange(2, max_words + 1)))
        return quote("-".join(rng.sample(self.native, 2))) if rng.random() < 0.4 else str(rng.randrange(100, 99999))


def collect_words(language: Language) -> Words:
    """Return the words in the texts of a language."""
    text = " ".join((*language.headings, *language.paragraphs, *language.menu)).lower()
    native = sorted({word for word in re.findall(r"[^\W\d_]+", text) if len(word) > 1} or set(text.split()))
    romanised = {_romanise(word) for word in native}
    names = sorted(word for word in romanised if word.isascii() and word.isalpha() and 4 <= len(word) <= 12)
    return Words(names if len(names) > MIN_NAMES else [], native)


def _romanise(word: str) -> str:
    text = "".join(LETTERS.get(letter, letter) for letter in word)
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
