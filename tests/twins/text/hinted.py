"""Hints weighed into what a text says, readably: the twin of native/text/hinted.cpp, in plain probabilities."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

HEARD = 2.0  # nats: a hint of less is not enough to take a text for borrowed


@dataclass(frozen=True)
class Said:
    """What a text says, in nats: log-probabilities and log priors by label, and whether it is boilerplate."""

    logs: Mapping[int, float]
    priors: Mapping[int, float]
    boilerplate: bool = False


@dataclass(frozen=True)
class Borrowed:
    """The log of how likely a page has a text in another language than its own: English, or any."""

    english: float
    foreign: float
    label: int  # of English
    latin: bool = True  # whether the text is in Latin letters: others are hardly ever borrowed


def weigh(said: Said, hints: Mapping[int, float], borrowed: Borrowed | None, total_prior: float) -> dict[int, float]:
    """Probabilities of labels with hints weighed in; what is left over to 1 is for everything else."""
    if not said.logs:
        return {}
    rest = max(0.0, 1 - sum(math.exp(log) for log in said.logs.values()))
    logs = dict(said.logs)
    likelihood = _borrowed(said, borrowed, rest, total_prior)
    for label, nats in hints.items():
        if nats >= HEARD and likelihood > -math.inf:
            logs[label] = max(logs.get(label, -math.inf), min(0.0, said.priors[label] + likelihood))
    masses = {label: math.exp(log + hints.get(label, 0.0)) for label, log in logs.items()}
    whole = sum(masses.values()) + rest
    return {label: mass / whole for label, mass in masses.items()}


def _borrowed(said: Said, borrowed: Borrowed | None, rest: float, total_prior: float) -> float:
    """The log-likelihood of the text for a page in another language than it, without that page's prior."""
    if said.boilerplate:
        return math.log(rest) - total_prior if rest > 0 else -math.inf
    if borrowed is None:
        return -math.inf
    best = max(said.logs, key=lambda label: said.logs[label])
    found = (
        said.logs[best] - total_prior + borrowed.foreign if borrowed.latin else -math.inf
    )  # a rare language as rarely
    if borrowed.label in said.logs:
        found = max(found, said.logs[borrowed.label] - said.priors[borrowed.label] + borrowed.english)
    return found
