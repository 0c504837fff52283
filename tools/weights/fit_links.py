"""Fit the rates at which links keep the language of their page: `python tools/weights/fit_links.py --data ../shared/data`.

This reads links/edges.tsv.xz (links of saved pages whose language is known) and url/train.tsv.xz (languages of URLs). The language
of a link's target is that of its URL or, if that is not listed, of its registered domain, if at least nine in ten of two or more
URLs on it are in one language. URLs whose language comes from these links (sources `links_*`) are excluded. All links from one
domain to another are one observation, so that links on every page of a site count once.

This writes src/webtongue/data/links.tsv: the probabilities that a link leads to English and to any other language, at the upper
bounds of their one-sided 95% intervals, and four settings: the weight of anchor text beside a linking page with a known language,
and without one; the power of the number of linking domains; and how often pages are in another language than all of three or more
linking domains, again at the upper bound. The weight of `hreflang` is the accuracy of `lang` in Chew, Mikami and Nagano (2011),
table 1."""

from __future__ import annotations

import argparse
import lzma
import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from zlib import crc32

import numpy as np
from scipy.stats import beta

from webtongue import Identifier, files, labels
from webtongue.evidence.link_rates import ANY, ENGLISH, FOREIGN, OWN, Rate, Rates
from webtongue.evidence.link_votes import Distribution, anchor_distribution, make_reader
from webtongue.evidence.links import links_hint
from webtongue.lab.methods.hayati import majority
from webtongue.lab.papers.hayati_webs import find_target_languages
from webtongue.lab.train.url.rows import read_rows
from webtongue.page import Inlink
from webtongue.reference.domains import registered_domain

TARGET = files.DATA / "links.tsv"
MIN_PAIRS = 100  # pairs of domains; languages with fewer have no row
HREFLANG = 506 / 698  # Chew, Mikami and Nagano (2011), table 1
WEIGHTS = np.arange(0, 1, 0.05)
POWERS = np.arange(0, 1.05, 0.05)
UNANIMOUS_DOMAINS = 3  # for the rate of pages in another language than all linking domains
MAX_ANCHORS = 6000  # for the weights of anchor text


@dataclass(frozen=True, slots=True)
class Edge:
    """A link between pages whose languages are known."""

    source: str
    target: str
    language: str
    truth: str
    anchor: str
    kind: str


@cache
def fold_code(code: str) -> str:
    parsed = labels.parse(code)
    return labels.fold(parsed).language if parsed else ""


def read_edges(data: Path) -> Iterator[Edge]:
    language_by_url, language_by_domain = find_target_languages(read_rows(data / "url" / "train.tsv.xz"))
    domain = cache(registered_domain)
    with lzma.open(data / "links" / "edges.tsv.xz", "rt", encoding="utf-8", errors="replace") as file:
        next(file)
        for line in file:
            cells = line.rstrip("\n").split("\t")
            if len(cells) != 5 or cells[0] == cells[3]:
                continue
            source, target = domain(cells[0]), domain(cells[3])
            truth = language_by_url.get(cells[3]) or language_by_domain.get(target)
            if truth and source and fold_code(cells[1]):
                kind = OWN if source == target else FOREIGN
                yield Edge(source, target, fold_code(cells[1]), truth, cells[4].strip(), kind)


def web_shares() -> dict[str, float]:
    powers = {name: 10 ** float(power) for name, power in files.read_rows("priors.tsv")}
    total = sum(powers.values())
    return {name: power / total for name, power in powers.items()}


def upper_bound(count: float, total: float) -> float:
    return float(beta.ppf(0.95, count + 1, max(total - count, 1e-9)))


def measure_rates(links: list[Edge], kind: str, shares: dict[str, float]) -> dict[str, tuple[int, float, float, Rate]]:
    """Return by language the pairs of domains, those that keep the language and that lead to English, and the rate at its bounds."""
    pairs: defaultdict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for edge in links:
        if edge.kind == kind:
            pairs[edge.language, edge.source, edge.target][edge.truth] += 1
    sums: defaultdict[str, np.ndarray] = defaultdict(lambda: np.zeros(3))
    for (name, _, _), counts in pairs.items():
        pair = np.array([counts[name], counts[ENGLISH] * (name != ENGLISH), 0], float)
        pair[2] = counts.total() - pair.sum()
        sums[name] += pair / counts.total()
    pooled = sum((parts for name, parts in sums.items() if name != ENGLISH), np.zeros(3))
    rows = {name: parts for name, parts in sums.items() if parts.sum() >= MIN_PAIRS} | {ANY: pooled}
    return {
        name: (round(parts.sum()), parts[0], parts[1], make_rate(name, parts, shares))
        for name, parts in sorted(rows.items())
    }


