"""Hayati 2004, sections 5.3 to 5.6: how often links keep the language, OUTLINKS, INLINKS and table 5.1, on real and on drawn links.

webtongue stands beside INLINKS with the same links: it reads the linking pages itself, and listens to nothing but the text and
the links of a page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import product

from hayati_systems import CLASSES, ELEVEN, SHORT, best_label, share
from hayati_webs import Edge, Linked, Seen, Text

from webtongue import Identifier, Page, Verdict, labels
from webtongue.evaluate.tables import Cell, Claim, Table
from webtongue.hints.domain import host_of
from webtongue.links import hayati
from webtongue.methods.nfc import Nfc
from webtongue.page import Inlink

PAPER_NFC = {"< 25": 33.8, ">= 25, < 50": 43.3, "< 50": 38.0}
PAPER_INLINKS = {"< 25": 71.0, ">= 25, < 50": 70.9, "< 50": 70.0}
PAPER_SAME = 95.0
OUTSIDE = (
    "The paper's row '< 50' cannot be right for INLINKS: 70.0 lies outside of its two parts, 71.0 and 70.9, whatever "
    "their sizes."
)
COLUMNS = (
    "", "NFC, paper", "NFC", "INLINKS, paper", "INLINKS", "ties to links", "webtongue", "webtongue, links",
    "of the 11", "of the 11, links", "pages",
)  # fmt: skip
PLAIN = {"content-type": "text/plain; charset=utf-8"}
FEW = 2  # linking pages: so many or fewer are few
NUMBERS = ("0", "1", "2", "3 to 5", "6 to 10")  # linking pages that have a vote
LENGTHS = (25, 50, 150, 400)  # letters of a page: classes in which links are counted
MIN_LENGTHS = (25, 50, 100, 200, 400, 800)
MIN_REFS = (0, 50, 150, 400)
MOST = (1, 3, 10, 30)


class Readers:
    """NFC and webtongue over texts that are asked again and again; each text is read once."""

    def __init__(self, nfc: Nfc) -> None:
        self.nfc = cache(lambda words: nfc.answer(words).label)
        self._ours = (Identifier(evidence=("links",)), Identifier(languages=ELEVEN, evidence=("links",)))
        self._verdict = cache(self._read)

    def _read(self, words: str, eleven: bool) -> Verdict:
        return self._ours[eleven].identify_text(words)

    def inlinks(self, one: Linked, own_wins: bool = True) -> str:
        linking = [other.words for other in one.linking]
        return hayati.inlinks(one.page.words, linking, self.nfc, min_length=SHORT, own_wins=own_wins)

    def outlinks(self, one: Linked) -> str:
        return hayati.outlinks(one.page.words, [other.words for other in one.linked], self.nfc)

    def ours(self, one: Linked, links: bool, eleven: bool = False) -> str:
        """webtongue's answer; its links with the languages that it found itself."""
        found = [self.link(number, other, eleven) for number, other in enumerate(one.linking)] if links else []
        page = Page(one.page.words.encode(), f"https://{one.page.site}/", PLAIN, inlinks=tuple(found))
        return best_label(self._ours[eleven].identify_page(page), eleven)

    def link(self, number: int, other: Text, eleven: bool) -> Inlink:
        verdict = self._verdict(other.words, eleven)
        sure = verdict.label not in labels.SPECIAL
        url = f"https://{other.site}/{number}"
        return Inlink(url, verdict.label if sure else "", verdict.confidence if sure else 0.0)


@dataclass(frozen=True, slots=True)
class Judged:
    """A page of a web, and whether each system is right of it."""

    page: Linked
    nfc: bool
    inlinks: bool
    ties: bool
    ours: bool
    ours_links: bool
    eleven: bool
    eleven_links: bool

    @property
    def heard(self) -> int:
        """Linking pages that have a vote."""
        return min(hayati.MAX_INLINKS, sum(len(o.words) >= hayati.MIN_REF_LENGTH for o in self.page.linking))


def judged(web: Sequence[Linked], readers: Readers) -> list[Judged]:
    out = []
    for one in web:
        said = (
            readers.nfc(one.page.words), readers.inlinks(one), readers.inlinks(one, own_wins=False),
            readers.ours(one, False), readers.ours(one, True), readers.ours(one, False, True), readers.ours(one, True, True),
        )  # fmt: skip
        out.append(Judged(one, *(label == one.page.label for label in said)))
    return out


