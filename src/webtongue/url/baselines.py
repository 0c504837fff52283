"""What a URL's top level domain or server says by itself: the baselines that the model has to beat.

ccTLD and ccTLD+ are Baykan, Henzinger and Weber (2013), table I; IP is theirs too (country of the server to language);
the majority of a top level domain is the classifier of Hayati 2004.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from webtongue.hints.country import TABLE_I, language_of, tld

__all__ = [
    "GENERIC",
    "TldMajority",
    "by_cctld",
    "by_cctld_plus",
    "by_country",
    "by_main_language",
]

PLUS = ("com", "org")  # English in ccTLD+
GENERIC = ("com", "org", "net")  # what most sites of any language are under


def by_cctld(url: str) -> str:
    """Table I; empty where the domain is no country's."""
    return TABLE_I.get(tld(url), "")


def by_cctld_plus(url: str) -> str:
    """Table I with .com and .org counted as English."""
    found = tld(url)
    return "eng" if found in PLUS else TABLE_I.get(found, "")


def by_main_language(url: str) -> str:
    """As ccTLD, for the main languages of all countries."""
    return language_of(url)


def by_country(country: str | None) -> str:
    """IP: the language of the country that a server stands in (a two-letter code); empty where it is not known."""
    return TABLE_I.get({"gb": "uk"}.get((country or "").lower(), (country or "").lower()), "")


@dataclass(frozen=True, slots=True)
class TldMajority:
    """The commonest language of each top level domain in the URLs it was fitted on."""

    languages: Mapping[str, str]

    @classmethod
    def fit(cls, urls: Iterable[str], languages: Iterable[str]) -> TldMajority:
        """Count languages by domain."""
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for url, language in zip(urls, languages, strict=True):
            counts[tld(url)][language] += 1
        return cls({domain: found.most_common(1)[0][0] for domain, found in counts.items()})

    def __call__(self, url: str) -> str:
        return self.languages.get(tld(url), "")