def make_rate(name: str, parts: np.ndarray, shares: dict[str, float]) -> Rate:
    """Return a rate; its free mass also falls on the language itself and on English, by their shares, and is corrected for that."""
    total = parts.sum()
    inside = shares.get(name, 0.0) + shares[ENGLISH] * (name != ENGLISH)
    free = min(0.9, upper_bound(parts[2], total) / (1 - inside))
    english = 0.0 if name == ENGLISH else max(1e-4, upper_bound(parts[1], total) - free * shares[ENGLISH])
    return Rate(1 - free - english, english, free)


def fit_anchor_weights(links: list[Edge], rates: Rates) -> tuple[float, float]:
    """Return the weights of anchor text of least loss: beside a known language, and without one."""
    pairs, chosen = set(), []
    for edge in links:
        key = (edge.source, edge.target, edge.truth)
        if edge.anchor and key not in pairs:
            pairs.add(key)
            chosen.append(edge)
    chosen = [chosen[i] for i in np.random.default_rng(13).permutation(len(chosen))[:MAX_ANCHORS]]
    ident = Identifier()
    losses = np.zeros((2, len(WEIGHTS)))
    count = 0
    for edge in chosen:
        anchor = anchor_distribution(edge.anchor[:200], lambda text: ident.identify_text(text).guesses)
        if not anchor.mass:
            continue
        count += 1
        link = link_distribution(edge.language, rates.get(edge.language, edge.kind))
        for i, base in enumerate((link, Distribution({}, 1.0))):
            for j, weight in enumerate(WEIGHTS):
                both = mix(base, anchor, weight)
                losses[i, j] -= math.log(both.mass.get(edge.truth, 0.0) + both.free * rates.share(edge.truth))
    print(f"words of {count} links: loss by weight, beside a known language and alone")
    for j, weight in enumerate(WEIGHTS):
        print(f"  {weight:.2f}  {losses[0, j] / count:.4f}  {losses[1, j] / count:.4f}")
    return float(WEIGHTS[losses[0].argmin()]), float(WEIGHTS[losses[1].argmin()])


def link_distribution(language: str, rate: Rate) -> Distribution:
    """Return the distribution of the linked page's language by the linking page's, as in native/url/link_votes.cpp."""
    mass = {language: rate.keep}
    mass[ENGLISH] = mass.get(ENGLISH, 0.0) + rate.english
    return Distribution(mass, rate.free)


def mix(first: Distribution, second: Distribution, weight: float) -> Distribution:
    """Return a mixture of two distributions, the second with this weight, as in native/url/link_votes.cpp."""
    names = sorted({*first.mass, *second.mass})
    mass = {n: (1 - weight) * first.mass.get(n, 0.0) + weight * second.mass.get(n, 0.0) for n in names}
    return Distribution(mass, (1 - weight) * first.free + weight * second.free)


def linked_domains(links: list[Edge], min_sources: int = 2) -> list[tuple[str, dict[str, str]]]:
    """Return the languages of domains with ``min_sources`` or more linking domains, and those of the linking domains."""
    sources_by_target: defaultdict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for edge in links:
        if edge.kind == FOREIGN:
            sources_by_target[edge.target, edge.truth].setdefault(edge.source, edge.language)
    best: dict[str, tuple[str, dict[str, str]]] = {}
    for (target, truth), sources in sources_by_target.items():
        if len(sources) > len(best.get(target, ("", {}))[1]):
            best[target] = (truth, sources)
    return [(truth, sources) for truth, sources in best.values() if len(sources) >= min_sources]


def posterior(sources: dict[str, str], rates: Rates) -> tuple[dict[str, float], float]:
    """Return probabilities of languages by links alone, and the factor for the share of any other language."""
    links = [Inlink(f"https://{domain}/", language) for domain, language in sources.items()]
    nats = links_hint(links, reader=make_reader(rates)).nats
    mass = {name: rates.share(name) * math.exp(value) for name, value in nats.items()}
    total = sum(mass.values()) + max(0.05, 1 - sum(rates.share(name) for name in nats))
    return {name: value / total for name, value in mass.items()}, 1 / total


