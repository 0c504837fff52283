"""The address as evidence, on dev.tsv.xz: `python bench/url.py hint`."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
import timing

from webtongue.evidence.url import url_evidence, url_hint
from webtongue.lab.train.url.rows import UrlRow, limit_per_domain, read_rows
from webtongue.policy import LOG_SCALE
from webtongue.url.codes import web_shares
from webtongue.url.model import load, reader

MOST_OF_DOMAIN = 6
LEAST = 1e-8  # share of a language that no count of the web knows, and the least chance that a language can have


def posterior(nats, shares):
    """Chances of languages by what an address says and how common they are."""
    scores = {language: math.log(share) for language, share in shares.items()}
    for key, value in nats.items():
        language, _, script = key.partition("_")
        if script:  # Chinese in one of its scripts: the language has the mean of both
            value = math.log(math.fsum(math.exp(nats.get(f"zho_{s}", -50.0)) / 2 for s in ("Hans", "Hant")))
        scores[language] = math.log(shares.get(language, LEAST)) + value
    top = max(scores.values())
    mass = sum(math.exp(score - top) for score in scores.values())
    return {language: math.exp(score - top) / mass for language, score in scores.items()}


def by_hint(rows: list[UrlRow], shares):
    found = url_evidence(load())
    return [posterior(url_hint(row.url, found).nats, shares) for row in rows]


def by_model(rows: list[UrlRow], shares):
    """As identify_url has it, with its own priors."""
    found = reader(load(), "web", None)
    names = [label.partition("_")[0] for label in found.labels]
    out = []
    for row in rows:
        _, ids, logs = found.rank(row.url, len(names))
        out.append(
            {names[i]: math.exp(log / LOG_SCALE) for i, log in zip(ids, logs, strict=True)} if ids else dict(shares)
        )
    return out


def show(title: str, rows: list[UrlRow], chances, shares) -> None:
    """Accuracy and loss with URLs as they come, with languages as common as on the web, and with all alike."""
    sizes: defaultdict[str, int] = defaultdict(int)
    for row in rows:
        sizes[row.language] += 1
    right = np.array([max(c, key=c.get) == row.language for c, row in zip(chances, rows, strict=True)])
    loss = np.array([-math.log(max(c.get(row.language, 0), LEAST)) for c, row in zip(chances, rows, strict=True)])
    even = np.array([1 / sizes[row.language] for row in rows])
    web = even * np.array([shares.get(row.language, LEAST) for row in rows])
    parts = [
        f"{name} {100 * np.average(right, weights=w):.1f}% right, loss {np.average(loss, weights=w):.3f}"
        for name, w in (("as they come", np.ones(len(rows))), ("as the web is", web), ("all alike", even))
    ]
    print(f"{title}, {len(rows)} URLs in {len(sizes)} languages: " + "; ".join(parts))


def hint(data: Path) -> None:
    rows = limit_per_domain(read_rows(data / "url" / "dev.tsv.xz"), MOST_OF_DOMAIN)
    known = {label.partition("_")[0] for label in load().labels[: load().kernel.model_labels]}
    shares = web_shares()
    for title, some in (
        ("the model's languages", [row for row in rows if row.language in known]),
        ("other languages", [row for row in rows if row.language not in known and row.language in shares]),
        ("all", [row for row in rows if row.language in shares]),
    ):
        show(f"{title}, identify_url", some, by_model(some, shares), shares)
        show(f"{title}, hint and the web's shares", some, by_hint(some, shares), shares)
        show(f"{title}, the web's shares alone", some, [dict(shares)] * len(some), shares)
    found, model = url_evidence(load()), reader(load(), "web", None)
    urls = [row.url for row in rows][:: max(1, len(rows) // 4000)]
    ranked = timing.best_call_seconds(lambda: [model.rank(url, len(known)) for url in urls], 5, time.process_time)
    hinted = timing.best_call_seconds(lambda: [url_hint(url, found) for url in urls], 5, time.process_time)
    print(f"{1e6 * hinted / len(urls):.1f} microseconds a hint, {1e6 * ranked / len(urls):.1f} a ranking of all labels")
