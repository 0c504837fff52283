"""Languages by top-level domain or server country alone: the baselines of the URL model.

ccTLD and ccTLD+ are those of Baykan, Henzinger and Weber (2013), table I, and so is IP (the country of the server). The majority
language of a top-level domain is the classifier of Hayati (2004).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from webtongue.records import dataclass
from webtongue.reference.countries import TABLE_I, tld, tld_language

__all__ = [
    "GENERIC",
    "TldMajority",
    "by_cctld",
    "by_cctld_plus",
    "by_country",
    "by_main_language",
]

ENGLISH_TLDS = ("com", "org")  # counted as English in ccTLD+
GENERIC = ("com", "org", "net")  # domains with many sites of every language


def by_cctld(url: str) -> str:
    """Return the language of a URL by table I; empty if its domain is no country's."""
    return TABLE_I.get(tld(url), "")


def by_cctld_plus(url: str) -> str:
    """Return the language of a URL by table I, with .com and .org counted as English."""
    domain = tld(url)
    return "eng" if domain in ENGLISH_TLDS else TABLE_I.get(domain, "")


def by_main_language(url: str) -> str:
    """Return the main language of the country of a URL's top-level domain; empty if it is no country's."""
    return tld_language(url)


def by_country(country: str | None) -> str:
    """Return the language of a server's country (a two-letter code) by table I; empty if the country is unknown."""
    code = (country or "").lower()
    return TABLE_I.get("uk" if code == "gb" else code, "")


@dataclass(frozen=True, slots=True)
class TldMajority:
    """A classifier by the commonest language of each top-level domain in its training URLs."""

    languages: Mapping[str, str]

    @classmethod
    def fit(cls, urls: Iterable[str], languages: Iterable[str]) -> TldMajority:
        """Return a classifier fitted on URLs and their languages."""
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for url, language in zip(urls, languages, strict=True):
            counts[tld(url)][language] += 1
        return cls({domain: languages.most_common(1)[0][0] for domain, languages in counts.items()})

    def __call__(self, url: str) -> str:
        return self.languages.get(tld(url), "")
