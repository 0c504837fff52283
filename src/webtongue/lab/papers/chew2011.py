"""Chew, Mikami and Nagano 2011: byte trigrams, a byte-sequence parser and an entity converter.

The paper's pages and training files are lost. Training: UDHR (corpus A) and Bible (corpus B) passages, 12,000 characters a
label, and other running text in B for validation languages that have neither. Validation: real pages of dev/html as they are
and, for labels that have too few, pages generated from dev text (chew_pages.py). An answer is right if its language is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import compress
from pathlib import Path

import numpy as np

import webtongue
from webtongue import labels
from webtongue.fonts.tables import PREFIX
from webtongue.lab.evaluate.tables import BESIDE, Cell, Claim, Exempt, Result, Table
from webtongue.lab.methods.base import Answer, split_label
from webtongue.lab.methods.corpus import read_documents
from webtongue.lab.methods.suzuki import Suzuki, SuzukiSettings
from webtongue.lab.papers import chew_rates, synthetic_pages
from webtongue.lab.papers.chew_abugida import abugida_tables, is_in_iso_639_1
from webtongue.lab.papers.chew_corpora import Training, Validation
from webtongue.lab.papers.chew_files import files_table
from webtongue.lab.papers.chew_pages import describe_generated, read_corpus_pages
from webtongue.lab.papers.chew_published import EXPERIMENTS, PAPER_6, PAPER_9, PAPER_10
from webtongue.lab.papers.chew_tables import override_table, table_3, table_4, table_5, table_7
from webtongue.lab.papers.common import fold_language, percent
from webtongue.lab.papers.real_pages import RealPage, read_real_pages
from webtongue.lab.papers.regions import REGIONS, read_regions
from webtongue.lab.papers.synthetic_pages import ValidationPage
from webtongue.lab.train.corpus.read import SYNTHETIC, iter_files
from webtongue.markup import read as read_page

PUBLISHED = ("figure 1", "figure 2", *(f"table {number}" for number in range(1, 11)))
# Minimum pages of a label and maximum real pages of a language: the paper has 9.1 on average and at most 20.
QUICK, FULL = (4, 6), (8, 20)
TRAINING_KILOCHARS = (2, 5, 10, 20, 50, 100, 200)  # thousand characters of a model's text
INDEPENDENT_SETS = ("debian_html", "fsfe_html", "urls_pages")  # sets whose labels do not come from `lang`
LANG_ATTRIBUTES = ("html-lang", "html-xml-lang")
UNIFORM = "uniform priors"
MIN_LENGTH_SHARE = 0.8  # of the longest text; sources contribute equally, and some have less
MAX_TABLE_9_ROWS = 40

ABUGIDA = 1
WRITING_SYSTEMS = {  # all other scripts are abugidas
    "Arab": 0, "Hebr": 0, "Syrc": 0, "Latn": 2, "Cyrl": 3, "Grek": 3, "Armn": 3, "Geor": 3, "Hang": 3, "Kore": 3, "Mong": 3,
    "Nkoo": 3, "Olck": 3, "Tfng": 3, "Hans": 4, "Hant": 4, "Jpan": 5,
}  # fmt: skip

Answers = dict[str, list[Answer]]


def run(data: Path, quick: bool) -> Iterator[Result]:
    """Yield every table."""
    yield Exempt(("figure 1",), "how Wikipedia grew from 2001 to 2008: no measure of a method, and not in the data")
    yield Exempt(("figure 2",), "a flowchart of the system")
    yield Exempt(("table 2",), "a summary of five earlier studies")
    real = list(read_real_pages(data))
    counted = chew_rates.count_rates(data, real)
    yield chew_rates.rate_table(counted)
    pages = read_corpus_pages(data, real, *(QUICK if quick else FULL), counted.rates)
    validation = Validation(pages, describe_generated(pages, counted.rates))
    training = Training.read(data / "train", validation.labels)
    yield table_1(real)
    model_a, model, all_model = (Suzuki.fit(texts) for texts in (training.a, training.ab, training.every))
    yield table_3(model)
    yield table_4()
    yield override_table(data)
    yield table_5()
    yield table_6(data, model_a, all_model, training)
    yield table_7(pages, validation.generated)
    answers: Answers = {}
    yield from table_8(model_a, model, training, validation, answers)
    yield table_9(answers, validation)
    yield from section_5_counts(answers, training, validation)
    yield from undeclared_table(data, model, quick)
    yield files_table(data, model)
    yield table_10(answers["four"], validation)
    abugida_indexes = [i for i, page in enumerate(pages) if find_writing_system(page) == ABUGIDA]
    yield from abugida_tables(validation, answers["four"], training.ab, model.labels, abugida_indexes)
    yield breadth_table(training, all_model, answers["four"], validation)
    yield training_curve(data, validation, TRAINING_KILOCHARS[: 5 if quick else None])


def table_1(pages: Sequence[RealPage]) -> Table:
    """Return table 1: how often `lang` is present and right on real pages, and the default identifier on the same pages."""
    hits: dict[bool, list[tuple[bool, bool]]] = {True: [], False: []}
    for real in pages:
        if real.source not in INDEPENDENT_SETS:
            continue
        truth = fold_language(real.label)
        declared = next(
            (c.value for c in read_page(real.page).declarations if c.kind in LANG_ATTRIBUTES and c.value), ""
        )
        declared_label = next(iter(labels.parse_declared(declared).labels), "")
        verdict = webtongue.identify(real.page.raw, real.page.url)
        hits[bool(declared)].append((fold_language(declared_label) == truth, fold_language(verdict.label) == truth))
    all_hits = hits[True] + hits[False]
    parts = (("with lang", 506, 698, hits[True]), ("without lang", 0, 962, hits[False]), ("total", 506, 1660, all_hits))
    rows = tuple(
        (name, total, len(pairs), 100 * right / total, percent([p[0] for p in pairs]), percent([p[1] for p in pairs]))
        for name, right, total, pairs in parts
    )
    columns = ("", "pages, paper", "pages, ours", "paper", "lang", "webtongue")
    note = f"Ours are the real pages of {', '.join(INDEPENDENT_SETS)}, labelled by their location and not by their declarations."
    return Table("table1", "the lang attribute as an indicator, % right", rows, columns, note, reproduces=("table 1",))


def table_6(data: Path, model_a: Suzuki, all_model: Suzuki, training: Training) -> Table:
    """Return table 6: languages, scripts and encodings of the training corpora by region."""
    find_region = read_regions(data)
    bible = [label for label in all_model.labels if split_label(label)[0] in training.bible]
    models = {"A": model_a.labels, "B": bible, "A+B": {*model_a.labels, *bible}}
    rows: list[tuple[Cell, ...]] = []
    for region in (*REGIONS, "unique"):
        names_by_corpus = {
            corpus: [name.split("_", 2) for name in names if region in ("unique", find_region(name[:3]))]
            for corpus, names in models.items()
        }
        cells = [len({name[part] for name in names}) for part in (0, 1) for names in names_by_corpus.values()]
        for fonts in (False, True):
            cells += [
                len({name[2] for name in names if name[2].startswith(PREFIX) == fonts})
                for names in names_by_corpus.values()
            ]
        rows.append(
            (
                region,
                *(
                    f"{published} / {cell}"
                    for published, cell in zip(PAPER_6.get(region, ["-"] * 12), cells, strict=True)
                ),
            )
        )
    columns = ("", *(f"{quantity} {name}" for quantity in ("lang.", "scripts", "enc.", "fonts") for name in models))
    note = (
        "Paper / ours: every UDHR (A) and Bible (B) label, by the country where the language is most at home. Encodings and fonts "
        "are those that hold the text; the paper's are those that its files came in."
    )
    return Table("table6", "training corpora by region", tuple(rows), columns, note, "", ("table 6",))


def table_8(
    a: Suzuki, ab: Suzuki, training: Training, validation: Validation, answers: Answers
) -> Iterator[Table | Claim]:
    """Yield table 8, the four experiments, and the same with UB and LB."""
    rows: list[tuple[Cell, ...]] = []
    percentages = {}
    for name, corpus, parser, paper_right in EXPERIMENTS:
        answers[name] = (a if corpus == "A" else ab).answer_many(validation.texts[parser])
        percentages[name] = percent(validation.check(answers[name]))
        default = (percent(validation.default), percent(validation.uniform))
        rows.append((f"{name}: {corpus}; {parser}", 100 * paper_right / 1660, percentages[name], *default))
    pages = validation.pages
    hits = validation.check(answers["four"])
    in_scope = [is_in_iso_639_1(page.label) for page in pages]
    is_real_page = [bool(page.source) for page in pages]
    rows += [
        subset_row("four, ISO 639-1 languages only", in_scope, hits, validation, 100 * 1561 / 1660),
        subset_row("four, real pages only", is_real_page, hits, validation),
        subset_row("four, made pages only", [not is_real for is_real in is_real_page], hits, validation),
        *published_corpora_rows(ab, training, validation),
    ]
    note = (
        f"{len(pages)} pages of {len(validation.languages)} languages, {sum(bool(page.source) for page in pages)} of "
        "them real (theirs: 1,660 real ones of 182 languages, those of ISO 639-1; here "
        f"{len({fold_language(page.label) for page, selected in zip(pages, in_scope, strict=True) if selected})} are). The "
        "default identifier reads the pages unchanged; the last column has uniform priors, since rare languages have "
        "as many pages here as English. Languages that neither UDHR nor Bible has are filled in from other text, "
        "whose models attract pages of related languages: the last two rows are without them."
    )
    yield Table("table8", "the four experiments, % right", tuple(rows), ("", *BESIDE, UNIFORM), note, reproduces=("table 8",),
                generated=validation.generated, headline=True)  # fmt: skip
    yield bounds_table(ab, validation)
    steps = (
        ("one", "two", "corpus B adds to A"),
        ("two", "three", "the byte parser adds"),
        ("three", "four", "the converter adds"),
    )
    for before, after, text in steps:
        yield Claim(
            text,
            percentages[after] > percentages[before],
            f"{percentages[before]:.1f} -> {percentages[after]:.1f}",
            "not explained",
        )


def subset_row(
    name: str, selected: Sequence[bool], hits: Sequence[bool], validation: Validation, paper: float | None = None
) -> tuple[Cell, ...]:
    """Return a row for some of the pages."""
    systems = (hits, validation.default, validation.uniform)
    shares = (percent(compress(system_hits, selected)) for system_hits in systems)
    return (f"{name}: {sum(selected)}", paper, *shares)


def published_corpora_rows(ab: Suzuki, training: Training, validation: Validation) -> Iterator[tuple[Cell, ...]]:
    """Yield experiment four with the paper's two corpora only, then without pages in encodings that have no model."""
    published_labels = {*training.a, *training.bible}
    columns = [i for i, label in enumerate(ab.labels) if split_label(label)[0] in published_labels]
    scores = np.nan_to_num(ab.score_many(validation.texts["byte, converter"])[:, columns])
    hits = validation.right(split_label(ab.labels[columns[best]])[0] for best in scores.argmax(1))
    selected = [page.label in published_labels for page in validation.pages]
    yield subset_row(
        "four, models and pages of UDHR and Bible languages only", selected, hits, validation, 100 * 1561 / 1660
    )
    modelled = {(fold_language(label), encoding) for label, encoding in map(split_label, ab.labels)}
    with_model = [
        keep and (fold_language(page.label), page.encoding) in modelled
        for keep, page in zip(selected, validation.pages, strict=True)
    ]
    yield subset_row("the same, pages in an encoding that has a model", with_model, hits, validation)


