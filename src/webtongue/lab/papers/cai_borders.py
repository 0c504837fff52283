"""Cai 2009 on little text: the composite approach by length of text, and a border for each model (sections 3.2.3.2 and 6.2.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import webtongue
from webtongue import Page
from webtongue.lab.evaluate.tables import Cell, Claim, Table
from webtongue.lab.methods.base import split_label
from webtongue.lab.methods.composite import Composite, encode_training_texts, extract_text
from webtongue.lab.methods.corpus import Corpus
from webtongue.lab.methods.document import Document, TextBytes, strip_tags
from webtongue.lab.methods.rank_order import RankOrder
from webtongue.lab.papers.cai_approaches import PAPER_SHARES, PageSet, answer_approaches, list_languages, measure_shares
from webtongue.lab.papers.cai_claims import compare_with_text
from webtongue.lab.papers.common import fold_language

TEXT_BYTES = (60, 120, 150, 250, 500, 1000)  # lengths that pages are cut to
HELD_OUT_BYTES = 500  # length of a held-out text
BORDER_TEXT_BYTES = (60, 150, 250)  # lengths for which borders are tested
SYSTEMS = ("text", "composite", "webtongue")
QUANTILE = 0.95  # share of a language's held-out texts below its border
COVERAGE_PERCENTAGES = (50, 60, 66, 70, 80, 90)  # table 4-4 has 66.01
BOOTSTRAP_DRAWS, BOOTSTRAP_SEED = 500, 2009
TITLE_TAG = re.compile(rb"(?is)<title\b.*?</title\s*>")
CUT_NOTE = "pages cut to the beginning of their text; heads and what they declare are as they were"


@dataclass(frozen=True, slots=True)
class Guess:
    """The best label of a text: whether it is right, its average distance, the border of its model, and the distance relative
    to this border and to a border set on texts of the same length."""

    is_right: bool
    distance: float
    border: float
    by_own: float
    by_own_as_long: float


def measure_lengths(model: Composite, pages: PageSet) -> Iterator[Table | Claim]:
    """Yield text against composite on pages with as little text as portal pages have."""
    rows: list[tuple[Cell, ...]] = []
    results = []
    for size in TEXT_BYTES:
        documents = [cut_page(real.page, size) for real in pages.pages]
        languages = answer_approaches(model, documents).languages
        languages |= {"webtongue": list_languages(webtongue.identify_many(documents))}
        shares = measure_shares(languages, pages.truths)
        rows.append((f"{size} bytes", *(shares[name][i] for i in (0, 1) for name in SYSTEMS)))
        coverage_gap = abs(shares["text"][0] - PAPER_SHARES["text"][0])
        results.append((coverage_gap, size, languages))
    columns = ("text", *(f"{quantity}, {system}" for quantity in ("coverage", "right") for system in SYSTEMS))
    yield Table(
        "length", "the composite approach by length of text, %", tuple(rows), columns, plot="lines", generated=CUT_NOTE
    )
    _, size, languages = min(results, key=lambda result: result[:2])
    text = (
        f"composite over text alone in correctness, on pages cut to {size} bytes of text, where text covers about as many as in "
        "the thesis"
    )
    yield compare_with_text(languages, pages.truths, text)


def cut_page(page: Page, size: int) -> Page:
    """Return a page's head without its title, and the beginning of its text."""
    raw = page.raw
    body = max(raw.lower().find(b"<body"), 0)
    text = strip_tags(raw[body:], decode_references=True)[:size].replace(b"<", b" ")
    return Page(TITLE_TAG.sub(b"", raw[:body]) + b"<body><p>" + text, page.url)


def measure_own_borders(model: Composite, held_out: Corpus, pages: PageSet) -> Iterator[Table | Claim]:
    """Yield the comparison of section 6.2.1: a border for each model, set on held-out texts, against one for all, at the same
    coverage."""
    texts = encode_training_texts(held_out)
    borders = fill_unknown(model.compute_borders(texts, QUANTILE))
    rows: list[tuple[Cell, ...]] = []
    all_guesses: list[Guess] = []
    for size in BORDER_TEXT_BYTES:
        same_length_borders = fill_unknown(
            model.compute_borders({label: cut_texts(cut_pages, size) for label, cut_pages in texts.items()}, QUANTILE)
        )
        cut_pages = [(real.label, extract_text(cut_page(real.page, size))) for real in pages.pages]
        guesses = [
            best for label, text in cut_pages if (best := make_guess(model, borders, same_length_borders, text, label))
        ]
        all_guesses += guesses
        for coverage in COVERAGE_PERCENTAGES:
            distances = (
                [g.distance for g in guesses],
                [g.by_own for g in guesses],
                [g.by_own_as_long for g in guesses],
            )
            rows.append(
                (
                    f"{size} bytes, {coverage}% answered",
                    *(percent_right_at(guesses, best, coverage) for best in distances),
                )
            )
    note = (
        f"A model's border is the {QUANTILE} quantile of the average distance of its held-out texts of "
        f"{HELD_OUT_BYTES} bytes (from {borders.min():.0f} to {borders.max():.0f}, median {np.median(borders):.0f}); "
        "in the last column, of texts with the length of the test texts. All rules are adjusted to answer the same "
        "share of the texts, some of which are in languages without a model."
    )
    columns = ("", "one border for all", "a border for each model", "the same, of texts as long")
    title = "how often text is right with one border and with one for each model (section 6.2.1), %"
    yield Table("borders", title, tuple(rows), columns, note, plot="lines", generated=CUT_NOTE)
    yield compare_borders(rows, all_guesses)


