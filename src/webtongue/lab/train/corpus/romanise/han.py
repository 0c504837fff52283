"""Romanise Chinese as pinyin and Japanese as romaji. The readings come from packages that only training needs:

    pip install pypinyin pykakasi

Without them these two labels are skipped.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from typing import Any

from webtongue.lab.train.corpus.romanise.writer import Writer

__all__ = ["PACKAGES", "make_pinyin_writer", "make_romaji_writer"]

PACKAGES = {"zho_Latn": "pypinyin", "jpn_Latn": "pykakasi"}

PUNCTUATION = str.maketrans("，。！？：；（）、「」『』“”《》…　・～", ',.!?:;(),"""""""". -~')
# Cumulative shares of writers who separate syllables and who separate words; the rest write no spaces.
SYLLABLES_SHARE, WORDS_SHARE = 0.45, 0.9
TONE_MARKS_SHARE = 0.3
TONE_NUMBERS_SHARE = 0.05
HAN = re.compile("[\u3400-\u9fff]+")
EXTRA_SPACES = re.compile(r"\s+([,.!?:;)])|(\()\s+|\s{2,}")
LONG_VOWEL_SPELLINGS = {"ou": ("ou", "o", "ō", "ou"), "uu": ("uu", "u", "ū", "uu"), "oo": ("oo", "o", "ō", "oo")}
LONG_VOWELS = re.compile("ou|uu|oo")
KUNREI = (
    (r"sh(?=[auo])", "sy"),
    ("shi", "si"),
    (r"ch(?=[auo])", "ty"),
    ("chi", "ti"),
    ("tsu", "tu"),
    (r"j(?=[auo])", "zy"),
)
KUNREI_SHARE = 0.08
# Particles that are not pronounced as they are written.
PARTICLES = {
    "は": ("wa", "wa", "wa", "ha"),
    "へ": ("e", "e", "he"),
    "を": ("wo", "o"),
    "では": ("dewa", "de wa"),
    "には": ("niwa", "ni wa"),
}

Line = Callable[[str, Writer], str]


def _import_or_none(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _tidy_spaces(line: str) -> str:
    return EXTRA_SPACES.sub(lambda match: match[1] or match[2] or " ", line).strip()


def make_pinyin_writer() -> Line | None:
    """Return a function that writes a line in pinyin, or None if pypinyin is not installed."""
    pypinyin = _import_or_none(PACKAGES["zho_Latn"])
    if pypinyin is None:
        return None
    segment = importlib.import_module("pypinyin.seg.mmseg").seg.cut

    def line(text: str, writer: Writer) -> str:
        separation = writer.rng.random()
        draw = writer.rng.random()
        style = pypinyin.Style.TONE if draw < TONE_MARKS_SHARE else pypinyin.Style.NORMAL
        if TONE_MARKS_SHARE <= draw < TONE_MARKS_SHARE + TONE_NUMBERS_SHARE:
            style = pypinyin.Style.TONE3
        within = " " if separation < SYLLABLES_SHARE else ""
        between = "" if separation >= WORDS_SHARE else " "
        plain_u = writer.pick("ü", ("v", "u", "ü"))

        def run(match: re.Match[str]) -> str:
            words = [within.join(pypinyin.lazy_pinyin(word, style=style)) for word in segment(match[0])]
            return " " + between.join(words) + " "

        romanised = HAN.sub(run, text).translate(PUNCTUATION)
        return _tidy_spaces(romanised if style is pypinyin.Style.TONE else romanised.replace("ü", plain_u))

    return line


def make_romaji_writer() -> Line | None:
    """Return a function that writes a line in romaji, or None if pykakasi is not installed."""
    package = _import_or_none(PACKAGES["jpn_Latn"])
    if package is None:
        return None
    kakasi = package.kakasi()

    def line(text: str, writer: Writer) -> str:
        words = [
            writer.pick(item["orig"], PARTICLES.get(item["orig"], (item["hepburn"],))) for item in kakasi.convert(text)
        ]
        romanised = " ".join(words).translate(PUNCTUATION)
        romanised = LONG_VOWELS.sub(lambda match: writer.pick(match[0], LONG_VOWEL_SPELLINGS[match[0]]), romanised)
        if writer.has_habit("kunrei", KUNREI_SHARE):
            for hepburn, kunrei in KUNREI:
                romanised = re.sub(hepburn, kunrei, romanised)
        return _tidy_spaces(romanised)

    return line