def bounds_table(ab: Suzuki, validation: Validation) -> Table:
    """Return experiment four with Suzuki's own rule in place of the highest R."""
    model = Suzuki(SuzukiSettings("bounds"), ab.labels, ab.codons, ab.starts, ab.models)
    answers = model.answer_many(validation.texts["byte, converter"])
    hits = validation.check(answers)
    answered = [hit for answer, hit in zip(answers, hits, strict=True) if answer.encoding]
    rows = (("answered", None, 100 * len(answered) / len(hits)), ("right, of the answered", None, percent(answered)))
    title = "experiment four with UB = 0.95 and LB = 0.92 in place of the highest R"
    return Table("bounds", title, rows, ("", *BESIDE[:2]), "", "", generated=validation.generated)


def table_9(answers: Answers, validation: Validation) -> Table:
    """Return table 9, over-training: pages that are right in experiment one and wrong in two."""
    first_hits, second_hits = (validation.check(answers[name]) for name in ("one", "two"))
    compared = zip(
        validation.pages, answers["one"], answers["two"], validation.verdicts, first_hits, second_hits, strict=True
    )
    rows = [
        (page.name, describe_answer(first), describe_answer(second), labels.name(verdict))
        for page, first, second, verdict, was_right, is_right in compared
        if was_right and not is_right
    ]
    title = f"right in one and wrong in two: {len(rows)} of {len(first_hits)} pages (paper: 14 of 1,660)"
    paper_rows = [(f"paper: {page}", first, second, None) for page, first, second in PAPER_9]
    note = "The paper's pages, then ours; a page is named by its label, encoding and what is wrong with its charset."
    columns = ("page", "one", "two", "webtongue")
    table_rows = (*paper_rows, *rows[:MAX_TABLE_9_ROWS])
    return Table("table9", title, table_rows, columns, note, "", ("table 9",), validation.generated)


