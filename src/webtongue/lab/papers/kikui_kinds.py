"""Documents that are not normal text (Kikui 1996, section 5.2): programs, lists of names and of network addresses.

All documents have the same number of words. Programs are the scripts of real pages, names the capitalised words inside sentences of
dev text (not German, which capitalises all nouns), addresses the URLs of pages; text, for comparison, is sentences of dev text.
German in ASCII (section 2.3) is the same with ae, oe, ue and ss.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import webtongue
from webtongue.lab.evaluate import sets
from webtongue.lab.evaluate.tables import Cell, Claim, Table
from webtongue.lab.methods.kikui import Kikui, split_words
from webtongue.lab.papers.kikui_documents import ELSE, WEST
from webtongue.lab.papers.kikui_sweeps import answer_european
from webtongue.lab.papers.real_pages import read_real_pages
from webtongue.lab.train.url.rows import read_rows

DOCUMENT_WORDS = 60
MAX_DOCUMENTS = 40  # documents of a language and kind
SENTENCES = "sib200_floresdev"
SCRIPT = re.compile(rb"<script[^>]*>(.{400,}?)</script", re.I | re.S)
NAME = re.compile(r"(?<=[\w,] )[^\W\d_a-z][^\W\d_]+(?: [^\W\d_a-z][^\W\d_]+)*")
ASCII_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
TEXT, PROGRAMS, NAMES, ADDRESSES = "running text", "programs", "lists of names", "lists of addresses"
GERMAN_IN_ASCII = "German in ASCII"

Kinds = dict[str, dict[str, list[str]]]  # kind -> language -> documents


def read_kinds(data: Path) -> Kinds:
    """Return documents of each kind by language."""
    sentences: defaultdict[str, list[str]] = defaultdict(list)
    for item in sets.read_set(SENTENCES, data).items:
        if item.label in WEST:
            sentences[WEST[item.label]].append(item.text)
    names = {
        language: list(dict.fromkeys(name for line in lines for name in NAME.findall(line)))
        for language, lines in sentences.items()
        if language != "deu"
    }
    programs: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for real in read_real_pages(data):
        if real.label in WEST:
            programs[WEST[real.label]].update(
                (script.decode("utf-8", "replace"), None) for script in SCRIPT.findall(real.page.raw)
            )
    by_code = {label.partition("_")[0]: name for label, name in WEST.items()}
    addresses: defaultdict[str, list[str]] = defaultdict(list)
    for row in read_rows(data / "url" / "dev.tsv.xz"):
        if row.language in by_code:
            addresses[by_code[row.language]].append(row.url)
    german = [line.translate(ASCII_GERMAN) for line in sentences["deu"]]
    sources: dict[str, dict[str, Sequence[str]]] = {
        TEXT: {**sentences}, GERMAN_IN_ASCII: {"deu": german}, NAMES: {**names}, ADDRESSES: {**addresses},
        PROGRAMS: {language: [*scripts] for language, scripts in programs.items()},
    }  # fmt: skip
    return {
        kind: {language: make_documents(pieces, kind != PROGRAMS) for language, pieces in sorted(by_language.items())}
        for kind, by_language in sources.items()
    }


def make_documents(pieces: Iterable[str], join: bool) -> list[str]:
    """Return documents of DOCUMENT_WORDS words: pieces joined, or the beginning of each."""
    documents: list[str] = []
    current: list[str] = []
    for piece in pieces:
        current += split_words(piece)
        if len(current) >= DOCUMENT_WORDS:
            documents.append(" ".join(current[:DOCUMENT_WORDS]))
            current = []
        if not join:
            current = []
        if len(documents) == MAX_DOCUMENTS:
            break
    return documents


def kinds_table(model: Kikui, kinds: Kinds) -> Iterator[Table | Claim]:
    """Yield how documents of each kind are answered, and whether those that are not normal text have more errors."""
    rows: list[tuple[Cell, ...]] = []
    wrong: dict[str, tuple[int, int]] = {}
    identifier = webtongue.Identifier()
    for kind, by_language in kinds.items():
        pairs = [(document, language) for language, documents in by_language.items() for document in documents]
        answers = [(answer_european(model, document), language) for document, language in pairs]
        ours = [
            (WEST.get(verdict.label, ELSE), language)
            for verdict, (_, language) in zip(identifier.identify_texts([d for d, _ in pairs]), pairs, strict=True)
        ]
        wrong[kind] = sum(answer != language for answer, language in answers), len(pairs)
        rows.append((kind, len(pairs), *share_answers(answers), *share_answers(ours)))
    columns = (
        "", "documents", "its method: right", "ELSE", "another of the six", "webtongue: right", "ELSE", "another of the six",
    )  # fmt: skip
    note = (
        f"Documents of {DOCUMENT_WORDS} words; the right language is that of the page, URL or sentence. The paper has no figures. "
        "Programs are those of pages in all six languages: one may well say that their language is none, or English."
    )
    generated = "documents: lines of one kind put together, each cut to the same number of words"
    title = "documents that are not normal text (section 5.2), %"
    yield Table("kinds", title, tuple(rows), columns, note, "", generated=generated, headline=True)
    text_errors, text_count = wrong[TEXT]
    worse = {
        kind: wrong[kind][0] / max(wrong[kind][1], 1) > text_errors / max(text_count, 1)
        for kind in (PROGRAMS, NAMES, ADDRESSES)
    }
    figures = ", ".join(f"{kind} {errors} of {count}" for kind, (errors, count) in wrong.items())
    yield Claim(
        "errors occur when the document is not a normal text: programs, names, network addresses (section 5.2)",
        all(worse.values()),
        f"errors: {figures}",
        f"not so for {', '.join(kind for kind, is_worse in worse.items() if not is_worse)}",
        "as few errors on one of these kinds as on running text of the same length",
    )


def share_answers(answers: Sequence[tuple[str, str]]) -> tuple[float, float, float]:
    """Return the percentages of right answers, of ELSE and of other languages."""
    count = max(len(answers), 1)
    right = sum(answer == truth for answer, truth in answers)
    none = sum(answer == ELSE for answer, _ in answers)
    return 100 * right / count, 100 * none / count, 100 * (len(answers) - right - none) / count
