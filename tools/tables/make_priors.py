"""Write src/webtongue/data/priors.tsv: shares of languages on the web, from Common Crawl's page counts.

    python tools/tables/make_priors.py ../shared/data/web/languages.csv

The counts are answers of CLD2. They are right for large languages; for rare ones most are false positives, so shares below
MIN_TRUSTED_SHARE are reduced by one step, and all are rounded to steps of half a power of ten.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from math import log10
from pathlib import Path

from priors import STEP, mean_log, round_to_step, write

MIN_TRUSTED_SHARE = 3e-5  # below it, CLD2's errors outnumber true pages
PAGES_PER_CRAWL = 2.5e9


def log_shares(path: Path) -> dict[str, float]:
    """Return log10 of the share of pages of each language: the mean over crawls, rounded."""
    shares: defaultdict[str, list[float]] = defaultdict(list)
    for row in csv.DictReader(path.open(encoding="utf-8")):
        if row["primary_language"].isalpha():
            shares[row["primary_language"]].append(max(float(row["pages"]), 1) / PAGES_PER_CRAWL)
    means = {language: mean_log(values) for language, values in shares.items()}
    return {
        language: round_to_step(mean - STEP if mean < log10(MIN_TRUSTED_SHARE) else mean)
        for language, mean in means.items()
    }


if __name__ == "__main__":
    columns = "language (ISO 639-3), log10 of its share of the web's pages"
    write("priors.tsv", columns, "make_priors.py", log_shares(Path(sys.argv[1])))
