"""Cai 2009 on little text: the composite approach by length, and a border for each model (sections 3.2.3.2 and 6.2.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from cai_approaches import NAMES, PAPER, Pages, approaches, believed, spoken, together
from made_pages import language_of
from numpy.typing import NDArray

import webtongue
from webtongue import Page
from webtongue.evaluate.tables import Cell, Claim, Table
from webtongue.methods.base import label_parts
from webtongue.methods.composite import APPROACHES, Composite, category_texts, common_text
from webtongue.methods.corpus import Corpus
from webtongue.methods.document import Document, tagless
from webtongue.methods.rank_order import RankOrder

SIZES = (60, 120, 150, 250, 500, 1000)  # bytes of text
LONGEST = 500  # bytes of a held-out text
BORDERED = (60, 150, 250)  # those that borders are tried on
SYSTEMS = ("text", "composite", "webtongue")
QUANTILE = 0.95  # share of a language's held-out texts that lie below its border
COVERAGES = (50, 60, 66, 70, 80, 90)  # percent of the texts that are answered; 66.01 in table 4-4
TITLE_TAG = re.compile(rb"(?is)<title\b.*?</title\s*>")
CUT = "pages cut to the beginning of their text; heads and what they declare are as they were"


@dataclass(frozen=True, slots=True)
class Guess:
    """The best label of a text: whether it is right, its average distance, the border of its model, and the distance by this, and
    by a border of texts as long."""

    is_right: bool
    distance: float
    border: float
    by_own: float
    by_own_as_long: float


def by_length(model: Composite, pages: Pages) -> Iterator[Table | Claim]:
    """Text against composite on pages with as little text as portal pages have."""
    rows: list[tuple[Cell, ...]] = []
    tried = []
    for size in SIZES:
        documents = [shortened(real.page, size) for real in pages.pages]
        found = {name: [model.by(name, page) for page in documents] for name in APPROACHES}
        said = {
            **{NAMES[name]: spoken(found[name]) for name in APPROACHES},
            "composite": spoken(together(model, found)),
            "webtongue": spoken(webtongue.identify_many(documents)),
        }
        shares = approaches(said, pages.truths)
        rows.append((f"{size} bytes", *(shares[name][i] for i in (0, 1) for name in SYSTEMS)))
        gap = abs(shares["text"][0] - PAPER["text"][0])
        tried.append((gap, size, shares["text"][1], shares["composite"][1], believed(said, pages.truths)))
    columns = (
        "text",
        *(f"{what}, {who}" for what in ("coverage", "right") for who in SYSTEMS),
    )
    yield Table(
        "length", "the composite approach by length of text, %", tuple(rows), columns, plot="lines", generated=CUT
    )
    _, size, text, both, why = min(tried)
    figures = (
        f"{text:.1f} -> {both:.1f} on {size} bytes of text, of which text alone covers about what it did in the thesis"
    )
    yield Claim(
        "composite over text alone in correctness, on pages with as little text as his", both > text, figures, why
    )


def shortened(page: Page, size: int) -> Page:
    """A page's head without its title, and the beginning of its text."""
    raw = page.raw
    body = max(raw.lower().find(b"<body"), 0)
    text = tagless(raw[body:], references=True)[:size].replace(b"<", b" ")
    return Page(TITLE_TAG.sub(b"", raw[:body]) + b"<body><p>" + text, page.url)


def own_borders(model: Composite, held_out: Corpus, pages: Pages) -> Iterator[Table | Claim]:
    """Section 6.2.1: a border for each model, set on texts held out of training, against one for all, at the same coverage."""
    texts = category_texts(held_out)
    borders = known(model.own_borders(texts, QUANTILE))
    rows: list[tuple[Cell, ...]] = []
    every: list[Guess] = []
    for size in BORDERED:
        as_long = known(model.own_borders({label: cut(found, size) for label, found in texts.items()}, QUANTILE))
        found = [(real.label, common_text(shortened(real.page, size))) for real in pages.pages]
        guesses = [one for label, text in found if (one := guess(model, borders, as_long, text, label))]
        every += guesses
        for coverage in COVERAGES:
            far = ([g.distance for g in guesses], [g.by_own for g in guesses], [g.by_own_as_long for g in guesses])
            rows.append((f"{size} bytes, {coverage}% answered", *(right_at(guesses, one, coverage) for one in far)))
    note = (
        f"A model's border is the {QUANTILE} quantile of the average distance of its held-out texts of {LONGEST} bytes (from "
        f"{borders.min():.0f} to {borders.max():.0f}, median {np.median(borders):.0f}); in the last column of texts as long as "
        "those that are judged. Rules are moved until they answer the same share of the texts, some of which are in "
        "languages without a model."
    )
    columns = ("", "one border for all", "a border for each model", "the same, of texts as long")
    title = "how often text is right with one border and with one for each model (section 6.2.1), %"
    yield Table("borders", title, tuple(rows), columns, note, plot="lines", generated=CUT)
    yield compared(rows, every)


def compared(rows: Sequence[tuple[Cell, ...]], guesses: Sequence[Guess]) -> Claim:
    """The proposal as a claim; if it fails, whether that is for wide borders: tried with none above the median."""
    gains = np.array([[float(own or 0) - float(one or 0) for own in others] for _, one, *others in rows])
    figures = (
        f"better in {(gains[:, 0] > 0).sum()} of {len(rows)} rows, {gains[:, 0].mean():+.2f} points in the mean; of texts as long "
        f"{(gains[:, 1] > 0).sum()} and {gains[:, 1].mean():+.2f}"
    )
    middle = float(np.median([g.border for g in guesses]))
    one, own, capped = (
        np.mean([right_at(guesses, far, coverage) for coverage in COVERAGES])
        for far in (
            [g.distance for g in guesses],
            [g.by_own for g in guesses],
            [g.distance / min(g.border, middle) for g in guesses],
        )
    )
    why = (
        f"wide borders let wrong answers through: over all sizes {own:.1f} are right by them, {capped:.1f} if none is above the "
        f"median, {one:.1f} with one for all"
        if capped > own
        else f"not explained: over all sizes {own:.1f} are right, and {capped:.1f} if no border is above the median"
    )
    text = "a border for each model over one for all, at the same coverage (proposed in section 6.2.1)"
    return Claim(text, bool(gains.mean(0).max() > 0), figures, why)


def known(borders: NDArray[np.float64]) -> NDArray[np.float64]:
    """Borders with the median in the place of those that no text was held out for."""
    median = np.median(borders[np.isfinite(borders)])
    return np.where(np.isfinite(borders), borders, median)


def cut(texts: Sequence[Document], size: int) -> list[Document]:
    """The beginnings of texts of bytes."""
    return [text[:size] for text in texts if isinstance(text, bytes)]


def guess(
    model: Composite, borders: NDArray[np.float64], as_long: NDArray[np.float64], text: bytes, label: str
) -> Guess | None:
    """The best label of a text; None of one with nothing to count."""
    row = RankOrder.row(model, text)
    if row is None:
        return None
    best = int(np.argmax(row))
    said = label_parts(model.labels[best])[0]
    distance = model.average_distance(row, text)
    is_right = language_of(said) == language_of(label)
    return Guess(is_right, distance, float(borders[best]), distance / borders[best], distance / as_long[best])


def right_at(guesses: Sequence[Guess], far: Sequence[float], coverage: int) -> float:
    """How many of the nearest are right, in percent, if so many percent are answered."""
    order = np.argsort(np.array(far), kind="stable")[: max(1, round(len(guesses) * coverage / 100))]
    return 100 * float(np.mean([guesses[i].is_right for i in order]))
