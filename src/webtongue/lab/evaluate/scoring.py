"""Compute the figures of one system from items and answers."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from webtongue import labels
from webtongue.lab.evaluate import measures
from webtongue.lab.evaluate.measures import Confusion, LabelScore, Share
from webtongue.lab.evaluate.peers import Answer, resolve_answer
from webtongue.lab.evaluate.sets import Item
from webtongue.lab.evaluate.systems import Speed

__all__ = ["Calibration", "Comparison", "Score", "add_comparison", "fold_group", "score_system"]

LONG_CHARS = 50  # from here on calibration has a stricter target
ABOUT_20_CHARS = range(15, 26)
MIN_CALIBRATION_ANSWERS = 10 * measures.CALIBRATION_BINS  # fewer answers give no meaningful error
BUCKET_ORDER = [name for _, name in measures.LENGTH_BUCKETS] + [measures.LONGEST_BUCKET]


@dataclass(frozen=True, slots=True)
class Calibration:
    """Calibration errors; None where too few texts have that length."""

    overall: float
    at_50_and_more: float | None
    at_about_20: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A peer compared with webtongue on the same items: items that only one has right, and McNemar's probability."""

    only_peer: int
    only_us: int
    probability: float


@dataclass(frozen=True, slots=True)
class Score:
    """Figures of one system on one set of items."""

    system: str
    mode: str
    items: int
    labels: int
    accuracy: Share
    groups: Share
    macro_f1: float
    macro_f1_low: float
    macro_f1_high: float
    macro_f1_observed: float
    undecided: int
    by_length: Mapping[str, Share]
    by_script: Mapping[str, Share]
    by_tier: Mapping[str, Share]
    worst: tuple[LabelScore, ...]
    confusions: tuple[Confusion, ...]
    calibration: Calibration | None = None
    speed: Speed | None = None
    beside_us: Comparison | None = None


def score_system(
    system: str,
    mode: str,
    items: Sequence[Item],
    answers: Sequence[Answer],
    speed: Speed | None = None,
    tiers: Mapping[str, str] | None = None,
    max_shown: int = 20,
) -> Score:
    """Return the figures of one system, with at most ``max_shown`` worst labels and confusions."""
    gold = [item.label for item in items]
    resolved = _resolve_answers(items, answers)
    low, high = measures.compute_macro_f1_interval(gold, resolved)
    lengths = measures.compute_accuracy_by(
        [measures.get_length_bucket(len(item.text)) for item in items], gold, resolved
    )
    scripts = measures.compute_accuracy_by([label.partition("_")[2] for label in gold], gold, resolved)
    tier_accuracy = (
        measures.compute_accuracy_by([tiers.get(label, "none") for label in gold], gold, resolved) if tiers else {}
    )
    return Score(
        system=system,
        mode=mode,
        items=len(gold),
        labels=len(set(gold)),
        accuracy=measures.compute_accuracy(gold, resolved),
        groups=measures.compute_accuracy(
            [fold_group(label) for label in gold], [fold_group(label) for label in resolved]
        ),
        macro_f1=measures.compute_macro_f1(gold, resolved),
        macro_f1_low=low,
        macro_f1_high=high,
        macro_f1_observed=measures.compute_macro_f1(gold, resolved, observed=True),
        undecided=sum(label in labels.SPECIAL for label in resolved),
        by_length={name: lengths[name] for name in BUCKET_ORDER if name in lengths},
        by_script=dict(sorted(scripts.items(), key=lambda pair: (-pair[1].of, pair[0]))),
        by_tier=dict(sorted(tier_accuracy.items())),
        worst=tuple(measures.find_worst_labels(gold, resolved, max_shown)),
        confusions=tuple(measures.count_confusions(gold, resolved, max_shown)),
        calibration=_compute_calibration(items, gold, resolved, answers),
        speed=speed,
    )


def add_comparison(
    peer_score: Score, items: Sequence[Item], answers: Sequence[Answer], ours: Sequence[Answer]
) -> Score:
    """Return a peer's score with a comparison to our answers to the same items."""
    rows = list(zip(items, _resolve_answers(items, answers), _resolve_answers(items, ours), strict=True))
    only_peer = sum(item.label == theirs != mine for item, theirs, mine in rows)
    only_us = sum(item.label == mine != theirs for item, theirs, mine in rows)
    return replace(
        peer_score, beside_us=Comparison(only_peer, only_us, measures.mcnemar_probability(only_peer, only_us))
    )


def fold_group(label: str) -> str:
    """Return the look-alike group of a label, or the label itself.

    >>> fold_group("bos_Latn"), fold_group("eng_Latn"), fold_group("und")
    ('hbs', 'eng_Latn', 'und')
    """
    return label if label in labels.SPECIAL else labels.group(label) or label


def _resolve_answers(items: Sequence[Item], answers: Sequence[Answer]) -> list[str]:
    return [resolve_answer(answer.label, item.label) for item, answer in zip(items, answers, strict=True)]


def _compute_calibration(
    items: Sequence[Item], gold: Sequence[str], resolved: Sequence[str], answers: Sequence[Answer]
) -> Calibration | None:
    rows = [
        (len(item.text), answer.confidence, g == s)
        for item, answer, g, s in zip(items, answers, gold, resolved, strict=True)
        if answer.confidence is not None
    ]
    if len(rows) < len(items) or not rows:
        return None

    def error(lengths: range) -> float | None:
        selected = [(confidence, right) for length, confidence, right in rows if length in lengths]
        if len(selected) < MIN_CALIBRATION_ANSWERS:
            return None
        return measures.compute_calibration_error(
            [confidence for confidence, _ in selected], [right for _, right in selected]
        )

    overall = measures.compute_calibration_error(
        [confidence for _, confidence, _ in rows], [right for _, _, right in rows]
    )
    return Calibration(overall, error(range(LONG_CHARS, sys.maxsize)), error(ABOUT_20_CHARS))
