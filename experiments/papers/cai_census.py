"""Cai 2009, chapter 5, from a census: WLIDS as published and webtongue over the same captures, the thesis's figures beside.

His 24.2 million servers are lost. Here are two small crawls: the demo crawl, which we made, so that its shares are what we chose
and no comparison is drawn from them; and archives that test the tools of others, a few hundred real pages that nobody drew as a
sample. They show the machinery at work, and what real pages declare.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cai_figures as thesis
from cai_comparisons import ALONE, PAGE, PARALLEL, SERIAL, TEXT_ALONE, comparisons, manners
from cai_counts import (
    COLUMNS,
    ENGLISH,
    UND,
    Found,
    beside,
    by_language,
    counted,
    country_name,
    language,
    language_name,
    share,
    totals,
)

from webtongue import Page, methods
from webtongue.census.config import Config
from webtongue.census.engines import Job, Watch
from webtongue.census.engines.local import LocalEngine
from webtongue.census.items import WorkItem
from webtongue.census.report.places import bounds, is_country
from webtongue.census.rows import Said
from webtongue.census.run import census
from webtongue.census.sink import Part
from webtongue.census.store import open_store
from webtongue.census.tables import run as table
from webtongue.cli.methods import Answers
from webtongue.evaluate.tables import Cell, Claim, Table

EXAMPLES = Path(__file__).parents[2] / "examples"
MADE, REAL = "made", "archives"  # the two crawls, in the ids of tables
ARCHIVES = (".warc", ".arc", ".wet", ".wacz")  # plain or packed
WEBTONGUE = "webtongue"
UNITS = (SERIAL, PARALLEL, WEBTONGUE)  # the censuses of the last three columns
CANADA, CHINESE = "CA", "zho"
OF = {  # tables and figures of the thesis by the beginning of ids
    "figure5-1": ("figure 5-1",), "table5-2": ("table 5-2", "figure 5-2"), "table5-3": ("table 5-3",), "figure5-3": ("figure 5-3",),
    "table5-4": ("table 5-4", "figure 5-4"), "table5-5": ("table 5-5", "figure 5-5"), "table5-6": ("table 5-6",),
}  # fmt: skip
FIVE = {  # section 5.1.3, by the words of `webtongue tables`
    "too little text": "1. too little text", "no model": "2. a language without a model", "no declaration": "3. no declaration",
    "damaged": "4. improperly received", "no strong language": "5. no strong language", "": "none of these: code, data, files",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Crawl:
    """What a census is taken of, where its servers are, what to know of it, and what of it was generated."""

    name: str
    inputs: tuple[str, ...]
    geo: str | None
    note: str
    generated: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """The censuses of a crawl: a store for each, and whom their countries come from."""

    stores: Mapping[str, Any]
    attribution: str

    def units(self, count: Callable[[Any], Found]) -> list[Found]:
        """What is counted in the censuses of the last three columns."""
        return [count(self.stores[name]) for name in UNITS]


class Alone:
    """One approach of WLIDS by itself, as a census takes it."""

    def __init__(self, approach: str) -> None:
        self._approach = approach
        self._method = methods.ready("composite", None, {"approaches": [approach]})

    def __call__(self, pages: Sequence[Page]) -> list[Said]:
        """What it says of each page."""
        found = self._method.answer_many(pages)
        return [Said(one.label, "" if one.label == UND else self._approach, one.reason) for one in found]


class Here(LocalEngine):
    """An engine that runs items in this process: for crawls so small that starting workers would take longest."""

    def run(self, items: Sequence[WorkItem], job: Job, watch: Watch | None = None) -> Iterator[Part]:
        """The part of each item as it is done."""
        work = job.worker()
        for item in items:
            yield work(item, job.out)


def run(data: Path) -> Iterator[Table | Claim]:
    """Tables 5-2 to 5-6 and figures 5-1 to 5-5 on both crawls; comparisons of the thesis on the real one."""
    for crawl in (made(), archives(data)):
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            taken = censuses(crawl, Path(folder), stack)
            yield from tables(crawl, taken)
            yield manners("the made crawl" if crawl.name == MADE else "the archives", taken.stores)
            if crawl.name == REAL:
                yield from comparisons(taken.stores)


def made() -> Crawl:
    """The demo crawl."""
    note = "A crawl of our own making: its shares are what we chose and say nothing of the web."
    archive, geo = str(EXAMPLES / "crawl.warc.gz"), str(EXAMPLES / "crawl.mmdb")
    generated = "all of it: pages, what they declare, their servers and the countries of these (examples/make_crawl.py), by no rate"
    return Crawl(MADE, (archive,), geo, note, generated)


def archives(data: Path) -> Crawl:
    """The archives of the data folder."""
    folder = data / "warc"
    found = sorted(path for path in folder.rglob("*") if path.is_file() and any(end in path.name for end in ARCHIVES))
    if not found:
        raise FileNotFoundError(2, "no archives", str(folder))
    geo = data / "geo" / "dbip-country.mmdb.xz"
    note = (
        f"{len(found)} archives that test the tools of others: real pages, but a sample of nothing, many there twice."
    )
    return Crawl(REAL, tuple(map(str, found)), str(geo) if geo.exists() else None, note)


def censuses(crawl: Crawl, folder: Path, stack: ExitStack) -> Taken:
    """WLIDS in its unit and serially; in parallel over all pages; each approach by itself; webtongue, also by text alone."""
    pages, portals = Config(geo=crawl.geo), Config(geo=crawl.geo, portal=True)
    wanted: dict[str, tuple[Config, Answers | Alone | None]] = {
        SERIAL: (portals, Answers("composite", SERIAL)),
        PARALLEL: (pages, Answers("composite", PARALLEL)),
        **{approach: (portals, Alone(approach)) for approach in ALONE},
        WEBTONGUE: (pages, None),
        TEXT_ALONE: (Config(geo=crawl.geo, evidence=()), None),
    }
    stores: dict[str, Any] = {}
    attribution = ""
    for name, (config, answer) in wanted.items():
        attribution = census(crawl.inputs, folder / name, config, answer=answer, engine=Here()).attribution
        stores[name] = open_store(folder / name)
        stack.callback(stores[name].close)
    return Taken(stores, attribution)


def tables(crawl: Crawl, taken: Taken) -> Iterator[Table]:
    """In the order of the thesis, each with what it is of it."""
    for found in counts(crawl, taken):
        of = OF.get("-".join(found.id.split("-")[:2]), ())
        yield replace(found, of=of, generated=crawl.generated)


def counts(crawl: Crawl, taken: Taken) -> Iterator[Table]:
    """The figures themselves."""
    found = taken.units(by_language)
    pages = f"Pages: {thesis.PORTALS:,} in the thesis; {totals(found)} here. {crawl.note}"
    yield coverage(crawl, taken, pages)
    yield by_charset(crawl, taken)
    yield unknown(crawl, taken, pages)
    yield servers(crawl, taken)
    yield classes(crawl, taken)
    paper = {ENGLISH: thesis.SHARES[ENGLISH], UND: thesis.UNKNOWN} | thesis.SHARES
    title = "pages by language, %"
    yield beside(f"table5-4-{crawl.name}", title, paper, found, language_name, pages)
    yield from within_country(crawl, taken)
    yield from of_language(crawl, taken)


def coverage(crawl: Crawl, taken: Taken, note: str) -> Table:
    """Figure 5-1. Of webtongue: pages that declare a language; whose charset names one; what it answers by text; and by all."""
    own = taken.stores[WEBTONGUE]
    count = f"SELECT count(language_declared), count(charset_language), count(*) FROM rows WHERE {PAGE}"
    declared, named, every = own.execute(count).fetchone()
    shares = {
        "language": share(declared, every),
        "encoding": share(named, every),
        "text": answered(taken.stores[TEXT_ALONE])[1],
        SERIAL: answered(own)[1],
    }
    rows: list[tuple[Cell, ...]] = [
        (ALONE.get(name, "all together"), thesis.COVERAGE[name], *answered(taken.stores[name]), ours)
        for name, ours in shares.items()
    ]
    title = "pages for which each approach by itself names a language, %"
    note = f"The thesis's numbers are those of table 4-4, since its figure has none in the text. {note}"
    return Table(f"figure5-1-{crawl.name}", title, tuple(rows), COLUMNS, note)


def answered(store: Any) -> tuple[float | None, float | None]:
    """The share of portal pages, and of all pages, with a language."""
    query = "SELECT count(*) FILTER (label NOT IN ('und', 'zxx', 'mul')), count(*) FROM {} WHERE {}"
    portals, pages = (store.execute(query.format(*of)).fetchone() for of in (("captures", "is_page"), ("rows", PAGE)))
    return share(*portals), share(*pages)


def by_charset(crawl: Crawl, taken: Taken) -> Table:
    """Table 5-2, by the charsets that the captures themselves declare."""
    named = taken.units(lambda store: counted(store, "charset_coverage", "label", "by_charset"))
    every = taken.units(lambda store: counted(store, "charset_coverage", "label"))
    rows = [
        (language_name(code), paper, *(share(hits[code], all_[code]) for hits, all_ in zip(named, every, strict=True)))
        for code, paper in thesis.BY_CHARSET.items()
    ]
    counts = (f"{language_name(code)} {', '.join(str(one[code]) for one in every)}" for code in thesis.BY_CHARSET)
    title = "pages of a language that their charset names, %"
    return Table(f"table5-2-{crawl.name}", title, tuple(rows), COLUMNS, f"Pages: {'; '.join(counts)}. {crawl.note}")


def unknown(crawl: Crawl, taken: Taken, note: str) -> Table:
    """Section 5.1.3."""
    every = taken.units(by_language)
    reasons = taken.units(lambda store: counted(store, "unknown_by_reason", "cai"))
    rows: list[tuple[Cell, ...]] = [("pages unknown", thesis.UNKNOWN, *(share(one[UND], one.total()) for one in every))]
    for word, name in FIVE.items():
        paper = thesis.TOO_SHORT if word == "too little text" else None
        rows.append((f"of them: {name}", paper, *(share(one[word], one.total()) for one in reasons)))
    title = "pages that stay unknown, and why (section 5.1.3), %"
    return Table(f"unknown-{crawl.name}", title, tuple(rows), COLUMNS, note)


def servers(crawl: Crawl, taken: Taken) -> Table:
    """Table 5-3. It does not hang on what pages are in, so there is one column of ours."""
    found = counted(taken.stores[WEBTONGUE], "servers_by_country", "country", "servers")
    paper = {code: 100 * count / thesis.SERVERS for code, count in thesis.COUNTRIES.items()}
    counts = f"Servers: {thesis.SERVERS:,} in the thesis, {found.total():,} here, of captures of any status."
    note = f"{counts} {crawl.note} {taken.attribution}".strip()
    title = "servers by country, %"
    return beside(f"table5-3-{crawl.name}", title, paper, [found], country_name, note, ("", "paper", "census"))


def classes(crawl: Crawl, taken: Taken) -> Table:
    """Figure 5-3: the map's six classes, as counts of countries. Those of the thesis are known as far as it lists countries."""
    found = counted(taken.stores[WEBTONGUE], "servers_by_country", "country", "servers")
    known = [count for code, count in found.items() if is_country(code)]
    listed = thesis.COUNTRIES.values()
    theirs, ours = bounds(listed), bounds(known)
    rows: list[tuple[Cell, ...]] = []
    for place in reversed(range(len(ours))):
        count = inside(listed, theirs, place) or None
        rows.append((place + 1, f"{theirs[place]:,}", count, f"{ours[place]:,}", inside(known, ours, place)))
    columns = ("class", "servers from, paper", "countries, paper", "servers from, census", "countries, census")
    note = (
        "The thesis does not print where its classes begin: powers of ten fit its words on the map. It lists 20 countries. "
        f"{crawl.note} {taken.attribution}"
    )
    title = "countries by their number of servers, in six classes"
    return Table(f"figure5-3-{crawl.name}", title, tuple(rows), columns, note.strip(), plot="")


