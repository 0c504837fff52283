"""What is counted: pure functions of gold labels and answers, each small enough to check by hand.

>>> round(macro_f1(["a", "a", "b", "b"], ["a", "b", "b", "b"]), 4)
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
    "accuracy",
    "accuracy_by",
    "calibration_error",
    "confusions",
    "f1_by_label",
    "length_bucket",
    "macro_f1",
    "macro_f1_interval",
    "mcnemar",
    "wilson",
    "worst",
]

Z95 = 1.959963984540054  # quantile of the normal distribution, two-sided 95%
EXACT_UP_TO = 1000  # discordant pairs: the exact binomial is cheap to here, and beyond it the chi-square agrees
BINS = 15  # bins of equal mass, as papers on calibration have it
BUCKETS = ((10, "<=10"), (20, "11-20"), (50, "21-50"), (100, "51-100"), (200, "101-200"))
LONGEST_BUCKET = "200+"
MAIN_CONFUSIONS = 3  # confusions shown for a label


@dataclass(frozen=True, slots=True)
class Share:
    """So many right of so many, with the 95% interval of the share."""

    right: int
    of: int

    @property
    def value(self) -> float:
        """The share itself; 0 of nothing."""
        return self.right / self.of if self.of else 0.0

    @property
    def low(self) -> float:
        """Lower end of Wilson's interval."""
        return wilson(self.right, self.of)[0]

    @property
    def high(self) -> float:
        """Upper end of Wilson's interval."""
        return wilson(self.right, self.of)[1]


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often one label was answered for another."""

    gold: str
    answer: str
    count: int


@dataclass(frozen=True, slots=True)
class LabelScore:
    """One label's figures, and what it was mostly taken for."""

    label: str
    items: int
    precision: float
    recall: float
    f1: float
    taken_for: tuple[Confusion, ...] = ()


def accuracy(gold: Sequence[str], answers: Sequence[str]) -> Share:
    """Items whose answer is the gold label.

    >>> accuracy(["a", "b"], ["a", "a"]).value
    0.5
    """
    return Share(sum(g == a for g, a in zip(gold, answers, strict=True)), len(gold))


def accuracy_by(keys: Sequence[str], gold: Sequence[str], answers: Sequence[str]) -> dict[str, Share]:
    """Accuracy apart for each key, in the order keys first appear."""
    of: Counter[str] = Counter(keys)
    right = Counter(k for k, g, a in zip(keys, gold, answers, strict=True) if g == a)
    return {key: Share(right[key], n) for key, n in of.items()}


def length_bucket(characters: int) -> str:
    """The bucket of a text's length.

    >>> length_bucket(20), length_bucket(21), length_bucket(1000)
    ('11-20', '21-50', '200+')
    """
    return next((name for most, name in BUCKETS if characters <= most), LONGEST_BUCKET)


def f1_by_label(gold: Sequence[str], answers: Sequence[str]) -> dict[str, LabelScore]:
    """Precision, recall and F1 of every label that occurs, as gold or as an answer."""
    cells = Counter(zip(gold, answers, strict=True))
    of, said = Counter(gold), Counter(answers)
    out = {}
    for label in sorted(of | said):
        hit = cells[label, label]
        out[label] = LabelScore(
            label,
            of[label],
            hit / said[label] if said[label] else 0.0,
            hit / of[label] if of[label] else 0.0,
            2 * hit / (of[label] + said[label]),
        )
    return out


def macro_f1(gold: Sequence[str], answers: Sequence[str], observed: bool = False) -> float:
    """The mean F1 over gold labels; with ``observed`` over all labels that occur, wrong answers' labels counting 0.

    >>> macro_f1(["a", "a"], ["a", "x"]), macro_f1(["a", "a"], ["a", "x"], observed=True)
    (0.6666666666666666, 0.3333333333333333)
    """
    scores = [s.f1 for s in f1_by_label(gold, answers).values() if observed or s.items]
    return math.fsum(scores) / len(scores) if scores else 0.0


