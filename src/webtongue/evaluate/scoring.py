"""From items and answers to one system's figures."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from webtongue import labels
from webtongue.evaluate import measures
from webtongue.evaluate.measures import Confusion, LabelScore, Share
from webtongue.evaluate.peers import Answer, settle
from webtongue.evaluate.sets import Item
from webtongue.evaluate.systems import Speed

__all__ = ["Calibration", "Comparison", "Score", "compared", "grouped", "score"]

LONG = 50  # characters: from here on calibration is held to the stricter bar
ABOUT_20 = range(15, 26)
FEWEST = 10 * measures.BINS  # answers that an error by length is worked out from: fewer say nothing
BUCKET_ORDER = [name for _, name in measures.BUCKETS] + [measures.LONGEST_BUCKET]


@dataclass(frozen=True, slots=True)
class Calibration:
    """Calibration errors; None where too few texts are of that length."""

    overall: float
    at_50_and_more: float | None
    at_about_20: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A peer beside us on the same items: how many only one of the two has right, and McNemar's probability."""

    only_peer: int
    only_us: int
    probability: float


@dataclass(frozen=True, slots=True)
class Score:
    """One system on one set of items."""

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


def score(
    system: str,
    mode: str,
    items: Sequence[Item],
    answers: Sequence[Answer],
    speed: Speed | None = None,
    tiers: Mapping[str, str] | None = None,
    shown: int = 20,
) -> Score:
    """The figures of one system; ``shown`` labels and confusions are kept."""
    gold = [item.label for item in items]
    said = _settled(items, answers)
    low, high = measures.macro_f1_interval(gold, said)
    lengths = measures.accuracy_by([measures.length_bucket(len(item.text)) for item in items], gold, said)
    scripts = measures.accuracy_by([label.partition("_")[2] for label in gold], gold, said)
    known = measures.accuracy_by([tiers.get(label, "none") for label in gold], gold, said) if tiers else {}
    return Score(
        system=system,
        mode=mode,
        items=len(gold),
        labels=len(set(gold)),
        accuracy=measures.accuracy(gold, said),
        groups=measures.accuracy([grouped(label) for label in gold], [grouped(label) for label in said]),
        macro_f1=measures.macro_f1(gold, said),
        macro_f1_low=low,
        macro_f1_high=high,
        macro_f1_observed=measures.macro_f1(gold, said, observed=True),
        undecided=sum(label in labels.SPECIAL for label in said),
        by_length={name: lengths[name] for name in BUCKET_ORDER if name in lengths},
        by_script=dict(sorted(scripts.items(), key=lambda pair: (-pair[1].of, pair[0]))),
        by_tier=dict(sorted(known.items())),
        worst=tuple(measures.worst(gold, said, shown)),
        confusions=tuple(measures.confusions(gold, said, shown)),
        calibration=_calibration(items, gold, said, answers),
        speed=speed,
    )


def compared(found: Score, items: Sequence[Item], answers: Sequence[Answer], ours: Sequence[Answer]) -> Score:
    """A peer's score with how it stands beside our answers to the same items."""
    pairs = list(zip(items, _settled(items, answers), _settled(items, ours), strict=True))
    only_peer = sum(item.label == theirs != mine for item, theirs, mine in pairs)
    only_us = sum(item.label == mine != theirs for item, theirs, mine in pairs)
    return replace(found, beside_us=Comparison(only_peer, only_us, measures.mcnemar(only_peer, only_us)))


def grouped(label: str) -> str:
    """The look-alike group of a label, or itself.

    >>> grouped("bos_Latn"), grouped("eng_Latn"), grouped("und")
    ('hbs', 'eng_Latn', 'und')
    """
    return label if label in labels.SPECIAL else labels.group(label) or label


def _settled(items: Sequence[Item], answers: Sequence[Answer]) -> list[str]:
    return [settle(answer.label, item.label) for item, answer in zip(items, answers, strict=True)]


def _calibration(
    items: Sequence[Item], gold: Sequence[str], said: Sequence[str], answers: Sequence[Answer]
) -> Calibration | None:
    rows = [
        (len(item.text), answer.confidence, g == s)
        for item, answer, g, s in zip(items, answers, gold, said, strict=True)
        if answer.confidence is not None
    ]
    if len(rows) < len(items) or not rows:
        return None

    def error(lengths: range) -> float | None:
        kept = [(sure, right) for length, sure, right in rows if length in lengths]
        if len(kept) < FEWEST:
            return None
        return measures.calibration_error([sure for sure, _ in kept], [right for _, right in kept])

    overall = measures.calibration_error([sure for _, sure, _ in rows], [right for _, _, right in rows])
    return Calibration(overall, error(range(LONG, sys.maxsize)), error(ABOUT_20))
