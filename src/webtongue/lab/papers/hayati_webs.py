"""Pages and their links for Hayati's experiments: real ones of dev/html and of archives, real links without the text of their
pages, and random links."""

from __future__ import annotations

import lzma
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from webtongue import Page, labels, markup
from webtongue.census.config import Config
from webtongue.census.items import Source
from webtongue.census.read import read
from webtongue.lab.evaluate import sets
from webtongue.lab.methods.document import read_text
from webtongue.lab.methods.grams import keep_letters
from webtongue.lab.papers.common import read_labelled, sample_by_label
from webtongue.lab.papers.hayati_systems import LABELS, MAX_SHORT_CHARS, MIDDLE_CHARS, NORWEGIAN_FOLD, SEED
from webtongue.lab.train.url.rows import UrlRow
from webtongue.markup import Syntax
from webtongue.reference.domains import registered_domain

ARCHIVES = {".warc": "warc", ".arc": "arc"}
BY_PAGE, BY_URL, BY_DOMAIN = "saved page", "listed URL", "domain"  # how the language of a target is known
# Domains that give all their URLs a language.
MIN_DOMAIN_SHARE, MIN_DOMAIN_URLS = 0.9, 2
MAX_LINKING_CHARS = 4000  # text of a linking page that is classified: more changes no answer

# (URL, label) -> label by URL of the pages that it has links with.
Neighbours = Mapping[tuple[str, str], dict[str, str]]


@dataclass(frozen=True, slots=True)
class WebPage:
    """A real page: its letters with one space between words, its label (empty if unknown) and its links."""

    url: str
    words: str
    label: str
    links: frozenset[str]
    page: Page
    addressed: bool  # False for a URL that is only the page's path in a package


@dataclass(frozen=True, slots=True)
class PageText:
    """A page as the experiments use it: letters, label and site."""

    words: str
    label: str
    site: str


@dataclass(frozen=True, slots=True)
class LinkedPage:
    """A page with the pages that link to it and the pages that it links to."""

    page: PageText
    linking: tuple[PageText, ...] = ()
    linked: tuple[PageText, ...] = ()

    @property
    def linking_words(self) -> list[str]:
        """Return the texts of the linking pages."""
        return [page.words for page in self.linking]

    @property
    def same_language(self) -> list[bool]:
        """Return for each linking page whether it is in the language of the page."""
        return [page.label == self.page.label for page in self.linking]


@dataclass(frozen=True, slots=True)
class Edge:
    """A real link between pages of known language. ``known_by`` says how that of the target is known."""

    source: str
    language: str
    target: str
    truth: str
    same_site: bool
    known_by: str

    @property
    def is_independent(self) -> bool:
        """Return True if the language of the target is not that of its domain, which a link within a site has at both ends."""
        return self.known_by != BY_DOMAIN


# Real pages.


def read_real_pages(data: Path) -> list[WebPage]:
    """Return every readable page of dev/html with its links; linked_html lists those in image maps too."""
    pages = []
    listed_links: defaultdict[str, set[str]] = defaultdict(set)
    for path in sorted((data / "dev" / "html").glob("*.tar.xz")):
        for row, raw, label in read_labelled(path):
            if row.get("bucket", "clean") != "clean":
                continue
            place = f"{row['source']}/{row['orig_path']}" if "orig_path" in row else f"{path.name}/{row['path']}"
            page = Page(raw, row.get("url") or f"https://folder.example/{place}")
            pages.append(make_page(page, label, bool(row.get("url"))))
            for link in row.get("inlinks", ()):
                listed_links[normalize_url(link["url"])].add(pages[-1].url)
    return [replace(page, links=(page.links | listed_links[page.url]) - {page.url}) for page in pages]


def read_archived_pages(data: Path) -> Iterator[WebPage]:
    """Yield the distinct HTML pages of the archives, whose languages are unknown."""
    seen_bodies: set[bytes] = set()
    for path in sorted((data / "warc").rglob("*")):
        kind = next((kind for extension, kind in ARCHIVES.items() if extension in path.name), "")
        for capture in read(Source(str(path), kind), Config()) if kind and path.is_file() else ():
            body = capture.body
            if body and capture.fetch_status == 200 and "html" in capture.mime_type and body not in seen_bodies:
                seen_bodies.add(body)
                page = Page(body, capture.url, capture.headers)
                if markup.read(page).syntax is Syntax.HTML:
                    yield make_page(page, "", True)


def make_page(page: Page, label: str, addressed: bool) -> WebPage:
    """Return a page with its text and links."""
    url = normalize_url(page.url or "")
    links = {normalize_url(link.url) for link in markup.read(page).links if link.url.startswith("http")}
    words = keep_letters(read_text(page))
    return WebPage(url, words, NORWEGIAN_FOLD.get(label, label), frozenset(links - {url}), page, addressed)


