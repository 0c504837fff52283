"""Extract features of URLs with the kernel, build the vocabulary, and number features for fitting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webtongue import _kernel
from webtongue.lab.train.url.config import UrlConfig
from webtongue.reference.domains import SUFFIXES
from webtongue.url.codes import CODES, table_labels

# Constants of native/url/features.hpp: kinds of features (top level domain, suffix, registered domain, script, first kind of text),
# and flags of the host and the query.
TOP, SUFFIX, DOMAIN, SCRIPT, FIRST_TEXT_KIND = 0, 1, 2, 10, 11
KIND_MASK, HOST_FLAG, QUERY_FLAG = 0x3F, 0x80, 0x40
# Constants of native/url/model.hpp. A URL has one of four types: domain of a country or generic, home page or not. A feature
# belongs to one of eight channels: structure or text of top level domain, host, path or query.
URL_TYPES, CHANNELS = 4, 8
# Constants of native/train/url.hpp: parts that a training step may leave out.
PART_HOST, PART_TOP, PART_DOMAIN = 1, 2, 4


@dataclass(frozen=True, slots=True)
class Features:
    """Features of many URLs, one URL after the other."""

    starts: NDArray[np.uint64]
    keys: NDArray[np.uint64]
    kinds: NDArray[np.uint8]
    text_counts: NDArray[np.uint32]  # number of text features of each URL
    url_types: NDArray[np.uint8]  # type of each URL, below URL_TYPES

    @property
    def plain_kinds(self) -> NDArray[np.uint8]:
        """Kinds of the features without flags."""
        return self.kinds & np.uint8(KIND_MASK)

    @property
    def parts(self) -> NDArray[np.uint8]:
        """Parts of the URL that each feature belongs to, as flags."""
        plain = self.plain_kinds
        host = (self.kinds & HOST_FLAG) > 0
        parts: NDArray[np.uint8] = PART_HOST * host + PART_TOP * (plain <= SUFFIX) + PART_DOMAIN * (plain == DOMAIN)
        return parts.astype(np.uint8)

    @property
    def channels(self) -> NDArray[np.uint8]:
        """Channel of each feature, as voice_of in native/url/model.cpp."""
        host, query = (self.kinds & HOST_FLAG) > 0, (self.kinds & QUERY_FLAG) > 0
        part = np.where(self.plain_kinds <= SUFFIX, 0, np.where(host, 1, np.where(query, 3, 2)))
        return (2 * part + (self.plain_kinds >= FIRST_TEXT_KIND)).astype(np.uint8)

    @property
    def rows(self) -> NDArray[np.int64]:
        """Number of the URL that each feature belongs to."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts).astype(np.int64))


@dataclass(frozen=True, slots=True)
class Rows:
    """Features by their numbers in a vocabulary, in the form that the kernel fits and predicts."""

    starts: NDArray[np.uint64]
    ids: NDArray[np.uint32]
    parts: NDArray[np.uint8]
    values: NDArray[np.float32]
    channels: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.starts) - 1


def extract_features(urls: Sequence[str]) -> Features:
    """Return the features of URLs."""
    raw = [url.encode("utf-8", "replace") for url in urls]
    offsets = np.zeros(len(raw) + 1, np.uint64)
    offsets[1:] = np.cumsum([len(url) for url in raw])
    tables = _kernel.UrlTables(SUFFIXES.read_bytes(), CODES.read_bytes(), table_labels())
    starts, keys, kinds, facts = _kernel.url_features(tables, b"".join(raw), offsets)
    _, text_counts, national, home = facts.reshape(-1, 4).T
    return Features(starts, keys, kinds, text_counts, (2 * home + (national == 0)).astype(np.uint8))


def keep_text_features(features: Features) -> Features:
    """Return only the features of words and scripts: the structure of a synthetic URL means nothing."""
    is_text = features.plain_kinds >= SCRIPT
    counts = np.bincount(features.rows[is_text], minlength=len(features.starts) - 1)
    starts = np.zeros(len(features.starts), np.uint64)
    starts[1:] = np.cumsum(counts)
    return Features(starts, features.keys[is_text], features.kinds[is_text], features.text_counts, features.url_types)


