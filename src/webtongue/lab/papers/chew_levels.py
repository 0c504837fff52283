"""Why the level of chew2011 differs from the paper: length of pages, training text, number of languages, publishers."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from webtongue.lab.evaluate.tables import Cell, Claim, Table
from webtongue.lab.methods.base import Answer
from webtongue.lab.methods.corpus import read_documents
from webtongue.lab.methods.suzuki import Suzuki
from webtongue.lab.papers.chew_corpora import CORPUS_A, CORPUS_B, Texts, Training, Validation, split_short
from webtongue.lab.papers.chew_languages import fold_language
from webtongue.lab.papers.chew_steps import STEP_COLUMNS, Step, percent_where, step_claim
from webtongue.lab.papers.common import percent
from webtongue.lab.papers.synthetic_pages import SEED
from webtongue.lab.train.corpus.read import SYNTHETIC, iter_files

CONVERTED = "byte, converter"
PAGE_BYTES = (500, 2000, 8000)  # limits of the groups, and lengths to which long pages are cut
TRAINING_KILOCHARS = (2, 5, 10, 20, 50, 100, 200)  # thousand characters of a model's text
PUBLISHERS = ("debian_html", "fsfe_html")
MEAN_PAPER_BYTES = 76_149_358 // 1660


def length_tables(
    validation: Validation, model: Suzuki, right: Sequence[bool], selected: Sequence[bool]
) -> Iterator[Table]:
    """Yield the accuracy by the length of a page's text, of groups of pages and of long pages that are cut."""
    texts = validation.texts[CONVERTED]
    limits = (0, *PAGE_BYTES, 1 << 40)
    rows: list[tuple[Cell, ...]] = []
    for low, high in pairwise(limits):
        group = [keep and low <= len(text) < high for keep, text in zip(selected, texts, strict=True)]
        name = f"{low:,} bytes and more" if high == limits[-1] else f"{low:,} to {high:,} bytes"
        rows.append((name, sum(group), percent_where(right, group), percent_where(validation.default, group)))
    mean = sum(len(page.raw) for page in validation.pages) // len(validation.pages)
    note = (
        f"Length of the text without markup. A page has {mean:,} bytes with its markup here, on average, and "
        f"{MEAN_PAPER_BYTES:,} in the paper."
    )
    columns = ("", "pages", "its method", "webtongue")
    yield Table("pages-by-length", "experiment four by length of the page, % right", tuple(rows), columns, note, "lines",
                generated=validation.generated)  # fmt: skip
    long = [i for i, text in enumerate(texts) if selected[i] and len(text) >= PAGE_BYTES[-1]]
    cut_rows: list[tuple[Cell, ...]] = []
    for size in (*PAGE_BYTES, None):
        answers = model.answer_many([texts[i][:size] for i in long])
        hits = [
            fold_language(answer.label) == fold_language(validation.pages[i].label)
            for answer, i in zip(answers, long, strict=True)
        ]
        cut_rows.append((f"first {size:,} bytes" if size else "whole", percent(hits)))
    note = f"The same {len(long)} pages, of {PAGE_BYTES[-1]:,} bytes of text and more, and the same models."
    yield Table("pages-cut", "long pages cut, experiment four, % right", tuple(cut_rows), ("", "its method"), note, "lines",
                generated=validation.generated, headline=True)  # fmt: skip


def training_curve(
    data: Path, validation: Validation, selected: Sequence[bool], lengths: Sequence[int]
) -> Iterator[Table | Claim]:
    """Yield the accuracy by length and source of training text (section 6), and whether more text is worse."""
    folder = data / "train"
    every = sorted({entry.source for entry in iter_files(folder)} - SYNTHETIC)
    published = sorted({*CORPUS_A, *CORPUS_B})
    corpora = [read_mixed(folder, sources, validation.labels, 1000 * max(lengths)) for sources in (every, published)]
    rows: list[tuple[Cell, ...]] = []
    right_by_length: dict[int, list[bool]] = {}
    for length in lengths:
        cells: list[Cell] = []
        for corpus in corpora:
            model = Suzuki.fit({label: [documents[0][: 1000 * length]] for label, documents in corpus.items()})
            right = validation.check(model.answer_many(validation.texts[CONVERTED]))
            cells += [percent(right)] if corpus is corpora[0] else []
            cells.append(percent_where(right, selected))
        right_by_length[length] = right
        rows.append((f"{length} KB", *cells))
    columns = (
        "text of a model", "all sources: all pages", "all sources: pages of UDHR and Bible languages", "UDHR and Bible: the same "
        "pages",
    )  # fmt: skip
    note = (
        "1 KB = 1,000 characters, in documents of 500 from all parts of the sources, mixed; a language with less has what "
        "there is. All rows are measured on the same pages: the best of them is chosen by these pages, and too good by that. "
        "The paper had UDHR and Bible only."
    )
    yield Table("length", "Suzuki by length of training text (section 6), % right", tuple(rows), columns, note, "lines",
                generated=validation.generated, headline=True)  # fmt: skip
    shortest, longest = min(lengths), max(lengths)
    yield step_claim(
        f"larger training texts over-train a model (section 5.1): with UDHR and Bible {shortest} KB are better than {longest}",
        Step.count(right_by_length[longest], right_by_length[shortest], selected),
    )


