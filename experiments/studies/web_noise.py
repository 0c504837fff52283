"""How often declarations, addresses, links and hosts of real pages mislead: measured, for a simulated web.

Declarations and English frames are measured on the trusted pages of dev/html, addresses and hosts on url/train (the addresses of a
language that url/dev has enough of are url/dev's own); of links, data/links.tsv has the measured shares, which count here, beside
the bounds that fuse counts with. What no measurement shows, a rare code declared falsely, is taken at its upper bound of 95%.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from webtongue import Identifier, files, labels
from webtongue.evaluate.measures import wilson
from webtongue.hints.country import country_of_tld, languages_of, tld
from webtongue.hints.domain import host_of
from webtongue.train.url.rows import UrlRow, read_rows

ENGLISH = "eng"
MANY = 3000  # addresses of a language from which it is a big one
FEW = 250  # and below which it is a small one
REAL = 30  # addresses of a language in url/dev from which pages get these
NO_MORE = 10  # pages of one host that count in the rates
MOST_OTHERS = 50  # other pages of a host that a crawl knows
FRAME = 0.05  # of a page in English, from which it has an English frame
RULE_OF_THREE = 3.0  # the upper 95% bound of what was never seen, times the number of pages looked at


@dataclass(frozen=True, slots=True)
class Declaring:
    """Shares of pages, for English and others apart where they differ."""

    at_all: float
    english: float  # of declaring pages in other languages, that declare English
    others: float  # of declaring pages, that declare another that is neither theirs nor English: a common one
    rare: float  # and a rare one, never seen: the bound
    frame: float  # of pages in other languages, with an English frame
    pages: int


@dataclass(frozen=True, slots=True)
class Addressing:
    """Addresses of small languages, for those that have to be made."""

    own_country: float
    other_country: float
    own_code: float
    other_code: float


@dataclass(frozen=True, slots=True)
class Hosts:
    """Pages of hosts with several: (share of the others in its language, in English, number of others), good ones and bad."""

    good: Sequence[tuple[float, float, int]]
    bad: Sequence[tuple[float, float, int]]
    share_bad: float


@dataclass(frozen=True, slots=True)
class Linking:
    """Where a link to a page in some language comes from: the share that is in another language, within a site and between."""

    own: float
    foreign: float
    to_english: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Noise:
    """All of it; ``times`` scales what misleads, ``shy`` is the share of rare pages that declare English in place of their own."""

    declaring: Declaring
    addressing: Addressing
    hosts: dict[str, Hosts]
    linking: Linking
    urls: dict[
        str, tuple[list[str], list[str]]
    ]  # real addresses by language: those that do not mislead, and those that do
    times: float = 1.0
    shy: float = 0.0

    def scaled(self, times: float) -> Noise:
        return replace(self, times=times)


def measure(data: Path) -> Noise:
    """Everything measured anew."""
    rows = read_rows(data / "url" / "train.tsv.xz")
    count = Counter(row.language for row in rows)
    return Noise(declaring(str(data)), addressing(rows, count), hosts(rows, count), linking(), real_urls(data))


def declaring(data: str) -> Declaring:
    """Declarations beside the truth, on dev/html."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
    import sets  # the benchmarks' reader of pages

    ident = Identifier(evidence=())
    count: Counter[str] = Counter()
    for item in sets.html_pages(data):
        gold = str(labels.fold(item.row["label"])) if item.row.get("label") else ""
        if "_" not in gold or item.row.get("trusted") is False or not item.raw:
            continue
        verdict = ident.identify(item.raw)
        said = verdict.declared_language[:3]
        foreign = gold[:3] != ENGLISH
        count["pages"] += 1
        count["foreign"] += foreign
        count["frame"] += foreign and dict(verdict.languages).get("eng_Latn", 0.0) >= FRAME
        count["declare"] += bool(said)
        count["foreign declare"] += bool(said) and foreign
        false = bool(said) and said != gold[:3]
        count["english"] += false and said == ENGLISH
        count["others"] += false and said != ENGLISH
    return Declaring(
        count["declare"] / count["pages"],
        count["english"] / count["foreign declare"],
        count["others"] / count["declare"],
        RULE_OF_THREE / count["declare"],
        count["frame"] / count["foreign"],
        count["pages"],
    )


