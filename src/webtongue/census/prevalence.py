"""How common languages are, corrected for the identifier's own errors.

Of pages in one language some are answered as another, so counts of answers are not counts of languages: a rare language
gains from the errors on a common one and loses by its own. ``data/confusion.tsv`` has how often text of each label is
answered as which. Given that, the shares that make the counts likeliest are found by expectation and maximisation (Saerens,
Latinne and Decaestecker 2002, with rows that are measured in place of a classifier's posteriors).

The matrix is measured itself, on few items, and for most labels not at all. So the work is done for many draws: of error
rates, each a Beta with what its tier shows as its prior; of where errors go, Dirichlet with what attracts errors in the
same script; and of the counts, as uncertain as hosts make them. The corrected share is that counted, changed as
the median of the draws changes it; its interval is their middle 95%. Pages of little text are confused more, so classes of
length have matrices of their own. Pages without an answered language stay apart, as they were counted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue import labels
from webtongue.files import DATA, rows

__all__ = ["LENGTHS", "Confusion", "Corrected", "confusion", "corrected", "length_of", "measured_model"]

LENGTHS = ("short", "middling", "long")
BOUNDS = (60, 200)  # letters read: of a page 400 to 600 are, of a title 20; a test holds cubes/answers.sql to them
DRAWS = 200  # the 2.5% at each end are five draws
ROUNDS = 50  # of expectation and maximisation: six times as many bring rare labels 2% nearer to the truth
STEADY = 1e-8  # largest change of a share below which it is done
SEED = 9
TAILS = (0.025, 0.975)
# What is measured counts for so much of itself: measured text is not the web's. With 0.3 intervals on held-out halves cover
# 92 to 95%, with 1 they cover 89 to 94% (bench/tables.py prevalence).
TRUST = 0.3
# Errors of its own that weigh as much as what is usual for errors in its script: rare labels come nearest to the truth with
# 0.5 to 2.
STRENGTH = 1.0
# What attracts errors is counted by how many labels are taken for it, not by how many texts: all of Bosnian's go to
# Croatian, and that says nothing of English (as Kneser and Ney 1995 count words). Every label is given a little.
ATTRACTION = 0.1
HEAVY = 40  # labels seen most: what errors on them do not have measured can be as many as a rare label's pages
STICKS = 8  # of a row: what is left after them is 4% of what was not measured
OTHER_SCRIPT = 0.01  # of errors, as measured
LEAST_LABELS = 5  # of a kind whose error rates are fitted
COMMON, RAREST = -3.0, -9.0  # log10 of a language's share of the web (data/priors.tsv)
HALF = 0.5  # a count is drawn as Jeffreys' interval for it has it
TINY = 1e-300
LEAST_WEIGHT = 1e-6  # of a page
WIDEST_ERROR = 0.9  # a label is right at least once in ten answers: below that nothing can be said of it
VERIFIED = (1, 2)  # tiers that learnt from modern text

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Confusion:
    """Items of each true label by answer, for one class of length."""

    counts: Mapping[tuple[str, str], int]

    @property
    def items(self) -> dict[str, int]:
        """By true label."""
        out: defaultdict[str, int] = defaultdict(int)
        for (true, _), count in self.counts.items():
            out[true] += count
        return dict(out)

    @property
    def wrong(self) -> dict[str, int]:
        """Of them, those answered as another."""
        return {name: count - self.counts.get((name, name), 0) for name, count in self.items.items()}


@dataclass(frozen=True, slots=True)
class Corrected:
    """Shares of labels among answered pages: the corrected ones, and the ends of their 95% intervals."""

    share: Floats
    low: Floats
    high: Floats


@cache
def confusion() -> dict[str, Confusion]:
    """As measured, by class of length."""
    found: dict[str, dict[tuple[str, str], int]] = {length: {} for length in LENGTHS}
    for length, true, answer, count in rows("confusion.tsv"):
        found[length][true, answer] = int(count)
    return {length: Confusion(counts) for length, counts in found.items()}


@cache
def measured_model() -> str:
    """The checksum of the model that was measured."""
    with (DATA / "confusion.tsv").open(encoding="ascii") as lines:
        return lines.readline().split(";")[0].split()[-1]


def length_of(letters: int) -> str:
    """The class of a page by the letters that were read of it.

    >>> length_of(12), length_of(60), length_of(500)
    ('short', 'middling', 'long')
    """
    return LENGTHS[sum(letters >= bound for bound in BOUNDS)]


def corrected(
    names: Sequence[str],
    tiers: Sequence[int],
    counts: Mapping[str, Floats],
    effective: Floats,
    matrices: Mapping[str, Confusion] | None = None,
    draws: int = DRAWS,
) -> Corrected:
    """Shares of labels, from how many pages were answered so in each class of length.

    ``effective`` is, for each label, how many independent pages its pages are worth (at most as many as there are).
    ``matrices`` are those measured, unless others are given.
    """
    rng = np.random.default_rng(SEED)
    matrices = matrices or confusion()
    total = np.sum([counts[length] for length in LENGTHS], axis=0)
    weight = np.where(total > 0, np.clip(effective / np.maximum(total, 1.0), LEAST_WEIGHT, 1.0), 1.0)
    found, drawn = np.zeros((2, draws, len(names)))
    for length in LENGTHS:
        seen = counts[length]
        if seen.sum() == 0:
            continue
        worth = seen * weight + HALF * seen / np.maximum(total, 1.0)
        resampled = rng.standard_gamma(np.broadcast_to(worth, found.shape)) / weight
        rows_of = _Rows(names, tiers, matrices[length]).drawn(rng, draws, seen)
        found += _shares(rows_of, resampled) * resampled.sum(axis=1, keepdims=True)
        drawn += resampled
    # What correction changes, without what drawing counts does: the same in both.
    factor = np.median(found / np.maximum(drawn, TINY), axis=0)
    share = total * factor / max(float((total * factor).sum()), TINY)
    low, high = np.quantile(found / np.maximum(found.sum(axis=1, keepdims=True), TINY), TAILS, axis=0)
    return Corrected(np.clip(share, low, high), low, high)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """Draws of P(answer | true): what is right, single errors, and what goes to all of a script or group alike."""

    right: Floats  # draws, labels
    errors: Floats  # draws, pairs of a true label and an answer
    true: _Order  # of each pair
    answer: _Order
    to_script: Floats  # draws, labels: what of a label's answers goes to those of its script
    to_group: Floats  # and to each of its look-alikes
    attraction: Floats  # draws, labels: of the first, which part comes to it
    script: _Order
    group: _Order
    heavy: Ints  # labels whose errors beyond those measured go to single labels, other ones in each draw:
    atoms: Ints  # draws, heavy labels, sticks
    weights: Floats


class _Rows:
    """What is known of each row of the matrix, for labels that were answered."""

    def __init__(self, names: Sequence[str], tiers: Sequence[int], measured: Confusion) -> None:
        at = {name: i for i, name in enumerate(names)}
        items, wrong = measured.items, measured.wrong
        self.size = len(names)
        self.items = np.array([items.get(name, 0) for name in names], float)
        self.wrong = np.array([wrong.get(name, 0) for name in names], float)
        kinds = [_kind(name, tier) for name, tier in zip(names, tiers, strict=True)]
        priors = _error_priors(measured, dict(zip(names, tiers, strict=True)))
        self.prior = np.array([priors[kind] for kind in kinds])
        found = measured.counts.items()
        pairs = sorted((at[t], at[a], n) for (t, a), n in found if t != a and t in at and a in at)
        self.true = np.array([pair[0] for pair in pairs], np.int64)
        self.answer = np.array([pair[1] for pair in pairs], np.int64)
        self.errors = np.array([pair[2] for pair in pairs], float)
        sources = Counter(answer for true, answer in measured.counts if true != answer)
        common = Counter(answer for true, answer in measured.counts if true != answer and _is_common(true))
        self.attracted = np.array([sources[name] + ATTRACTION for name in names])
        self.from_common = np.array([common[name] + ATTRACTION for name in names])
        self.common = np.array([_is_common(name) for name in names])
        self.script = _numbered([name.partition("_")[2] for name in names])
        self.group = _numbered([_group(name) for name in names])
        alone = np.bincount(self.group)[self.group] < 2
        self.group_share = np.where(alone, 0.0, _kept_in_groups(measured))

    def drawn(self, rng: Any, draws: int, seen: Floats) -> _Drawn:
        """So many draws; rows of the labels that were seen most are drawn whole."""
        size = (draws, self.size)
        wrong, right = TRUST * self.wrong, TRUST * (self.items - self.wrong)
        rate = rng.beta(self.prior[:, 0] + wrong, self.prior[:, 1] + right, size)
        rate = np.minimum(rate, WIDEST_ERROR)
        single = rng.standard_gamma(np.broadcast_to(TRUST * self.errors, (draws, len(self.errors))))
        by_true, by_script, by_group = _Order(self.true, self.size), _Order(self.script), _Order(self.group)
        missing = np.maximum(wrong - _added(TRUST * self.errors[None], by_true)[0], 0)
        elsewhere = rng.standard_gamma(np.broadcast_to(missing, size))  # errors that went to labels not answered here
        usual = rng.standard_gamma(np.full(size, STRENGTH))
        unit = rate / (usual + elsewhere + _added(single, by_true))
        attraction = rng.standard_gamma(np.broadcast_to(self.attracted, size))
        attraction /= np.maximum(_added(attraction, by_script)[:, self.script], TINY)
        heavy = np.argsort(-seen, kind="stable")[:HEAVY]
        spread, grouped = unit * usual * (1 - self.group_share), unit * usual * self.group_share
        atoms, weights = self._atoms(rng, draws, heavy)
        weights *= spread[:, heavy, None]
        spread[:, heavy] = 0
        members = np.bincount(self.group)[self.group]
        return _Drawn(
            1 - rate, single * unit[:, self.true], by_true, _Order(self.answer, self.size), spread, grouped / members,
            attraction, by_script, by_group, heavy, atoms, weights,
        )  # fmt: skip

    def _atoms(self, rng: Any, draws: int, heavy: Ints) -> tuple[Ints, Floats]:
        """Where the unmeasured errors of some labels go: a Dirichlet draw, by breaking sticks (Sethuraman 1994)."""
        broken = rng.beta(1.0, STRENGTH, (draws, len(heavy), STICKS))
        broken[..., -1] = 1
        left = np.cumprod(1 - broken, axis=-1)
        weights = broken * np.concatenate([np.ones_like(left[..., :1]), left[..., :-1]], axis=-1)
        atoms = np.empty(weights.shape, np.int64)
        for place, label in enumerate(heavy):
            attracted = self.from_common if self.common[label] else self.attracted
            everywhere = attracted.cumsum()
            here = np.where(self.script == self.script[label], attracted, 0).cumsum()
            pick = rng.random((2, draws, STICKS))
            inside, outside = (np.searchsorted(some / some[-1], pick[0]) for some in (here, everywhere))
            atoms[:, place] = np.where(pick[1] < OTHER_SCRIPT, outside, inside)
        return atoms, weights


def _kind(name: str, tier: int) -> str:
    """Labels whose error rates are alike: those common on the web, which priors favour, and the others by tier."""
    return "common" if _is_common(name) else f"tier {tier}"


def _group(name: str) -> str:
    """Its look-alikes, or itself alone; a model may have labels that no list has."""
    return (labels.group(name) if labels.parse(name) else None) or name


def _is_common(name: str) -> bool:
    return _commonness().get(name.partition("_")[0], RAREST) >= COMMON


@cache
def _commonness() -> dict[str, float]:
    return {code: float(share) for code, share in rows("priors.tsv")}


def _kept_in_groups(measured: Confusion) -> float:
    """Of the errors on labels that have look-alikes, the share that stays among these."""
    kept = every = 0
    for (true, answer), count in measured.counts.items():
        if true != answer and labels.group(true):
            every += count
            kept += count * (labels.group(true) == labels.group(answer))
    return kept / every if every else 0.5


def _error_priors(measured: Confusion, tiers: Mapping[str, int]) -> defaultdict[str, tuple[float, float]]:
    """The Beta of error rates that makes those measured likeliest, by kind of label; of all, for a kind not measured."""
    items, wrong = measured.items, measured.wrong
    kinds: defaultdict[str, list[str]] = defaultdict(list)
    for name in items:
        kinds[_kind(name, tiers.get(name, 0))].append(name)
    fitted = {kind: _beta(items, wrong, some) for kind, some in kinds.items() if len(some) >= LEAST_LABELS}
    usual = _beta(items, wrong, list(items)) if items else (0.5, 5.0)
    return defaultdict(lambda: usual, fitted)


def _beta(items: Mapping[str, int], wrong: Mapping[str, int], names: Sequence[str]) -> tuple[float, float]:
    """By the likelihood of a beta-binomial on a grid of means and sizes."""
    n = np.array([items[name] for name in names], float)
    k = np.array([wrong[name] for name in names], float)
    mean, size = (
        grid.ravel()[:, None] for grid in np.meshgrid(np.geomspace(1e-3, 0.6, 16), np.geomspace(0.2, 100, 16))
    )
    a, b = mean * size, (1 - mean) * size
    likelihood = (
        _log_gamma(k + a)
        + _log_gamma(n - k + b)
        - _log_gamma(n + a + b)
        - _log_gamma(a)
        - _log_gamma(b)
        + _log_gamma(a + b)
    ).sum(axis=1)
    best = int(np.argmax(likelihood))
    return float(a[best, 0]), float(b[best, 0])


def _log_gamma(x: Floats) -> Floats:
    """Of positive numbers, by Stirling's series from 8 on: ten digits."""
    shift = np.zeros_like(x)
    x = x.astype(float).copy()
    for _ in range(8):
        low = x < 8
        shift += np.where(low, np.log(np.where(low, x, 1.0)), 0.0)
        x = np.where(low, x + 1, x)
    series = 1 / (12 * x) - 1 / (360 * x**3) + 1 / (1260 * x**5)
    return np.asarray((x - 0.5) * np.log(x) - x + 0.5 * np.log(2 * np.pi) + series - shift)


