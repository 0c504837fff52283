"""Write and read the file of the URL model (the kernel maps it, see native/url/model.cpp).

Header (magic, version, size, checksum, directory), then sections that each start at a multiple of 64 bytes: label names,
log priors in training, bias and weights of channels by type of URL, tags and rows of features, scales from units to nats by number
of text features, two tables and the manifest.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.files import unpack
from webtongue.lab.train.container import pack_probability_tables, write_container
from webtongue.policy import LOG_SCALE

MAGIC = b"WTU\r\n\x1a\n\0"
VERSION = 4
SECTIONS = ("labels", "priors", "bias", "mix", "tags", "rows", "scales", "exps", "logs", "manifest")
BUCKET_SLOTS = 8
LANES = 48
MAX_TEXT_FEATURES = 768
MIX_UNIT = 4096  # fixed-point value of weight 1


@dataclass(frozen=True, slots=True)
class UrlWeights:
    """The quantised model: a row of int8 weights for each feature, and the nats of a unit."""

    labels: list[str]
    priors: NDArray[np.float64]  # log prior in training
    bias: NDArray[np.float64]  # nats, types of URL x labels
    mix: NDArray[np.float64]  # weights of the channels, types of URL x channels
    keys: NDArray[np.uint64]  # features, most important first
    uses: NDArray[np.int64]  # occurrences of each feature in training
    rows: NDArray[np.int8]  # features x labels
    plain_unit: float  # nats of a unit of a structural feature
    text_unit: float  # nats of a unit of the only text feature of a URL


def assign_slots(keys: NDArray[np.uint64], buckets: int) -> NDArray[np.int64]:
    """Return the slot of each key: in the emptier of its two buckets, -1 where both are full."""
    high, low = keys >> np.uint64(32), keys & np.uint64(0xFFFFFFFF)
    firsts = ((high * np.uint64(buckets)) >> np.uint64(32)).tolist()
    seconds = ((low * np.uint64(buckets)) >> np.uint64(32)).tolist()
    fill_counts = [0] * buckets
    slots = []
    for first, second in zip(firsts, seconds, strict=True):
        bucket = first if fill_counts[first] <= fill_counts[second] else second
        slots.append(bucket * BUCKET_SLOTS + fill_counts[bucket] if fill_counts[bucket] < BUCKET_SLOTS else -1)
        fill_counts[bucket] += fill_counts[bucket] < BUCKET_SLOTS
    return np.array(slots, np.int64)


def assign_sorted_slots(keys: NDArray[np.uint64], uses: NDArray[np.int64], buckets: int) -> NDArray[np.int64]:
    """Return the slots of ``assign_slots``, with the most frequent feature first in its bucket."""
    slots = assign_slots(keys, buckets)
    placed = np.flatnonzero(slots >= 0)
    bucket = slots[placed] // BUCKET_SLOTS
    order = np.lexsort((-uses[placed], bucket))
    firsts = np.searchsorted(bucket[order], bucket[order])
    sorted_slots = np.full(len(keys), -1, np.int64)
    sorted_slots[placed[order]] = bucket[order] * BUCKET_SLOTS + np.arange(len(order)) - firsts
    return sorted_slots


def pack_rows(weights: UrlWeights, buckets: int) -> tuple[NDArray[np.uint16], NDArray[np.int8]]:
    """Return tags by bucket, and rows by position in the bucket, so that frequent features lie together and stay in the cache.

    Features without a slot are left out.
    """
    slots = assign_sorted_slots(weights.keys, weights.uses, buckets)
    is_placed = slots >= 0
    tags = np.zeros(buckets * BUCKET_SLOTS, "<u2")
    rows = np.zeros((BUCKET_SLOTS, buckets, LANES), np.int8)
    tags[slots[is_placed]] = np.maximum(weights.keys[is_placed] & np.uint64(0xFFFF), np.uint64(1)).astype(np.uint16)
    rows[slots[is_placed] % BUCKET_SLOTS, slots[is_placed] // BUCKET_SLOTS, : len(weights.labels)] = weights.rows[
        is_placed
    ]
    return tags, rows


def compute_scales(weights: UrlWeights) -> NDArray[np.uint32]:
    """Return the factors from weight units to 1/1024 nats, times 65536: for structural features, then for n text features."""
    counts = np.arange(1, MAX_TEXT_FEATURES + 1)
    text = weights.text_unit / np.sqrt(counts)
    fixed: NDArray[np.uint32] = np.rint(np.concatenate([[weights.plain_unit], text]) * LOG_SCALE * 65536).astype("<u4")
    return fixed


def write_url_model(path: Path, weights: UrlWeights, buckets: int, manifest: dict[str, Any]) -> None:
    """Pack all sections and write the file; `<path>.json` beside it holds the manifest."""
    if len(weights.labels) > LANES:
        raise ValueError(f"{len(weights.labels)} labels, but a row of the URL model holds {LANES}")
    tags, rows = pack_rows(weights, buckets)
    manifest = {
        **manifest,
        "features": int(np.count_nonzero(tags)),
        "features_without_place": len(weights.keys) - int(np.count_nonzero(tags)),
    }
    parts = {
        "labels": "\n".join(weights.labels).encode(),
        "priors": np.rint(weights.priors * LOG_SCALE).astype("<i4").tobytes(),
        "bias": np.rint(weights.bias * LOG_SCALE).astype("<i4").tobytes(),
        "mix": np.rint(weights.mix * MIX_UNIT).astype("<u4").tobytes(),
        "tags": tags.tobytes(),
        "rows": rows.tobytes(),
        "scales": compute_scales(weights).tobytes(),
        **pack_probability_tables(),
    }
    write_container(path, MAGIC, VERSION, SECTIONS, parts, manifest)


def read_sections(path: Path) -> dict[str, bytes]:
    """Return the sections of a file and verify its checksum; raise ValueError if it is damaged or not a URL model."""
    return unpack(path, MAGIC, VERSION, SECTIONS)
