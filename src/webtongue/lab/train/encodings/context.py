"""Fit byte contexts: which letters and signs occur beside each other, in any encoding (native/charset/byte_context.hpp)."""

from __future__ import annotations

import unicodedata
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import cache

import numpy as np
from numpy.typing import NDArray

from webtongue import _kernel
from webtongue.lab.train.encodings.file import NO_CHARACTER
from webtongue.lab.train.encodings.fit import Sample

__all__ = ["ContextConfig", "build_letter_tables", "fit_contexts"]

BATCH_SAMPLES = 4096  # passed to the kernel at once
BOX_DRAWING = range(0x2500, 0x25A0)


class CharClass(IntEnum):
    """Classes of characters; from LETTER on there is a class for each script and case."""

    SPACE = 0
    NO_CHARACTER = 1
    DIGIT = 2
    MARK = 3
    APOSTROPHE = 4
    DASH = 5
    OPENING = 6
    CLOSING = 7
    STOP = 8
    MONEY = 9
    NUMBER = 10
    ORDINAL = 11
    MATHS = 12
    BOX = 13
    SIGN = 14
    PART = 15  # one byte of a multi-byte character
    LETTER = 16


CATEGORIES = {
    "Nd": CharClass.DIGIT, "Mn": CharClass.MARK, "Mc": CharClass.MARK, "Pd": CharClass.DASH, "Ps": CharClass.OPENING,
    "Pi": CharClass.OPENING, "Pe": CharClass.CLOSING, "Pf": CharClass.CLOSING, "Po": CharClass.STOP, "Sc": CharClass.MONEY,
    "No": CharClass.NUMBER, "Sm": CharClass.MATHS, "Co": CharClass.PART,
}  # fmt: skip
SCRIPTS = (
    "LATIN",
    "CYRILLIC",
    "GREEK",
    "ARMENIAN",
    "GEORGIAN",
    "HEBREW",
    "ARABIC",
    "THAI",
)  # first words of the Unicode names of letters
APOSTROPHES = "'’ʼ‘`´"
ORDINALS = "ªº°²³¹"
CEDILLA_VARIANTS = {"ș": "ş", "ț": "ţ"}  # old pages wrote Romanian with either letter


@dataclass(frozen=True, slots=True)
class ContextConfig:
    """Settings, chosen by measurement on held-out samples (docs/generated/figures-encoding.md)."""

    bits: int = 17  # log2 of the number of weights
    passes: int = 3
    rate: float = 0.1
    decay: float = 1e-5


def build_letter_tables(tables: NDArray[np.uint16]) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """Return the lower-case letters and character classes of all 256 bytes, one row per class."""
    points = np.hstack([np.tile(np.arange(128, dtype=np.uint16), (len(tables), 1)), tables])
    letters = [[_fold_letter(int(point)) for point in row] for row in points]
    sorts = [[_classify(int(point)) for point in row] for row in points]
    return np.array(letters, np.uint16), np.array(sorts, np.uint8)


@cache
def _fold_letter(point: int) -> int:
    char = chr(point)
    if char.isspace() or point < 0x20:
        return 0x20
    if char.isdigit() and char.isascii():
        return ord("0")
    small = CEDILLA_VARIANTS.get(char.lower(), char.lower())
    return ord(small) if len(small) == 1 and ord(small) < 0x10000 else point


@cache
def _classify(point: int) -> int:
    """Return the character class of a code point."""
    char, category = chr(point), unicodedata.category(chr(point))
    if char.isspace() or point < 0x20:
        return CharClass.SPACE
    if point == NO_CHARACTER or category in ("Cc", "Cn"):
        return CharClass.NO_CHARACTER
    if char in APOSTROPHES:
        return CharClass.APOSTROPHE
    if char in ORDINALS:
        return CharClass.ORDINAL
    if category[0] == "L":
        script = unicodedata.name(char).split(" ")[0]
        number = SCRIPTS.index(script) if script in SCRIPTS else len(SCRIPTS)
        return CharClass.LETTER + 2 * number + (category == "Lu")
    if point in BOX_DRAWING:
        return CharClass.BOX
    return CATEGORIES.get(category, CharClass.SIGN)


def fit_contexts(
    model: _kernel.ByteModel,
    samples: Iterable[Sample],
    offsets: array[int],
    config: ContextConfig = ContextConfig(),  # noqa: B008  frozen
    progress: Callable[[str], None] = lambda step: None,
) -> NDArray[np.float32]:
    """Return weights that make the right class win against every other contender that the n-grams of ``model`` leave."""
    all_samples = list(samples)
    weights, sums = np.zeros(1 << config.bits, np.float32), np.full(1 << config.bits, 1e-2, np.float32)
    rng = np.random.default_rng(1)
    for pass_number in range(config.passes):
        order = rng.permutation(len(all_samples))
        rate = config.rate * (1 - pass_number / config.passes)
        losses = []
        for start in range(0, len(order), BATCH_SAMPLES):
            batch = [all_samples[i] for i in order[start : start + BATCH_SAMPLES]]
            right = np.zeros((len(batch), len(model.classes)), np.uint8)
            for row, sample in enumerate(batch):
                right[row, list(sample.right)] = 1
            raws = [sample.raw for sample in batch]
            losses.append(_kernel.fit_contexts(model, raws, right, offsets, rate, config.decay, weights, sums))
        progress(f"contexts, pass {pass_number + 1}: loss {np.mean(losses):.4f}")
    return weights
