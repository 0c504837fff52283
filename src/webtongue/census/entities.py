"""Small tables that queries join: names of languages, countries and sources of evidence."""

from __future__ import annotations

from functools import cache
from typing import Any

from webtongue import Identifier, labels
from webtongue.files import read_rows

__all__ = ["UNKNOWN_COUNTRY", "entities"]

UNKNOWN_COUNTRY = "ZZ"  # CLDR's code
OFFICIAL = ("o", "r")  # official in the country, or in a region of it (data/countries.tsv)
IDENTIFIED_TYPES = {
    "text": "the text itself",
    "prior": "how common languages are",
    "declared": "a declared language",
    "language": "a declared language, by the method of Cai (2009)",
    "encoding": "the encoding, declared or detected",
    "url": "the URL of the page",
    "country": "the country of the server",
    "links": "pages that link to it",
    "host": "other pages of its host",
}


@cache
def entities() -> dict[str, Any]:
    """Return Arrow tables by name: ``language``, ``country``, ``spoken`` (languages of countries) and ``identified_type``."""
    import pyarrow as pa

    label = ("label", "tag", "iso639_1", "iso639_3", "script", "name", "tier", "home")
    return {
        "language": _table(pa, label, _languages()),
        "country": _table(
            pa, ("country", "name"), [*map(tuple, read_rows("country_names.tsv")), (UNKNOWN_COUNTRY, "Unknown country")]
        ),
        "spoken": _table(pa, ("country", "label", "share", "official"), _spoken()),
        "identified_type": _table(pa, ("identified_type", "meaning"), list(IDENTIFIED_TYPES.items())),
    }


def _table(pa: Any, names: tuple[str, ...], records: list[tuple[Any, ...]]) -> Any:
    return pa.table({name: [row[i] for row in records] for i, name in enumerate(names)})


def _languages() -> list[tuple[Any, ...]]:
    """Return every language of ISO 639-3 in its usual script, every label of the shipped model, and und, zxx, mul.

    ``home`` is the country that CLDR gives for the language, empty where it gives none.
    """
    tiers = Identifier().tiers
    homes = dict(read_rows("home_countries.tsv"))
    names = {
        f"{code}_{script}": (short or code, name) for code, short, script, name in read_rows("labels.tsv") if script
    }
    names |= {
        label: (labels.bcp47(label), labels.name(label)) for label in (*tiers, *labels.SPECIAL) if label not in names
    }
    records = []
    for label, (tag, name) in names.items():
        first = tag.partition("-")[0]
        code, _, script = label.partition("_")
        short = first if len(first) < len(code) else None  # ISO 639-1 has two letters
        records.append((label, tag, short, code, script, name, tiers.get(label, 0), homes.get(label, "")))
    return records


def _spoken() -> list[tuple[str, str, float, bool]]:
    """Return country, label, share of the population, and whether the language is official (else the most spoken one)."""
    records = []
    for country, languages, _ in read_rows("countries.tsv"):
        entries = [part.split(":") for part in languages.split()]
        has_official = any(part[2:] and part[2] in OFFICIAL for part in entries)
        for number, (label, share, *status) in enumerate(entries):
            records.append((country, label, float(share), bool(status) if has_official else number == 0))
    return records