def shares(found: Sequence[Judged]) -> tuple[float, ...]:
    """NFC, INLINKS, INLINKS with ties to links, webtongue without and with links, and the same of the eleven."""
    names = ("nfc", "inlinks", "ties", "ours", "ours_links", "eleven", "eleven_links")
    return tuple(share(getattr(one, name) for one in found) for name in names)


def rows_5_1(classes: Mapping[str, Sequence[Judged]], before: str = "") -> tuple[tuple[Cell, ...], ...]:
    rows = []
    for name in CLASSES:
        nfc, *rest = shares(classes[name])
        rows.append((f"{before}{name}", PAPER_NFC[name], nfc, PAPER_INLINKS[name], *rest, len(classes[name])))
    return tuple(rows)


# How often links keep the language.


def same_language(edges: Sequence[Edge], eleven: Sequence[Edge]) -> Iterator[Table | Claim]:
    """Section 5.3: her 799 links, and ours."""

    def row(name: str, found: Sequence[Edge], paper: float | None = None) -> tuple[Cell, ...]:
        return name, paper, share(e.language == e.truth for e in found), len(found)

    between = [e for e in edges if not e.own]
    pairs = {(host_of(e.source), host_of(e.target), e.language, e.truth): e for e in between}
    rows = (
        row("all links", edges, PAPER_SAME),
        row("within a site", [e for e in edges if e.own]),
        row("between sites", between),
        row("between sites, hosts that link often counted once", list(pairs.values())),
        row("between sites, from pages not in English", [e for e in between if e.language != "eng_Latn"]),
        row("the target known by its own address, home pages mostly", [e for e in edges if e.exact]),
        row("both ends in her eleven languages", eleven),
        row("of these, between sites", [e for e in eleven if not e.own]),
    )
    note = (
        "links of some 22,000 saved news pages; the language of a target is that of its own address in url/train or of a domain "
        "nine tenths of whose addresses are in one language, so that sites in several languages are seen too seldom; the home "
        "pages listed there are what menus of other languages lead to"
    )
    columns = ("", "paper", "same language", "links")
    yield Table("section-5-3-links", "links between pages in the same language", rows, columns, note)
    every, foreign = (share(e.language == e.truth for e in found) for found in (edges, between))
    yield Claim(
        "roughly 95% of all links are between pages in the same language",
        abs(every - PAPER_SAME) <= 3,
        f"{every:.1f}% of {len(edges):,}; {foreign:.1f}% of the {len(between):,} that lead to another site; hers 95% of 799",
    )


def outlinks_by_length(pages: Sequence[Seen], archived: Sequence[Seen]) -> Iterator[Table | Claim]:
    """Section 5.3: short pages are unlikely to contain links."""

    def group(found: Sequence[Seen], low: int, high: float) -> list[bool]:
        return [bool(one.links) for one in found if low <= len(one.words) < high]

    bounds = list(zip((0, *LENGTHS), (*LENGTHS, float("inf")), strict=True))
    rows = []
    for low, high in bounds:
        name = f">= {low}" if high == float("inf") else f"< {high}" if not low else f">= {low}, < {high}"
        parts = [group(found, low, high) for found in (pages, archived, [*pages, *archived])]
        rows.append((name, *(cell for part in parts for cell in (share(part), len(part)))))
    columns = ("characters", "dev/html", "its pages", "archives", "their pages", "all", "all pages")
    note = "whether a page links to any other; dev/html has pages that were chosen because they are short and linked to"
    yield Table("section-5-3-short", "pages with links, by length", tuple(rows), columns, note)
    short = group([*pages, *archived], 0, SHORT)
    yield Claim(
        "short pages are unlikely to contain links",
        share(short) < 50,
        f"{share(short):.1f}% of {len(short)} pages below 50 characters have one ({rows[0][5]:.1f}% of {rows[0][6]} below 25, "
        f"{rows[1][5]:.1f}% of {rows[1][6]} above), {rows[-1][5]:.1f}% of {rows[-1][6]} from 400 on",
        "the pages of linked_html were chosen because they link to each other: of the archives' "
        f"{share(group(archived, 0, SHORT)):.1f}% have one",
    )


