"""Cai 2009, sections 4.3.2 and 5.1: coverage and correctness of each approach, and why pages stay unknown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import webtongue
from webtongue import Page, Verdict, labels
from webtongue.lab.evaluate.tables import BESIDE, Cell, Claim, Table
from webtongue.lab.methods.base import UND, Answer, split_label
from webtongue.lab.methods.composite import (
    APPROACHES,
    BADLY_RECEIVED,
    BELOW_FLOOR,
    NO_NEAR_MODEL,
    WEAK_SHORT_TEXT,
    Composite,
    Examined,
)
from webtongue.lab.papers.cai_claims import (
    APPROACH_NAMES,
    approach_claims,
    check_scripts,
    compare_with_text,
    count_right,
)
from webtongue.lab.papers.cai_pages import DeclarationRates
from webtongue.lab.papers.cai_published import CHARSET_SHARES, COVERED, PRECISION, TOO_SHORT, UNKNOWN
from webtongue.lab.papers.common import fold_language, percent_of
from webtongue.lab.papers.real_pages import RealPage

MIN_ANSWERED_PAGES = 25  # languages with fewer answered pages are left out of the mean precision
MOST_CONFIDENT = "webtongue, its surest"
TITLE = "coverage of each approach, and how often it is right where it answers, %"
PAPER_SHARES = {  # coverage and correctness by table 4-4; for the composite by section 5.1.2 and table 5-1
    "language declaration": (10.01, 99.8),
    "encoding declaration": (12.56, 100.0),
    "text, no border": (75.97, 98.6),
    "text": (66.01, 98.8),
    "composite": (COVERED, 99.64),
}

Languages = list[str]
Shares = dict[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class PageSet:
    """Pages, a statement of what was generated, and the suffix of the ids of their tables."""

    pages: Sequence[RealPage]
    generated: str = ""
    ending: str = ""

    @property
    def documents(self) -> list[Page]:
        """Return the pages."""
        return [real.page for real in self.pages]

    @property
    def truths(self) -> Languages:
        """Return the true languages."""
        return [fold_language(real.label) for real in self.pages]


@dataclass(frozen=True, slots=True)
class Answered:
    """The languages that each approach answers for pages, and the results of the composite, with the answers of its approaches."""

    languages: dict[str, Languages]
    examined: Sequence[Examined]


def answer_approaches(model: Composite, documents: Sequence[Page]) -> Answered:
    """Return the answers of the three approaches and of the composite, which the parallel manner gives in one run."""
    parallel = model.with_settings({"manner": "parallel"})
    examined = [parallel.examine(page) for page in documents]
    languages = {
        APPROACH_NAMES[name]: list_languages([page.by_approach[name] for page in examined]) for name in APPROACHES
    }
    return Answered(languages | {"composite": list_languages([page.answer for page in examined])}, examined)


def answer_pages(model: Composite, pages: PageSet) -> Answered:
    """Return the answers of all approaches, of text without a border, and of the default identifier."""
    documents = pages.documents
    answered = answer_approaches(model, documents)
    borderless_model = model.with_settings({"border": 0.0})
    without_border = [
        borderless_model.answer_by("text", page) if (text := found.by_approach["text"]).label == UND else text
        for page, found in zip(documents, answered.examined, strict=True)
    ]
    verdicts = webtongue.identify_many(documents)
    languages = answered.languages | {
        "text, no border": list_languages(without_border),
        "webtongue": list_languages(verdicts),
    }
    most_confident = keep_most_confident(verdicts, sum(map(bool, languages["composite"])))
    return Answered(languages | {MOST_CONFIDENT: most_confident}, answered.examined)


def measure_real_pages(model: Composite, pages: PageSet) -> Iterator[Table | Claim]:
    """Yield tables 4-4 and 5-1 on real pages as they are, all pages with the same weight."""
    answers = answer_pages(model, pages)
    shares = measure_shares(answers.languages, pages.truths)
    modelled = list_modelled_languages(model)
    without_model = [
        answer
        for answer, truth in zip(answers.languages["text"], pages.truths, strict=True)
        if answer and truth not in modelled
    ]
    note = (
        f"{len(pages.pages)} real pages with what they really declare, labels from no declaration, none chosen for being hard. "
        f"{describe_right(answers, pages)}; of the wrong answers of text {len(without_model)} are on pages in "
        "languages without a model. The thesis does not tell its two text columns apart: ours are without and with "
        f"the border. Its composite figures are those of section 5.1.2 and table 5-1. {MOST_CONFIDENT}: as many of its "
        "answers as the composite gives, by confidence."
    )
    yield Table("table4-4", TITLE, *share_rows(shares), note, reproduces=("table 4-4",), headline=True)
    yield from approach_claims(answers, pages.truths, "on real pages")
    yield check_scripts([page.answer.label for page in answers.examined], [real.label for real in pages.pages])
    yield precision_table(
        answers,
        pages,
        "Percentage of the answered pages, all pages with the same weight; the mean is over languages, as in the thesis.",
    )
    yield from charset_table(answers, pages)
    yield unknown_table(answers.examined, pages, model)


def measure_aged_pages(model: Composite, pages: PageSet) -> Iterator[Table | Claim]:
    """Yield the same tables for pages in old encodings."""
    answers = answer_pages(model, pages)
    shares = measure_shares(answers.languages, pages.truths)
    note = f"{len(pages.pages)} pages. {describe_right(answers, pages)}."
    title = f"{TITLE}, in old encodings"
    yield Table(
        f"table4-4{pages.ending}",
        title,
        *share_rows(shares),
        note,
        reproduces=("table 4-4",),
        generated=pages.generated,
    )
    # Which declarations are false is generated here, so that only the composite is compared with text.
    yield compare_with_text(
        answers.languages, pages.truths, "composite over text alone in correctness, in old encodings"
    )
    yield precision_table(answers, pages, "Percentage of the answered pages, all pages with the same weight.")
    yield from charset_table(answers, pages)


def measure_shares(languages: dict[str, Languages], truths: Languages) -> Shares:
    """Return coverage and correctness of each approach, in percent."""
    shares = {}
    for name, answers in languages.items():
        right, covered = count_right(answers, truths)
        shares[name] = (100 * covered / max(len(truths), 1), 100 * right / max(covered, 1))
    return shares


def describe_right(answers: Answered, pages: PageSet) -> str:
    """Return the number of right answers of each approach as a sentence."""
    counts = {name: count_right(answers.languages[APPROACH_NAMES[name]], pages.truths) for name in APPROACHES}
    right = "Right: " + ", ".join(
        f"{APPROACH_NAMES[name]} {right} of {answered}" for name, (right, answered) in counts.items()
    )
    added = [
        "" if text else composite
        for composite, text in zip(answers.languages["composite"], answers.languages["text"], strict=True)
    ]
    added_right, added_pages = count_right(added, pages.truths)
    return f"{right}. Declarations add {added_pages} pages that text does not answer, {added_right} of them rightly"


def share_rows(shares: Shares) -> tuple[tuple[tuple[Cell, ...], ...], tuple[str, ...]]:
    """Return the rows and columns of table 4-4."""
    rows: list[tuple[Cell, ...]] = []
    for name, (coverage, correctness) in PAPER_SHARES.items():
        default = shares["webtongue"] if name == "composite" else (None, None)
        rows.append((name, coverage, shares[name][0], default[0], correctness, shares[name][1], default[1]))
    rows.append((MOST_CONFIDENT, None, None, shares[MOST_CONFIDENT][0], None, None, shares[MOST_CONFIDENT][1]))
    columns = ("", *(f"{quantity}, {system}" for quantity in ("coverage", "right") for system in BESIDE))
    return tuple(rows), columns


def keep_most_confident(verdicts: Sequence[Verdict], count: int) -> Languages:
    """Return the default identifier's answers, only the ``count`` most confident ones kept."""
    languages = list_languages(verdicts)
    order = sorted(range(len(languages)), key=lambda i: (not languages[i], -verdicts[i].confidence))
    most_confident = set(order[:count])
    return [language if i in most_confident else "" for i, language in enumerate(languages)]


