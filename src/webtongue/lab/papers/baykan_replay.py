"""The web of the crawls of Baykan, Henzinger and Weber (2013), section 5.2: real links between real URLs, replayed.

The links are those of saved news pages (links/edges.tsv.xz); the language of a site comes from the URL lists (url/), without the
rows that were found through links between sites. Pages that were not saved are given the links of a saved page of their site,
or else of their language. The texts of all pages are generated.
"""

from __future__ import annotations

import lzma
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from webtongue import Page, labels
from webtongue.crawl.urls import CrawlUrl, parse_url
from webtongue.lab.methods.corpus import read_documents
from webtongue.lab.train.url.rows import UrlRow, read_rows

__all__ = ["ReplayLink", "ReplayWeb", "SavedPage", "make_body", "read_bodies", "read_replay"]

MAX_URL_CHARS = 2048
CIRCULAR_SOURCE = "links_external"  # rows of the URL lists whose language is that of a page that links to them
BODY_SOURCES = ("udhr",)  # texts of the generated bodies
BODY_LABEL_CHARS, BODY_CHARS = 12_000, 1_000

Item = TypeVar("Item")
Bodies = Mapping[str, Sequence[str]]  # language -> texts


@dataclass(frozen=True, slots=True)
class ReplayLink:
    """A link: its target, and its anchor text."""

    target: CrawlUrl
    anchor: str


@dataclass(frozen=True, slots=True)
class SavedPage:
    """A page whose links are known: its URL, its language, and its links to sites of the web."""

    url: CrawlUrl
    language: str
    links: tuple[ReplayLink, ...]

    @property
    def external(self) -> tuple[ReplayLink, ...]:
        """Return the links to other sites."""
        return tuple(link for link in self.links if link.target.domain != self.url.domain)


@dataclass(frozen=True)
class ReplayWeb:
    """Sites with one language each, their known URLs, and saved pages with their links."""

    languages: Mapping[str, str]  # registered domain -> language (ISO 639-3)
    dev_domains: frozenset[str]  # domains of url/dev, which no model was trained on
    urls: Mapping[str, Sequence[CrawlUrl]]  # registered domain -> its known URLs
    pages: Mapping[str, SavedPage]  # key of a URL -> saved page

    @cached_property
    def by_domain(self) -> dict[str, list[SavedPage]]:
        """Return the saved pages of each site."""
        return _group(self.pages.values(), lambda page: page.url.domain)

    @cached_property
    def by_language(self) -> dict[str, list[SavedPage]]:
        """Return the saved pages in each language."""
        return _group(self.pages.values(), lambda page: page.language)

    @cached_property
    def linked_domains(self) -> frozenset[str]:
        """Return the sites that another site links to: all that a crawl can reach, besides that of its seed."""
        return frozenset(link.target.domain for page in self.pages.values() for link in page.external)

    def language(self, url: CrawlUrl) -> str:
        """Return the language of a page: its own if it was saved, that of its site otherwise."""
        page = self.pages.get(url.key)
        return page.language if page is not None else self.languages.get(url.domain, "")

    def links(self, url: CrawlUrl) -> tuple[ReplayLink, ...]:
        """Return the links of a page: its own if it was saved, otherwise those of a saved page of its site, or else the links
        between sites of a saved page of its language with as many links within its own site, to URLs known there."""
        page = self.pages.get(url.key)
        if page is not None:
            return page.links
        if siblings := self.by_domain.get(url.domain):
            return _choose(siblings, url.key).links
        models = self.by_language.get(self.language(url))
        if not models:
            return ()
        model = _choose(models, url.key)
        known = self.urls.get(url.domain, ())
        count = min(len(known), len(model.links) - len(model.external))
        internal = random.Random(f"internal:{url.key}").sample(known, count)
        return (*model.external, *(ReplayLink(target, "") for target in internal))

    def seeds(self, language: str, count: int, min_links: int) -> list[SavedPage]:
        """Return random saved pages in a language with links to other sites, each of another site."""
        pages = [page for page in self.by_language.get(language, ()) if len(page.external) >= min_links]
        by_domain = _group(sorted(pages, key=lambda page: page.url.key), lambda page: page.url.domain)
        domains = sorted(by_domain)
        random.Random(f"seeds:{language}").shuffle(domains)
        return [_choose(by_domain[domain], f"seed:{domain}") for domain in domains[:count]]


