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
from webtongue.lab.evaluate.sets import Item
from webtongue.page import Page

__all__ = ["OURS", "Speed", "Url", "Webtongue", "measure_speed"]

OURS = "webtongue"
SEED = 20
WARM_UP_CALLS = 20  # not timed


@dataclass(frozen=True, slots=True)
class Speed:
    """Speed of single calls in one loop on one thread."""

    calls_per_second: float
    megabytes_per_second: float


class Url(str):
    """A URL, where a str would be a text."""

    __slots__ = ()


class Webtongue:
    """Webtongue behind the interface of peers."""

    name = OURS

    def __init__(self, priors: str, languages: Iterable[str] | None = None) -> None:
        self.identifier = Identifier(priors=priors, languages=None if languages is None else sorted(languages))

    @staticmethod
    def get_input(item: Item) -> Page | Url | str:
        """Return what is identified of an item: the page with all that is known of it, the URL, or the text."""
        return item.page or (Url(item.text) if item.is_url else item.text)

    def call(self, document: Page | Url | str) -> Any:
        """Return the verdict of a text, a page or a URL."""
        if isinstance(document, Page):
            return self.identifier.analyze(document).verdict
        return (
            self.identifier.identify_url(document)
            if isinstance(document, Url)
            else self.identifier.identify_text(document)
        )

    def predict(self, documents: Sequence[Any]) -> list[Answer]:
        """Return answers to many documents of one kind, by the batch call."""
        if not documents or not isinstance(documents[0], Page | Url):
            labels_of_texts, confidences = self.identifier.classify_many(list(documents))
            pairs: Iterable[tuple[str, float]] = zip(labels_of_texts, confidences, strict=True)
        else:
            is_page = isinstance(documents[0], Page)
            identify = self.identifier.identify_many if is_page else self.identifier.identify_urls
            pairs = ((verdict.label, verdict.confidence) for verdict in identify(list(documents)))
        return [Answer(_fold_label(label), float(confidence)) for label, confidence in pairs]

    @property
    def tiers(self) -> Mapping[str, str]:
        """Tier of each label."""
        return {label: str(tier) for label, tier in self.identifier.tiers.items()}


def measure_speed(call: Callable[[Any], Any], texts: Sequence[Any], seconds: float) -> Speed:
    """Return the speed of a call over these texts or pages, repeated until ``seconds`` have passed."""
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
    sizes = [len(text.raw if isinstance(text, Page) else text.encode("utf-8", "replace")) for text in texts]
    total_bytes = rounds * sum(sizes) + sum(sizes[:rest])
    return Speed(calls / elapsed, total_bytes / elapsed / 1e6)


def _fold_label(label: str) -> str:
    return label if label in labels.SPECIAL else str(labels.fold(label))
