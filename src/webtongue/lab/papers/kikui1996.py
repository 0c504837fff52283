"""Kikui 1996: coding system and language of documents, 9 languages in 11 coding systems.

The paper's 700 training and 640 test documents are lost. Training: running text of the data folder, 300,000 characters a
language. Test: real pages of dev/html (kikui_documents.py). The European part of Western pages and the East-Asian part of
Eastern pages are classified.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import webtongue
from webtongue import decode
from webtongue.lab.evaluate.tables import BESIDE, Cell, Claim, Exempt, Result, Table
from webtongue.lab.methods.corpus import Corpus
from webtongue.lab.methods.corpus import read_documents as read_corpus
from webtongue.lab.methods.document import read_text
from webtongue.lab.methods.east_asian import EastAsianText, match_text
from webtongue.lab.methods.encoded_texts import get_codec
from webtongue.lab.methods.kikui import Kikui, KikuiSettings
from webtongue.lab.methods.rank_order import RankOrder
from webtongue.lab.papers.common import percent, running_text_sources
from webtongue.lab.papers.kikui_documents import EAST, ELSE, NAMES, WEST, Document, describe_generated, read_documents
from webtongue.lab.papers.kikui_example import example_results
from webtongue.lab.papers.kikui_sweeps import (
    WesternTexts,
    answer_name,
    choose_threshold,
    sweep_class_letters,
    sweep_thresholds,
)

PUBLISHED = ("figure 1", "table 1", "figure 2", "table 2", "table 3", "table 4", "table 5")
QUICK_PAGES, FULL_PAGES = 40, 90  # maximum pages of a language
TRAINING_CHARS = 300_000  # of each label
CHARACTER_COUNTS = (1, 2, 3, 5, 10, 20, 50)  # East-Asian characters, from part of a name to a paragraph
FRAME = b"The following people and organizations took part in the meeting of last week: "
PAPER_4 = {
    "deu": {"deu": 51, ELSE: 2},
    "eng": {"eng": 178, "fra": 1, ELSE: 6},
    "esl": {"eng": 1, "esl": 23},
    "fra": {"fra": 90},
    "ita": {"ita": 3, ELSE: 1},
    "por": {"por": 6, ELSE: 1},
    ELSE: {"deu": 1, "eng": 8, "esl": 1, ELSE: 70},
}
PAPER_5 = {
    "jpn": {"jpn": 123, ELSE: 4},
    "kor": {"jpn": 1, "kor": 7},
    "zho": {"jpn": 2, "zho": 47},
    ELSE: {"jpn": 1, "zho": 2, ELSE: 8},
}
STATED = {"table 4": 100 - 4.8, "table 5": 100 - 4.6}  # sections 5.2 and 5.3: "the error rate is"

Matrix = dict[str, dict[str, int]]


def run(data: Path, quick: bool) -> Iterator[Result]:
    """Yield every table, the sweep of n, and the comparisons that the paper draws."""
    yield Exempt(("figure 1",), "the algorithm as pseudo-code: methods/kikui.py, `extract`, is it")
    yield Exempt(("table 1",), "byte patterns, a definition: methods/east_asian.py has them, and Shift JIS besides")
    west, east = read_documents(data, QUICK_PAGES if quick else FULL_PAGES)
    sources = running_text_sources(data / "train")
    corpus = read_corpus(data / "train", sources, [*WEST, *EAST], label_chars=TRAINING_CHARS)
    model = Kikui.fit(corpus, KikuiSettings(utf8=False))
    yield from example_results(model)
    texts = WesternTexts.read(data, sources, corpus, model, west)
    tuned = choose_threshold(model, texts)
    european, tuned_answers = texts.answers(model), texts.answers(tuned)
    asian = [answer_name(model.parts(document.page).asian, EAST) for document in east]
    default = identify_documents(west, WEST), identify_documents(east, EAST)
    other_systems = {f"its method, threshold {tuned.settings.threshold}": tuned_answers}
    yield from confusion_tables(
        "table 4", "Western-European languages", PAPER_4, west, [european, default[0]], other_systems
    )
    yield sweep_thresholds(model, texts, tuned.settings.threshold)
    yield from confusion_tables("table 5", "East-Asian languages", PAPER_5, east, [asian, default[1]], {})
    yield coding_table([*west, *east], [*european, *asian], [*default[0], *default[1]])
    yield from sweep_class_letters(texts)
    yield compare_with_decoded(corpus, west, european)
    yield from measure_few_characters(model, east, asian)
    yield check_parts(model, west)


def identify_documents(documents: Sequence[Document], names: dict[str, str]) -> list[str]:
    """Return the answers of the default identifier."""
    verdicts = webtongue.identify_many([document.page for document in documents])
    return [names.get(verdict.label, ELSE) for verdict in verdicts]


def confusion_tables(
    of: str,
    title: str,
    paper: Matrix,
    documents: Sequence[Document],
    systems: list[list[str]],
    others: dict[str, list[str]],
) -> Iterator[Table]:
    """Yield a matrix with the counts of the paper, its method and webtongue in each cell, and the accuracy of each, and of
    ``others``."""
    truths = [document.truth for document in documents]
    matrices = [paper, *(count_answers(truths, answers) for answers in (*systems, *others.values()))]
    names = list(paper)
    rows = tuple(
        (true, *(" / ".join(str(matrix.get(true, {}).get(answer, 0)) for matrix in matrices[:3]) for answer in names))
        for true in names
    )
    note = "Rows are true, columns answered; a cell has paper / its method / webtongue."
    generated = describe_generated(documents)
    id = of.replace(" ", "")
    yield Table(id, f"confusion matrix, {title}", rows, ("", *names), note, "", (of,), generated)
    scores: list[tuple[Cell, ...]] = [(name, *(row_accuracy(matrix, name) for matrix in matrices)) for name in names]
    wrong = sum(count for true, row in paper.items() for answer, count in row.items() if answer != true)
    count = sum(map(total, paper.values()))
    note = (
        f"The paper's total is the one that it states. Its matrix, as far as the scan can be read, has {wrong} errors "
        f"in {count} documents ({100 - 100 * wrong / count:.1f}%): some figure was lost in print or in the scan."
    )
    totals: tuple[Cell, ...] = ("all", STATED[of], *map(accuracy, matrices[1:]))
    columns = ("", *BESIDE, *others)
    yield Table(
        f"{id}-accuracy",
        f"{title}, % right",
        (*scores, totals),
        columns,
        note,
        reproduces=(of,),
        generated=generated,
        headline=True,
    )


def count_answers(truths: Sequence[str], answers: Sequence[str]) -> Matrix:
    """Return the confusion matrix of answers."""
    matrix: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for true, answer in zip(truths, answers, strict=True):
        matrix[true][answer] += 1
    return dict(matrix)


def total(row: dict[str, int]) -> int:
    """Return the number of documents of a row."""
    return sum(row.values())


def row_accuracy(matrix: Matrix, name: str) -> float:
    """Return the percentage of a language's documents that are answered right."""
    row = matrix.get(name, {})
    return 100 * row.get(name, 0) / max(total(row), 1)