def build_vocabulary(
    real: Features, domains: NDArray[np.int64], synthetic: Features, config: UrlConfig
) -> NDArray[np.uint64]:
    """Return the sorted keys of features of enough domains or synthetic URLs, and of registered domains with enough URLs."""
    domain_of_feature = domains[real.rows]
    order = np.lexsort((domain_of_feature, real.keys))
    keys, domain_of_feature = real.keys[order], domain_of_feature[order]
    new_key = np.concatenate([[True], keys[1:] != keys[:-1]])
    new_domain = new_key | np.concatenate([[True], domain_of_feature[1:] != domain_of_feature[:-1]])
    firsts = np.flatnonzero(new_key)
    domain_counts = np.add.reduceat(new_domain.astype(np.int32), firsts)
    real_keys = keys[firsts]
    synthetic_keys, synthetic_counts = np.unique(synthetic.keys, return_counts=True)
    both = np.intersect1d(synthetic_keys[synthetic_counts >= 2], real_keys)
    frequent: NDArray[np.uint64] = np.union1d(
        real_keys[domain_counts >= config.least_domains], synthetic_keys[synthetic_counts >= config.least_made]
    )
    domain_names, sizes = np.unique(real.keys[real.plain_kinds == DOMAIN], return_counts=True)
    return np.union1d(np.union1d(frequent, both), domain_names[sizes >= config.domain_urls])


def domain_keys(features: Features) -> NDArray[np.uint64]:
    """Return the keys of the registered domains."""
    return np.unique(features.keys[features.plain_kinds == DOMAIN])


def number_features(features: Features, keys: NDArray[np.uint64], scale: float) -> Rows:
    """Return features by number, without those outside the vocabulary."""
    positions = np.minimum(np.searchsorted(keys, features.keys), len(keys) - 1)
    is_known = keys[positions] == features.keys
    rows = features.rows
    share = scale / np.sqrt(np.maximum(features.text_counts, 1))
    values = np.where(features.plain_kinds >= FIRST_TEXT_KIND, share[rows], 1.0)
    starts = np.zeros(len(features.starts), np.uint64)
    starts[1:] = np.cumsum(np.bincount(rows[is_known], minlength=len(features.starts) - 1))
    ids = positions[is_known].astype(np.uint32)
    return Rows(starts, ids, features.parts[is_known], values[is_known].astype(np.float32), features.channels[is_known])


def select_rows(rows: Rows, numbers: NDArray[np.int64]) -> Rows:
    """Return the rows with the given numbers."""
    starts, items = _gather_items(rows.starts, numbers)
    return Rows(starts, rows.ids[items], rows.parts[items], rows.values[items], rows.channels[items])


def select_urls(features: Features, numbers: NDArray[np.int64]) -> Features:
    """Return the features of the URLs with the given numbers."""
    starts, items = _gather_items(features.starts, numbers)
    return Features(
        starts, features.keys[items], features.kinds[items], features.text_counts[numbers], features.url_types[numbers]
    )


def _gather_items(starts: NDArray[np.uint64], rows: NDArray[np.int64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the starts of some rows after they are joined, and the indices of their items before."""
    lengths = (starts[rows + 1] - starts[rows]).astype(np.int64)
    new_starts = np.zeros(len(rows) + 1, np.uint64)
    new_starts[1:] = np.cumsum(lengths)
    shift = starts[rows].astype(np.int64) - new_starts[:-1].astype(np.int64)
    return new_starts, np.arange(int(new_starts[-1])) + np.repeat(shift, lengths)


def join_rows(first: Rows, second: Rows) -> Rows:
    """Return the rows of both, one after the other."""
    return Rows(
        np.concatenate([first.starts, second.starts[1:] + first.starts[-1]]),
        np.concatenate([first.ids, second.ids]),
        np.concatenate([first.parts, second.parts]),
        np.concatenate([first.values, second.values]),
        np.concatenate([first.channels, second.channels]),
    )
