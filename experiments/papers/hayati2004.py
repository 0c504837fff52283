"""Hayati (2004), "Language identification on the World Wide Web": BASE, NFC, top level domains, and NFC by length.

`webtongue reproduce hayati2004 [--full] --data DIR`. Her 1,359 pages of eleven languages and her short pages are lost. Ours are
the pages of dev/html in the same languages, so many of each at most; the methods are fitted on train/, since nothing may learn
from dev/: documents of 1,000 characters, the same share of five sources for every language. Short pages are the texts of dev/text
below 50 characters. Norwegian is one language, as with her. "webtongue" is the default identifier with all its labels and its right
to answer several languages or none; "one of the 11" is the same made to choose one of the eleven, as her methods must. Inlinks
need a graph of links and are not part of this.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from real_pages import real_pages

from webtongue import Identifier, labels
from webtongue.evaluate import sets
from webtongue.evaluate.tables import BESIDE, Claim, Table
from webtongue.methods.base import Method
from webtongue.methods.corpus import read, read_urls
from webtongue.methods.document import Document, page_of, text_of
from webtongue.methods.domains import Tld
from webtongue.methods.grams import Grams, letters_only
from webtongue.methods.nfc import Nfc, NfcSettings
from webtongue.methods.rank_order import RankOrder

LANGUAGES = "dan deu eng fin fra ita nld nob por spa swe".split()
LABELS = frozenset(f"{language}_Latn" for language in LANGUAGES)
ONE_NORWEGIAN = {"nno_Latn": "nob_Latn"}
FAMILIES = ("dan nob swe", "deu nld eng", "fra ita por spa")  # closer to each other than to the rest

SOURCES = ("commonvoice", "mediawiki", "mozilla", "tatoeba", "udhr")  # those that have all eleven
DOCUMENT = 1000  # characters of a training document
QUICK_SIZE, FULL_SIZE = 60_000, 300_000  # characters of a language to learn from
QUICK_MOST, FULL_MOST = 60, 150  # pages of a language
SHORT_SETS = ("lingua_single-words", "lingua_word-pairs", "lingua_sentences", "eld_single-words", "eld_word-pairs")
QUICK_SHORT, FULL_SHORT = 150, 600  # texts of a language in either class of length
QUICK_URLS, FULL_URLS = 300, 2_000
CUTS = (25, 50, 100, 200, 400, 800)  # characters that pages are cut to
SHORT_PAGE = 200  # characters: what counts as short where errors are explained
SEED = 2004

PAPER_BASE, PAPER_NFC, PAPER_TLD = 86.8, 93.9, 69.2
PAPER_SHORT = {"< 25": 33.8, ">= 25, < 50": 43.3, "< 50": 38.0}
HOW = "fitted on train/, tested on real pages of dev/html in her eleven languages (UTF-8 for the most part, hers windows-1252)"
COLUMNS = ("", *BESIDE, "one of the 11", "documents")


@dataclass(frozen=True, slots=True)
class Case:
    """A document whose label is known."""

    document: Document
    label: str


Answers = Callable[[Sequence[Document]], list[str]]


@dataclass(frozen=True, slots=True)
class Systems:
    """What is compared, each as a function from documents to labels."""

    base: Answers
    nfc: Answers
    nfc_sizes: Answers
    ours: Answers
    ours_forced: Answers


def by_method(method: Method) -> Answers:
    return lambda documents: [answer.label for answer in method.answer_many(documents)]


def by_us(identifier: Identifier, forced: bool = False) -> Answers:
    """Our verdicts; ``forced`` takes the best guess where the verdict is several languages, none or unknown."""

    def label(document: Document) -> str:
        is_text = isinstance(document, str)
        verdict = identifier.identify_text(document) if is_text else identifier.identify_page(page_of(document))
        guesses = verdict.guesses if forced and verdict.label in labels.SPECIAL else ()
        found = guesses[0].label if guesses else verdict.label
        return ONE_NORWEGIAN.get(found, found)

    return lambda documents: [label(document) for document in documents]


def training(data: Path, size: int) -> dict[str, list[Document]]:
    """Documents of the eleven; both kinds of Norwegian by half."""
    corpus = read(data / "train", SOURCES, LABELS - {"nob_Latn"}, size, DOCUMENT)
    norwegian = read(data / "train", SOURCES, ("nob_Latn", "nno_Latn"), size // 2, DOCUMENT)
    return corpus | {"nob_Latn": [document for part in norwegian.values() for document in part]}


def fitted(data: Path, size: int) -> Systems:
    corpus = training(data, size)
    sizes = NfcSettings(Grams(sizes=(1, 2, 3, 4, 5), edges="wrap"))
    return Systems(
        by_method(RankOrder.fit(corpus)),
        by_method(Nfc.fit(corpus)),
        by_method(Nfc.fit(corpus, sizes)),
        by_us(Identifier()),
        by_us(Identifier(languages=[*LABELS, *ONE_NORWEGIAN]), forced=True),
    )


def evenly(cases: Sequence[Case], most: int) -> list[Case]:
    """So many of a label at most, drawn by the seed."""
    by_label: defaultdict[str, list[Case]] = defaultdict(list)
    for case in cases:
        by_label[case.label].append(case)
    chosen = []
    for label, found in sorted(by_label.items()):
        random.Random(f"{SEED}:{label}").shuffle(found)
        chosen += found[:most]
    return chosen


def pages(data: Path, most: int) -> list[Case]:
    found = [Case(real.page, ONE_NORWEGIAN.get(real.label, real.label)) for real in real_pages(data)]
    return evenly([case for case in found if case.label in LABELS], most)


def short_texts(data: Path, most: int) -> dict[str, list[Case]]:
    """Texts below 50 characters, after normalisation as hers, in her two classes."""
    classes: dict[str, list[Case]] = {"< 25": [], ">= 25, < 50": []}
    for name in SHORT_SETS:
        for item in sets.read(name, data).items:
            label = ONE_NORWEGIAN.get(item.label, item.label)
            length = len(letters_only(item.text))
            if label in LABELS and 0 < length < 50:
                classes["< 25" if length < 25 else ">= 25, < 50"].append(Case(item.text, label))
    return {name: evenly(cases, most) for name, cases in classes.items()}


def accuracy(answers: Answers, cases: Sequence[Case]) -> float:
    said = answers([case.document for case in cases])
    return 100 * sum(label == case.label for label, case in zip(said, cases, strict=True)) / len(cases)


def run(data: Path, quick: bool = True) -> Iterator[Table | Claim]:
    systems = fitted(data, QUICK_SIZE if quick else FULL_SIZE)
    cases = pages(data, QUICK_MOST if quick else FULL_MOST)
    yield from on_pages(systems, cases)
    yield from by_length(systems, cases, short_texts(data, QUICK_SHORT if quick else FULL_SHORT))
    yield from by_domain(data, QUICK_URLS if quick else FULL_URLS)


def on_pages(systems: Systems, cases: list[Case]) -> Iterator[Table | Claim]:
    """Sections 3.3 and 4.6, and what 3.4 says of BASE's errors."""
    base, nfc, sizes = (accuracy(a, cases) for a in (systems.base, systems.nfc, systems.nfc_sizes))
    ours = (accuracy(systems.ours, cases), accuracy(systems.ours_forced, cases), len(cases))
    rows = (
        ("BASE (3.3)", PAPER_BASE, base, *ours),
        ("NFC (4.6)", PAPER_NFC, nfc, *ours),
        ("NFC with n = 1..5", None, sizes, *ours),
    )
    yield Table("sections-3-3-4-6", "accuracy on pages", rows, COLUMNS, HOW)
    yield Claim("NFC is better than BASE", nfc > base, f"{nfc:.1f} and {base:.1f}; hers {PAPER_NFC} and {PAPER_BASE}")
    halved = (100 - nfc) / max(100 - base, 1e-9)
    yield Claim("NFC halves BASE's errors", halved <= 0.6, f"{halved:.2f} of them are left; hers 0.46")
    yield Claim("webtongue is ahead of NFC's 93.9", ours[0] > PAPER_NFC, f"{ours[0]:.1f} with all its labels open")
    yield languages(systems, cases)
    yield errors(systems, cases)


