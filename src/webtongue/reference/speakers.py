"""The name of each language in itself, and the countries where it is spoken.

>>> own_name("ell_Grek"), own_name("und"), own_name("zho_Hant")
('Ελληνικά', '', '中文')
>>> [(spoken.country, spoken.official) for spoken in countries("isl_Latn")]
[('IS', True)]
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from webtongue.files import read_rows

__all__ = ["Country", "countries", "own_name"]

MIN_SHARE = 0.01  # share of a country's people; smaller shares are mostly those of visitors


class Country(NamedTuple):
    """A country where a language is spoken: the share of its people who use it (0: unknown), whether it is official, and the
    number of these people."""

    country: str
    share: float
    official: bool
    speakers: int = 0


def own_name(label: str) -> str:
    """Return the name of a language in that language; empty if it is unknown."""
    return _own_names().get(label, "")


def countries(label: str) -> tuple[Country, ...]:
    """Return the countries where a language is spoken (CLDR), those with most speakers first, or else its home country.

    >>> [spoken.country for spoken in countries("por_Latn")[:3]]
    ['BR', 'AO', 'PT']
    """
    return _countries().get(label, ())


@cache
def _own_names() -> dict[str, str]:
    return {label: name for label, name in read_rows("own_names.tsv")}


@cache
def _countries() -> dict[str, tuple[Country, ...]]:
    people = {country: int(number) for country, number in read_rows("populations.tsv")}
    by_label: dict[str, list[Country]] = {}
    for country, languages, _ in read_rows("countries.tsv"):
        for spoken in languages.split():
            label, share, *status = spoken.split(":")
            if float(share) >= MIN_SHARE or status:
                speakers = round(float(share) * people[country])
                by_label.setdefault(label, []).append(Country(country, float(share), status == ["o"], speakers))
    for label, home in read_rows("home_countries.tsv"):
        if home not in {place.country for place in by_label.get(label, ())}:
            by_label.setdefault(label, []).append(Country(home, 0.0, False))
    return {
        label: tuple(sorted(places, key=lambda place: (-place.speakers, place.country)))
        for label, places in by_label.items()
    }
