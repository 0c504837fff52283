"""Compute the 60 custom-made features of Baykan, Henzinger and Weber (2013), section 2.1.

For each of the five languages: the top level domain is in its list; one of its country codes occurs before the first ``/``, and
after; words in its dictionary, its cities and its trained dictionary, each before and after; the server is in one of its countries.
Further: .com, .net, .org; hyphens, words and unknown words before and after; and the length.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from webtongue.reference.countries import TABLE_I, tld
from webtongue.url.tld import GENERIC, by_country
from webtongue.url.tokens import paper_tokens

__all__ = ["FEATURE_NAMES", "FIVE_LANGUAGES", "Dictionaries", "compute_features", "train_dictionary"]

FIVE_LANGUAGES = ("eng", "deu", "fra", "spa", "ita")
POSITIONS = ("before", "after")
LIST_NAMES = ("dictionary", "city", "trained")
FEATURE_NAMES: tuple[str, ...] = (
    *(f"tld {g}" for g in FIVE_LANGUAGES),
    *(f"code {g} {place}" for g in FIVE_LANGUAGES for place in POSITIONS),
    *(f"{kind} {g} {place}" for kind in LIST_NAMES for g in FIVE_LANGUAGES for place in POSITIONS),
    *(f"ip {g}" for g in FIVE_LANGUAGES),
    *(f".{name}" for name in GENERIC),
    *(f"hyphens {place}" for place in POSITIONS),
    *(f"words {place}" for place in POSITIONS),
    *(f"unknown {place}" for place in POSITIONS),
    "length",
)
# Codes of a language in a URL: those of its countries and its own.
LANGUAGE_OF_CODE: dict[str, str] = TABLE_I | {"en": "eng", "de": "deu", "fr": "fra", "es": "spa", "it": "ita"}
MIN_SHARE, MIN_PURITY, MIN_LETTERS = 0.0001, 0.8, 3  # of words in a trained dictionary: the .01% and 80% rule
MIN_URLS = 5  # the paper's .01% is 22 URLs; in small sets it would be one, and the dictionary would learn its own URLs

Words = Mapping[str, frozenset[str]]  # language to its words


@dataclass(frozen=True, slots=True)
class Dictionaries:
    """Word lists by language; any may be empty."""

    dictionary: Words = field(default_factory=dict)
    city: Words = field(default_factory=dict)
    trained: Words = field(default_factory=dict)


def train_dictionary(urls: Iterable[str], languages: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return tokens in at least .01% of a language's URLs, of whose URLs at least 80% are in that language."""
    seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
    totals: Counter[str] = Counter()
    for url, language in zip(urls, languages, strict=True):
        totals[language] += 1
        for token in set(paper_tokens(url)):
            if len(token) >= MIN_LETTERS:
                seen[token][language] += 1
    words: defaultdict[str, set[str]] = defaultdict(set)
    for token, counts in seen.items():
        language, count = counts.most_common(1)[0]
        if count >= max(MIN_URLS, MIN_SHARE * totals[language]) and count >= MIN_PURITY * counts.total():
            words[language].add(token)
    return {language: frozenset(tokens) for language, tokens in words.items()}


def compute_features(
    urls: Sequence[str], lists: Dictionaries, countries: Sequence[str | None] | None = None
) -> NDArray[np.float32]:
    """Return a row of 60 features for each URL, in the order of FEATURE_NAMES; ``countries`` are those of the servers."""
    features = np.zeros((len(urls), len(FEATURE_NAMES)), np.float32)
    for i, url in enumerate(urls):
        features[i] = _compute_row(url, lists, countries[i] if countries is not None else None)
    return features


def _compute_row(url: str, lists: Dictionaries, country: str | None) -> list[float]:
    bare = url.partition("://")[2] or url
    host, _, rest = bare.partition("/")
    top = tld(url)
    before = paper_tokens(host.rpartition(".")[0])
    parts = (before, paper_tokens(rest))
    row = [float(TABLE_I.get(top) == language) for language in FIVE_LANGUAGES]
    row += [
        float(any(LANGUAGE_OF_CODE.get(word) == language for word in words))
        for language in FIVE_LANGUAGES
        for words in parts
    ]
    for words_by_language in (lists.dictionary, lists.city, lists.trained):
        row += [
            float(sum(word in words_by_language.get(language, ()) for word in words))
            for language in FIVE_LANGUAGES
            for words in parts
        ]
    row += [float(by_country(country) == language) for language in FIVE_LANGUAGES]
    row += [float(top == name) for name in GENERIC]
    row += [float(host.count("-")), float(rest.count("-"))]
    row += [float(len(words)) for words in parts]
    row += [
        float(
            sum(not any(word in words_of_language for words_of_language in lists.dictionary.values()) for word in words)
        )
        for words in parts
    ]
    return [*row, float(len(url))]