def languages(systems: Systems, cases: list[Case]) -> Table:
    rows = []
    for label in sorted({case.label for case in cases}):
        own = [case for case in cases if case.label == label]
        found = (accuracy(a, own) for a in (systems.base, systems.nfc, systems.ours))
        rows.append((label[:3], *found, len(own)))
    return Table("by-language", "accuracy on pages by language", tuple(rows), ("", "BASE", "NFC", "webtongue", "pages"))


def errors(systems: Systems, cases: list[Case]) -> Claim:
    """Section 3.4: most mistakes of BASE are on short documents or between close languages."""
    said = systems.base([case.document for case in cases])
    wrong = [(case, label) for case, label in zip(cases, said, strict=True) if label != case.label]
    close = sum(any(case.label[:3] in f and label[:3] in f for f in FAMILIES) for case, label in wrong)
    explained = sum(
        any(case.label[:3] in f and label[:3] in f for f in FAMILIES)
        or len(letters_only(text_of(case.document))) < SHORT_PAGE
        for case, label in wrong
    )
    figures = f"{explained} of {len(wrong)} errors, {close} of them between close languages"
    return Claim(
        "most of BASE's errors are on short pages or between close languages", explained * 2 > len(wrong), figures
    )


def by_length(systems: Systems, cases: list[Case], short: dict[str, list[Case]]) -> Iterator[Table | Claim]:
    """Table 5.1's column of NFC, and all systems on pages that are cut."""
    classes = short | {"< 50": [case for part in short.values() for case in part]}
    found = {name: accuracy(systems.nfc, part) for name, part in classes.items()}
    rows = tuple(
        (
            name,
            PAPER_SHORT[name],
            found[name],
            accuracy(systems.ours, part),
            accuracy(systems.ours_forced, part),
            len(part),
        )
        for name, part in classes.items()
    )
    note = "words, word pairs and sentences of dev/text, evenly over the languages; hers were pages, nearly all English"
    yield Table("table-5-1", "accuracy of NFC by length in characters", rows, COLUMNS, note)
    cuts = []
    for cut in CUTS:
        texts = [Case(sets.cut(letters_only(text_of(case.document)), cut), case.label) for case in cases]
        texts = [case for case in texts if case.document]
        shares = (accuracy(a, texts) for a in (systems.base, systems.nfc, systems.nfc_sizes, systems.ours))
        cuts.append((str(cut), *shares))
    columns = ("characters", "BASE", "NFC", "NFC n = 1..5", "webtongue")
    yield Table("pages-cut", "accuracy on the beginnings of pages", tuple(cuts), columns, plot="lines")
    yield Claim(
        "NFC does badly on short text",
        found["< 25"] < found[">= 25, < 50"] < PAPER_NFC,
        ", ".join(f"{name}: {value:.1f}" for name, value in found.items()),
    )


