"""What a URL's top level domain or server says by itself: the baselines that the model has to beat.

ccTLD and ccTLD+ are Baykan, Henzinger and Weber (2013), table I; IP is theirs too (country of the server to language);
the majority of a top level domain is the classifier of seed 003.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from webtongue import _kernel

__all__ = [
    "COUNTRY_LANGUAGE",
    "GENERIC",
    "TABLE_I",
    "TldMajority",
    "by_cctld",
    "by_cctld_plus",
    "by_country",
    "by_main_language",
    "tld",
]

TABLE_I: dict[str, str] = {
    code: language
    for language, codes in {
        "eng": "au ca cg edu gb gh gov ie ke mil mw ng nz sd tz ug uk um us za zm",
        "deu": "at ch de li lu",
        "fra": "bf ci cm dz fr gf gn ht mg ml ne pf sn td tf tn",
        "spa": "ar bo cl co cu ec es gt mx pe pr ve",
        "ita": "it va",
    }.items()
    for code in codes.split()
}
PLUS = ("com", "org")  # English in ccTLD+
GENERIC = ("com", "org", "net")  # what most sites of any language are under

# The most spoken official language of a country, for the languages table I leaves out.
COUNTRY_LANGUAGE: dict[str, str] = TABLE_I | {
    code: language
    for language, codes in {
        "ara": "ae bh eg iq jo kw lb ly ma om ps qa sa sy ye sd dz tn",
        "zho": "cn hk mo sg tw", "jpn": "jp", "kor": "kr kp", "rus": "ru su by kz kg", "ukr": "ua",
        "por": "pt br ao mz cv", "nld": "nl be sr", "pol": "pl", "tur": "tr", "ell": "gr cy", "swe": "se",
        "nob": "no", "dan": "dk gl fo", "fin": "fi", "hun": "hu", "ron": "ro md", "ces": "cz", "slk": "sk",
        "slv": "si", "hrv": "hr", "srp": "rs", "bul": "bg", "ind": "id", "vie": "vn", "tha": "th", "heb": "il",
        "fas": "ir af", "hin": "in", "hye": "am", "est": "ee", "lav": "lv", "lit": "lt", "cat": "ad cat",
        "tam": "lk", "sna": "zw", "lin": "cd", "spa": "cr do hn ni pa py sv uy", "msa": "my", "sqi": "al",
        "mkd": "mk", "kat": "ge", "isl": "is", "ben": "bd", "urd": "pk", "mon": "mn", "bos": "ba", "eus": "eus",
        "glg": "gal", "deu": "berlin wien koeln hamburg bayern",
    }.items()
    for code in codes.split()
}  # fmt: skip


def tld(url: str) -> str:
    """The top level domain, lower case; empty where there is none.

    >>> tld("http://www.example.co.uk:80/index.html")
    'uk'
    """
    _, numeric, host, _, _ = _kernel.split_url(url.encode("utf-8", "replace"))
    return "" if numeric or b"." not in host else host.rpartition(b".")[2].decode("utf-8", "replace").lower()


def by_cctld(url: str) -> str:
    """Table I; empty where the domain is no country's."""
    return TABLE_I.get(tld(url), "")


def by_cctld_plus(url: str) -> str:
    """Table I with .com and .org counted as English."""
    found = tld(url)
    return "eng" if found in PLUS else TABLE_I.get(found, "")


def by_main_language(url: str) -> str:
    """As ccTLD, for the main languages of all countries."""
    return COUNTRY_LANGUAGE.get(tld(url), "")


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
