"""Chinese as pinyin and Japanese as romaji. The readings come from packages that only training needs:

    pip install pypinyin pykakasi

Without them these two labels are not made.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from typing import Any

from webtongue.train.corpus.romanise.writer import Writer

__all__ = ["PACKAGES", "chinese", "japanese"]

PACKAGES = {"zho_Latn": "pypinyin", "jpn_Latn": "pykakasi"}

PUNCTUATION = str.maketrans("，。！？：；（）、「」『』“”《》…　・～", ',.!?:;(),"""""""". -~')
SYLLABLES, WORDS = 0.45, 0.9  # writers who part syllables; up to the second, words; the rest part nothing
TONES = 0.3  # writers of tone marks
NUMBERS = 0.05  # writers of tones as numbers
HAN = re.compile("[\u3400-\u9fff]+")
SPACES = re.compile(r"\s+([,.!?:;)])|(\()\s+|\s{2,}")
LONG = {"ou": ("ou", "o", "ō", "ou"), "uu": ("uu", "u", "ū", "uu"), "oo": ("oo", "o", "ō", "oo")}
LONG_VOWELS = re.compile("ou|uu|oo")
KUNREI = (
    (r"sh(?=[auo])", "sy"),
    ("shi", "si"),
    (r"ch(?=[auo])", "ty"),
    ("chi", "ti"),
    ("tsu", "tu"),
    (r"j(?=[auo])", "zy"),
)
KUNREI_WRITERS = 0.08
# Written otherwise than they sound.
PARTICLES = {
    "は": ("wa", "wa", "wa", "ha"),
    "へ": ("e", "e", "he"),
    "を": ("wo", "o"),
    "では": ("dewa", "de wa"),
    "には": ("niwa", "ni wa"),
}

Line = Callable[[str, Writer], str]


def _package(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _tidy(line: str) -> str:
    return SPACES.sub(lambda m: m[1] or m[2] or " ", line).strip()


def chinese() -> Line | None:
    """A function that writes a line in pinyin, or None where pypinyin is not installed."""
    pypinyin = _package(PACKAGES["zho_Latn"])
    if pypinyin is None:
        return None
    segment = importlib.import_module("pypinyin.seg.mmseg").seg.cut

    def line(text: str, writer: Writer) -> str:
        apart = writer.rnd.random()
        draw = writer.rnd.random()
        style = pypinyin.Style.TONE if draw < TONES else pypinyin.Style.NORMAL
        if TONES <= draw < TONES + NUMBERS:
            style = pypinyin.Style.TONE3
        within = " " if apart < SYLLABLES else ""
        between = "" if apart >= WORDS else " "
        plain_u = writer.pick("ü", ("v", "u", "ü"))

        def run(found: re.Match[str]) -> str:
            words = [within.join(pypinyin.lazy_pinyin(word, style=style)) for word in segment(found[0])]
            return " " + between.join(words) + " "

        made = HAN.sub(run, text).translate(PUNCTUATION)
        return _tidy(made if style is pypinyin.Style.TONE else made.replace("ü", plain_u))

    return line


def japanese() -> Line | None:
    """A function that writes a line in romaji, or None where pykakasi is not installed."""
    package = _package(PACKAGES["jpn_Latn"])
    if package is None:
        return None
    kakasi = package.kakasi()

    def line(text: str, writer: Writer) -> str:
        words = [
            writer.pick(item["orig"], PARTICLES.get(item["orig"], (item["hepburn"],))) for item in kakasi.convert(text)
        ]
        made = " ".join(words).translate(PUNCTUATION)
        made = LONG_VOWELS.sub(lambda found: writer.pick(found[0], LONG[found[0]]), made)
        if writer.chance("kunrei", KUNREI_WRITERS):
            for hepburn, kunrei in KUNREI:
                made = re.sub(hepburn, kunrei, made)
        return _tidy(made)

    return line
