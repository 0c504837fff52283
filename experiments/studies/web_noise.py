"""How often declarations, URLs, links and hosts of real pages mislead, measured for a simulated web.

Declarations and English frames are measured on the trusted pages of dev/html, URLs and hosts on url/train (languages with enough
URLs in url/dev use these). For links, data/links.tsv has the measured shares, which are used here, beside the bounds that the
combiner uses. Rare codes that are declared falsely were never observed, so their rate is its upper 95% bound."""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from webtongue import Identifier, files, labels
from webtongue.lab.evaluate.measures import wilson_interval
from webtongue.lab.train.url.rows import UrlRow, read_rows
from webtongue.reference.countries import country_of_tld, languages_of, tld
from webtongue.reference.domains import host_of

ENGLISH = "eng"
MIN_LARGE_URLS = 3000  # of a large language
MAX_SMALL_URLS = 250  # of a small language
MIN_REAL_URLS = 30  # of a language in url/dev, to be used for its pages
MAX_HOST_PAGES = 10  # that count in the rates
MAX_OTHER_PAGES = 50  # of a host, known to a crawl
MIN_FRAME_SHARE = 0.05  # English share of a page with an English frame
RULE_OF_THREE = 3.0  # the upper 95% bound of an event that was never observed, times the number of pages


@dataclass(frozen=True, slots=True)
class DeclarationRates:
    """Shares of pages by their declarations."""

    any_share: float
    english: float  # of declaring pages in other languages that declare English
    others: float  # of declaring pages that falsely declare another common language
    rare: float  # and a rare one: the bound
    frame: float  # of pages in other languages with an English frame
    pages: int


@dataclass(frozen=True, slots=True)
class UrlRates:
    """Shares of URLs of small languages, for generated URLs."""

    own_country: float
    other_country: float
    own_code: float
    other_code: float


@dataclass(frozen=True, slots=True)
class HostSamples:
    """Pages of hosts with several pages: shares of the others in its language and in English, and their number."""

    good: Sequence[tuple[float, float, int]]
    bad: Sequence[tuple[float, float, int]]
    bad_share: float


@dataclass(frozen=True, slots=True)
class LinkRates:
    """The share of links to a page that come from another language, within a site and between sites."""

    own: float
    foreign: float
    to_english: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Noise:
    """All rates; ``scale`` multiplies what misleads, ``declares_english`` is the share of rare pages that declare English."""

    declarations: DeclarationRates
    url_rates: UrlRates
    hosts: dict[str, HostSamples]
    links: LinkRates
    # Real URLs by language: those that do not mislead, and those that do.
    urls: dict[str, tuple[list[str], list[str]]]
    scale: float = 1.0
    declares_english: float = 0.0

    def scaled(self, scale: float) -> Noise:
        return replace(self, scale=scale)


def measure(data: Path) -> Noise:
    """Measure all rates."""
    rows = read_rows(data / "url" / "train.tsv.xz")
    count = Counter(row.language for row in rows)
    return Noise(
        measure_declarations(str(data)),
        measure_urls(rows, count),
        sample_hosts(rows, count),
        measure_links(),
        read_real_urls(data),
    )


