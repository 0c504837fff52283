"""Evidence from the anchor text of a link about the page that it leads to."""

from __future__ import annotations

import math
from collections.abc import Sequence

from webtongue.policy import EVIDENCE
from webtongue.text import TextReader
from webtongue.verdict import Guess

__all__ = ["anchor_guesses", "anchor_nats"]


def anchor_guesses(anchor: str, text: TextReader) -> Sequence[Guess]:
    """Return guesses for the language of anchor text."""
    return [Guess(*guess) for guess in text.kernel.guesses(text.read_text(anchor), EVIDENCE.anchor_guesses)]


def anchor_nats(probability: float, weight: float = EVIDENCE.anchor_weight) -> float:
    """Return the nats of anchor text for a language, by the probability that the anchor text is in this language."""
    return weight * math.log(max(probability, EVIDENCE.min_anchor_probability) / EVIDENCE.min_anchor_probability)
