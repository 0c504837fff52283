"""Compare two experiments of Chew 2011 page by page: pages gained and lost, and whether the difference may be chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

from webtongue.lab.evaluate.measures import mcnemar_probability
from webtongue.lab.evaluate.tables import Cell, Claim
from webtongue.lab.papers.common import percent

MAX_PROBABILITY = 0.05  # a greater chance of the difference between equally good systems decides nothing


@dataclass(frozen=True, slots=True)
class Step:
    """The pages that are right before, after, only after and only before, of ``pages``."""

    before: int
    after: int
    gained: int
    lost: int
    pages: int

    @classmethod
    def count(cls, before: Sequence[bool], after: Sequence[bool], selected: Sequence[bool] | None = None) -> Step:
        """Return the counts on the selected pages, all by default."""
        pairs = list(zip(before, after, strict=True))
        chosen = pairs if selected is None else list(compress(pairs, selected))
        gained = sum(new and not old for old, new in chosen)
        lost = sum(old and not new for old, new in chosen)
        return cls(sum(old for old, _ in chosen), sum(new for _, new in chosen), gained, lost, len(chosen))

    @property
    def probability(self) -> float:
        """Return McNemar's probability of so great a difference between equally good systems."""
        return mcnemar_probability(self.gained, self.lost)

    @property
    def holds(self) -> bool | None:
        """Return whether the second is better, None if chance may explain the difference."""
        return self.gained > self.lost if self.probability < MAX_PROBABILITY else None

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Return the cells of a table: pages, percentages before and after, gained, lost, probability."""
        shares = (100 * self.before / max(self.pages, 1), 100 * self.after / max(self.pages, 1))
        return self.pages, *shares, self.gained, self.lost, f"{self.probability:.2g}"

    def __str__(self) -> str:
        shares = f"{100 * self.before / max(self.pages, 1):.1f} -> {100 * self.after / max(self.pages, 1):.1f}%"
        return f"{shares} of {self.pages} pages, {self.gained} gained and {self.lost} lost, p = {self.probability:.2g}"


STEP_COLUMNS = ("pages", "before", "after", "gained", "lost", "p")


def step_claim(text: str, step: Step, why: str = "") -> Claim:
    """Return the claim that a step gains more pages than it loses."""
    chance = f"so small a difference may be chance (p of {MAX_PROBABILITY} decides)"
    reason = why or (chance if step.holds is None else "not explained")
    refuted_by = f"more pages lost than gained, p < {MAX_PROBABILITY}"
    return Claim(text, step.holds, str(step), reason, refuted_by)


def percent_where(hits: Sequence[bool], selected: Sequence[bool]) -> float:
    """Return the percentage of right pages among the selected."""
    return percent(compress(hits, selected))
