"""What language a page is in, by its URL alone: before it is fetched, when it is a video, or when it is gone.

``identify_url`` is the stage; ``UrlReader`` holds the model with the priors and limits of an Identifier.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from webtongue.url.model import NATS, REASONS, UrlReader
from webtongue.verdict import Evidence, Guess, Segment, Verdict

__all__ = ["Linked", "UrlDetails", "identify_url", "identify_urls", "with_anchor"]

SHOWN = 8  # guesses of a verdict
# A verdict to rely on: on domains held out, 97 of 100 such are right (docs/url.md).
RELIABLE = 0.9
SURE = round(math.log(RELIABLE) * NATS)
TIER = 2  # a URL is never proof of what a page is in
# Of the words of a link against the URL they lead to: the weight of least loss on 4,555 links to domains held out of
# training (tools/weights/fit_anchor.py). 0 gave 93.4% right, this 94.3%, 1 gave 92.1%.
ANCHOR_WEIGHT = 0.35
LEAST = 1e-4  # probability of a label that an anchor does not name


@dataclass(slots=True)  # not frozen: one is made for every URL, and freezing takes three times as long
class UrlDetails:
    """What a verdict on a URL works out only when asked."""

    url: str
    reader: UrlReader
    ip: str | None = None

    def guesses(self) -> tuple[Guess, ...]:
        _, ids, logs = self.reader.rank(self.url, SHOWN)
        names = self.reader.labels
        return tuple(Guess(names[i], math.exp(log / NATS)) for i, log in zip(ids, logs, strict=True))

    def segments(self) -> tuple[Segment, ...]:
        return ()

    def evidence(self) -> tuple[Evidence, ...]:
        best = self.guesses()[:1]
        found = [Evidence("url", self.url[:200], best[0].label if best else "", 1.0 if best else 0.0)]
        if self.ip is not None:  # without a table of addresses, heard but not weighed
            found.append(Evidence("ip", self.ip))
        return tuple(found)

    def declared_language(self) -> str:
        return ""

    def declared_encoding(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class Linked:
    """Details of a verdict on a URL and the words of a link to it."""

    first: UrlDetails
    found: tuple[Guess, ...]
    anchor: Evidence

    def guesses(self) -> tuple[Guess, ...]:
        return self.found

    def segments(self) -> tuple[Segment, ...]:
        return ()

    def evidence(self) -> tuple[Evidence, ...]:
        return (*self.first.evidence(), self.anchor)

    def declared_language(self) -> str:
        return ""

    def declared_encoding(self) -> str:
        return ""


def identify_url(url: str, reader: UrlReader, ip: str | None = None) -> Verdict:
    """The verdict on one URL: ``und`` with a reason where it is no URL or says nothing."""
    reason, ids, logs = reader.rank(url, 1)
    details = UrlDetails(url, reader, ip)
    if not ids:
        return Verdict("und", 0.0, reason=REASONS[reason], details=details)
    best, log = ids[0], logs[0]
    return Verdict(
        reader.labels[best], math.exp(log / NATS), reader.scripts[best],
        "", 0.0, log >= SURE, "", TIER, details,
    )  # fmt: skip


def identify_urls(urls: list[str], reader: UrlReader) -> list[Verdict]:
    """Verdicts on many URLs, in their order."""
    ids, logs, reasons = reader.classify(urls)
    names, scripts, exp = reader.labels, reader.scripts, math.exp
    return [
        Verdict(names[i], exp(log / NATS), scripts[i], "", 0.0, log >= SURE, "", TIER, UrlDetails(url, reader))
        if i >= 0
        else Verdict("und", 0.0, reason=REASONS[reason], details=UrlDetails(url, reader))
        for url, i, log, reason in zip(urls, ids.tolist(), logs.tolist(), reasons.tolist(), strict=True)
    ]


def with_anchor(verdict: Verdict, reader: UrlReader, anchor: str, said: Sequence[Guess]) -> Verdict:
    """A verdict on a URL with what the words of a link say (guesses of the text stage) weighed in."""
    details = verdict.details
    if not isinstance(details, UrlDetails) or not said:
        return verdict
    words: dict[str, float] = {}
    for guess in said:
        language = guess.label.partition("_")[0]
        words[language] = words.get(language, 0.0) + guess.probability
    _, ids, logs = reader.rank(details.url, len(reader.labels))
    weight = ANCHOR_WEIGHT
    if not ids:  # the URL says nothing: the words alone
        ids, logs, weight = list(range(len(reader.labels))), [0] * len(reader.labels), 1.0
    scores = {
        reader.labels[i]: log / NATS + weight * math.log(max(words.get(reader.labels[i].partition("_")[0], 0.0), LEAST))
        for i, log in zip(ids, logs, strict=True)
    }
    top = max(scores.values())
    mass = sum(math.exp(score - top) for score in scores.values())
    ranked = sorted(scores, key=lambda label: (-scores[label], label))[:SHOWN]
    found = tuple(Guess(label, math.exp(scores[label] - top) / mass) for label in ranked)
    best = found[0]
    heard = Evidence("anchor", anchor[:200], max(words, key=lambda language: words[language]), weight)
    return Verdict(
        best.label, best.probability, best.label.partition("_")[2], "", 0.0, best.probability >= RELIABLE, "", TIER,
        Linked(details, found, heard),
    )  # fmt: skip
