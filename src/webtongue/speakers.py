"""What languages are called by those who speak them, and where these live.

>>> own_name("ell_Grek"), own_name("und"), own_name("zho_Hant")
('Ελληνικά', '', '中文')
>>> [(spoken.country, spoken.official) for spoken in countries("isl_Latn")]
[('IS', True)]
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from webtongue.files import rows

__all__ = ["Country", "countries", "own_name"]

LEAST_SHARE = 0.01  # of a country's people: below it a language is one of its visitors


class Country(NamedTuple):
    """A country where a language is spoken: the share of its people who use it (0: not known), and whether it is official."""

    country: str
    share: float
    official: bool


def own_name(label: str) -> str:
    """The name of a language in itself; empty where it is not known."""
    return _own_names().get(label, "")


def countries(label: str) -> tuple[Country, ...]:
    """Where a language is spoken by CLDR, official ones and large shares first; where it is at home, if that is all there is."""
    return _countries().get(label, ())


@cache
def _own_names() -> dict[str, str]:
    return {label: name for label, name in rows("own_names.tsv")}


@cache
def _countries() -> dict[str, tuple[Country, ...]]:
    found: dict[str, list[Country]] = {}
    for country, languages, _ in rows("countries.tsv"):
        for spoken in languages.split():
            label, share, *status = spoken.split(":")
            if float(share) >= LEAST_SHARE or status:
                found.setdefault(label, []).append(Country(country, float(share), status == ["o"]))
    for label, home in rows("home_countries.tsv"):
        if home not in {country for country, _, _ in found.get(label, ())}:
            found.setdefault(label, []).append(Country(home, 0.0, False))
    ranked = {label: sorted(where, key=lambda c: (-c.official, -c.share, c.country)) for label, where in found.items()}
    return {label: tuple(where) for label, where in ranked.items()}
