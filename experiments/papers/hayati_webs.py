"""Pages and their links for Hayati's experiments: real ones of dev/html and of archives, real links of which the pages are not
there, and links drawn by a share."""

from __future__ import annotations

import lzma
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from hayati_systems import LABELS, ONE_NORWEGIAN, SEED, SHORT, SHORTEST

from webtongue import Page, labels, markup
from webtongue.census.config import Config
from webtongue.census.items import Source
from webtongue.census.read import read
from webtongue.evaluate import sets
from webtongue.evaluate.archives import archive
from webtongue.hints.domain import registered_domain
from webtongue.markup import Syntax
from webtongue.methods.document import text_of
from webtongue.methods.grams import letters_only
from webtongue.train.url.rows import UrlRow

ARCHIVES = {".warc": "warc", ".arc": "arc"}
PURE, LEAST_URLS = 0.9, 2  # of a domain that stands for its addresses, as in tools/weights/fit_links.py
LONGEST = 4000  # letters of a linking page that are read: more changes no answer, and takes time


@dataclass(frozen=True, slots=True)
class Seen:
    """A real page: its letters with one space between words, its label (empty: not known) and what it links to."""

    url: str
    words: str
    label: str
    links: frozenset[str]
    page: Page
    addressed: bool  # whether the address is the page's own, and not one that only its place in a package gives it


@dataclass(frozen=True, slots=True)
class Text:
    """A page as a web has it: letters, label, and the site it is of."""

    words: str
    label: str
    site: str


@dataclass(frozen=True, slots=True)
class Linked:
    """A page with the pages that link to it and those that it links to."""

    page: Text
    linking: tuple[Text, ...] = ()
    linked: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """A real link, the language of whose ends is known: of the target by its own address (``exact``) or by its domain."""

    source: str
    language: str
    target: str
    truth: str
    own: bool
    exact: bool


# Real pages.


def real_web(data: Path) -> list[Seen]:
    """Every page of dev/html that can be read, with its links; linked_html lists those in maps of pictures."""
    out = []
    given: defaultdict[str, set[str]] = defaultdict(set)
    for path in sorted((data / "dev" / "html").glob("*.tar.xz")):
        files, rows = archive(path)
        for row in rows:
            raw = files.get(row["path"])
            label = labels.parse(row["label"]) if isinstance(row.get("label"), str) else None
            if raw is None or label is None or row.get("bucket", "clean") != "clean":
                continue
            place = f"{row['source']}/{row['orig_path']}" if "orig_path" in row else f"{path.name}/{row['path']}"
            page = Page(raw, row.get("url") or f"https://folder.example/{place}")
            out.append(seen(page, str(labels.fold(label)), bool(row.get("url"))))
            for link in row.get("inlinks", ()):
                given[bare(link["url"])].add(out[-1].url)
    return [replace(one, links=(one.links | given[one.url]) - {one.url}) for one in out]


def archived(data: Path) -> Iterator[Seen]:
    """The different HTML pages of the archives, their languages not known."""
    before: set[bytes] = set()
    for path in sorted((data / "warc").rglob("*")):
        kind = next((kind for ending, kind in ARCHIVES.items() if ending in path.name), "")
        for capture in read(Source(str(path), kind), Config()) if kind and path.is_file() else ():
            body = capture.body
            if body and capture.fetch_status == 200 and "html" in capture.mime_type and body not in before:
                before.add(body)
                page = Page(body, capture.url, capture.headers)
                if markup.read(page).syntax is Syntax.HTML:
                    yield seen(page, "", True)


def seen(page: Page, label: str, addressed: bool) -> Seen:
    url = bare(page.url or "")
    links = {bare(link.url) for link in markup.read(page).links if link.url.startswith("http")}
    words = letters_only(text_of(page))
    return Seen(url, words, ONE_NORWEGIAN.get(label, label), frozenset(links - {url}), page, addressed)


