"""Write src/webtongue/data/priors.tsv: how common each language is on the web, from Common Crawl's page counts.

    python tools/tables/make_priors.py ../shared/data/web/languages.csv

The counts are a classifier's answers (CLD2's). For big languages they are right; of rare ones most are its false
positives, so shares below TRUSTED are taken down a further step, and all are rounded to steps of half a power of ten:
a prior is a tier, not a measurement.
"""

from __future__ import annotations

import csv
import math
import sys
from collections import defaultdict
from pathlib import Path

TARGET = Path(__file__).parents[2] / "src" / "webtongue" / "data" / "priors.tsv"
TRUSTED = 3e-5  # share of pages below which CLD2's errors outnumber true pages
STEP = 0.5  # powers of ten


def tiers(path: Path) -> dict[str, float]:
    """log10 of the share of pages for each language: the mean over crawls, rounded to a tier."""
    shares: defaultdict[str, list[float]] = defaultdict(list)
    for row in csv.DictReader(path.open(encoding="utf-8")):
        if row["primary_language"].isalpha():
            shares[row["primary_language"]].append(max(float(row["pages"]), 1) / 2.5e9)
    out = {}
    for language, found in shares.items():
        mean = sum(math.log10(share) for share in found) / len(found)
        if mean < math.log10(TRUSTED):
            mean -= STEP
        out[language] = round(mean / STEP) * STEP
    return out


if __name__ == "__main__":
    rows = sorted(tiers(Path(sys.argv[1])).items(), key=lambda item: (-item[1], item[0]))
    lines = ["# language (ISO 639-3), log10 of its share of the web's pages: written by tools/tables/make_priors.py"]
    lines += [f"{language}\t{value:g}" for language, value in rows]
    TARGET.write_text("\n".join(lines) + "\n", encoding="ascii")
