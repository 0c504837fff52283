"""The URL model file: the one place that writes its format and reads it back (the kernel maps it, see native/url_model.cpp).

Header (magic, version, size, checksum, directory), then sections that each start at a multiple of 64 bytes: label names,
log priors in training, bias, lines of 16 pairs, units to nats by number of text features, two tables and the manifest.
"""

from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAGIC = b"WTU\r\n\x1a\n\0"
VERSION = 1
SECTIONS = ("labels", "priors", "bias", "lines", "heats", "exps", "logs", "manifest")
HEADER = struct.Struct("<8sIIQQ")
ALIGN = 64
PAIRS = 16
MAX_LABELS = 64
TAG_SHIFT = 14
NATS = 1024
FEATURES = 768


@dataclass(frozen=True, slots=True)
class UrlWeights:
    """What was learnt: pairs of a feature's key and a label with int8 weights, and what a unit of them is worth."""

    labels: list[str]
    priors: NDArray[np.float64]  # log prior in training
    bias: NDArray[np.float64]  # nats
    keys: NDArray[np.uint64]
    slots: NDArray[np.uint8]
    units: NDArray[np.int8]
    worth: NDArray[np.float32]  # what a pair is worth keeping for, where a line is full
    plain_unit: float  # nats of a unit of a structural feature
    text_unit: float  # nats of a unit of the only text feature of a URL


def line_of(keys: NDArray[np.uint64], lines: int) -> NDArray[np.int64]:
    """Where a key's pairs lie: the high half of the key scaled to the table."""
    return (((keys >> np.uint64(32)) * np.uint64(lines)) >> np.uint64(32)).astype(np.int64)


def pack_lines(weights: UrlWeights, lines: int) -> tuple[NDArray[np.uint32], int]:
    """The table, and how many pairs found no place in it: the least worthy of lines that are full."""
    table = np.zeros((lines, PAIRS), "<u4")
    line = line_of(weights.keys, lines)
    order = np.lexsort((weights.keys, -weights.worth, line))
    line = line[order]
    within = np.arange(len(line)) - np.searchsorted(line, line, side="left")
    kept = within < PAIRS
    tags = (weights.keys & np.uint64(0xFFFFFFFF)).astype(np.uint32) >> np.uint32(TAG_SHIFT)
    pairs = (
        tags << np.uint32(TAG_SHIFT) | weights.slots.astype(np.uint32) << np.uint32(8) | weights.units.view(np.uint8)
    )
    table[line[kept], within[kept]] = pairs[order][kept]
    return table, int(np.sum(~kept))


def heats(weights: UrlWeights) -> NDArray[np.uint32]:
    """Weight units to 1/1024 nats, times 65536: first for structural features, then for n text features."""
    counts = np.arange(1, FEATURES + 1)
    text = weights.text_unit / np.sqrt(counts)
    return np.rint(np.concatenate([[weights.plain_unit], text]) * NATS * 65536).astype("<u4")


def write_url_model(path: Path, weights: UrlWeights, lines: int, manifest: dict[str, Any]) -> None:
    """Pack all parts and write the file in one go; `<path>.json` beside it holds the manifest for people."""
    if len(weights.labels) > MAX_LABELS:
        raise ValueError(f"{len(weights.labels)} labels: a pair has room for {MAX_LABELS}")
    table, lost = pack_lines(weights, lines)
    manifest = {**manifest, "lines": lines, "pairs": int(np.count_nonzero(table)), "pairs_without_place": lost}
    parts = {
        "labels": "\n".join(weights.labels).encode(),
        "priors": np.rint(weights.priors * NATS).astype("<i4").tobytes(),
        "bias": np.rint(weights.bias * NATS).astype("<i4").tobytes(),
        "lines": table.tobytes(),
        "heats": heats(weights).tobytes(),
        "exps": np.rint(np.exp(-np.arange(4096) / 256) * 2**30).astype("<u4").tobytes(),
        "logs": np.rint(np.log1p(np.arange(256) / 256) * NATS).astype("<u4").tobytes(),
        "manifest": json.dumps(manifest, ensure_ascii=False, sort_keys=True).encode(),
    }
    path.write_bytes(_pack(parts))
    Path(f"{path}.json").write_text(json.dumps(manifest, ensure_ascii=False, sort_keys=True, indent=1) + "\n", "utf-8")


def _pack(parts: dict[str, bytes]) -> bytes:
    body = bytearray()
    start = -(-(HEADER.size + 16 * len(SECTIONS)) // ALIGN) * ALIGN
    directory = []
    for name in SECTIONS:
        body += bytes(-len(body) % ALIGN)
        directory.append((start + len(body), len(parts[name])))
        body += parts[name]
    checksum = int.from_bytes(hashlib.blake2b(body, digest_size=8).digest(), "little")
    head = HEADER.pack(MAGIC, VERSION, len(SECTIONS), start + len(body), checksum)
    head += b"".join(struct.pack("<QQ", *place) for place in directory)
    return head + bytes(start - len(head)) + bytes(body)


def read_sections(path: Path) -> dict[str, bytes]:
    """A file's sections with its checksum proved; ValueError says what is wrong with it."""
    raw = path.read_bytes()
    if len(raw) < HEADER.size + 16 * len(SECTIONS) or raw[:8] != MAGIC:
        raise ValueError(f"{path}: not a webtongue URL model")
    _, version, count, size, checksum = HEADER.unpack_from(raw)
    if version != VERSION or count != len(SECTIONS) or size != len(raw):
        raise ValueError(f"{path}: version {version}, {len(raw)} bytes of {size}: written by another release, or cut")
    start = -(-(HEADER.size + 16 * count) // ALIGN) * ALIGN
    if int.from_bytes(hashlib.blake2b(raw[start:], digest_size=8).digest(), "little") != checksum:
        raise ValueError(f"{path}: checksum does not match, the file is damaged")
    places = struct.iter_unpack("<QQ", raw[HEADER.size : HEADER.size + 16 * count])
    return {name: raw[at : at + length] for name, (at, length) in zip(SECTIONS, places, strict=True)}
