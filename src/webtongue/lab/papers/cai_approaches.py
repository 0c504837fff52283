"""Cai 2009, sections 4.3.2 and 5.1: coverage and correctness of each approach, and why pages stay unknown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import webtongue
from webtongue import Page, Verdict, labels
from webtongue.lab.evaluate.tables import BESIDE, Cell, Claim, Table
from webtongue.lab.methods.base import UND, Answer, split_label
from webtongue.lab.methods.composite import APPROACHES, BELOW_FLOOR, Composite
from webtongue.lab.papers.cai_pages import DeclarationRates
from webtongue.lab.papers.cai_published import CHARSET_SHARES, COVERED, PRECISION, TOO_SHORT, UNKNOWN
from webtongue.lab.papers.common import fold_language
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
APPROACH_NAMES = {"encoding": "encoding declaration", "language": "language declaration", "text": "text"}

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
    """The languages that each approach answers for pages, and the composite's answers with their reasons."""

    languages: dict[str, Languages]
    answers: Sequence[Answer]


def combine_answers(model: Composite, answers: dict[str, list[Answer]]) -> list[Answer]:
    """Return the composite's answers from those of its approaches: the first approach in its order that has one, else text.

    Serial and parallel order give the same answers (tests/lab/methods/test_composite.py), so no approach has to run twice.
    """
    ordered = [answers[name] for name in model.settings.approaches]
    return [
        next((answer for answer in in_order if answer.label != UND), text)
        for *in_order, text in zip(*ordered, answers["text"], strict=True)
    ]


def answer_pages(model: Composite, pages: PageSet) -> Answered:
    """Return the answers of all approaches and of the default identifier."""
    documents = pages.documents
    by_approach = {name: [model.answer_by(name, page) for page in documents] for name in APPROACHES}
    borderless_model = model.with_settings({"border": 0.0})
    without_border = [
        borderless_model.answer_by("text", page) if text.label == UND else text
        for page, text in zip(documents, by_approach["text"], strict=True)
    ]
    answers = combine_answers(model, by_approach)
    verdicts = webtongue.identify_many(documents)
    languages = {
        APPROACH_NAMES["language"]: list_languages(by_approach["language"]),
        APPROACH_NAMES["encoding"]: list_languages(by_approach["encoding"]),
        "text, no border": list_languages(without_border),
        "text": list_languages(by_approach["text"]),
        "composite": list_languages(answers),
        "webtongue": list_languages(verdicts),
    }
    return Answered(
        languages | {MOST_CONFIDENT: keep_most_confident(verdicts, sum(map(bool, languages["composite"])))}, answers
    )


def measure_real_pages(model: Composite, pages: PageSet) -> Iterator[Table | Claim]:
    """Yield tables 4-4 and 5-1 on real pages as they are, all pages with the same weight."""
    answers = answer_pages(model, pages)
    shares = measure_shares(answers.languages, pages.truths)
    modelled = {fold_language(split_label(label)[0]) for label in model.labels}
    without_model = [
        answer
        for answer, truth in zip(answers.languages["text"], pages.truths, strict=True)
        if answer and truth not in modelled
    ]
    note = (
        f"{len(pages.pages)} real pages with what they really declare, labels from no declaration. "
        f"{describe_right(answers, pages)}; of the wrong answers of text {len(without_model)} are on pages in "
        "languages without a model. The thesis does not tell its two text columns apart: ours are without and with "
        f"the border. Its composite figures are those of section 5.1.2 and table 5-1. {MOST_CONFIDENT}: as many of its "
        "answers as the composite gives, by confidence."
    )
    yield Table("table4-4", TITLE, *share_rows(shares), note, reproduces=("table 4-4",), headline=True)
    yield from claims(shares, answers.languages, pages.truths, "on real pages")
    yield precision_table(
        answers,
        pages,
        "Percentage of the answered pages, all pages with the same weight; the mean is over languages, as in the thesis.",
    )
    yield from charset_table(answers, pages)
    yield unknown_table(answers.answers, pages)


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
    yield from claims(shares, answers.languages, pages.truths, "in old encodings")
    yield precision_table(answers, pages, "Percentage of the answered pages, all pages with the same weight.")
    yield from charset_table(answers, pages)