def precision_table(answers: Answered, pages: PageSet, note: str) -> Table:
    """Return table 5-1: the percentage of the pages answered as a language that are in it."""
    rows: list[tuple[Cell, ...]] = []
    systems = ("composite", "webtongue")
    values: dict[str, list[float]] = {name: [] for name in ("paper", *systems)}
    for language, paper in PRECISION.items():
        cells: list[Cell] = []
        has_enough = True
        for name in systems:
            right, answered = count_right(
                [answer if answer == language else "" for answer in answers.languages[name]], pages.truths
            )
            cells += [100 * right / answered if answered else None, answered]
            has_enough = has_enough and answered >= MIN_ANSWERED_PAGES
        rows.append((labels.name(language), paper, *cells))
        for name, cell in zip(values, (paper, cells[0], cells[2]), strict=True):
            values[name] += [float(cell)] if has_enough and isinstance(cell, float) else []
    means = [sum(answers) / len(answers) if answers else None for answers in values.values()]
    rows.append((f"mean of those with {MIN_ANSWERED_PAGES} pages or more", means[0], means[1], None, means[2], None))
    columns = ("", "paper", "its method", "pages", "webtongue", "pages of webtongue")
    title = "precision on pages answered as a language, %"
    headline = not pages.generated
    id_ = f"table5-1{pages.ending}"
    return Table(
        id_, title, tuple(rows), columns, note, reproduces=("table 5-1",), generated=pages.generated, headline=headline
    )