def compare_borders(rows: Sequence[tuple[Cell, ...]], guesses: Sequence[Guess]) -> Claim:
    """Return the proposal of the thesis as a claim, decided by a bootstrap over texts; if it fails, test whether wide borders are
    the cause, with none above the median."""
    gains = np.array(
        [[float(separate or 0) - float(single or 0) for separate in others] for _, single, *others in rows]
    )
    low, high = bootstrap_gain(guesses)
    figures = (
        f"better in {(gains[:, 0] > 0).sum()} of {len(rows)} rows, {gains[:, 0].mean():+.2f} points in the mean; of texts as long "
        f"{(gains[:, 1] > 0).sum()} and {gains[:, 1].mean():+.2f}; over all lengths 95% of the bootstrap is between {low:+.2f} and "
        f"{high:+.2f} points"
    )
    median = float(np.median([g.border for g in guesses]))
    single, separate, capped = (
        np.mean([percent_right_at(guesses, distances, coverage) for coverage in COVERAGE_PERCENTAGES])
        for distances in (
            [g.distance for g in guesses],
            [g.by_own for g in guesses],
            [g.distance / min(g.border, median) for g in guesses],
        )
    )
    why = (
        f"wide borders let wrong answers through: over all sizes {separate:.1f} are right by them, {capped:.1f} if "
        f"none is above the median, {single:.1f} with one for all"
        if capped > separate
        else f"not explained: over all sizes {separate:.1f} are right, and {capped:.1f} if no border is above the median"
    )
    holds = True if low > 0 else False if high < 0 else None
    text = "a border for each model over one for all, at the same coverage (proposed in section 6.2.1)"
    return Claim(text, holds, figures, why, "95% of the bootstrap below zero")


def bootstrap_gain(guesses: Sequence[Guess]) -> tuple[float, float]:
    """Return the middle 95% of the gain of a border for each model over one for all, over texts drawn again, in points."""
    is_right = np.array([g.is_right for g in guesses], float)
    distances = np.array([[g.distance, g.by_own] for g in guesses])
    rng = np.random.default_rng(BOOTSTRAP_SEED)
    gains = []
    for _ in range(BOOTSTRAP_DRAWS):
        drawn = rng.integers(0, len(guesses), len(guesses))
        shares = []
        for column in range(distances.shape[1]):
            right = is_right[drawn][np.argsort(distances[drawn, column], kind="stable")].cumsum()
            counts = [max(1, round(len(guesses) * coverage / 100)) for coverage in COVERAGE_PERCENTAGES]
            shares.append(np.mean([100 * right[count - 1] / count for count in counts]))
        gains.append(shares[1] - shares[0])
    low, high = np.quantile(gains, (0.025, 0.975))
    return float(low), float(high)


def fill_unknown(borders: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the borders, with the median in place of those without held-out texts."""
    median = np.median(borders[np.isfinite(borders)])
    return np.where(np.isfinite(borders), borders, median)


def cut_texts(texts: Sequence[Document], size: int) -> list[Document]:
    """Return the beginnings of texts that are bytes."""
    return [TextBytes(text[:size]) for text in texts if isinstance(text, bytes)]


def make_guess(
    model: Composite, borders: NDArray[np.float64], same_length_borders: NDArray[np.float64], text: bytes, label: str
) -> Guess | None:
    """Return the best label of a text, None if the text has nothing to count."""
    row = RankOrder.row(model, text)
    if row is None:
        return None
    best = int(np.argmax(row))
    answer = split_label(model.labels[best])[0]
    distance = model.average_distance(row, text)
    is_right = fold_language(answer) == fold_language(label)
    return Guess(
        is_right, distance, float(borders[best]), distance / borders[best], distance / same_length_borders[best]
    )


def percent_right_at(guesses: Sequence[Guess], distances: Sequence[float], coverage: int) -> float:
    """Return the percentage of right answers if the nearest ``coverage`` percent are answered."""
    order = np.argsort(np.array(distances), kind="stable")[: max(1, round(len(guesses) * coverage / 100))]
    return 100 * float(np.mean([guesses[i].is_right for i in order]))
