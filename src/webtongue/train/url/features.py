"""Features of URLs as the kernel gives them, the vocabulary of those worth learning, and rows of numbers to fit on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webtongue import _kernel
from webtongue.hints.domain import SUFFIXES
from webtongue.train.url.config import UrlConfig
from webtongue.url.model import NAMES

# Numbers of native/url/features.hpp: the kind of a feature, what is said of a language, the first kind of text, flags of the
# host and the query, places and forms of what is said.
TOP, SUFFIX, DOMAIN, SAID, FIRST_TEXT = 0, 1, 2, 10, 11
KIND, HOST_FLAG, QUERY_FLAG = 0x3F, 0x80, 0x40
PLACES, FORMS = 6, 6
# Of native/url/model.hpp: country's domain or generic, home page or not, a language named or not; structure and text of four parts.
SETTINGS, VOICES = 8, 8
# Of native/train/url.hpp: what a step may hide.
PART_HOST, PART_TOP, PART_DOMAIN = 1, 2, 4


@dataclass(frozen=True, slots=True)
class Features:
    """Features of many URLs in a row."""

    starts: NDArray[np.uint64]
    keys: NDArray[np.uint64]
    kinds: NDArray[np.uint8]
    texts: NDArray[np.uint32]  # how many text features each URL has
    settings: NDArray[np.uint8]  # what kind of address each URL is

    @property
    def plain(self) -> NDArray[np.uint8]:
        """Kinds without the flag of the host."""
        return self.kinds & np.uint8(KIND)

    @property
    def parts(self) -> NDArray[np.uint8]:
        """What each feature is a part of."""
        plain = self.plain
        host = (self.kinds & HOST_FLAG) > 0
        found: NDArray[np.uint8] = PART_HOST * host + PART_TOP * (plain <= SUFFIX) + PART_DOMAIN * (plain == DOMAIN)
        return found.astype(np.uint8)

    @property
    def voices(self) -> NDArray[np.uint8]:
        """Which part each feature comes from, and whether it is text: as voice_of in native/url/model.cpp."""
        host, query = (self.kinds & HOST_FLAG) > 0, (self.kinds & QUERY_FLAG) > 0
        part = np.where(self.plain <= SUFFIX, 0, np.where(host, 1, np.where(query, 3, 2)))
        return (2 * part + (self.plain >= FIRST_TEXT)).astype(np.uint8)

    @property
    def rows(self) -> NDArray[np.int64]:
        """Which URL each feature belongs to."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts).astype(np.int64))


@dataclass(frozen=True, slots=True)
class Rows:
    """Features by their numbers in a vocabulary, as the kernel fits and predicts them."""

    starts: NDArray[np.uint64]
    ids: NDArray[np.uint32]
    parts: NDArray[np.uint8]
    values: NDArray[np.float32]
    voices: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.starts) - 1


def features_of(urls: Sequence[str]) -> Features:
    """The kernel's features of URLs."""
    raw = [url.encode("utf-8", "replace") for url in urls]
    offsets = np.zeros(len(raw) + 1, np.uint64)
    offsets[1:] = np.cumsum([len(url) for url in raw])
    tables = _kernel.UrlTables(SUFFIXES.read_bytes(), NAMES.read_bytes())
    starts, keys, kinds, facts = _kernel.url_features(tables, b"".join(raw), offsets)
    _, texts, national, home, said = facts.reshape(-1, 5).T
    return Features(starts, keys, kinds, texts, (4 * said + 2 * home + (national == 0)).astype(np.uint8))


def text_only(found: Features) -> Features:
    """Without structural features: a made URL has no host or path that means anything."""
    kept = found.plain >= FIRST_TEXT
    counts = np.bincount(found.rows[kept], minlength=len(found.starts) - 1)
    starts = np.zeros(len(found.starts), np.uint64)
    starts[1:] = np.cumsum(counts)
    return Features(starts, found.keys[kept], found.kinds[kept], found.texts, found.settings)


def vocabulary(real: Features, domains: NDArray[np.int64], made: Features, config: UrlConfig) -> NDArray[np.uint64]:
    """Features of enough domains or of enough made URLs, and names of domains with enough URLs; in the order of their keys."""
    where = domains[real.rows]
    order = np.lexsort((where, real.keys))
    keys, where = real.keys[order], where[order]
    new_key = np.concatenate([[True], keys[1:] != keys[:-1]])
    new_domain = new_key | np.concatenate([[True], where[1:] != where[:-1]])
    firsts = np.flatnonzero(new_key)
    spread = np.add.reduceat(new_domain.astype(np.int32), firsts)
    known = keys[firsts]
    made_keys, made_counts = np.unique(made.keys, return_counts=True)
    both = np.intersect1d(made_keys[made_counts >= 2], known)
    seen: NDArray[np.uint64] = np.union1d(
        known[spread >= config.least_domains], made_keys[made_counts >= config.least_made]
    )
    names, sizes = np.unique(real.keys[real.plain == DOMAIN], return_counts=True)
    return np.union1d(np.union1d(seen, both), names[sizes >= config.domain_urls])


def numbered(found: Features, known: NDArray[np.uint64], scale: float) -> Rows:
    """Features by number, those out of the vocabulary left out."""
    places = np.minimum(np.searchsorted(known, found.keys), len(known) - 1)
    kept = known[places] == found.keys
    rows = found.rows
    share = scale / np.sqrt(np.maximum(found.texts, 1))
    values = np.where(found.plain >= FIRST_TEXT, share[rows], 1.0)
    starts = np.zeros(len(found.starts), np.uint64)
    starts[1:] = np.cumsum(np.bincount(rows[kept], minlength=len(found.starts) - 1))
    ids = places[kept].astype(np.uint32)
    return Rows(starts, ids, found.parts[kept], values[kept].astype(np.float32), found.voices[kept])


def chosen(rows: Rows, which: NDArray[np.int64]) -> Rows:
    """Some of the rows."""
    starts, at = _places(rows.starts, which)
    return Rows(starts, rows.ids[at], rows.parts[at], rows.values[at], rows.voices[at])


def selected(found: Features, which: NDArray[np.int64]) -> Features:
    """Features of some of the URLs."""
    starts, at = _places(found.starts, which)
    return Features(starts, found.keys[at], found.kinds[at], found.texts[which], found.settings[which])


def _places(starts: NDArray[np.uint64], which: NDArray[np.int64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Where some of the rows start once they lie end to end, and the places of their items now."""
    lengths = (starts[which + 1] - starts[which]).astype(np.int64)
    out = np.zeros(len(which) + 1, np.uint64)
    out[1:] = np.cumsum(lengths)
    shift = starts[which].astype(np.int64) - out[:-1].astype(np.int64)
    return out, np.arange(int(out[-1])) + np.repeat(shift, lengths)


def joined(first: Rows, second: Rows) -> Rows:
    """Rows of both."""
    return Rows(
        np.concatenate([first.starts, second.starts[1:] + first.starts[-1]]),
        np.concatenate([first.ids, second.ids]),
        np.concatenate([first.parts, second.parts]),
        np.concatenate([first.values, second.values]),
        np.concatenate([first.voices, second.voices]),
    )
