"""Compute measures of quality: pure functions of gold labels and answers, each small enough to check by hand.

>>> round(compute_macro_f1(["a", "a", "b", "b"], ["a", "b", "b", "b"]), 4)
0.7333
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

__all__ = [
    "Confusion",
    "LabelScore",
    "Share",
    "compute_accuracy",
    "compute_accuracy_by",
    "compute_calibration_error",
    "compute_f1_by_label",
    "compute_macro_f1",
    "compute_macro_f1_interval",
    "count_confusions",
    "find_worst_labels",
    "get_length_bucket",
    "mcnemar_probability",
    "wilson_interval",
]

Z95 = 1.959963984540054  # two-sided 95% quantile of the normal distribution
MAX_EXACT_PAIRS = 1000  # the exact binomial is cheap up to here, and agrees with the chi-square beyond
CALIBRATION_BINS = 15  # bins with equal numbers of answers, as in the literature
LENGTH_BUCKETS = ((10, "<=10"), (20, "11-20"), (50, "21-50"), (100, "51-100"), (200, "101-200"))
LONGEST_BUCKET = "200+"
MAX_LABEL_CONFUSIONS = 3  # shown in reports


@dataclass(frozen=True, slots=True)
class Share:
    """A number of right answers out of a total, with the 95% interval of the share."""

    right: int
    of: int

    @property
    def value(self) -> float:
        """The share; 0 if the total is 0."""
        return self.right / self.of if self.of else 0.0

    @property
    def low(self) -> float:
        """Lower end of Wilson's interval."""
        return wilson_interval(self.right, self.of)[0]

    @property
    def high(self) -> float:
        """Upper end of Wilson's interval."""
        return wilson_interval(self.right, self.of)[1]


@dataclass(frozen=True, slots=True)
class Confusion:
    """The number of times that one label was answered for another."""

    gold: str
    answer: str
    count: int


@dataclass(frozen=True, slots=True)
class LabelScore:
    """Figures of one label, and its most frequent wrong answers."""

    label: str
    items: int
    precision: float
    recall: float
    f1: float
    taken_for: tuple[Confusion, ...] = ()


def compute_accuracy(gold: Sequence[str], answers: Sequence[str]) -> Share:
    """Return the share of items whose answer is the gold label.

    >>> compute_accuracy(["a", "b"], ["a", "a"]).value
    0.5
    """
    return Share(sum(g == a for g, a in zip(gold, answers, strict=True)), len(gold))


def compute_accuracy_by(keys: Sequence[str], gold: Sequence[str], answers: Sequence[str]) -> dict[str, Share]:
    """Return the accuracy of each key, in the order in which keys first appear."""
    totals: Counter[str] = Counter(keys)
    right = Counter(k for k, g, a in zip(keys, gold, answers, strict=True) if g == a)
    return {key: Share(right[key], count) for key, count in totals.items()}


def get_length_bucket(characters: int) -> str:
    """Return the bucket of a text length.

    >>> get_length_bucket(20), get_length_bucket(21), get_length_bucket(1000)
    ('11-20', '21-50', '200+')
    """
    return next((name for max_chars, name in LENGTH_BUCKETS if characters <= max_chars), LONGEST_BUCKET)


def compute_f1_by_label(gold: Sequence[str], answers: Sequence[str]) -> dict[str, LabelScore]:
    """Return precision, recall and F1 of every label that occurs as gold or as an answer."""
    cells = Counter(zip(gold, answers, strict=True))
    gold_counts, answer_counts = Counter(gold), Counter(answers)
    scores = {}
    for label in sorted(gold_counts | answer_counts):
        hits = cells[label, label]
        scores[label] = LabelScore(
            label,
            gold_counts[label],
            hits / answer_counts[label] if answer_counts[label] else 0.0,
            hits / gold_counts[label] if gold_counts[label] else 0.0,
            2 * hits / (gold_counts[label] + answer_counts[label]),
        )
    return scores


def compute_macro_f1(gold: Sequence[str], answers: Sequence[str], observed: bool = False) -> float:
    """Return the mean F1 over gold labels; with ``observed`` over all labels that occur, where answers only count as 0.

    >>> compute_macro_f1(["a", "a"], ["a", "x"]), compute_macro_f1(["a", "a"], ["a", "x"], observed=True)
    (0.6666666666666666, 0.3333333333333333)
    """
    scores = [s.f1 for s in compute_f1_by_label(gold, answers).values() if observed or s.items]
    return math.fsum(scores) / len(scores) if scores else 0.0


