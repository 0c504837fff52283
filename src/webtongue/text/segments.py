"""Where each language of a page is."""

from __future__ import annotations

from typing import Any

from webtongue.text.model import TextModel
from webtongue.verdict import Segment

__all__ = ["segments_of"]


def segments_of(model: TextModel, found: Any, scan: Any) -> tuple[Segment, ...]:
    """Stretches of one language, in the order of the page, their shares summing to one.

    Pieces that said nothing go with their neighbours; neighbouring pieces of one language are one stretch.
    """
    _, begins, ends, *_ = (column.tolist() for column in scan.blocks())
    out: list[list[Any]] = []
    pieces = sorted(found.pieces())
    total = sum(weight for *_, weight, label in pieces if label >= 0)
    for first, last, weight, label in pieces:
        if label < 0:
            continue
        name, share = model.labels[label], weight / total
        if out and out[-1][2] == name:
            out[-1][1] = max(out[-1][1], ends[last - 1])
            out[-1][3] += share
        else:
            out.append([begins[first], ends[last - 1], name, share])
    return tuple(Segment(begin, max(begin, end), name, share) for begin, end, name, share in out)
