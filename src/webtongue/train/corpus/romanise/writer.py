"""A writer: one person's habits of spelling, drawn at random and kept to, mostly.

Nobody is taught how to write Hindi or Arabic in Latin letters, so that each writer has a way of their own: `aa` or `a`, `v` or `w`,
`7` or `h`. A line of made text has one writer.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

__all__ = ["Writer"]

SLIPS = 0.12  # share of choices that do not follow the habit
LOWER, SENTENCES = (
    0.6,
    0.92,
)  # writers in small letters; up to the second, with capitals as in print; the rest shout first words
BARE = 0.3  # writers who put no full stop at the end
AFTER_STOP = re.compile(r"(^\W*|[.!?]\s+)([a-zà-ž])")
LAST_STOP = re.compile(r"\s*[.]\s*$")


@dataclass(slots=True)
class Writer:
    """Draws among spellings; one drawn for a key is drawn again for it."""

    rnd: random.Random
    habits: dict[str, float] = field(default_factory=dict)

    def pick(self, key: str, options: Sequence[str]) -> str:
        """One of the options; one given twice is twice as likely.

        >>> writer = Writer(random.Random(3))
        >>> [writer.pick("v", ("v", "w")) for _ in range(6)]
        ['v', 'v', 'v', 'v', 'v', 'v']
        """
        if len(options) == 1:
            return options[0]
        habit = self.habits.setdefault(key, self.rnd.random())
        draw = self.rnd.random() if self.rnd.random() < SLIPS else habit
        return options[int(draw * len(options))]

    def chance(self, key: str, share: float) -> bool:
        """Whether this writer is among such a share of writers."""
        return self.habits.setdefault(key, self.rnd.random()) < share

    def dress(self, line: str) -> str:
        """Capitals and the last full stop as this writer sets them."""
        case = self.rnd.random()
        if case < LOWER:
            line = line.lower()
        elif case < SENTENCES:
            line = AFTER_STOP.sub(lambda found: found[1] + found[2].upper(), line)
        return LAST_STOP.sub("", line) if self.rnd.random() < BARE else line
