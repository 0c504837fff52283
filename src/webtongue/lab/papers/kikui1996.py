"""Kikui 1996: coding system and language of documents, 9 languages in 11 coding systems.

The paper's 700 training and 640 test documents are lost. Training: running text of the data folder, 300,000 characters a
language. Test: real pages of dev/html (kikui_documents.py). The European part of Western pages and the East-Asian part of
Eastern pages are classified, by its method and by webtongue.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import webtongue
from webtongue import decode
from webtongue.lab.evaluate.tables import BESIDE, Cell, Claim, Exempt, Result, Table
from webtongue.lab.methods.base import Answer
from webtongue.lab.methods.corpus import Corpus
from webtongue.lab.methods.corpus import read_documents as read_corpus
from webtongue.lab.methods.document import read_text
from webtongue.lab.methods.encoded_texts import get_codec
from webtongue.lab.methods.kikui import Kikui, KikuiSettings
from webtongue.lab.methods.rank_order import RankOrder
from webtongue.lab.papers.common import percent, running_text_sources
from webtongue.lab.papers.kikui_documents import (
    ANSWERED_AS,
    CODECS,
    EAST,
    ELSE,
    NAMES,
    WEST,
    Document,
    Documents,
    describe_generated,
    read_documents,
)
from webtongue.lab.papers.kikui_example import example_results
from webtongue.lab.papers.kikui_kinds import kinds_table, read_kinds
from webtongue.lab.papers.kikui_parts import check_parts, identify_part, measure_few_characters, pattern_table
from webtongue.lab.papers.kikui_sweeps import (
    WesternTexts,
    answer_name,
    choose_threshold,
    sweep_class_letters,
    sweep_thresholds,
)

PUBLISHED = ("figure 1", "table 1", "figure 2", "table 2", "table 3", "table 4", "table 5")
QUICK_PAGES, FULL_PAGES = 40, 90  # maximum pages of a language
TRAINING_CHARS = 300_000  # training text of each label
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
WHOLE_PAGE = "webtongue, whole page"
STATED = {"table 4": 100 - 4.8, "table 5": 100 - 4.6}  # sections 5.2 and 5.3: "the error rate is"

Matrix = dict[str, dict[str, int]]


def run(data: Path, quick: bool) -> Iterator[Result]:
    """Yield every table, the sweep of n, and the comparisons that the paper draws."""
    yield Exempt(("figure 1",), "the algorithm as pseudo-code: methods/kikui.py, `extract`, is it")
    yield Exempt(("table 1",), "byte patterns, a definition: methods/east_asian.py has them, and Shift JIS besides")
    documents = read_documents(data, QUICK_PAGES if quick else FULL_PAGES)
    west, east = documents.west, documents.east
    sources = running_text_sources(data / "train")
    corpus = read_corpus(data / "train", sources, [*WEST, *EAST], label_chars=TRAINING_CHARS)
    model = Kikui.fit(corpus, KikuiSettings(utf8=False))
    yield from example_results(model)
    texts = WesternTexts.read(data, sources, corpus, model, west)
    tuned = choose_threshold(model, texts)
    european, asian = (
        [answer_part(model, document, is_east) for document in part] for part, is_east in ((west, False), (east, True))
    )
    names = [answer_name(answer, WEST) for answer in european], [answer_name(answer, EAST) for answer in asian]
    ours = [
        [identify_part(document.page.raw, is_east) for document in part]
        for part, is_east in ((west, False), (east, True))
    ]
    whole = [identify_documents(part, codes) for part, codes in ((west, WEST), (east, EAST))]
    others = {f"its method, threshold {tuned.settings.threshold}": texts.answers(tuned), WHOLE_PAGE: whole[0]}
    yield from confusion_tables("table 4", "Western-European languages", PAPER_4, west, [names[0], ours[0]], others)
    yield sweep_thresholds(model, texts, tuned.settings.threshold)
    yield from confusion_tables(
        "table 5", "East-Asian languages", PAPER_5, east, [names[1], ours[1]], {WHOLE_PAGE: whole[1]}
    )
    yield level_claim(west, east, names)
    yield from coding_table([*west, *east], [*european, *asian])
    yield discarded_table(model, documents)
    yield from sweep_class_letters(texts)
    yield compare_with_decoded(corpus, west, names[0])
    yield from kinds_table(model, read_kinds(data))
    yield from measure_few_characters(model, east, names[1])
    yield from pattern_table(model, east)
    yield from check_parts(model, west)
    yield Claim("robust, and easily extended to other languages (section 6)", None, "no figures in the paper",
                "the paper measures no other language; the model that ships knows 99, and its accuracy is under Shipped models",
                "a measure of what an extension costs")  # fmt: skip


def answer_part(model: Kikui, document: Document, is_east: bool) -> Answer:
    """Return the answer of the method for one part of a document, ELSE for a missing part."""
    parts = model.parts(document.page)
    return (parts.asian if is_east else parts.european) or Answer(ELSE)


def identify_documents(documents: Sequence[Document], names: dict[str, str]) -> list[str]:
    """Return the answers of the default identifier for whole pages."""
    verdicts = webtongue.identify_many([document.page for document in documents])
    return [names.get(verdict.label, ELSE) for verdict in verdicts]


def level_claim(west: Sequence[Document], east: Sequence[Document], names: tuple[list[str], list[str]]) -> Claim:
    """Return the claim of the abstract: more than 95% right."""
    levels = [percent([answer == d.truth for answer, d in zip(answers, part, strict=True)])
              for answers, part in zip(names, (west, east), strict=True)]  # fmt: skip
    in_six = percent([answer == d.truth for answer, d in zip(names[0], west, strict=True) if d.truth != ELSE])
    return Claim(
        "over 95% of the documents are right (abstract)", min(levels) > 95,
        f"{levels[0]:.1f}% of Western and {levels[1]:.1f}% of Eastern pages",
        f"of pages in his six Western languages {in_six:.1f}% are right; other languages fail by the threshold, which the paper "
        "gives for the East-Asian part only (table of thresholds). Levels on other pages compare little",
        "95% or less of either part with his threshold",
    )  # fmt: skip


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


def coding_table(documents: Sequence[Document], answers: Sequence[Answer]) -> Iterator[Table | Claim]:
    """Yield the accuracy of language and coding system, for each pair of them; the paper has no such table."""
    rows: list[tuple[Cell, ...]] = []
    total = Counter[str]()
    for coding, name in NAMES.items():
        by_language: defaultdict[str, list[int]] = defaultdict(list)
        for i, document in enumerate(documents):
            if document.coding == coding and document.truth != ELSE:
                by_language[document.truth].append(i)
        for language, indexes in sorted(by_language.items()):
            right = [check_coding(documents[i], answers[i]) for i in indexes]
            decoded = [decodes_right(documents[i]) for i in indexes]
            cells = (
                percent([pair[0] for pair in right]),
                percent([pair[1] for pair in right]),
                percent(map(all, right)),
            )
            rows.append(
                (
                    f"{language} in {name}",
                    len(indexes),
                    sum(documents[i].real for i in indexes),
                    *cells,
                    percent(decoded),
                )
            )
            total.update(pages=len(indexes), language=sum(p[0] for p in right), coding=sum(p[1] for p in right),
                         both=sum(map(all, right)), ours=sum(decoded))  # fmt: skip
    shares = (100 * total[name] / total["pages"] for name in ("language", "coding", "both", "ours"))
    rows.append(
        ("all", total["pages"], sum(d.real for d in documents if d.coding in NAMES and d.truth != ELSE), *shares)
    )
    columns = (
        "",
        "pages",
        "of them real in it",
        "its method: language",
        "coding system",
        "both",
        "webtongue: text decoded right",
    )
    note = (
        "The paper has no such table; this one scores the coding system as an answer, and shows that all are covered. "
        "webtongue is right if its decoding gives the text that the true coding system gives, whatever the name of its encoding."
    )
    yield Table("codings", "languages by coding systems, % right", tuple(rows), columns, note, "",
                generated=describe_generated(documents))  # fmt: skip
    yield Claim(
        "coding system and language are identified at once (title, section 6)", total["both"] > 0.95 * total["pages"],
        f"language {total['language']}, coding system {total['coding']}, both {total['both']} of {total['pages']} pages",
        "not explained",
        "both right on 95% of the pages or less, the level that the paper states for the language alone",
    )  # fmt: skip


def check_coding(document: Document, answer: Answer) -> tuple[bool, bool]:
    """Return whether the language and the coding system of an answer are right."""
    names = EAST if document.truth in EAST.values() else WEST
    coding = ANSWERED_AS.get(document.coding, document.coding)
    return names.get(answer.label, ELSE) == document.truth, answer.encoding == coding


def decodes_right(document: Document) -> bool:
    """Return True if webtongue decodes a page to the text of its coding system, or of the superset of that name on the web."""
    raw = document.page.raw
    codecs = (CODECS[document.coding], get_codec(document.coding))
    return decode(raw).text in {raw.decode(codec, "replace") for codec in codecs}


def discarded_table(model: Kikui, documents: Documents) -> Table:
    """Return section 5.1: the pages without a language that covers more than 80% of their part, which are not in tables 4 and 5."""
    rows: list[tuple[Cell, ...]] = []
    for name, kept, dropped, codes, is_east in (
        ("Western", documents.west, documents.discarded_west, WEST, False),
        ("Eastern", documents.east, documents.discarded_east, EAST, True),
    ):
        answers = [answer_name(answer_part(model, document, is_east), codes) for document in dropped]
        ours = [identify_part(document.page.raw, is_east) for document in dropped]
        right = (
            percent([answer == d.truth for answer, d in zip(a, dropped, strict=True)]) if dropped else None
            for a in (answers, ours)
        )
        rows.append((name, len(kept), len(dropped), *right))
    columns = ("pages", "kept", "discarded", "its method on the discarded", "webtongue on the discarded")
    note = (
        "The rule needs the share of each language of a page: webtongue's are used, since nobody has counted them by hand. "
        "The paper does not say how many documents it discarded. Pages of other languages (ELSE) are treated alike."
    )
    return Table("discarded", "the rule of 80% (section 5.1), % right", tuple(rows), columns, note, "")


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
        "more than a point behind",
    )
