"""Simulated censuses with known shares, whose answers are sampled from confusions that the correction does not use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from webtongue import Identifier
from webtongue.census.prevalence import COMMON_LOG10, LENGTHS, Confusion, Corrected, confusion, corrected
from webtongue.files import read_rows

RAREST = -6.0  # log10 of the share of a language that the priors do not have
LEAST_PAGES = 20  # of a label that is judged: fewer say more of luck than of method


@dataclass(frozen=True)
class Simulated:
    """Labels that were answered, their true shares, their pages by class of length, and what was measured beside them."""

    names: list[str]
    true: Any
    counts: dict[str, Any]
    measured: dict[str, Confusion]

    @property
    def pages(self) -> Any:
        return np.sum(list(self.counts.values()), axis=0)


def halves(seed: int, part: float = 0.5, hidden: float = 0.0) -> tuple[dict[str, Confusion], dict[str, Confusion]]:
    """What was measured, cut in two item by item; of the first half so many of the rarer labels are hidden: most were never measured."""
    rng = np.random.default_rng(seed)
    prior = {code: float(share) for code, share in read_rows("priors.tsv")}
    every = sorted({true for of in confusion().values() for true, _ in of.counts})
    names = [name for name in every if prior.get(name[:3], RAREST) < COMMON_LOG10]
    gone = set(rng.choice(names, int(hidden * len(names)), replace=False).tolist())
    one, other = {}, {}
    for length, result in confusion().items():
        drawn = {pair: int(rng.binomial(count, part)) for pair, count in result.counts.items()}
        one[length] = Confusion({pair: count for pair, count in drawn.items() if count and pair[0] not in gone})
        other[length] = Confusion({pair: n - drawn[pair] for pair, n in result.counts.items() if n > drawn[pair]})
    return one, other


def simulated(
    seed: int, pages: int, lengths: tuple[float, ...] = (0.1, 0.2, 0.7), even: bool = False, hidden: float = 0.0
) -> Simulated:
    """A census: languages as common as on the web, give or take, or ``even``: all alike, give or take."""
    measured, truth = halves(seed, hidden=hidden)
    rng = np.random.default_rng(seed + 1000)
    names = sorted(set.intersection(*(set(of.items) for of in truth.values())))
    prior = {code: float(share) for code, share in read_rows("priors.tsv")}
    weights = np.array([0.0 if even else prior.get(name[:3], RAREST) for name in names])
    shares = 10.0**weights * np.exp(rng.normal(0, 0.7, len(names)))
    shares /= shares.sum()
    every = sorted({answer for of in truth.values() for _, answer in of.counts} | set(names))
    at = {name: i for i, name in enumerate(every)}
    counts = {}
    for length, part in zip(LENGTHS, lengths, strict=True):
        counts[length] = np.zeros(len(every))
        for name, count in zip(names, rng.multinomial(int(pages * part), shares), strict=True):
            counts[length] += _answers(truth[length].counts, name, int(count), at, rng)
    true = np.zeros(len(every))
    true[[at[name] for name in names]] = shares
    seen = np.sum(list(counts.values()), axis=0) > 0
    return Simulated(
        [name for name, there in zip(every, seen, strict=True) if there], true[seen],
        {length: count[seen] for length, count in counts.items()}, measured,
    )  # fmt: skip


def _answers(result: Mapping[tuple[str, str], int], name: str, count: int, at: dict[str, int], rng: Any) -> Any:
    pairs = [(at[answer], items) for (true, answer), items in result.items() if true == name]
    out = np.zeros(len(at))
    items = np.array([items for _, items in pairs], float)
    out[[place for place, _ in pairs]] = rng.multinomial(count, items / items.sum())
    return out


def mended(census: Simulated, draws: int = 200, matrices: Mapping[str, Confusion] | None = None) -> Corrected:
    """The census corrected by what was measured; every page stands for itself."""
    tiers = Identifier().tiers
    of_names = [tiers.get(name, 3) for name in census.names]
    return corrected(census.names, of_names, census.counts, census.pages, matrices or census.measured, draws)


@dataclass(frozen=True)
class Score:
    """Of labels with enough pages: mean error of the logarithm of their shares, as counted and corrected; and what intervals cover."""

    labels: int
    counted: float
    corrected: float
    counted_covers: float  # of Wilson's intervals on pages
    covers: float


def score(census: Simulated, result: Corrected) -> Score:
    pages = census.pages.sum()
    judged = census.true * pages >= LEAST_PAGES
    counted = census.pages / pages

    def off(shares: Any) -> float:
        return float(np.abs(np.log((shares + 1 / pages) / (census.true + 1 / pages)))[judged].mean())

    half = 1.96 * np.sqrt(counted * (1 - counted) / pages + 1.96**2 / (4 * pages**2)) / (1 + 1.96**2 / pages)
    middle = (counted + 1.96**2 / (2 * pages)) / (1 + 1.96**2 / pages)
    by_count = np.abs(middle - census.true) <= half
    covered = (result.low <= census.true) & (census.true <= result.high)
    return Score(
        int(judged.sum()),
        off(counted),
        off(result.share),
        float(by_count[judged].mean()),
        float(covered[judged].mean()),
    )
