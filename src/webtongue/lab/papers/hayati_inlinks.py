"""Hayati 2004, sections 5.3 to 5.6: how often links keep the language, OUTLINKS, INLINKS and table 5.1, on real and random
links.

webtongue gets the same links as INLINKS: it classifies the linking pages itself, and uses only the text and the links of a
page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import product

from webtongue import Identifier, Page, Verdict, labels
from webtongue.lab.evaluate.tables import Cell, Claim, Table
from webtongue.lab.methods import hayati
from webtongue.lab.methods.nfc import Nfc
from webtongue.lab.papers.common import percent
from webtongue.lab.papers.hayati_systems import CLASSES, ELEVEN, MAX_SHORT_CHARS, best_label
from webtongue.lab.papers.hayati_webs import Edge, LinkedPage, PageText, WebPage
from webtongue.page import Inlink
from webtongue.reference.domains import host_of

PAPER_NFC = {"< 25": 33.8, ">= 25, < 50": 43.3, "< 50": 38.0}
PAPER_INLINKS = {"< 25": 71.0, ">= 25, < 50": 70.9, "< 50": 70.0}
PAPER_SAME = 95.0
PAPER_ERROR = (
    "The paper's row '< 50' cannot be right for INLINKS: 70.0 lies outside of its two parts, 71.0 and 70.9, whatever "
    "their sizes."
)
COLUMNS = (
    "", "NFC, paper", "NFC", "INLINKS, paper", "INLINKS", "ties to links", "webtongue", "webtongue, links",
    "of the 11", "of the 11, links", "pages",
)  # fmt: skip
PLAIN = {"content-type": "text/plain; charset=utf-8"}
MAX_FEW_LINKS = 2  # pages with at most this many linking pages have few
LINK_COUNT_CLASSES = ("0", "1", "2", "3 to 5", "6 to 10")  # linking pages that vote
LENGTH_BOUNDS = (25, 50, 150, 400)  # characters of a page
MIN_LENGTHS = (25, 50, 100, 200, 400, 800)
MIN_REFS = (0, 50, 150, 400)
MAX_INLINKS = (1, 3, 10, 30)


class Classifiers:
    """NFC and webtongue with cached answers, since texts recur often."""

    def __init__(self, nfc: Nfc) -> None:
        self.nfc = cache(lambda words: nfc.answer(words).label)
        self._ours = (Identifier(evidence=("links",)), Identifier(languages=ELEVEN, evidence=("links",)))
        self._verdict = cache(self._read)

    def _read(self, words: str, eleven: bool) -> Verdict:
        return self._ours[eleven].identify_text(words)

    def inlinks(self, linked_page: LinkedPage, own_wins: bool = True) -> str:
        """Return the answer of INLINKS."""
        words, linking = linked_page.page.words, linked_page.linking_words
        return hayati.inlinks(words, linking, self.nfc, min_length=MAX_SHORT_CHARS, own_wins=own_wins)

    def outlinks(self, linked_page: LinkedPage) -> str:
        """Return the answer of OUTLINKS."""
        return hayati.outlinks(linked_page.page.words, [target.words for target in linked_page.linked], self.nfc)

    def webtongue(self, linked_page: LinkedPage, links: bool, eleven: bool = False) -> str:
        """Return webtongue's answer, given the links with the languages that it found itself."""
        inlinks = (
            [self.link(number, linking_page, eleven) for number, linking_page in enumerate(linked_page.linking)]
            if links
            else []
        )
        page = Page(linked_page.page.words.encode(), f"https://{linked_page.page.site}/", PLAIN, inlinks=tuple(inlinks))
        return best_label(self._ours[eleven].analyze(page).verdict, eleven)

    def link(self, number: int, linking_page: PageText, eleven: bool) -> Inlink:
        """Return a linking page as an Inlink with its language and confidence."""
        verdict = self._verdict(linking_page.words, eleven)
        is_language = verdict.label not in labels.SPECIAL
        url = f"https://{linking_page.site}/{number}"
        return Inlink(url, verdict.label if is_language else "", verdict.confidence if is_language else 0.0)


@dataclass(frozen=True, slots=True)
class PageResult:
    """A page and whether the answer of each system is right."""

    page: LinkedPage
    nfc: bool
    inlinks: bool
    ties: bool
    webtongue: bool
    webtongue_links: bool
    eleven: bool
    eleven_links: bool

    @property
    def votes(self) -> int:
        """Return the number of linking pages that vote."""
        voting = sum(len(words) >= hayati.MIN_REF_LENGTH for words in self.page.linking_words)
        return min(hayati.MAX_INLINKS, voting)


def classify_pages(web: Sequence[LinkedPage], classifiers: Classifiers) -> list[PageResult]:
    """Return the results of all systems on the pages."""
    results = []
    for linked_page in web:
        answers = (
            classifiers.nfc(linked_page.page.words),
            classifiers.inlinks(linked_page),
            classifiers.inlinks(linked_page, own_wins=False),
            *(classifiers.webtongue(linked_page, links, eleven) for eleven in (False, True) for links in (False, True)),
        )
        results.append(PageResult(linked_page, *(label == linked_page.page.label for label in answers)))
    return results


