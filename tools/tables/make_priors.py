"""Write src/webtongue/data/priors.tsv: how common each language is on the web, from Common Crawl's page counts.

    python tools/tables/make_priors.py ../shared/data/web/languages.csv

The counts are a classifier's answers (CLD2's). For big languages they are right; of rare ones most are its false
positives, so shares below TRUSTED are taken down a further step, and all are rounded to steps of half a power of ten:
a prior is a tier, not a measurement.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from math import log10
from pathlib import Path

from priors import STEP, mean_log, tier, write

TRUSTED = 3e-5  # share of pages below which CLD2's errors outnumber true pages
CRAWL = 2.5e9  # pages of a crawl


def tiers(path: Path) -> dict[str, float]:
    """log10 of the share of pages for each language: the mean over crawls, rounded to a tier."""
    shares: defaultdict[str, list[float]] = defaultdict(list)
    for row in csv.DictReader(path.open(encoding="utf-8")):
        if row["primary_language"].isalpha():
            shares[row["primary_language"]].append(max(float(row["pages"]), 1) / CRAWL)
    means = {language: mean_log(found) for language, found in shares.items()}
    return {language: tier(mean - STEP if mean < log10(TRUSTED) else mean) for language, mean in means.items()}


if __name__ == "__main__":
    columns = "language (ISO 639-3), log10 of its share of the web's pages"
    write("priors.tsv", columns, "make_priors.py", tiers(Path(sys.argv[1])))
