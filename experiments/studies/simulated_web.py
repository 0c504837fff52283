"""Precision of a census of rare languages: a simulated web of 1,000,000 pages, down to languages with one page each.

    python experiments/studies/simulated_web.py [--data DIR] [--work DIR] [--pages 250000] [--errors 15]

Shares of labels follow Zipf's law in the order of the model's web priors (ties at random), the last with one page in a million; a
second run permutes the rare ones, since their true order is unknown. Text is from lines that nothing was trained on (web_text.py),
a fifth of it distorted as on the web (web_distortions.py); noise is from measurements (web_noise.py). The sample is stratified by
label: many pages of common languages, whose few errors outnumber all true pages of a rare one, and some of each rare label. Every
page has the weight of the pages that it represents.

Some results follow from the construction: links and hosts mislead as often as was measured, and the combiner's rates were measured
on the same sites; URLs of small languages are generated from the country tables that the URL evidence uses; declarations of rare
languages mislead like those of common ones. The study shows the errors of text on rare labels, their effect through links and
hosts, and whether the weights of the combiner are right for such a web. It has no unknown languages, no spam, and no pages that
are unusual in other ways."""

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
from web_distortions import distorted_text
from web_pages import DISTORTED_SHARE, Answers, Body, Web, generate_body, generate_columns
from web_score import Sample, Score, pooled_score, threshold, unobserved_bound
from web_text import MIN_UNTOUCHED_LINES, LabelText, read_texts

from webtongue import Identifier

SEED = 1
WEB_PAGES = 1_000_000  # the rarest label has one
MAX_RARE_SHARE = 1e-5
COMMON_LABELS = 60  # most false alarms are on these, so they have the larger part of the sample
COMMON_SAMPLE_SHARE = 0.5  # of the sample
MIN_PAGES, MAX_PAGES_PER_LINE = 20, 12  # of a label; more pages from the same lines add nothing
PAGES_PER_CHUNK = 5_000
NOT_A_LANGUAGE = ("und", "zxx", "mul")
METHODS: Mapping[str, tuple[str, Sequence[str] | None]] = {
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
class PageSample:
    """The sample: pages with the numbers of their labels and the half of the lines that each is generated from."""

    bodies: Sequence[Body]
    gold: NDArray[np.int64]
    half: NDArray[np.bool_]
    is_distorted: NDArray[np.bool_]
    names: Sequence[str]


def rank_labels(names: Sequence[str], priors: Mapping[str, float], rng: Random) -> list[str]:
    """Return labels from the most to the least common by the priors, with ties at random."""
    chance = {name: rng.random() for name in names}
    return sorted(names, key=lambda name: (-priors[name], chance[name]))


def zipf_shares(count: int, web: int = WEB_PAGES) -> NDArray[np.float64]:
    """Return shares by rank, with the exponent that gives the last label one page of the web.

    >>> shares = zipf_shares(1000)
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


def sample_pages(
    texts: Mapping[str, LabelText],
    ranked: Sequence[str],
    shares: NDArray[np.float64],
    noise: web_noise.Noise,
    pages: int,
) -> PageSample:
    """Generate pages of every label: common ones by their share, as many of each other one."""
    rng = Random(SEED)
    per_label = int(pages * (1 - COMMON_SAMPLE_SHARE) / max(1, len(ranked) - COMMON_LABELS))
    common_share = shares[:COMMON_LABELS].sum()
    bodies: list[Body] = []
    gold: list[int] = []
    half: list[bool] = []
    for number, label in enumerate(ranked):
        common = number < COMMON_LABELS
        lines = texts[label].lines(common)
        max_pages = max(MIN_PAGES, MAX_PAGES_PER_LINE * len(lines))
        count = (
            max(per_label, int(pages * COMMON_SAMPLE_SHARE * shares[number] / common_share))
            if common
            else min(per_label, max_pages)
        )
        halves = [lines[odd::2] or lines for odd in (0, 1)]
        distortions = [distorted_text(label, halves[odd], SEED + odd) for odd in (0, 1)]
        for i in range(count):
            odd = i % 2
            bodies.append(generate_body(texts[label], halves[odd], distortions[odd], noise, rng))
            gold.append(number)
            half.append(bool(odd))
    return PageSample(bodies, np.array(gold), np.array(half), np.array([page.is_distorted for page in bodies]), ranked)


def weights(gold: NDArray[np.int64], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share of the web that each page of the sample represents."""
    count = np.bincount(gold, minlength=len(shares))
    return (shares / np.maximum(count, 1))[gold]


ChunkAnswers = dict[str, tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.bool_]]]
# The work of the current run, which processes inherit, since it is too large to send.
_work: list[Callable[[int], ChunkAnswers]] = []


