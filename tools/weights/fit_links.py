"""How often links keep the language of their page: `python tools/weights/fit_links.py --data ../shared/data`.

Reads links/edges.tsv.xz (links of saved pages whose language is known) and url/train.tsv.xz (languages of addresses). A link's target
is known by its own address, or else by a registered domain of which at least nine in ten of two or more addresses are in one language. Addresses that got
their language from these very links (sources `links_*`) are left out. Links of one domain to another are one observation between
them, so that a list of links on every page of a site counts once.

Writes src/webtongue/data/links.tsv: chances of a link to leave for English and for any other language, at the upper bounds of
their 95% intervals (one-sided), and four settings: the weight of a link's words beside a linking page whose language is known, and alone; the power of the
number of linking domains; and how often pages are in another language than all of three or more linking domains, again at the upper bound. The
weight of `hreflang` is no measurement of ours: it is how often `lang` is right in Chew, Mikami and Nagano (2011), table 1.
"""

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
from webtongue.hints.domain import registered_domain
from webtongue.links.hayati import majority
from webtongue.links.hint import combined
from webtongue.links.rates import ANY, ENGLISH, FOREIGN, OWN, Rate, Rates
from webtongue.links.votes import Site, Spread, led, mixed, spoken
from webtongue.train.url.rows import read_rows

OUT = files.DATA / "links.tsv"
PURE, LEAST_URLS = 0.9, 2  # of a domain that stands for its addresses
LEAST_PAIRS = 100  # pairs of domains that a language needs for a row of its own
HREFLANG = 506 / 698  # Chew, Mikami and Nagano (2011), table 1
WEIGHTS = np.arange(0, 1, 0.05)
POWERS = np.arange(0, 1.05, 0.05)
UNANIMOUS = 3  # linking domains of pages by which the chance of links of another kind is measured
MOST_ANCHORS = 6000  # read for the weights of words


@dataclass(frozen=True, slots=True)
class Edge:
    """A link whose two ends are known."""

    source: str
    target: str
    language: str
    truth: str
    anchor: str
    kind: str


@cache
def language(code: str) -> str:
    parsed = labels.parse(code)
    return labels.fold(parsed).language if parsed else ""


