"""Descriptions of labels: names, script, tier and group, and the countries where the language is spoken."""

from __future__ import annotations

from functools import cache
from typing import Any

from webtongue import Identifier, labels
from webtongue.files import read_rows
from webtongue.reference.speakers import countries, own_name

__all__ = ["describe_label", "describe_labels"]

RIGHT_TO_LEFT = frozenset("Adlm Arab Aran Hebr Mand Mend Nkoo Rohg Samr Syrc Thaa Yezi".split())


def describe_label(label: str, tier: int = 0) -> dict[str, Any]:
    """Return the description of a label.

    >>> info = describe_label("heb_Hebr", 1)
    >>> info["name"], info["own_name"], info["script_name"], info["direction"], info["countries"][0]["name"]
    ('Hebrew', 'עברית', 'Hebrew', 'rtl', 'Israel')
    """
    script = label.partition("_")[2]
    return {
        "label": label,
        "language": labels.bcp47(label),
        "name": labels.name(label),
        "own_name": own_name(label),
        "script": script,
        "script_name": _script_names().get(script, script),
        "direction": "rtl" if script in RIGHT_TO_LEFT else "ltr",
        "tier": tier,
        "group": labels.group(label) or "",
        "countries": [
            {**place._asdict(), "name": _country_names().get(place.country, place.country)}
            for place in countries(label)
        ],
    }


def describe_labels(ident: Identifier) -> list[dict[str, Any]]:
    """Return the descriptions of all labels that can be answered, in alphabetical order."""
    return [describe_label(label, tier) for label, tier in sorted(ident.tiers.items())]


@cache
def _script_names() -> dict[str, str]:
    return {code: name for code, name, *_ in read_rows("scripts.tsv")}


@cache
def _country_names() -> dict[str, str]:
    return {code: name for code, name in read_rows("country_names.tsv")}
