"""Count n-grams of characters or bytes, and words.

An n-gram is counted under a 64-bit key, a polynomial of its code points or bytes, so that a text in any script is counted by a few
NumPy calls; among ten million n-grams the probability of any collision is 1 in 200,000. Files hold n-grams as text.
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
from webtongue.lab.methods.document import Document, read_bytes, read_text

__all__ = ["GramCounts", "Grams", "Vocabulary", "keep_letters"]

UNITS = ("character", "byte", "word")
EDGES = ("plain", "wrap", "pad")
HASH_BASE = np.uint64(0x9E3779B97F4A7C15)  # odd, with no pattern in its bits
SPACE = ord(" ")
MAX_DOCUMENT_CHARS = 1 << 20  # more than a page has; it bounds memory

Keys = NDArray[np.uint64]


class _LetterMap(dict[int, int]):
    """A table for str.translate that keeps letters and their marks, and maps all else to a space."""

    def __missing__(self, point: int) -> int:
        self[point] = point if unicodedata.category(chr(point))[0] in "LM" else SPACE
        return self[point]


_LETTER_MAP = _LetterMap()


def keep_letters(text: str) -> str:
    """Return words of letters with single spaces between them (Hayati 2004, section 2); marks belong to their letters.

    >>> keep_letters(" The 2 quick,\\n brown")
    'The quick brown'
    """
    return " ".join(text.translate(_LETTER_MAP).split())


@dataclass(frozen=True, slots=True)
class GramCounts:
    """The n-grams of a document: sorted keys, their counts, and the positions of their first occurrences."""

    keys: Keys
    counts: NDArray[np.int64]
    firsts: NDArray[np.int64]

    @property
    def total(self) -> int:
        return int(self.counts.sum())


@dataclass(frozen=True, slots=True)
class Grams:
    """Settings of counting: which n-grams of a document count.

    ``edges``: "plain" slides a window over the whole text; "wrap" closes the text to a ring, so that there are as many
    n-grams as characters (Hayati 2004); "pad" splits words and adds a blank before and n-1 after each (Cai 2009, 2.1.3).
    ``letters`` drops everything but letters, ``fold`` folds case; bytes are never changed.

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
                f"unit must be one of {', '.join(UNITS)} and edges one of {', '.join(EDGES)}, not {self.unit}, {self.edges}"
            )
        if not self.sizes or not all(type(size) is int and 1 <= size <= 16 for size in self.sizes):
            raise UsageError(f"sizes of n-grams must be from 1 to 16, not {self.sizes}")

    def prepare(self, document: Document) -> str:
        """Return the text that is counted; bytes become characters with the same number."""
        if self.unit == "byte":
            return read_bytes(document)[:MAX_DOCUMENT_CHARS].decode("latin-1")
        text = read_text(document)[:MAX_DOCUMENT_CHARS]
        if self.letters:
            text = keep_letters(text)
        return text.lower() if self.fold else text

    def keys(self, document: Document) -> Keys:
        """Return the key of every n-gram, shorter n-grams first, in the order of the text."""
        text = self.prepare(document)
        if self.unit == "word":
            return hash_words(text.split())
        return np.concatenate([_hash_windows(*self._windows(text, size), size) for size in self.sizes])

    def names(self, document: Document) -> list[str]:
        """Return the same n-grams as text; a byte is the character with its number."""
        text = self.prepare(document)
        if self.unit == "word":
            return text.split()
        names = []
        for size in self.sizes:
            codes, starts = self._windows(text, size)
            text_of_codes = "".join(map(chr, codes.tolist()))
            names += [text_of_codes[start : start + size] for start in starts.tolist()]
        return names

    def count(self, document: Document) -> GramCounts:
        """Return the n-gram counts of a document."""
        keys, firsts, counts = np.unique(self.keys(document), return_index=True, return_counts=True)
        return GramCounts(keys, counts, firsts)

    def keys_of(self, names: Sequence[str]) -> Keys:
        """Return the keys of n-grams given as text."""
        if self.unit == "word":
            return hash_words(names)
        keys = np.zeros(len(names), np.uint64)
        sizes = np.array([len(name) for name in names])
        for size in set(sizes.tolist()):
            numbers = np.flatnonzero(sizes == size)
            codes = _to_code_points("".join(names[i] for i in numbers.tolist()))
            keys[numbers] = _hash_windows(codes, np.arange(0, len(codes), size), size)
        return keys

    def _windows(self, text: str, size: int) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Return code points and the positions at which n-grams of a size start."""
        if self.edges == "pad":
            return _pad_words(text.split(), size)
        codes = _to_code_points(text)
        if self.edges == "wrap" and len(codes):
            return np.resize(codes, len(codes) + size - 1), np.arange(len(codes))
        return codes, np.arange(max(0, len(codes) - size + 1))


def hash_words(words: Iterable[str]) -> Keys:
    """Return the keys of words: digests of their UTF-8."""
    key_of: dict[str, int] = {}
    keys = []
    for word in words:
        if word not in key_of:
            digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
            key_of[word] = int.from_bytes(digest, "little")
        keys.append(key_of[word])
    return np.array(keys, np.uint64)


def _to_code_points(text: str) -> NDArray[np.uint64]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint64)


def _pad_words(words: list[str], size: int) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Pad each word with a blank before and n-1 after: k+1 n-grams for a word of k letters, and k for n = 1."""
    before, after = (1, size - 1) if size > 1 else (0, 0)
    codes = _to_code_points("".join(" " * before + word + " " * after for word in words))
    lengths = np.array([len(word) for word in words], np.int64)
    blocks = np.concatenate([[0], np.cumsum(lengths + before + after)])[:-1]
    offsets = np.arange(int((lengths + before).sum())) - np.repeat(
        np.cumsum(lengths + before) - (lengths + before), lengths + before
    )
    return codes, np.repeat(blocks, lengths + before) + offsets


def _hash_windows(codes: NDArray[np.uint64], starts: NDArray[np.int64], size: int) -> Keys:
    keys = np.zeros(len(starts), np.uint64)
    for place in range(size):
        keys = keys * HASH_BASE + codes[starts + place] + np.uint64(1)
    return keys


@dataclass(frozen=True)
class Vocabulary:
    """The numbered n-grams of a model, and documents as counts of them."""

    grams: Grams
    names: tuple[str, ...]

    @cached_property
    def _sorted(self) -> tuple[Keys, NDArray[np.int64]]:
        keys = self.grams.keys_of(self.names)
        order = np.argsort(keys, kind="stable")
        return keys[order], order

    def find(self, keys: Keys) -> NDArray[np.int64]:
        """Return the number of each key, -1 for unknown keys."""
        sorted_keys, order = self._sorted
        if not len(sorted_keys):
            return np.full(len(keys), -1)
        positions = np.minimum(np.searchsorted(sorted_keys, keys), len(sorted_keys) - 1)
        return np.where(sorted_keys[positions] == keys, order[positions], -1)

    def count(self, document: Document) -> tuple[NDArray[np.int64], NDArray[np.int64], GramCounts]:
        """Return the numbers of the known n-grams of a document, their counts, and all its n-gram counts."""
        counted = self.grams.count(document)
        numbers = self.find(counted.keys)
        is_known = numbers >= 0
        return numbers[is_known], counted.counts[is_known], counted
