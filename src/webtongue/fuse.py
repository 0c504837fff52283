"""All evidence together: the one place where what sources say meets, and meets the text and the prior.

Every source gives log-likelihoods over languages, without a prior (``Hint``). They are added up, each with a weight of its own
that depends on how much text there is; the kernel adds the sum to what the text says, which has the prior in it, and the decision
is the one that text alone has (native/text/decide.cpp). Weights are learnt within bounds (data/fuse.json, by
tools/weights/fit_fuse.py); docs/evidence.md says which numbers are judged.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from webtongue import _kernel, files
from webtongue.errors import UsageError
from webtongue.hints.claimed import DeclaredRates, declared_hint
from webtongue.hints.country import country_of_tld
from webtongue.hints.declared import Declared
from webtongue.hints.encoding import encoding_hint
from webtongue.hints.geo import Geo, Located
from webtongue.hints.hint import Hint
from webtongue.hints.host import Trust, blended, host_hint
from webtongue.hints.server import country_hint
from webtongue.links import links_hint
from webtongue.page import Page
from webtongue.text import TextReader
from webtongue.text.thresholds import NATS, THRESHOLDS
from webtongue.url.hint import AddressReader, url_hint
from webtongue.verdict import Guess

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "SOURCES",
    "Fusion",
    "Weights",
    "bits",
    "chances",
    "fusion",
    "guesses_of",
    "hear",
    "host_counts",
    "locate",
    "locate_server",
    "main_language",
    "weigh",
    "weights",
]

SOURCES = ("declared", "encoding", "url", "country", "links", "host")
SITE = frozenset({"url", "country", "links", "host"})  # that speak of a site, not of a page
BITS = 1 / math.log(2)  # in a nat
REACH = 4.0  # nats: a label that the text left out of its guesses is behind by more than hints of so many can make good
WORDS = 4  # in a row: fewer are a list or a menu
# Nats: what is a sentence is borrowed so much more seldom than a title or a menu. A judgement: cut pages hardly have sentences.
SENTENCE = 2.0
MOST_WANTED = 24  # labels that a text is read again for
ANCHOR_GUESSES = 5
NEVER = -1000.0  # nats
CODE = 2  # letters of a country's code
SHOWN_COUNTRY = 20  # characters of what was given for one
LEAST_REST = 1e-6  # that something else is right, however sure a label is
SUREST = -math.log(LEAST_REST) - 0.1  # nats: odds that may have been more
MOST_BY_TEXT = 8  # labels of the text that are looked at for the rival
LEAD = (
    1.6  # nats, 5 to 1: a preference that decides between two languages which hold a page alike; .ca has none like that
)
LEAST_SHARE = 0.05  # of the running text, from which a language counts

NOWHERE = Located("", "")

K = TypeVar("K")
Locate = Callable[[], Geo | None]


@dataclass(frozen=True, slots=True)
class Weights:
    """What fit_fuse.py found; each number is explained where it is used and in docs/evidence.md."""

    sources: Mapping[str, float]  # of each source's nats
    letters: tuple[int, ...]  # of the text: steps between amounts of it
    amounts: tuple[float, ...]  # of all hints, by amount
    listed: float  # the same again where there are no words in a row
    english: tuple[float, ...]  # the log of how often a text of an amount is English on a page that is not
    foreign: tuple[float, ...]  # and in whatever other language
    most: Mapping[str, float]  # nats that each source may say, after its weight
    share: float  # of the log of a language's share of the page, against hints, when its main language is chosen
    turn: float  # nats that hints may count for then: what holds most of a page by far is not turned
    preferred: float  # nats for the language of title and headings, where two hold a page alike
    declared: DeclaredRates
    host: Trust


@cache
def weights(path: Path = files.DATA / "fuse.json") -> Weights:
    """Those of a file, by default those that ship."""
    return weights_of(json.loads(path.read_text("utf-8")))


def weights_of(found: Mapping[str, Any]) -> Weights:
    """As fit_fuse.py writes them."""
    return Weights(
        found["sources"], tuple(found["letters"]), tuple(found["amounts"]), found["listed"], tuple(found["english"]),
        tuple(found["foreign"]), found["most"], found["share"], found["turn"], found["preferred"],
        DeclaredRates(**found["declared"]), Trust(**found["host"]),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fusion:
    """What hints are made and weighed with: an Identifier's settings."""

    text: TextReader
    numbers: dict[str, tuple[int, ...]]  # of the model's labels, by label and by language
    by: Weights
    sources: frozenset[str]  # that are listened to
    addresses: Callable[[], AddressReader]  # loaded when first needed
    geo: Locate


