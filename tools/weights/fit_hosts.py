"""Fit the trust in host, domain and top-level domain: `python tools/weights/fit_hosts.py --data ../shared/data`.

Each URL of ``url/train`` is left out of the counts of its host; the trust in each level (evidence/host.py) maximises the
likelihood of the languages of these URLs. With ``--held`` (see tools/weights/held_urls.py) this also prints the loss by the weight
of hosts beside the evidence of the URL, on domains that its model has not seen. The printed numbers are those of
``data/evidence_weights.json``."""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
from held_urls import UNSEEN
from scipy.optimize import minimize

from webtongue.evidence.host import HostTrust, host_hint
from webtongue.evidence.url import url_evidence, url_hint
from webtongue.lab.train.url.rows import assign_folds, limit_per_domain, read_rows
from webtongue.reference.domains import site_of
from webtongue.reference.web_shares import web_share
from webtongue.url.model import load

MAX_URLS_PER_HOST = 20  # so that no host dominates
MAX_URLS_PER_DOMAIN = 6
MAX_NATS = 9.0  # of one source, as in fit_evidence.py


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--held", type=Path, help="a URL model that has not seen a tenth of the domains")
    options = parser.parse_args()
    levels: list[defaultdict[str, Counter[str]]] = [defaultdict(Counter) for _ in range(3)]
    rows = []
    urls_by_host: Counter[str] = Counter()
    for row in read_rows(options.data / "url" / "train.tsv.xz"):
        host, domain = site_of(row.url)
        if not host or not domain or urls_by_host[host] == MAX_URLS_PER_HOST:
            continue
        urls_by_host[host] += 1
        names = (host.rpartition(".")[2], domain, host)
        rows.append((row.language, names))
        for level, name in zip(levels, names, strict=True):
            level[name][row.language] += 1
    counts = np.zeros((len(rows), 3, 2))  # of the language and of all, without the URL itself
    for i, (language, names) in enumerate(rows):
        for k, (level, name) in enumerate(zip(levels, names, strict=True)):
            result = level[name]
            counts[i, k] = result[language] - 1, result.total() - 1
    web = np.array([web_share(language) for language, _ in rows])

    def loss(logs: np.ndarray) -> float:
        share = web
        for k, trust in enumerate(np.exp(logs)):
            share = (counts[:, k, 0] + trust * share) / (counts[:, k, 1] + trust)
        return float(-np.log(share).mean())

    result = minimize(loss, np.zeros(3), method="Nelder-Mead")
    has_others = counts[:, 2, 1] > 0
    same_language_share = counts[has_others, 2, 0] / counts[has_others, 2, 1]
    print(
        f"{len(rows)} URLs; of the others on its host {same_language_share.mean():.1%} are in a URL's language ({has_others.sum()} URLs)"
    )
    print(f"log-loss {loss(np.full(3, 20.0)):.3f} by the web's shares, {result.fun:.3f} by hosts")
    trust = np.exp(result.x)
    print("trust:", dict(zip(("web", "top", "domain"), trust.round(3).tolist(), strict=True)))
    if options.held:
        report_beside_urls(options.data, options.held, HostTrust(*trust.tolist()))


def report_beside_urls(data: Path, held: Path, trust: HostTrust) -> None:
    """Print the log-loss on URLs of unseen domains by the weight of the host hint."""
    model = load(held)
    evidence = url_evidence(model)
    names = [label.partition("_")[0] for label in model.labels[: model.kernel.model_labels]]
    rows = read_rows(data / "url" / "train.tsv.xz")
    unseen = assign_folds([row.domain for row in rows], 10) == UNSEEN
    rows = [row for row, is_unseen in zip(rows, unseen, strict=True) if is_unseen and row.language in names]
    counts_by_host: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        counts_by_host[site_of(row.url)[0]][row.language] += 1
    nats_by_url, truth = [], []
    for row in limit_per_domain(rows, MAX_URLS_PER_DOMAIN):
        others = counts_by_host[site_of(row.url)[0]] - Counter([row.language])
        hint = host_hint(others, trust)
        if hint is not None:
            pair = (url_hint(row.url, evidence).nats, hint.nats)
            nats_by_url.append([[nats.get(name, 0.0) for name in names] for nats in pair])
            truth.append(names.index(row.language))
    nats = np.clip(np.array(nats_by_url), -MAX_NATS, MAX_NATS)
    shares = np.log([web_share(name) for name in names])
    for weight in (0.0, 0.3, 0.5, 0.7, 1.0):
        scores = shares + nats[:, 0] + weight * nats[:, 1]
        highest = scores.max(1, keepdims=True)
        losses = np.log(np.exp(scores - highest).sum(1)) + highest[:, 0] - scores[np.arange(len(truth)), truth]
        print(f"weight {weight}: log-loss {losses.mean():.3f} on {len(truth)} URLs")


if __name__ == "__main__":
    main()
