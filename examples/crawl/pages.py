"""The pages of the sites: paragraphs of a language in varied order, linked with each other, and their truth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from crawl.html import Link, Sheet, written
from crawl.sites import Site, address, number_of, path_of
from crawl.texts import Language
from crawl.warc import Capture, coded, digest

__all__ = ["Page", "plan", "short_pages", "site_capture", "written_pages"]

NEIGHBOURS = 2  # pages of other hosts that a page links to, of its own language
TOPICS = 3  # pages of a site, where it names none
LONG = 3  # one page in so many has three topics, not two
HUBS = 4  # one page in so many links to English too
# Pages of a word on a host that has many languages: the links to them tell, from pages of the language they are in.
ALBUM = "https://album.example.com"
ALBUMS = {
    "isl_Latn": "Kort", "dan_Latn": "Kort", "nob_Latn": "Bilder", "slv_Latn": "Mapa", "hrv_Latn": "Karta",
    "srp_Latn": "Karta", "msa_Latn": "Galeri foto", "ukr_Cyrl": "Карта", "por_Latn": "Fotos", "est_Latn": "Kaart",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Page:
    """A page that is to be written, and its address: links need those of all."""

    site: Site
    language: Language
    topic: int
    url: str

    @property
    def heading(self) -> str:
        return self.language.headings[self.topic]


def plan(sites: Sequence[Site], languages: Mapping[str, Language]) -> list[Page]:
    return [
        Page(site, languages[label], topic, site.root + path_of(site, languages[label], place, topic))
        for site in sites
        for label in site.labels
        for place, topic in enumerate(site.pages or _topics(site, languages[label]))
    ]


def _topics(site: Site, language: Language) -> list[int]:
    """Of a site that names none: some of what there is, another one first on each."""
    many, begin = len(language.headings), number_of("topics", site.host)
    return [(begin + i) % many for i in range(min(many, TOPICS))]


def written_pages(pages: Sequence[Page]) -> Iterator[Capture]:
    by_label: dict[str, list[Page]] = {}
    by_host: dict[str, list[Page]] = {}
    for page in pages:
        by_label.setdefault(page.language.label, []).append(page)
        by_host.setdefault(page.site.host, []).append(page)
    for page in pages:
        yield _capture(page, by_host[page.site.host], by_label)


def _capture(page: Page, own: Sequence[Page], by_label: Mapping[str, Sequence[Page]]) -> Capture:
    site, language = page.site, page.language
    same = [other for other in own if other.language is language]
    alternates = [
        Link(other.url, other.language.name, other.language.tag)
        for other in own
        if len(site.labels) > 1 and other.topic == page.topic
    ]
    menu = [Link(other.url, text) for text, other in zip(language.menu, same * len(language.menu), strict=False)]
    sheet = Sheet(
        title=page.heading,
        tag=language.tag,
        blocks=_blocks(page),
        lang=language.tag if site.lang is None else site.lang,
        charset=site.whatwg if site.meta is None else site.meta,
        menu=menu,
        links=[*_neighbours(page, by_label), *(Link(site.root + path, text) for path, text in site.short.items())],
        alternates=alternates,
        footer=f"{site.host} &middot; {_date(page.url)} &middot; {number_of(page.url) % 10**5:05d}",
    )
    return site_capture(site, page.url, written(sheet, site.style), language, site.tests, clear=True)


def _date(url: str) -> str:
    number = number_of("date", url)
    return f"{2019 + number % 7}-{1 + number // 7 % 12:02d}-{1 + number // 84 % 28:02d}"


def _blocks(page: Page) -> list[tuple[str, str]]:
    """The topic of the page, then one or two others of the language."""
    language, many = page.language, len(page.language.headings)
    order = sorted(
        (other for other in range(many) if other != page.topic), key=lambda other: number_of(page.url, other)
    )
    blocks = [("h1", page.heading), ("p", language.paragraphs[page.topic])]
    for other in order[: 2 if number_of("long", page.url) % LONG == 0 else 1]:
        blocks += [("h2", language.headings[other]), ("p", language.paragraphs[other])]
    return blocks


def _neighbours(page: Page, by_label: Mapping[str, Sequence[Page]]) -> list[Link]:
    others = [other for other in by_label[page.language.label] if other.site is not page.site]
    others = sorted(others, key=lambda other: number_of("link", page.url, other.url))[:NEIGHBOURS]
    links = [Link(other.url, other.heading) for other in others]
    if page.language.label in ALBUMS:
        links.append(Link(_album(page.language), ALBUMS[page.language.label]))
    if number_of("hub", page.url) % HUBS == 0:
        english = by_label["eng_Latn"]
        hub = english[number_of("english", page.url) % len(english)]
        links.append(Link(hub.url, hub.heading, "en" if number_of("hreflang", page.url) % 2 else ""))
    return links


def site_capture(site: Site, url: str, html: str, language: Language, tests: str, *, clear: bool) -> Capture:
    """HTML as a host sends it: in its encoding and coding, with its headers."""
    raw = html.encode(site.encoding, "xmlcharrefreplace")
    if site.bom:
        raw = "\ufeff".encode(site.encoding) + raw
    charset = site.whatwg if site.http is None else site.http
    headers = [("Content-Type", "text/html" + (f"; charset={charset}" if charset else "")), ("Server", "nginx")]
    if site.content_language:
        headers.append(("Content-Language", language.tag))
    body = raw
    if site.coding:
        headers.append(("Content-Encoding", site.coding))
        body = coded(body, site.coding)
    fields = {}
    if site.chunked:
        headers.append(("Transfer-Encoding", "chunked"))
        fields["WARC-Payload-Digest"] = digest(body)  # of what was sent, not of how
        body = coded(body, "chunked")
    return Capture(
        url=url,
        body=body,
        label=language.label,
        tests=tests,
        clear=clear,
        headers=tuple(headers),
        fields=fields,
        ip=address(site.host, site.at, v6=site.v6),
        country=site.at,
        encoding="utf-8" if raw.isascii() else site.whatwg,
    )


def _album(language: Language) -> str:
    return f"{ALBUM}/{number_of('album', language.label) % 10_000}"


def short_pages(sites: Sequence[Site], languages: Mapping[str, Language]) -> Iterator[Capture]:
    """Pages of a word or two, which many languages share: only their hosts and the links to them tell."""
    for site in sites:
        for path, text in site.short.items():
            tests = "a word or two: its host, its address and links tell"
            yield _short_page(site, site.root + path, text, languages[site.labels[0]], tests)
    host = Site(ALBUM.removeprefix("https://"), "US", tuple(ALBUMS), "")
    for label, text in ALBUMS.items():
        yield _short_page(host, _album(languages[label]), text, languages[label], "a word or two: links tell")


def _short_page(site: Site, url: str, text: str, language: Language, tests: str) -> Capture:
    blocks = [("h1", text), ("p", str(number_of(url) % 1000))]
    html = written(Sheet(title=text, tag=language.tag, blocks=blocks), "modern")
    return site_capture(site, url, html, language, tests, clear=False)
