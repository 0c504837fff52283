"""Cai 2009, sections 4.3.2 and 5.1: what each approach covers, how often it is right, and why pages stay unknown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cai_figures import BY_CHARSET, COVERED, SEVEN, TOO_SHORT, UNKNOWN
from cai_pages import Rates
from made_pages import language_of
from real_pages import RealPage

import webtongue
from webtongue import Page, Verdict, labels
from webtongue.evaluate.tables import BESIDE, Cell, Claim, Table
from webtongue.methods.base import UND, Answer, label_parts
from webtongue.methods.composite import APPROACHES, SHORT, Composite

LEAST = 25  # pages answered as a language from which on its precision is drawn into a mean
SUREST = "webtongue, its surest"
TITLE = "coverage of each approach, and how often it is right where it answers, %"
PAPER = {  # coverage and correctness: table 4-4, and of the composite section 5.1.2 and table 5-1
    "language declaration": (10.01, 99.8),
    "encoding declaration": (12.56, 100.0),
    "text, no border": (75.97, 98.6),
    "text": (66.01, 98.8),
    "composite": (COVERED, 99.64),
}
NAMES = {"encoding": "encoding declaration", "language": "language declaration", "text": "text"}

Said = list[str]
Shares = dict[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Pages:
    """Pages to be answered: their languages, what was generated of them, and how ids of their tables end."""

    pages: Sequence[RealPage]
    generated: str = ""
    ending: str = ""

    @property
    def documents(self) -> list[Page]:
        return [real.page for real in self.pages]

    @property
    def truths(self) -> Said:
        return [language_of(real.label) for real in self.pages]


@dataclass(frozen=True, slots=True)
class Answered:
    """What each approach says of pages (``said``), and the composite's answers with their reasons."""

    said: dict[str, Said]
    answers: Sequence[Answer]


def together(model: Composite, found: dict[str, list[Answer]]) -> list[Answer]:
    """The composite's answers from those of its approaches: of the first in its order that says something, else of the text.

    The manners agree (tests/methods/test_composite.py), so that no approach need be run twice.
    """
    ordered = [found[name] for name in model.settings.approaches]
    return [
        next((answer for answer in said if answer.label != UND), text)
        for *said, text in zip(*ordered, found["text"], strict=True)
    ]


def answered(model: Composite, pages: Pages) -> Answered:
    """All approaches and the default identifier on some pages."""
    documents = pages.documents
    found = {name: [model.by(name, page) for page in documents] for name in APPROACHES}
    free = model.with_settings({"border": 0.0})
    borderless = [
        free.by("text", page) if text.label == UND else text
        for page, text in zip(documents, found["text"], strict=True)
    ]
    answers = together(model, found)
    verdicts = webtongue.identify_many(documents)
    said = {
        NAMES["language"]: spoken(found["language"]),
        NAMES["encoding"]: spoken(found["encoding"]),
        "text, no border": spoken(borderless),
        "text": spoken(found["text"]),
        "composite": spoken(answers),
        "webtongue": spoken(verdicts),
    }
    return Answered(said | {SUREST: surest(verdicts, sum(map(bool, said["composite"])))}, answers)


def on_real_pages(model: Composite, pages: Pages) -> Iterator[Table | Claim]:
    """Tables 4-4 and 5-1 on real pages as they are, each page alike."""
    found = answered(model, pages)
    shares = approaches(found.said, pages.truths)
    known = {language_of(label_parts(label)[0]) for label in model.labels}
    beyond = [s for s, t in zip(found.said["text"], pages.truths, strict=True) if s and t not in known]
    note = (
        f"{len(pages.pages)} real pages with what they really declare, labels from no declaration. {rightly(found, pages)}; of the "
        f"wrong answers of text {len(beyond)} are on pages in languages without a model. The thesis does not tell its two text "
        "columns apart: ours are without and with the border. Its composite figures are those of section 5.1.2 and table 5-1. "
        f"{SUREST}: as many of its answers as the composite gives, by confidence."
    )
    yield Table("table4-4", TITLE, *listed(shares), note, of=("table 4-4",), headline=True)
    yield from claims(shares, found.said, pages.truths, "on real pages")
    yield precision(
        found, pages, "Right of the answered, each page alike; a mean of the languages, as the thesis has it."
    )
    yield from charset_shares(found, pages)
    yield unknown(found.answers, pages)


