"""Fit byte contexts: which letters and signs stand beside each other, whatever the encoding (native/coding/byte_context.hpp)."""

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
from webtongue.train.encodings.file import NOTHING
from webtongue.train.encodings.fit import Sample

__all__ = ["ContextConfig", "fit_contexts", "read_as"]

CHUNK = 4096  # samples handed to the kernel at a time
BOXES = range(0x2500, 0x25A0)


class Sort(IntEnum):
    """Sorts of characters; letters are told by script and case from LETTER on."""

    SPACE = 0
    NOTHING = 1
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
    PART = 15  # a byte of a character of several
    LETTER = 16


CATEGORIES = {
    "Nd": Sort.DIGIT, "Mn": Sort.MARK, "Mc": Sort.MARK, "Pd": Sort.DASH, "Ps": Sort.OPENING, "Pi": Sort.OPENING,
    "Pe": Sort.CLOSING, "Pf": Sort.CLOSING, "Po": Sort.STOP, "Sc": Sort.MONEY, "No": Sort.NUMBER, "Sm": Sort.MATHS,
    "Co": Sort.PART,
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
)  # first words of letters' names
APOSTROPHES = "'’ʼ‘`´"
ORDINALS = "ªº°²³¹"
WITH_CEDILLA = {"ș": "ş", "ț": "ţ"}  # old pages wrote Romanian with either: what text has today says nothing


@dataclass(frozen=True, slots=True)
class ContextConfig:
    """Settings, each by measurement on samples held out (docs/encoding.md)."""

    bits: int = 17  # weights: 2 to this power
    passes: int = 3
    rate: float = 0.1
    decay: float = 1e-5


def read_as(tables: NDArray[np.uint16]) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """Small letters and sorts of all 256 bytes, a row a class."""
    points = np.hstack([np.tile(np.arange(128, dtype=np.uint16), (len(tables), 1)), tables])
    letters = [[_letter(int(point)) for point in row] for row in points]
    sorts = [[_sort(int(point)) for point in row] for row in points]
    return np.array(letters, np.uint16), np.array(sorts, np.uint8)


@cache
def _letter(point: int) -> int:
    char = chr(point)
    if char.isspace() or point < 0x20:
        return 0x20
    if char.isdigit() and char.isascii():
        return ord("0")
    small = WITH_CEDILLA.get(char.lower(), char.lower())
    return ord(small) if len(small) == 1 and ord(small) < 0x10000 else point


@cache
def _sort(point: int) -> int:
    """What sort of character a code point is."""
    char, category = chr(point), unicodedata.category(chr(point))
    if char.isspace() or point < 0x20:
        return Sort.SPACE
    if point == NOTHING or category in ("Cc", "Cn"):
        return Sort.NOTHING
    if char in APOSTROPHES:
        return Sort.APOSTROPHE
    if char in ORDINALS:
        return Sort.ORDINAL
    if category[0] == "L":
        script = unicodedata.name(char).split(" ")[0]
        number = SCRIPTS.index(script) if script in SCRIPTS else len(SCRIPTS)
        return Sort.LETTER + 2 * number + (category == "Lu")
    if point in BOXES:
        return Sort.BOX
    return CATEGORIES.get(category, Sort.SIGN)


def fit_contexts(
    model: _kernel.ByteModel,
    samples: Iterable[Sample],
    offsets: array[int],
    config: ContextConfig = ContextConfig(),  # noqa: B008  frozen
    progress: Callable[[str], None] = lambda step: None,
) -> NDArray[np.float32]:
    """Weights that make the right class win against every other that the n-grams of ``model`` leave in the field."""
    all_samples = list(samples)
    weights, sums = np.zeros(1 << config.bits, np.float32), np.full(1 << config.bits, 1e-2, np.float32)
    random = np.random.default_rng(1)
    for number in range(config.passes):
        order = random.permutation(len(all_samples))
        rate = config.rate * (1 - number / config.passes)
        losses = []
        for start in range(0, len(order), CHUNK):
            part = [all_samples[i] for i in order[start : start + CHUNK]]
            right = np.zeros((len(part), len(model.classes)), np.uint8)
            for row, sample in enumerate(part):
                right[row, list(sample.right)] = 1
            raws = [sample.raw for sample in part]
            losses.append(_kernel.fit_contexts(model, raws, right, offsets, rate, config.decay, weights, sums))
        progress(f"contexts, pass {number + 1}: loss {np.mean(losses):.4f}")
    return weights
