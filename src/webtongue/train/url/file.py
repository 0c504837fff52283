"""The URL model file: the one place that writes its format and reads it back (the kernel maps it, see native/url/model.cpp).

Header (magic, version, size, checksum, directory), then sections that each start at a multiple of 64 bytes: label names,
log priors in training, bias and weights of parts by kind of address, tags and rows of features, units to nats by number of text
features, two tables and the manifest.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.files import unpack
from webtongue.train.container import NATS, probability_tables, write

MAGIC = b"WTU\r\n\x1a\n\0"
VERSION = 3
SECTIONS = ("labels", "priors", "bias", "mix", "tags", "rows", "scales", "exps", "logs", "manifest")
BUCKET = 8
LANES = 48
FEATURES = 768
MIX_UNIT = 4096  # a voice that weighs 1


@dataclass(frozen=True, slots=True)
class UrlWeights:
    """What was learnt: a row of int8 weights for each feature, and what a unit of them is worth."""

    labels: list[str]
    priors: NDArray[np.float64]  # log prior in training
    bias: NDArray[np.float64]  # nats, kinds of address x labels
    mix: NDArray[np.float64]  # weights of the voices, kinds of address x voices
    keys: NDArray[np.uint64]  # features, those that move scores most first
    uses: NDArray[np.int64]  # how often each feature was met in training
    rows: NDArray[np.int8]  # features x labels
    plain_unit: float  # nats of a unit of a structural feature
    text_unit: float  # nats of a unit of the only text feature of a URL


def place(keys: NDArray[np.uint64], buckets: int) -> NDArray[np.int64]:
    """The slot of each key: in the emptier of its two buckets, -1 where both are full."""
    high, low = keys >> np.uint64(32), keys & np.uint64(0xFFFFFFFF)
    firsts = ((high * np.uint64(buckets)) >> np.uint64(32)).tolist()
    seconds = ((low * np.uint64(buckets)) >> np.uint64(32)).tolist()
    filled = [0] * buckets
    slots = []
    for first, second in zip(firsts, seconds, strict=True):
        bucket = first if filled[first] <= filled[second] else second
        slots.append(bucket * BUCKET + filled[bucket] if filled[bucket] < BUCKET else -1)
        filled[bucket] += filled[bucket] < BUCKET
    return np.array(slots, np.int64)


def places(keys: NDArray[np.uint64], uses: NDArray[np.int64], buckets: int) -> NDArray[np.int64]:
    """As `place`, and the feature in use most first in its bucket."""
    slots = place(keys, buckets)
    kept = np.flatnonzero(slots >= 0)
    bucket = slots[kept] // BUCKET
    order = np.lexsort((-uses[kept], bucket))
    firsts = np.searchsorted(bucket[order], bucket[order])
    out = np.full(len(keys), -1, np.int64)
    out[kept[order]] = bucket[order] * BUCKET + np.arange(len(order)) - firsts
    return out


def pack_rows(weights: UrlWeights, buckets: int) -> tuple[NDArray[np.uint16], NDArray[np.int8]]:
    """Tags bucket by bucket, and rows place by place: those in use most lie together, so that a cache holds them.

    Features that find no place are left out.
    """
    slots = places(weights.keys, weights.uses, buckets)
    kept = slots >= 0
    tags = np.zeros(buckets * BUCKET, "<u2")
    rows = np.zeros((BUCKET, buckets, LANES), np.int8)
    tags[slots[kept]] = np.maximum(weights.keys[kept] & np.uint64(0xFFFF), np.uint64(1)).astype(np.uint16)
    rows[slots[kept] % BUCKET, slots[kept] // BUCKET, : len(weights.labels)] = weights.rows[kept]
    return tags, rows


def scales(weights: UrlWeights) -> NDArray[np.uint32]:
    """Weight units to 1/1024 nats, times 65536: first for structural features, then for n text features."""
    counts = np.arange(1, FEATURES + 1)
    text = weights.text_unit / np.sqrt(counts)
    found: NDArray[np.uint32] = np.rint(np.concatenate([[weights.plain_unit], text]) * NATS * 65536).astype("<u4")
    return found


def write_url_model(path: Path, weights: UrlWeights, buckets: int, manifest: dict[str, Any]) -> None:
    """Pack all parts and write the file in one go; `<path>.json` beside it holds the manifest for people."""
    if len(weights.labels) > LANES:
        raise ValueError(f"{len(weights.labels)} labels: a row has room for {LANES}")
    tags, rows = pack_rows(weights, buckets)
    manifest = {
        **manifest,
        "features": int(np.count_nonzero(tags)),
        "features_without_place": len(weights.keys) - int(np.count_nonzero(tags)),
    }
    parts = {
        "labels": "\n".join(weights.labels).encode(),
        "priors": np.rint(weights.priors * NATS).astype("<i4").tobytes(),
        "bias": np.rint(weights.bias * NATS).astype("<i4").tobytes(),
        "mix": np.rint(weights.mix * MIX_UNIT).astype("<u4").tobytes(),
        "tags": tags.tobytes(),
        "rows": rows.tobytes(),
        "scales": scales(weights).tobytes(),
        **probability_tables(),
    }
    write(path, MAGIC, VERSION, SECTIONS, parts, manifest)


def read_sections(path: Path) -> dict[str, bytes]:
    """A file's sections with its checksum proved; ValueError says what is wrong with it."""
    return unpack(path, MAGIC, VERSION, SECTIONS)
