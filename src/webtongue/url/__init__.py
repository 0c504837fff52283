"""What language a page is in, by its URL alone: before it is fetched, when it is a video, or when it is gone.

``identify_url`` is the stage; ``UrlReader`` holds the model with the priors and limits of an Identifier.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from webtongue import _kernel
from webtongue.url.evidence import printable, spoken
from webtongue.url.model import NATS, REASONS, UrlReader
from webtongue.verdict import Evidence, Explanation, Guess, Lazy, Reason, Verdict

__all__ = ["RELIABLE", "SHOWN", "alone", "explained", "identify_url", "identify_urls", "odds", "of_prior", "verdict_of"]

SHOWN = 8  # guesses of a verdict
# A verdict to rely on: on domains held out, 97 of 100 such are right (docs/url.md).
RELIABLE = 0.9
BITS = 1 / (NATS * math.log(2))  # in a step of the kernel's logs


def explained(url: str | None, reader: UrlReader) -> Explanation:
    """What a verdict on a URL works out only when asked."""
    reason, ids, logs = reader.rank(url, SHOWN)
    guesses = tuple(Guess(reader.labels[i], _kernel.chance_of(log)) for i, log in zip(ids, logs, strict=True))
    answered = guesses if reason == 0 else ()
    whole, common = _bits(ids, logs, reader)
    found = [Evidence("url", printable(url), answered[0].label if answered else "", round(whole - common, 3))]
    found += spoken(url, reader)
    if common:
        found.append(of_prior(guesses[0].label, guesses[1].label, common))
    return Explanation(REASONS[reason][1], alone(answered), guesses, (), tuple(found))


def _bits(ids: Sequence[int], logs: Sequence[int], reader: UrlReader) -> tuple[float, float]:
    """The log of the odds of the first label against the second in bits, and what of it is how common they are."""
    if len(ids) < 2:
        return odds(_kernel.chance_of(logs[0])) if ids else 0.0, 0.0
    common = reader.log_prior(ids[0]) - reader.log_prior(ids[1])
    return (logs[0] - logs[1]) * BITS, common * BITS


def odds(chance: float) -> float:
    """The log of the odds of a probability, in bits, within what six decimals can say.

    >>> odds(0.8)
    2.0
    """
    chance = min(1 - 1e-6, max(1e-6, chance))
    return round(math.log2(chance / (1 - chance)), 3)


def of_prior(label: str, rival: str, bits: float) -> Evidence:
    """How common languages are, as a source beside others."""
    return Evidence("prior", f"how common {label} and {rival} are", label if bits > 0 else rival, round(bits, 3))


def alone(guesses: Sequence[Guess]) -> tuple[tuple[str, float], ...]:
    """The languages of a page that is known by its address only."""
    return ((guesses[0].label, 1.0),) if guesses else ()


def identify_url(url: str, reader: UrlReader) -> Verdict:
    """The verdict on one URL: ``und`` with a reason where it is no URL or says nothing."""
    reason, ids, logs = reader.rank(url, 1)
    details = Lazy(explained, url, reader)
    if reason:
        return Verdict("und", 0.0, reason=REASONS[reason][0], details=details)
    return verdict_of(reader.labels[ids[0]], _kernel.chance_of(logs[0]), reader.tiers[ids[0]], details)


def identify_urls(urls: list[str] | list[str | None], reader: UrlReader) -> list[Verdict]:
    """Verdicts on many URLs, in their order; ``und`` where one is missing."""
    ids, logs, reasons = reader.classify(urls)
    names, tiers, chance_of = reader.labels, reader.tiers, _kernel.chance_of
    return [
        verdict_of(names[i], chance_of(log), tiers[i], Lazy(explained, url, reader))
        if i >= 0
        else Verdict("und", 0.0, reason=REASONS[reason][0], details=Lazy(explained, url, reader))
        for url, i, log, reason in zip(urls, ids.tolist(), logs.tolist(), reasons.tolist(), strict=True)
    ]


def verdict_of(label: str, confidence: float, tier: int, details: Lazy | Explanation) -> Verdict:
    """Positional, since one is made for every URL of a crawl."""
    reliable = confidence >= RELIABLE
    return Verdict(label, confidence, label[4:], "", 0.0, reliable, Reason.NONE, tier, "", confidence, details)
