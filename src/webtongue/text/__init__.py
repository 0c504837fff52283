"""The third stage: the language of the text itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from webtongue.markup.noise import NO_LANGUAGE
from webtongue.text.scripts import KANA, SETTLED, main_script, shares

__all__ = ["Reading", "read"]

FEW_LETTERS = 3  # below this a script says nothing


@dataclass(frozen=True, slots=True)
class Reading:
    """What the text says: labels with probabilities (they need not sum to one), the script, and why there is no more."""

    guesses: tuple[tuple[str, float], ...]
    script: str
    letters: int
    reason: str = ""


def read(scan: Any) -> Reading:
    """Read the blocks of a page that are not noise; all of them if nothing else is there."""
    counts = scan.count_scripts(NO_LANGUAGE)
    share = shares(counts)
    if not share:
        counts = scan.count_scripts(0)
        share = shares(counts)
    letters = sum(counts[3:])
    if letters < FEW_LETTERS:
        return Reading((), "", letters, "no letters" if not letters else "too short")
    script = main_script(share)
    if script == "Jpan":
        return Reading((("jpn_Jpan", SETTLED["Hira"][1]),), script, letters)
    label, sure = SETTLED.get(script, ("", 0.0))
    if not label or script in KANA:
        return Reading((), script, letters, f"many languages share the script ({script})")
    return Reading(((label, sure * share[script]),), script, letters)
