"""The 60 custom-made features of Baykan, Henzinger and Weber (2013), section 2.1.

For each of the five languages: the top level domain is in its list; a country code of it stands before the first ``/``, and
after; words in a dictionary of it, cities of it, words of its trained dictionary, each before and after; the server stands
in a country of it. Beside them: .com, .net, .org; hyphens, words and unknown words before and after; and the length.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from webtongue.hints.country import TABLE_I, tld
from webtongue.url.baselines import GENERIC, by_country
from webtongue.url.tokens import paper_tokens

__all__ = ["FIVE", "NAMES", "Dictionaries", "custom_features", "trained_dictionary"]

FIVE = ("eng", "deu", "fra", "spa", "ita")
PLACES = ("before", "after")
LISTS = ("dictionary", "city", "trained")
NAMES: tuple[str, ...] = (
    *(f"tld {g}" for g in FIVE),
    *(f"code {g} {place}" for g in FIVE for place in PLACES),
    *(f"{kind} {g} {place}" for kind in LISTS for g in FIVE for place in PLACES),
    *(f"ip {g}" for g in FIVE),
    *(f".{name}" for name in GENERIC),
    *(f"hyphens {place}" for place in PLACES),
    *(f"words {place}" for place in PLACES),
    *(f"unknown {place}" for place in PLACES),
    "length",
)
# What stands for a language within a URL: its countries and its own code.
CODES: dict[str, str] = TABLE_I | {"en": "eng", "de": "deu", "fr": "fra", "es": "spa", "it": "ita"}
LEAST_SHARE, LEAST_PURITY, LEAST_LETTERS = 0.0001, 0.8, 3  # for words of a trained dictionary: the .01% and 80% rule
LEAST_URLS = (
    5  # the paper's .01% is 22 URLs; in small sets it would be one, and the dictionary would learn its own URLs
)

Words = Mapping[str, frozenset[str]]  # language to its words


@dataclass(frozen=True, slots=True)
class Dictionaries:
    """Word lists by language; any may be empty."""

    dictionary: Words = field(default_factory=dict)
    city: Words = field(default_factory=dict)
    trained: Words = field(default_factory=dict)


def trained_dictionary(urls: Iterable[str], languages: Iterable[str]) -> dict[str, frozenset[str]]:
    """Tokens in at least .01% of a language's URLs, at least 80% of whose URLs are in that language."""
    seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
    totals: Counter[str] = Counter()
    for url, language in zip(urls, languages, strict=True):
        totals[language] += 1
        for token in set(paper_tokens(url)):
            if len(token) >= LEAST_LETTERS:
                seen[token][language] += 1
    words: defaultdict[str, set[str]] = defaultdict(set)
    for token, counts in seen.items():
        language, count = counts.most_common(1)[0]
        if count >= max(LEAST_URLS, LEAST_SHARE * totals[language]) and count >= LEAST_PURITY * counts.total():
            words[language].add(token)
    return {language: frozenset(found) for language, found in words.items()}


def custom_features(
    urls: Sequence[str], lists: Dictionaries, countries: Sequence[str | None] | None = None
) -> NDArray[np.float32]:
    """A row of 60 for each URL, in the order of NAMES; ``countries`` are those of the servers, where known."""
    out = np.zeros((len(urls), len(NAMES)), np.float32)
    for i, url in enumerate(urls):
        out[i] = _row(url, lists, countries[i] if countries is not None else None)
    return out


def _row(url: str, lists: Dictionaries, country: str | None) -> list[float]:
    bare = url.partition("://")[2] or url
    host, _, rest = bare.partition("/")
    top = tld(url)
    before = paper_tokens(host.rpartition(".")[0])
    parts = (before, paper_tokens(rest))
    row = [float(TABLE_I.get(top) == g) for g in FIVE]
    row += [float(any(CODES.get(word) == g for word in words)) for g in FIVE for words in parts]
    for kind in (lists.dictionary, lists.city, lists.trained):
        row += [float(sum(word in kind.get(g, ()) for word in words)) for g in FIVE for words in parts]
    row += [float(by_country(country) == g) for g in FIVE]
    row += [float(top == name) for name in GENERIC]
    row += [float(host.count("-")), float(rest.count("-"))]
    row += [float(len(words)) for words in parts]
    row += [
        float(sum(not any(word in found for found in lists.dictionary.values()) for word in words)) for words in parts
    ]
    return [*row, float(len(url))]