def known(data: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Languages of addresses and of domains that are nearly of one language."""
    urls: dict[str, str] = {}
    domains: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in read_rows(data / "url" / "train.tsv.xz"):
        if not row.source.startswith("links_"):
            urls[row.url] = row.language
            domains[row.domain][row.language] += 1
    pure = {}
    for name, counts in domains.items():
        top, count = counts.most_common(1)[0]
        if counts.total() >= LEAST_URLS and count >= PURE * counts.total():
            pure[name] = top
    return urls, pure


def edges(data: Path) -> Iterator[Edge]:
    urls, pure = known(data)
    domain = cache(registered_domain)
    with lzma.open(data / "links" / "edges.tsv.xz", "rt", encoding="utf-8", errors="replace") as file:
        next(file)
        for line in file:
            cells = line.rstrip("\n").split("\t")
            if len(cells) != 5 or cells[0] == cells[3]:
                continue
            source, target = domain(cells[0]), domain(cells[3])
            truth = urls.get(cells[3]) or pure.get(target)
            if truth and source and language(cells[1]):
                kind = OWN if source == target else FOREIGN
                yield Edge(source, target, language(cells[1]), truth, cells[4].strip(), kind)


def shares() -> dict[str, float]:
    powers = {name: 10 ** float(power) for name, power in files.rows("priors.tsv")}
    total = sum(powers.values())
    return {name: power / total for name, power in powers.items()}


def upper(count: float, total: float) -> float:
    return float(beta.ppf(0.95, count + 1, max(total - count, 1e-9)))


def measured(links: list[Edge], kind: str, of: dict[str, float]) -> dict[str, tuple[int, float, float, Rate]]:
    """By language: pairs, and those that keep it and go to English, and the rate with leaks at their upper bounds."""
    pairs: defaultdict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for edge in links:
        if edge.kind == kind:
            pairs[edge.language, edge.source, edge.target][edge.truth] += 1
    sums: defaultdict[str, np.ndarray] = defaultdict(lambda: np.zeros(3))
    for (name, _, _), counts in pairs.items():
        parts = np.array([counts[name], counts[ENGLISH] * (name != ENGLISH), 0], float)
        parts[2] = counts.total() - parts.sum()
        sums[name] += parts / counts.total()
    pooled = sum((s for name, s in sums.items() if name != ENGLISH), np.zeros(3))
    rows = {name: s for name, s in sums.items() if s.sum() >= LEAST_PAIRS} | {ANY: pooled}
    return {name: (round(s.sum()), s[0], s[1], rate_of(name, s, of)) for name, s in sorted(rows.items())}


def rate_of(name: str, parts: np.ndarray, of: dict[str, float]) -> Rate:
    """Free mass falls on the language itself and on English too, as common as they are: what was seen is more than what it adds."""
    total = parts.sum()
    inside = of.get(name, 0.0) + of[ENGLISH] * (name != ENGLISH)
    free = min(0.9, upper(parts[2], total) / (1 - inside))
    english = 0.0 if name == ENGLISH else max(1e-4, upper(parts[1], total) - free * of[ENGLISH])
    return Rate(1 - free - english, english, free)


def loss_of_words(links: list[Edge], rates: Rates) -> tuple[float, float]:
    """The weights of words of least loss: beside a language that is known, and alone."""
    seen, chosen = set(), []
    for edge in links:
        key = (edge.source, edge.target, edge.truth)
        if edge.anchor and key not in seen:
            seen.add(key)
            chosen.append(edge)
    chosen = [chosen[i] for i in np.random.default_rng(13).permutation(len(chosen))[:MOST_ANCHORS]]
    ident = Identifier()
    losses = np.zeros((2, len(WEIGHTS)))
    count = 0
    for edge in chosen:
        words = spoken(edge.anchor[:200], lambda text: ident.identify_text(text).guesses)
        if not words.mass:
            continue
        count += 1
        link = led(edge.language, rates.of(edge.language, edge.kind))
        for i, base in enumerate((link, Spread({}, 1.0))):
            for j, weight in enumerate(WEIGHTS):
                both = mixed(base, words, weight)
                losses[i, j] -= math.log(both.mass.get(edge.truth, 0.0) + both.free * rates.share(edge.truth))
    print(f"words of {count} links: loss by weight, beside a known language and alone")
    for j, weight in enumerate(WEIGHTS):
        print(f"  {weight:.2f}  {losses[0, j] / count:.4f}  {losses[1, j] / count:.4f}")
    return float(WEIGHTS[losses[0].argmin()]), float(WEIGHTS[losses[1].argmin()])


def several(links: list[Edge], least: int = 2) -> list[tuple[str, dict[str, str]]]:
    """Domains that two or more others (``least``) link to: their language, and those of the linking ones."""
    found: defaultdict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for edge in links:
        if edge.kind == FOREIGN:
            found[edge.target, edge.truth].setdefault(edge.source, edge.language)
    best: dict[str, tuple[str, dict[str, str]]] = {}
    for (target, truth), sources in found.items():
        if len(sources) > len(best.get(target, ("", {}))[1]):
            best[target] = (truth, sources)
    return [(truth, sources) for truth, sources in best.values() if len(sources) >= least]


def posterior(sources: dict[str, str], rates: Rates) -> tuple[dict[str, float], float]:
    """Chances of languages by links alone, and by what the share of any other is to be multiplied."""
    sites = [Site(False, led(name, rates.of(name, FOREIGN)), ()) for name in sources.values()]
    nats = combined(sites, rates)
    mass = {name: rates.share(name) * math.exp(value) for name, value in nats.items()}
    total = sum(mass.values()) + max(0.05, 1 - sum(rates.share(name) for name in nats))
    return {name: value / total for name, value in mass.items()}, 1 / total


def loss(targets: list[tuple[str, dict[str, str]]], rates: Rates) -> float:
    """The mean loss of what is said of domains by their links."""
    lost = 0.0
    for truth, sources in targets:
        said, other = posterior(sources, rates)
        lost -= math.log(said.get(truth, rates.share(truth) * other))
    return lost / len(targets)


def with_power(targets: list[tuple[str, dict[str, str]]], rates: Rates) -> Rates:
    """Rates with the power of least loss."""
    tried = [replace(rates, settings={**rates.settings, "power": float(power)}) for power in POWERS]
    losses = [loss(targets, one) for one in tried]
    for power, found in zip(POWERS, losses, strict=True):
        print(f"  power {power:.2f}: loss {found:.4f}")
    return tried[int(np.argmin(losses))]


def fitted(links: list[Edge], of: dict[str, float]) -> tuple[dict, Rates, str]:
    """All that is measured but the weights of words: rows of the table, rates, and a sentence on unanimous links."""
    found = {(kind, name): row for kind in (OWN, FOREIGN) for name, row in measured(links, kind, of).items()}
    targets = several(links)
    alike = [(truth, set(s.values())) for truth, s in targets if len(s) >= UNANIMOUS and len(set(s.values())) == 1]
    wrong = sum(truth not in names for truth, names in alike)
    settings = {"unlike": upper(wrong, len(alike)), "hreflang": HREFLANG, "power": 1.0}
    rates = with_power(targets, Rates({key: row[3] for key, row in found.items()}, of, settings))
    sentence = (
        f"{len(targets)} domains with two or more linking ones; {wrong} of {len(alike)} with {UNANIMOUS} or more, all in one "
        "language, are in another"
    )
    return found, rates, sentence


def held_out(links: list[Edge], of: dict[str, float]) -> None:
    """By links alone, what is right of domains that the rates were not measured on."""
    rows: list[tuple[bool, bool, float, bool]] = []
    for fold in (0, 1):
        inside = [edge for edge in links if crc32(edge.target.encode()) % 2 == fold]
        _, rates, _ = fitted([edge for edge in links if crc32(edge.target.encode()) % 2 != fold], of)
        for truth, sources in several(inside, 1):
            said, _ = posterior(sources, rates)
            best = max(said, key=lambda name: (said[name], name))
            rows.append((majority(sources.values()) == truth, best == truth, said[best], len(sources) > 1))
    for name, some in (("one linking domain", False), ("two and more", True)):
        part = [row for row in rows if row[3] == some]
        vote, ours, sure = (100 * sum(row[i] for row in part) / len(part) for i in range(3))
        print(
            f"held out, {len(part)} domains with {name}: majority {vote:.1f}% right, ours {ours:.1f}%, said {sure:.1f}%"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    links = list(edges(parser.parse_args().data))
    of = shares()
    held_out(links, of)
    found, rates, sentence = fitted(links, of)
    beside, alone = loss_of_words(links, rates)
    settings = {**rates.settings, "anchor": beside, "anchor alone": alone}
    lines = [
        f"# Rates of links: written by tools/weights/fit_links.py on {date.today()} from {len(links)} links of known ends",
        f"# ({sentence}).",
        "# kind, language (* any other than those listed), pairs of domains, share that keeps it, share that goes to English;",
        "# then the chances with those of leaving at the upper bounds of 95%: to keep it, to English, to any by how common it is.",
    ]
    for (kind, name), (pairs, kept, english, rate) in found.items():
        cells = (
            f"{kept / pairs:.4f}",
            f"{english / pairs:.4f}",
            f"{rate.keep:.5f}",
            f"{rate.english:.5f}",
            f"{rate.free:.5f}",
        )
        lines.append("\t".join((kind, name, str(pairs), *cells)))
    lines += [f"setting\t{name}\t{value:.4f}" for name, value in sorted(settings.items())]
    OUT.write_text("\n".join(lines) + "\n", "utf-8")
    print(OUT.read_text("utf-8"))


if __name__ == "__main__":
    main()
