"""How common languages are, corrected for the identifier's own errors.

Some pages in one language are identified as another, so counts of answers are not counts of languages: a rare language gains
from the errors on a common one and loses by its own. ``data/confusion.tsv`` is the measured confusion matrix. Given the matrix,
expectation maximisation finds the shares with the highest likelihood of the counts (Saerens, Latinne and Decaestecker 2002, with
measured rows instead of a classifier's posteriors).

The matrix is measured on few items, and for most labels not at all. The computation is therefore repeated for many draws: of error
rates, from a Beta with a prior for the label's tier; of the labels that errors go to, from a Dirichlet with a prior for the script;
and of the counts, with the uncertainty of a sample of hosts. The corrected share is the counted one times the median correction of
the draws, and its interval holds the middle 95% of the draws. Short texts are confused more often, so each length class has a
matrix of its own. Pages without a language are not corrected.
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
from webtongue.files import DATA, read_rows

__all__ = ["LENGTHS", "Confusion", "Corrected", "confusion", "corrected", "length_of", "measured_model"]

LENGTHS = ("short", "middling", "long")
LENGTH_BOUNDS = (60, 200)  # letters read: 400 to 600 of a page, 20 of a title; a test compares cubes/answers.sql
DRAWS = 200  # so that each tail of a 95% interval has five draws
MAX_ITERATIONS = 50  # expectation maximisation: six times as many bring rare labels 2% closer to the truth
TOLERANCE = 1e-8  # expectation maximisation ends when no share changes by more
SEED = 9
TAILS = (0.025, 0.975)
# Weight of measured items, below 1 because measured text is not from the web. Intervals on held-out halves cover 92 to 95%
# with 0.3, and 89 to 94% with 1 (bench/tables.py prevalence).
ITEM_WEIGHT = 0.3
# Weight of the usual errors of a script against the measured errors of a label. Rare labels come closest to the truth with
# 0.5 to 2.
SCRIPT_WEIGHT = 1.0
# The attraction of a label is the number of labels confused with it, not that of texts: all errors of Bosnian go to Croatian,
# which says nothing about English (Kneser and Ney 1995 count words in this way). Every label has at least this much.
MIN_ATTRACTION = 0.1
FREQUENT_LABELS = 40  # their unmeasured errors can be as many as the pages of a rare label
STICK_BREAKING_STEPS = 8  # after these, 4% of the unmeasured errors remain
OTHER_SCRIPT_SHARE = 0.01  # measured share of errors that go to another script
MIN_LABELS = 5  # labels of a kind that suffice to fit its error rates
COMMON_LOG10, RAREST_LOG10 = -3.0, -9.0  # log10 of a language's share of the web (data/priors.tsv)
JEFFREYS_COUNT = 0.5  # pseudo-count of Jeffreys' prior
MIN_DIVISOR = 1e-300
MIN_PAGE_WEIGHT = 1e-6
MAX_ERROR_RATE = 0.9  # a label with more errors cannot be corrected

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Confusion:
    """Items of each true label by answer, for one class of length."""

    counts: Mapping[tuple[str, str], int]

    @property
    def items(self) -> dict[str, int]:
        """Return the number of items of each true label."""
        totals: defaultdict[str, int] = defaultdict(int)
        for (true, _), count in self.counts.items():
            totals[true] += count
        return dict(totals)

    @property
    def wrong(self) -> dict[str, int]:
        """Return the number of items of each true label that were answered as another label."""
        return {name: count - self.counts.get((name, name), 0) for name, count in self.items.items()}


@dataclass(frozen=True, slots=True)
class Corrected:
    """Shares of labels among answered pages: the corrected ones, and the ends of their 95% intervals."""

    share: Floats
    low: Floats
    high: Floats


@cache
def confusion() -> dict[str, Confusion]:
    """Return the measured confusions by class of length."""
    counts: dict[str, dict[tuple[str, str], int]] = {length: {} for length in LENGTHS}
    for length, true, answer, count in read_rows("confusion.tsv"):
        counts[length][true, answer] = int(count)
    return {length: Confusion(pairs) for length, pairs in counts.items()}


@cache
def measured_model() -> str:
    """Return the checksum of the model that was measured."""
    with (DATA / "confusion.tsv").open(encoding="ascii") as lines:
        return lines.readline().split(";")[0].split()[-1]


def length_of(letters: int) -> str:
    """Return the length class of a page by the number of letters that were read.

    >>> length_of(12), length_of(60), length_of(500)
    ('short', 'middling', 'long')
    """
    return LENGTHS[sum(letters >= bound for bound in LENGTH_BOUNDS)]


def corrected(
    names: Sequence[str],
    tiers: Sequence[int],
    counts: Mapping[str, Floats],
    effective: Floats,
    matrices: Mapping[str, Confusion] | None = None,
    draws: int = DRAWS,
) -> Corrected:
    """Return corrected shares of labels from their counted pages in each class of length.

    ``effective`` is the effective sample size of each label: the number of independent pages that its pages are equivalent to.
    ``matrices`` are the measured confusions by default.
    """
    rng = np.random.default_rng(SEED)
    matrices = matrices or confusion()
    total = np.sum([counts[length] for length in LENGTHS], axis=0)
    weight = np.where(total > 0, np.clip(effective / np.maximum(total, 1.0), MIN_PAGE_WEIGHT, 1.0), 1.0)
    estimated, resampled_total = np.zeros((2, draws, len(names)))
    for length in LENGTHS:
        counted = counts[length]
        if counted.sum() == 0:
            continue
        shape = counted * weight + JEFFREYS_COUNT * counted / np.maximum(total, 1.0)
        resampled = rng.standard_gamma(np.broadcast_to(shape, estimated.shape)) / weight
        matrix = _ConfusionPrior(names, tiers, matrices[length]).sample(rng, draws, counted)
        estimated += _estimate_shares(matrix, resampled) * resampled.sum(axis=1, keepdims=True)
        resampled_total += resampled
    # The ratio isolates the correction: the resampled counts are the same in numerator and denominator.
    factor = np.median(estimated / np.maximum(resampled_total, MIN_DIVISOR), axis=0)
    share = total * factor / max(float((total * factor).sum()), MIN_DIVISOR)
    low, high = np.quantile(estimated / np.maximum(estimated.sum(axis=1, keepdims=True), MIN_DIVISOR), TAILS, axis=0)
    return Corrected(np.clip(share, low, high), low, high)


@dataclass(frozen=True, slots=True)
class _SampledMatrix:
    """Draws of P(answer | true): correct answers, single errors, and errors that are spread over a script or group."""

    right: Floats  # draws, labels
    errors: Floats  # draws, pairs of a true label and an answer
    true: _Grouping  # the true label of each pair
    answer: _Grouping
    to_script: Floats  # draws, labels: the share of answers that is spread over the script
    to_group: Floats  # draws, labels: the share of answers for each look-alike
    attraction: Floats  # draws, labels: the part of `to_script` that a label gets
    script: _Grouping
    group: _Grouping
    frequent: Ints  # labels whose unmeasured errors go to single labels, which differ between draws
    atoms: Ints  # draws, frequent labels, sticks: the labels that get these errors
    weights: Floats


class _ConfusionPrior:
    """The measured and prior knowledge of the confusion matrix, for the labels of a census."""

    def __init__(self, names: Sequence[str], tiers: Sequence[int], measured: Confusion) -> None:
        index = {name: i for i, name in enumerate(names)}
        items, wrong = measured.items, measured.wrong
        self.size = len(names)
        self.items = np.array([items.get(name, 0) for name in names], float)
        self.wrong = np.array([wrong.get(name, 0) for name in names], float)
        kinds = [_kind(name, tier) for name, tier in zip(names, tiers, strict=True)]
        priors = _error_priors(measured, dict(zip(names, tiers, strict=True)))
        self.prior = np.array([priors[kind] for kind in kinds])
        pairs = sorted(
            (index[t], index[a], n) for (t, a), n in measured.counts.items() if t != a and t in index and a in index
        )
        self.true = np.array([pair[0] for pair in pairs], np.int64)
        self.answer = np.array([pair[1] for pair in pairs], np.int64)
        self.errors = np.array([pair[2] for pair in pairs], float)
        sources = Counter(answer for true, answer in measured.counts if true != answer)
        common = Counter(answer for true, answer in measured.counts if true != answer and _is_common(true))
        self.attraction = np.array([sources[name] + MIN_ATTRACTION for name in names])
        self.common_attraction = np.array([common[name] + MIN_ATTRACTION for name in names])
        self.common = np.array([_is_common(name) for name in names])
        self.script = _number_groups([name.partition("_")[2] for name in names])
        self.group = _number_groups([_group(name) for name in names])
        is_single = np.bincount(self.group)[self.group] < 2
        self.group_share = np.where(is_single, 0.0, _share_within_groups(measured))

    def sample(self, rng: Any, draws: int, counted: Floats) -> _SampledMatrix:
        """Return draws of the matrix; unmeasured errors of the most frequent labels go to single labels in each draw."""
        size = (draws, self.size)
        wrong, right = ITEM_WEIGHT * self.wrong, ITEM_WEIGHT * (self.items - self.wrong)
        rate = rng.beta(self.prior[:, 0] + wrong, self.prior[:, 1] + right, size)
        rate = np.minimum(rate, MAX_ERROR_RATE)
        single = rng.standard_gamma(np.broadcast_to(ITEM_WEIGHT * self.errors, (draws, len(self.errors))))
        by_true, by_script, by_group = _Grouping(self.true, self.size), _Grouping(self.script), _Grouping(self.group)
        missing = np.maximum(wrong - _sum_columns(ITEM_WEIGHT * self.errors[None], by_true)[0], 0)
        elsewhere = rng.standard_gamma(np.broadcast_to(missing, size))  # errors that went to labels not answered here
        usual = rng.standard_gamma(np.full(size, SCRIPT_WEIGHT))
        unit = rate / (usual + elsewhere + _sum_columns(single, by_true))
        attraction = rng.standard_gamma(np.broadcast_to(self.attraction, size))
        attraction /= np.maximum(_sum_columns(attraction, by_script)[:, self.script], MIN_DIVISOR)
        frequent = np.argsort(-counted, kind="stable")[:FREQUENT_LABELS]
        spread, grouped = unit * usual * (1 - self.group_share), unit * usual * self.group_share
        atoms, weights = self._atoms(rng, draws, frequent)
        weights *= spread[:, frequent, None]
        spread[:, frequent] = 0
        members = np.bincount(self.group)[self.group]
        return _SampledMatrix(
            1 - rate, single * unit[:, self.true], by_true, _Grouping(self.answer, self.size), spread, grouped / members,
            attraction, by_script, by_group, frequent, atoms, weights,
        )  # fmt: skip

    def _atoms(self, rng: Any, draws: int, frequent: Ints) -> tuple[Ints, Floats]:
        """Return which labels get the unmeasured errors of frequent labels, by stick breaking (Sethuraman 1994)."""
        broken = rng.beta(1.0, SCRIPT_WEIGHT, (draws, len(frequent), STICK_BREAKING_STEPS))
        broken[..., -1] = 1
        left = np.cumprod(1 - broken, axis=-1)
        weights = broken * np.concatenate([np.ones_like(left[..., :1]), left[..., :-1]], axis=-1)
        atoms = np.empty(weights.shape, np.int64)
        for position, label in enumerate(frequent):
            attraction = self.common_attraction if self.common[label] else self.attraction
            all_scripts = attraction.cumsum()
            same_script = np.where(self.script == self.script[label], attraction, 0).cumsum()
            pick = rng.random((2, draws, STICK_BREAKING_STEPS))
            inside, outside = (np.searchsorted(sums / sums[-1], pick[0]) for sums in (same_script, all_scripts))
            atoms[:, position] = np.where(pick[1] < OTHER_SCRIPT_SHARE, outside, inside)
        return atoms, weights


def _kind(name: str, tier: int) -> str:
    """Return the kind of a label, whose members share a prior of error rates: common on the web, or one of the tiers."""
    return "common" if _is_common(name) else f"tier {tier}"


def _group(name: str) -> str:
    """Return the group of confusable languages of a label, or the label itself if it has none."""
    return (labels.group(name) if labels.parse(name) else None) or name


def _is_common(name: str) -> bool:
    return _commonness().get(name.partition("_")[0], RAREST_LOG10) >= COMMON_LOG10


@cache
def _commonness() -> dict[str, float]:
    return {code: float(share) for code, share in read_rows("priors.tsv")}


def _share_within_groups(measured: Confusion) -> float:
    """Return the share of errors that stay within a group of confusable languages."""
    within = total = 0
    for (true, answer), count in measured.counts.items():
        if true != answer and labels.group(true):
            total += count
            within += count * (labels.group(true) == labels.group(answer))
    return within / total if total else 0.5


def _error_priors(measured: Confusion, tiers: Mapping[str, int]) -> defaultdict[str, tuple[float, float]]:
    """Return the fitted Beta prior of error rates by kind of label; a kind with few labels gets that of all labels."""
    items, wrong = measured.items, measured.wrong
    kinds: defaultdict[str, list[str]] = defaultdict(list)
    for name in items:
        kinds[_kind(name, tiers.get(name, 0))].append(name)
    fitted = {kind: _fit_beta(items, wrong, members) for kind, members in kinds.items() if len(members) >= MIN_LABELS}
    default = _fit_beta(items, wrong, list(items)) if items else (0.5, 5.0)
    return defaultdict(lambda: default, fitted)


def _fit_beta(items: Mapping[str, int], wrong: Mapping[str, int], names: Sequence[str]) -> tuple[float, float]:
    """Return the Beta parameters with the highest beta-binomial likelihood on a grid of means and sizes."""
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
    """Return the log-gamma function of positive numbers to ten digits, by Stirling's series (SciPy is not a dependency)."""
    shift = np.zeros_like(x)
    x = x.astype(float).copy()
    for _ in range(8):
        low = x < 8
        shift += np.where(low, np.log(np.where(low, x, 1.0)), 0.0)
        x = np.where(low, x + 1, x)
    series = 1 / (12 * x) - 1 / (360 * x**3) + 1 / (1260 * x**5)
    return np.asarray((x - 0.5) * np.log(x) - x + 0.5 * np.log(2 * np.pi) + series - shift)


