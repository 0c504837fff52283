"""URLs made of text: what a slug or a host name of a language looks like, for languages and words that few URLs show.

A slug is words, mostly without their marks, and scripts other than Latin are often written in Latin letters. Stretches of
running text are turned into such slugs, and pairs of words into names of hosts; only their text features are learnt from.
"""

from __future__ import annotations

import lzma
import random
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

# Sources whose terms allow it; the others are non-commercial or without derivatives.
SOURCES = ("tatoeba", "commonvoice", "mediawiki", "mozilla", "uistrings", "udhr", "libreoffice")
MOST_LINES = 60_000  # lines read of a file
WORDS = (2, 7)  # fewest and most words of a slug
HOSTS = 0.25  # share of made URLs that are names of hosts
MOST_LETTERS = 20  # letters of a slug in a script without spaces
SPACELESS = frozenset({"zho", "jpn", "tha"})
SEPARATORS = re.compile(r"[\s\d_\-!-/:-@\[-`{-~«»„“”‘’…–—،؛؟。、！？（）「」।¿¡·]+")

CYRILLIC = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґђјљњћџў",
        "a b v g d e e zh z i y k l m n o p r s t u f kh ts ch sh shch  y  e yu ya i yi ye g dj j lj nj c dz u".split(
            " "
        ),
        strict=True,
    )
)
SCHOLARLY = CYRILLIC | {"й": "j", "х": "h", "щ": "sch", "я": "ja", "ю": "ju", "ц": "c"}
GREEK = dict(
    zip(
        "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋ",
        "a v g d e z i th i k l m n x o p r s s t y f ch ps o a e i i o y o i y".split(" "),
        strict=True,
    )
)
GERMAN = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"}
NORDIC = {"å": "aa", "ø": "oe", "æ": "ae", "ä": "ae", "ö": "oe"}

# Which spellings a language's URLs have, with the share of each; the rest keep their letters (marks fall in the kernel).
SPELLINGS: dict[str, tuple[tuple[float, dict[str, str]], ...]] = {
    "rus": ((0.4, CYRILLIC), (0.3, SCHOLARLY)),
    "ukr": ((0.4, CYRILLIC), (0.3, SCHOLARLY)),
    "bul": ((0.4, CYRILLIC), (0.3, SCHOLARLY)),
    "srp": ((0.4, CYRILLIC), (0.3, SCHOLARLY)),
    "ell": ((0.8, GREEK),),
    "deu": ((0.7, GERMAN),),
    "dan": ((0.3, NORDIC),),
    "nob": ((0.3, NORDIC),),
    "swe": ((0.3, NORDIC),),
    "fin": ((0.2, NORDIC),),
}


def made_urls(folder: Path, language: str, count: int) -> list[str]:
    """Up to so many URLs made of a language's text, the same ones on every run."""
    chance = random.Random(language)
    texts = [_lines(path) for source in SOURCES for path in sorted((folder / source).glob(f"{language}_*.txt.xz"))]
    if not texts:
        return []
    share = 2 * count // len(texts)
    for lines in texts:
        chance.shuffle(lines)
    pool = [line for lines in texts for line in lines[:share]]
    chance.shuffle(pool)
    return list(islice(_urls(pool, language, chance), count))


def _lines(path: Path) -> list[str]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return [line.strip() for line in islice(file, MOST_LINES)]


def _urls(pool: list[str], language: str, chance: random.Random) -> Iterator[str]:
    for line in pool:
        words = [word for word in SEPARATORS.split(line.lower()) if word]
        if language in SPACELESS:
            if words:
                yield "http://1.1.1.1/" + "-".join(words)[:MOST_LETTERS]
            continue
        if len(words) < WORDS[0]:
            continue
        first = chance.randrange(max(1, len(words) - 3))
        slug = _spelt(words[first : first + chance.randint(*WORDS)], language, chance.random())
        if chance.random() < HOSTS:
            yield f"http://{''.join(slug[:2])[:60]}.com/"
        else:
            yield "http://1.1.1.1/" + "-".join(slug)


def _spelt(words: list[str], language: str, draw: float) -> list[str]:
    for share, letters in SPELLINGS.get(language, ()):
        if draw < share:
            return ["".join(letters.get(letter, letter) for letter in word) for word in words]
        draw -= share
    return words
