"""What is known of a label: its names, script, tier and group, and where its language is spoken."""

from __future__ import annotations

from functools import cache
from typing import Any

from webtongue import Identifier, labels
from webtongue.files import rows
from webtongue.speakers import countries, own_name

__all__ = ["card", "cards"]

RIGHT_TO_LEFT = frozenset("Adlm Arab Aran Hebr Mand Mend Nkoo Rohg Samr Syrc Thaa Yezi".split())


def card(label: str, tier: int = 0) -> dict[str, Any]:
    """All that a page shows of a label.

    >>> found = card("heb_Hebr", 1)
    >>> found["name"], found["own_name"], found["script_name"], found["direction"], found["countries"][0]["name"]
    ('Hebrew', 'עברית', 'Hebrew', 'rtl', 'Israel')
    """
    script = label.partition("_")[2]
    return {
        "label": label,
        "language": labels.bcp47(label),
        "name": labels.name(label),
        "own_name": own_name(label),
        "script": script,
        "script_name": _scripts().get(script, script),
        "direction": "rtl" if script in RIGHT_TO_LEFT else "ltr",
        "tier": tier,
        "group": labels.group(label) or "",
        "countries": [
            {"country": where, "name": _countries().get(where, where), "share": share, "official": official}
            for where, share, official in countries(label)
        ],
    }


def cards(ident: Identifier) -> list[dict[str, Any]]:
    """Of every label that can be answered, in their order."""
    return [card(label, tier) for label, tier in sorted(ident.tiers.items())]


@cache
def _scripts() -> dict[str, str]:
    return {code: name for code, name, *_ in rows("scripts.tsv")}


@cache
def _countries() -> dict[str, str]:
    return {code: name for code, name in rows("country_names.tsv")}
