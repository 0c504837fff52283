"""Fit the SVM of Baykan 2013 on URLs of five languages, for `webtongue crawl --policy svm`.

    python tools/weights/fit_url_svm.py --data ../shared/data

This prints the accuracy of each classifier on URLs of the dev list, whose domains are not in training, and writes
models/url_svm.wtp.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from webtongue.lab.evaluate.url_svm import SHIPPED, UrlSvm
from webtongue.lab.train.url.rows import UrlRow, limit_per_domain, read_rows

LABELS = {"eng": "eng_Latn", "deu": "deu_Latn", "fra": "fra_Latn", "spa": "spa_Latn", "ita": "ita_Latn"}
MAX_URLS_PER_LANGUAGE = 20_000  # nearly all URLs of Italian
MAX_URLS_PER_DOMAIN = 20


def urls_by_label(rows: list[UrlRow], max_urls: int) -> dict[str, list[str]]:
    by_label: dict[str, list[str]] = {label: [] for label in LABELS.values()}
    for row in limit_per_domain(sorted(rows, key=lambda row: row.url[::-1]), MAX_URLS_PER_DOMAIN):
        if row.language in LABELS:
            by_label[LABELS[row.language]].append(row.url)
    return {label: urls[:: max(1, len(urls) // max_urls)][:max_urls] for label, urls in by_label.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the published SVM on URLs.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path, default=SHIPPED)
    options = parser.parse_args()
    train = read_rows(options.data / "url" / "train.tsv.xz")
    model = UrlSvm.fit(urls_by_label(train, MAX_URLS_PER_LANGUAGE))
    known = {row.domain for row in train}
    dev = urls_by_label([row for row in read_rows(options.data / "url" / "dev.tsv.xz") if row.domain not in known], 500)
    for number, label in enumerate(model.labels):
        rows = [(model.row(url), other == label) for other, urls in dev.items() for url in urls]
        accepted_own, accepted_others = (
            np.mean([row is not None and row[number] > 0 for row, is_own in rows if is_own == side])
            for side in (True, False)
        )
        print(f"{label}: {accepted_own:.1%} of its own, {accepted_others:.1%} of others")
    urls = {label: len(urls) for label, urls in urls_by_label(train, MAX_URLS_PER_LANGUAGE).items()}
    model.save(options.out, {"urls": urls, "from": "url/train.tsv.xz", "by": "tools/weights/fit_url_svm.py"})
    print(f"{options.out.name}: {options.out.stat().st_size:,} bytes, {len(model.names):,} n-grams")


if __name__ == "__main__":
    main()