def normalize_url(url: str) -> str:
    """Return a URL without fragment, with a folder's index page named."""
    without_fragment = url.partition("#")[0]
    return f"{without_fragment}index.html" if without_fragment.endswith("/") else without_fragment


def link_pages(pages: Sequence[WebPage]) -> list[LinkedPage]:
    """Return the pages in the eleven languages that have a link from or to another such page, with these pages."""
    by_url = {page.url: page for page in pages if page.label in LABELS}
    linking: defaultdict[str, list[WebPage]] = defaultdict(list)
    for page in by_url.values():
        for url in sorted(page.links & by_url.keys()):
            linking[url].append(page)
    linked_pages = []
    for url, page in by_url.items():
        targets = [by_url[target] for target in sorted(page.links & by_url.keys())]
        if linking[url] or targets:
            linked_pages.append(
                LinkedPage(
                    to_page_text(page), tuple(map(to_page_text, linking[url])), tuple(map(to_page_text, targets))
                )
            )
    return linked_pages


def to_page_text(page: WebPage) -> PageText:
    """Return the text of a page as far as it is classified."""
    return PageText(page.words[:MAX_LINKING_CHARS], page.label, registered_domain(page.url) or "folder.example")


def cut_pages(web: Sequence[LinkedPage], length: int) -> list[LinkedPage]:
    """Return the same links with the pages cut to at most ``length`` characters."""
    return [
        replace(linked_page, page=replace(linked_page.page, words=sets.cut_text(linked_page.page.words, length)))
        for linked_page in web
    ]


# Real links between pages without text.


@cache
def fold_code(code: str) -> str:
    """Return the folded label of a language code, empty if unknown."""
    parsed = labels.parse(code)
    return str(labels.fold(parsed)) if parsed else ""


