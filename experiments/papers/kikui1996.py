"""Kikui 1996: coding system and language of documents, 9 languages in 11 coding systems.

His 700 training and 640 test documents of the Web are lost. Training: running text of the data folder, 300,000 characters a
language. Test: real pages of dev/html (kikui_documents.py). Documents are what is judged: the European part of Western pages, the
East-Asian part of Eastern ones.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from kikui_documents import EAST, ELSE, NAMES, WEST, Document, documents, generated
from kikui_example import example
from kikui_sweeps import Western, by_training, share, sizes, thresholds

import webtongue
from webtongue import decode
from webtongue.evaluate.tables import BESIDE, Claim, Exempt, Found, Table
from webtongue.methods.base import Answer
from webtongue.methods.corpus import Corpus, read
from webtongue.methods.document import text_of
from webtongue.methods.east_asian import Strings, in_text
from webtongue.methods.kikui import Kikui, KikuiSettings
from webtongue.methods.rank_order import RankOrder
from webtongue.methods.writings import codec_of
from webtongue.train.corpus.read import SCRIPTURE, SYNTHETIC, entries

PUBLISHED = ("figure 1", "table 1", "figure 2", "table 2", "table 3", "table 4", "table 5")
QUICK, FULL = 40, 90  # pages of a language
TRAINED = 300_000  # characters of a label
FEW = (1, 2, 3, 5, 10, 20, 50)  # East-Asian characters: from part of a name to a paragraph
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


def run(data: Path, quick: bool) -> Iterator[Found]:
    """Every table, the sweep of n, and the comparisons that he draws."""
    yield Exempt(("figure 1",), "the algorithm as pseudo-code: methods/kikui.py, `extract`, is it")
    yield Exempt(
        ("table 1",),
        "byte patterns, a definition: methods/east_asian.py has them, and Shift JIS besides",
    )
    west, east = documents(data, QUICK if quick else FULL)
    sources = sorted({entry.source for entry in entries(data / "train")} - SCRIPTURE - SYNTHETIC)
    corpus = read(data / "train", sources, [*WEST, *EAST], size=TRAINED)
    model = Kikui.fit(corpus, KikuiSettings(utf8=False))
    yield from example(model)
    western = Western.read(data, sources, corpus, model, west)
    chosen = by_training(model, western)
    european, stricter = western.answers(model), western.answers(chosen)
    asian = [said(model.parts(d.page).asian, EAST) for d in east]
    ours = by_default(west, WEST), by_default(east, EAST)
    more = {f"its method, threshold {chosen.settings.threshold}": stricter}
    yield from confusion("table 4", "Western-European languages", PAPER_4, west, [european, ours[0]], more)
    yield thresholds(model, western, chosen.settings.threshold)
    yield from confusion("table 5", "East-Asian languages", PAPER_5, east, [asian, ours[1]], {})
    yield by_coding([*west, *east], [*european, *asian], [*ours[0], *ours[1]])
    yield from sizes(western)
    yield decoded(corpus, west, european)
    yield from few_characters(model, east, asian)
    yield apart(model, west)


def by_default(documents: Sequence[Document], names: dict[str, str]) -> list[str]:
    verdicts = webtongue.identify_many([document.page for document in documents])
    return [names.get(verdict.label, ELSE) for verdict in verdicts]


def said(answer: Answer | None, names: dict[str, str]) -> str:
    return names.get(answer.label, ELSE) if answer else ELSE


def confusion(
    of: str, title: str, paper: Matrix, documents: Sequence[Document], ours: list[list[str]], more: dict[str, list[str]]
) -> Iterator[Table]:
    """A matrix whose cells have the paper's count, its method's and webtongue's; and the accuracy of each, and of ``more``."""
    truths = [document.truth for document in documents]
    matrices = [paper, *(counted(truths, answers) for answers in (*ours, *more.values()))]
    names = list(paper)
    rows = tuple(
        (true, *(" / ".join(str(matrix.get(true, {}).get(answer, 0)) for matrix in matrices[:3]) for answer in names))
        for true in names
    )
    note = "Rows are true, columns answered; a cell has paper / its method / webtongue."
    made = generated(documents)
    id = of.replace(" ", "")
    yield Table(id, f"confusion matrix, {title}", rows, ("", *names), note, "", (of,), made)
    scores = [(name, *(row_accuracy(matrix, name) for matrix in matrices)) for name in names]
    wrong = sum(count for true, row in paper.items() for answer, count in row.items() if answer != true)
    count = sum(map(sum_of, paper.values()))
    note = (
        f"The paper's total is the one that it states. Its matrix, as it came down to us, has {wrong} errors in {count} documents "
        f"({100 - 100 * wrong / count:.1f}%): some figure was lost in print or in the scan."
    )
    totals = ("all", STATED[of], *map(accuracy, matrices[1:]))
    columns = ("", *BESIDE, *more)
    yield Table(
        f"{id}-accuracy", f"{title}, % right", (*scores, totals), columns, note, of=(of,), generated=made, headline=True
    )


def counted(truths: Sequence[str], answers: Sequence[str]) -> Matrix:
    out: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for true, answer in zip(truths, answers, strict=True):
        out[true][answer] += 1
    return dict(out)


