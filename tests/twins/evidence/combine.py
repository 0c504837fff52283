"""Combine evidence in plain probabilities: the readable twin of native/evidence/combine.cpp."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Keys = Mapping[str, tuple[int, ...]]
HintRow = tuple[Mapping[str, float], float, float, bool]  # nats, weight, cap, is about the site
MAX_NATS_AGAINST = 1.0  # of one source


@dataclass(frozen=True)
class HintScaling:
    """How much hints count beside a text, by its amount in letters and its clarity in nats."""

    list_share: float
    letters: float
    clear_letters: float
    group_letters: float

    def outside_group(self, amount: float, clarity: float) -> float:
        return 1 / (1 + (amount / self.letters) ** 2 + amount * clarity**2 / self.clear_letters)

    def inside_group(self, amount: float) -> float:
        return 1 / (1 + (amount / self.group_letters) ** 2)


def apply_weight(hint: HintRow, part: float = 1.0) -> dict[str, float]:
    """Return the nats of a hint per key, after its weight and its cap; ``part`` keeps site sources within their common cap."""
    nats, weight, cap, _ = hint
    weight, cap = weight * part, cap * part
    values = {key: value * weight for key, value in nats.items()}
    excess = max(0.0, max(values.values(), default=0.0) - cap)
    return {
        key: max(0.0, value - excess) if value > 0 else max(value, -min(cap, MAX_NATS_AGAINST * part))
        for key, value in values.items()
    }


def add_values(keys: Keys, values: Mapping[str, float], sums: dict[int, float]) -> None:
    for key, value in values.items():
        for label in keys.get(key, ()):
            sums[label] = sums.get(label, 0.0) + value


def site_scale(keys: Keys, hints: Sequence[HintRow], site_cap: float) -> float:
    sums: dict[int, float] = {}
    site_hints = [hint for hint in hints if hint[3]]
    for hint in site_hints:
        add_values(keys, apply_weight(hint), sums)
    highest = max(sums.values(), default=0.0)
    return site_cap / highest if len(site_hints) > 1 and highest > site_cap else 1.0


def sum_hints(keys: Keys, hints: Sequence[HintRow], site_cap: float) -> dict[int, float]:
    site = site_scale(keys, hints, site_cap)
    sums: dict[int, float] = {}
    for hint in hints:
        add_values(keys, apply_weight(hint, site if hint[3] else 1.0), sums)
    return sums


def masses(
    keys: Keys,
    site_cap: float,
    hints: Sequence[HintRow],
    base: Mapping[str, float],
    words: Mapping[int, float],
    log_priors: Sequence[float],
) -> dict[int, float]:
    sums = sum_hints(keys, hints, site_cap)
    add_values(keys, base, sums)
    for label, nats in words.items():
        sums[label] = sums.get(label, 0.0) + nats
    return {label: math.exp(log_priors[label] + nats) for label, nats in sums.items()}


def posterior(
    keys: Keys,
    site_cap: float,
    hints: Sequence[HintRow],
    base: Mapping[str, float],
    log_priors: Sequence[float],
    labels: Sequence[int],
) -> list[float]:
    label_masses = masses(keys, site_cap, hints, base, {}, log_priors)
    requested = [label_masses.get(label, math.exp(log_priors[label])) for label in labels]
    return [mass / sum(requested) for mass in requested]


def group_probabilities(
    keys: Keys,
    site_cap: float,
    hints: Sequence[HintRow],
    base: Mapping[str, float],
    words: Mapping[int, float],
    log_priors: Sequence[float],
    groups: Sequence[Sequence[int]],
) -> list[float]:
    label_masses = masses(keys, site_cap, hints, base, words, log_priors)
    total = sum(label_masses.values())
    return [sum(label_masses.get(label, 0.0) for label in group) / total if total else 0.0 for group in groups]
