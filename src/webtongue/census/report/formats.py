"""Numbers as the page writes them. report.js has the same rules for what is picked there; a test holds the two together."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["count", "listed", "percent", "plural"]


def count(number: float | None) -> str:
    """
    >>> count(1234567), count(None)
    ('1,234,567', '')
    """
    return "" if number is None else f"{math.floor(number + 0.5):,}"


def percent(share: float | None) -> str:
    """A share of 1, with as many places as it needs to tell small ones apart.

    >>> [percent(share) for share in (0.5778, 0.0308, 0.00004, 0, 1, 0.9999, None)]
    ['57.8%', '3.08%', '<0.01%', '0%', '100%', '>99.9%', '']
    """
    if share is None:
        return ""
    value = share * 100
    if value <= 0 or value >= 100:
        return "100%" if value > 0 else "0%"
    if value < 0.005:
        return "<0.01%"
    places = 1 if value >= 9.995 else 2
    rounded = math.floor(value * 10**places + 0.5) / 10**places  # as JavaScript rounds
    return ">99.9%" if rounded >= 100 else f"{rounded:.{places}f}%"


def plural(number: int, one: str, many: str = "") -> str:
    """
    >>> plural(1, "page"), plural(2000, "page"), plural(0, "country", "countries")
    ('1 page', '2,000 pages', '0 countries')
    """
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


def listed(words: Sequence[str]) -> str:
    """
    >>> listed(["one"]), listed(["one", "two", "three"])
    ('one', 'one, two and three')
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
