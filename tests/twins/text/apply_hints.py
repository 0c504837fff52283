"""Combine hints with the guesses of a text, in plain probabilities: the readable twin of native/text/apply_hints.cpp."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from tests.twins.evidence.combine import HintScaling

MAX_RUNNING_WORDS = 8
MAX_CLARITY = 7.0
MIN_PROBABILITY = math.exp(-16)  # a lower one counts as zero


@dataclass(frozen=True)
class TextGuesses:
    """Log-probabilities by label in nats, the likeliest first, the look-alike group of each label, and the amount of text."""

    logs: Mapping[int, float]
    groups: Mapping[int, str]
    letters: float  # that carry information
    running_words: int
    boilerplate: bool = False

    def are_look_alikes(self, label: int, other: int) -> bool:
        return label == other or bool(self.groups[label] and self.groups[label] == self.groups[other])

    @property
    def best(self) -> int:
        return next(iter(self.logs))

    @property
    def unassigned(self) -> float:
        return max(0.0, 1 - sum(math.exp(log) for log in self.logs.values()))

    def amount(self, list_share: float) -> float:
        return self.letters * (list_share + (1 - list_share) * self.running_words / MAX_RUNNING_WORDS)

    def clarity(self) -> float:
        own = sum(math.exp(log) for label, log in self.logs.items() if self.are_look_alikes(label, self.best))
        others = [math.exp(log) for label, log in self.logs.items() if not self.are_look_alikes(label, self.best)]
        return min(MAX_CLARITY, max(0.0, math.log(own / max(self.unassigned, *others, MIN_PROBABILITY))))


def hint_scales(text: TextGuesses, scaling: HintScaling) -> tuple[float, float]:
    """Return the factor of hints, and that of hints for look-alikes of the text's language."""
    amount = text.amount(scaling.list_share)
    scale = scaling.outside_group(amount, text.clarity())
    return scale, max(scale, scaling.inside_group(amount))


def apply_hints(text: TextGuesses, hints: Mapping[int, float], scaling: HintScaling) -> dict[int, float]:
    """Return the probabilities of labels with hints; the remainder to 1 belongs to all other labels."""
    if text.boilerplate or not text.logs:
        return {label: math.exp(log) for label, log in text.logs.items()}
    outside, inside = hint_scales(text, scaling)
    masses = {}
    for label, log in text.logs.items():
        is_inside = bool(text.groups[text.best]) and text.are_look_alikes(label, text.best)
        masses[label] = math.exp(log + hints.get(label, 0.0) * (inside if is_inside else outside))
    total = sum(masses.values()) + text.unassigned
    return {label: mass / total for label, mass in masses.items()}
