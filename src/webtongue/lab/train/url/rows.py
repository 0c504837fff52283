"""Read URL lists: each line has a URL, the language of its page, and the registered domain."""

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
    """A line of the list: the language as an ISO 639-3 code, the registered domain as in the list."""

    url: str
    language: str
    gold: bool
    source: str
    domain: str


def read_rows(path: Path) -> list[UrlRow]:
    """Return the rows of a list, with folded language codes."""
    rows = []
    codes: dict[str, str] = {}
    with lzma.open(path, "rt", encoding="utf-8", errors="replace") as file:
        for line in file:
            url, code, quality, source, domain = line.rstrip("\n").split("\t")
            if code not in codes:
                parsed = labels.parse(code)
                codes[code] = labels.fold(parsed).language if parsed else code
            rows.append(UrlRow(url, codes[code], quality == "gold", source, domain))
    return rows


# Common languages in Latin letters with few URLs in the list, whose words are known from running text. All languages outside the
# model are told by codes, top level domains and scripts.
TEXT_LANGUAGES = ("msa", "aze", "eus", "glg", "isl", "bos", "sqi", "gle")


def list_languages(rows: Sequence[UrlRow], min_urls: int, min_domains: int) -> list[str]:
    """Return the languages with enough URLs of enough domains, and TEXT_LANGUAGES, the most common first."""
    counts = Counter(row.language for row in rows)
    domains = Counter(language for language, _ in {(row.language, row.domain) for row in rows})
    return [
        language
        for language, count in counts.most_common()
        if (count >= min_urls and domains[language] >= min_domains) or language in TEXT_LANGUAGES
    ]


def limit_per_domain(rows: Sequence[UrlRow], max_urls: int) -> list[UrlRow]:
    """Return the first ``max_urls`` rows of each domain and language, in their order."""
    seen: Counter[tuple[str, str]] = Counter()
    selected = []
    for row in rows:
        seen[row.domain, row.language] += 1
        if seen[row.domain, row.language] <= max_urls:
            selected.append(row)
    return selected


def assign_folds(domains: Sequence[str], folds: int) -> NDArray[np.int64]:
    """Return the fold of each URL, the same for all URLs of a domain."""
    return np.array([zlib.crc32(domain.encode("utf-8", "replace")) % folds for domain in domains], np.int64)
