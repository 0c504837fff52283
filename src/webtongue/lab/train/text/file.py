"""Write and read the file of the text model (the kernel maps it, see native/text/model.cpp).

Header (magic, version, size, checksum, directory), then sections that each start at a multiple of 64 bytes: label names,
script names, label infos, where the rows and shared n-grams of blocks start, shared n-grams, clusters of rows, rows, lines,
three calibration tables, groups of look-alikes and their decisive features, and the manifest as JSON. Little-endian, no
pickle; equal parts give equal bytes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.files import unpack
from webtongue.lab.train.container import pack_probability_tables, write_container
from webtongue.policy import LOG_SCALE

MAGIC = b"WTM\r\n\x1a\n\0"
VERSION = 3
SECTIONS = (
    "labels",
    "scripts",
    "infos",
    "blocks",
    "shared",
    "clusters",
    "rows",
    "lines",
    "scales",
    "exps",
    "logs",
    "look_alikes",
    "decisive_starts",
    "decisive_tags",
    "decisive_weights",
    "manifest",
)
LANES = 16
PAIRS = 16
MAX_SLOTS = 2048
BLOCK = 32
PAIR_ROWS = 127
PAIR_SHARED = 126
MIN_SHARED_ROWS = 12  # with more rows, choosing among them is faster than reading all
SHARED_CLUSTERS = 96
LIFT_UNIT = 8
SHARED = np.dtype([("row", "<u4"), ("has", "<u4", 3), ("lift", "u1", 48)])
LAST_ROW = 0x80
PAIR_ZERO = 40
# Weight units per nat: rows reach +-12.7 nats and pairs -4 to 8.6. Chosen for that range; other values are untested.
UNITS = 10
SCALE_BUCKETS = 64
INFO = np.dtype(
    [
        ("slot", "<u2"),
        ("tier", "u1"),
        ("script", "u1"),
        ("low_score", "<i2"),
        ("high_unseen", "<u2"),
        ("allowance", "<i2"),
    ],
    align=False,
)

MAX_LOOK_ALIKES = 16
LOOK_ALIKES = np.dtype(
    [("count", "<u4"), ("bits", "u1"), ("size", "u1"), ("trust", "<u2"), ("labels", "<u2", MAX_LOOK_ALIKES)]
)
DECISIVE_UNITS = 16  # weight units per nat of a decisive feature, which reaches +-7.9 nats


@dataclass(frozen=True, slots=True)
class LookAlikes:
    """A group of labels with decisive features: a weight in nats for each feature (row) and label (column)."""

    labels: tuple[str, ...]
    keys: NDArray[np.uint64]
    weights: NDArray[np.float64]
    trust: float  # factor on the sum of weights


@dataclass(frozen=True, slots=True)
class Weights:
    """A fitted table: dense n-grams with rows of 16 lanes, sparse (n-gram, slot) pairs sorted by line."""

    keys: NDArray[np.uint64]
    starts: NDArray[np.uint32]
    clusters: NDArray[np.uint8]
    rows: NDArray[np.float32]
    pair_keys: NDArray[np.uint64]
    pair_slots: NDArray[np.uint16]
    pair_weights: NDArray[np.float32]
    lines: int


@dataclass(frozen=True, slots=True)
class ModelFile:
    """The contents of a file, for inspection, tests and tools."""

    labels: list[str]
    infos: NDArray[Any]
    sections: dict[str, bytes]
    manifest: dict[str, Any]


def get_scale_bucket(features: int) -> int:
    """Return the bucket of a feature count, four buckets per octave; equals the function in native/text/model.cpp."""
    if features < 4:
        return features
    top = features.bit_length() - 1
    return min(SCALE_BUCKETS - 1, (top - 1) * 4 + (features >> (top - 2) & 3))


def scale_hash(keys: NDArray[np.uint64], count: int) -> NDArray[np.int64]:
    """Return the line or entry of each key: the high half of the hash scaled to the table."""
    return (((keys >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32)).astype(np.int64)


def quantise_rows(weights: Weights) -> NDArray[np.int8]:
    """Return the rows in the int8 units of the file."""
    return np.clip(np.rint(weights.rows * UNITS), -128, 127).astype(np.int8)


def find_shared_grams(weights: Weights) -> NDArray[np.bool_]:
    """Return which n-grams have many rows, all of them for clusters that fit into a record."""
    first, last = weights.starts[:-1].astype(np.int64), weights.starts[1:].astype(np.int64)
    beyond = np.concatenate([[0], np.cumsum(weights.clusters >= SHARED_CLUSTERS)])
    return np.asarray((last - first >= MIN_SHARED_ROWS) & (beyond[last] == beyond[first]))


def pack_shared(weights: Weights) -> NDArray[Any]:
    """Return a record for each n-gram with many rows: the first row, the clusters, and the highest weight of each."""
    chosen = np.flatnonzero(find_shared_grams(weights))
    first, last = weights.starts[chosen].astype(np.int64), weights.starts[chosen + 1].astype(np.int64)
    records = np.zeros(len(chosen), SHARED)
    records["row"] = first
    gram = np.repeat(np.arange(len(chosen)), last - first)
    row = np.concatenate([np.arange(a, b) for a, b in zip(first, last, strict=True)]) if len(chosen) else first
    cluster = weights.clusters[row].astype(np.int64)
    np.bitwise_or.at(
        records["has"], (gram, cluster // 32), np.left_shift(np.uint32(1), (cluster % 32).astype(np.uint32))
    )
    highest = np.maximum(quantise_rows(weights)[row].max(axis=1).astype(np.int64), 0)
    lift = np.minimum(-(-highest // LIFT_UNIT), 15).astype(np.uint8)
    half = SHARED_CLUSTERS // 2
    np.bitwise_or.at(records["lift"], (gram, cluster % half), np.where(cluster < half, lift, lift << 4))
    return records


def pack_pair_lines(weights: Weights) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return lines of 16 pairs (14 bits of tag, 11 of slot, 7 of weight), and the first row and first shared n-gram of each block.

    Weight code 127 marks an n-gram with rows, whose slot is the offset of its first row in the block; 126 marks a shared n-gram,
    whose slot is its offset in the block. Empty places have weight zero.
    """
    lines = np.full((weights.lines, PAIRS), PAIR_ZERO, "<u4")
    line_of_gram = scale_hash(weights.keys, weights.lines)
    if np.any(np.diff(line_of_gram) < 0):
        raise ValueError("n-grams with rows are not sorted by key")
    first_grams = np.searchsorted(
        line_of_gram, np.arange(0, weights.lines + BLOCK, BLOCK)[: weights.lines // BLOCK + 1]
    )
    is_shared = find_shared_grams(weights)
    shared_before = np.concatenate([[0], np.cumsum(is_shared)])
    blocks = np.stack([weights.starts[first_grams].astype("<u4"), shared_before[first_grams].astype("<u4")], axis=1)
    offsets = (
        np.stack([weights.starts[:-1], shared_before[:-1]], axis=1).astype(np.int64) - blocks[line_of_gram // BLOCK]
    )
    offset = np.where(is_shared, offsets[:, 1], offsets[:, 0])
    if np.any(offset >= MAX_SLOTS):
        raise ValueError("a block of lines has too many rows: raise the number of lines, or lower that of rows")
    units = np.clip(np.rint(weights.pair_weights * UNITS) + PAIR_ZERO, 0, PAIR_SHARED - 1)
    keys = np.concatenate([weights.keys, weights.pair_keys])
    slots = np.concatenate([offset, weights.pair_slots.astype(np.int64)]).astype(np.uint32)
    codes = np.concatenate([np.where(is_shared, PAIR_SHARED, PAIR_ROWS), units]).astype(np.uint32)
    line = scale_hash(keys, weights.lines)
    order = np.argsort(line, kind="stable")
    line = line[order]
    position = np.arange(len(line)) - np.searchsorted(line, line, side="left")
    if np.any(position >= PAIRS):
        raise ValueError("a line holds more than 16 pairs")
    tags = (keys & np.uint64(0x3FFF)).astype(np.uint32)
    lines[line, position] = (tags << 18 | slots << 7 | codes)[order]
    return lines, blocks


def flag_last_rows(weights: Weights) -> NDArray[np.uint8]:
    """Return the cluster of each row, with a flag on the last row of every n-gram."""
    clusters = weights.clusters.astype(np.uint8)
    clusters[weights.starts[1:].astype(np.int64) - 1] |= LAST_ROW
    return clusters


def pack_decisive(labels: list[str], groups: Sequence[LookAlikes]) -> dict[str, bytes]:
    """Return the sections of decisive features, those of each group in buckets by the high bits of their keys."""
    parts: dict[str, list[bytes]] = {
        "look_alikes": [],
        "decisive_starts": [],
        "decisive_tags": [],
        "decisive_weights": [],
    }
    for group in groups:
        order = np.argsort(group.keys, kind="stable")
        keys = group.keys[order]
        bits = max(1, len(keys).bit_length())
        header = np.zeros(1, LOOK_ALIKES)
        header["count"], header["bits"], header["size"] = len(keys), bits, len(group.labels)
        header["trust"] = round(group.trust * LOG_SCALE / DECISIVE_UNITS)
        header["labels"][0, : len(group.labels)] = [labels.index(label) for label in group.labels]
        starts = np.searchsorted(keys >> np.uint64(64 - bits), np.arange((1 << bits) + 1, dtype=np.uint64))
        weights = np.clip(np.rint(group.weights[order] * DECISIVE_UNITS), -127, 127).astype(np.int8)
        for name, part in zip(parts, (header, starts.astype("<u4"), keys.astype("<u4"), weights), strict=True):
            parts[name].append(part.tobytes())
    return {name: b"".join(part) for name, part in parts.items()}


def write_model(
    path: Path,
    labels: list[str],
    infos: NDArray[Any],
    scripts: list[str],
    weights: Weights,
    scales: NDArray[np.uint32],
    manifest: dict[str, Any],
    look_alikes: Sequence[LookAlikes] = (),
) -> None:
    """Pack all sections and write the file; `<path>.json` beside it holds the manifest."""
    lines, blocks = pack_pair_lines(weights)
    parts = {
        "labels": "\n".join(labels).encode(),
        "scripts": "\n".join(scripts).encode(),
        "infos": infos.astype(INFO).tobytes(),
        "blocks": blocks.tobytes(),
        "shared": pack_shared(weights).tobytes(),
        "clusters": flag_last_rows(weights).tobytes(),
        "rows": quantise_rows(weights).tobytes(),
        "lines": lines.tobytes(),
        "scales": scales.astype("<u4").tobytes(),
        **pack_probability_tables(),
        **pack_decisive(labels, look_alikes),
    }
    write_container(path, MAGIC, VERSION, SECTIONS, parts, manifest)


def read_model(path: Path) -> ModelFile:
    """Read a file and verify its checksum; raise ValueError if it is damaged or not a text model."""
    sections = unpack(path, MAGIC, VERSION, SECTIONS)
    return ModelFile(
        labels=sections["labels"].decode().split("\n"),
        infos=np.frombuffer(sections["infos"], INFO),
        sections=sections,
        manifest=json.loads(sections["manifest"]),
    )