def percentages(results: Sequence[PageResult]) -> tuple[float, ...]:
    """Return the accuracy of NFC, INLINKS, INLINKS with ties to links, webtongue without and with links, and the same of the
    eleven."""
    names = ("nfc", "inlinks", "ties", "webtongue", "webtongue_links", "eleven", "eleven_links")
    return tuple(percent(getattr(result, name) for result in results) for name in names)


def table_5_1_rows(classes: Mapping[str, Sequence[PageResult]], prefix: str = "") -> tuple[tuple[Cell, ...], ...]:
    """Return rows of table 5.1."""
    rows: list[tuple[Cell, ...]] = []
    for name in CLASSES:
        nfc, *rest = percentages(classes[name])
        rows.append((f"{prefix}{name}", PAPER_NFC[name], nfc, PAPER_INLINKS[name], *rest, len(classes[name])))
    return tuple(rows)


# How often links keep the language.


def same_language_results(edges: Sequence[Edge], eleven: Sequence[Edge]) -> Iterator[Table | Claim]:
    """Yield the share of links in the same language (section 5.3), for her 799 links and ours."""

    def row(name: str, links: Sequence[Edge], paper: float | None = None) -> tuple[Cell, ...]:
        return name, paper, percent(edge.language == edge.truth for edge in links), len(links)

    between = [edge for edge in edges if not edge.same_site]
    pairs = {(host_of(edge.source), host_of(edge.target), edge.language, edge.truth): edge for edge in between}
    rows = (
        row("all links", edges, PAPER_SAME),
        row("within a site", [edge for edge in edges if edge.same_site]),
        row("between sites", between),
        row("between sites, hosts that link often counted once", list(pairs.values())),
        row("between sites, from pages not in English", [edge for edge in between if edge.language != "eng_Latn"]),
        row("the target known by its own address, home pages mostly", [edge for edge in edges if edge.exact]),
        row("both ends in her eleven languages", eleven),
        row("of these, between sites", [edge for edge in eleven if not edge.same_site]),
    )
    note = (
        "links of some 22,000 saved news pages; the language of a target is that of its URL in url/train or of a "
        "domain with nine tenths of its URLs in one language, so sites in several languages are under-represented; "
        "language menus link to the home pages listed there"
    )
    columns = ("", "paper", "same language", "links")
    yield Table("section-5-3-links", "links between pages in the same language", rows, columns, note)
    all_percent, other_sites = (percent(edge.language == edge.truth for edge in links) for links in (edges, between))
    yield Claim(
        "roughly 95% of all links are between pages in the same language",
        abs(all_percent - PAPER_SAME) <= 3,
        f"{all_percent:.1f}% of {len(edges):,}; {other_sites:.1f}% of the {len(between):,} that lead to "
        "another site; hers 95% of 799",
    )


def outlink_results(pages: Sequence[WebPage], archived: Sequence[WebPage]) -> Iterator[Table | Claim]:
    """Yield the share of pages with links by length: section 5.3 says that short pages are unlikely to contain links."""

    def has_links(web_pages: Sequence[WebPage], low: int, high: float) -> list[bool]:
        return [bool(page.links) for page in web_pages if low <= len(page.words) < high]

    bounds = list(zip((0, *LENGTH_BOUNDS), (*LENGTH_BOUNDS, float("inf")), strict=True))
    rows = []
    for low, high in bounds:
        name = f">= {low}" if high == float("inf") else f"< {high}" if not low else f">= {low}, < {high}"
        parts = [has_links(web_pages, low, high) for web_pages in (pages, archived, [*pages, *archived])]
        rows.append((name, *(cell for part in parts for cell in (percent(part), len(part)))))
    columns = ("characters", "dev/html", "its pages", "archives", "their pages", "all", "all pages")
    note = "whether a page links to any other; dev/html has pages that were chosen because they are short and linked to"
    yield Table("section-5-3-short", "pages with links, by length", tuple(rows), columns, note)
    short = has_links([*pages, *archived], 0, MAX_SHORT_CHARS)
    yield Claim(
        "short pages are unlikely to contain links",
        percent(short) < 50,
        f"{percent(short):.1f}% of {len(short)} pages below 50 characters have one ({rows[0][5]:.1f}% of {rows[0][6]} below 25, "
        f"{rows[1][5]:.1f}% of {rows[1][6]} above), {rows[-1][5]:.1f}% of {rows[-1][6]} from 400 on",
        "the pages of linked_html were chosen because they link to each other: of those in the archives "
        f"{percent(has_links(archived, 0, MAX_SHORT_CHARS)):.1f}% have one",
    )


# Accuracy by number of links, and causes of errors.