def accuracy(matrix: Matrix) -> float:
    """Return the percentage of all documents that are answered right."""
    return 100 * sum(row.get(name, 0) for name, row in matrix.items()) / sum(map(total, matrix.values()))


def coding_table(documents: Sequence[Document], answers: Sequence[str], default: Sequence[str]) -> Table:
    """Return the accuracy for each language and coding system; the paper has no such table."""
    rows: list[tuple[Cell, ...]] = []
    for coding, name in NAMES.items():
        for language in sorted(
            {document.truth for document in documents if document.coding == coding and document.truth != ELSE}
        ):
            indexes = [
                i for i, document in enumerate(documents) if (document.coding, document.truth) == (coding, language)
            ]
            right = (percent([system_answers[i] == language for i in indexes]) for system_answers in (answers, default))
            rows.append((f"{language} in {name}", len(indexes), sum(documents[i].real for i in indexes), *right))
    columns = ("", "pages", "of them real in it", "its method", "webtongue")
    note = "The paper has no such table; this one shows that all of its coding systems are covered."
    return Table(
        "codings",
        "languages by coding systems, % right",
        tuple(rows),
        columns,
        note,
        generated=describe_generated(documents),
    )


def compare_with_decoded(corpus: Corpus, west: Sequence[Document], answers: Sequence[str]) -> Claim:
    """Return the claim of section 5.2: as accurate as methods that need decoded text, tested with Cavnar and Trenkle's on the
    same pages."""
    corpus_west = {label: corpus[label] for label in WEST}
    rank_order = RankOrder.fit(corpus_west)
    indexes = [i for i, document in enumerate(west) if document.truth != ELSE]
    texts = [read_text(decode(west[i].page.raw).text.encode()) for i in indexes]
    cavnar_trenkle = percent(
        [answer_name(rank_order.answer(text), WEST) == west[i].truth for text, i in zip(texts, indexes, strict=True)]
    )
    kikui = percent([answers[i] == west[i].truth for i in indexes])
    return Claim(
        "on pages not decoded no more than a point behind Cavnar and Trenkle (1994) on the same pages decoded (section 5.2)",
        kikui >= cavnar_trenkle - 1,
        f"{kikui:.1f} and {cavnar_trenkle:.1f}% of {len(indexes)} pages in his six languages, which is all that the "
        "other method can answer",
        "not explained",
    )