def mean_loss(targets: list[tuple[str, dict[str, str]]], rates: Rates) -> float:
    """Return the mean log-loss of the languages of domains by their links."""
    total = 0.0
    for truth, sources in targets:
        probabilities, other = posterior(sources, rates)
        total -= math.log(probabilities.get(truth, rates.share(truth) * other))
    return total / len(targets)


def fit_power(targets: list[tuple[str, dict[str, str]]], rates: Rates) -> Rates:
    """Return the rates with the power of least loss."""
    candidates = [replace(rates, settings={**rates.settings, "power": float(power)}) for power in POWERS]
    losses = [mean_loss(targets, candidate) for candidate in candidates]
    for power, value in zip(POWERS, losses, strict=True):
        print(f"  power {power:.2f}: loss {value:.4f}")
    return candidates[int(np.argmin(losses))]


def fit_rates(links: list[Edge], shares: dict[str, float]) -> tuple[dict, Rates, str]:
    """Return rows of the table, rates without the weights of anchor text, and a sentence on unanimous links."""
    rows = {(kind, name): row for kind in (OWN, FOREIGN) for name, row in measure_rates(links, kind, shares).items()}
    targets = linked_domains(links)
    unanimous = [
        (truth, set(sources.values()))
        for truth, sources in targets
        if len(sources) >= UNANIMOUS_DOMAINS and len(set(sources.values())) == 1
    ]
    wrong = sum(truth not in names for truth, names in unanimous)
    settings = {"unlike": upper_bound(wrong, len(unanimous)), "hreflang": HREFLANG, "power": 1.0}
    rates = fit_power(targets, Rates({key: row[3] for key, row in rows.items()}, shares, settings))
    sentence = (
        f"{len(targets)} domains with two or more linking ones; {wrong} of {len(unanimous)} with {UNANIMOUS_DOMAINS} or more, all in one "
        "language, are in another"
    )
    return rows, rates, sentence


def report_held_out(links: list[Edge], shares: dict[str, float]) -> None:
    """Print the accuracy of links alone on domains that the rates were not measured on."""
    rows: list[tuple[bool, bool, float, bool]] = []
    for fold in (0, 1):
        test = [edge for edge in links if crc32(edge.target.encode()) % 2 == fold]
        _, rates, _ = fit_rates([edge for edge in links if crc32(edge.target.encode()) % 2 != fold], shares)
        for truth, sources in linked_domains(test, 1):
            probabilities, _ = posterior(sources, rates)
            best = max(probabilities, key=lambda name: (probabilities[name], name))
            rows.append((majority(sources.values()) == truth, best == truth, probabilities[best], len(sources) > 1))
    for name, has_several in (("one linking domain", False), ("two and more", True)):
        subset = [row for row in rows if row[3] == has_several]
        vote, ours, stated = (100 * sum(row[i] for row in subset) / len(subset) for i in range(3))
        print(
            f"held out, {len(subset)} domains with {name}: majority {vote:.1f}% right, ours {ours:.1f}%, said {stated:.1f}%"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    links = list(read_edges(parser.parse_args().data))
    shares = web_shares()
    report_held_out(links, shares)
    rows, rates, sentence = fit_rates(links, shares)
    beside_language, alone = fit_anchor_weights(links, rates)
    settings = {**rates.settings, "anchor": beside_language, "anchor alone": alone}
    lines = [
        f"# Rates of links: written by tools/weights/fit_links.py on {date.today()} from {len(links)} links of known ends",
        f"# ({sentence}).",
        "# kind, language (* any other than those listed), pairs of domains, share that keeps it, share that goes to English;",
        "# then the chances with those of leaving at the upper bounds of 95%: to keep it, to English, to any by how common it is.",
    ]
    for (kind, name), (pairs, kept, english, rate) in rows.items():
        cells = (
            f"{kept / pairs:.4f}",
            f"{english / pairs:.4f}",
            f"{rate.keep:.5f}",
            f"{rate.english:.5f}",
            f"{rate.free:.5f}",
        )
        lines.append("\t".join((kind, name, str(pairs), *cells)))
    lines += [f"setting\t{name}\t{value:.4f}" for name, value in sorted(settings.items())]
    TARGET.write_text("\n".join(lines) + "\n", "utf-8")
    print(TARGET.read_text("utf-8"))


if __name__ == "__main__":
    main()
