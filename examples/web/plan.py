"""The plan of the web: its hosts, the languages of their pages, and their links. Equal settings give an equal web."""

from __future__ import annotations

import random
import zlib
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urlsplit

from crawl.texts import Language, languages

from web.words import Words, collect_words

__all__ = ["Host", "Plan", "Settings"]

ENGLISH = "eng_Latn"
# Domains of countries by label.
COUNTRY_DOMAINS = {
    "ara_Arab": "eg sa ma", "bel_Cyrl": "by", "bul_Cyrl": "bg", "cat_Latn": "cat", "ces_Latn": "cz", "cym_Latn": "wales",
    "dan_Latn": "dk", "deu_Latn": "de at ch", "ell_Grek": "gr", "eng_Latn": "co.uk com.au ie", "est_Latn": "ee", "eus_Latn": "eus",
    "fas_Arab": "ir", "fin_Latn": "fi", "fra_Latn": "fr fr be", "gle_Latn": "ie", "glg_Latn": "gal", "heb_Hebr": "co.il",
    "hin_Deva": "in", "hrv_Latn": "hr", "hun_Latn": "hu", "hye_Armn": "am", "ind_Latn": "co.id", "isl_Latn": "is",
    "ita_Latn": "it", "jpn_Jpan": "jp co.jp", "kat_Geor": "ge", "kor_Hang": "co.kr", "lav_Latn": "lv", "lit_Latn": "lt",
    "mkd_Cyrl": "mk", "nld_Latn": "nl be", "nob_Latn": "no", "pol_Latn": "pl com.pl", "por_Latn": "com.br pt", "ron_Latn": "ro",
    "rus_Cyrl": "ru", "slk_Latn": "sk", "slv_Latn": "si", "spa_Latn": "es com.mx com.ar", "sqi_Latn": "al",
    "swa_Latn": "co.ke co.tz",
    "swe_Latn": "se", "tam_Taml": "lk in", "tha_Thai": "co.th", "tur_Latn": "com.tr", "ukr_Cyrl": "ua", "vie_Latn": "vn com.vn",
    "zho_Hans": "cn com.cn", "fao_Latn": "fo",
}  # fmt: skip
ENGLISH_PAGE_SHARE = (
    0.02  # on hosts in other languages: 98% of links within a site stay in the language (docs/links.md)
)
LABELLED_TRAPS = frozenset({"calendar", "sessions", "links", "robots"})  # traps whose pages count as pages
RARE = "fao_Latn"  # a language on three hosts, with all settings
RARE_HOSTS = 3
HUB_SHARE = 0.1  # share of links to English hosts that lead to a directory
GENERIC_DOMAINS = "com com com org net info eu shop blog".split()
PLATFORMS = "blogspot.com wordpress.com github.io tumblr.com".split()
PATH_PATTERNS = (
    "/{slug}", "/{slug}/", "/{word}/{slug}.html", "/{year}/{month:02}/{slug}", "/{word}/{number}", "/index.php?id={number}",
    "/?p={number}", "/{word}/{word2}/{slug}.htm", "/{word}_{number}.php", "/node/{number}",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Settings:
    """The size of the web and the distribution of its links."""

    hosts_per_language: int = 8
    same_language_share: float = 0.95  # share of links between hosts that stay in the language
    english_share: float = 0.6  # share of the other links that lead to English
    english_same_share: float = 0.0  # same_language_share of English pages; 0: that of all pages
    broken_share: float = 0.0  # share of pages with status 404 or 503
    large_labels: tuple[str, ...] = ()  # labels with ``hosts_per_large_label`` hosts each
    hosts_per_large_label: int = 120
    seed: int = 1
    has_traps: bool = True
    hubs: int = 6  # English directories that link to every language


@dataclass(frozen=True)
class Host:
    """A host: a part for each of its languages, the pattern of its paths, and the number of pages in each part."""

    name: str
    labels: tuple[str, ...]
    pattern: str
    pages: int
    kind: str = "site"  # or hub, or the name of a trap
    has_country_domain: bool = False
    declares_language: bool = True
    is_gzipped: bool = False
    is_chunked: bool = False
    encoding: str = "utf-8"

    def rng(self, *parts: object) -> random.Random:
        """Return a random generator whose seed is the host and these values."""
        return random.Random(zlib.crc32(repr((self.name, *parts)).encode()))


@dataclass(frozen=True)
class Plan:
    """The hosts of the web by name. Pages and links are generated on demand."""

    settings: Settings
    texts: dict[str, Language] = field(default_factory=languages)

    @cached_property
    def labels(self) -> list[str]:
        return [label for label in COUNTRY_DOMAINS if label in self.texts]

    @cached_property
    def words(self) -> dict[str, Words]:
        return {label: collect_words(self.texts[label]) for label in self.labels}

    @cached_property
    def hosts(self) -> dict[str, Host]:
        rng = random.Random(self.settings.seed)
        hosts: dict[str, Host] = {}
        for label in self.labels:
            number = 0
            while number < self._count_hosts(label):
                host = self._generate_host(label, rng, number)
                if host.name not in hosts:
                    hosts[host.name] = host
                    number += 1
        for number in range(self.settings.hubs):
            name = f"www.{self.words[ENGLISH].name(rng)}-directory{number}.org"
            hosts[name] = Host(name, (ENGLISH,), "/{word}/{number}", 12, "hub")
        if self.settings.has_traps:
            from web.traps import TRAPS

            hosts |= {name: Host(name, (label,), "/{slug}", 50, kind) for name, label, kind in TRAPS}
        return hosts

    def _count_hosts(self, label: str) -> int:
        if label == RARE:
            return RARE_HOSTS
        is_large = label in self.settings.large_labels
        return self.settings.hosts_per_large_label if is_large else self.settings.hosts_per_language

    def _generate_host(self, label: str, rng: random.Random, number: int) -> Host:
        words, draw = self.words[label], rng.random()
        if label == RARE:  # one host of each kind
            draw = (0.1, 0.7, 0.95)[number % RARE_HOSTS]
        name = words.name(rng) if rng.random() < 0.3 else f"{words.name(rng)}{rng.choice(('-', ''))}{words.name(rng)}"
        has_country_domain = draw < 0.55
        if has_country_domain:
            host_name = f"{name}.{rng.choice(COUNTRY_DOMAINS[label].split())}"
        elif draw < 0.9:
            host_name = f"{name}.{rng.choice(GENERIC_DOMAINS)}"
        else:
            host_name = f"{name}.{rng.choice(PLATFORMS)}"
        if draw < 0.9 and rng.random() < 0.7:
            host_name = f"www.{host_name}"
        others = ()
        if number % 8 == 7 and label != RARE:  # several languages under one host
            others = tuple(rng.sample([other for other in self.labels if other not in (label, RARE)], 2))
        return Host(
            host_name, (label, *others), rng.choice(PATH_PATTERNS), rng.randrange(8, 30),
            has_country_domain=has_country_domain, declares_language=rng.random() < 0.6,
            is_gzipped=rng.random() < 0.5, is_chunked=rng.random() < 0.3,
            encoding=_legacy_encoding(label) if rng.random() < 0.1 else "utf-8",
        )  # fmt: skip

    @cached_property
    def by_label(self) -> dict[str, list[Host]]:
        """Return sites by their first language."""
        sites: dict[str, list[Host]] = {label: [] for label in self.labels}
        for host in self.hosts.values():
            if host.kind == "site":
                sites[host.labels[0]].append(host)
        return sites

    @cached_property
    def by_any_label(self) -> dict[str, list[Host]]:
        """Return sites by each of their languages."""
        sites = [host for host in self.hosts.values() if host.kind == "site"]
        return {label: [host for host in sites if label in host.labels] for label in self.labels}

    # URLs.

    def path(self, host: Host, part: int, number: int) -> str:
        """Return the path of a page."""
        prefix = f"/{self.texts[host.labels[part]].tag.lower()}" if len(host.labels) > 1 else ""
        if number == 0:
            return f"{prefix}/"
        words, rng = self.words[host.labels[part]], host.rng("path", part, number)
        path = host.pattern.format(
            slug=f"{words.slug(rng)}-{number}", word=words.name(rng), word2=words.name(rng),
            number=1000 * part + 37 * number + 11, year=2009 + number % 14, month=1 + number % 12,
        )  # fmt: skip
        return f"{prefix}{path}"

    def url(self, host: Host, part: int = 0, number: int = 0) -> str:
        return f"http://{host.name}{self.path(host, part, number)}"

    @cached_property
    def _pages_by_path(self) -> dict[str, dict[str, tuple[int, int]]]:
        return {}

    def find_page(self, host: Host, path: str) -> tuple[int, int] | None:
        """Return part and number of the page at a path, or None."""
        if host.name not in self._pages_by_path:
            self._pages_by_path[host.name] = {
                self.path(host, part, number): (part, number)
                for part in range(len(host.labels))
                for number in range(host.pages)
            }
            self._pages_by_path[host.name]["/"] = (0, 0)
        return self._pages_by_path[host.name].get(path)

    def label(self, host: Host, part: int, number: int) -> str:
        """Return the label of a page: that of its part, except for some English pages on other hosts."""
        label = host.labels[part]
        is_english = label != ENGLISH and number > 2 and host.rng("english", part, number).random() < ENGLISH_PAGE_SHARE
        return ENGLISH if is_english else label

    def label_at(self, url: str) -> str:
        """Return the label of the page at a URL, or "" if there is no page."""
        parts = urlsplit(url)
        host = self.hosts.get(parts.netloc)
        if host is None or host.kind not in ("site", "hub"):
            return host.labels[0] if host is not None and host.kind in LABELLED_TRAPS else ""
        page = self.find_page(host, parts.path + (f"?{parts.query}" if parts.query else ""))
        return self.label(host, *page) if page is not None else ""

    # Links.

    def links(self, host: Host, part: int, number: int) -> list[tuple[str, str]]:
        """Return URL and anchor text of the links of a page."""
        rng = host.rng("links", part, number, self.settings.same_language_share)
        links = []
        for other in sorted({0, *(rng.randrange(host.pages) for _ in range(5)), (number + 1) % host.pages}):
            if other != number:
                links.append((self.url(host, part, other), self.title(host, part, other)))
        label = self.label(host, part, number)
        for _ in range(rng.randrange(2, 6)):
            target = self._choose_target(label, rng)
            target_part = target.labels.index(label) if label in target.labels else 0
            other = 0 if rng.random() < 0.5 else rng.randrange(target.pages)
            links.append((self.url(target, target_part, other), self.title(target, target_part, other)))
        return links

    def _choose_target(self, label: str, rng: random.Random) -> Host:
        same = self.settings.same_language_share
        if label == ENGLISH:
            same = self.settings.english_same_share or same
        if rng.random() < same:
            target_label = label
        elif label != ENGLISH and rng.random() < self.settings.english_share:
            target_label = ENGLISH
        else:
            target_label = rng.choice([other for other in self.labels if other not in (label, RARE)])
        is_hub = target_label == ENGLISH and rng.random() < HUB_SHARE
        if is_hub and self.settings.hubs:
            return rng.choice([host for host in self.hosts.values() if host.kind == "hub"])
        return rng.choice(self.by_any_label[target_label])

    def title(self, host: Host, part: int, number: int) -> str:
        text = self.texts[self.label(host, part, number)]
        rng = host.rng("title", part, number)
        return rng.choice(text.headings) if rng.random() < 0.7 else rng.choice(text.menu)

    def seed(self, label: str) -> str:
        """Return the seed of a crawl for a language: a site in this language only, in its country if possible."""
        hosts = [host for host in self.by_label[label] if len(host.labels) == 1]
        return self.url(next((host for host in hosts if host.has_country_domain), hosts[0]))

    def find_seed(self, tag: str) -> str | None:
        """Return the seed of a crawl for a language tag; None for a language that the web does not have."""
        return next((self.seed(label) for label in self.labels if self.texts[label].tag == tag), None)


def _legacy_encoding(label: str) -> str:
    script = label.partition("_")[2]
    return {"Cyrl": "windows-1251", "Grek": "iso-8859-7", "Jpan": "shift_jis", "Hang": "euc-kr", "Hans": "gb18030"}.get(
        script, "utf-8"
    )
