"""Synthetic tables of a census for tests of the report.

Pages of a language in a country go by the country's product and by who writes the language there; everything else follows from
these. No chance is in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from webtongue import labels
from webtongue.files import read_rows as data_rows

NAMES = {
    "US": "United States", "CN": "China", "JP": "Japan", "DE": "Germany", "GB": "United Kingdom", "IN": "India", "FR": "France",
    "IT": "Italy", "CA": "Canada", "BR": "Brazil", "RU": "Russia", "KR": "South Korea", "AU": "Australia", "ES": "Spain",
    "MX": "Mexico", "ID": "Indonesia", "NL": "Netherlands", "TR": "Türkiye", "SA": "Saudi Arabia", "CH": "Switzerland",
    "TW": "Taiwan", "PL": "Poland", "SG": "Singapore", "HK": "Hong Kong SAR China", "MT": "Malta", "IS": "Iceland",
}  # fmt: skip
HOSTILE = "</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"
REASONS = {
    "too_short": "1. too little text", "unknown_language": "2. no model of the language", "empty": "1. too little text",
    "not_language": "none of the five", "characters_lost": "4. characters lost", "several_languages": "5. noisy text",
}  # fmt: skip
OLD = {
    "Cyrl": "windows-1251",
    "Jpan": "shift_jis",
    "Hans": "gbk",
    "Hant": "big5",
    "Hang": "euc-kr",
    "Arab": "windows-1256",
}


@dataclass(frozen=True)
class Made:
    """A table, with what the report reads of one."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    note: str = ""


def pages(size: float) -> Counter[tuple[str, str]]:
    """Pages by country and label; a fifth of each country's pages are in English, and a tenth are unknown."""
    result: Counter[tuple[str, str]] = Counter()
    for country, spoken, product in data_rows("countries.tsv"):
        weight = float(product) * size
        for part in spoken.split():
            label, share = part.split(":")[:2]
            result[country, label] += round(weight * float(share))
        result[country, "eng_Latn"] += round(weight * 0.2)
        result[country, "und"] += round(weight * 0.1)
        result[country, "zxx"] += round(weight * 0.01)
    result["", "eng_Latn"] += round(50_000 * size)
    return Counter({pair: number for pair, number in result.items() if number > 0})


def tables(size: float = 0.05, hostile: bool = False) -> dict[str, Made]:
    """All tables that a report is made of, of a census so large."""
    both = pages(size)
    countries: Counter[str] = Counter()
    languages: Counter[str] = Counter()
    for (country, label), number in both.items():
        countries[country] += number
        languages[label] += number
    if hostile:
        languages[HOSTILE], countries[HOSTILE[:2]] = 40, 40
        both["US", HOSTILE] = 40
    total = languages.total()
    made = {
        "servers_by_country": _servers(countries),
        **_languages(languages, total),
        "languages_of_country": Made(
            ("country", "country_name", "label", "name", "pages", "share"),
            [
                (country, name_of(country), label, name_of_label(label), number, number / countries[country])
                for (country, label), number in both.most_common()
            ],
        ),
        **_writing(languages, hostile),
        **_grounds(total),
        **_crawl(total, hostile),
        **_people(both, countries),
    }
    return made


def name_of(country: str) -> str:
    return NAMES.get(country, f"Country {country}" if country else "")


def name_of_label(label: str) -> str:
    return label if label == HOSTILE else labels.name(label)