def find_target_languages(rows: Sequence[UrlRow]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the languages of URLs, and of domains with nine tenths of their URLs in one language; none that these links found."""
    urls: dict[str, str] = {}
    domains: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        if not row.source.startswith("links_"):
            urls[row.url] = row.language
            domains[row.domain][row.language] += 1
    domain_languages = {}
    for name, counts in domains.items():
        top, count = counts.most_common(1)[0]
        if counts.total() >= MIN_DOMAIN_URLS and count >= MIN_DOMAIN_SHARE * counts.total():
            domain_languages[name] = top
    return urls, domain_languages


def read_real_links(data: Path, rows: Sequence[UrlRow]) -> list[Edge]:
    """Return the links of links/edges.tsv.xz whose ends have a known language."""
    urls, domain_languages = find_target_languages(rows)
    get_domain = cache(registered_domain)
    edges = []
    lines = list(_read_lines(data / "links" / "edges.tsv.xz"))
    saved = {source: code for source, code, _ in lines}
    for source, code, target in lines:
        site = get_domain(target)
        ways = ((BY_PAGE, saved.get(target)), (BY_URL, urls.get(target)), (BY_DOMAIN, domain_languages.get(site)))
        known_by, language = next(((way, known) for way, known in ways if known), ("", ""))
        if language and fold_code(language) and fold_code(code) and get_domain(source):
            same_site = get_domain(source) == site
            edges.append(Edge(source, fold_code(code), target, fold_code(language), same_site, known_by))
    return edges


def _read_lines(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield source, language of the source and target of each link to another page."""
    with lzma.open(path, "rt", encoding="utf-8", errors="replace") as file:
        next(file)
        for line in file:
            cells = line.rstrip("\n").split("\t")
            if len(cells) == 5 and cells[0] != cells[3]:
                yield cells[0], cells[1], cells[3]


def filter_eleven(edges: Sequence[Edge]) -> list[Edge]:
    """Return the links with both ends in her languages, with one Norwegian."""
    folded = [
        replace(
            edge,
            language=NORWEGIAN_FOLD.get(edge.language, edge.language),
            truth=NORWEGIAN_FOLD.get(edge.truth, edge.truth),
        )
        for edge in edges
    ]
    return [edge for edge in folded if edge.language in LABELS and edge.truth in LABELS]


@dataclass(frozen=True, slots=True)
class TextPool:
    """Texts by label for pages whose text is unknown; the page's URL determines which text it gets."""

    short: Mapping[str, Mapping[str, Sequence[str]]]  # class of length -> label -> texts
    pages: Mapping[str, Sequence[str]]

    def linking(self, url: str, label: str) -> PageText:
        """Return a linking page with a text of its language."""
        return PageText(choose_text(self.pages[label], url), label, registered_domain(url) or url)

    def target(self, url: str, label: str, length: str) -> PageText:
        """Return a short page of a length class with a text of its language."""
        return PageText(choose_text(self.short[length][label], f"{length} {url}"), label, registered_domain(url) or url)


def choose_text(texts: Sequence[str], key: str) -> str:
    """Return a random text that depends on the key alone."""
    return random.Random(f"{SEED}:{key}").choice(texts)


def group_links(edges: Sequence[Edge], back: bool = False) -> dict[tuple[str, str], dict[str, str]]:
    """Return the linked pages by URL and label, each with its linking pages and their labels; with ``back`` the linking pages
    with their targets."""
    neighbours: defaultdict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for edge in edges:
        page, neighbour = (
            ((edge.source, edge.language), (edge.target, edge.truth))
            if back
            else ((edge.target, edge.truth), (edge.source, edge.language))
        )
        neighbours[page][neighbour[0]] = neighbour[1]
    return dict(neighbours)


def sample_pages(neighbours: Neighbours, max_pages: int) -> list[tuple[str, str]]:
    """Return a random sample of at most ``max_pages`` pages of each label."""
    return sample_by_label(neighbours, lambda key: key[1], max_pages, SEED)


def attach_texts(
    keys: Sequence[tuple[str, str]], neighbours: Neighbours, texts: TextPool, length: str, back: bool = False
) -> list[LinkedPage]:
    """Return real pages and links by their URLs, with texts of their languages."""
    linked_pages = []
    for url, label in keys:
        others = tuple(texts.linking(other, name) for other, name in sorted(neighbours[url, label].items()))
        page = texts.target(url, label, length)
        linked_pages.append(LinkedPage(page, linked=others) if back else LinkedPage(page, others))
    return linked_pages


# Random links.


@dataclass(frozen=True, slots=True)
class LinkRates:
    """The share of linking pages in the language of the page, and the share of English among the others."""

    same: float
    english: float


def generate_web(texts: TextPool, length: str, rates: LinkRates, links: int | None, max_pages: int) -> list[LinkedPage]:
    """Return short pages with random linking pages of different sites, ``links`` of each, or 0 to 10 if None, in languages by
    the rates."""
    names = sorted(texts.pages)
    linked_pages = []
    for label in names:
        for number, words in enumerate(texts.short[length][label][:max_pages]):
            rng = random.Random(f"{SEED}:{label}:{number}:{links}")  # the same random numbers for every rate
            linking = []
            for site in range(rng.randrange(11) if links is None else links):
                name = draw_label(label, names, rates, rng)
                page = texts.pages[name][int(rng.random() * len(texts.pages[name]))]
                linking.append(PageText(page, name, f"site{site}.example"))
            linked_pages.append(LinkedPage(PageText(words, label, "page.example"), tuple(linking)))
    return linked_pages


def draw_label(label: str, names: Sequence[str], rates: LinkRates, rng: random.Random) -> str:
    """Return the language of a linking page."""
    same, english, other = rng.random(), rng.random(), rng.random()
    if same < rates.same:
        return label
    if label != "eng_Latn" and english < rates.english:
        return "eng_Latn"
    others = [name for name in names if name not in (label, "eng_Latn")]
    return others[int(other * len(others))]


def cut_at_random(web: Sequence[LinkedPage], min_chars: Sequence[int], max_chars: Sequence[int]) -> list[LinkedPage]:
    """Return pages and linking pages cut to random lengths between bounds, uniform on a logarithmic scale."""

    def cut_text(page: PageText, bound: int, key: str) -> PageText:
        rng = random.Random(f"{SEED}:{key}:{page.words[:80]}")
        length = round(min_chars[bound] * (max_chars[bound] / min_chars[bound]) ** rng.random())
        return replace(page, words=sets.cut_text(page.words, length))

    return [
        LinkedPage(
            cut_text(linked_page.page, 0, str(number)),
            tuple(cut_text(other, 1, f"{number}:{i}") for i, other in enumerate(linked_page.linking)),
        )
        for number, linked_page in enumerate(web)
    ]


def group_by_length(web: Sequence[LinkedPage]) -> dict[str, list[LinkedPage]]:
    """Return the short pages in her two length classes, and in both together."""
    first = [linked_page for linked_page in web if len(linked_page.page.words) < MIDDLE_CHARS]
    second = [linked_page for linked_page in web if MIDDLE_CHARS <= len(linked_page.page.words) < MAX_SHORT_CHARS]
    return {"< 25": first, ">= 25, < 50": second, "< 50": first + second}
