"""What is wanted of a crawl: the settings of an extraction, in one object that travels to workers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from webtongue import Identifier
from webtongue.errors import UsageError

__all__ = ["Wanted", "wanted_of"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """The languages, as labels, and how much of pages in them is kept."""

    labels: tuple[str, ...]
    min_confidence: float = 0.9  # what corpora are built with: a wrong page costs them more than a lost one
    min_characters: int = 1  # of the text that is left
    boilerplate: bool = False  # menus, lone links, notices, and lines that other pages of the host had
    duplicates: bool = False  # texts that were written before
    first_look: bool = True  # pages that cannot hold a wanted language are not identified


def wanted_of(languages: Sequence[str], ident: Identifier, **settings: float | bool) -> Wanted:
    """Settings by their names, refused with a sentence where they make no sense; ``languages`` are tags, labels or groups."""
    wanted = Wanted(tuple(ident.labels_of(languages)), **settings)  # type: ignore[arg-type]
    if not 0 <= wanted.min_confidence <= 1 or math.isnan(wanted.min_confidence):
        raise UsageError(f"a confidence is a probability from 0 to 1, not {wanted.min_confidence:g}")
    return wanted
