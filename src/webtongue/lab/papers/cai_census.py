"""Cai 2009, chapter 5, from a census: the method of the thesis (WLIDS) and webtongue over the same captures, with the thesis's
figures.

Its 24.2 million servers are lost. Two small crawls replace them: the demo crawl, which is synthetic, so that its shares are our
choice and no comparison is drawn from them; and archives that test other tools, a few hundred real pages that are no sample of
the web. They show that the census works, and what real pages declare.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from webtongue.census.config import Config
from webtongue.census.engines import Job, OnProgress
from webtongue.census.engines.local import LocalEngine
from webtongue.census.items import WorkItem
from webtongue.census.report.places import choose_bounds, is_country
from webtongue.census.run import census
from webtongue.census.sink import Part
from webtongue.census.store import open_store
from webtongue.census.tables import run as table
from webtongue.cli.census_methods import Answers
from webtongue.errors import UsageError
from webtongue.lab.evaluate.tables import Cell, Claim, Exempt, Table
from webtongue.lab.papers import cai_published as thesis
from webtongue.lab.papers.cai_census_claims import PAGE, TEXT_ALONE, census_claims, published_claims
from webtongue.lab.papers.cai_claims import APPROACH_NAMES
from webtongue.lab.papers.cai_counts import (
    COLUMNS,
    ENGLISH,
    UND,
    Counts,
    comparison_table,
    country_name,
    format_totals,
    language_name,
    read_counts,
    thesis_language,
)
from webtongue.lab.papers.common import percent_of, require_example

DEMO, ARCHIVES = "made", "archives"  # the two crawls, as suffixes of table ids
ARCHIVE_EXTENSIONS = (".warc", ".arc", ".wet", ".wacz")  # plain or packed
WEBTONGUE = "webtongue"
PORTALS, PAGES = "portals", "pages"  # censuses by the method of the thesis
COLUMN_CENSUSES = (PORTALS, PAGES, WEBTONGUE)  # the last three columns of a table
ENTITIES: Mapping[str, tuple[str, tuple[str, ...]]] = {  # figure 3-5: relations of store.sql, and attributes that the thesis names
    "Server IP and IP number mapping": ("server", ("ip", "ip_number")),
    "Extracted Web content": (
        "extracted_content", ("title", "metadata", "text", "text_bytes", "declared_language", "declared_encoding"),
    ),
    "Language Distribution": ("language_distribution", ("label", "identified_type")),
    "Language": ("language", ("iso639_1", "iso639_3", "name")),
    "GeoIP": ("geoip", ("start_ip_number", "end_ip_number", "country")),
    "Country": ("country", ("country", "name")),
    "Country Distribution": ("country_distribution", ("ip_number", "country")),
}  # fmt: skip
# What the stamp cannot see in imports: queries, and the demo crawl.
STAMPED = (
    "src/webtongue/census/store.sql", "src/webtongue/census/tables", "examples/crawl.warc.gz", "examples/crawl.mmdb",
)  # fmt: skip
CANADA, CHINESE = "CA", "zho"
PAPER_TABLES = {  # tables and figures of the thesis by the prefix of table ids
    "figure3-5": ("figure 3-5",),
    "figure5-1": ("figure 5-1",), "table5-2": ("table 5-2", "figure 5-2"), "table5-3": ("table 5-3",), "figure5-3": ("figure 5-3",),
    "table5-4": ("table 5-4", "figure 5-4"), "table5-5": ("table 5-5", "figure 5-5"), "table5-6": ("table 5-6",),
}  # fmt: skip
UNKNOWN_REASONS = {  # section 5.1.3, by the reasons in `webtongue tables`
    "too little text": "1. too little text", "no model": "2. no model near enough", "no declaration": "3. no declaration",
    "damaged": "4. improperly received", "no strong language": "5. no strong language", "": "none of these: code, data, files",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Crawl:
    """The inputs of a census, the file of server countries, a note, and a statement of what was generated."""

    name: str
    inputs: tuple[str, ...]
    geo: str | None
    note: str
    generated: str = ""


@dataclass(frozen=True, slots=True)
class Censuses:
    """The censuses of a crawl: a store for each, and the attribution of the country data."""

    stores: Mapping[str, Any]
    attribution: str

    def counts(self, *arguments: str, **parameters: str) -> list[Counts]:
        """Return the result of ``read_counts`` for each census of the last three columns."""
        return [read_counts(self.stores[name], *arguments, **parameters) for name in COLUMN_CENSUSES]


class InProcessEngine(LocalEngine):
    """An engine that runs items in this process, since starting workers takes longer than these crawls."""

    def run(self, items: Sequence[WorkItem], job: Job, on_progress: OnProgress | None = None) -> Iterator[Part]:
        """Yield the part of each item as it is done."""
        work = job.create_worker()
        for item in items:
            yield work(item, job.out)


def run(data: Path) -> Iterator[Table | Claim | Exempt]:
    """Yield tables 5-2 to 5-6 and figures 5-1 to 5-5 on both crawls, and the comparisons of the thesis on the real one.

    An installed wheel does not contain the demo crawl: there its tables are exempt.
    """
    crawls = [archive_crawl(data)]
    try:
        crawls.insert(0, demo_crawl())
    except UsageError as error:
        yield Exempt(("tables of the demo crawl",), str(error))
    for crawl in crawls:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            results = run_censuses(crawl, Path(folder), stack)
            yield from census_tables(crawl, results)
            if crawl.name == ARCHIVES:
                yield from census_claims(results.stores[PAGES], results.stores[TEXT_ALONE])
    yield from published_claims()


def demo_crawl() -> Crawl:
    """Return the demo crawl."""
    note = "A synthetic crawl: its shares are our choice and do not describe the web."
    archive, geo = str(require_example("crawl.warc.gz")), str(require_example("crawl.mmdb"))
    generated = (
        "all of it: pages, declarations, servers and their countries (examples/make_crawl.py), by no measured rate"
    )
    return Crawl(DEMO, (archive,), geo, note, generated)


def archive_crawl(data: Path) -> Crawl:
    """Return the archives of the data folder."""
    folder = data / "warc"
    paths = sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and any(extension in path.name for extension in ARCHIVE_EXTENSIONS)
    )
    if not paths:
        raise FileNotFoundError(2, "no archives", str(folder))
    geo = data / "geo" / "dbip-country.mmdb.xz"
    note = f"{len(paths)} archives that test other tools: real pages, but no sample of the web, many of them twice."
    return Crawl(ARCHIVES, tuple(map(str, paths)), str(geo) if geo.exists() else None, note)


def run_censuses(crawl: Crawl, folder: Path, stack: ExitStack) -> Censuses:
    """Return the censuses: WLIDS in the parallel manner over portals and over all pages; webtongue, also by text only.

    The serial manner gives the same labels (tests/lab/methods/test_composite.py), without what the later approaches say.
    """
    pages = Config(geo=crawl.geo)
    wlids = Answers("composite", "parallel")
    wanted: dict[str, tuple[Config, Answers | None]] = {
        PORTALS: (replace(pages, portal=True, keep_text=True), wlids),
        PAGES: (pages, wlids),
        WEBTONGUE: (pages, None),
        TEXT_ALONE: (replace(pages, evidence=()), None),
    }
    stores: dict[str, Any] = {}
    attribution = ""
    for name, (config, method) in wanted.items():
        attribution = census(crawl.inputs, folder / name, config, method=method, engine=InProcessEngine()).attribution
        stores[name] = open_store(folder / name)
        stack.callback(stores[name].close)
    return Censuses(stores, attribution)


def census_tables(crawl: Crawl, results: Censuses) -> Iterator[Table]:
    """Yield the tables in the order of the thesis, each with the tables and figures that it repeats."""
    for result in count_tables(crawl, results):
        paper_tables = PAPER_TABLES.get("-".join(result.id.split("-")[:2]), ())
        yield replace(result, reproduces=paper_tables, generated=crawl.generated)


def count_tables(crawl: Crawl, results: Censuses) -> Iterator[Table]:
    """Yield the tables of counts."""
    languages = results.counts("pages_by_language", "label")
    note = f"Pages: {thesis.PORTALS:,} in the thesis; {format_totals(languages)} here. {crawl.note}"
    yield entity_table(crawl, results)
    yield coverage_table(crawl, results, note)
    yield charset_table(crawl, results)
    yield unknown_table(crawl, results, note)
    yield server_table(crawl, results)
    yield class_table(crawl, results)
    paper = {ENGLISH: thesis.LANGUAGE_SHARES[ENGLISH], UND: thesis.UNKNOWN} | thesis.LANGUAGE_SHARES
    title = "pages by language, %"
    yield comparison_table(f"table5-4-{crawl.name}", title, paper, languages, language_name, note)
    yield from country_tables(crawl, results)
    yield from language_tables(crawl, results)


def coverage_table(crawl: Crawl, results: Censuses, note: str) -> Table:
    """Return figure 5-1, which is `webtongue tables OUT approach_coverage` of a census by the parallel manner.

    For webtongue: pages that declare a language, whose charset names one, answers by text, and by everything.
    """
    store = results.stores[WEBTONGUE]
    count = f"SELECT count(declared_language), count(charset_language), count(*) FROM rows WHERE {PAGE}"
    declared, charset_named, pages = store.execute(count).fetchone()
    own_shares = {
        "language": percent_of(declared, pages),
        "encoding": percent_of(charset_named, pages),
        "text": percent_answered(results.stores[TEXT_ALONE]),
        "all": percent_answered(store),
    }
    shares = [
        {approach: 100 * share for approach, _, share, *_ in table(results.stores[name], "approach_coverage").rows}
        for name in (PORTALS, PAGES)
    ]
    rows: list[tuple[Cell, ...]] = [
        (
            APPROACH_NAMES.get(name, "all together"),
            thesis.APPROACH_COVERAGE[name],
            *(column.get(name) for column in shares),
            own_share,
        )
        for name, own_share in own_shares.items()
    ]
    title = "pages for which each approach by itself names a language, %"
    note = (
        "By `webtongue census --method composite --manner parallel` and `webtongue tables OUT approach_coverage`. The thesis's "
        f"numbers are those of table 4-4, since its figure has none in the text. {note}"
    )
    return Table(f"figure5-1-{crawl.name}", title, tuple(rows), COLUMNS, note)


def percent_answered(store: Any) -> float | None:
    """Return the percentage of all pages with a language."""
    query = f"SELECT count(*) FILTER (label NOT IN ('und', 'zxx', 'mul')), count(*) FROM rows WHERE {PAGE}"
    return percent_of(*store.execute(query).fetchone())


def entity_table(crawl: Crawl, results: Censuses) -> Table:
    """Return the entities of figure 3-5 with the relations of a census that hold them, and what is filled in them."""
    store = results.stores[PORTALS]
    rows: list[tuple[Cell, ...]] = []
    for entity, (relation, attributes) in ENTITIES.items():
        counts = ", ".join(f"count({column})" for column in ("*", *attributes))
        total, *filled = store.execute(f"SELECT {counts} FROM {relation}").fetchone()
        described = ", ".join(f"{column} {count:,}" for column, count in zip(attributes, filled, strict=True))
        rows.append((entity, relation, f"{total:,}", described))
    columns = ("entity of figure 3-5", "relation of a census", "rows", "rows in which an attribute is known")
    note = f"`webtongue census --method composite --portal --keep-text --geo FILE`, read with `webtongue sql`. {crawl.note}"
    return Table(
        f"figure3-5-{crawl.name}", "the entities of the thesis's database", tuple(rows), columns, note, plot=""
    )


def charset_table(crawl: Crawl, results: Censuses) -> Table:
    """Return table 5-2, by the charsets that the captures declare."""
    named_counts = results.counts("charset_coverage", "label", "by_charset")
    all_counts = results.counts("charset_coverage", "label")
    rows: list[tuple[Cell, ...]] = []
    for code, paper in thesis.CHARSET_SHARES.items():
        shares = (percent_of(hits[code], pages[code]) for hits, pages in zip(named_counts, all_counts, strict=True))
        rows.append((language_name(code), paper, *shares))
    counts = (
        f"{language_name(code)} {', '.join(str(column[code]) for column in all_counts)}"
        for code in thesis.CHARSET_SHARES
    )
    title = "pages of a language that their charset names, %"
    return Table(f"table5-2-{crawl.name}", title, tuple(rows), COLUMNS, f"Pages: {'; '.join(counts)}. {crawl.note}")


def unknown_table(crawl: Crawl, results: Censuses, note: str) -> Table:
    """Return the reasons for unknown pages (section 5.1.3)."""
    languages = results.counts("pages_by_language", "label")
    reasons = results.counts("unknown_by_reason", "cai")
    rows: list[tuple[Cell, ...]] = [
        ("pages unknown", thesis.UNKNOWN, *(percent_of(column[UND], column.total()) for column in languages))
    ]
    for reason, name in UNKNOWN_REASONS.items():
        paper = thesis.TOO_SHORT if reason == "too little text" else None
        shares = [percent_of(column[reason], column.total()) for column in reasons]
        if reason == "no declaration":  # applies to every page that the method of the thesis leaves unknown
            shares[:2] = [None, None]
        rows.append((f"of them: {name}", paper, *shares))
    note = (
        "Each page counts once, by the first reason that applies. In the thesis the reasons overlap: no declaration names the "
        f"language of any page that its method leaves unknown. {note}"
    )
    title = "pages that stay unknown, and why (section 5.1.3), %"
    return Table(f"unknown-{crawl.name}", title, tuple(rows), COLUMNS, note)


def server_table(crawl: Crawl, results: Censuses) -> Table:
    """Return table 5-3. Servers do not depend on the identifier, so there is one column of ours."""
    servers = read_counts(results.stores[WEBTONGUE], "servers_by_country", "country", "servers")
    paper = {code: 100 * count / thesis.SERVERS for code, count in thesis.SERVERS_BY_COUNTRY.items()}
    counts = f"Servers: {thesis.SERVERS:,} in the thesis, {servers.total():,} here, of captures of any status."
    note = f"{counts} {crawl.note} {results.attribution}".strip()
    title = "servers by country, %"
    return comparison_table(
        f"table5-3-{crawl.name}", title, paper, [servers], country_name, note, ("", "paper", "census")
    )


def class_table(crawl: Crawl, results: Censuses) -> Table:
    """Return figure 5-3: the map's six classes as counts of countries. The thesis lists some of its countries only."""
    servers = read_counts(results.stores[WEBTONGUE], "servers_by_country", "country", "servers")
    numbers = [count for code, count in servers.items() if is_country(code)]
    paper_numbers = thesis.SERVERS_BY_COUNTRY.values()
    paper_bounds, own_bounds = choose_bounds(paper_numbers), choose_bounds(numbers)
    rows: list[tuple[Cell, ...]] = []
    for index in reversed(range(len(own_bounds))):
        paper_count = count_in_class(paper_numbers, paper_bounds, index) or None
        own_count = count_in_class(numbers, own_bounds, index)
        rows.append((index + 1, f"{paper_bounds[index]:,}", paper_count, f"{own_bounds[index]:,}", own_count))
    columns = ("class", "servers from, paper", "countries, paper", "servers from, census", "countries, census")
    note = (
        "The thesis does not print where its classes begin: powers of ten fit its words on the map. It lists 20 countries. "
        f"{crawl.note} {results.attribution}"
    )
    title = "countries by their number of servers, in six classes"
    return Table(f"figure5-3-{crawl.name}", title, tuple(rows), columns, note.strip(), plot="")