def inside(numbers: Iterable[int], begins: Sequence[int], place: int) -> int:
    """How many of the numbers are in a class."""
    end = begins[place + 1] if place + 1 < len(begins) else float("inf")
    return sum(begins[place] <= number < end for number in numbers)


def within_country(crawl: Crawl, taken: Taken) -> Iterator[Table]:
    """Table 5-5 for Canada as in the thesis, and for the country with most pages here."""
    pages = counted(taken.stores[WEBTONGUE], "languages_of_country", "country")
    others = Counter({code: count for code, count in pages.items() if is_country(code) and code != CANADA})
    for code, paper in ((CANADA, thesis.IN_CANADA), *((most, {}) for most in commonest(others))):
        found = [counted(taken.stores[name], "languages_of_country", "label", country=code) for name in UNITS]
        title = f"languages of pages in {country_name(code)}, %"
        note = f"Pages: {totals(found)}. {crawl.note} {taken.attribution}".strip()
        yield beside(f"table5-5-{code}-{crawl.name}", title, paper, found, language_name, note)


def of_language(crawl: Crawl, taken: Taken) -> Iterator[Table]:
    """Table 5-6 for Chinese as in the thesis, and for the commonest other language here that is not English.

    Only pages whose country is known make a language common: else the table may have no country.
    """
    pages: Found = Counter()
    for label, _, country, _, count, _ in table(taken.stores[WEBTONGUE], "countries_of_language").rows:
        if is_country(country) and language(label) not in (ENGLISH, CHINESE, UND):
            pages[language(label)] += count
    for code, paper in ((CHINESE, thesis.OF_CHINESE), *((most, {}) for most in commonest(pages))):
        found = [counted(taken.stores[name], "countries_of_language", "country", of=code) for name in UNITS]
        title = f"countries of pages in {language_name(code)}, %"
        note = f"Pages: {totals(found)}. {crawl.note} {taken.attribution}".strip()
        yield beside(f"table5-6-{code}-{crawl.name}", title, paper, found, country_name, note)


def commonest(found: Found) -> list[str]:
    """The code that is counted most, the first by name of several; none of nothing."""
    return sorted(found, key=lambda code: (-found[code], code))[:1]
