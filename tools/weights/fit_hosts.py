"""How much the rest of a host, its domain and its top level domain say: `python tools/weights/fit_hosts.py --data ../shared/data`.

Each URL of ``url/train`` is left out of the counts of its host, and the trust in each level (hints/host.py) is what makes the
languages of the URLs left out likeliest. With ``--held`` (see tools/weights/held_urls.py), also how much that should weigh beside what
the address itself says, on domains that its model has not seen. Prints the numbers, which stand in ``data/fuse.json``.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
from held_urls import UNSEEN
from scipy.optimize import minimize

from webtongue.hints.domain import site_of
from webtongue.hints.host import Trust, host_hint
from webtongue.hints.shares import web_share
from webtongue.train.url.rows import few_of_a_domain, fold_of, read_rows
from webtongue.url.hint import address_reader, url_hint
from webtongue.url.model import load

MOST_OF_HOST = 20  # URLs: no host decides alone
MOST_OF_DOMAIN = 6
MOST_NATS = 9.0  # that one source says, as in fit_fuse.py


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--held", type=Path, help="a URL model that has not seen a tenth of the domains")
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
    trust = np.exp(found.x)
    print("trust:", dict(zip(("web", "top", "domain"), trust.round(3).tolist(), strict=True)))
    if options.held:
        beside_addresses(options.data, options.held, Trust(*trust.tolist()))


def beside_addresses(data: Path, held: Path, trust: Trust) -> None:
    """The log-loss on URLs of domains unseen, by the weight of what the rest of their host says."""
    address = address_reader(load(held))
    names = address.languages
    rows = read_rows(data / "url" / "train.tsv.xz")
    unseen = fold_of([row.domain for row in rows], 10) == UNSEEN
    rows = [row for row, out in zip(rows, unseen, strict=True) if out and row.language in names]
    known: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        known[site_of(row.url)[0]][row.language] += 1
    said, truth = [], []
    for row in few_of_a_domain(rows, MOST_OF_DOMAIN):
        others = known[site_of(row.url)[0]] - Counter([row.language])
        hint = host_hint(others, trust)
        if hint is not None:
            both = (url_hint(row.url, address).nats, hint.nats)
            said.append([[nats.get(name, 0.0) for name in names] for nats in both])
            truth.append(names.index(row.language))
    nats = np.clip(np.array(said), -MOST_NATS, MOST_NATS)
    shares = np.log([web_share(name) for name in names])
    for weight in (0.0, 0.3, 0.5, 0.7, 1.0):
        scores = shares + nats[:, 0] + weight * nats[:, 1]
        top = scores.max(1, keepdims=True)
        losses = np.log(np.exp(scores - top).sum(1)) + top[:, 0] - scores[np.arange(len(truth)), truth]
        print(f"weight {weight}: log-loss {losses.mean():.3f} on {len(truth)} URLs")


if __name__ == "__main__":
    main()
