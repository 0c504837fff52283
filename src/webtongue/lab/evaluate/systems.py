"""Run webtongue as one of the evaluated systems, and measure the speed of systems."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webtongue import labels
from webtongue.identifier import Identifier
from webtongue.lab.evaluate.peers import Answer

__all__ = ["OURS", "Speed", "Webtongue", "measure_speed"]

OURS = "webtongue"
SEED = 20
WARM_UP_CALLS = 20  # not timed


@dataclass(frozen=True, slots=True)
class Speed:
    """Speed of single calls in one loop on one thread."""

    calls_per_second: float
    megabytes_per_second: float


class Webtongue:
    """Webtongue behind the interface of peers."""

    name = OURS

    def __init__(self, priors: str, languages: Iterable[str] | None = None) -> None:
        self.identifier = Identifier(priors=priors, languages=None if languages is None else sorted(languages))

    def call(self, text: str) -> Any:
        """Return the verdict of a text."""
        return self.identifier.identify_text(text)

    def predict(self, texts: Sequence[str]) -> list[Answer]:
        """Return answers to many texts, by the batch call."""
        labels_of_texts, confidences = self.identifier.classify_many(list(texts))
        return [
            Answer(_fold_label(label), float(confidence))
            for label, confidence in zip(labels_of_texts, confidences, strict=True)
        ]

    @property
    def tiers(self) -> Mapping[str, str]:
        """Tier of each label."""
        return {label: str(tier) for label, tier in self.identifier.tiers.items()}


def measure_speed(call: Callable[[str], Any], texts: Sequence[str], seconds: float) -> Speed:
    """Return the speed of a call over these texts, repeated until ``seconds`` have passed."""
    if not texts:
        return Speed(0.0, 0.0)
    # Sets are sorted by label, and time may run out within a round.
    texts = random.Random(SEED).sample(texts, len(texts))
    for text in texts[:WARM_UP_CALLS]:
        call(text)
    calls = 0
    start = time.perf_counter()
    elapsed = 0.0
    while elapsed < seconds:
        for text in texts:
            call(text)
            calls += 1
            if calls % WARM_UP_CALLS == 0 and time.perf_counter() - start > seconds:
                break
        elapsed = time.perf_counter() - start
    rounds, rest = divmod(calls, len(texts))
    sizes = [len(text.encode("utf-8", "replace")) for text in texts]
    total_bytes = rounds * sum(sizes) + sum(sizes[:rest])
    return Speed(calls / elapsed, total_bytes / elapsed / 1e6)


def _fold_label(label: str) -> str:
    return label if label in labels.SPECIAL else str(labels.fold(label))