def section_5_counts(answers: Answers, training: Training, validation: Validation) -> Iterator[Table | Claim]:
    """Yield the counts of sections 5, 5.2 and 5.3."""
    right = {name: validation.check(system_answers) for name, system_answers in answers.items()}
    charsets = Counter(page.charset for page in validation.pages)
    known_languages = {fold_language(label) for label in training.a}
    is_new = [fold_language(page.label) not in known_languages for page in validation.pages]

    def compare(before: str, after: str, selected: Sequence[bool]) -> tuple[str, str]:
        """Return the counts of right answers before and after, and of the default identifier, on the selected pages."""
        before_count, after_count = (sum(compress(right[name], selected)) for name in (before, after))
        default = sum(compress(validation.default, selected))
        return f"{before_count} -> {after_count} of {sum(selected)}", f"{default} of {sum(selected)}"

    is_doubtful = [page.charset != "right" for page in validation.pages]
    references = [page.references for page in validation.pages]
    rows: tuple[tuple[Cell, ...], ...] = (
        ("pages with a charset", 1466, charsets["right"] + charsets["wrong"], None),
        ("of them wrong", None, charsets["wrong"], None),
        ("pages without", 177, charsets["missing"], None),
        ("pages with a user-defined one", 14, charsets["user-defined"], None),
        ("language not in A: right in one -> two", "0 -> 217 of 217", *compare("one", "two", is_new)),
        ("charset missing or wrong: two -> three", "50 more", *compare("two", "three", is_doubtful)),
        ("character references: three -> four", "67 more of 76", *compare("three", "four", references)),
        (
            "in a font: one -> four",
            None,
            *compare("one", "four", [page.encoding.startswith(PREFIX) for page in validation.pages]),
        ),
    )
    note = 'The paper has no table of this. Counts of pages; "a -> b of n": right before and after, of n pages.'
    yield Table("counts", "sections 5 to 5.3", rows, note=note, plot="", generated=validation.generated)
    before, after = (percent(compress(right[name], references)) for name in ("three", "four"))
    yield Claim(
        "the entity converter on pages of references", after > before, f"{before:.1f} -> {after:.1f}", "not explained"
    )


