"""Countries: the one that a domain names, and the languages that people write there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from webtongue import _kernel
from webtongue.files import rows

__all__ = [
    "COUNTRY_LANGUAGE", "GENERIC_CODES", "TABLE_I", "Spoken", "country_of_tld", "is_country", "language_of", "languages_of",
    "products", "tld",
]  # fmt: skip

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


# Domains of countries that are not the country's code in ISO 3166: older or other codes, and those in the country's own letters.
COUNTRY_DOMAINS: dict[str, str] = {
    name: country
    for country, names in {
        "AE": "امارات", "AM": "հայ", "BD": "বাংলা", "BG": "бг", "BH": "البحرين", "BY": "бел", "CD": "zr", "CN": "中国 中國",
        "DZ": "الجزائر", "EG": "مصر", "GB": "uk", "GE": "გე", "GR": "ελ", "HK": "香港", "IL": "ישראל",
        "IN": "भारत ভারত ભારત భారత్ ଭାରତ ਭਾਰਤ இந்தியா بھارت ಭಾರತ ഭാരതം ভাৰত भारतम् भारोत ڀارت بارت",
        "IQ": "عراق", "IR": "ایران ايران", "JO": "الاردن", "KR": "한국", "KZ": "қаз", "LA": "ລາວ", "LK": "ලංකා இலங்கை",
        "MA": "المغرب", "MK": "мкд", "MN": "мон", "MO": "澳門 澳门", "MR": "موريتانيا", "MY": "مليسيا", "OM": "عمان",
        "PK": "پاکستان پاكستان", "PS": "فلسطين", "QA": "قطر", "RS": "срб yu", "RU": "рф su",
        "SA": "السعودية السعوديه السعودیة السعودیۃ", "SD": "سودان", "SG": "新加坡 சிங்கப்பூர்", "SY": "سورية سوريا", "TH": "ไทย",
        "TL": "tp", "TN": "تونس", "TW": "台灣 台湾 臺灣", "UA": "укр", "YE": "اليمن",
    }.items()
    for name in names.split()
}  # fmt: skip

# Country codes that are sold the world over as if they named no country, by registries that say so, or were given away free of
# charge: the sites of the country itself are few among theirs.
GENERIC_CODES = frozenset(
    "ac ad ag ai as bz cc cd cf co cx dj fm ga gd gg gl gq gs im io je la lc ly me ml ms mu nf nu pn pw sc sh sl so sr st sx tc tf "
    "tk tl to tv vc vg ws".split()
)
ENCODED = "xn--"  # how letters beyond ASCII are written in a domain
LONGEST_LABEL = 63  # characters of one part of a domain, by RFC 1035


@dataclass(frozen=True, slots=True)
class Spoken:
    """A language of a country: the share of its people who write it, and whether it is official there, or in a part of it."""

    label: str
    share: float
    official: bool = False
    regional: bool = False


def languages_of(country: str) -> tuple[Spoken, ...]:
    """The languages of a country by its code in ISO 3166, the most spoken first (CLDR); none for what is no country.

    >>> [(spoken.label, spoken.share, spoken.official) for spoken in languages_of("IS")]
    [('isl_Latn', 1.0, True), ('dan_Latn', 0.0062, False)]
    >>> languages_of("zz")
    ()
    """
    return _countries().get(_code(country), ())


def is_country(code: str) -> bool:
    """Whether two letters, in any case, are the code of a country or territory, inhabited or not."""
    return _code(code) in _countries()


def country_of_tld(name: str) -> str:
    """The country that a top level domain stands for, as ISO 3166 has it; empty for one of no country.

    Codes that are sold as generic (``GENERIC_CODES``) are still a country's here: what they are worth is another matter.

    >>> [country_of_tld(name) for name in ("is", ".UK", "рф", "xn--p1ai", "台灣", "com", "eu")]
    ['IS', 'GB', 'RU', 'RU', 'TW', '', '']
    """
    name = name.strip().strip(".").lower()
    if len(name) > LONGEST_LABEL:
        return ""
    if name.startswith(ENCODED):
        try:
            name = name[len(ENCODED) :].encode("ascii").decode("punycode").lower()
        except ValueError:  # damaged, or letters beyond ASCII after the mark
            return ""
    if name in COUNTRY_DOMAINS:
        return COUNTRY_DOMAINS[name]
    return name.upper() if is_country(name) else ""


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


def _code(country: str) -> str:
    """As the table has it; letters beyond ASCII are none of a code's, though some become such in capitals (ß)."""
    return country.upper() if country.isascii() else ""


@cache
def _countries() -> dict[str, tuple[Spoken, ...]]:
    return {country: tuple(map(_spoken, languages.split())) for country, languages, _ in rows("countries.tsv")}


@cache
def products() -> dict[str, float]:
    """The gross domestic product of every country, in millions of dollars by purchasing power (CLDR)."""
    return {country: float(product) for country, _, product in rows("countries.tsv")}


def _spoken(text: str) -> Spoken:
    label, share, *status = text.split(":")
    return Spoken(label, float(share), status == ["o"], status == ["r"])