def on_pages_of_2008(model: Composite, pages: Pages) -> Iterator[Table | Claim]:
    """The same with old encodings."""
    found = answered(model, pages)
    shares = approaches(found.said, pages.truths)
    note = f"{len(pages.pages)} pages. {rightly(found, pages)}."
    title = f"{TITLE}, in old encodings"
    yield Table(f"table4-4{pages.ending}", title, *listed(shares), note, of=("table 4-4",), generated=pages.generated)
    yield from claims(shares, found.said, pages.truths, "in old encodings")
    yield precision(found, pages, "Right of the answered, each page alike.")
    yield from charset_shares(found, pages)


def approaches(said: dict[str, Said], truths: Said) -> Shares:
    """Coverage and correctness of each, in percent."""
    out = {}
    for name, found in said.items():
        right, covered = counted(found, truths)
        out[name] = (100 * covered / max(len(truths), 1), 100 * right / max(covered, 1))
    return out


def counted(said: Said, truths: Said) -> tuple[int, int]:
    """How many are right, and how many are answered."""
    return sum(s == t for s, t in zip(said, truths, strict=True)), sum(map(bool, said))


def rightly(found: Answered, pages: Pages) -> str:
    """How many answers of each approach are right."""
    hits = {name: counted(found.said[NAMES[name]], pages.truths) for name in APPROACHES}
    return "Right: " + ", ".join(f"{NAMES[name]} {right} of {said}" for name, (right, said) in hits.items())


def listed(shares: Shares) -> tuple[tuple[tuple[Cell, ...], ...], tuple[str, ...]]:
    """Rows and columns of table 4-4."""
    rows: list[tuple[Cell, ...]] = []
    for name, (covered, right) in PAPER.items():
        default = shares["webtongue"] if name == "composite" else (None, None)
        rows.append((name, covered, shares[name][0], default[0], right, shares[name][1], default[1]))
    rows.append((SUREST, None, None, shares[SUREST][0], None, None, shares[SUREST][1]))
    columns = ("", *(f"{what}, {who}" for what in ("coverage", "right") for who in BESIDE))
    return tuple(rows), columns


def surest(verdicts: Sequence[Verdict], count: int) -> Said:
    """So many of the default identifier's answers, those of highest confidence."""
    said = spoken(verdicts)
    order = sorted(range(len(said)), key=lambda i: (not said[i], -verdicts[i].confidence))
    kept = set(order[:count])
    return [one if i in kept else "" for i, one in enumerate(said)]


def claims(shares: Shares, said: dict[str, Said], truths: Said, where: str) -> Iterator[Claim]:
    """The comparisons of the thesis."""
    text, both = shares["text"], shares["composite"]
    figures = f"{text[1]:.1f} -> {both[1]:.1f} right"
    why = believed(said, truths)
    yield Claim(f"composite over text alone in correctness, {where}", both[1] > text[1], figures, why)
    alone = {name: shares[name][0] for name in NAMES.values()}
    figures = ", ".join(f"{name} {share:.1f}" for name, share in alone.items()) + f"; composite {both[0]:.1f}"
    yield Claim(f"composite over each approach in coverage, {where}", both[0] > max(alone.values()), figures)
    order = [shares[NAMES[name]][1] for name in APPROACHES]
    figures = ", ".join(f"{share:.1f}" for share in order)
    listed_order = f"the priority list: {', '.join(APPROACHES)} by correctness, {where}"
    yield Claim(listed_order, order == sorted(order, reverse=True), figures, why)


