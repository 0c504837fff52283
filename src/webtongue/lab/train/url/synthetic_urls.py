"""Generate URLs from running text, for languages and words that few real URLs have.

A slug consists of words, mostly without diacritics, and other scripts are often transliterated. Spans of running text become
slugs, and pairs of words become host names; training uses their text features only.
"""

from __future__ import annotations

import lzma
import random
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

# Sources whose licence allows it; the others are non-commercial or without derivatives.
TEXT_SOURCES = ("tatoeba", "commonvoice", "mediawiki", "mozilla", "uistrings", "udhr", "libreoffice")
MAX_LINES_PER_FILE = 60_000
SLUG_WORDS = (2, 7)  # minimum and maximum
HOST_SHARE = 0.25  # URLs made of a host name only
MAX_UNSPACED_CHARS = 20  # length of a slug in a script without spaces
UNSPACED_LANGUAGES = frozenset({"zho", "jpn", "tha"})
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
CYRILLIC_SCHOLARLY = CYRILLIC | {"й": "j", "х": "h", "щ": "sch", "я": "ja", "ю": "ju", "ц": "c"}
GREEK = dict(
    zip(
        "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋ",
        "a v g d e z i th i k l m n x o p r s s t y f ch ps o a e i i o y o i y".split(" "),
        strict=True,
    )
)
GERMAN = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"}
NORDIC = {"å": "aa", "ø": "oe", "æ": "ae", "ä": "ae", "ö": "oe"}

# Transliterations by language, with the share of each; other URLs keep their letters (the kernel removes diacritics).
SPELLINGS: dict[str, tuple[tuple[float, dict[str, str]], ...]] = {
    "rus": ((0.4, CYRILLIC), (0.3, CYRILLIC_SCHOLARLY)),
    "ukr": ((0.4, CYRILLIC), (0.3, CYRILLIC_SCHOLARLY)),
    "bul": ((0.4, CYRILLIC), (0.3, CYRILLIC_SCHOLARLY)),
    "srp": ((0.4, CYRILLIC), (0.3, CYRILLIC_SCHOLARLY)),
    "ell": ((0.8, GREEK),),
    "deu": ((0.7, GERMAN),),
    "dan": ((0.3, NORDIC),),
    "nob": ((0.3, NORDIC),),
    "swe": ((0.3, NORDIC),),
    "fin": ((0.2, NORDIC),),
}


def generate_urls(folder: Path, language: str, count: int) -> list[str]:
    """Return up to ``count`` URLs generated from the text of a language, the same on every run."""
    rng = random.Random(language)
    texts = [
        _read_lines(path) for source in TEXT_SOURCES for path in sorted((folder / source).glob(f"{language}_*.txt.xz"))
    ]
    if not texts:
        return []
    share = 2 * count // len(texts)
    for lines in texts:
        rng.shuffle(lines)
    pool = [line for lines in texts for line in lines[:share]]
    rng.shuffle(pool)
    return list(islice(_make_urls(pool, language, rng), count))


def _read_lines(path: Path) -> list[str]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return [line.strip() for line in islice(file, MAX_LINES_PER_FILE)]


def _make_urls(lines: list[str], language: str, rng: random.Random) -> Iterator[str]:
    for line in lines:
        words = [word for word in SEPARATORS.split(line.lower()) if word]
        if language in UNSPACED_LANGUAGES:
            if words:
                yield "http://1.1.1.1/" + "-".join(words)[:MAX_UNSPACED_CHARS]
            continue
        if len(words) < SLUG_WORDS[0]:
            continue
        start = rng.randrange(max(1, len(words) - 3))
        slug = _transliterate(words[start : start + rng.randint(*SLUG_WORDS)], language, rng.random())
        if rng.random() < HOST_SHARE:
            yield f"http://{''.join(slug[:2])[:60]}.com/"
        else:
            yield "http://1.1.1.1/" + "-".join(slug)


def _transliterate(words: list[str], language: str, draw: float) -> list[str]:
    for share, letters in SPELLINGS.get(language, ()):
        if draw < share:
            return ["".join(letters.get(letter, letter) for letter in word) for word in words]
        draw -= share
    return words