def measure_shares(languages: dict[str, Languages], truths: Languages) -> Shares:
    """Return coverage and correctness of each approach, in percent."""
    shares = {}
    for name, answers in languages.items():
        right, covered = count_right(answers, truths)
        shares[name] = (100 * covered / max(len(truths), 1), 100 * right / max(covered, 1))
    return shares


def count_right(answers: Languages, truths: Languages) -> tuple[int, int]:
    """Return the numbers of right answers and of answers."""
    return sum(answer == truth for answer, truth in zip(answers, truths, strict=True)), sum(map(bool, answers))


def describe_right(answers: Answered, pages: PageSet) -> str:
    """Return the number of right answers of each approach as a sentence."""
    counts = {name: count_right(answers.languages[APPROACH_NAMES[name]], pages.truths) for name in APPROACHES}
    return "Right: " + ", ".join(
        f"{APPROACH_NAMES[name]} {right} of {answered}" for name, (right, answered) in counts.items()
    )


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


def claims(shares: Shares, languages: dict[str, Languages], truths: Languages, data_name: str) -> Iterator[Claim]:
    """Yield the comparisons of the thesis."""
    text, composite = shares["text"], shares["composite"]
    figures = f"{text[1]:.1f} -> {composite[1]:.1f} right"
    why = explain_false_declarations(languages, truths)
    yield Claim(f"composite over text alone in correctness, {data_name}", composite[1] > text[1], figures, why)
    coverage = {name: shares[name][0] for name in APPROACH_NAMES.values()}
    figures = ", ".join(f"{name} {share:.1f}" for name, share in coverage.items()) + f"; composite {composite[0]:.1f}"
    yield Claim(
        f"composite over each approach in coverage, {data_name}", composite[0] > max(coverage.values()), figures
    )
    order = [shares[APPROACH_NAMES[name]][1] for name in APPROACHES]
    figures = ", ".join(f"{share:.1f}" for share in order)
    listed_order = f"the priority list: {', '.join(APPROACHES)} by correctness, {data_name}"
    yield Claim(listed_order, order == sorted(order, reverse=True), figures, why)


def explain_false_declarations(languages: dict[str, Languages], truths: Languages) -> str:
    """Return the number of false declarations and the composite's correctness without them, to explain why it may be no better
    than text."""
    false_answers: dict[str, Languages] = {}
    true_answers: list[Languages] = []
    for name in APPROACHES[:2]:
        answers = languages[APPROACH_NAMES[name]]
        false_answers[name] = [
            answer for answer, truth in zip(answers, truths, strict=True) if answer and answer != truth
        ]
        true_answers.append([answer if answer == truth else "" for answer, truth in zip(answers, truths, strict=True)])
    without = [
        encoding or language or text for encoding, language, text in zip(*true_answers, languages["text"], strict=True)
    ]
    right = measure_shares({"": without}, truths)[""][1]
    counts = ", ".join(
        f"{len(answers)} of {sum(map(bool, languages[APPROACH_NAMES[name]]))} declared {name}s are false "
        f"({answers.count('eng')} say English)"
        for name, answers in false_answers.items()
    )
    return f"declarations take precedence over the text: {counts}; without the false ones the composite has {right:.1f}"


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


def unknown_table(answers: Sequence[Answer], pages: PageSet) -> Table:
    """Return the reasons why pages stay unknown (section 5.1.3)."""
    reasons = Counter(answer.reason for answer in answers if answer.label == UND)
    total = max(reasons.total(), 1)
    rows: list[tuple[Cell, ...]] = [("pages unknown", UNKNOWN, 100 * reasons.total() / len(answers))]
    rows += [
        (f"of them: {reason}", TOO_SHORT if reason == BELOW_FLOOR else None, 100 * count / total)
        for reason, count in sorted(reasons.items())
    ]
    title = "pages that stay unknown, and why (section 5.1.3), %"
    return Table(f"unknown{pages.ending}", title, tuple(rows), ("", "paper", "its method"), plot="")


def list_languages(answers: Sequence[Answer] | Sequence[Verdict]) -> Languages:
    """Return the languages of answers, empty for no answer."""
    return ["" if answer.label in labels.SPECIAL else fold_language(answer.label) for answer in answers]


def mark_generated(pages: Sequence[RealPage], rates: DeclarationRates) -> PageSet:
    """Return the pages of 2008 with a statement of how they were generated."""
    return PageSet(pages, rates.describe(), "-2008")