def undeclared_table(data: Path, model: Suzuki, quick: bool) -> Iterator[Table | Claim]:
    """Yield section 5.2 in detail: pages without charset, not in Latin script and not in UTF-8, by encoding."""
    validation = Validation(synthetic_pages.generate_undeclared_pages(data, 2 if quick else 5))
    character, byte = (validation.check(model.answer_many(validation.texts[name])) for name in ("character", "byte"))
    indexes_by_encoding: defaultdict[str, list[int]] = defaultdict(list)
    encodings = {split_label(label)[1] for label in model.labels}
    for i, page in enumerate(validation.pages):
        indexes_by_encoding[page.encoding if page.encoding in encodings else f"{page.encoding} (no model)"].append(i)
    indexes_by_encoding["all"] = list(range(len(validation.pages)))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, len(indexes), *(percent([hits[i] for i in indexes]) for hits in (character, byte, validation.default)))
        for name, indexes in indexes_by_encoding.items()
    )
    columns = ("", "pages", "characters", "bytes", "webtongue")
    note = (
        "The paper has no table of this: 50 of its 191 pages with a doubtful charset came right by bytes. Mozilla's detector of "
        "today knows more encodings, and a wrong single-byte codec gives back the bytes it was given."
    )
    generated = "all pages: sentences of dev/text, each encoding of a label as often as any other, no charset"
    yield Table(
        "undeclared", "pages without charset, not Latin, not UTF-8, % right", rows, columns, note, generated=generated
    )
    figures = f"{percent(character):.1f} -> {percent(byte):.1f} on {len(byte)} pages"
    yield Claim("byte parser over character parser on undeclared non-Latin pages", sum(byte) > sum(character), figures,
                "not explained")  # fmt: skip


