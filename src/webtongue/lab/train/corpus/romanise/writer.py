"""Simulate a writer: spelling habits that are drawn at random once and mostly followed.

Nobody is taught how to write Hindi or Arabic in Latin letters, so each writer spells differently: `aa` or `a`, `v` or `w`, `7` or
`h`. Each generated line has one writer.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

__all__ = ["Writer"]

SLIP_RATE = 0.12  # choices that do not follow the habit
# Cumulative shares of writers without capitals and with capitals at the start of sentences; the rest keep all capitals.
LOWER_CASE_SHARE, SENTENCE_CASE_SHARE = 0.6, 0.92
NO_FULL_STOP_SHARE = 0.3
SENTENCE_START = re.compile(r"(^\W*|[.!?]\s+)([a-zà-ž])")
FINAL_STOP = re.compile(r"\s*[.]\s*$")


@dataclass(slots=True)
class Writer:
    """A source of random spellings that repeats its first choice for a key, except for slips."""

    rng: random.Random
    habits: dict[str, float] = field(default_factory=dict)

    def pick(self, key: str, options: Sequence[str]) -> str:
        """Return one of the options; an option given twice is twice as likely.

        >>> writer = Writer(random.Random(3))
        >>> [writer.pick("v", ("v", "w")) for _ in range(6)]
        ['v', 'v', 'v', 'v', 'v', 'v']
        """
        if len(options) == 1:
            return options[0]
        habit = self.habits.setdefault(key, self.rng.random())
        draw = self.rng.random() if self.rng.random() < SLIP_RATE else habit
        return options[int(draw * len(options))]

    def has_habit(self, key: str, share: float) -> bool:
        """Return True for this share of writers, always the same answer for one writer and key."""
        return self.habits.setdefault(key, self.rng.random()) < share

    def format_line(self, line: str) -> str:
        """Return the line with the capitals and the final full stop of this writer."""
        draw = self.rng.random()
        if draw < LOWER_CASE_SHARE:
            line = line.lower()
        elif draw < SENTENCE_CASE_SHARE:
            line = SENTENCE_START.sub(lambda match: match[1] + match[2].upper(), line)
        return FINAL_STOP.sub("", line) if self.rng.random() < NO_FULL_STOP_SHARE else line