def answer_pages(
    pages: PageSample, noise: web_noise.Noise, web: Web, answers: Answers, methods: Sequence[str]
) -> dict[str, Sample]:
    """Return the answers of each method to the sample, computed on all cores; weights are added later."""
    number = {name: i for i, name in enumerate(pages.names)}
    idents = {name: Identifier(priors=METHODS[name][0], evidence=METHODS[name][1]) for name in methods}

    def answer_chunk(start: int) -> ChunkAnswers:
        rows = generate_columns(
            pages.bodies[start : start + PAGES_PER_CHUNK], noise, web, answers, Random(SEED + start)
        )
        answers_by_method: ChunkAnswers = {}
        for method, ident in idents.items():
            batch = ident.identify_batch(rows, 1)
            answered = np.array(
                [number.get(label, len(number) if label not in NOT_A_LANGUAGE else -1) for label in batch["label"]]
            )
            answers_by_method[method] = (
                answered,
                np.array(batch["confidence"], float),
                np.array(batch["reliable"], bool),
            )
        return answers_by_method

    _work[:] = [answer_chunk]
    starts = range(0, len(pages.bodies), PAGES_PER_CHUNK)
    parts = []
    with get_context("fork").Pool() as pool:
        for part in pool.imap(_chunk, starts):
            parts.append(part)
            print(
                f"\r{min(len(parts) * PAGES_PER_CHUNK, len(pages.bodies)):,} pages", end="", file=sys.stderr, flush=True
            )
    print(file=sys.stderr)
    no_weights = np.zeros(len(pages.gold))
    joined = {
        method: [np.concatenate(column) for column in zip(*(part[method] for part in parts), strict=True)]
        for method in methods
    }
    return {
        method: Sample(pages.gold, answered, no_weights, confidence, reliable)
        for method, (answered, confidence, reliable) in joined.items()
    }


def _chunk(start: int) -> ChunkAnswers:
    return _work[0](start)


def collect_answers(sample: Sample, pages: PageSample) -> Answers:
    """Return the answers of text to pages of each label."""
    answers_by_label: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for gold, answered, confidence in zip(
        sample.gold.tolist(), sample.answered.tolist(), sample.confidence.tolist(), strict=True
    ):
        if 0 <= answered < len(pages.names):
            answers_by_label[pages.names[gold]].append((pages.names[answered], confidence))
    return Answers(answers_by_label)


def format_row(name: str, score: Score, extra: str = "") -> str:
    return (
        f"{name:30} {score.precision:6.1%} ({score.low:5.1%}-{score.high:6.1%}) {score.recall:6.1%} "
        f"{score.macro_precision:6.1%} {score.macro_recall:6.1%} {score.answered:5} {score.false:5} {score.effective:5.0f} {extra}"
    )


HEADER = (
    f"{'':30} {'precision (95%)':>22} {'recall':>6} {'macro':>6} {'recall':>6} {'said':>5} {'false':>5} {'worth':>5}"
)