def macro_f1_interval(
    gold: Sequence[str], answers: Sequence[str], resamples: int = 200, seed: int = 1
) -> tuple[float, float]:
    """The 95% bootstrap interval of macro-F1 over gold labels.

    Drawing items anew is drawing the cells of the confusion table from a multinomial: the table is all F1 needs.
    """
    import numpy as np  # here, so that the command line does not wait for it

    if not gold:
        return 0.0, 0.0
    names = {label: i for i, label in enumerate(sorted({*gold, *answers}))}
    cells = Counter(zip(gold, answers, strict=True))
    rows = np.array([names[g] for g, _ in cells])
    columns = np.array([names[a] for _, a in cells])
    counts = np.array(list(cells.values()), dtype=np.float64)
    random = np.random.default_rng(seed)
    drawn = random.multinomial(len(gold), counts / counts.sum(), size=resamples)
    out = []
    for draw in drawn:
        of = np.bincount(rows, draw, len(names))
        both = of + np.bincount(columns, draw, len(names))
        hits = np.bincount(rows[rows == columns], draw[rows == columns], len(names))
        out.append(float(np.mean(2 * hits[of > 0] / both[of > 0])))
    low, high = np.quantile(out, [0.025, 0.975])
    return float(low), float(high)


def wilson(right: int, of: int) -> tuple[float, float]:
    """The 95% interval of a share, sound also near 0 and 1.

    >>> [round(end, 3) for end in wilson(9, 10)]
    [0.596, 0.982]
    """
    if not of:
        return 0.0, 1.0
    share, spread = right / of, Z95 * Z95 / of
    middle = (share + spread / 2) / (1 + spread)
    half = Z95 * math.sqrt(share * (1 - share) / of + spread / (4 * of)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def mcnemar(only_first: int, only_second: int) -> float:
    """The probability that two equally good systems differ so much, from the items only one of them has right.

    >>> mcnemar(5, 0), mcnemar(3, 3)
    (0.0625, 1.0)
    """
    n = only_first + only_second
    if not n:
        return 1.0
    if n <= EXACT_UP_TO:
        tail = sum(math.comb(n, k) for k in range(min(only_first, only_second) + 1))
        return min(1.0, 2 * tail / (1 << n))
    chi_square = (abs(only_first - only_second) - 1) ** 2 / n
    return math.erfc(math.sqrt(chi_square / 2))


def calibration_error(confidences: Sequence[float], right: Sequence[bool], bins: int = BINS) -> float:
    """How far, on average, confidence is from the share that is right, in bins of equally many answers.

    >>> round(calibration_error([0.9, 0.9, 0.5, 0.5], [True, False, True, False], bins=2), 6)
    0.2
    """
    if not confidences:
        return 0.0
    ranked = sorted(zip(confidences, right, strict=True), key=lambda pair: pair[0])
    ends = [len(ranked) * i // bins for i in range(bins + 1)]
    parts = (ranked[begin:end] for begin, end in pairwise(ends))
    return math.fsum(abs(math.fsum(sure - hit for sure, hit in part)) for part in parts) / len(ranked)


def confusions(gold: Sequence[str], answers: Sequence[str], most: int = 20) -> list[Confusion]:
    """The commonest wrong answers."""
    cells = Counter((g, a) for g, a in zip(gold, answers, strict=True) if g != a)
    ranked = sorted(cells.items(), key=lambda cell: (-cell[1], cell[0]))
    return [Confusion(g, a, n) for (g, a), n in ranked[:most]]


def worst(gold: Sequence[str], answers: Sequence[str], most: int = 20) -> list[LabelScore]:
    """The gold labels of lowest F1, each with what it was mostly taken for."""
    by_gold: dict[str, list[Confusion]] = {label: [] for label in gold}
    for confusion in confusions(gold, answers, len(gold)):
        by_gold[confusion.gold].append(confusion)
    scores = [s for s in f1_by_label(gold, answers).values() if s.items]
    scores.sort(key=lambda s: (s.f1, s.label))
    return [
        LabelScore(s.label, s.items, s.precision, s.recall, s.f1, tuple(by_gold[s.label][:MAIN_CONFUSIONS]))
        for s in scores[:most]
    ]
