"""Countries: by top-level domain, and the languages that are written in each."""

from __future__ import annotations

from functools import cache

from webtongue import _kernel
from webtongue.files import read_rows
from webtongue.records import dataclass

__all__ = [
    "COUNTRY_LANGUAGE", "GENERIC_CODES", "TABLE_I", "Spoken", "country_of_tld", "is_country", "languages_of",
    "products", "suggest_country", "tld", "tld_language",
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

# The most spoken official language of a country, for languages that are not in table I.
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


# Country domains that differ from the ISO 3166 code: older or other codes, and names in the country's own script.
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

# Country codes that are marketed worldwide as generic, or were given away free of charge: few of their sites belong to the country.
GENERIC_CODES = frozenset(
    "ac ad ag ai as bz cc cd cf co cx dj fm ga gd gg gl gq gs im io je la lc ly me ml ms mu nf nu pn pw sc sh sl so sr st sx tc tf "
    "tk tl to tv vc vg ws".split()
)
OTHER_CODES = {"EL": "GR"}  # codes of the European Union that are no domains
PUNYCODE_PREFIX = "xn--"
MAX_LABEL_CHARS = 63  # length of one part of a domain, by RFC 1035


@dataclass(frozen=True, slots=True)
class Spoken:
    """A language of a country: the share of its people who write it, and whether it is official there or in a region."""

    label: str
    share: float
    official: bool = False
    regional: bool = False


def languages_of(country: str) -> tuple[Spoken, ...]:
    """Return the languages of a country by its ISO 3166 code, the most spoken first (CLDR); empty for any other text.

    >>> [(spoken.label, spoken.share, spoken.official) for spoken in languages_of("IS")]
    [('isl_Latn', 1.0, True), ('dan_Latn', 0.0062, False)]
    >>> languages_of("zz")
    ()
    """
    return _countries().get(_normalise_code(country), ())


def is_country(code: str) -> bool:
    """Return True if two letters, in any case, are the code of a country or territory, inhabited or not."""
    return _normalise_code(code) in _countries()


def country_of_tld(name: str) -> str:
    """Return the ISO 3166 code of the country that a top-level domain belongs to; empty for a domain of no country.

    Codes that are marketed as generic (``GENERIC_CODES``) count as their country's.

    >>> [country_of_tld(name) for name in ("is", ".UK", "рф", "xn--p1ai", "台灣", "com", "eu")]
    ['IS', 'GB', 'RU', 'RU', 'TW', '', '']
    """
    name = name.strip().strip(".").lower()
    if len(name) > MAX_LABEL_CHARS:
        return ""
    if name.startswith(PUNYCODE_PREFIX):
        try:
            name = name[len(PUNYCODE_PREFIX) :].encode("ascii").decode("punycode").lower()
        except ValueError:  # damaged, or characters beyond ASCII after the prefix
            return ""
    if name in COUNTRY_DOMAINS:
        return COUNTRY_DOMAINS[name]
    return name.upper() if is_country(name) else ""


def suggest_country(code: str) -> str:
    """Return the ISO 3166 code of the country for which people write another code; empty if none is known.

    >>> [suggest_country(code) for code in ("UK", "el", "zz")]
    ['GB', 'GR', '']
    """
    return OTHER_CODES.get(code.upper()) or country_of_tld(code)


def tld(url: str) -> str:
    """Return the top-level domain of a URL in lower case; empty if it has none.

    >>> tld("http://www.example.co.uk:80/index.html")
    'uk'
    """
    _, numeric, host, _, _ = _kernel.split_url(url.encode("utf-8", "replace"))
    return "" if numeric or b"." not in host else host.rpartition(b".")[2].decode("utf-8", "replace").lower()


def tld_language(url: str) -> str:
    """Return the main language of the country of a URL's top-level domain; empty if it is no country's."""
    return COUNTRY_LANGUAGE.get(tld(url), "")


def _normalise_code(country: str) -> str:
    """Return a code in upper case; empty beyond ASCII, where upper case may have other letters (ß)."""
    return country.upper() if country.isascii() else ""


@cache
def _countries() -> dict[str, tuple[Spoken, ...]]:
    return {
        country: tuple(map(_parse_language, languages.split())) for country, languages, _ in read_rows("countries.tsv")
    }


@cache
def products() -> dict[str, float]:
    """Return the gross domestic product of every country, in millions of dollars by purchasing power (CLDR)."""
    return {country: float(product) for country, _, product in read_rows("countries.tsv")}


def _parse_language(text: str) -> Spoken:
    label, share, *status = text.split(":")
    return Spoken(label, float(share), status == ["o"], status == ["r"])
