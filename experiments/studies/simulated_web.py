"""Can a census of rare languages be trusted? A simulated web of 1,000,000 pages, down to languages with one page each.

    python experiments/studies/simulated_web.py [--data DIR] [--work DIR] [--pages 250000] [--errors 15]

Labels have Zipf's shares, in the order of the model's web priors (ties by chance), the last one page in a million; a second
order deals the rare ones anew, since nobody knows the true one. Text is from lines that nothing was trained on (web_text.py), a
fifth of it as the web makes a mess of it (web_mess.py); noise is from measurements (web_noise.py). No million pages hold enough of
both: pages are drawn label by label, many of common languages, whose few false alarms outweigh all true pages of a rare one, and
some of each rare label, and every page counts as many as it stands for.

By construction, and no finding: links and hosts mislead as often as was measured, and what fuse knows of them was measured on the
same sites; addresses of small languages are made from the country tables that the address hint reads; declarations of rare
languages mislead as those of common ones do. Found are: what text does to rare labels, what its errors do where they come back by
links and hosts, and whether the weights of fuse are right for such a web. Not there: languages that no model knows, spam, and
pages that are rare in more than their language.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from random import Random

import numpy as np
import web_noise
from numpy.typing import NDArray
from web_mess import mess
from web_pages import MESSY, Answers, Body, Web, body, columns
from web_score import Sample, Score, bound, pooled, threshold
from web_text import ENOUGH, Text, gather

from webtongue import Identifier

SEED = 1
WEB = 1_000_000  # pages: the rarest label has one
RARE = 1e-5
COMMON = 60  # labels, of which false alarms come: they get the larger part of the sample
OF_COMMON = 0.5  # of the pages that are read
FEWEST, PER_LINE = 20, 12  # pages of a label: more than so many for each line that it has say the same again
CHUNK = 5_000
SPECIAL = ("und", "zxx", "mul")
WAYS: Mapping[str, tuple[str, Sequence[str] | None]] = {
    "text, equal priors": ("uniform", ()),
    "text, web priors": ("web", ()),
    "+ declared": ("web", ("declared",)),
    "+ url": ("web", ("url",)),
    "+ links": ("web", ("links",)),
    "+ host": ("web", ("host",)),
    "declared, url": ("web", ("declared", "url")),
    "all": ("web", ("declared", "encoding", "url", "links", "host")),
}
TEXT, ALL = "text, web priors", "all"


@dataclass(frozen=True, slots=True)
class Drawn:
    """The sample: pages with the numbers of their labels, and which half of the lines each is made of."""

    bodies: Sequence[Body]
    gold: NDArray[np.int64]
    half: NDArray[np.bool_]
    messy: NDArray[np.bool_]
    names: Sequence[str]


def order(names: Sequence[str], priors: Mapping[str, float], rnd: Random) -> list[str]:
    """Labels from the most to the least common by the priors, ties by chance."""
    chance = {name: rnd.random() for name in names}
    return sorted(names, key=lambda name: (-priors[name], chance[name]))


def zipf(count: int, web: int = WEB) -> NDArray[np.float64]:
    """Shares by rank, whose exponent makes the last one page of the web.

    >>> shares = zipf(1000)
    >>> float(round(shares.sum(), 6)), float(round(shares[-1] * 1e6, 3))
    (1.0, 1.0)
    """
    low, high = 0.5, 4.0
    ranks = np.arange(1, count + 1, dtype=float)
    for _ in range(60):
        power = (low + high) / 2
        shares = ranks**-power / (ranks**-power).sum()
        low, high = (power, high) if shares[-1] > 1 / web else (low, power)
    return shares


def draw(
    texts: Mapping[str, Text], ranked: Sequence[str], shares: NDArray[np.float64], noise: web_noise.Noise, pages: int
) -> Drawn:
    """Pages of every label: common ones by their share, all others alike."""
    rnd = Random(SEED)
    each = int(pages * (1 - OF_COMMON) / max(1, len(ranked) - COMMON))
    whole = shares[:COMMON].sum()
    bodies: list[Body] = []
    gold: list[int] = []
    half: list[bool] = []
    for number, label in enumerate(ranked):
        common = number < COMMON
        lines = texts[label].lines(common)
        most = max(FEWEST, PER_LINE * len(lines))
        wanted = max(each, int(pages * OF_COMMON * shares[number] / whole)) if common else min(each, most)
        halves = [lines[odd::2] or lines for odd in (0, 1)]
        messy = [mess(label, halves[odd], SEED + odd) for odd in (0, 1)]
        for i in range(wanted):
            odd = i % 2
            bodies.append(body(texts[label], halves[odd], messy[odd], noise, rnd))
            gold.append(number)
            half.append(bool(odd))
    return Drawn(bodies, np.array(gold), np.array(half), np.array([one.messy for one in bodies]), ranked)


def weights(gold: NDArray[np.int64], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share of the web that each page of the sample stands for."""
    count = np.bincount(gold, minlength=len(shares))
    return (shares / np.maximum(count, 1))[gold]