def count_in_class(numbers: Iterable[int], class_bounds: Sequence[int], index: int) -> int:
    """Return how many of the numbers are in a class."""
    end = class_bounds[index + 1] if index + 1 < len(class_bounds) else float("inf")
    return sum(class_bounds[index] <= number < end for number in numbers)


def country_tables(crawl: Crawl, results: Censuses) -> Iterator[Table]:
    """Yield table 5-5 for Canada as in the thesis, and for the country with most pages here."""
    pages = read_counts(results.stores[WEBTONGUE], "languages_of_country", "country")
    others = Counter({code: count for code, count in pages.items() if is_country(code) and code != CANADA})
    for code in (CANADA, *most_common_code(others)):
        paper = thesis.LANGUAGES_IN_CANADA if code == CANADA else {}
        languages = results.counts("languages_of_country", "label", country=code)
        title = f"languages of pages in {country_name(code)}, %"
        note = f"Pages: {format_totals(languages)}. {crawl.note} {results.attribution}".strip()
        yield comparison_table(f"table5-5-{code}-{crawl.name}", title, paper, languages, language_name, note)


def language_tables(crawl: Crawl, results: Censuses) -> Iterator[Table]:
    """Yield table 5-6 for Chinese as in the thesis, and for the most frequent other language here that is not English.

    Only pages with a known country count for this choice, since the table would have no country otherwise.
    """
    pages: Counts = Counter()
    for label, _, country, _, count, _ in table(results.stores[WEBTONGUE], "countries_of_language").rows:
        if is_country(country) and thesis_language(label) not in (ENGLISH, CHINESE, UND):
            pages[thesis_language(label)] += count
    for code in (CHINESE, *most_common_code(pages)):
        paper = thesis.COUNTRIES_OF_CHINESE if code == CHINESE else {}
        countries = results.counts("countries_of_language", "country", of=code)
        title = f"countries of pages in {language_name(code)}, %"
        note = f"Pages: {format_totals(countries)}. {crawl.note} {results.attribution}".strip()
        yield comparison_table(f"table5-6-{code}-{crawl.name}", title, paper, countries, country_name, note)


def most_common_code(counts: Counts) -> list[str]:
    """Return a list with the code of the highest count, the first by name of several, empty if there is none."""
    return sorted(counts, key=lambda code: (-counts[code], code))[:1]
