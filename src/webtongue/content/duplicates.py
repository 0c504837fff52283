"""Recognise repeated and nearly repeated texts with hash tables of fixed size."""

from __future__ import annotations

import hashlib
from array import array
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from webtongue.content.quality import WORD

__all__ = ["RecentHashes", "hash_text", "minhash_bands", "normalize_space"]

BUCKET_SLOTS = 4  # slots in which a hash may be stored
GRAM_WORDS = 5
# A text has BANDS numbers, each of HASHES_PER_BAND minima. Texts that share 80% of their 5-grams have a band in common with a
# probability of 61%, with 90% of 97%, with 70% of 20%.
BANDS, HASHES_PER_BAND = 8, 10
MIN_GRAMS = 8  # shorter texts are compared as a whole
MAX_TEXT_CHARS = 1 << 19  # only this part of a text is hashed, which bounds memory
CHUNK_GRAMS = 2048  # grams that are multiplied at a time
PRIME = np.uint64(0x9E3779B97F4A7C15)  # odd, so that multiplication loses nothing


def normalize_space(text: str) -> str:
    """Return a text with every run of white space as one space.

    >>> normalize_space("  Góðan \\n\\tdag ")
    'Góðan dag'
    """
    return " ".join(text.split())


def hash_text(text: str, *context: str) -> int:
    """Return a 64-bit hash of a text in a context, such as its host; the same on every machine and in every run."""
    data = "\0".join((*context, text)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


class RecentHashes:
    """A set of the last hashes that were added, with ``2**bits`` slots of eight bytes.

    A forgotten hash appears new again. A new hash never appears old, except with a probability of one in 2**64.

    >>> hashes = RecentHashes(10)
    >>> hashes.add(7), hashes.add(7), hashes.add(8)
    (False, True, False)
    """

    def __init__(self, bits: int) -> None:
        self._table = array("Q", bytes(8 << bits))
        self._bucket_mask = (1 << bits) - BUCKET_SLOTS

    def add(self, number: int) -> bool:
        """Add a hash; return True if it was already in the set."""
        number = number or 1  # 0 marks an empty slot
        table, start = self._table, number & self._bucket_mask
        for slot in range(start, start + BUCKET_SLOTS):
            if table[slot] == number:
                return True
        table[start + 1 : start + BUCKET_SLOTS] = table[start : start + BUCKET_SLOTS - 1]  # the oldest is forgotten
        table[start] = number
        return False

    @property
    def state(self) -> memoryview:
        """The memory of the table, which may be stored and restored."""
        return memoryview(self._table).cast("B")


def minhash_bands(text: str) -> list[int]:
    """Return the numbers of a text for finding near duplicates: texts that share most of their word 5-grams share one of them.

    Words are compared without regard to case and punctuation. In scripts without spaces every character is a word.
    """
    words = _words(text[:MAX_TEXT_CHARS])
    if len(words) < GRAM_WORDS + MIN_GRAMS:
        return [hash_text(" ".join(words), "words")]
    hashes = np.fromiter((crc32(word.encode("utf-8", "surrogatepass")) for word in words), np.uint64, len(words))
    grams = np.zeros(len(words) - GRAM_WORDS + 1, np.uint64)
    for position in range(GRAM_WORDS):
        grams = grams * PRIME + hashes[position : position + len(grams)]
    grams = _mix(grams)
    factors = _mix(np.arange(1, BANDS * HASHES_PER_BAND + 1, dtype=np.uint64) * PRIME) | np.uint64(1)
    minima = np.full(len(factors), np.iinfo(np.uint64).max)
    for start in range(0, len(grams), CHUNK_GRAMS):
        chunk = grams[start : start + CHUNK_GRAMS]
        minima = np.minimum(minima, (chunk[None, :] * factors[:, None]).min(axis=1))
    by_band = minima.reshape(BANDS, HASHES_PER_BAND)
    bands = np.arange(BANDS, dtype=np.uint64)
    for column in range(HASHES_PER_BAND):
        bands = _mix(bands * PRIME + by_band[:, column])
    return [int(band) for band in bands]


def _words(text: str) -> list[str]:
    """Return the words of a text in lower case; those of scripts without spaces are single characters."""
    words: list[str] = []
    for word in WORD.findall(text.lower()):
        if word.isascii() or not any("\u0e00" <= char <= "\u109f" or char >= "\u2e80" for char in word):
            words.append(word)
        else:
            words.extend(word)
    return words


def _mix(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return numbers of 64 bits, mixed by the finalizer of SplitMix64."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
