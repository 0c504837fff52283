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
from webtongue.lab.papers.estimates import Estimate, claim_by_intervals, decide, estimate_share
from webtongue.lab.papers.hayati_systems import CLASSES, ELEVEN, MAX_SHORT_CHARS, best_label
from webtongue.lab.papers.hayati_webs import BY_DOMAIN, BY_PAGE, BY_URL, Edge, LinkedPage, PageText, WebPage
from webtongue.page import Inlink
from webtongue.reference.domains import host_of

PAPER_NFC = {"< 25": 33.8, ">= 25, < 50": 43.3, "< 50": 38.0}
PAPER_INLINKS = {"< 25": 71.0, ">= 25, < 50": 70.9, "< 50": 70.0}
PAPER_SAME = 95.0
SAME_TOLERANCE = 3.0  # points that count as roughly the same
PAPER_ERROR = (
    "The paper's row '< 50' cannot be right for INLINKS: 70.0 lies outside of its two parts, 71.0 and 70.9, whatever "
    "their sizes."
)
COLUMNS = (
    "", "NFC, paper", "NFC", "INLINKS, paper", "INLINKS", "own guess wins ties", "webtongue", "webtongue, links",
    "of the 11", "of the 11, links", "pages",
)  # fmt: skip
SYSTEMS = (
    "nfc",
    "inlinks",
    "own_wins",
    "webtongue",
    "webtongue_links",
    "eleven",
    "eleven_links",
)  # fields of PageResult
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

    def inlinks(self, linked_page: LinkedPage, own_wins: bool = False) -> str:
        """Return the answer of INLINKS; links win ties, as in section 5.6, unless ``own_wins``."""
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
    own_wins: bool
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
            classifiers.inlinks(linked_page, own_wins=True),
            *(classifiers.webtongue(linked_page, links, eleven) for eleven in (False, True) for links in (False, True)),
        )
        results.append(PageResult(linked_page, *(label == linked_page.page.label for label in answers)))
    return results


def percentages(results: Sequence[PageResult]) -> tuple[float, ...]:
    """Return the accuracy of NFC, INLINKS, INLINKS where the own guess wins ties, webtongue without and with links, and the same
    of the eleven."""
    return tuple(percent(getattr(result, name) for result in results) for name in SYSTEMS)


def table_5_1_rows(classes: Mapping[str, Sequence[PageResult]], prefix: str = "") -> tuple[tuple[Cell, ...], ...]:
    """Return rows of table 5.1."""
    rows: list[tuple[Cell, ...]] = []
    for name in CLASSES:
        nfc, *rest = percentages(classes[name]) if classes[name] else (None,) * len(SYSTEMS)
        rows.append((f"{prefix}{name}", PAPER_NFC[name], nfc, PAPER_INLINKS[name], *rest, len(classes[name])))
    return tuple(rows)


# How often links keep the language.


def same_language_results(edges: Sequence[Edge]) -> Iterator[Table | Claim]:
    """Yield the share of links in the same language (section 5.3), by how the language of the target is known."""
    rows: list[tuple[Cell, ...]] = []
    independent: dict[str, Estimate] = {}
    for known_by in (BY_PAGE, BY_URL, BY_DOMAIN):
        for same_site, place in ((True, "within a site"), (False, "between sites")):
            links = [edge for edge in edges if edge.known_by == known_by and edge.same_site == same_site]
            pairs = {(host_of(e.source), host_of(e.target), e.language, e.truth) for e in links}
            share = estimate_share(sum(edge.language == edge.truth for edge in links), len(links))
            rows.append(
                (f"{known_by}, {place}", PAPER_SAME, str(share), len(links), percent(p[2] == p[3] for p in pairs))
            )
            if known_by != BY_DOMAIN:
                independent[f"{known_by}, {place}"] = share
    note = (
        "links of some 22,000 saved news pages; the language of a target is that of the page if it was saved too, else that of its "
        "URL in url/train, else that of a domain with nine tenths of its URLs in one language. The last is no measure of links "
        "within a site, where both ends have the same domain, and leaves out sites in several languages. Listed URLs are home "
        "pages mostly, to which language menus link. Hers: 799 links"
    )
    columns = ("language of the target known by", "paper", "same language", "links", "same, pairs of hosts")
    yield Table("section-5-3-links", "links between pages in the same language", tuple(rows), columns, note)
    low, high = PAPER_SAME - SAME_TOLERANCE, PAPER_SAME + SAME_TOLERANCE
    is_far = [value.high < low or value.low > high for value in independent.values()]
    is_near = [value.low >= low and value.high <= high for value in independent.values()]
    yield claim_by_intervals(
        "roughly 95% of all links are between pages in the same language",
        False if all(is_far) else True if all(is_near) else None,
        independent,
        f"every interval of independently known targets outside {low:.0f} to {high:.0f}%",
        "targets known independently of their domain disagree: saved pages keep the language as often as hers, listed URLs "
        "less often; which of them stand for the web is not known",
    )