def addressing(rows: Sequence[UrlRow], count: Counter[str]) -> Addressing:
    """Country domains and codes in the addresses of small languages."""
    small = [row for row in rows if count[row.language] < FEW]
    found: Counter[str] = Counter()
    for row in small:
        country = country_of_tld(tld(row.url))
        spoken = {one.label[:3] for one in languages_of(country)}
        codes = codes_in(row.url)
        own = tag_of(row.language) in codes
        found["own country"] += row.language in spoken
        found["other country"] += bool(country) and row.language not in spoken
        found["own code"] += own
        found["other code"] += bool(codes) and not own
    return Addressing(
        *(found[name] / len(small) for name in ("own country", "other country", "own code", "other code"))
    )


def codes_in(url: str) -> set[str]:
    """Codes of languages that stand alone in an address."""
    host, _, path = url.partition("//")[2].partition("/")
    path, _, query = path.partition("?")
    parts = [host.partition(".")[0], *path.split("/"), *(pair.partition("=")[2] for pair in query.split("&"))]
    return {part.lower() for part in parts if re.fullmatch(r"[A-Za-z]{2}", part) and labels.parse(part)}


def tag_of(language: str) -> str:
    """The code that pages of a language declare."""
    parsed = labels.parse(language)
    return labels.bcp47(parsed).partition("-")[0] if parsed else language


def size_of(language: str, count: Counter[str]) -> str:
    return "english" if language == ENGLISH else "big" if count[language] >= MANY else "small"


def hosts(rows: Sequence[UrlRow], count: Counter[str]) -> dict[str, Hosts]:
    """What the other pages of a page's host are in, by how big its language is."""
    by_host: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        by_host[host_of(row.url)].append(row.language)
    found: dict[str, list[tuple[float, float, int]]] = defaultdict(list)
    for all_ in by_host.values():
        if len(all_) > 1:
            held, others = Counter(all_), len(all_) - 1
            for language, pages in held.items():
                english = held[ENGLISH] - (language == ENGLISH)
                record = ((pages - 1) / others, english / others, min(others, MOST_OTHERS))
                found[size_of(language, count)] += [record] * min(pages, NO_MORE)
    return {size: _hosts(records) for size, records in found.items()}


def _hosts(records: Sequence[tuple[float, float, int]]) -> Hosts:
    good = [record for record in records if record[0] >= 0.5]
    bad = [record for record in records if record[0] < 0.5]
    return Hosts(good, bad, len(bad) / len(records))


def linking() -> Linking:
    """From the shares measured of links from a language, by Bayes' rule those of links to one: links that leave a language for any
    other lead to a rare one as often as it is rare, so that what counts is ``left / (kept + left)``."""
    kept = {
        (kind, name): (float(cells[1]), float(cells[2]))
        for kind, name, *cells in files.rows("links.tsv")
        if len(cells) > 3
    }

    def stray(kind: str) -> float:
        keep, english = kept[kind, "*"]
        free = 1 - keep - english
        return free / (keep + free)

    return Linking(stray("own"), stray("foreign"), (kept["own", "*"][1], kept["foreign", "*"][1]))


def real_urls(data: Path) -> dict[str, tuple[list[str], list[str]]]:
    """Addresses that the URL model never saw, of languages with enough of them; those in a country of other languages mislead."""
    found: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for row in read_rows(data / "url" / "dev.tsv.xz"):
        country = country_of_tld(tld(row.url))
        spoken = {one.label[:3] for one in languages_of(country)}
        found[row.language][bool(country) and row.language not in spoken].append(row.url)
    return {language: pair for language, pair in found.items() if len(pair[0]) + len(pair[1]) >= REAL}


def report(noise: Noise) -> list[str]:
    """The measured rates in lines."""
    said = noise.declaring
    low, high = wilson(round(said.others * said.pages * said.at_all), round(said.pages * said.at_all))
    return [
        f"declared: {said.at_all:.1%} of {said.pages} pages; English on {said.english:.1%} of others that declare, "
        f"another common one {said.others:.2%} ({low:.2%}-{high:.2%}), a rare one never: {said.rare:.2%} as bound",
        f"English frames: {said.frame:.1%} of other pages",
        f"addresses: url/dev's own for {len(noise.urls)} languages; else own country's domain {noise.addressing.own_country:.1%}, "
        f"another's {noise.addressing.other_country:.1%}, own code {noise.addressing.own_code:.1%}, "
        f"another {noise.addressing.other_code:.1%}",
        "hosts mostly in another language: "
        + ", ".join(f"{size} {one.share_bad:.1%}" for size, one in noise.hosts.items()),
        f"links from another language: within a site {noise.linking.own:.1%}, between sites {noise.linking.foreign:.1%}",
    ]
