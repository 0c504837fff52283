"""How common each language is on the web."""

from __future__ import annotations

from functools import cache

from webtongue.files import read_rows

__all__ = ["web_powers", "web_share"]

# Languages that the statistics count with a larger one.
COUNTED_WITH = {"nob": "nor", "hbs": "hrv"}
MIN_POWER = -7.0  # power of ten of the share of languages without crawl statistics


@cache
def web_powers() -> dict[str, float]:
    """Return the share of the web's pages of each language with crawl statistics, as a power of ten."""
    powers = {language: float(power) for language, power in read_rows("priors.tsv")}
    return powers | {name: powers[larger] for name, larger in COUNTED_WITH.items() if name not in powers}


def web_share(language: str) -> float:
    """Return the share of the web's pages that are in a language.

    >>> web_share("eng") > 0.3 > web_share("isl") > web_share("gsw") > 0
    True
    """
    return float(10.0 ** web_powers().get(language, MIN_POWER))