def outlink_results(pages: Sequence[WebPage], archived: Sequence[WebPage]) -> Iterator[Table | Claim]:
    """Yield the share of pages with links by length: section 5.3 says that short pages are unlikely to contain links."""

    def has_links(web_pages: Sequence[WebPage], low: int, high: float) -> list[bool]:
        return [bool(page.links) for page in web_pages if low <= len(page.words) < high]

    bounds = list(zip((0, *LENGTH_BOUNDS), (*LENGTH_BOUNDS, float("inf")), strict=True))
    rows: list[tuple[Cell, ...]] = []
    shares: dict[str, Estimate] = {}
    for low, high in bounds:
        name = f">= {low}" if high == float("inf") else f"< {high}" if not low else f">= {low}, < {high}"
        parts = [has_links(web_pages, low, high) for web_pages in (pages, archived, [*pages, *archived])]
        shares[name] = estimate_share(sum(parts[-1]), len(parts[-1]))
        counts = (cell for part in parts for cell in (percent(part) if part else None, len(part)))
        rows.append((name, *counts, str(shares[name])))
    columns = ("characters", "dev/html", "its pages", "archives", "their pages", "all", "all pages", "interval of all")
    note = "whether a page links to any other; dev/html has pages that were chosen because they are short and linked to"
    yield Table("section-5-3-short", "pages with links, by length", tuple(rows), columns, note)
    short = [shares[name] for name in CLASSES[:2]]
    holds = decide(short, lambda value: value.high < 50, lambda value: value.low > 50)
    yield claim_by_intervals(
        "short pages are unlikely to contain links, in each class of length (% with a link)",
        holds,
        shares,
        "a class below 50 characters whose interval is above 50%",
        "pages of 25 to 50 characters have links more often than longer ones here; some of them were chosen because they are "
        "linked with others",
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
    """Yield the claim of section 5.6, that INLINKS mainly errs on pages with few or no inlinks, for both readings of ties."""
    parts = [[result for result in results if (result.votes <= MAX_FEW_LINKS) == is_few] for is_few in (True, False)]
    for name, ties in (("inlinks", "links win ties"), ("own_wins", "the page's own guess wins ties")):
        wrong = [[result for result in part if not getattr(result, name)] for part in parts]
        rates = [estimate_share(len(errors), len(part)) for errors, part in zip(wrong, parts, strict=True)]
        holds = True if rates[0].low > rates[1].high else False if rates[0].mean <= rates[1].mean else None
        figures = (
            f"{where}: {rates[0]}% of {len(parts[0])} pages with two votes or fewer are wrong, {rates[1]}% of {len(parts[1])} "
            "with more"
        )
        why = "the two intervals overlap" if holds is None else explain_foreign_links(wrong[1], *parts)
        refuted_by = "pages with more votes that are wrong as often as those with two or fewer"
        yield Claim(f"INLINKS mainly errs on pages with few or no inlinks ({ties})", holds, figures, why, refuted_by)


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
    link_columns = {max_inlinks: f"at most {max_inlinks}" for max_inlinks in MAX_INLINKS}
    own_columns = {max_inlinks: f"{max_inlinks}, own guess wins" for max_inlinks in MAX_INLINKS}
    rows: list[tuple[Cell, ...]] = []
    best = (0.0, "")
    for min_length, min_ref_length in [(0, 0), *product(MIN_LENGTHS, MIN_REFS)]:
        name = f"MIN_LENGTH {min_length}, MIN_REF_LENGTH {min_ref_length}" if min_length else "NFC"
        cells = []
        for own_wins, names in ((False, link_columns), (True, own_columns)):
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
        ("", *link_columns.values(), *own_columns.values()),
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