def print_table(title: str, samples: Mapping[str, Sample], rare: set[int], half: NDArray[np.bool_]) -> None:
    """Print each method with all answers, with reliable ones, and above a threshold from the other half of the lines."""
    print(f"\n{title}\n{HEADER}")
    for method, sample in samples.items():
        print(format_row(method, pooled_score(sample, rare)))
        print(format_row("    reliable", pooled_score(sample.keep_answers(sample.reliable), rare)))
        min_confidence = threshold(sample.select(~half), rare)
        kept = sample.select(half)
        threshold_text = f">= {min_confidence:g}" if min_confidence <= 1 else "none"
        print(
            format_row(
                "    from a threshold",
                pooled_score(kept.keep_answers(kept.confidence >= min_confidence), rare),
                threshold_text,
            )
        )


def print_parts(samples: Mapping[str, Sample], parts: Mapping[str, set[int]], half: NDArray[np.bool_]) -> None:
    """Print parts of the rare labels, each with its own threshold."""
    print(f"\nparts of the rare labels, all pages; then from a threshold of their own\n{HEADER}")
    for method, sample in samples.items():
        for name, labels in parts.items():
            if labels:
                print(format_row(f"{method}, {name} ({len(labels)})", pooled_score(sample, labels)))
                min_confidence = threshold(sample.select(~half), labels)
                kept = sample.select(half)
                print(
                    format_row(
                        "    from a threshold",
                        pooled_score(kept.keep_answers(kept.confidence >= min_confidence), labels),
                        f">= {min_confidence:g}",
                    )
                )


def print_accuracy(samples: Mapping[str, Sample], shares: NDArray[np.float64]) -> None:
    """Print the accuracy on the whole web and on labels of medium frequency, which must not suffer."""
    print(f"\n{'right, of pages':30} {'all':>8} {'of labels from 1e-5 to 1e-3':>28}")
    between = (shares >= MAX_RARE_SHARE) & (shares < 1e-3)
    for method, sample in samples.items():
        right = sample.answered == sample.gold
        is_medium = between[sample.gold]
        medium = sample.weight[right & is_medium].sum() / sample.weight[is_medium].sum()
        print(f"{method:30} {sample.weight[right].sum():8.2%} {medium:28.2%}")


def print_errors(sample: Sample, pages: PageSample, rare: set[int], count: int) -> None:
    """Print the most frequent wrong answers in rare labels, by weight."""
    weight_by_pair: Counter[tuple[str, str]] = Counter()
    example: dict[tuple[str, str], str] = {}
    for i in np.flatnonzero((sample.answered != sample.gold) & np.isin(sample.answered, list(rare))).tolist():
        pair = pages.names[sample.gold[i]], pages.names[sample.answered[i]]
        weight_by_pair[pair] += sample.weight[i]
        example.setdefault(pair, pages.bodies[i].first)
    print(
        f"\nwhat is called a rare label, all evidence weighed (pages of the million): {1e6 * weight_by_pair.total():,.0f}"
    )
    for pair, weight in weight_by_pair.most_common(count):
        print(f"  {pair[0]:>9} -> {pair[1]:9} {1e6 * weight:8.1f}  {example[pair][:60]!r}")


def with_weights(samples: Mapping[str, Sample], shares: NDArray[np.float64]) -> dict[str, Sample]:
    return {method: replace(sample, weight=weights(sample.gold, shares)) for method, sample in samples.items()}


def with_more_distortion(samples: Mapping[str, Sample], is_distorted: NDArray[np.bool_]) -> dict[str, Sample]:
    """Return the samples with twice the weight of distorted pages."""
    times = np.where(is_distorted, 2.0, (1 - 2 * DISTORTED_SHARE) / (1 - DISTORTED_SHARE))
    return {method: replace(sample, weight=sample.weight * times) for method, sample in samples.items()}