def fusion(
    text: TextReader, evidence: Iterable[str] | None, addresses: Callable[[], AddressReader], geo: Locate
) -> Fusion:
    """Made ready; ``evidence`` names the sources to listen to beside the text, None for all."""
    if isinstance(evidence, str):
        raise TypeError("evidence is a list of sources, not one string")
    chosen = SOURCES if evidence is None else tuple(evidence)
    if unknown := [name for name in chosen if name not in SOURCES]:
        raise UsageError(f"evidence is a list of {', '.join(SOURCES)}; unknown: {', '.join(map(repr, unknown))}")
    numbers: dict[str, tuple[int, ...]] = {}
    for number, label in enumerate(text.model.labels):
        numbers[label] = (number,)
        numbers[label[:3]] = (*numbers.get(label[:3], ()), number)
    return Fusion(text, numbers, weights(), frozenset(chosen), addresses, geo)


def hear(page: Page, said: Declared, encoding: str, by: Fusion) -> list[Hint]:
    """What each source that is listened to says of a page, those that say nothing left out."""
    found: list[Hint | None] = []
    sources = by.sources
    if said.languages and "declared" in sources:
        found.append(declared_hint(said.languages, by.by.declared))
    if encoding != "utf-8" and encoding and "encoding" in sources:
        found.append(encoding_hint(encoding))
    if page.url and "url" in sources:
        found.append(url_hint(page.url, by.addresses()))
    if (page.ip or page.country) and "country" in sources:
        found.append(_country(page, by))
    if page.inlinks and "links" in sources:
        found.append(links_hint(page.inlinks, lambda words: guesses_of(words, by.text), page.url or ""))
    if page.host and "host" in sources:
        found.append(host_hint(page.host, by.by.host))
    return [hint for hint in found if hint is not None and hint.nats]


def host_counts(
    host: Mapping[str, float], domain: Mapping[str, float], top: Mapping[str, float], by: Fusion
) -> dict[str, float]:
    """What a crawl knows of a page's host, domain and top level domain, numbers of pages by language, as ``Page.host`` takes it."""
    return blended(host, domain, top, by.by.host)


def locate(page: Page, by: Fusion) -> Located:
    """The country of a page's server, as the caller knows it or by its address."""
    return locate_server(page.country, page.ip, by)


def locate_server(country: str | None, ip: str | None, by: Fusion) -> Located:
    """The same of a server that is known by one or the other."""
    if country:
        return _as_said(country)
    geo = by.geo() if ip and "country" in by.sources else None
    return geo.locate(ip) if geo is not None and ip else NOWHERE


@lru_cache(1024)
def _as_said(country: str) -> Located:
    code = country_of_tld(country) if len(country.strip()) == CODE else ""
    return Located(code, "" if code else f"{country.strip()[:SHOWN_COUNTRY]!r} is no country's code")


def _country(page: Page, by: Fusion) -> Hint | None:
    found = locate(page, by)
    return country_hint(found.country, "" if page.country else f"the address {page.ip}") if found.country else None


def guesses_of(words: str, text: TextReader) -> Sequence[Guess]:
    """What the words of a link read like."""
    return [Guess(*guess) for guess in text.kernel.guesses(text.read_text(words), ANCHOR_GUESSES)]


def factor(reading: _kernel.Reading, by: Weights) -> float:
    """What all hints count, beside a text of this amount and kind."""
    amount = by.amounts[bisect_right(by.letters, reading.letters)]
    return amount * by.listed if reading.running_words < WORDS else amount