def table_10(answers: list[Answer], validation: Validation) -> Table:
    """Return table 10: experiment four by writing system."""
    hits = validation.check(answers)
    rows: list[tuple[Cell, ...]] = []
    for number, (system, (paper_right, total)) in enumerate(PAPER_10.items()):
        indexes = [i for i, page in enumerate(validation.pages) if find_writing_system(page) == number]
        percentages = (
            percent([system_hits[i] for i in indexes]) for system_hits in (hits, validation.default, validation.uniform)
        )
        rows.append((f"{system}, {len(indexes)} pages", 100 * paper_right / total, *percentages))
    note = "Why abugidas are where they are: the two tables after this one."
    return Table("table10", "by writing system, experiment four, % right", tuple(rows), ("", *BESIDE, UNIFORM), note,
                 reproduces=("table 10",), generated=validation.generated, headline=True)  # fmt: skip


def breadth_table(training: Training, model: Suzuki, narrow_answers: list[Answer], validation: Validation) -> Table:
    """Return experiment four with every UDHR and Bible label, to measure the cost of more labels."""
    answers = model.answer_many(validation.texts["byte, converter"])
    right = validation.check(answers)
    checked = zip(answers, validation.pages, right, strict=True)
    encoding_hits = [answer.encoding == page.encoding for answer, page, hit in checked if hit]
    rows = (
        ("B of validation languages", count_languages(training.ab), percent(validation.check(narrow_answers))),
        ("every UDHR and Bible label", count_languages(training.every), percent(right)),
        (f"{len(model.labels)} models: encoding, of pages whose language is right", None, percent(encoding_hits)),
    )
    return Table("breadth", "experiment four by breadth of training", rows, ("", "languages", "its method"), plot="",
                 generated=validation.generated)  # fmt: skip


def training_curve(data: Path, validation: Validation, lengths: Sequence[int]) -> Table:
    """Return the accuracy by length of training text, the same for each model as far as there is text (section 6)."""
    sources = sorted({entry.source for entry in iter_files(data / "train")} - SYNTHETIC)
    max_chars = 1000 * max(lengths)
    corpus = read_documents(data / "train", sources, sorted(validation.labels), label_chars=max_chars)
    texts = {label: "\n".join(map(str, documents)) for label, documents in corpus.items()}
    is_long = [len(texts.get(page.label, "")) >= MIN_LENGTH_SHARE * max_chars for page in validation.pages]
    rows = []
    for length in lengths:
        model = Suzuki.fit({label: [text[: 1000 * length]] for label, text in texts.items()})
        right = validation.check(model.answer_many(validation.texts["byte, converter"]))
        on_long = percent(compress(right, is_long))
        rows.append((f"{length} KB", percent(right), on_long))
    columns = ("text of a model", "all pages", f"{sum(is_long)} pages with {max(lengths)} KB")
    note = (
        "Text of all sources but word lists, 1 KB = 1,000 characters; a language with less than that has what there is."
    )
    return Table(
        "length", "Suzuki by length of training text (section 6), % right", tuple(rows), columns, note, "lines",
        generated=validation.generated,
    )  # fmt: skip


def find_writing_system(page: ValidationPage) -> int:
    """Return the index of a page's writing system in table 10."""
    return WRITING_SYSTEMS.get(page.label.partition("_")[2], 1)


def describe_answer(answer: Answer) -> str:
    """Return language, script and encoding of an answer."""
    return f"{labels.name(answer.label)}, {answer.label[4:]}, {answer.encoding}" if answer.encoding else "none"


def count_languages(corpus: dict[str, list[str]]) -> int:
    """Return the number of languages in a corpus."""
    return len({fold_language(label) for label in corpus})