def permute_rare(shares: NDArray[np.float64], rare: set[int]) -> NDArray[np.float64]:
    """Return the shares with those of the rare labels permuted."""
    places = np.array(sorted(rare))
    permuted = shares.copy()
    permuted[places] = permuted[np.random.default_rng(SEED).permutation(places)]
    return permuted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default="../shared/data", type=Path, help="data folder")
    parser.add_argument("--work", default="build/simulated_web", type=Path, help="folder for cached lines")
    parser.add_argument("--pages", default=250_000, type=int, help="pages of the sample")
    parser.add_argument("--errors", default=15, type=int, help="kinds of errors to print")
    options = parser.parse_args()
    if not options.data.is_dir():
        sys.exit(f"{options.data} is missing: name the data folder with --data")
    base = Identifier(evidence=())
    texts = read_texts(options.data, set(base.labels), options.work)
    noise = web_noise.measure(options.data)
    priors = dict(zip(base.labels, map(float, base.reader.log_priors), strict=True))
    ranked = rank_labels(sorted(texts), priors, Random(SEED))
    shares = zipf_shares(len(ranked))
    rare = set(np.flatnonzero(shares < MAX_RARE_SHARE).tolist())
    web = Web(ranked, shares.tolist(), frozenset(ranked[i] for i in rare))
    pages = sample_pages(texts, ranked, shares, noise, options.pages)
    study(pages, noise, web, rare, shares, texts, [base.tiers[name] for name in ranked], options.errors)


def study(
    pages: PageSample, noise: web_noise.Noise, web: Web, rare: set[int], shares: NDArray[np.float64],
    texts: Mapping[str, LabelText], tiers: Sequence[int], max_errors: int,
) -> None:  # fmt: skip
    """Run all variants and print their tables."""
    count = np.bincount(pages.gold, minlength=len(shares))
    untouched = sum(bool(texts[name].untouched) for name in web.rare)
    print(
        f"{len(pages.bodies):,} pages of {len(shares)} labels read for {WEB_PAGES:,}; {len(rare)} labels rarer than "
        f"{MAX_RARE_SHARE:g}, together {shares[list(rare)].sum():.3%}"
    )
    print(f"rare labels with untouched sentences: {untouched}; the others have lines left out of training")
    bound = 1e6 * unobserved_bound(shares, count)
    print(f"one label may be called falsely on {bound:.0f} pages of the million without one being seen (95%)")
    print("\n".join(web_noise.report(noise)))
    text = answer_pages(pages, noise, web, Answers({}), [TEXT])[TEXT]
    answers = collect_answers(text, pages)
    samples = answer_pages(pages, noise, web, answers, list(METHODS))
    print_table(f"labels rarer than {MAX_RARE_SHARE:g}", with_weights(samples, shares), rare, pages.half)
    print_accuracy(with_weights(samples, shares), shares)
    parts = {f"tier {tier}": {number for number in rare if tiers[number] == tier} for tier in (1, 2, 3)}
    parts["untouched"] = {number for number in rare if len(texts[pages.names[number]].untouched) >= MIN_UNTOUCHED_LINES}
    print_parts(with_weights({method: samples[method] for method in (TEXT, ALL)}, shares), parts, pages.half)
    print_errors(with_weights(samples, shares)[ALL], pages, rare, max_errors)
    print_table(
        "the rare ones in another order",
        with_weights({method: samples[method] for method in (TEXT, ALL)}, permute_rare(shares, rare)),
        rare,
        pages.half,
    )
    both = with_weights({method: samples[method] for method in (TEXT, ALL)}, shares)
    print_table("twice as many messy pages", with_more_distortion(both, pages.is_distorted), rare, pages.half)
    for title, other in (
        ("noise halved", noise.scaled(0.5)),
        ("noise half as much again", noise.scaled(1.5)),
        ("half of the rare pages that declare say English", replace(noise, declares_english=0.5)),
    ):
        print_table(title, with_weights(answer_pages(pages, other, web, answers, [ALL]), shares), rare, pages.half)


if __name__ == "__main__":
    main()
