"""Read the licences of a corpus from its manifest, and find the files that a commercial model must not be trained on.

A manifest states licences in words ("CC BY-NC 4.0; part of it none stated"). A file is open if nothing in its row restricts use:
no non-commercial or no-derivatives clause, no "research only", and a licence that is stated for all of it. Files without a row
belong to the user.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator
from pathlib import Path

__all__ = ["SourceLabel", "find_restricted_files", "is_open_licence", "read_licences"]

SourceLabel = tuple[str, str]

RESTRICTED_LICENCE = re.compile(
    r"\bN[CD]\b|non-?commercial|no-?deriv|research|educational|\bnone\b|unknown|unstated|\bcheck\b|\bsee\b|^per\b"
    r"|\bby their\b|rights with|\(c\)|no open|eBible|Tanzil|OpenSubtitles|C-UDA|derived from|from memory",
    re.IGNORECASE,
)


def is_open_licence(terms: str) -> bool:
    """Return True if the stated terms allow commercial use and derivatives of the whole text.

    >>> [is_open_licence(terms) for terms in ("CC BY-SA 4.0", "CC BY-NC-SA 4.0", "MIT; texts: none stated", "")]
    [True, False, False, False]
    """
    return bool(terms.strip()) and RESTRICTED_LICENCE.search(terms) is None


def find_restricted_files(folder: Path) -> frozenset[SourceLabel]:
    """Return (source, label) of the files whose licence forbids commercial use or derivatives, or is not stated."""
    return frozenset(place for place, terms in _read_manifest(folder) if not is_open_licence(terms))


def read_licences(folder: Path, without: Collection[SourceLabel] = ()) -> dict[str, list[str]]:
    """Return the licences that the manifest states for the files of each source, except those in ``without``."""
    by_source: dict[str, set[str]] = {}
    for place, terms in _read_manifest(folder):
        if place not in without:
            by_source.setdefault(place[0], set()).add(terms)
    return {source: sorted(terms) for source, terms in sorted(by_source.items())}


def _read_manifest(folder: Path) -> Iterator[tuple[SourceLabel, str]]:
    path = folder / "manifest.tsv"
    if path.exists():
        with path.open(encoding="utf-8", newline="") as rows:
            for row in csv.DictReader(rows, delimiter="\t"):
                yield (row["source"], row["label"]), row.get("licence") or ""
