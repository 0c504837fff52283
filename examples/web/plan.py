"""The plan of the web: which hosts there are, what their pages are in, and where links lead. The same for the same settings."""

from __future__ import annotations

import random
import zlib
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urlsplit

from crawl.texts import Language, languages

from web.words import Words, words_of

__all__ = ["Host", "Plan", "Settings"]

ENGLISH = "eng_Latn"
# Top level domains of countries, by label.
COUNTRIES = {
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
ENGLISH_PAGES = 0.02  # of a host in another language: 98% of links within a site stay in the language (docs/links.md)
RARE = "fao_Latn"  # on three hosts, whatever the settings
GENERIC = "com com com org net info eu shop blog".split()
PLATFORMS = "blogspot.com wordpress.com github.io tumblr.com".split()
PATTERNS = (
    "/{slug}", "/{slug}/", "/{word}/{slug}.html", "/{year}/{month:02}/{slug}", "/{word}/{number}", "/index.php?id={number}",
    "/?p={number}", "/{word}/{word2}/{slug}.htm", "/{word}_{number}.php", "/node/{number}",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Settings:
    """How large it is, and how links lead."""

    hosts: int = 8  # of a language
    same: float = 0.95  # share of links between hosts that stay in the language
    english: float = 0.6  # share of the others that go to English
    same_english: float = 0.0  # the share of English pages, where it is another; 0: the same
    broken: float = 0.0  # share of pages that are no longer there, or whose server fails
    large: tuple[str, ...] = ()  # labels with ``large_hosts`` each
    large_hosts: int = 120
    seed: int = 1
    traps: bool = True
    hubs: int = 6  # English directories that link to every language


@dataclass(frozen=True)
class Host:
    """A host: the languages of its parts, how its addresses look, and how many pages each part has."""

    name: str
    labels: tuple[str, ...]
    pattern: str
    pages: int
    kind: str = "site"  # or hub, or the name of a trap
    is_country: bool = False
    declares: bool = True
    packed: bool = False
    chunked: bool = False
    encoding: str = "utf-8"

    def chance(self, *parts: object) -> random.Random:
        """Draws that are the same every time."""
        return random.Random(zlib.crc32(repr((self.name, *parts)).encode()))


@dataclass(frozen=True)
class Plan:
    """All hosts by name. What is at an address is worked out when it is asked for."""

    settings: Settings
    texts: dict[str, Language] = field(default_factory=languages)

    @cached_property
    def labels(self) -> list[str]:
        return [label for label in COUNTRIES if label in self.texts]

    @cached_property
    def words(self) -> dict[str, Words]:
        return {label: words_of(self.texts[label]) for label in self.labels}

    @cached_property
    def hosts(self) -> dict[str, Host]:
        chance = random.Random(self.settings.seed)
        out: dict[str, Host] = {}
        for label in self.labels:
            count = (
                3
                if label == RARE
                else self.settings.large_hosts
                if label in self.settings.large
                else self.settings.hosts
            )
            made = 0
            while made < count:
                host = self._host(label, chance, made)
                if host.name not in out:
                    out[host.name] = host
                    made += 1
        for number in range(self.settings.hubs):
            name = f"www.{self.words[ENGLISH].name(chance)}-directory{number}.org"
            out[name] = Host(name, (ENGLISH,), "/{word}/{number}", 12, "hub")
        if self.settings.traps:
            from web.traps import TRAPS

            out |= {name: Host(name, (label,), "/{slug}", 50, kind) for name, label, kind in TRAPS}
        return out

    def _host(self, label: str, chance: random.Random, number: int) -> Host:
        words, kind = self.words[label], chance.random()
        if label == RARE:
            kind = (0.1, 0.7, 0.95)[number % 3]
        name = (
            words.name(chance)
            if chance.random() < 0.3
            else f"{words.name(chance)}{chance.choice(('-', ''))}{words.name(chance)}"
        )
        is_country = kind < 0.55
        if is_country:
            place = f"{name}.{chance.choice(COUNTRIES[label].split())}"
        elif kind < 0.9:
            place = f"{name}.{chance.choice(GENERIC)}"
        else:
            place = f"{name}.{chance.choice(PLATFORMS)}"
        if kind < 0.9 and chance.random() < 0.7:
            place = f"www.{place}"
        others = ()
        if number % 8 == 7 and label != RARE:  # several languages under one host
            others = tuple(chance.sample([one for one in self.labels if one not in (label, RARE)], 2))
        return Host(
            place, (label, *others), chance.choice(PATTERNS), chance.randrange(8, 30), is_country=is_country,
            declares=chance.random() < 0.6, packed=chance.random() < 0.5, chunked=chance.random() < 0.3,
            encoding=_encoding(label) if chance.random() < 0.1 else "utf-8",
        )  # fmt: skip

    @cached_property
    def by_label(self) -> dict[str, list[Host]]:
        """Hosts whose first language it is."""
        out: dict[str, list[Host]] = {label: [] for label in self.labels}
        for host in self.hosts.values():
            if host.kind == "site":
                out[host.labels[0]].append(host)
        return out

    @cached_property
    def speaking(self) -> dict[str, list[Host]]:
        """Hosts that have pages in it, be it in one of several parts."""
        sites = [host for host in self.hosts.values() if host.kind == "site"]
        return {label: [host for host in sites if label in host.labels] for label in self.labels}

    # Addresses.

    def path(self, host: Host, part: int, number: int) -> str:
        """The address of a page within its host."""
        prefix = f"/{self.texts[host.labels[part]].tag.lower()}" if len(host.labels) > 1 else ""
        if number == 0:
            return f"{prefix}/"
        words, chance = self.words[host.labels[part]], host.chance("path", part, number)
        path = host.pattern.format(
            slug=f"{words.slug(chance)}-{number}", word=words.name(chance), word2=words.name(chance),
            number=1000 * part + 37 * number + 11, year=2009 + number % 14, month=1 + number % 12,
        )  # fmt: skip
        return f"{prefix}{path}"

    def url(self, host: Host, part: int = 0, number: int = 0) -> str:
        return f"http://{host.name}{self.path(host, part, number)}"

    @cached_property
    def _places(self) -> dict[str, dict[str, tuple[int, int]]]:
        return {}

    def place(self, host: Host, path: str) -> tuple[int, int] | None:
        """Part and number of the page at a path; None where there is none."""
        if host.name not in self._places:
            self._places[host.name] = {
                self.path(host, part, number): (part, number)
                for part in range(len(host.labels))
                for number in range(host.pages)
            }
            self._places[host.name]["/"] = (0, 0)
        return self._places[host.name].get(path)

    def label(self, host: Host, part: int, number: int) -> str:
        """What a page is in: its part's language, but for some English pages of other hosts."""
        own = host.labels[part]
        english = own != ENGLISH and number > 2 and host.chance("english", part, number).random() < ENGLISH_PAGES
        return ENGLISH if english else own

    def label_at(self, url: str) -> str:
        """What a page is in, by its address; empty where there is no page."""
        parts = urlsplit(url)
        host = self.hosts.get(parts.netloc)
        if host is None or host.kind not in ("site", "hub"):
            return (
                host.labels[0] if host is not None and host.kind in ("calendar", "sessions", "links", "robots") else ""
            )
        place = self.place(host, parts.path + (f"?{parts.query}" if parts.query else ""))
        return self.label(host, *place) if place is not None else ""

    # Links.

    def links(self, host: Host, part: int, number: int) -> list[tuple[str, str]]:
        """Where the page leads, and the words of each link."""
        chance = host.chance("links", part, number, self.settings.same)
        out = []
        for other in sorted({0, *(chance.randrange(host.pages) for _ in range(5)), (number + 1) % host.pages}):
            if other != number:
                out.append((self.url(host, part, other), self.title(host, part, other)))
        label = self.label(host, part, number)
        for _ in range(chance.randrange(2, 6)):
            target = self._target(label, chance)
            at = target.labels.index(label) if label in target.labels else 0
            other = 0 if chance.random() < 0.5 else chance.randrange(target.pages)
            out.append((self.url(target, at, other), self.title(target, at, other)))
        return out

    def _target(self, label: str, chance: random.Random) -> Host:
        draw = chance.random()
        if draw < (self.settings.same_english or self.settings.same if label == ENGLISH else self.settings.same):
            found = label
        elif label != ENGLISH and chance.random() < self.settings.english:
            found = ENGLISH
        else:
            found = chance.choice([one for one in self.labels if one not in (label, RARE)])
        hub = found == ENGLISH and chance.random() < 0.1
        hosts = (
            [one for one in self.hosts.values() if one.kind == "hub"]
            if hub and self.settings.hubs
            else self.speaking[found]
        )
        return chance.choice(hosts)

    def title(self, host: Host, part: int, number: int) -> str:
        text = self.texts[self.label(host, part, number)]
        chance = host.chance("title", part, number)
        return chance.choice(text.headings) if chance.random() < 0.7 else chance.choice(text.menu)

    def seed(self, label: str) -> str:
        """Where a crawl for a language begins: a site of its own, in its country if there is one."""
        hosts = [host for host in self.by_label[label] if len(host.labels) == 1]
        return self.url(next((host for host in hosts if host.is_country), hosts[0]))


def _encoding(label: str) -> str:
    script = label.partition("_")[2]
    return {"Cyrl": "windows-1251", "Grek": "iso-8859-7", "Jpan": "shift_jis", "Hang": "euc-kr", "Hans": "gb18030"}.get(
        script, "utf-8"
    )
