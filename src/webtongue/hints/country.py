"""The language of a country, as far as the country is known by the page's address."""

from __future__ import annotations

from webtongue import _kernel

__all__ = ["COUNTRY_LANGUAGE", "TABLE_I", "language_of", "tld"]

# Baykan, Henzinger and Weber (2013), table I.
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


def language_of(url: str) -> str:
    """The main language of the country that a URL's domain names; empty where it names none."""
    return COUNTRY_LANGUAGE.get(tld(url), "")