def believed(said: dict[str, Said], truths: Said) -> str:
    """How many declarations are false, and what the composite would be if these alone were not believed: the test of the reason
    that it may be no better than text."""
    false: dict[str, Said] = {}
    kept: list[Said] = []
    for name in APPROACHES[:2]:
        found = said[NAMES[name]]
        false[name] = [s for s, t in zip(found, truths, strict=True) if s and s != t]
        kept.append([s if s == t else "" for s, t in zip(found, truths, strict=True)])
    without = [encoding or language or text for encoding, language, text in zip(*kept, said["text"], strict=True)]
    right = approaches({"": without}, truths)[""][1]
    counts = ", ".join(
        f"{len(found)} of {sum(map(bool, said[NAMES[name]]))} declared {name}s are false ({found.count('eng')} say English)"
        for name, found in false.items()
    )
    return f"declarations are believed before the text: {counts}; without the false ones the composite has {right:.1f}"


def precision(found: Answered, pages: Pages, note: str) -> Table:
    """Table 5-1: of the pages answered as a language, those that are in it."""
    rows: list[tuple[Cell, ...]] = []
    systems = ("composite", "webtongue")
    sums: dict[str, list[float]] = {name: [] for name in ("paper", *systems)}
    for language, paper in SEVEN.items():
        cells: list[Cell] = []
        enough = True
        for name in systems:
            right, said = counted([one if one == language else "" for one in found.said[name]], pages.truths)
            cells += [100 * right / said if said else None, said]
            enough = enough and said >= LEAST
        rows.append((labels.name(language), paper, *cells))
        for name, cell in zip(sums, (paper, cells[0], cells[2]), strict=True):
            sums[name] += [float(cell)] if enough and isinstance(cell, float) else []
    means = [sum(found) / len(found) if found else None for found in sums.values()]
    rows.append((f"mean of those with {LEAST} pages or more", means[0], means[1], None, means[2], None))
    columns = ("", "paper", "its method", "pages", "webtongue", "pages of webtongue")
    title = "precision on pages answered as a language, %"
    headline = not pages.generated
    id_ = f"table5-1{pages.ending}"
    return Table(
        id_, title, tuple(rows), columns, note, of=("table 5-1",), generated=pages.generated, headline=headline
    )


def charset_shares(found: Answered, pages: Pages) -> Iterator[Table]:
    """Table and figure 5-2: how many of a language's pages its charset names."""
    rows: list[tuple[Cell, ...]] = []
    for language, paper in BY_CHARSET.items():
        cells: list[Cell] = []
        for name in ("composite", "webtongue"):
            of = [i for i, one in enumerate(found.said[name]) if one == language]
            named = sum(found.said[NAMES["encoding"]][i] == language for i in of)
            cells.append(100 * named / len(of) if of else None)
        rows.append((labels.name(language), paper, *cells, len(of)))
    yield Table(
        f"table5-2{pages.ending}",
        "pages answered as a language that their charset names, %",
        tuple(rows),
        ("", *BESIDE, "pages"),
        of=("table 5-2", "figure 5-2"),
        generated=pages.generated,
    )


def unknown(answers: Sequence[Answer], pages: Pages) -> Table:
    """Section 5.1.3: why pages stay unknown."""
    reasons = Counter(answer.reason for answer in answers if answer.label == UND)
    total = max(reasons.total(), 1)
    rows: list[tuple[Cell, ...]] = [("pages unknown", UNKNOWN, 100 * reasons.total() / len(answers))]
    rows += [
        (f"of them: {why}", TOO_SHORT if why == SHORT else None, 100 * n / total) for why, n in sorted(reasons.items())
    ]
    title = "pages that stay unknown, and why (section 5.1.3), %"
    return Table(f"unknown{pages.ending}", title, tuple(rows), ("", "paper", "its method"), plot="")


def spoken(answers: Sequence[Answer] | Sequence[Verdict]) -> Said:
    """Languages, empty for no answer."""
    return ["" if answer.label in labels.SPECIAL else language_of(answer.label) for answer in answers]


def generated(pages: Sequence[RealPage], rates: Rates) -> Pages:
    """Pages of 2008, marked as such."""
    return Pages(pages, rates.described(), "-2008")