def _shares(by: _Drawn, counts: Floats) -> Floats:
    """The likeliest shares of labels for each draw: expectation and maximisation."""
    total = np.maximum(counts.sum(axis=1, keepdims=True), TINY)
    shares = counts / total
    true, answer, script, group = by.true.to, by.answer.to, by.script.to, by.group.to
    draw = np.arange(len(counts))[:, None, None]
    flat = (draw * counts.shape[1] + by.atoms).ravel()
    for _ in range(ROUNDS):
        seen = (
            shares * by.right
            + _added(shares[:, true] * by.errors, by.answer)
            + _added(shares * by.to_script, by.script)[:, script] * by.attraction
            + _added(shares * by.to_group, by.group)[:, group]
            + np.bincount(flat, (shares[:, by.heavy, None] * by.weights).ravel(), counts.size).reshape(counts.shape)
        )
        ratio = np.divide(counts, seen, out=np.zeros_like(seen), where=seen > 0)
        back = (
            by.right * ratio
            + _added(by.errors * ratio[:, answer], by.true)
            + by.to_script * _added(ratio * by.attraction, by.script)[:, script]
            + by.to_group * _added(ratio, by.group)[:, group]
        )
        back[:, by.heavy] += (by.weights * ratio[draw, by.atoms]).sum(axis=-1)
        after = shares * back / total
        steady = np.abs(after - shares).max() < STEADY
        shares = after
        if steady:
            break
    return np.asarray(shares / np.maximum(shares.sum(axis=1, keepdims=True), TINY))


class _Order:
    """Where columns go, sorted once: sums by it are taken many times. Matrix products would keep all cores busy with it."""

    def __init__(self, to: Ints, size: int | None = None) -> None:
        self.to, self.size = to, int(to.max()) + 1 if size is None else size
        self.order = np.argsort(to, kind="stable")
        self.places, self.begins = np.unique(to[self.order], return_index=True)


def _added(values: Floats, by: _Order) -> Floats:
    """Columns summed by where they go."""
    out = np.zeros((len(values), by.size))
    if len(by.order):
        out[:, by.places] = np.add.reduceat(values[:, by.order], by.begins, axis=1)
    return out


def _numbered(names: Sequence[str]) -> Ints:
    kinds = {name: i for i, name in enumerate(dict.fromkeys(names))}
    return np.array([kinds[name] for name in names], np.int64)