Told = dict[str, tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.bool_]]]
_work: list[Callable[[int], Told]] = []  # of the run under way: processes inherit it, since it is too large to send


def answer(drawn: Drawn, noise: web_noise.Noise, web: Web, answers: Answers, ways: Sequence[str]) -> dict[str, Sample]:
    """What each way makes of the sample, on all cores; weights are put in later."""
    number = {name: i for i, name in enumerate(drawn.names)}
    idents = {name: Identifier(priors=WAYS[name][0], evidence=WAYS[name][1]) for name in ways}

    def some(start: int) -> Told:
        rows = columns(drawn.bodies[start : start + CHUNK], noise, web, answers, Random(SEED + start))
        found: Told = {}
        for way, ident in idents.items():
            told = ident.identify_batch(rows, 1)
            said = np.array([number.get(label, len(number) if label not in SPECIAL else -1) for label in told["label"]])
            found[way] = said, np.array(told["confidence"], float), np.array(told["reliable"], bool)
        return found

    _work[:] = [some]
    starts = range(0, len(drawn.bodies), CHUNK)
    parts = []
    with get_context("fork").Pool() as pool:
        for part in pool.imap(_chunk, starts):
            parts.append(part)
            print(f"\r{min(len(parts) * CHUNK, len(drawn.bodies)):,} pages", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    none = np.zeros(len(drawn.gold))
    joined = {
        way: [np.concatenate(column) for column in zip(*(part[way] for part in parts), strict=True)] for way in ways
    }
    return {way: Sample(drawn.gold, said, none, sure, reliable) for way, (said, sure, reliable) in joined.items()}


def _chunk(start: int) -> Told:
    return _work[0](start)


def answers_of(sample: Sample, drawn: Drawn) -> Answers:
    """What text says of pages of each label."""
    found: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for gold, said, sure in zip(sample.gold.tolist(), sample.said.tolist(), sample.confidence.tolist(), strict=True):
        if 0 <= said < len(drawn.names):
            found[drawn.names[gold]].append((drawn.names[said], sure))
    return Answers(found)


def line(name: str, score: Score, extra: str = "") -> str:
    return (
        f"{name:30} {score.precision:6.1%} ({score.low:5.1%}-{score.high:6.1%}) {score.recall:6.1%} "
        f"{score.macro_precision:6.1%} {score.macro_recall:6.1%} {score.answered:5} {score.false:5} {score.effective:5.0f} {extra}"
    )


HEAD = f"{'':30} {'precision (95%)':>22} {'recall':>6} {'macro':>6} {'recall':>6} {'said':>5} {'false':>5} {'worth':>5}"


def table(title: str, samples: Mapping[str, Sample], rare: set[int], half: NDArray[np.bool_]) -> None:
    """Each way at its default decision, where it is reliable, and above a threshold that the other half of the lines set."""
    print(f"\n{title}\n{HEAD}")
    for way, sample in samples.items():
        print(line(way, pooled(sample, rare)))
        print(line("    reliable", pooled(sample.only(sample.reliable), rare)))
        least = threshold(sample.some(~half), rare)
        kept = sample.some(half)
        shown = f">= {least:g}" if least <= 1 else "none"
        print(line("    from a threshold", pooled(kept.only(kept.confidence >= least), rare), shown))


def by_part(samples: Mapping[str, Sample], parts: Mapping[str, set[int]], half: NDArray[np.bool_]) -> None:
    """Parts of the rare labels, each with a threshold of its own."""
    print(f"\nparts of the rare labels, all pages; then from a threshold of their own\n{HEAD}")
    for way, sample in samples.items():
        for name, some in parts.items():
            if some:
                print(line(f"{way}, {name} ({len(some)})", pooled(sample, some)))
                least = threshold(sample.some(~half), some)
                kept = sample.some(half)
                print(line("    from a threshold", pooled(kept.only(kept.confidence >= least), some), f">= {least:g}"))


def all_right(samples: Mapping[str, Sample], shares: NDArray[np.float64]) -> None:
    """The whole web, and its commoner half by labels: what helps the rare must not harm the rest."""
    print(f"\n{'right, of pages':30} {'all':>8} {'of labels from 1e-5 to 1e-3':>28}")
    between = (shares >= RARE) & (shares < 1e-3)
    for way, sample in samples.items():
        right = sample.said == sample.gold
        some = between[sample.gold]
        print(
            f"{way:30} {sample.weight[right].sum():8.2%} {sample.weight[right & some].sum() / sample.weight[some].sum():28.2%}"
        )


def errors(sample: Sample, drawn: Drawn, rare: set[int], count: int) -> None:
    """What is most often called a rare label, by weight."""
    heavy: Counter[tuple[str, str]] = Counter()
    example: dict[tuple[str, str], str] = {}
    for i in np.flatnonzero((sample.said != sample.gold) & np.isin(sample.said, list(rare))).tolist():
        pair = drawn.names[sample.gold[i]], drawn.names[sample.said[i]]
        heavy[pair] += sample.weight[i]
        example.setdefault(pair, drawn.bodies[i].first)
    print(f"\nwhat is called a rare label, all evidence weighed (pages of the million): {1e6 * heavy.total():,.0f}")
    for pair, weight in heavy.most_common(count):
        print(f"  {pair[0]:>9} -> {pair[1]:9} {1e6 * weight:8.1f}  {example[pair][:60]!r}")


def weighed(samples: Mapping[str, Sample], shares: NDArray[np.float64]) -> dict[str, Sample]:
    return {way: replace(sample, weight=weights(sample.gold, shares)) for way, sample in samples.items()}


def messier(samples: Mapping[str, Sample], messy: NDArray[np.bool_]) -> dict[str, Sample]:
    """The same with twice as many messy pages."""
    times = np.where(messy, 2.0, (1 - 2 * MESSY) / (1 - MESSY))
    return {way: replace(sample, weight=sample.weight * times) for way, sample in samples.items()}


def dealt_anew(shares: NDArray[np.float64], rare: set[int]) -> NDArray[np.float64]:
    """The same shares, those of the rare labels in another order."""
    places = np.array(sorted(rare))
    out = shares.copy()
    out[places] = out[np.random.default_rng(SEED).permutation(places)]
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default="../shared/data", type=Path, help="the data folder")
    parser.add_argument("--work", default="build/simulated_web", type=Path, help="where the lines are kept")
    parser.add_argument("--pages", default=250_000, type=int, help="that are read, to stand for the web's million")
    parser.add_argument("--errors", default=15, type=int, help="kinds of error shown")
    options = parser.parse_args()
    if not options.data.is_dir():
        sys.exit(f"{options.data} is missing: this study needs the data folder, given by --data")
    base = Identifier(evidence=())
    texts = gather(options.data, set(base.labels), options.work)
    noise = web_noise.measure(options.data)
    priors = dict(zip(base.labels, map(float, base.reader.log_priors), strict=True))
    ranked = order(sorted(texts), priors, Random(SEED))
    shares = zipf(len(ranked))
    rare = set(np.flatnonzero(shares < RARE).tolist())
    web = Web(ranked, shares.tolist(), frozenset(ranked[i] for i in rare))
    drawn = draw(texts, ranked, shares, noise, options.pages)
    study(drawn, noise, web, rare, shares, texts, [base.tiers[name] for name in ranked], options.errors)


