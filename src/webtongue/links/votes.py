"""Links to a page, or from it, as they come: what they say of its language, at any time, in bounded memory.

A link says where its page may lead: a distribution over languages, mixed from the rates of links from pages in the linking
page's language, from the words of the link and from its ``hreflang``. Pages of a host are averaged, then hosts of a registered
domain, so that each domain is one vote however many pages it has. Domains are put together in :mod:`webtongue.links.hint`.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from webtongue import labels
from webtongue.hints.domain import site_of
from webtongue.labels import LONGEST_TAG
from webtongue.links.rates import ENGLISH, FOREIGN, OWN, Rate, Rates
from webtongue.links.sample import Sample
from webtongue.page import Inlink, chance_of
from webtongue.verdict import Guess

__all__ = ["Classifier", "Said", "Site", "Sites", "Spread", "counted", "led", "mean", "mixed", "spoken"]

# What is remembered: beyond this a language is settled, and a farm gains nothing (a page has at most 64 x 8 x 16 links).
MOST_SITES, MOST_HOSTS, MOST_PAGES = 64, 8, 16
REMEMBERED = 1 << 12  # tags: the same few come again and again
LONGEST_ANCHOR = 200  # characters of the words of a link that are read
SILENT = frozenset({"und", "zxx", "mul", "mis"})

Classifier = Callable[[str], Sequence[Guess]]


@dataclass(frozen=True, slots=True)
class Spread:
    """A distribution over languages: the mass of each that is named, and the free mass that goes by how common each is."""

    mass: Mapping[str, float]
    free: float


NOBODY = Spread({}, 1.0)


@dataclass(frozen=True, slots=True, order=True)
class Said:
    """What one link says, ordered so that of several on a page the most telling counts."""

    confidence: float
    language: str
    hreflang: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Site:
    """A registered domain that links: its distribution, and what its links said."""

    own: bool
    spread: Spread
    pages: tuple[Said, ...]


@dataclass(slots=True)
class _Domain:
    name: str
    hosts: Sample[Sample[Said]] = field(default_factory=lambda: Sample(MOST_HOSTS))


class Sites:
    """The links seen so far, one a linking page, by registered domain and host. The order in which they came leaves no trace."""

    __slots__ = ("_domain", "_domains", "_page")

    def __init__(self, url: str | None = None) -> None:
        url = url if isinstance(url, str) else ""
        self._page = _address(url)
        self._domain = site_of(url)[1]
        self._domains: Sample[_Domain] = Sample(MOST_SITES)

    def add(self, link: Inlink) -> None:
        """Remember a link; one of the page to itself, or that says nothing, is left out."""
        url = link.url if isinstance(link.url, str) else ""
        page = _address(url)
        said = _said(link)
        if said is None or (page and page == self._page):
            return
        host, name = site_of(url)
        domain = self._domains.at(name, lambda: _Domain(name))
        pages = domain.hosts.at(host, lambda: Sample(MOST_PAGES)) if domain else None
        if pages is None:
            return
        key = page or repr(said)  # pages whose address is not known are as many as what they say
        before = pages.at(key, lambda: said)
        if before is not None and before < said:
            pages.put(key, said)

    def sites(self, rates: Rates, classify: Classifier | None, *, back: bool = False) -> Iterator[Site]:
        """Each registered domain as one vote; ``back``: the links are the page's own, to others."""
        for domain in self._domains.values():
            kind = OWN if domain.name and domain.name == self._domain else FOREIGN
            hosts = []
            heard: list[Said] = []
            for pages in domain.hosts.values():
                links = list(pages.values())
                hosts.append(mean([_spread(said, kind, rates, classify, back) for said in links]))
                heard += links
            yield Site(kind == OWN, mean(hosts), tuple(heard))


def mean(spreads: Sequence[Spread]) -> Spread:
    """The average of distributions; those that name no language have no say in it."""
    spreads = [spread for spread in spreads if spread.mass]
    if len(spreads) < 2:
        return spreads[0] if spreads else NOBODY
    names = sorted({language for spread in spreads for language in spread.mass})
    mass = {name: math.fsum(s.mass.get(name, 0.0) for s in spreads) / len(spreads) for name in names}
    return Spread(mass, math.fsum(s.free for s in spreads) / len(spreads))


def _spread(said: Said, kind: str, rates: Rates, classify: Classifier | None, back: bool) -> Spread:
    """What one link makes of the page's language."""
    known = bool(said.language)
    out = NOBODY
    if known:
        rate = (rates.back if back else rates.of)(said.language, kind)
        out = mixed(NOBODY, led(said.language, rate), said.confidence)
    if said.anchor and classify and not known:  # beside a language that is known they are worth a twentieth
        words = spoken(said.anchor, classify)
        out = mixed(out, words, rates.settings["anchor alone"]) if words.mass else out
    if said.hreflang:
        out = mixed(out, Spread({said.hreflang: 1.0}, 0.0), rates.settings["hreflang"])
    return out


def led(language: str, rate: Rate) -> Spread:
    """Where a link of a page in this language leads."""
    mass = {language: rate.keep}
    if rate.english:
        mass[ENGLISH] = mass.get(ENGLISH, 0.0) + rate.english
    return Spread(mass, rate.free)


def spoken(anchor: str, classify: Classifier) -> Spread:
    """The languages that the words of a link may be in."""
    mass: defaultdict[str, float] = defaultdict(float)
    for label, chance in classify(anchor):
        language = _language(label)
        if language and 0 < chance <= 1:
            mass[language] += chance
    total = math.fsum(mass.values())
    over = max(total, 1.0)  # guesses of a careless classifier may sum to more
    return Spread({language: chance / over for language, chance in sorted(mass.items())}, max(0.0, 1 - total))


def mixed(first: Spread, second: Spread, weight: float) -> Spread:
    """Two distributions, the second with this weight."""
    names = sorted({*first.mass, *second.mass})
    mass = {n: (1 - weight) * first.mass.get(n, 0.0) + weight * second.mass.get(n, 0.0) for n in names}
    return Spread(mass, (1 - weight) * first.free + weight * second.free)


def _said(link: Inlink) -> Said | None:
    """A link as it is remembered; None where it says nothing. Bad values are as if they were not there."""
    language, hreflang = _language(link.language), _language(link.hreflang)
    confidence = chance_of(link.confidence)
    if not language or not confidence:
        language, confidence = "", 0.0
    anchor = " ".join(link.anchor[:LONGEST_ANCHOR].split()) if isinstance(link.anchor, str) else ""
    anchor = anchor.encode("utf-8", "replace").decode()
    return Said(confidence, language, hreflang, anchor) if language or hreflang or anchor else None


def _language(text: object) -> str:
    """The language that a label or tag of any form names; empty where it names none, or no one language."""
    return _folded(text) if isinstance(text, str) and 0 < len(text) <= LONGEST_TAG else ""


@lru_cache(REMEMBERED)
def _folded(text: str) -> str:
    parsed = labels.parse(text)
    language = labels.fold(parsed).language if parsed else ""
    return "" if language in SILENT else language


def _address(url: str) -> str:
    """An address to be compared: without fragment, scheme, case of the host and last slash."""
    bare = url.strip().partition("#")[0].partition("://")
    host, slash, path = (bare[2] or bare[0]).partition("/")
    return f"{host.lower()}{slash}{path}".rstrip("/")


def counted(names: Iterable[str], most: int = 4) -> str:
    """Languages and how often each occurs, the commonest first."""
    counts = Counter(name for name in names if name)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    more = ["..."] if len(ranked) > most else []
    return ", ".join([f"{name} {count}" for name, count in ranked[:most]] + more)