def link_count_rows(results: Sequence[PageResult]) -> tuple[tuple[Cell, ...], ...]:
    """Return rows by the number of voting linking pages, with the share of those that are in the page's language."""
    groups: defaultdict[str, list[PageResult]] = defaultdict(list)
    for result in results:
        groups[LINK_COUNT_CLASSES[result.votes if result.votes < 3 else 3 if result.votes <= 5 else 4]].append(result)
    rows: list[tuple[Cell, ...]] = []
    for name in LINK_COUNT_CLASSES:
        if part := groups[name]:
            same_percent = percent(is_same for result in part for is_same in result.page.same_language)
            rows.append((name, same_percent, *percentages(part), len(part)))
    return tuple(rows)


def error_claims(results: Sequence[PageResult], where: str) -> Iterator[Claim]:
    """Yield the claims of section 5.6, that INLINKS mainly errs on pages with few or no inlinks, for both readings of ties."""
    with_few, with_many = (
        [result for result in results if (result.votes <= MAX_FEW_LINKS) == is_few] for is_few in (True, False)
    )
    for name, ties in (("inlinks", "the page's own guess winning ties"), ("ties", "ties going to the links")):
        wrong = [[result for result in part if not getattr(result, name)] for part in (with_few, with_many)]
        rates = [
            100 * len(errors) / max(len(part), 1) for errors, part in zip(wrong, (with_few, with_many), strict=True)
        ]
        figures = (
            f"{where}: {rates[0]:.1f}% of {len(with_few)} pages with two or fewer are wrong, {rates[1]:.1f}% of {len(with_many)} "
            "with more"
        )
        holds = rates[0] > rates[1]
        yield Claim(
            f"INLINKS mainly errs on pages with few or no inlinks ({ties})",
            holds,
            figures,
            "" if holds else explain_foreign_links(wrong[1], with_few, with_many),
        )


def explain_foreign_links(
    wrong: Sequence[PageResult], with_few: Sequence[PageResult], with_many: Sequence[PageResult]
) -> str:
    """Return how many errors on pages with many links come from links in other languages."""
    outvoted = sum(2 * sum(result.page.same_language) <= len(result.page.linking) for result in wrong)
    same_percent = [
        percent(is_same for result in part for is_same in result.page.same_language) for part in (with_few, with_many)
    ]
    return (
        f"of the {len(wrong)} mistakes on pages with more, {outvoted} are pages at least half of whose links come from pages in "
        "other languages, where a vote is lost: what many link to is linked to across languages "
        f"({same_percent[1]:.1f}% of the links to these pages are in their language, {same_percent[0]:.1f}% of those "
        "to pages with few)"
    )


# The sweep over settings that the paper leaves open.


def sweep_table(web: Sequence[LinkedPage], classifiers: Classifiers, note: str, generated: str) -> Table:
    """Return the accuracy for every MIN_LENGTH, MIN_REF_LENGTH and MAX_INLINKS, for both readings of ties."""
    own_columns = {max_inlinks: f"at most {max_inlinks}" for max_inlinks in MAX_INLINKS}
    link_columns = {max_inlinks: f"{max_inlinks}, ties to links" for max_inlinks in MAX_INLINKS}
    rows: list[tuple[Cell, ...]] = []
    best = (0.0, "")
    for min_length, min_ref_length in [(0, 0), *product(MIN_LENGTHS, MIN_REFS)]:
        name = f"MIN_LENGTH {min_length}, MIN_REF_LENGTH {min_ref_length}" if min_length else "NFC"
        cells = []
        for own_wins, names in ((True, own_columns), (False, link_columns)):
            for max_inlinks in MAX_INLINKS:
                cells.append(
                    measure_accuracy(
                        web, classifiers, InlinkSettings(min_length, min_ref_length, max_inlinks, own_wins)
                    )
                )
                best = max(best, (cells[-1], f"{name}, {names[max_inlinks]}"))
        rows.append((name, *cells))
    return Table(
        "sweep",
        "INLINKS by MIN_LENGTH, MIN_REF_LENGTH and MAX_INLINKS, which the paper leaves open",
        tuple(rows),
        ("", *own_columns.values(), *link_columns.values()),
        f"{note}; the best is {best[0]:.1f} with {best[1]}. No setting was chosen by it",
        plot="",
        generated=generated,
    )


@dataclass(frozen=True, slots=True)
class InlinkSettings:
    """The settings of INLINKS that the paper leaves open."""

    min_length: int
    min_ref_length: int
    max_inlinks: int
    own_wins: bool


def measure_accuracy(web: Sequence[LinkedPage], classifiers: Classifiers, setting: InlinkSettings) -> float:
    """Return the accuracy of INLINKS with some settings."""
    options = asdict(setting)
    return percent(
        hayati.inlinks(page.page.words, page.linking_words, classifiers.nfc, **options) == page.page.label
        for page in web
    )
