"""Where each language of a page is."""

from __future__ import annotations

from typing import Any

from webtongue.text.model import TextModel
from webtongue.verdict import Segment

__all__ = ["segments_of"]


def segments_of(model: TextModel, found: Any) -> tuple[Segment, ...]:
    """Stretches of one language, in the order of the page, their shares summing to one."""
    stretches = found.stretches()
    total = sum(weight for _, _, weight, _ in stretches)
    names = model.labels
    return tuple(Segment(begin, end, names[label], weight / total) for begin, end, weight, label in stretches)
