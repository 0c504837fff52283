"""Write src/webtongue/data/encoding_priors.tsv: shares of encodings on the web, from Common Crawl's page counts.

    python tools/tables/make_encoding_priors.py ../shared/data/web/charsets.csv

A prior is the mean over crawls, rounded to steps of half a power of ten. EBCDIC encodings are excluded, since the detector of the
crawl reports them for other pages.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from pathlib import Path

from priors import mean_log, round_to_step, write

from webtongue.charset.names import resolve

EXCLUDED_PREFIXES = ("utf", "cp5", "cp4", "us-ascii")
MIN_SHARE = 1e-9  # of pages


def log_shares(path: Path) -> dict[str, float]:
    """Return log10 of the share of pages of each encoding."""
    shares: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for row in csv.DictReader(path.open(encoding="utf-8")):
        label = row["charset"].removeprefix("x-").replace("windows-31j", "shift_jis")
        encoding = resolve(label) or resolve(row["charset"])
        if encoding and not encoding.name.startswith(EXCLUDED_PREFIXES):
            crawl = shares[encoding.name]
            crawl[row["crawl"]] = crawl.get(row["crawl"], 0.0) + float(row["%pages/crawl"]) / 100
    return {
        name: round_to_step(mean_log(max(share, MIN_SHARE) for share in crawls.values()))
        for name, crawls in shares.items()
    }


if __name__ == "__main__":
    columns = "encoding, log10 of its share of the web's pages"
    write("encoding_priors.tsv", columns, "make_encoding_priors.py", log_shares(Path(sys.argv[1])))
