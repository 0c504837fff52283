"""Weights to begin with: what top level domains say, and what the codes and names of languages in an address say.

Gradients that n-grams share leave too little to both: a country's domain has few URLs for most languages, and a name as a
path segment fewer still. So they begin with log-odds counted over domains. For a language that few addresses name, the
counts lean on those of all languages: how often does what an address says of its language, in this place and form, hold?
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from webtongue import _kernel
from webtongue.hints.country import COUNTRY_LANGUAGE
from webtongue.train.url.config import UrlConfig
from webtongue.train.url.features import FORMS, PLACES, SAID, TOP, Features, features_of

Counts = dict[int, NDArray[np.float64]]
MAJOR = "eng"  # what most addresses say they are in: left out where languages are counted together


def said_keys(languages: list[str]) -> dict[int, tuple[int, int]]:
    """Every feature that says a language: which pair of place and form it is, and the language's number."""
    return {
        _kernel.said_key(place, form, int.from_bytes(language.encode(), "big")): (place * FORMS + form, i)
        for place in range(PLACES)
        for form in range(FORMS)
        for i, language in enumerate(languages)
    }


def start_weights(
    languages: list[str],
    found: Features,
    truth: NDArray[np.uint16],
    domains: NDArray[np.int64],
    known: NDArray[np.uint64],
    config: UrlConfig,
) -> NDArray[np.float32]:
    """Zero, but for top level domains and what is said the log-odds of the languages of their domains."""
    count = len(languages)
    sizes = np.maximum(np.bincount(truth, minlength=count), 1).astype(np.float64)
    worth = sizes**-config.rarity / np.mean(sizes**-config.rarity)
    prior = sizes * worth / np.sum(sizes * worth)
    tops = _counted(found, found.plain == TOP, truth, domains, worth)
    for top, language in _countries(languages):
        tops.setdefault(top, np.zeros(count))[language] += config.country * worth[language]
    said = _counted(found, found.plain == SAID, truth, domains, worth)
    credits = {top: config.country * prior for top in tops} | _credits(said, languages, prior, config)
    out = np.zeros((len(known), count), np.float32)
    for key, credit in credits.items():
        place = int(np.searchsorted(known, np.uint64(key)))
        if place < len(known) and known[place] == key:
            seen = tops.get(key, said.get(key, np.zeros(count))) + credit
            trust = config.trust if key in tops else 1.0
            out[place] = trust * (np.log(seen / seen.sum()) - np.log(prior))
    return out


def _counted(
    found: Features,
    which: NDArray[np.bool_],
    truth: NDArray[np.uint16],
    domains: NDArray[np.int64],
    worth: NDArray[np.float64],
) -> Counts:
    """How many domains of each language have each of some features, languages weighed."""
    rows = found.rows[which]
    out: Counts = {}
    seen = set(zip(found.keys[which].tolist(), truth[rows].tolist(), domains[rows].tolist(), strict=True))
    for key, language, _ in sorted(seen):
        out.setdefault(key, np.zeros(len(worth)))[language] += worth[language]
    return out


def _countries(languages: list[str]) -> Iterable[tuple[int, int]]:
    codes = [code for code, language in COUNTRY_LANGUAGE.items() if language in languages]
    found = features_of([f"http://example.{code}/" for code in codes])
    tops = found.keys[found.starts[:-1].astype(np.int64)].tolist()  # a host's first feature is its top level domain
    return [(top, languages.index(COUNTRY_LANGUAGE[code])) for code, top in zip(codes, tops, strict=True)]


def _credits(said: Counts, languages: list[str], prior: NDArray[np.float64], config: UrlConfig) -> Counts:
    """For each feature that says a language, domains that speak for it before any is seen.

    As often as what is said in this place and form holds for all languages, which leans on how often it does in any place.
    """
    right, total = np.zeros(PLACES * FORMS), np.zeros(PLACES * FORMS)
    keys = said_keys(languages)
    for key, (pair, language) in keys.items():
        if key in said and languages[language] != MAJOR:
            right[pair] += said[key][language]
            total[pair] += said[key].sum()
    by_form = right.reshape(PLACES, FORMS).sum(0), total.reshape(PLACES, FORMS).sum(0)
    usual = (by_form[0] + config.country * config.said) / (by_form[1] + config.country)
    holds = (right + config.country * np.tile(usual, PLACES)) / (total + config.country)
    out: Counts = {}
    for key, (pair, language) in keys.items():
        out[key] = config.country * (1 - holds[pair]) * prior
        out[key][language] += config.country * holds[pair]
    return out
