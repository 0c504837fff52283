"""Compute the initial weights of top level domains.

Gradients that they share with n-grams leave too little to them: the domain of a country has few URLs for most languages. So their
weights start from log-odds counted over domains.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from webtongue.lab.train.url.config import UrlConfig
from webtongue.lab.train.url.features import TOP, Features, extract_features
from webtongue.reference.countries import COUNTRY_LANGUAGE

Counts = dict[int, NDArray[np.float64]]


def compute_initial_weights(
    languages: list[str],
    features: Features,
    truth: NDArray[np.uint16],
    domains: NDArray[np.int64],
    keys: NDArray[np.uint64],
    config: UrlConfig,
) -> NDArray[np.float32]:
    """Return log-odds of languages for top level domains, zero for other features."""
    count = len(languages)
    sizes = np.maximum(np.bincount(truth, minlength=count), 1).astype(np.float64)
    language_weights = sizes**-config.rarity / np.mean(sizes**-config.rarity)
    prior = sizes * language_weights / np.sum(sizes * language_weights)
    top_counts = _count_domains(features, features.plain_kinds == TOP, truth, domains, language_weights)
    for top, language in _list_country_domains(languages):
        top_counts.setdefault(top, np.zeros(count))[language] += config.country * language_weights[language]
    weights = np.zeros((len(keys), count), np.float32)
    for key, counts in top_counts.items():
        place = int(np.searchsorted(keys, np.uint64(key)))
        if place < len(keys) and keys[place] == key:
            smoothed = counts + config.country * prior
            weights[place] = config.trust * (np.log(smoothed / smoothed.sum()) - np.log(prior))
    return weights


def _count_domains(
    features: Features,
    is_counted: NDArray[np.bool_],
    truth: NDArray[np.uint16],
    domains: NDArray[np.int64],
    language_weights: NDArray[np.float64],
) -> Counts:
    """Return for each selected feature the number of domains of each language, times the weight of the language."""
    rows = features.rows[is_counted]
    counts: Counts = {}
    occurrences = set(
        zip(features.keys[is_counted].tolist(), truth[rows].tolist(), domains[rows].tolist(), strict=True)
    )
    for key, language, _ in sorted(occurrences):
        counts.setdefault(key, np.zeros(len(language_weights)))[language] += language_weights[language]
    return counts


def _list_country_domains(languages: list[str]) -> Iterable[tuple[int, int]]:
    codes = [code for code, language in COUNTRY_LANGUAGE.items() if language in languages]
    features = extract_features([f"http://example.{code}/" for code in codes])
    # The first feature of a host is its top level domain.
    tops = features.keys[features.starts[:-1].astype(np.int64)].tolist()
    return [(top, languages.index(COUNTRY_LANGUAGE[code])) for code, top in zip(codes, tops, strict=True)]
