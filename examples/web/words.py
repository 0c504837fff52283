"""Words of addresses: from a language's own texts where they can be written in ASCII, else made-up names and encoded words."""

from __future__ import annotations

import random
import re
import unicodedata
from urllib.parse import quote

from crawl.texts import Language

__all__ = ["Words", "words_of"]

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
SYLLABLES = "ba do ka li mo na pe ri sa to ve zu lan mir tok sen dal vi go ru".split()


class Words:
    """Draws names and slugs of a language."""

    def __init__(self, names: list[str], native: list[str]) -> None:
        self.names, self.native = names, native

    def name(self, chance: random.Random) -> str:
        """One word, in ASCII."""
        return chance.choice(self.names) if self.names else "".join(chance.choice(SYLLABLES) for _ in range(3))

    def slug(self, chance: random.Random, most: int = 4) -> str:
        """Some words of a path: in ASCII, or in the language's own letters, encoded."""
        if self.names:
            return "-".join(chance.choice(self.names) for _ in range(chance.randrange(2, most + 1)))
        return (
            quote("-".join(chance.sample(self.native, 2)))
            if chance.random() < 0.4
            else str(chance.randrange(100, 99999))
        )


def words_of(language: Language) -> Words:
    text = " ".join((*language.headings, *language.paragraphs, *language.menu)).lower()
    native = sorted({word for word in re.findall(r"[^\W\d_]+", text) if len(word) > 1} or set(text.split()))
    plain = {_plain(word) for word in native}
    names = sorted(word for word in plain if word.isascii() and word.isalpha() and 4 <= len(word) <= 12)
    return Words(names if len(names) > 20 else [], native)


def _plain(word: str) -> str:
    out = "".join(LETTERS.get(letter, letter) for letter in word)
    return "".join(c for c in unicodedata.normalize("NFKD", out) if not unicodedata.combining(c))
