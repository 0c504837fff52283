"""Terms of use of a corpus, from its manifest: which text a model may be trained on that others will sell.

A manifest states licences in words ("CC BY-NC 4.0; part of it none stated"). A file is open if nothing in its row restricts use:
no non-commercial or no-derivatives clause, no "research only", and terms that are stated for all of it. Files without a row are
the user's own.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

__all__ = ["Place", "closed", "is_open", "licences"]

Place = tuple[str, str]  # source and label

RESTRICTED = re.compile(
    r"\bN[CD]\b|non-?commercial|no-?deriv|research|educational|\bnone\b|unknown|unstated|\bcheck\b|\bsee\b|^per\b"
    r"|\bby their\b|rights with|\(c\)|no open|eBible|Tanzil|OpenSubtitles|C-UDA|derived from|from memory",
    re.IGNORECASE,
)


def is_open(terms: str) -> bool:
    """Whether all of a text may be used commercially and built upon, by what its terms say.

    >>> is_open("CC BY-SA 4.0"), is_open("CC BY-NC-SA 4.0"), is_open("MIT; texts: none stated"), is_open("")
    (True, False, False, False)
    """
    return bool(terms.strip()) and RESTRICTED.search(terms) is None


def closed(folder: Path) -> frozenset[Place]:
    """The files of a corpus whose terms forbid commercial use or derivatives, or are not stated."""
    return frozenset(place for place, terms in _rows(folder) if not is_open(terms))


def licences(folder: Path) -> dict[str, list[str]]:
    """Source -> the licences its manifest rows state."""
    found: dict[str, set[str]] = {}
    for (source, _), terms in _rows(folder):
        found.setdefault(source, set()).add(terms)
    return {source: sorted(terms) for source, terms in sorted(found.items())}


def _rows(folder: Path) -> Iterator[tuple[Place, str]]:
    manifest = folder / "manifest.tsv"
    if manifest.exists():
        with manifest.open(encoding="utf-8", newline="") as rows:
            for row in csv.DictReader(rows, delimiter="\t"):
                yield (row["source"], row["label"]), row.get("licence") or ""
