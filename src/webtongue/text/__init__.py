"""The third stage: the language of the text itself, as the language model reads it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from webtongue.text.model import NATS, Reader, TextModel
from webtongue.text.thresholds import (
    ENOUGH_LETTERS,
    FEW_LETTERS,
    HOLDS,
    OF_GROUP,
    SECOND,
    SURE,
    TOLD_APART,
    TOP,
)

__all__ = ["Reading", "judge"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What the text says, before other evidence: a label and its probability, or why there is none."""

    label: str
    confidence: float
    reason: str
    reliable: bool
    tier: int
    found: Any
    model: TextModel | None

    @property
    def script(self) -> str:
        """Of the label; of the text where it is in no language that is known."""
        return self.found.script if self.label == "und" else self.label[4:]

    @property
    def guesses(self) -> list[tuple[str, float]]:
        """Labels with their probabilities, best first."""
        if self.model is None:
            return []
        names = self.model.labels
        return [(names[label], math.exp(log / NATS)) for label, log in self.found.guesses(TOP)]


def judge(reader: Reader, found: Any) -> Reading:
    """Turn what the kernel read into an answer."""
    model = reader.model
    if found.junk_score > 0:
        return Reading("zxx", _chance(found.junk_score), f"not language: {found.junk_kind}", False, 0, found, model)
    if found.misread:
        return Reading("und", 0.0, "read in a wrong encoding before (UTF-8 as windows-1252)", False, 0, found, model)
    best = found.guesses(TOP)
    if found.letters < FEW_LETTERS or not best:
        return Reading("und", 0.0, _nothing(found), False, 0, found, model)
    label, log = best[0]
    confidence = math.exp(log / NATS)
    if found.too_rare:
        return Reading("und", 0.0, f"too little to say {model.labels[label]}, which is rare", False, 0, found, model)
    shares = found.shares
    if len(shares) > 1 and (mixture := _mixture(model, shares)):
        return Reading("mul", confidence, mixture, False, 0, found, model)
    if found.unknown > 0 or (found.poor_fit and not shares):
        return Reading(
            "und", 0.0, f"fits no language known here; nearest is {model.labels[label]}", False, 0, found, model
        )
    if shares and shares[0][0] != label:  # a page of two languages is in the one that holds it
        label = shares[0][0]
        confidence = next((math.exp(log / NATS) for other, log in best if other == label), confidence / 2)
    reliable = confidence >= SURE and found.letters >= ENOUGH_LETTERS
    tier = model.tiers[label]
    if confidence < TOLD_APART and (group := _group(model, best)):
        return Reading(group[0], group[1], "", False, tier, found, model)
    return Reading(model.labels[label], confidence, "", reliable, tier, found, model)


def _mixture(model: TextModel, shares: list[tuple[int, int]]) -> str:
    """What a page of several languages holds, empty if one holds it; look-alikes of a group count as one."""
    total = sum(weight for _, weight in shares)
    merged: dict[str, float] = {}
    for label, weight in shares:
        name = model.groups[label] or model.labels[label]
        merged[name] = merged.get(name, 0.0) + weight / total
    ranked = sorted(merged.items(), key=lambda item: -item[1])
    if ranked[0][1] >= HOLDS or ranked[1][1] < SECOND:
        return ""
    return "several languages: " + ", ".join(f"{name} {share:.0%}" for name, share in ranked[:3])


def _group(model: TextModel, best: list[tuple[int, int]]) -> tuple[str, float] | None:
    """The group of the best label, where its members cannot be told apart but the group is sure."""
    group = model.groups[best[0][0]]
    if not group:
        return None
    chance = min(
        1.0, sum(math.exp(log / NATS) for label, log in best if model.groups[label] == group)
    )  # logs are rounded
    script = model.labels[best[0][0]].partition("_")[2]
    return (f"{group}_{script}", chance) if chance >= OF_GROUP else None


def _nothing(found: Any) -> str:
    if not found.letters:
        return "no letters"
    return "too short" if found.letters < FEW_LETTERS else f"no language written in {found.script} is known"


def _chance(score: int) -> float:
    """Of hundredths of a nat."""
    return 1 / (1 + math.exp(-score / 100))
