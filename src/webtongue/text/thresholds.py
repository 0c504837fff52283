"""What the text stage decides by: every number of text/decide.cpp, with the reason for it.

Set on text held out of training, and by what users of each answer expect.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from webtongue import _kernel

__all__ = ["NATS", "THRESHOLDS", "Thresholds"]

NATS = 1024  # the kernel's log-probabilities are in 1/1024 nats


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Numbers that turn a reading into an answer."""

    few_letters: int = 2  # below this no model says anything
    enough_letters: int = 20  # letters from which an answer is called reliable
    enough_words: int = (
        4  # different words in a row (native/text/running_words.hpp): fewer are a list, a form, a repetition
    )
    sure: float = 0.9  # probability from which an answer is called reliable
    holds: float = 0.45  # share of the running text that a page's main language must hold, else the page is `mul`
    level: float = 0.1  # shares that differ by no more are level: forty characters of each piece tell no more than that
    second: float = (
        0.05  # share from which a language counts at all: quotations and names are not a language of the page
    )
    long_text: int = 300  # letters read from which a text is long: of a long page some 500 are
    clear: float = 0.97  # probability from which a long text is clear: nothing else is asked, and no hint can turn it
    outside: float = 4.0  # nats by which a list of languages makes those outside of it less likely
    outside_alike: float = (
        8.0  # likewise for look-alikes of those in it: who lists one of a group wants the group's text
    )
    rare: float = -8.0  # log prior beside the commonest label below which a label is rare: one page in 3,000 and fewer
    rare_sure: float = -0.5  # log-probability that a rare label needs
    rare_letters: int = 12  # letters that a rare label needs

    def policy(self, look_alikes: list[int], boilerplate: int = -1) -> _kernel.Policy:
        """The same for the kernel; ``look_alikes`` has the number of each label's group, -1 where it has none, and
        ``boilerplate`` is the label that boilerplate is answered with, -1 if none."""
        out = _kernel.Policy()
        out.few_letters, out.enough_letters, out.rare_letters = self.few_letters, self.enough_letters, self.rare_letters
        out.enough_words = self.enough_words
        out.long_text, out.clear = self.long_text, round(math.log(self.clear) * NATS)
        out.sure = round(math.log(self.sure) * NATS)
        out.rare, out.rare_sure = round(self.rare * NATS), round(self.rare_sure * NATS)
        out.holds, out.level, out.second = self.holds, self.level, self.second
        out.look_alikes = look_alikes
        out.boilerplate = boilerplate
        return out


THRESHOLDS = Thresholds()