def _servers(countries: Counter[str]) -> Made:
    servers = Counter({country: -(-number // 9) for country, number in countries.items()})
    rows = [(country, name_of(country) or "unknown", n, n / servers.total()) for country, n in servers.most_common()]
    return Made(("country", "name", "servers", "share"), rows)


def _languages(languages: Counter[str], total: int) -> dict[str, Made]:
    raw, corrected, hosts = [], [], []
    for place, (label, number) in enumerate(languages.most_common()):
        share, width = number / total, 2 * (number**0.5) / total
        tier = 0 if label in labels.SPECIAL else 3 if place > 120 else 1 + (place > 60)
        name, tag = name_of_label(label), label.partition("_")[0]
        raw.append((label, tag, name, tier, number, share, max(0.0, share - width), share + width))
        after = share * (0.93 if place % 2 else 1.04)
        corrected.append((label, tag, name, tier, number, share, after, after * 0.92, after * 1.07))
        hosts.append((label, name, -(-number // 7), -(-number // 11)))
    known = ("label", "language", "name", "tier", "pages", "share")
    return {
        "pages_by_language": Made((*known, "low", "high"), raw),
        "pages_by_language_corrected": Made((*known, "corrected", "low", "high"), corrected),
        "hosts_by_language": Made(("label", "name", "hosts", "domains"), hosts),
    }


def _writing(languages: Counter[str], hostile: bool) -> dict[str, Made]:
    encodings, declared = [], []
    wrong: Counter[tuple[str, str]] = Counter()
    for label, number in languages.most_common():
        old = OLD.get(label.partition("_")[2], "windows-1252")
        part = -(-number // 12) if old != "windows-1252" else number // 50
        for encoding, result in (("utf-8", number - part), (old, part)):
            if result:
                encodings.append((label, name_of_label(label), encoding, result, result / number))
        if label not in labels.SPECIAL and label != HOSTILE:
            declared.append((labels.bcp47(label), label, labels.name(label), number // 2, True))
            declared.append(("en", label, labels.name(label), number // 30, True))
        wrong["iso-8859-1", "utf-8"] += number // 100
    if hostile:
        declared.append((HOSTILE, "eng_Latn", "English", 10**7, True))
    return {
        "encodings_by_language": Made(("label", "name", "encoding", "pages", "share"), encodings),
        "declared_encodings": Made(("declared", "found", "pages"), [(*pair, n) for pair, n in wrong.items()]),
        "declared_against_found": Made(("declared", "found", "name", "pages", "reliable"), declared),
    }


def _grounds(total: int) -> dict[str, Made]:
    parts = {reason: total // (20 + 30 * place) for place, reason in enumerate(REASONS)}
    unknown = sum(parts.values()) or 1
    sources = {
        "text": 0.97,
        "declared": 0.61,
        "encoding": 0.08,
        "url": 0.55,
        "country": 0.82,
        "links": 0.2,
        "host": 0.71,
    }
    charsets = [
        ("jpn_Jpan", "Japanese", total // 300, total // 30, 0.1),
        ("tur_Latn", "Turkish", total // 900, total // 60, 0.06),
    ]
    counted = [(1, round(total * 0.9), 0.9), (2, round(total * 0.08), 0.08), (3, round(total * 0.02), 0.02)]
    pairs = [("fra_Latn", "eng_Latn", total // 200), ("jpn_Jpan", "eng_Latn", total // 300)]
    return {
        "unknown_by_reason": Made(
            ("reason", "cai", "pages", "share"),
            [(reason, REASONS[reason], n, n / unknown) for reason, n in parts.items()],
        ),
        "evidence_coverage": Made(
            ("source", "pages", "share", "decided"), [(name, round(total * s), s, s / 9) for name, s in sources.items()]
        ),
        "charset_coverage": Made(("label", "name", "by_charset", "pages", "share"), charsets),
        "multilingual": Made(("languages", "pages", "share"), counted),
        "language_pairs": Made(("label", "other", "pages"), pairs),
    }


def _crawl(total: int, hostile: bool) -> dict[str, Made]:
    kinds = [(200, "response", "identified", total), (404, "response", "identified", total // 9)]
    kinds += [
        (200, "response", "skipped", total // 12),
        (200, "response", "failed", total // 500),
        (304, "revisit", "revisit", 31),
    ]
    types = [("text/html", "text/html", total), (HOSTILE if hostile else "text/plain", "text/plain", total // 40)]
    hosts = [("www.example.org", total // 90, "eng_Latn"), ("beispiel.example", total // 120, "deu_Latn")]
    return {
        "summary": Made(("what", "value"), [("captures", total), ("reliable", 0.83), ("first_fetch", "2026-05-01")]),
        "captures_by_status": Made(("fetch_status", "record_type", "status", "captures"), kinds),
        "captures_by_type": Made(("mime_type", "detected", "captures"), types),
        "problems": Made(("problem", "record_type", "captures"), [("cut", "response", total // 500)]),
        "pages_by_host": Made(("host", "pages", "label"), hosts),
    }


def _people(both: Counter[tuple[str, str]], countries: Counter[str]) -> dict[str, Made]:
    people, foreign = [], []
    for country, spoken, _ in data_rows("countries.tsv"):
        own = set()
        for part in spoken.split():
            label, share = part.split(":")[:2]
            own.add(label)
            result = both[country, label] / (countries[country] or 1)
            people.append(
                (
                    country,
                    name_of(country),
                    labels.bcp47(label),
                    labels.name(label),
                    both[country, label],
                    result,
                    float(share),
                    1.0,
                )
            )
        if "eng_Latn" not in own and both[country, "eng_Latn"]:
            number = both[country, "eng_Latn"]
            foreign.append((country, name_of(country), "eng_Latn", "English", number, number / countries[country]))
    known = ("country", "country_name", "language", "name", "pages", "share", "population", "ratio")
    return {
        "languages_against_population": Made(known, people),
        "foreign_languages": Made(("country", "country_name", "label", "name", "pages", "share"), foreign),
    }