def charset_table(answers: Answered, pages: PageSet) -> Iterator[Table]:
    """Yield table and figure 5-2: the percentage of a language's pages whose charset names it."""
    rows: list[tuple[Cell, ...]] = []
    for language, paper in CHARSET_SHARES.items():
        cells: list[Cell] = []
        for name in ("composite", "webtongue"):
            indexes = [i for i, answer in enumerate(answers.languages[name]) if answer == language]
            named_pages = sum(answers.languages[APPROACH_NAMES["encoding"]][i] == language for i in indexes)
            cells.append(100 * named_pages / len(indexes) if indexes else None)
        rows.append((labels.name(language), paper, *cells, len(indexes)))
    yield Table(
        f"table5-2{pages.ending}",
        "pages answered as a language that their charset names, %",
        tuple(rows),
        ("", *BESIDE, "pages"),
        reproduces=("table 5-2", "figure 5-2"),
        generated=pages.generated,
    )


def unknown_table(examined: Sequence[Examined], pages: PageSet, model: Composite) -> Table:
    """Return the reasons why pages stay unknown (section 5.1.3): those that apply, which overlap, and the first of them."""
    modelled = list_modelled_languages(model)
    unknown = [(page, truth) for page, truth in zip(examined, pages.truths, strict=True) if page.answer.label == UND]
    first = Counter(page.answer.reason for page, _ in unknown)
    applying = {
        "1. fewer bytes of text than the floor": sum(
            len(page.extracted.text) < model.settings.floor for page, _ in unknown
        ),
        "2. a language without a model": sum(truth not in modelled for _, truth in unknown),
        "3. no declaration that names a language": len(unknown),
        "4. improperly received": first[BADLY_RECEIVED],
        "5. no model near enough": first[WEAK_SHORT_TEXT] + first[NO_NEAR_MODEL],
    }
    first_by_row = (first[BELOW_FLOOR], 0, 0, first[BADLY_RECEIVED], first[WEAK_SHORT_TEXT] + first[NO_NEAR_MODEL])
    rows: list[tuple[Cell, ...]] = [
        ("pages unknown", UNKNOWN, percent_of(len(unknown), len(examined)), percent_of(len(unknown), len(examined)))
    ]
    for (name, count), first_count in zip(applying.items(), first_by_row, strict=True):
        paper = TOO_SHORT if name.startswith("1") else None
        rows.append((f"of them: {name}", paper, percent_of(count, len(unknown)), percent_of(first_count, len(unknown))))
    note = (
        "The five reasons of the thesis overlap: reason 3 applies to every unknown page by definition, and reason 2 is "
        "never what the method itself can say. The last column counts each page once, by the reason that the method gives."
    )
    title = "pages that stay unknown, and why (section 5.1.3), %"
    columns = ("", "paper", "its method, reasons that apply", "its method, the reason that it gives")
    return Table(f"unknown{pages.ending}", title, tuple(rows), columns, note, plot="")


def list_modelled_languages(model: Composite) -> set[str]:
    """Return the languages that have a profile."""
    return {fold_language(split_label(label)[0]) for label in model.labels}


def list_languages(answers: Sequence[Answer] | Sequence[Verdict]) -> Languages:
    """Return the languages of answers, empty for no answer."""
    return ["" if answer.label in labels.SPECIAL else fold_language(answer.label) for answer in answers]


def mark_generated(pages: Sequence[RealPage], rates: DeclarationRates) -> PageSet:
    """Return the pages of 2008 with a statement of how they were generated."""
    return PageSet(pages, rates.describe(), "-2008")