def study(
    drawn: Drawn, noise: web_noise.Noise, web: Web, rare: set[int], shares: NDArray[np.float64], texts: Mapping[str, Text],
    tiers: Sequence[int], shown: int,
) -> None:  # fmt: skip
    """All runs and their tables."""
    count = np.bincount(drawn.gold, minlength=len(shares))
    untouched = sum(bool(texts[name].untouched) for name in web.rare)
    print(
        f"{len(drawn.bodies):,} pages of {len(shares)} labels read for {WEB:,}; {len(rare)} labels rarer than {RARE:g}, "
        f"together {shares[list(rare)].sum():.3%}"
    )
    print(f"rare labels with untouched sentences: {untouched}; the others have lines left out of training")
    print(
        f"one label may be called falsely on {1e6 * bound(shares, count):.0f} pages of the million without one being seen (95%)"
    )
    print("\n".join(web_noise.report(noise)))
    text = answer(drawn, noise, web, Answers({}), [TEXT])[TEXT]
    answers = answers_of(text, drawn)
    samples = answer(drawn, noise, web, answers, list(WAYS))
    table(f"labels rarer than {RARE:g}", weighed(samples, shares), rare, drawn.half)
    all_right(weighed(samples, shares), shares)
    parts = {f"tier {tier}": {number for number in rare if tiers[number] == tier} for tier in (1, 2, 3)}
    parts["untouched"] = {number for number in rare if len(texts[drawn.names[number]].untouched) >= ENOUGH}
    by_part(weighed({way: samples[way] for way in (TEXT, ALL)}, shares), parts, drawn.half)
    errors(weighed(samples, shares)[ALL], drawn, rare, shown)
    table(
        "the rare ones in another order",
        weighed({way: samples[way] for way in (TEXT, ALL)}, dealt_anew(shares, rare)),
        rare,
        drawn.half,
    )
    both = weighed({way: samples[way] for way in (TEXT, ALL)}, shares)
    table("twice as many messy pages", messier(both, drawn.messy), rare, drawn.half)
    for title, other in (
        ("noise halved", noise.scaled(0.5)),
        ("noise half as much again", noise.scaled(1.5)),
        ("half of the rare pages that declare say English", replace(noise, shy=0.5)),
    ):
        table(title, weighed(answer(drawn, other, web, answers, [ALL]), shares), rare, drawn.half)


if __name__ == "__main__":
    main()