def compute_macro_f1_interval(
    gold: Sequence[str], answers: Sequence[str], resamples: int = 200, seed: int = 1
) -> tuple[float, float]:
    """Return the 95% bootstrap interval of macro-F1 over gold labels.

    Resampling items equals drawing the cells of the confusion table from a multinomial distribution, and F1 needs only the table.
    """
    import numpy as np  # imported here to keep the command line fast

    if not gold:
        return 0.0, 0.0
    names = {label: i for i, label in enumerate(sorted({*gold, *answers}))}
    cells = Counter(zip(gold, answers, strict=True))
    rows = np.array([names[g] for g, _ in cells])
    columns = np.array([names[a] for _, a in cells])
    counts = np.array(list(cells.values()), dtype=np.float64)
    rng = np.random.default_rng(seed)
    resampled = rng.multinomial(len(gold), counts / counts.sum(), size=resamples)
    samples = []
    for draw in resampled:
        gold_counts = np.bincount(rows, draw, len(names))
        gold_and_answers = gold_counts + np.bincount(columns, draw, len(names))
        hits = np.bincount(rows[rows == columns], draw[rows == columns], len(names))
        samples.append(float(np.mean(2 * hits[gold_counts > 0] / gold_and_answers[gold_counts > 0])))
    low, high = np.quantile(samples, [0.025, 0.975])
    return float(low), float(high)


def wilson_interval(right: int, total: int) -> tuple[float, float]:
    """Return Wilson's 95% interval of a share, which is also valid near 0 and 1.

    >>> [round(end, 3) for end in wilson_interval(9, 10)]
    [0.596, 0.982]
    """
    if not total:
        return 0.0, 1.0
    share, spread = right / total, Z95 * Z95 / total
    middle = (share + spread / 2) / (1 + spread)
    half = Z95 * math.sqrt(share * (1 - share) / total + spread / (4 * total)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def mcnemar_probability(only_first: int, only_second: int) -> float:
    """Return McNemar's probability that two equally good systems differ so much, from the items that only one has right.

    >>> mcnemar_probability(5, 0), mcnemar_probability(3, 3)
    (0.0625, 1.0)
    """
    n = only_first + only_second
    if not n:
        return 1.0
    if n <= MAX_EXACT_PAIRS:
        tail = sum(math.comb(n, k) for k in range(min(only_first, only_second) + 1))
        return min(1.0, 2 * tail / (1 << n))
    chi_square = (abs(only_first - only_second) - 1) ** 2 / n
    return math.erfc(math.sqrt(chi_square / 2))


def compute_calibration_error(
    confidences: Sequence[float], right: Sequence[bool], bins: int = CALIBRATION_BINS
) -> float:
    """Return the mean difference between confidence and accuracy, in bins with equal numbers of answers.

    >>> round(compute_calibration_error([0.9, 0.9, 0.5, 0.5], [True, False, True, False], bins=2), 6)
    0.2
    """
    if not confidences:
        return 0.0
    ranked = sorted(zip(confidences, right, strict=True), key=lambda pair: pair[0])
    ends = [len(ranked) * i // bins for i in range(bins + 1)]
    groups = (ranked[begin:end] for begin, end in pairwise(ends))
    return math.fsum(abs(math.fsum(confidence - hit for confidence, hit in part)) for part in groups) / len(ranked)


def count_confusions(gold: Sequence[str], answers: Sequence[str], max_count: int = 20) -> list[Confusion]:
    """Return the most common wrong answers."""
    cells = Counter((g, a) for g, a in zip(gold, answers, strict=True) if g != a)
    ranked = sorted(cells.items(), key=lambda cell: (-cell[1], cell[0]))
    return [Confusion(g, a, count) for (g, a), count in ranked[:max_count]]


def find_worst_labels(gold: Sequence[str], answers: Sequence[str], max_count: int = 20) -> list[LabelScore]:
    """Return the gold labels with the lowest F1, each with its most frequent wrong answers."""
    by_gold: dict[str, list[Confusion]] = {label: [] for label in gold}
    for confusion in count_confusions(gold, answers, len(gold)):
        by_gold[confusion.gold].append(confusion)
    scores = [s for s in compute_f1_by_label(gold, answers).values() if s.items]
    scores.sort(key=lambda s: (s.f1, s.label))
    return [
        LabelScore(s.label, s.items, s.precision, s.recall, s.f1, tuple(by_gold[s.label][:MAX_LABEL_CONFUSIONS]))
        for s in scores[:max_count]
    ]
