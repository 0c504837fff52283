"""How much the rest of a host, its domain and its top level domain say: `python tools/weights/fit_hosts.py --data ../shared/data`.

Each URL of ``url/train`` is left out of the counts of its host, and the trust in each level (hints/host.py) is what makes the
languages of the URLs left out likeliest. Prints the numbers, which stand in ``data/fuse.json``.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from webtongue.hints.domain import site_of
from webtongue.hints.shares import web_share
from webtongue.train.url.rows import read_rows

MOST_OF_HOST = 20  # URLs: no host decides alone


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    options = parser.parse_args()
    levels: list[defaultdict[str, Counter[str]]] = [defaultdict(Counter) for _ in range(3)]
    rows = []
    taken: Counter[str] = Counter()
    for row in read_rows(options.data / "url" / "train.tsv.xz"):
        host, domain = site_of(row.url)
        if not host or not domain or taken[host] == MOST_OF_HOST:
            continue
        taken[host] += 1
        names = (host.rpartition(".")[2], domain, host)
        rows.append((row.language, names))
        for level, name in zip(levels, names, strict=True):
            level[name][row.language] += 1
    counts = np.zeros((len(rows), 3, 2))  # of the language, and of all, without the URL itself
    for i, (language, names) in enumerate(rows):
        for k, (level, name) in enumerate(zip(levels, names, strict=True)):
            found = level[name]
            counts[i, k] = found[language] - 1, found.total() - 1
    web = np.array([web_share(language) for language, _ in rows])

    def loss(logs: np.ndarray) -> float:
        share = web
        for k, trust in enumerate(np.exp(logs)):
            share = (counts[:, k, 0] + trust * share) / (counts[:, k, 1] + trust)
        return float(-np.log(share).mean())

    found = minimize(loss, np.zeros(3), method="Nelder-Mead")
    several = counts[:, 2, 1] > 0
    same = counts[several, 2, 0] / counts[several, 2, 1]
    print(
        f"{len(rows)} URLs; of the others on its host {same.mean():.1%} are in a URL's language ({several.sum()} URLs)"
    )
    print(f"log-loss {loss(np.full(3, 20.0)):.3f} by the web's shares, {found.fun:.3f} by hosts")
    print("trust:", dict(zip(("web", "top", "domain"), np.exp(found.x).round(3).tolist(), strict=True)))


if __name__ == "__main__":
    main()