def by_domain(data: Path, most: int) -> Iterator[Table | Claim]:
    """Section 5.1: the commonest language of a top level domain, on URLs of domains not seen in training."""

    def chosen(name: str) -> list[Case]:
        found = read_urls(data / "url" / f"{name}.tsv.xz")
        return [Case(url, ONE_NORWEGIAN.get(label, label)) for label, urls in found.items() for url in urls]

    known = [case for case in chosen("train") if case.label in LABELS]
    tested = evenly([case for case in chosen("dev") if case.label in LABELS], most)
    corpus: defaultdict[str, list[Document]] = defaultdict(list)
    for case in evenly(known, most):
        corpus[case.label].append(case.document)
    tld = accuracy(by_method(Tld.fit(corpus)), tested)
    identifier, restricted = Identifier(), Identifier(languages=[*LABELS, *ONE_NORWEGIAN])

    def of_urls(ident: Identifier) -> float:
        verdicts = ident.identify_urls([str(case.document) for case in tested])
        right = sum(ONE_NORWEGIAN.get(v.label, v.label) == c.label for v, c in zip(verdicts, tested, strict=True))
        return 100 * right / len(tested)

    row = ("TOP-LEVEL DOMAIN (5.1)", PAPER_TLD, tld, of_urls(identifier), of_urls(restricted), len(tested))
    note = "URLs of url/dev, no domain of which is in url/train; so many of a language at most"
    yield Table("section-5-1", "accuracy by the URL alone", (row,), COLUMNS, note)
