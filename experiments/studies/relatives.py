"""Which languages are close relatives of each other, without asking the model: by their text, and by their family tree.

Two labels of one script are alike where their 3-grams overlap as those of close siblings do. Kin are languages that share a
small subgroup of Glottolog's tree, as `lang2vec` (PyPI) brings it; without that package nobody is kin.
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

from webtongue.train.corpus.pack import script_group

# Distance: the median of a label to the nearest of its ISO 639-3 macrolanguage, over 168 labels of the corpus.
ALIKE = 0.29
SUBGROUP = 10  # languages at most: West Slavic has 8, Brythonic 4; Germanic and Bantu are no close relatives
BUCKETS = 1 << 16
CHARACTERS = 60_000  # characters read of a source
WORD = re.compile(r"[^\W\d_]+")


def profile(paths: Iterable[Path]) -> NDArray[np.float32]:
    """Square roots of the frequencies of 3-grams within words, hashed: a product of two is what they have in common."""
    words: Counter[str] = Counter()
    for path in paths:
        with lzma.open(path, "rt", encoding="utf-8") as file:
            lines = file.readlines()
        random.Random(1).shuffle(lines)
        size = 0
        for line in lines:
            words.update(WORD.findall(line.lower()))
            size += len(line)
            if size > CHARACTERS:
                break
    grams: Counter[str] = Counter()
    for word, count in words.items():
        padded = f" {word} "
        for i in range(len(padded) - 2):
            grams[padded[i : i + 3]] += count
    out = np.zeros(BUCKETS)
    np.add.at(out, [zlib.crc32(gram.encode()) % BUCKETS for gram in grams], list(grams.values()))
    return np.sqrt(out / max(1, out.sum())).astype(np.float32)


def alike(corpus: Path, unknown: Iterable[str], known: Iterable[str]) -> set[str]:
    """Those of the unknown labels whose text is like that of a known one: 1 minus what their 3-grams have in common."""

    def of(labels: list[str]) -> NDArray[np.float32]:
        return np.stack([profile(sorted(corpus.glob(f"*/{label}.txt.xz"))) for label in labels])

    one, other = sorted(unknown), sorted(known)
    common = of(one) @ of(other).T
    return {label for label, row in zip(one, common, strict=True) if 1 - row.max() <= ALIKE}


def kin(unknown: Iterable[str], known: Iterable[str]) -> set[str]:
    """Those of the unknown labels that share a small subgroup, or the language itself, with a known one of their script."""
    found = importlib.util.find_spec("lang2vec")
    if found is None or found.origin is None:
        print("lang2vec is not installed: relatives by text alone")
        return set()
    table = np.load(Path(found.origin).parent / "data" / "family_features.npz")
    member = table["data"][:, :, 0] > 0
    small = member[:, member.sum(axis=0) <= SUBGROUP]
    row = {language: i for i, language in enumerate(table["langs"].tolist())}

    def related(one: str, other: str) -> bool:
        if script_group(one) != script_group(other):
            return False
        a, b = one[:3], other[:3]
        return a == b or (a in row and b in row and bool(np.any(small[row[a]] & small[row[b]])))

    others = list(known)
    return {label for label in unknown if any(related(label, other) for other in others)}