def _estimate_shares(matrix: _SampledMatrix, counts: Floats) -> Floats:
    """Return the most likely shares of labels for each draw, by expectation maximisation."""
    total = np.maximum(counts.sum(axis=1, keepdims=True), MIN_DIVISOR)
    shares = counts / total
    true, answer, script, group = matrix.true.to, matrix.answer.to, matrix.script.to, matrix.group.to
    draw = np.arange(len(counts))[:, None, None]
    flat = (draw * counts.shape[1] + matrix.atoms).ravel()
    for _ in range(MAX_ITERATIONS):
        expected = (
            shares * matrix.right
            + _sum_columns(shares[:, true] * matrix.errors, matrix.answer)
            + _sum_columns(shares * matrix.to_script, matrix.script)[:, script] * matrix.attraction
            + _sum_columns(shares * matrix.to_group, matrix.group)[:, group]
            + np.bincount(flat, (shares[:, matrix.frequent, None] * matrix.weights).ravel(), counts.size).reshape(
                counts.shape
            )
        )
        ratio = np.divide(counts, expected, out=np.zeros_like(expected), where=expected > 0)
        back = (
            matrix.right * ratio
            + _sum_columns(matrix.errors * ratio[:, answer], matrix.true)
            + matrix.to_script * _sum_columns(ratio * matrix.attraction, matrix.script)[:, script]
            + matrix.to_group * _sum_columns(ratio, matrix.group)[:, group]
        )
        back[:, matrix.frequent] += (matrix.weights * ratio[draw, matrix.atoms]).sum(axis=-1)
        updated = shares * back / total
        is_converged = np.abs(updated - shares).max() < TOLERANCE
        shares = updated
        if is_converged:
            break
    return np.asarray(shares / np.maximum(shares.sum(axis=1, keepdims=True), MIN_DIVISOR))


class _Grouping:
    """Target indexes of columns, sorted once for many grouped sums. Matrix products would occupy all cores."""

    def __init__(self, to: Ints, size: int | None = None) -> None:
        self.to, self.size = to, int(to.max()) + 1 if size is None else size
        self.order = np.argsort(to, kind="stable")
        self.targets, self.begins = np.unique(to[self.order], return_index=True)


def _sum_columns(values: Floats, groups: _Grouping) -> Floats:
    """Return the sums of columns by their target index."""
    sums = np.zeros((len(values), groups.size))
    if len(groups.order):
        sums[:, groups.targets] = np.add.reduceat(values[:, groups.order], groups.begins, axis=1)
    return sums


def _number_groups(names: Sequence[str]) -> Ints:
    kinds = {name: i for i, name in enumerate(dict.fromkeys(names))}
    return np.array([kinds[name] for name in names], np.int64)
