"""Measured rates of the languages that links lead to, and how common each language is.

A link from a page in language *s* leads to a page in *s* with probability ``keep``, to an English one with ``english``, and with
``free`` to a page in any language in proportion to its share of the web. Links within a site and between sites have different
rates, and so have languages with many links; the other languages share a row. ``tools/weights/fit_links.py`` measures the rates
and writes ``data/links.tsv``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from webtongue import files
from webtongue.records import dataclass

__all__ = ["ANY", "ENGLISH", "FOREIGN", "OWN", "Rate", "Rates", "rates"]

ENGLISH = "eng"
OWN, FOREIGN = "own", "foreign"  # links within a registered domain, and between two domains
ANY = "*"  # the row of languages without a row of their own
# Share of pages that are wrongly labelled as any one language: the minimum share of a language.
FALSE_SHARE = 2e-4


@dataclass(frozen=True, slots=True)
class Rate:
    """Where links of pages in one language lead: probabilities that sum to 1, none of them 0 but ``english`` of English."""

    keep: float
    english: float
    free: float


@dataclass(frozen=True, slots=True)
class Rates:
    """All measured rates of links."""

    table: Mapping[tuple[str, str], Rate]
    shares: Mapping[str, float]
    settings: Mapping[str, float]

    def get(self, language: str, kind: str) -> Rate:
        """Return the rate of links of this kind (OWN or FOREIGN) from pages in this language."""
        return self.table.get((kind, language)) or self.table[kind, ANY]

    def share(self, language: str) -> float:
        """Return the share of the web's pages that are labelled as this language."""
        return max(self.shares.get(language, 0.0), FALSE_SHARE)


@cache
def rates() -> Rates:
    """Return the shipped rates."""
    table: dict[tuple[str, str], Rate] = {}
    settings: dict[str, float] = {}
    for kind, name, *cells in files.read_rows("links.tsv"):
        if kind == "setting":
            settings[name] = float(cells[0])
        else:
            table[kind, name] = Rate(*map(float, cells[-3:]))
    powers = {language: 10 ** float(power) for language, power in files.read_rows("priors.tsv")}
    total = sum(powers.values())
    return Rates(table, {language: power / total for language, power in powers.items()}, settings)