def _group(pages: Iterable[SavedPage], key: Callable[[SavedPage], str]) -> dict[str, list[SavedPage]]:
    groups: defaultdict[str, list[SavedPage]] = defaultdict(list)
    for page in pages:
        groups[key(page)].append(page)
    return dict(groups)


def _choose(items: Sequence[Item], key: str) -> Item:
    """Return an item that depends on the key alone."""
    return random.Random(key).choice(items)


def read_replay(data: Path) -> ReplayWeb:
    """Return the web of the links and URL lists of a data folder."""
    train, dev = (read_rows(data / "url" / f"{name}.tsv.xz") for name in ("train", "dev"))
    languages = find_single_languages([*train, *dev])
    saved = list(_read_saved(data / "links" / "edges.tsv.xz", languages))
    linked = {link.target.domain for page in saved for link in page.links}
    urls: defaultdict[str, dict[str, CrawlUrl]] = defaultdict(dict)
    for row in (*train, *dev):
        if row.domain in linked and row.domain in languages:
            target = parse_url(row.url, MAX_URL_CHARS)
            if target is not None and target.domain == row.domain:
                urls[target.domain].setdefault(target.key, target)
    for page in saved:
        for link in page.links:
            urls[link.target.domain].setdefault(link.target.key, link.target)
    known = {domain: tuple(by_key[key] for key in sorted(by_key)) for domain, by_key in urls.items()}
    return ReplayWeb(languages, frozenset(row.domain for row in dev), known, {page.url.key: page for page in saved})


def find_single_languages(rows: Sequence[UrlRow]) -> dict[str, str]:
    """Return the language of each domain whose rows are all in one, without the rows that links between sites have found."""
    languages: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.source != CIRCULAR_SOURCE:
            languages[row.domain].add(row.language)
    return {domain: next(iter(codes)) for domain, codes in languages.items() if len(codes) == 1}


def _read_saved(path: Path, languages: Mapping[str, str]) -> Iterator[SavedPage]:
    """Yield the saved pages with at least one link to a site of one language; links to other sites are left out."""
    links: defaultdict[str, dict[str, ReplayLink]] = defaultdict(dict)
    sources: dict[str, tuple[CrawlUrl, str]] = {}
    with lzma.open(path, "rt", encoding="utf-8", errors="replace") as file:
        next(file)
        for line in file:
            cells = line.rstrip("\n").split("\t")
            if len(cells) != 5:
                continue
            source_url, code, _, target_url, anchor = cells
            source, target = parse_url(source_url, MAX_URL_CHARS), parse_url(target_url, MAX_URL_CHARS)
            label = labels.parse(code)
            if source is None or target is None or label is None or target.domain not in languages:
                continue
            if target.key != source.key:
                sources.setdefault(source.key, (source, labels.fold(label).language))
                links[source.key].setdefault(target.key, ReplayLink(target, anchor))
    for key, (source, language) in sources.items():
        yield SavedPage(source, language, tuple(links[key].values()))


def read_bodies(data: Path) -> Bodies:
    """Return texts by language for the bodies of pages."""
    documents = read_documents(data / "train", BODY_SOURCES, None, BODY_LABEL_CHARS, BODY_CHARS)
    bodies: defaultdict[str, list[str]] = defaultdict(list)
    for label in sorted(documents):
        bodies[label.partition("_")[0]] += map(str, documents[label])
    return dict(bodies)


def make_body(url: CrawlUrl, language: str, bodies: Bodies) -> Page:
    """Return a page with a text in its language, which depends on its URL alone."""
    texts = bodies.get(language)
    text = _choose(texts, f"body:{url.key}") if texts else ""
    return Page(f"<!DOCTYPE html><p>{text}</p>".encode(), url.url, {"content-type": "text/html; charset=utf-8"})