def total(hints: Sequence[Hint], by: Fusion, by_amount: float, of_site: float = 1.0) -> dict[int, float]:
    """Nats of all hints for each label of the model that they speak of; ``of_site`` is what ``site_part`` says."""
    said = [_dict(hint.nats) for hint in hints]
    parts = [of_site if hint.source in SITE else 1.0 for hint in hints]
    weights = [by.by.sources[hint.source] * by_amount * part for hint, part in zip(hints, parts, strict=True)]
    loudest = [by.by.most[hint.source] * part for hint, part in zip(hints, parts, strict=True)]
    return _kernel.sum_hints(by.numbers, said, weights, loudest)


def site_part(hints: Sequence[Hint], by: Fusion, by_amount: float) -> float:
    """By how much all that speaks of the site is made quieter, where it says too much together.

    Address, country, links and the rest of the host speak of a site. However many of them agree, a page of an Icelandic site is in
    English often enough.
    """
    of_site = [hint for hint in hints if hint.source in SITE]
    loudest = max(total(of_site, by, by_amount).values(), default=0.0) if len(of_site) > 1 else 0.0
    return min(1.0, by.by.most["site"] / loudest) if loudest > 0 else 1.0


def chances(
    address: Mapping[str, float],
    hints: Sequence[Hint],
    words: Mapping[int, float],
    priors: NDArray[np.float64],
    wanted: list[list[int]],
    by: Fusion,
) -> list[float]:
    """How likely a page that has no text yet is in each group of labels.

    Its address is heard as text is (address.py), what else is said of its site is made quieter as ``site_part`` says; ``words`` are
    nats by label of the words of a link, and priors sum to 1.
    """
    weighs, most = by.by.sources, by.by.most
    said = [_dict(hint.nats) for hint in hints]
    weights = [weighs[hint.source] for hint in hints]
    loudest = [most[hint.source] for hint in hints]
    site = most["site"]
    return _kernel.chances(by.numbers, _dict(address), said, weights, loudest, site, _dict(words), priors, wanted)


def _dict(nats: Mapping[K, float]) -> dict[K, float]:
    return nats if type(nats) is dict else dict(nats)


Again = Callable[[int, list[int]], _kernel.Reading]


def weigh(
    reading: _kernel.Reading, hints: Sequence[Hint], flow: _kernel.Flow, by: Fusion, again: Again | None
) -> _kernel.Reading:
    """A reading with hints weighed in. ``again`` reads the page once more, where it has to be: for its main language, or for labels
    that are wanted. Without it, as where the page is no longer at hand, what its text did not consider stays unconsidered."""
    if reading.settled:
        return reading
    amount, words = bisect_right(by.by.letters, reading.letters), reading.running_words
    by_amount = factor(reading, by.by)
    sums = total(hints, by, by_amount, site_part(hints, by, by_amount))
    if again is not None:
        main = main_language(reading, sums, by)
        wanted = _wanted(reading, sums)
        if main >= 0 or wanted:
            reading = again(main, wanted)
    borrowed = None  # a long text is in the language of its page
    if amount < len(by.by.english):
        foreign = by.by.foreign[amount] if amount < len(by.by.foreign) else NEVER
        whole = SENTENCE if words >= WORDS else 0.0
        borrowed = round(NATS * (by.by.english[amount] - whole)), round(NATS * (foreign - whole))
    flow.weigh(reading, sums, borrowed)
    return reading


def _wanted(reading: _kernel.Reading, sums: Mapping[int, float]) -> list[int]:
    """Labels that hints speak for and a short text has not looked at."""
    likely = [label for label, nats in sums.items() if nats > REACH]
    if not likely or reading.letters >= THRESHOLDS.long_text:
        return []
    seen = {label for label, _ in reading.guesses(MOST_WANTED)}
    return sorted([label for label in likely if label not in seen], key=lambda label: -sums[label])[:MOST_WANTED]


def main_language(reading: _kernel.Reading, sums: Mapping[int, float], by: Fusion) -> int:
    """Which of several languages that hold a page it is filed under, by shares and hints; -1 where hints change nothing.

    A page with a translated frame round English text is one of its site's language if its address or its declaration says so.
    """
    shares = reading.shares
    return main_of(shares, reading.preferred, sums, by) if len(shares) > 1 else -1


