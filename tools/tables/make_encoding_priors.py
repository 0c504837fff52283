"""Write src/webtongue/data/encoding_priors.tsv: how common each encoding is on the web, from Common Crawl's page counts.

    python tools/tables/make_encoding_priors.py ../shared/data/web/charsets.csv

A prior is a tier, not a measurement: the mean over crawls, rounded to steps of half a power of ten. Encodings of EBCDIC, which
the crawl's detector finds in pages that are nothing of the kind, are left out.
"""

from __future__ import annotations

import csv
import math
import sys
from collections import defaultdict
from pathlib import Path

from webtongue.encodings.names import resolve

TARGET = Path(__file__).parents[2] / "src" / "webtongue" / "data" / "encoding_priors.tsv"
STEP = 0.5  # powers of ten
LEFT_OUT = ("utf", "cp5", "cp4", "us-ascii")


def tiers(path: Path) -> dict[str, float]:
    """log10 of the share of pages for each encoding."""
    shares: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for row in csv.DictReader(path.open(encoding="utf-8")):
        label = row["charset"].removeprefix("x-").replace("windows-31j", "shift_jis")
        found = resolve(label) or resolve(row["charset"])
        if found and not found.name.startswith(LEFT_OUT):
            crawl = shares[found.name]
            crawl[row["crawl"]] = crawl.get(row["crawl"], 0.0) + float(row["%pages/crawl"]) / 100
    out = {}
    for name, crawls in shares.items():
        mean = sum(math.log10(max(share, 1e-9)) for share in crawls.values()) / len(crawls)
        out[name] = round(mean / STEP) * STEP
    return out


if __name__ == "__main__":
    rows = sorted(tiers(Path(sys.argv[1])).items(), key=lambda item: (-item[1], item[0]))
    lines = ["# encoding, log10 of its share of the web's pages: written by tools/tables/make_encoding_priors.py"]
    lines += [f"{name}\t{value:g}" for name, value in rows]
    TARGET.write_text("\n".join(lines) + "\n", encoding="ascii")