def measure_declarations(data: str) -> DeclarationRates:
    """Measure declarations on dev/html."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
    import sets  # the reader of the benchmarks

    ident = Identifier(evidence=())
    count: Counter[str] = Counter()
    for item in sets.html_pages(data):
        gold = str(labels.fold(item.row["label"])) if item.row.get("label") else ""
        if "_" not in gold or item.row.get("trusted") is False or not item.raw:
            continue
        verdict = ident.identify(item.raw)
        declared = verdict.declared_language[:3]
        foreign = gold[:3] != ENGLISH
        count["pages"] += 1
        count["foreign"] += foreign
        count["frame"] += foreign and dict(verdict.languages).get("eng_Latn", 0.0) >= MIN_FRAME_SHARE
        count["declare"] += bool(declared)
        count["foreign declare"] += bool(declared) and foreign
        false = bool(declared) and declared != gold[:3]
        count["english"] += false and declared == ENGLISH
        count["others"] += false and declared != ENGLISH
    return DeclarationRates(
        count["declare"] / count["pages"],
        count["english"] / count["foreign declare"],
        count["others"] / count["declare"],
        RULE_OF_THREE / count["declare"],
        count["frame"] / count["foreign"],
        count["pages"],
    )


def measure_urls(rows: Sequence[UrlRow], count: Counter[str]) -> UrlRates:
    """Measure country domains and codes in the URLs of small languages."""
    small = [row for row in rows if count[row.language] < MAX_SMALL_URLS]
    counts: Counter[str] = Counter()
    for row in small:
        country = country_of_tld(tld(row.url))
        spoken = {entry.label[:3] for entry in languages_of(country)}
        codes = codes_in_url(row.url)
        has_own_code = language_code(row.language) in codes
        counts["own country"] += row.language in spoken
        counts["other country"] += bool(country) and row.language not in spoken
        counts["own code"] += has_own_code
        counts["other code"] += bool(codes) and not has_own_code
    return UrlRates(*(counts[name] / len(small) for name in ("own country", "other country", "own code", "other code")))


def codes_in_url(url: str) -> set[str]:
    """Return the language codes that are separate parts of a URL."""
    host, _, path = url.partition("//")[2].partition("/")
    path, _, query = path.partition("?")
    parts = [host.partition(".")[0], *path.split("/"), *(pair.partition("=")[2] for pair in query.split("&"))]
    return {part.lower() for part in parts if re.fullmatch(r"[A-Za-z]{2}", part) and labels.parse(part)}


def language_code(language: str) -> str:
    """Return the code that pages of a language declare."""
    parsed = labels.parse(language)
    return labels.bcp47(parsed).partition("-")[0] if parsed else language


def language_size(language: str, count: Counter[str]) -> str:
    return "english" if language == ENGLISH else "big" if count[language] >= MIN_LARGE_URLS else "small"


def sample_hosts(rows: Sequence[UrlRow], count: Counter[str]) -> dict[str, HostSamples]:
    """Return samples of the languages of other pages on a page's host, by size of its language."""
    by_host: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        by_host[host_of(row.url)].append(row.language)
    counts: dict[str, list[tuple[float, float, int]]] = defaultdict(list)
    for languages in by_host.values():
        if len(languages) > 1:
            counts_by_language, others = Counter(languages), len(languages) - 1
            for language, pages in counts_by_language.items():
                english = counts_by_language[ENGLISH] - (language == ENGLISH)
                record = ((pages - 1) / others, english / others, min(others, MAX_OTHER_PAGES))
                counts[language_size(language, count)] += [record] * min(pages, MAX_HOST_PAGES)
    return {size: _split_hosts(records) for size, records in counts.items()}


def _split_hosts(records: Sequence[tuple[float, float, int]]) -> HostSamples:
    good = [record for record in records if record[0] >= 0.5]
    bad = [record for record in records if record[0] < 0.5]
    return HostSamples(good, bad, len(bad) / len(records))


def measure_links() -> LinkRates:
    """Return the rates of links to a language, by Bayes' rule from those of links from a language.

    Links that leave a language lead to a rare one as often as it is rare, so that the rate is ``left / (kept + left)``.
    """
    kept = {
        (kind, name): (float(cells[1]), float(cells[2]))
        for kind, name, *cells in files.read_rows("links.tsv")
        if len(cells) > 3
    }

    def foreign_share(kind: str) -> float:
        keep, english = kept[kind, "*"]
        free = 1 - keep - english
        return free / (keep + free)

    return LinkRates(foreign_share("own"), foreign_share("foreign"), (kept["own", "*"][1], kept["foreign", "*"][1]))


def read_real_urls(data: Path) -> dict[str, tuple[list[str], list[str]]]:
    """Return URLs that the URL model never saw, of languages with enough of them; those in countries of other languages mislead."""
    counts: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for row in read_rows(data / "url" / "dev.tsv.xz"):
        country = country_of_tld(tld(row.url))
        spoken = {entry.label[:3] for entry in languages_of(country)}
        counts[row.language][bool(country) and row.language not in spoken].append(row.url)
    return {language: pair for language, pair in counts.items() if len(pair[0]) + len(pair[1]) >= MIN_REAL_URLS}


def report(noise: Noise) -> list[str]:
    """Return the measured rates as lines of text."""
    declared = noise.declarations
    low, high = wilson_interval(
        round(declared.others * declared.pages * declared.any_share), round(declared.pages * declared.any_share)
    )
    return [
        f"declared: {declared.any_share:.1%} of {declared.pages} pages; English on {declared.english:.1%} of others that declare, "
        f"another common one {declared.others:.2%} ({low:.2%}-{high:.2%}), a rare one never: {declared.rare:.2%} as bound",
        f"English frames: {declared.frame:.1%} of other pages",
        f"addresses: url/dev's own for {len(noise.urls)} languages; else own country's domain {noise.url_rates.own_country:.1%}, "
        f"another's {noise.url_rates.other_country:.1%}, own code {noise.url_rates.own_code:.1%}, "
        f"another {noise.url_rates.other_code:.1%}",
        "hosts mostly in another language: "
        + ", ".join(f"{size} {entry.bad_share:.1%}" for size, entry in noise.hosts.items()),
        f"links from another language: within a site {noise.links.own:.1%}, between sites {noise.links.foreign:.1%}",
    ]
