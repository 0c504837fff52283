"""What all methods count: n-grams of characters or bytes, and words.

An n-gram is counted under a 64-bit key, a polynomial of its code points (or bytes), so that a text is counted by a few NumPy
calls whatever the script; two n-grams of ten million share a key with a chance of 1 in 200,000. Files hold n-grams as text.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from webtongue.errors import UsageError
from webtongue.methods.document import Document, bytes_of, text_of

__all__ = ["Counted", "Grams", "Vocabulary", "letters_only"]

UNITS = ("character", "byte", "word")
EDGES = ("plain", "wrap", "pad")
BASE = np.uint64(0x9E3779B97F4A7C15)  # odd, with no pattern in its bits
SPACE = ord(" ")
LONGEST = 1 << 20  # characters of a document that are counted: more than a page has, and it bounds memory

Keys = NDArray[np.uint64]


class _Letters(dict[int, int]):
    """For str.translate: letters and their marks stay, all else is a space."""

    def __missing__(self, point: int) -> int:
        self[point] = point if unicodedata.category(chr(point))[0] in "LM" else SPACE
        return self[point]


_LETTERS = _Letters()


def letters_only(text: str) -> str:
    """Words of letters with one space between them (Hayati 2004, section 2); marks belong to their letters.

    >>> letters_only(" The 2 quick,\\n brown")
    'The quick brown'
    """
    return " ".join(text.translate(_LETTERS).split())


@dataclass(frozen=True, slots=True)
class Counted:
    """A document's n-grams: keys in ascending order, how often each occurs, and where it does so first."""

    keys: Keys
    counts: NDArray[np.int64]
    firsts: NDArray[np.int64]

    @property
    def total(self) -> int:
        return int(self.counts.sum())


@dataclass(frozen=True, slots=True)
class Grams:
    """What is counted of a document.

    ``edges``: "plain" slides a window over the whole text; "wrap" closes the text to a ring, so that there are as many
    n-grams as characters (Hayati 2004); "pad" cuts words and gives each a blank before and n-1 after it (Cai 2009, 2.1.3).
    ``letters`` drops everything but letters, ``fold`` the difference of capitals; bytes are always taken as they are.

    >>> Grams(sizes=(3,), edges="wrap").names("the quick")
    ['the', 'he ', 'e q', ' qu', 'qui', 'uic', 'ick', 'ckt', 'kth']
    >>> Grams(sizes=(3,), edges="pad").names("CENSUS")
    [' CE', 'CEN', 'ENS', 'NSU', 'SUS', 'US ', 'S  ']
    """

    unit: str = "character"
    sizes: tuple[int, ...] = (3,)
    edges: str = "plain"
    letters: bool = True
    fold: bool = False

    def __post_init__(self) -> None:
        if self.unit not in UNITS or self.edges not in EDGES:
            raise UsageError(
                f"a unit is {', '.join(UNITS)} and edges are {', '.join(EDGES)}, not {self.unit}, {self.edges}"
            )
        if not self.sizes or not all(type(size) is int and 1 <= size <= 16 for size in self.sizes):
            raise UsageError(f"sizes of n-grams are from 1 to 16, not {self.sizes}")

    def prepared(self, document: Document) -> str:
        """The text that is counted; bytes as characters of the same number."""
        if self.unit == "byte":
            return bytes_of(document)[:LONGEST].decode("latin-1")
        text = text_of(document)[:LONGEST]
        if self.letters:
            text = letters_only(text)
        return text.lower() if self.fold else text

    def keys(self, document: Document) -> Keys:
        """The key of every n-gram, shorter ones first, in the order of the text."""
        text = self.prepared(document)
        if self.unit == "word":
            return word_keys(text.split())
        return np.concatenate([_hashed(*self._windows(text, size), size) for size in self.sizes])

    def names(self, document: Document) -> list[str]:
        """The same n-grams, to be read; for a byte the character of its number."""
        text = self.prepared(document)
        if self.unit == "word":
            return text.split()
        out = []
        for size in self.sizes:
            codes, starts = self._windows(text, size)
            whole = "".join(map(chr, codes.tolist()))
            out += [whole[start : start + size] for start in starts.tolist()]
        return out

    def count(self, document: Document) -> Counted:
        """Count a document."""
        keys, firsts, counts = np.unique(self.keys(document), return_index=True, return_counts=True)
        return Counted(keys, counts, firsts)

    def keys_of(self, names: Sequence[str]) -> Keys:
        """The keys of n-grams that were written down."""
        if self.unit == "word":
            return word_keys(names)
        out = np.zeros(len(names), np.uint64)
        sizes = np.array([len(name) for name in names])
        for size in set(sizes.tolist()):
            where = np.flatnonzero(sizes == size)
            codes = _codes("".join(names[i] for i in where.tolist()))
            out[where] = _hashed(codes, np.arange(0, len(codes), size), size)
        return out

    def _windows(self, text: str, size: int) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Code points and the places in them where n-grams of a size start."""
        if self.edges == "pad":
            return _padded(text.split(), size)
        codes = _codes(text)
        if self.edges == "wrap" and len(codes):
            return np.resize(codes, len(codes) + size - 1), np.arange(len(codes))
        return codes, np.arange(max(0, len(codes) - size + 1))


def word_keys(words: Iterable[str]) -> Keys:
    """Keys of words: digests of their UTF-8."""
    known: dict[str, int] = {}
    out = []
    for word in words:
        if word not in known:
            digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
            known[word] = int.from_bytes(digest, "little")
        out.append(known[word])
    return np.array(out, np.uint64)


def _codes(text: str) -> NDArray[np.uint64]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint64)


def _padded(words: list[str], size: int) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Each word with a blank before and n-1 after: k+1 n-grams of a word of k letters, and k for n = 1."""
    before, after = (1, size - 1) if size > 1 else (0, 0)
    codes = _codes("".join(" " * before + word + " " * after for word in words))
    lengths = np.array([len(word) for word in words], np.int64)
    blocks = np.concatenate([[0], np.cumsum(lengths + before + after)])[:-1]
    inside = np.arange(int((lengths + before).sum())) - np.repeat(
        np.cumsum(lengths + before) - (lengths + before), lengths + before
    )
    return codes, np.repeat(blocks, lengths + before) + inside


def _hashed(codes: NDArray[np.uint64], starts: NDArray[np.int64], size: int) -> Keys:
    keys = np.zeros(len(starts), np.uint64)
    for place in range(size):
        keys = keys * BASE + codes[starts + place] + np.uint64(1)
    return keys


@dataclass(frozen=True)
class Vocabulary:
    """The n-grams that a model knows, by number, and documents as counts of them."""

    grams: Grams
    names: tuple[str, ...]

    @cached_property
    def _sorted(self) -> tuple[Keys, NDArray[np.int64]]:
        keys = self.grams.keys_of(self.names)
        order = np.argsort(keys, kind="stable")
        return keys[order], order

    def find(self, keys: Keys) -> NDArray[np.int64]:
        """The number of each key, -1 where it is not known."""
        known, order = self._sorted
        if not len(known):
            return np.full(len(keys), -1)
        at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        return np.where(known[at] == keys, order[at], -1)

    def count(self, document: Document) -> tuple[NDArray[np.int64], NDArray[np.int64], Counted]:
        """Numbers of the known n-grams of a document, how often each occurs, and all that was counted."""
        counted = self.grams.count(document)
        numbers = self.find(counted.keys)
        known = numbers >= 0
        return numbers[known], counted.counts[known], counted
