"""Where each language of a page is."""

from __future__ import annotations

from typing import Any

from webtongue.text.model import TextModel
from webtongue.verdict import Segment

__all__ = ["segments_of"]


def segments_of(model: TextModel, found: Any) -> tuple[Segment, ...]:
    """Stretches of one language, in the order of the page, their shares summing to one.

    Pieces that said nothing go with their neighbours; neighbouring pieces of one language are one stretch.
    """
    out: list[list[Any]] = []
    pieces = sorted(piece for piece in found.pieces() if piece[3] >= 0)
    total = sum(piece[2] for piece in pieces)
    for begin, end, weight, label in pieces:
        if out and out[-1][2] == label:
            out[-1][1] = max(out[-1][1], end)
            out[-1][3] += weight
        else:
            if out:  # a sampled piece may reach into the next one's blocks
                out[-1][1] = min(out[-1][1], begin)
            out.append([begin, end, label, weight])
    names = model.labels
    return tuple(Segment(begin, end, names[label], weight / total) for begin, end, label, weight in out)
