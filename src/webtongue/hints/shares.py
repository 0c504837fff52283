"""How common each language is on the web."""

from __future__ import annotations

from functools import cache

from webtongue.files import rows

__all__ = ["web_powers", "web_share"]

# Varieties that the statistics count with their bigger sibling.
SIBLINGS = {"nob": "nor", "hbs": "hrv"}
LEAST_POWER = -7.0  # of languages that no crawl statistics name, as a power of ten


@cache
def web_powers() -> dict[str, float]:
    """The share of the web's pages of each language that crawl statistics name, as a power of ten."""
    powers = {language: float(power) for language, power in rows("priors.tsv")}
    return powers | {name: powers[sibling] for name, sibling in SIBLINGS.items() if name not in powers}


def web_share(language: str) -> float:
    """The share of the web's pages that are in a language.

    >>> web_share("eng") > 0.3 > web_share("isl") > web_share("gsw") > 0
    True
    """
    return float(10.0 ** web_powers().get(language, LEAST_POWER))
