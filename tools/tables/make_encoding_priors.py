"""Write src/webtongue/data/encoding_priors.tsv: how common each encoding is on the web, from Common Crawl's page counts.

    python tools/tables/make_encoding_priors.py ../shared/data/web/charsets.csv

A prior is a tier, not a measurement: the mean over crawls, rounded to steps of half a power of ten. Encodings of EBCDIC, which
the crawl's detector finds in pages that are nothing of the kind, are left out.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from pathlib import Path

from priors import mean_log, tier, write

from webtongue.encodings.names import resolve

LEFT_OUT = ("utf", "cp5", "cp4", "us-ascii")
LEAST = 1e-9  # share of pages that an encoding is taken to have at least


def tiers(path: Path) -> dict[str, float]:
    """log10 of the share of pages for each encoding."""
    shares: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for row in csv.DictReader(path.open(encoding="utf-8")):
        label = row["charset"].removeprefix("x-").replace("windows-31j", "shift_jis")
        found = resolve(label) or resolve(row["charset"])
        if found and not found.name.startswith(LEFT_OUT):
            crawl = shares[found.name]
            crawl[row["crawl"]] = crawl.get(row["crawl"], 0.0) + float(row["%pages/crawl"]) / 100
    return {name: tier(mean_log(max(share, LEAST) for share in crawls.values())) for name, crawls in shares.items()}


if __name__ == "__main__":
    columns = "encoding, log10 of its share of the web's pages"
    write("encoding_priors.tsv", columns, "make_encoding_priors.py", tiers(Path(sys.argv[1])))
