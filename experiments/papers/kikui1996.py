"""Kikui 1996: coding system and language of documents, 9 languages in 11 coding systems.

His 700 training and 640 test documents of the Web are lost. Training: running text of the data folder, 300,000 characters a
language. Test: real pages of dev/html, put into his coding systems with their charset declarations taken out; as ELSE, pages
of other languages. Documents are what is judged: the European part of Western pages, the East-Asian part of Eastern ones.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from real_pages import RealPage, real_pages, rewritten

import webtongue
from webtongue import Page
from webtongue.evaluate.tables import Claim, Table
from webtongue.methods.corpus import read
from webtongue.methods.kikui import Kikui, KikuiSettings
from webtongue.train.corpus.read import SCRIPTURE, SYNTHETIC, entries

SEED = 1996
QUICK, FULL = 40, 90  # pages of a language
ELSE = "ELSE"
TRAINED = 300_000  # characters of a label
WEST = {
    "deu_Latn": "deu",
    "eng_Latn": "eng",
    "spa_Latn": "esl",
    "fra_Latn": "fra",
    "ita_Latn": "ita",
    "por_Latn": "por",
}
EAST = {"jpn_Jpan": "jpn", "kor_Hang": "kor", "zho_Hans": "zho", "zho_Hant": "zho"}
OTHER_WEST = ("nld_Latn", "swe_Latn", "fin_Latn", "dan_Latn", "tur_Latn", "pol_Latn", "hun_Latn", "ind_Latn")
OTHER_EAST = ("rus_Cyrl", "ell_Grek", "ukr_Cyrl", "heb_Hebr", "tha_Thai", "ara_Arab")
# Coding systems of section 3.1, by what writes them here; a reference stands for what a coding system lacks.
LATIN = ("iso-8859-1", "ascii")
CODINGS = {
    "jpn_Jpan": ("euc-jp", "shift_jis", "iso-2022-jp"),
    "kor_Hang": ("euc-kr", "iso-2022-kr", "iso-2022-jp-2"),
    "zho_Hans": ("gb2312", "hz-gb-2312"),
    "zho_Hant": ("big5",),
    "rus_Cyrl": ("koi8-r", "windows-1251"),
    "ukr_Cyrl": ("koi8-u",),
    "ell_Grek": ("iso-8859-7",),
    "heb_Hebr": ("windows-1255",),
    "tha_Thai": ("windows-874",),
    "ara_Arab": ("windows-1256",),
}
NAMES = {
    "iso-8859-1": "ISO-8859-1", "ascii": "ASCII and references", "euc-jp": "EUC-JIS", "shift_jis": "Shift JIS",
    "iso-2022-jp": "ISO-2022-jp", "euc-kr": "EUC-KS", "iso-2022-kr": "KS C 5601, 7 bit", "gb2312": "EUC-GB",
    "hz-gb-2312": "GB 2312, 7 bit", "big5": "BIG5", "iso-2022-jp-2": "ISO-2022-int",
}  # fmt: skip
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

Matrix = dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class Document:
    """A page in one of the coding systems."""

    page: Page
    truth: str
    coding: str


def run(data: Path, quick: bool) -> Iterator[Table | Claim]:
    """Tables 4 and 5, and accuracy by coding system."""
    west, east = documents(data, QUICK if quick else FULL)
    sources = sorted({entry.source for entry in entries(data / "train")} - SCRIPTURE - SYNTHETIC)
    model = Kikui.fit(read(data / "train", sources, [*WEST, *EAST], size=TRAINED), KikuiSettings(utf8=False))
    asian = [_said(model.parts(d.page).asian, EAST) for d in east]
    european = [_said(model.parts(d.page).european, WEST) for d in west]
    default = {True: by_default(west, WEST), False: by_default(east, EAST)}
    yield from confusion("table4", "Western-European languages", PAPER_4, west, european, default[True], 95.2)
    yield from confusion("table5", "East-Asian languages", PAPER_5, east, asian, default[False], 95.4)
    yield by_coding([*west, *east], [*european, *asian], [*default[True], *default[False]])
    crossed = sum(_said(model.parts(d.page).asian, EAST) != ELSE for d in west)
    yield Claim(
        "no confusion of the European and the East-Asian part (section 5.4)", crossed == 0,
        f"{crossed} of {len(west)} Western pages have an East-Asian part",
    )  # fmt: skip


def documents(data: Path, most: int) -> tuple[list[Document], list[Document]]:
    """Western and Eastern pages, each with as many of no language of its kind as of one."""
    by_label: defaultdict[str, list[RealPage]] = defaultdict(list)
    for real in real_pages(data):
        by_label[real.label].append(real)
    chance = random.Random(SEED)

    def draw(names: Sequence[str], each: int, truth: Callable[[str], str]) -> Iterator[Document]:
        for label in names:
            found = by_label[label]
            for number, real in enumerate(chance.sample(found, min(each, len(found)))):
                codings = CODINGS.get(label, LATIN)
                coding = codings[number % len(codings)]
                yield Document(rewritten(real.page, coding, ""), truth(label), coding)

    west = [*draw([*WEST], most, WEST.__getitem__), *draw(OTHER_WEST, most // 4, lambda _: ELSE)]
    east = [*draw([*EAST], most, EAST.__getitem__), *draw(OTHER_EAST, most // 6, lambda _: ELSE)]
    return west, east


def by_default(documents: Sequence[Document], names: dict[str, str]) -> list[str]:
    verdicts = webtongue.identify_many([document.page for document in documents])
    return [names.get(verdict.label, ELSE) for verdict in verdicts]


def _said(answer: webtongue.methods.Answer | None, names: dict[str, str]) -> str:
    return names.get(answer.label, ELSE) if answer else ELSE


def confusion(
    id: str, title: str, paper: Matrix, documents: Sequence[Document], ours: list[str], default: list[str], bar: float
) -> Iterator[Table | Claim]:
    """A matrix whose cells have the paper's count, ours and the default identifier's; and the accuracy of each."""
    truths = [document.truth for document in documents]
    matrices = [paper, counted(truths, ours), counted(truths, default)]
    names = list(paper)
    rows = tuple(
        (true, *(" / ".join(str(matrix.get(true, {}).get(said, 0)) for matrix in matrices) for said in names))
        for true in names
    )
    note = "Rows are true, columns answered; a cell has paper / its method / webtongue."
    yield Table(id, f"confusion matrix, {title}", rows, ("", *names), note, plot="")
    scores = [(name, *(row_accuracy(matrix, name) for matrix in matrices)) for name in names]
    total = [accuracy(matrix) for matrix in matrices]
    yield Table(f"{id}-accuracy", f"{title}, % right", (*scores, ("all", *total)))
    known = 100 - 100 * sum(t != s for t, s in zip(truths, ours, strict=True) if t != ELSE) / sum(
        t != ELSE for t in truths
    )
    figures = f"{total[1]:.1f}, paper {bar}; pages in one of its languages {known:.1f}"
    yield Claim(f"{title}: an error rate under 5%", total[1] > 95, figures)


def counted(truths: Sequence[str], said: Sequence[str]) -> Matrix:
    out: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for true, answer in zip(truths, said, strict=True):
        out[true][answer] += 1
    return dict(out)


def row_accuracy(matrix: Matrix, name: str) -> float:
    row = matrix.get(name, {})
    return 100 * row.get(name, 0) / max(sum(row.values()), 1)


def accuracy(matrix: Matrix) -> float:
    return (
        100 * sum(row.get(name, 0) for name, row in matrix.items()) / sum(sum(row.values()) for row in matrix.values())
    )


def by_coding(documents: Sequence[Document], ours: Sequence[str], default: Sequence[str]) -> Table:
    """Languages by coding systems; the paper has no such table."""
    rows = []
    for coding, name in NAMES.items():
        for language in sorted({d.truth for d in documents if d.coding == coding and d.truth != ELSE}):
            chosen = [i for i, d in enumerate(documents) if (d.coding, d.truth) == (coding, language)]
            right = (100 * sum(said[i] == language for i in chosen) / len(chosen) for said in (ours, default))
            rows.append((f"{language} in {name}", len(chosen), *right))
    columns = ("", "pages", "its method", "webtongue")
    return Table("codings", "languages by coding systems, % right", tuple(rows), columns)
