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

__all__ = ["explained", "identify_url", "identify_urls", "with_anchor"]

SHOWN = 8  # guesses of a verdict
# A verdict to rely on: on domains held out, 97 of 100 such are right (docs/url.md).
RELIABLE = 0.9
TIER = 2  # a URL is never proof of what a page is in
# Of the words of a link against the URL they lead to: the weight of least loss on 4,555 links to domains held out of
# training (tools/weights/fit_anchor.py). 0 gave 93.4% right, this 94.3%, 1 gave 92.1%.
ANCHOR_WEIGHT = 0.35
LEAST = 1e-4  # probability of a label that an anchor does not name


def explained(url: str | None, reader: UrlReader, ip: str | None = None) -> Explanation:
    """What a verdict on a URL works out only when asked."""
    reason, ids, logs = reader.rank(url, SHOWN)
    guesses = tuple(Guess(reader.labels[i], _kernel.chance_of(log)) for i, log in zip(ids, logs, strict=True))
    answered = guesses if reason == 0 else ()
    found = [Evidence("url", printable(url), answered[0].label if answered else "", 1.0 if answered else 0.0)]
    found += spoken(url, reader)
    if ip is not None:  # without a table of addresses, heard but not weighed
        found.append(Evidence("ip", printable(ip)))
    return Explanation(REASONS[reason][1], _alone(answered), guesses, (), tuple(found))


def _alone(guesses: Sequence[Guess]) -> tuple[tuple[str, float], ...]:
    """The languages of a page that is known by its address only."""
    return ((guesses[0].label, 1.0),) if guesses else ()


def identify_url(url: str, reader: UrlReader, ip: str | None = None) -> Verdict:
    """The verdict on one URL: ``und`` with a reason where it is no URL or says nothing."""
    reason, ids, logs = reader.rank(url, 1)
    details = Lazy(explained, url, reader, ip)
    if reason:
        return Verdict("und", 0.0, reason=REASONS[reason][0], details=details)
    return _verdict(reader.labels[ids[0]], _kernel.chance_of(logs[0]), details)


def identify_urls(urls: list[str] | list[str | None], reader: UrlReader) -> list[Verdict]:
    """Verdicts on many URLs, in their order; ``und`` where one is missing."""
    ids, logs, reasons = reader.classify(urls)
    names, chance_of = reader.labels, _kernel.chance_of
    return [
        _verdict(names[i], chance_of(log), Lazy(explained, url, reader))
        if i >= 0
        else Verdict("und", 0.0, reason=REASONS[reason][0], details=Lazy(explained, url, reader))
        for url, i, log, reason in zip(urls, ids.tolist(), logs.tolist(), reasons.tolist(), strict=True)
    ]


def _verdict(label: str, confidence: float, details: Lazy | Explanation) -> Verdict:
    """Positional, since one is made for every URL of a crawl."""
    reliable = confidence >= RELIABLE
    return Verdict(label, confidence, label[4:], "", 0.0, reliable, Reason.NONE, TIER, "", confidence, details)


def with_anchor(url: str, verdict: Verdict, reader: UrlReader, anchor: str, said: Sequence[Guess]) -> Verdict:
    """A verdict on a URL with what the words of a link say (guesses of the text stage) weighed in."""
    if not said or verdict.reason not in (Reason.NONE, Reason.SAYS_NOTHING, Reason.IPV6_HOST):
        return verdict
    words: dict[str, float] = {}
    for guess in said:
        language = guess.label.partition("_")[0]
        words[language] = words.get(language, 0.0) + guess.probability
    _, ids, logs = reader.rank(url, len(reader.labels))
    weight = ANCHOR_WEIGHT
    if not ids and not words.keys() & {label.partition("_")[0] for label in reader.labels}:
        return verdict  # words in a language that no URL is known to be in
    if not ids:  # the URL says nothing: the words alone
        ids, logs, weight = list(range(len(reader.labels))), [0] * len(reader.labels), 1.0
    scores = {
        reader.labels[i]: log / NATS + weight * math.log(max(words.get(reader.labels[i].partition("_")[0], 0.0), LEAST))
        for i, log in zip(ids, logs, strict=True)
    }
    top = max(scores.values())
    mass = sum(math.exp(score - top) for score in scores.values())
    ranked = sorted(scores, key=lambda label: (-scores[label], label))[:SHOWN]
    found = tuple(Guess(label, round(math.exp(scores[label] - top) / mass, 6)) for label in ranked)
    heard = Evidence("anchor", printable(anchor), said[0].label, weight)
    evidence = (*verdict.evidence, heard)
    return _verdict(found[0].label, found[0].probability, Explanation("", _alone(found), found, (), evidence))
