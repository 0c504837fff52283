"""The pages of the sites: paragraphs of a language in varied order, with links between them, and their labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from crawl.html import Link, PageContent, render
from crawl.sites import Site, hash_number, server_ip, url_path
from crawl.texts import Language
from crawl.warc import Capture, digest, encode_body

__all__ = ["Page", "plan_pages", "short_pages", "site_capture", "site_pages"]

EXTERNAL_LINKS = 2  # links of a page to other hosts in its language
DEFAULT_PAGES = 3  # of a site that lists none
LONG_PAGE_STEP = 3  # one page in three has three topics instead of two
ENGLISH_LINK_STEP = 4  # one page in four also links to English
# One-word pages on a host with many languages. Only links from pages in their language identify them.
ALBUM = "https://album.example.com"
ALBUM_WORDS = {
    "isl_Latn": "Kort", "dan_Latn": "Kort", "nob_Latn": "Bilder", "slv_Latn": "Mapa", "hrv_Latn": "Karta",
    "srp_Latn": "Karta", "msa_Latn": "Galeri foto", "ukr_Cyrl": "Карта", "por_Latn": "Fotos", "est_Latn": "Kaart",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Page:
    """A page to be generated, with its URL, since links need the URLs of all pages."""

    site: Site
    language: Language
    topic: int
    url: str

    @property
    def heading(self) -> str:
        return self.language.headings[self.topic]


def plan_pages(sites: Sequence[Site], languages: Mapping[str, Language]) -> list[Page]:
    return [
        Page(site, languages[label], topic, site.root + url_path(site, languages[label], position, topic))
        for site in sites
        for label in site.labels
        for position, topic in enumerate(site.pages or _topics(site, languages[label]))
    ]


def _topics(site: Site, language: Language) -> list[int]:
    """Return the topics of a site that lists none, in an order that depends on its host."""
    count, begin = len(language.headings), hash_number("topics", site.host)
    return [(begin + i) % count for i in range(min(count, DEFAULT_PAGES))]


def site_pages(pages: Sequence[Page]) -> Iterator[Capture]:
    by_label: dict[str, list[Page]] = {}
    by_host: dict[str, list[Page]] = {}
    for page in pages:
        by_label.setdefault(page.language.label, []).append(page)
        by_host.setdefault(page.site.host, []).append(page)
    for page in pages:
        yield _capture(page, by_host[page.site.host], by_label)


def _capture(page: Page, host_pages: Sequence[Page], by_label: Mapping[str, Sequence[Page]]) -> Capture:
    site, language = page.site, page.language
    same = [other for other in host_pages if other.language is language]
    alternates = [
        Link(other.url, other.language.name, other.language.tag)
        for other in host_pages
        if len(site.labels) > 1 and other.topic == page.topic
    ]
    menu = [Link(other.url, text) for text, other in zip(language.menu, same * len(language.menu), strict=False)]
    content = PageContent(
        title=page.heading,
        tag=language.tag,
        blocks=_blocks(page),
        lang=language.tag if site.lang is None else site.lang,
        charset=site.whatwg if site.meta is None else site.meta,
        menu=menu,
        links=[*_external_links(page, by_label), *(Link(site.root + path, text) for path, text in site.short.items())],
        alternates=alternates,
        footer=f"{site.host} &middot; {_date(page.url)} &middot; {hash_number(page.url) % 10**5:05d}",
    )
    return site_capture(site, page.url, render(content, site.style), language, site.tests, clear=True)


def _date(url: str) -> str:
    number = hash_number("date", url)
    return f"{2019 + number % 7}-{1 + number // 7 % 12:02d}-{1 + number // 84 % 28:02d}"


def _blocks(page: Page) -> list[tuple[str, str]]:
    """Return the topic of the page and one or two others of the language."""
    language, count = page.language, len(page.language.headings)
    order = sorted(
        (other for other in range(count) if other != page.topic), key=lambda other: hash_number(page.url, other)
    )
    blocks = [("h1", page.heading), ("p", language.paragraphs[page.topic])]
    for other in order[: 2 if hash_number("long", page.url) % LONG_PAGE_STEP == 0 else 1]:
        blocks += [("h2", language.headings[other]), ("p", language.paragraphs[other])]
    return blocks


def _external_links(page: Page, by_label: Mapping[str, Sequence[Page]]) -> list[Link]:
    others = [other for other in by_label[page.language.label] if other.site is not page.site]
    others = sorted(others, key=lambda other: hash_number("link", page.url, other.url))[:EXTERNAL_LINKS]
    links = [Link(other.url, other.heading) for other in others]
    if page.language.label in ALBUM_WORDS:
        links.append(Link(_album_url(page.language), ALBUM_WORDS[page.language.label]))
    if hash_number("hub", page.url) % ENGLISH_LINK_STEP == 0:
        english = by_label["eng_Latn"]
        hub = english[hash_number("english", page.url) % len(english)]
        links.append(Link(hub.url, hub.heading, "en" if hash_number("hreflang", page.url) % 2 else ""))
    return links


def site_capture(site: Site, url: str, html: str, language: Language, tests: str, *, clear: bool) -> Capture:
    """Return a capture of HTML in the character encoding and content encoding of a host, with its headers."""
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
        body = encode_body(body, site.coding)
    fields = {}
    if site.chunked:
        headers.append(("Transfer-Encoding", "chunked"))
        fields["WARC-Payload-Digest"] = digest(body)  # of the content, not of the chunks
        body = encode_body(body, "chunked")
    return Capture(
        url=url,
        body=body,
        label=language.label,
        tests=tests,
        clear=clear,
        headers=tuple(headers),
        fields=fields,
        ip=server_ip(site.host, site.at, v6=site.v6),
        country=site.at,
        encoding="utf-8" if raw.isascii() else site.whatwg,
    )


def _album_url(language: Language) -> str:
    return f"{ALBUM}/{hash_number('album', language.label) % 10_000}"


def short_pages(sites: Sequence[Site], languages: Mapping[str, Language]) -> Iterator[Capture]:
    """Yield pages of one or two words that many languages share; only their hosts and links identify them."""
    for site in sites:
        for path, text in site.short.items():
            tests = "a word or two: its host, its address and links tell"
            yield _short_page(site, site.root + path, text, languages[site.labels[0]], tests)
    host = Site(ALBUM.removeprefix("https://"), "US", tuple(ALBUM_WORDS), "")
    for label, text in ALBUM_WORDS.items():
        yield _short_page(host, _album_url(languages[label]), text, languages[label], "a word or two: links tell")


def _short_page(site: Site, url: str, text: str, language: Language, tests: str) -> Capture:
    blocks = [("h1", text), ("p", str(hash_number(url) % 1000))]
    html = render(PageContent(title=text, tag=language.tag, blocks=blocks), "modern")
    return site_capture(site, url, html, language, tests, clear=False)
