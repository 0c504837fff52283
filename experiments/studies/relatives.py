"""Close relatives among languages by their text and by their family tree, independent of the model.

Two labels of one script are similar if their 3-grams overlap as much as those of close siblings. Related languages share a small
subgroup of Glottolog's tree, from the package `lang2vec`; without that package no languages are related.
"""

from __future__ import annotations

import importlib.util
import lzma
import random
import re
import zlib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from webtongue.lab.train.corpus.pack import script_group

# The median distance of a label to the nearest one of its ISO 639-3 macrolanguage, over 168 labels of the corpus.
MAX_DISTANCE = 0.29
MAX_SUBGROUP_LANGUAGES = 10  # West Slavic has 8, Brythonic 4; Germanic and Bantu are no close relatives
BUCKETS = 1 << 16
MAX_SOURCE_CHARS = 60_000
WORD = re.compile(r"[^\W\d_]+")


def gram_profile(paths: Iterable[Path]) -> NDArray[np.float32]:
    """Return square roots of the frequencies of hashed 3-grams within words; the product of two profiles is their overlap."""
    words: Counter[str] = Counter()
    for path in paths:
        with lzma.open(path, "rt", encoding="utf-8") as file:
            lines = file.readlines()
        random.Random(1).shuffle(lines)
        size = 0
        for line in lines:
            words.update(WORD.findall(line.lower()))
            size += len(line)
            if size > MAX_SOURCE_CHARS:
                break
    grams: Counter[str] = Counter()
    for word, count in words.items():
        padded = f" {word} "
        for i in range(len(padded) - 2):
            grams[padded[i : i + 3]] += count
    buckets = np.zeros(BUCKETS)
    np.add.at(buckets, [zlib.crc32(gram.encode()) % BUCKETS for gram in grams], list(grams.values()))
    return np.sqrt(buckets / max(1, buckets.sum())).astype(np.float32)


def find_similar(corpus: Path, unknown: Iterable[str], known: Iterable[str]) -> set[str]:
    """Return the unknown labels whose text is similar to that of a known one, by the overlap of 3-grams."""

    def profiles(labels: list[str]) -> NDArray[np.float32]:
        return np.stack([gram_profile(sorted(corpus.glob(f"*/{label}.txt.xz"))) for label in labels])

    first, second = sorted(unknown), sorted(known)
    common = profiles(first) @ profiles(second).T
    return {label for label, row in zip(first, common, strict=True) if 1 - row.max() <= MAX_DISTANCE}


def find_related(unknown: Iterable[str], known: Iterable[str]) -> set[str]:
    """Return the unknown labels that share a small subgroup, or the language, with a known label of their script."""
    spec = importlib.util.find_spec("lang2vec")
    if spec is None or spec.origin is None:
        print("lang2vec is not installed: relatives are found by text alone")
        return set()
    table = np.load(Path(spec.origin).parent / "data" / "family_features.npz")
    member = table["data"][:, :, 0] > 0
    small = member[:, member.sum(axis=0) <= MAX_SUBGROUP_LANGUAGES]
    row = {language: i for i, language in enumerate(table["langs"].tolist())}

    def related(first: str, second: str) -> bool:
        if script_group(first) != script_group(second):
            return False
        a, b = first[:3], second[:3]
        return a == b or (a in row and b in row and bool(np.any(small[row[a]] & small[row[b]])))

    others = list(known)
    return {label for label in unknown if any(related(label, second) for second in others)}
