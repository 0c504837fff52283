"""What is scored: ourselves in a given setting, and peers, with their answers and their speed."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webtongue import labels
from webtongue.evaluate.peers import Answer
from webtongue.identifier import Identifier

__all__ = ["OURS", "Speed", "Webtongue", "speed"]

OURS = "webtongue"
SEED = 20
WARM_UP = 20  # calls that are not timed


@dataclass(frozen=True, slots=True)
class Speed:
    """Single calls in one loop on one thread."""

    calls_per_second: float
    megabytes_per_second: float


class Webtongue:
    """Ourselves, under the face that peers have."""

    name = OURS

    def __init__(self, priors: str, languages: Iterable[str] | None = None) -> None:
        self.identifier = Identifier(priors=priors, languages=None if languages is None else sorted(languages))

    def call(self, text: str) -> Any:
        """The full verdict."""
        return self.identifier.identify_text(text)

    def predict(self, texts: Sequence[str]) -> list[Answer]:
        """Answers to many texts, by the bulk call."""
        found, confidences = self.identifier.classify_many(list(texts))
        return [Answer(_folded(label), float(sure)) for label, sure in zip(found, confidences, strict=True)]

    @property
    def tiers(self) -> Mapping[str, str]:
        """The tier of each label."""
        return {label: str(tier) for label, tier in self.identifier.tiers.items()}


def speed(call: Callable[[str], Any], texts: Sequence[str], seconds: float) -> Speed:
    """How fast a call is over these texts, round after round until the time is up."""
    if not texts:
        return Speed(0.0, 0.0)
    texts = random.Random(SEED).sample(texts, len(texts))  # sets are sorted by label, and time may end within a round
    for text in texts[:WARM_UP]:
        call(text)
    calls = 0
    start = time.perf_counter()
    passed = 0.0
    while passed < seconds:
        for text in texts:
            call(text)
            calls += 1
            if calls % WARM_UP == 0 and time.perf_counter() - start > seconds:
                break
        passed = time.perf_counter() - start
    whole, rest = divmod(calls, len(texts))
    sizes = [len(text.encode("utf-8", "replace")) for text in texts]
    size = whole * sum(sizes) + sum(sizes[:rest])
    return Speed(calls / passed, size / passed / 1e6)


def _folded(label: str) -> str:
    return label if label in labels.SPECIAL else str(labels.fold(label))
