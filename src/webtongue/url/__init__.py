"""The URL stage: the language of a page by its URL alone, for pages that are not fetched yet, contain no text, or are gone.

``identify_url`` is the stage; ``UrlReader`` holds the model with the priors and the allowlist of an Identifier.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from webtongue import _kernel
from webtongue.policy import LOG_SCALE, URL
from webtongue.text import describe_low_probability
from webtongue.url.explain import part_evidence, printable
from webtongue.url.model import MAX_GUESSES, REASONS, UrlReader
from webtongue.verdict import Evidence, Explanation, Guess, Lazy, Reason, Verdict

__all__ = [
    "MAX_GUESSES",
    "explain",
    "identify_url",
    "identify_urls",
    "log_odds_bits",
    "make_verdict",
    "prior_evidence",
    "single_language",
    "why_unreliable",
]

BITS_PER_UNIT = 1 / (LOG_SCALE * math.log(2))  # bits in one unit of the kernel's logarithms, 1/LOG_SCALE nats
MIN_PROBABILITY = 1e-6  # probabilities are shown with six decimals


def explain(url: str | None, reader: UrlReader) -> Explanation:
    """Return the explanation of a verdict on a URL."""
    reason, ids, logs = reader.rank(url, MAX_GUESSES)
    guesses = tuple(
        Guess(reader.label_of(i, url), _kernel.to_probability(log)) for i, log in zip(ids, logs, strict=True)
    )
    answered = guesses if reason == 0 else ()
    total, prior = _bits(ids, logs, reader)
    evidence = [Evidence("url", printable(url), answered[0].label if answered else "", round(total - prior, 3))]
    evidence += part_evidence(url, reader)
    if prior:
        evidence.append(prior_evidence(guesses[0].label, guesses[1].label, prior))
    why = REASONS[reason][1] or why_unreliable(answered[0].probability)
    return Explanation(why, single_language(answered), guesses, (), tuple(evidence))


def why_unreliable(probability: float) -> str:
    """Return why an answer of this probability is not reliable; empty if it is."""
    return (
        ""
        if probability >= URL.reliable_probability
        else describe_low_probability(probability, URL.reliable_probability)
    )


def _bits(ids: Sequence[int], logs: Sequence[int], reader: UrlReader) -> tuple[float, float]:
    """Return the log odds of the first label against the second in bits, and the part of the prior in it."""
    if len(ids) < 2:
        return log_odds_bits(_kernel.to_probability(logs[0])) if ids else 0.0, 0.0
    prior = reader.log_prior(ids[0]) - reader.log_prior(ids[1])
    return (logs[0] - logs[1]) * BITS_PER_UNIT, prior * BITS_PER_UNIT


def log_odds_bits(probability: float) -> float:
    """Return the log odds of a probability in bits, limited to probabilities of six decimals.

    >>> log_odds_bits(0.8)
    2.0
    """
    probability = min(1 - MIN_PROBABILITY, max(MIN_PROBABILITY, probability))
    return round(math.log2(probability / (1 - probability)), 3)


def prior_evidence(label: str, runner_up: str, bits: float) -> Evidence:
    """Return the prior as a source of evidence: how common two languages are."""
    return Evidence(
        "prior", f"how common {label} and {runner_up} are", label if bits > 0 else runner_up, round(bits, 3)
    )


def single_language(guesses: Sequence[Guess]) -> tuple[tuple[str, float], ...]:
    """Return ``Verdict.languages`` of a URL-only answer: the first guess."""
    return ((guesses[0].label, 1.0),) if guesses else ()


def identify_url(url: str, reader: UrlReader) -> Verdict:
    """Return the verdict on one URL: ``und`` with a reason if it is no URL or carries no evidence."""
    reason, ids, logs = reader.rank(url, 1)
    details = Lazy(explain, url, reader)
    if reason:
        return Verdict("und", 0.0, reason=REASONS[reason][0], details=details)
    return make_verdict(reader.label_of(ids[0], url), _kernel.to_probability(logs[0]), reader.tiers[ids[0]], details)


def identify_urls(
    urls: list[str] | list[str | None], reader: UrlReader, *, with_evidence: bool = True
) -> list[Verdict]:
    """Return verdicts on URLs, in their order; ``und`` for None. Without evidence, they have no guesses, too."""
    ids, logs, reasons = reader.classify(urls)
    tiers, probability = reader.tiers, _kernel.to_probability

    def details(url: str | None, number: int, log: int, reason: int) -> Lazy | Explanation:
        if with_evidence:
            return Lazy(explain, url, reader)
        languages = ((reader.label_of(number, url), 1.0),) if number >= 0 else ()
        return Explanation(REASONS[reason][1] or why_unreliable(probability(log)), languages)

    return [
        make_verdict(reader.label_of(i, url), probability(log), tiers[i], details(url, i, log, reason))
        if i >= 0
        else Verdict("und", 0.0, reason=REASONS[reason][0], details=details(url, i, log, reason))
        for url, i, log, reason in zip(urls, ids.tolist(), logs.tolist(), reasons.tolist(), strict=True)
    ]


def make_verdict(label: str, confidence: float, tier: int, details: Lazy | Explanation) -> Verdict:
    """Return a verdict with a language. Its arguments are positional for speed: a crawl makes one for every URL."""
    reliable = confidence >= URL.reliable_probability
    return Verdict(label, confidence, label[4:], "", 0.0, reliable, Reason.NONE, tier, "", confidence, details)
