"""Fit the SVM of Baykan 2013 on URLs of their five languages: what `webtongue crawl --policy svm` goes by.

    python tools/weights/fit_url_svm.py --data ../shared/data

Prints how many URLs of the dev list, whose domains are not in training, each classifier tells right, and writes models/url_svm.wtp.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from webtongue.evaluate.url_svm import SHIPPED, UrlSvm
from webtongue.train.url.rows import UrlRow, few_of_a_domain, read_rows

FIVE = {"eng": "eng_Latn", "deu": "deu_Latn", "fra": "fra_Latn", "spa": "spa_Latn", "ita": "ita_Latn"}
URLS = 20_000  # of a language: all that there are of Italian, nearly
OF_A_DOMAIN = 20


def corpus(rows: list[UrlRow], most: int) -> dict[str, list[str]]:
    out: dict[str, list[str]] = {label: [] for label in FIVE.values()}
    for row in few_of_a_domain(sorted(rows, key=lambda row: row.url[::-1]), OF_A_DOMAIN):
        if row.language in FIVE:
            out[FIVE[row.language]].append(row.url)
    return {label: urls[:: max(1, len(urls) // most)][:most] for label, urls in out.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the published SVM on URLs.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path, default=SHIPPED)
    given = parser.parse_args()
    train = read_rows(given.data / "url" / "train.tsv.xz")
    model = UrlSvm.fit(corpus(train, URLS))
    known = {row.domain for row in train}
    dev = corpus([row for row in read_rows(given.data / "url" / "dev.tsv.xz") if row.domain not in known], 500)
    for number, label in enumerate(model.labels):
        rows = [(model.row(url), other == label) for other, urls in dev.items() for url in urls]
        right = {
            side: [row is not None and (row[number] > 0) for row, is_own in rows if is_own == side]
            for side in (True, False)
        }
        print(
            f"{label}: {sum(right[True]) / len(right[True]):.1%} of its own, {sum(right[False]) / len(right[False]):.1%} of others"
        )
    urls = {label: len(found) for label, found in corpus(train, URLS).items()}
    model.save(given.out, {"urls": urls, "from": "url/train.tsv.xz", "by": "tools/weights/fit_url_svm.py"})
    print(f"{given.out.name}: {given.out.stat().st_size:,} bytes, {len(model.names):,} n-grams")


if __name__ == "__main__":
    main()
