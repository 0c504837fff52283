"""URL lists: a line is a URL with the language of its page, and the registered domain it is on."""

from __future__ import annotations

import lzma
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from webtongue import labels


@dataclass(frozen=True, slots=True)
class UrlRow:
    """A line of the list: language as our code, registered domain as the list has it."""

    url: str
    language: str
    gold: bool
    source: str
    domain: str


def read_rows(path: Path) -> list[UrlRow]:
    """The lines of a list, languages folded into our codes."""
    out = []
    codes: dict[str, str] = {}
    with lzma.open(path, "rt", encoding="utf-8", errors="replace") as file:
        for line in file:
            url, code, quality, source, domain = line.rstrip("\n").split("\t")
            if code not in codes:
                parsed = labels.parse(code)
                codes[code] = labels.fold(parsed).language if parsed else code
            out.append(UrlRow(url, codes[code], quality == "gold", source, domain))
    return out


def languages_of(rows: Sequence[UrlRow], least: int) -> list[str]:
    """Languages with enough URLs, the most common first."""
    return [language for language, count in Counter(row.language for row in rows).most_common() if count >= least]


def few_of_a_domain(rows: Sequence[UrlRow], most: int) -> list[UrlRow]:
    """The first so many rows of each domain and language, in their order."""
    seen: Counter[tuple[str, str]] = Counter()
    out = []
    for row in rows:
        seen[row.domain, row.language] += 1
        if seen[row.domain, row.language] <= most:
            out.append(row)
    return out


def fold_of(domains: Sequence[str], folds: int) -> NDArray[np.int64]:
    """A number below `folds` for each URL, the same for all URLs of a domain."""
    return np.array([zlib.crc32(domain.encode("utf-8", "replace")) % folds for domain in domains], np.int64)