# By number of links, and what errors lie on.


def by_number(found: Sequence[Judged]) -> tuple[tuple[Cell, ...], ...]:
    """Rows by how many linking pages were heard, with the share of those that are in the page's language."""
    groups: defaultdict[str, list[Judged]] = defaultdict(list)
    for one in found:
        groups[NUMBERS[one.heard if one.heard < 3 else 3 if one.heard <= 5 else 4]].append(one)
    rows = []
    for name in NUMBERS:
        if part := groups[name]:
            kept = share(other.label == one.page.page.label for one in part for other in one.page.linking)
            rows.append((name, kept, *shares(part), len(part)))
    return tuple(rows)


def errors(found: Sequence[Judged], where: str) -> Iterator[Claim]:
    """Section 5.6: INLINKS mainly makes mistakes on pages with few or no inlinks; by either reading of ties."""
    few, many = ([one for one in found if (one.heard <= FEW) == which] for which in (True, False))
    for name, ties in (("inlinks", "the page's own guess winning ties"), ("ties", "ties going to the links")):
        wrong = [[one for one in part if not getattr(one, name)] for part in (few, many)]
        rates = [100 * len(w) / max(len(part), 1) for w, part in zip(wrong, (few, many), strict=True)]
        figures = (
            f"{where}: {rates[0]:.1f}% of {len(few)} pages with two or fewer are wrong, {rates[1]:.1f}% of {len(many)} "
            "with more"
        )
        holds = rates[0] > rates[1]
        yield Claim(
            f"INLINKS mainly errs on pages with few or no inlinks ({ties})",
            holds,
            figures,
            "" if holds else foreign(wrong[1], few, many),
        )


def foreign(wrong: Sequence[Judged], few: Sequence[Judged], many: Sequence[Judged]) -> str:
    """Whether mistakes on pages with many links are the links': pages that many link to are linked to from other languages."""

    def own(one: Judged) -> int:
        return sum(other.label == one.page.page.label for other in one.page.linking)

    others = sum(2 * own(one) <= len(one.page.linking) for one in wrong)
    kept = [share(other.label == j.page.page.label for j in part for other in j.page.linking) for part in (few, many)]
    return (
        f"of the {len(wrong)} mistakes on pages with more, {others} are pages at least half of whose links come from pages in "
        "other languages, where a vote is lost: what many link to is linked to across languages "
        f"({kept[1]:.1f}% of the links to these pages are in their language, {kept[0]:.1f}% of those to pages with few)"
    )


# The sweep that the paper leaves open.


def sweep(web: Sequence[Linked], readers: Readers, note: str, generated: str) -> Table:
    """Every MIN_LENGTH, MIN_REF_LENGTH and MAX_INLINKS, by either reading of ties; each text is read once."""
    own = {most: f"at most {most}" for most in MOST}
    links = {most: f"{most}, ties to links" for most in MOST}
    rows: list[tuple[Cell, ...]] = []
    best = (0.0, "")
    for least, reference in [(0, 0), *product(MIN_LENGTHS, MIN_REFS)]:
        name = f"MIN_LENGTH {least}, MIN_REF_LENGTH {reference}" if least else "NFC"
        cells = []
        for own_wins, names in ((True, own), (False, links)):
            for most in MOST:
                cells.append(accuracy_of(web, readers, Setting(least, reference, most, own_wins)))
                best = max(best, (cells[-1], f"{name}, {names[most]}"))
        rows.append((name, *cells))
    return Table(
        "sweep",
        "INLINKS by MIN_LENGTH, MIN_REF_LENGTH and MAX_INLINKS, which the paper leaves open",
        tuple(rows),
        ("", *own.values(), *links.values()),
        f"{note}; the best is {best[0]:.1f} with {best[1]}. Nothing is set by it",
        plot="",
        generated=generated,
    )


@dataclass(frozen=True, slots=True)
class Setting:
    """The algorithm's open numbers."""

    min_length: int
    min_ref_length: int
    max_inlinks: int
    own_wins: bool


def accuracy_of(web: Sequence[Linked], readers: Readers, setting: Setting) -> float:
    return share(
        hayati.inlinks(one.page.words, [other.words for other in one.linking], readers.nfc, **asdict(setting))
        == one.page.label
        for one in web
    )