def main_of(shares: Sequence[tuple[int, int]], preferred: int, sums: Mapping[int, float], by: Fusion) -> int:
    """The same from what each label holds of the text and from which one of two alike title and headings prefer (-1: none)."""
    groups, labels = by.text.model.groups, by.text.model.labels
    merged: dict[str, list[float]] = {}  # by group or label: share, nats
    first: dict[str, int] = {}
    for label, letters in shares:
        key = groups[label] or labels[label]
        held = merged.setdefault(key, [0.0, -math.inf])
        first.setdefault(key, label)
        held[0] += letters
        held[1] = max(held[1], sums.get(label, 0.0))
    if preferred >= 0 and (key := groups[preferred] or labels[preferred]) in merged:
        merged[key][1] += by.by.preferred
    whole = sum(held for held, _ in merged.values())
    least = min(nats for _, nats in merged.values())
    scores = {
        key: by.by.share * math.log(held / whole) + min(nats - least, by.by.turn)
        for key, (held, nats) in merged.items()
        if held / whole >= LEAST_SHARE
    }
    if len(scores) < 2:
        return -1
    largest, second = sorted(merged, key=lambda key: -merged[key][0])[:2]
    best = max(scores, key=lambda key: scores[key])
    level = preferred < 0 and merged[largest][0] - merged[second][0] <= THRESHOLDS.level * whole
    lead = merged[best][1] - max(nats for key, (_, nats) in merged.items() if key != best)
    if level and lead < LEAD:
        return -1
    return first[best] if best != largest or level else -1


def bits(
    reading: _kernel.Reading, hints: Sequence[Hint], by: Fusion | TextReader, by_amount: float = 1.0
) -> dict[str, float]:
    """What prior, text and each hint did for the likeliest label, in bits against the next: their sum is the log of the odds.

    ``by_amount`` is the factor that hints were weighed with. The text has what is left, since a page that may have borrowed its
    text (native/text/hinted.cpp) takes less from it. Nothing is surer than LEAST_REST: where all together would be, each
    has its part.
    """
    ranked = reading.guesses(2)
    if not ranked:
        return {}
    best = ranked[0][0]
    rival = ranked[1][0] if len(ranked) > 1 else -1
    out: dict[str, float] = {}
    if isinstance(by, Fusion) and reading.is_weighed:
        part = site_part(hints, by, by_amount)
        for hint in hints:
            alone = total([hint], by, by_amount, part)
            out[hint.source] = (alone.get(best, 0.0) - alone.get(rival, 0.0)) * BITS
    priors = (by.text if isinstance(by, Fusion) else by).log_priors
    out["prior"] = (priors[best] - priors[rival]) / NATS * BITS if rival >= 0 else 0.0
    log = ranked[0][1] / NATS
    odds = log - ranked[1][1] / NATS if rival >= 0 else log - math.log(max(-math.expm1(log), LEAST_REST))
    out["text"] = odds * BITS - sum(out.values())
    own = _by_text(reading, best, rival) * BITS - out["prior"]
    return _shared(out | {"text": own}, odds * BITS) if odds >= SUREST and own > out["text"] else out


def _by_text(reading: _kernel.Reading, best: int, rival: int) -> float:
    """The log of the odds of a label against another, or against all others, by text and prior alone."""
    logs = {label: log / NATS for label, log in reading.by_text(MOST_BY_TEXT)}
    if best not in logs:
        return -math.inf
    return logs[best] - logs.get(rival, math.log(max(-math.expm1(min(logs[best], 0.0)), LEAST_REST)))


def _shared(raw: dict[str, float], most: float) -> dict[str, float]:
    """Bits that are more than ``most`` in all: those that speak for the label have less each, by the same factor."""
    towards = sum(value for value in raw.values() if value > 0)
    against = sum(value for value in raw.values() if value <= 0)
    return {source: value * (most - against) / towards if value > 0 else value for source, value in raw.items()}
