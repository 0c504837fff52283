"""What languages, countries and sources of evidence are called: the small tables that a store and its queries join."""

from __future__ import annotations

from functools import cache
from typing import Any

from webtongue import Identifier, labels
from webtongue.files import rows

__all__ = ["UNKNOWN_COUNTRY", "entities"]

UNKNOWN_COUNTRY = "ZZ"  # CLDR's code
OFFICIAL = ("o", "r")  # in a country, in a part of it (data/countries.tsv)
IDENTIFIED_TYPES = {
    "text": "the text itself",
    "prior": "how common languages are",
    "declared": "a declared language",
    "language": "a declared language, by the method of Cai (2009)",
    "encoding": "the encoding, declared or found",
    "url": "the address of the page",
    "country": "the country of the server",
    "links": "pages that link to it",
    "host": "other pages of its host",
}


@cache
def entities() -> dict[str, Any]:
    """Arrow tables by name: ``language``, ``country``, ``spoken`` (languages of countries) and ``identified_type``."""
    import pyarrow as pa

    label = ("label", "tag", "iso639_1", "iso639_3", "script", "name", "tier", "home")
    return {
        "language": _table(pa, label, _languages()),
        "country": _table(
            pa, ("country", "name"), [*map(tuple, rows("country_names.tsv")), (UNKNOWN_COUNTRY, "Unknown")]
        ),
        "spoken": _table(pa, ("country", "label", "share", "official"), _spoken()),
        "identified_type": _table(pa, ("identified_type", "meaning"), list(IDENTIFIED_TYPES.items())),
    }


def _table(pa: Any, names: tuple[str, ...], found: list[tuple[Any, ...]]) -> Any:
    return pa.table({name: [row[i] for row in found] for i, name in enumerate(names)})


def _languages() -> list[tuple[Any, ...]]:
    """Every language of ISO 639-3 in its usual script, every label of the shipped model, and und, zxx, mul.

    ``home`` is the country that CLDR gives for the language, empty where it gives none.
    """
    tiers = Identifier().tiers
    homes = dict(rows("home_countries.tsv"))
    found = {f"{code}_{script}": (short or code, name) for code, short, script, name in rows("labels.tsv") if script}
    found |= {
        label: (labels.bcp47(label), labels.name(label)) for label in (*tiers, *labels.SPECIAL) if label not in found
    }
    out = []
    for label, (tag, name) in found.items():
        first = tag.partition("-")[0]
        code, _, script = label.partition("_")
        short = first if len(first) < len(code) else None  # ISO 639-1 has two letters
        out.append((label, tag, short, code, script, name, tiers.get(label, 0), homes.get(label, "")))
    return out


def _spoken() -> list[tuple[str, str, float, bool]]:
    """Country, label, share of its people, and whether it is official there; where none is, the most spoken stands for it."""
    out = []
    for country, languages, _ in rows("countries.tsv"):
        found = [part.split(":") for part in languages.split()]
        ruled = any(part[2:] and part[2] in OFFICIAL for part in found)
        for number, (label, share, *status) in enumerate(found):
            out.append((country, label, float(share), bool(status) if ruled else number == 0))
    return out