def bare(url: str) -> str:
    """An address without what leads inside the page, a folder by the name of its index."""
    address = url.partition("#")[0]
    return f"{address}index.html" if address.endswith("/") else address


def among(pages: Sequence[Seen]) -> list[Linked]:
    """The pages in the eleven languages that another one links to or that link to another one, with these."""
    chosen = {page.url: page for page in pages if page.label in LABELS}
    linking: defaultdict[str, list[Seen]] = defaultdict(list)
    for page in chosen.values():
        for url in sorted(page.links & chosen.keys()):
            linking[url].append(page)
    out = []
    for url, page in chosen.items():
        linked = [chosen[other] for other in sorted(page.links & chosen.keys())]
        if linking[url] or linked:
            out.append(Linked(text(page), tuple(map(text, linking[url])), tuple(map(text, linked))))
    return out


def text(page: Seen) -> Text:
    return Text(page.words[:LONGEST], page.label, registered_domain(page.url) or "folder.example")


def cut_pages(web: Sequence[Linked], length: int) -> list[Linked]:
    """The same links with the pages that are judged cut to a length, and no longer than it."""
    return [replace(one, page=replace(one.page, words=sets.cut(one.page.words, length))) for one in web]


# Real links of which the pages are not there.


@cache
def language(code: str) -> str:
    parsed = labels.parse(code)
    return str(labels.fold(parsed)) if parsed else ""


def known_targets(rows: Sequence[UrlRow]) -> tuple[dict[str, str], dict[str, str]]:
    """Languages of addresses, and of domains nine tenths of whose addresses are in one; none that was found by these links."""
    urls: dict[str, str] = {}
    domains: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        if not row.source.startswith("links_"):
            urls[row.url] = row.language
            domains[row.domain][row.language] += 1
    pure = {}
    for name, counts in domains.items():
        top, count = counts.most_common(1)[0]
        if counts.total() >= LEAST_URLS and count >= PURE * counts.total():
            pure[name] = top
    return urls, pure


def real_links(data: Path, rows: Sequence[UrlRow]) -> list[Edge]:
    """links/edges.tsv.xz, as far as both ends are known."""
    urls, pure = known_targets(rows)
    domain = cache(registered_domain)
    out = []
    with lzma.open(data / "links" / "edges.tsv.xz", "rt", encoding="utf-8", errors="replace") as file:
        next(file)
        for line in file:
            cells = line.rstrip("\n").split("\t")
            if len(cells) != 5 or cells[0] == cells[3]:
                continue
            source, code, _, target, _ = cells
            site = domain(target)
            truth = language(urls.get(target) or pure.get(site) or "")
            if truth and language(code) and domain(source):
                own = domain(source) == site
                out.append(Edge(source, language(code), target, truth, own, target in urls))
    return out


def in_eleven(edges: Sequence[Edge]) -> list[Edge]:
    """Links both of whose ends are in her languages, with one Norwegian."""
    folded = [
        replace(
            e,
            language=ONE_NORWEGIAN.get(e.language, e.language),
            truth=ONE_NORWEGIAN.get(e.truth, e.truth),
        )
        for e in edges
    ]
    return [e for e in folded if e.language in LABELS and e.truth in LABELS]


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts by label to be put on pages that are not there; which one is drawn by the page's address."""

    short: Mapping[str, Mapping[str, Sequence[str]]]  # class of length -> label -> texts
    pages: Mapping[str, Sequence[str]]

    def linking(self, url: str, label: str) -> Text:
        return Text(drawn(self.pages[label], url), label, registered_domain(url) or url)

    def target(self, url: str, label: str, length: str) -> Text:
        return Text(drawn(self.short[length][label], f"{length} {url}"), label, registered_domain(url) or url)


def drawn(texts: Sequence[str], key: str) -> str:
    return random.Random(f"{SEED}:{key}").choice(texts)


