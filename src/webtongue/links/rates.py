"""How often links keep the language of their page: the measured rates, and how common each language is.

A link from a page in language *s* leads to a page in *s* with chance ``keep``, to an English one with ``english``, and with
``free`` to a page in whatever language, as common as that is. Rates of links within a site and between sites differ, and so do
those of languages with many links; the rest share a row. ``tools/weights/fit_links.py`` measures them and writes
``data/links.tsv``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from webtongue import files

__all__ = ["ANY", "ENGLISH", "FOREIGN", "OWN", "Rate", "Rates", "rates"]

ENGLISH = "eng"
OWN, FOREIGN = "own", "foreign"  # links within a registered domain, and between two
ANY = "*"  # the row of languages without one of their own
# Pages wrongly called some language, of all pages: what makes even the rarest language's links no rarer than this.
FALSE_SHARE = 2e-4


@dataclass(frozen=True, slots=True)
class Rate:
    """Where links of pages in one language lead: chances that sum to 1, none of them zero but ``english`` of English."""

    keep: float
    english: float
    free: float


@dataclass(frozen=True, slots=True)
class Rates:
    """All that is measured of links; a table of our own, never changed."""

    table: Mapping[tuple[str, str], Rate]
    shares: Mapping[str, float]
    settings: Mapping[str, float]

    def of(self, language: str, kind: str) -> Rate:
        """The rate of links of this kind from pages in this language."""
        return self.table.get((kind, language)) or self.table[kind, ANY]

    def back(self, language: str, kind: str) -> Rate:
        """The same for a page that links *to* one in this language: what the linking page is in, by Bayes' rule."""
        english, other = self.table[kind, ENGLISH], self.table[kind, ANY]
        share = self.shares[ENGLISH]
        if language == ENGLISH:
            all_ways = share * english.keep + (1 - share) * other.english + share * english.free
            keep = share * english.keep / all_ways
            return Rate(keep, 0.0, 1 - keep)
        rate = self.of(language, kind)
        total = rate.keep + share * english.free + (1 - share) * other.free
        return Rate(rate.keep / total, 0.0, 1 - rate.keep / total)

    def share(self, language: str) -> float:
        """The share of the web's pages that is called this language."""
        return max(self.shares.get(language, 0.0), FALSE_SHARE)


@cache
def rates() -> Rates:
    """The shipped rates."""
    table: dict[tuple[str, str], Rate] = {}
    settings: dict[str, float] = {}
    for kind, name, *cells in files.rows("links.tsv"):
        if kind == "setting":
            settings[name] = float(cells[0])
        else:
            table[kind, name] = Rate(*map(float, cells[-3:]))
    powers = {language: 10 ** float(power) for language, power in files.rows("priors.tsv")}
    total = sum(powers.values())
    return Rates(table, {language: power / total for language, power in powers.items()}, settings)