def read_mixed(folder: Path, sources: Sequence[str], labels: set[str], max_chars: int) -> Texts:
    """Return the text of each label, the documents of its sources in random order."""
    corpus = read_documents(folder, sources, sorted(labels), label_chars=max_chars)
    texts: Texts = {}
    for label, documents in sorted(corpus.items()):
        mixed = [str(document) for document in documents]
        random.Random(f"{SEED}:mixed:{label}").shuffle(mixed)
        texts[label] = ["\n".join(mixed)]
    return split_short(texts)[0]


def breadth_table(
    training: Training, model: Suzuki, narrow: Sequence[Answer], validation: Validation, selected: Sequence[bool]
) -> Table:
    """Return experiment four with every UDHR and Bible label, to measure the cost of more labels."""
    answers = model.answer_many(validation.texts[CONVERTED])
    right = validation.check(answers)
    checked = zip(answers, validation.pages, right, selected, strict=True)
    encoding_hits = [answer.encoding == page.encoding for answer, page, hit, keep in checked if hit and keep]
    rows = (
        ("B of validation languages", count_languages(training.ab), percent_where(validation.check(narrow), selected)),
        ("every UDHR and Bible label", count_languages(training.every), percent_where(right, selected)),
        (f"{len(model.labels)} models: encoding, of pages whose language is right", None, percent(encoding_hits)),
    )
    return Table("breadth", "experiment four by breadth of training", rows, ("", "languages", "its method"), plot="",
                 generated=validation.generated)  # fmt: skip


def publisher_tables(validation: Validation, right: dict[str, list[bool]]) -> Iterator[Table]:
    """Yield the sets of the real pages, and what the step from one to two gains and loses, with the text of other sources."""
    counts = Counter(page.source for page in validation.pages if page.source)
    rows: list[tuple[Cell, ...]] = []
    for source, count in counts.most_common():
        of_source = [page.source == source for page in validation.pages]
        rows.append(
            (source, count, percent_where(right["four"], of_source), percent_where(validation.default, of_source))
        )
    two = sum(counts[name] for name in PUBLISHERS)
    note = f"{two} of {sum(counts.values())} real pages are of two publishers: {' and '.join(PUBLISHERS)}."
    yield Table("publishers", "real pages by set, experiment four with the text of other sources, % right", tuple(rows),
                ("", "pages", "its method", "webtongue"), note, "")  # fmt: skip
    is_real = [bool(page.source) for page in validation.pages]
    subsets = {
        "all pages": [True] * len(is_real), "real pages": is_real,
        "real pages of other publishers": [page.source not in ("", *PUBLISHERS) for page in validation.pages],
        "generated pages": [not real for real in is_real],
    }  # fmt: skip
    step_rows: list[tuple[Cell, ...]] = [
        (name, *Step.count(right["one"], right["two"], chosen).cells) for name, chosen in subsets.items()
    ]
    note = "From one (UDHR) to two with models of all validation languages: Bibles, and other text for languages that have neither."
    yield Table("one-two", "step from one to two, with the text of other sources", tuple(step_rows), ("", *STEP_COLUMNS), note, "",
                generated=validation.generated)  # fmt: skip


def extended_claims(
    validation: Validation, right: dict[str, list[bool]], answers: Sequence[Answer], other: Texts
) -> Iterator[Claim]:
    """Yield whether models of the languages that A lacks add, on all pages and on the real ones; ``answers`` are those of two."""
    lost = [i for i, (before, after) in enumerate(zip(right["one"], right["two"], strict=True)) if before and not after]
    is_real = [bool(page.source) for page in validation.pages]
    for name, chosen in (("all pages", [True] * len(is_real)), ("real pages", is_real)):
        lost_here = [i for i in lost if chosen[i]]
        to_new = sum(answers[i].label in other for i in lost_here)
        yield step_claim(
            f"models of the languages that A lacks add (section 5.1), Bibles and other text, {name}",
            Step.count(right["one"], right["two"], chosen),
            f"{to_new} of the {len(lost_here)} lost pages go to a language that has a model only now: the over-training of "
            "section 5.1. A lacks few languages of real pages here",
        )


def count_languages(corpus: Texts) -> int:
    """Return the number of languages in a corpus."""
    return len({fold_language(label) for label in corpus})


def select_published(validation: Validation, training: Training) -> list[bool]:
    """Return for each page whether its label is in UDHR or Bible, as all of the paper's are."""
    published = {*training.a, *training.bible}
    return [page.label in published for page in validation.pages]
