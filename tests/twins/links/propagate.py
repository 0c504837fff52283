"""Propagation over a graph, with dictionaries and loops: as the formula has it, changes passed on round by round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from webtongue.links.graph import Config
from webtongue.links.rates import rates


def votes_of(
    links: Mapping[tuple[int, int], float], hosts: Sequence[int], domains: Sequence[int], config: Config
) -> dict[tuple[int, int], float]:
    """Votes of each link: a host's sum to one at most, then a domain's, then those of all to the most."""
    votes = dict(links)
    for site in (hosts, domains):
        sums: defaultdict[tuple[int, int], float] = defaultdict(float)
        for (source, target), vote in votes.items():
            sums[target, site[source]] += vote
        votes = {(s, t): vote / max(1.0, sums[t, site[s]]) for (s, t), vote in votes.items()}
    total: defaultdict[int, float] = defaultdict(float)
    for (_, target), vote in votes.items():
        total[target] += vote
    return {(s, t): vote * min(1.0, config.most_votes / total[t]) for (s, t), vote in votes.items()}


def propagate(
    own: Sequence[Mapping[str, float]],
    letters: Sequence[float],
    links: Sequence[tuple[int, int, float]],
    hosts: Sequence[int],
    domains: Sequence[int],
    config: Config,
) -> tuple[list[dict[str, float]], int, float]:
    once: defaultdict[tuple[int, int], float] = defaultdict(float)
    for source, target, weight in links:
        if source != target and weight > 0:
            once[source, target] = max(once[source, target], weight)
    votes = votes_of(once, hosts, domains, config)
    text = [
        config.text_votes * max(row.values(), default=0.0) * (n / (n + config.half_text)) ** 2
        for row, n in zip(own, letters, strict=True)
    ]
    heard = [sum(vote for (_, target), vote in votes.items() if target == page) for page in range(len(own))]
    knows = [(t + h) / (t + h + config.doubt) for t, h in zip(text, heard, strict=True)]
    wave = [
        {label: p * (text[page] / (text[page] + heard[page]) if heard[page] else 1.0) for label, p in row.items()}
        for page, row in enumerate(own)
    ]
    total = [defaultdict(float, row) for row in wave]
    rounds, residual = 0, max((p for row in wave for p in row.values()), default=0.0)
    keep = {True: rates().of("*", "own").keep, False: rates().of("*", "foreign").keep}
    while residual >= config.cut and rounds < config.most_rounds:
        after: list[defaultdict[str, float]] = [defaultdict(float) for _ in own]
        for (source, target), vote in votes.items():
            share = vote / (text[target] + heard[target]) * keep[domains[source] == domains[target]] * knows[source]
            for label, p in wave[source].items():
                after[target][label] += share * p
        rounds += 1
        residual = max((p for row in after for p in row.values()), default=0.0)
        wave = [{label: p for label, p in row.items() if p >= config.cut} for row in after]
        for row, change in zip(total, wave, strict=True):
            for label, p in change.items():
                row[label] += p
    return [dict(row) for row in total], rounds, residual