def measure_few_characters(model: Kikui, east: Sequence[Document], answers: Sequence[str]) -> Iterator[Table | Claim]:
    """Yield the accuracy for few East-Asian characters: section 5.3 says that most errors occur in such documents."""
    documents = [document for document in east if document.truth != ELSE]
    wrong = sum(document.truth not in (answer, ELSE) for document, answer in zip(east, answers, strict=True))
    texts = [(characters.text if (characters := find_characters(document)) else "") for document in documents]
    right: dict[int, float] = {}
    for size in CHARACTER_COUNTS:
        raw_texts = [
            FRAME + text[len(text) // 2 :][:size].encode(get_codec(document.coding), "ignore")
            for document, text in zip(documents, texts, strict=True)
        ]
        new_answers = (answer_name(model.parts(raw).asian, EAST) for raw in raw_texts)
        right[size] = percent(
            [answer == document.truth for answer, document in zip(new_answers, documents, strict=True)]
        )
    fewest, most = CHARACTER_COUNTS[0], CHARACTER_COUNTS[-1]
    rows = tuple((f"{size} characters", value) for size, value in right.items())
    note = "The paper gives no figures. webtongue names the main language of the page, which is English here."
    generated = f"an English sentence, and characters from the middle of each of {len(documents)} East-Asian pages in its coding"
    yield Table(
        "few", "East-Asian part by its length, % right", rows, ("", "its method"), note, "lines", generated=generated
    )
    yield Claim(
        "most errors on East-Asian pages come of few East-Asian characters (section 5.3)", right[fewest] < right[most],
        f"{right[fewest]:.1f}% right of {fewest}, {right[most]:.1f}% of {most} characters; whole pages: {wrong} errors of "
        f"{len(documents)}, too few to tell",
        "not explained; his few characters were names of people and organizations, ours are running text",
    )  # fmt: skip


def check_parts(model: Kikui, west: Sequence[Document]) -> Claim:
    """Return the claim of section 5.4, that the two parts are not confused; pages with menus of languages have both parts."""
    parts_by_document = [(document, model.parts(document.page)) for document in west]
    with_asian = [(document, parts) for document, parts in parts_by_document if answer_name(parts.asian, EAST) != ELSE]
    confused = [(document, parts) for document, parts in with_asian if find_characters(document) is None]
    max_chars = max((parts.asian_size // 2 for _, parts in confused), default=0)
    changed = sum(model.answer(document.page).label in EAST for document, _ in confused)
    return Claim(
        "no confusion of the European and the East-Asian part (section 5.4)", not confused,
        f"{len(confused)} of {len(west)} Western pages have an East-Asian part without any such character; "
        f"{len(with_asian) - len(confused)} more have one and the characters for it",
        f"these parts have at most {max_chars} characters, accented letters that happen to make common ones in BIG5 or Shift JIS; "
        f"the answer, which is that of the larger part, is East Asian on {changed} of them",
    )  # fmt: skip


def find_characters(document: Document) -> EastAsianText | None:
    """Return the East-Asian characters of a page as the default identifier decodes it, or None."""
    return match_text(read_text(decode(document.page.raw).text.encode()))