def around(edges: Sequence[Edge], back: bool = False) -> dict[tuple[str, str], dict[str, str]]:
    """Pages that are linked to, by address and label, with the pages that link to them and their labels; ``back``: pages that
    link, with the pages that they link to."""
    out: defaultdict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for e in edges:
        here, there = (
            ((e.source, e.language), (e.target, e.truth)) if back else ((e.target, e.truth), (e.source, e.language))
        )
        out[here][there[0]] = there[1]
    return dict(out)


def sampled(found: Mapping[tuple[str, str], dict[str, str]], most: int) -> list[tuple[str, str]]:
    """So many pages of a label at most, drawn by the seed."""
    by_label: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for key in found:
        by_label[key[1]].append(key)
    out = []
    for label, keys in sorted(by_label.items()):
        random.Random(f"{SEED}:{label}").shuffle(keys)
        out += keys[:most]
    return out


def with_texts(
    keys: Sequence[tuple[str, str]],
    found: Mapping[tuple[str, str], dict[str, str]],
    texts: Texts,
    length: str,
    back: bool = False,
) -> list[Linked]:
    """Real pages and links by their addresses, with texts that are drawn."""
    out = []
    for url, label in keys:
        others = tuple(texts.linking(other, name) for other, name in sorted(found[url, label].items()))
        page = texts.target(url, label, length)
        out.append(Linked(page, linked=others) if back else Linked(page, others))
    return out


# Links drawn by a share.


@dataclass(frozen=True, slots=True)
class Rates:
    """By what links are drawn: the share of linking pages in the language of the page, and of the others the share in English."""

    same: float
    english: float


def generated_web(texts: Texts, length: str, rates: Rates, links: int | None, most: int) -> list[Linked]:
    """Short pages, so many of a language, each with so many linking pages of different sites (None: 0 to 10 alike), each in its
    language or another one by the rates, whatever the others are in."""
    names = sorted(texts.pages)
    out = []
    for label in names:
        for number, words in enumerate(texts.short[length][label][:most]):
            chance = random.Random(f"{SEED}:{label}:{number}:{links}")  # the same draws at every share
            linking = []
            for site in range(chance.randrange(11) if links is None else links):
                name = other_label(label, names, rates, chance)
                page = texts.pages[name][int(chance.random() * len(texts.pages[name]))]
                linking.append(Text(page, name, f"site{site}.example"))
            out.append(Linked(Text(words, label, "page.example"), tuple(linking)))
    return out


def other_label(label: str, names: Sequence[str], rates: Rates, chance: random.Random) -> str:
    """The language of a linking page."""
    same, english, any_other = chance.random(), chance.random(), chance.random()
    if same < rates.same:
        return label
    if label != "eng_Latn" and english < rates.english:
        return "eng_Latn"
    others = [name for name in names if name not in (label, "eng_Latn")]
    return others[int(any_other * len(others))]


def cut_by_chance(web: Sequence[Linked], least: Sequence[int], most: Sequence[int]) -> list[Linked]:
    """The page and the pages that link to it cut to lengths between bounds, one length as likely as twice that length."""

    def shorter(one: Text, bound: int, key: str) -> Text:
        chance = random.Random(f"{SEED}:{key}:{one.words[:80]}")
        length = round(least[bound] * (most[bound] / least[bound]) ** chance.random())
        return replace(one, words=sets.cut(one.words, length))

    return [
        Linked(
            shorter(one.page, 0, str(number)),
            tuple(shorter(other, 1, f"{number}:{i}") for i, other in enumerate(one.linking)),
        )
        for number, one in enumerate(web)
    ]


def in_classes(web: Sequence[Linked]) -> dict[str, list[Linked]]:
    """The short pages of a web in her two samples, and both together."""
    first = [one for one in web if len(one.page.words) < SHORTEST]
    second = [one for one in web if SHORTEST <= len(one.page.words) < SHORT]
    return {"< 25": first, ">= 25, < 50": second, "< 50": first + second}