def sum_of(row: dict[str, int]) -> int:
    return sum(row.values())


def row_accuracy(matrix: Matrix, name: str) -> float:
    row = matrix.get(name, {})
    return 100 * row.get(name, 0) / max(sum_of(row), 1)


def accuracy(matrix: Matrix) -> float:
    return 100 * sum(row.get(name, 0) for name, row in matrix.items()) / sum(map(sum_of, matrix.values()))


def by_coding(documents: Sequence[Document], ours: Sequence[str], default: Sequence[str]) -> Table:
    """Languages by coding systems; the paper has no such table."""
    rows = []
    for coding, name in NAMES.items():
        for language in sorted({d.truth for d in documents if d.coding == coding and d.truth != ELSE}):
            chosen = [i for i, d in enumerate(documents) if (d.coding, d.truth) == (coding, language)]
            right = (share([answers[i] == language for i in chosen]) for answers in (ours, default))
            rows.append((f"{language} in {name}", len(chosen), sum(documents[i].real for i in chosen), *right))
    columns = ("", "pages", "of them real in it", "its method", "webtongue")
    note = "The paper has no such table; that each of its coding systems is there is what this shows."
    return Table(
        "codings", "languages by coding systems, % right", tuple(rows), columns, note, generated=generated(documents)
    )


def decoded(corpus: Corpus, west: Sequence[Document], ours: Sequence[str]) -> Claim:
    """Section 5.2: as right as methods that presuppose decoded text; Cavnar and Trenkle's on the same pages, decoded."""
    western = {label: corpus[label] for label in WEST}
    previous = RankOrder.fit(western)
    chosen = [i for i, document in enumerate(west) if document.truth != ELSE]
    texts = [text_of(decode(west[i].page.raw).text.encode()) for i in chosen]
    theirs = share([said(previous.answer(text), WEST) == west[i].truth for text, i in zip(texts, chosen, strict=True)])
    his = share([ours[i] == west[i].truth for i in chosen])
    return Claim(
        "on pages not decoded no more than a point behind Cavnar and Trenkle (1994) on the same pages decoded (section 5.2)",
        his >= theirs - 1,
        f"{his:.1f} and {theirs:.1f}% of {len(chosen)} pages in his six languages, which is all that the other method can answer",
        "not explained",
    )


def few_characters(model: Kikui, east: Sequence[Document], answers: Sequence[str]) -> Iterator[Table | Claim]:
    """Section 5.3: most errors occur when a document has only a few East-Asian characters: here so few of each page."""
    known = [document for document in east if document.truth != ELSE]
    wrong = sum(d.truth not in (answer, ELSE) for d, answer in zip(east, answers, strict=True))
    texts = [(found.text if (found := own_characters(d)) else "") for d in known]
    right: dict[int, float] = {}
    for size in FEW:
        made = [
            FRAME + text[len(text) // 2 :][:size].encode(codec_of(document.coding), "ignore")
            for document, text in zip(known, texts, strict=True)
        ]
        said_of = (said(model.parts(raw).asian, EAST) for raw in made)
        right[size] = share([answer == document.truth for answer, document in zip(said_of, known, strict=True)])
    rows = tuple((f"{size} characters", value) for size, value in right.items())
    note = "The paper says so without figures. webtongue names the language of the whole, which is English here."
    how = f"an English sentence, and characters from the middle of each of {len(known)} East-Asian pages in its coding"
    yield Table("few", "East-Asian part by its length, % right", rows, ("", "its method"), note, "lines", generated=how)
    yield Claim(
        "most errors on East-Asian pages come of few East-Asian characters (section 5.3)", right[FEW[0]] < right[FEW[-1]],
        f"{right[FEW[0]]:.1f}% right of {FEW[0]}, {right[FEW[-1]]:.1f}% of {FEW[-1]} characters; whole pages: {wrong} errors of "
        f"{len(known)}, too few to tell",
        "not explained; his few characters were names of people and organizations, ours are running text",
    )  # fmt: skip


def apart(model: Kikui, west: Sequence[Document]) -> Claim:
    """Section 5.4: no confusion of the two parts. A page that has East-Asian characters of its own, as menus of languages do, has
    both parts."""
    found = [(document, model.parts(document.page)) for document in west]
    both = [(document, parts) for document, parts in found if said(parts.asian, EAST) != ELSE]
    crossed = [(document, parts) for document, parts in both if own_characters(document) is None]
    longest = max((parts.asian_size // 2 for _, parts in crossed), default=0)
    changed = sum(model.answer(document.page).label in EAST for document, _ in crossed)
    return Claim(
        "no confusion of the European and the East-Asian part (section 5.4)", not crossed,
        f"{len(crossed)} of {len(west)} Western pages have an East-Asian part without any such character; "
        f"{len(both) - len(crossed)} more have one and the characters for it",
        f"these parts have at most {longest} characters, accented letters that happen to make common ones in BIG5 or Shift JIS; "
        f"the answer, which is that of the larger part, is East Asian on {changed} of them",
    )  # fmt: skip


def own_characters(document: Document) -> Strings | None:
    """The East-Asian characters of a page as the default identifier decodes it."""
    return in_text(text_of(decode(document.page.raw).text.encode()))
