"""What a reading means, readably: the twin of native/text/decide.cpp."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from webtongue.text.thresholds import NATS, Thresholds


@dataclass(frozen=True)
class Facts:
    """What the decision goes by; labels are numbers, logs in 1/1024 nats."""

    guesses: list[tuple[int, int]]
    shares: list[tuple[int, int]]
    letters: int
    features: int
    preferred: int
    junk_score: int
    misread: bool
    poor_fit: bool
    unknown: int
    known: int
    unasked: int
    words: int
    boilerplate: bool
    hints: Mapping[int, int] = field(default_factory=dict)
    filed_by_hints: bool = False
    by_text: Mapping[int, int] = field(default_factory=dict)  # guesses before hints were weighed in


@dataclass(frozen=True)
class Setting:
    """Priors (log, beside the commonest), groups (-1: none) and tiers of the labels, and the thresholds."""

    priors: list[int]
    groups: list[int]
    tiers: list[int]
    at: Thresholds

    def alike(self, one: int, other: int) -> bool:
        return one == other or (self.groups[one] >= 0 and self.groups[one] == self.groups[other])


@dataclass(frozen=True)
class Answer:
    label: int
    reason: str
    confidence: float
    reliable: bool = False
    tier: int = 0
    group_confidence: float = 0.0
    languages: tuple[tuple[int, float], ...] = ()


def chance(log: int) -> float:
    return math.floor(math.exp(log / NATS) * 1e6) / 1e6


def rounded(value: float) -> float:
    """To six decimals, halves up."""
    return math.floor(value * 1e6 + 0.5) / 1e6


def decide(facts: Facts, by: Setting) -> Answer:
    at = by.at
    if facts.junk_score > 0:
        return Answer(-1, "not_language", round(1 / (1 + math.exp(-facts.junk_score / 100)), 6))
    if facts.misread:
        return Answer(-1, "misread", 0.0)
    if not facts.letters:
        return Answer(-1, "no_letters", 0.0)
    if facts.letters < at.few_letters:
        return Answer(-1, "too_short", 0.0)
    if facts.unasked >= 0:
        return Answer(-1, "not_asked", 0.0)
    if not facts.guesses:
        return Answer(-1, "unknown_script", 0.0)
    best, log = facts.guesses[0]
    telling = min(facts.letters, facts.features // 2)
    if by.priors[best] + facts.hints.get(best, 0) < round(at.rare * NATS) and (
        telling < at.rare_letters or log < round(at.rare_sure * NATS)
    ):
        return Answer(-1, "too_rare", 0.0)
    held = holders(facts.shares, by)
    if reason := several(held, facts.preferred, at):
        shown = tuple(pair for pair in held if pair[1] >= at.second)
        return Answer(-1, reason, chance(facts.known), languages=shown)
    if facts.unknown > 0 or (facts.poor_fit and not facts.shares):
        return Answer(-1, "unknown_language", 0.0)
    enough = telling >= at.enough_letters and facts.words >= at.enough_words and not facts.boilerplate
    borrowed = bool(facts.by_text) and not any(
        other >= -6 * NATS and by.alike(label, best) for label, other in facts.by_text.items()
    )
    turned = bool(facts.by_text) and facts.by_text.get(best, -(10**6)) < -1420  # ln(1/4)
    reliable = enough and not turned and not facts.filed_by_hints and log >= round(math.log(at.sure) * NATS)
    alike = sum(chance(other) for label, other in facts.guesses if by.alike(label, best))
    if borrowed:  # the text is in what it is in
        shown = tuple(pair for pair in held or [(next(iter(facts.by_text)), 1.0)] if pair[1] >= at.second)
    else:
        shown = named(held, best, by)
    return Answer(best, "", chance(log), reliable, by.tiers[best], min(1.0, round(alike, 6)), shown)


def holders(shares: list[tuple[int, int]], by: Setting) -> list[tuple[int, float]]:
    """Languages by their share of the running text, look-alikes as one under the name of the largest."""
    merged: list[tuple[int, int]] = []
    for label, size in shares:
        for i, (other, held) in enumerate(merged):
            if by.alike(label, other):
                merged[i] = (other, held + size)
                break
        else:
            merged.append((label, size))
    whole = sum(size for _, size in shares)
    return sorted(((label, rounded(size / whole)) for label, size in merged), key=lambda pair: -pair[1])


def several(held: list[tuple[int, float]], preferred: int, at: Thresholds) -> str:
    if len(held) < 2 or held[1][1] < at.second:
        return ""
    if held[0][1] < at.holds:
        return "several_languages"
    return "two_languages" if held[0][1] - held[1][1] <= at.level and preferred < 0 else ""


def named(held: list[tuple[int, float]], label: int, by: Setting) -> tuple[tuple[int, float], ...]:
    """The languages of a page, the main one under the label that is answered."""
    if not held:
        return ((label, 1.0),)
    main = next((i for i, (other, _) in enumerate(held) if by.alike(other, label)), 0)
    renamed = [(label if i == main else other, share) for i, (other, share) in enumerate(held)]
    return tuple(pair for pair in renamed if pair[1] >= by.at.second)
