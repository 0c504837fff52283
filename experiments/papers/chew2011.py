"""Chew, Mikami and Nagano 2011: byte trigrams, a byte-sequence parser and an entity converter.

Their pages and training files are lost. Training: UDHR (corpus A) and Bible (corpus B) passages, 12,000 characters a label,
and other running text in B for validation languages that have neither. Validation: real pages of dev/html as they are and, for
labels that have too few, pages made from dev text (chew_pages.py). An answer is right if its language is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import chew_rates
import made_pages
import numpy as np
from chew_abugida import abugida, in_scope
from chew_corpora import Training, Validation
from chew_figures import EXPERIMENTS, PAPER_6, PAPER_9, PAPER_10
from chew_files import files_table
from chew_pages import corpus, made_of
from chew_tables import override, table_3, table_4, table_5, table_7
from made_pages import MadePage, language_of
from real_pages import RealPage, real_pages
from regions import REGIONS, regions

import webtongue
from webtongue import labels
from webtongue.evaluate.tables import BESIDE, Cell, Claim, Exempt, Found, Table
from webtongue.fonts.tables import PREFIX
from webtongue.markup import read as read_page
from webtongue.methods.base import Answer, label_parts
from webtongue.methods.corpus import read
from webtongue.methods.suzuki import Suzuki, SuzukiSettings
from webtongue.train.corpus.read import SYNTHETIC, entries

PUBLISHED = ("figure 1", "figure 2", *(f"table {number}" for number in range(1, 11)))
# Pages of a label at least, and real ones of a language at most: theirs had 9.1 on average, 20 at most.
QUICK, FULL = (4, 6), (8, 20)
LENGTHS = (2, 5, 10, 20, 50, 100, 200)  # thousand characters of a model, for the curve
INDEPENDENT = ("debian_html", "fsfe_html", "urls_pages")  # sets whose labels do not come from `lang`
LANG = ("html-lang", "html-xml-lang")
UNIFORM = "uniform priors"
ENOUGH = 0.8  # of the longest text: sources give the same share each, and some have less
NINE = 40  # rows of table 9 that are shown

ABUGIDA = 1
SYSTEMS = {  # all other scripts are abugidas
    "Arab": 0, "Hebr": 0, "Syrc": 0, "Latn": 2, "Cyrl": 3, "Grek": 3, "Armn": 3, "Geor": 3, "Hang": 3, "Kore": 3, "Mong": 3,
    "Nkoo": 3, "Olck": 3, "Tfng": 3, "Hans": 4, "Hant": 4, "Jpan": 5,
}  # fmt: skip

Answers = dict[str, list[Answer]]


def run(data: Path, quick: bool) -> Iterator[Found]:
    """Every table."""
    yield Exempt(("figure 1",), "how Wikipedia grew from 2001 to 2008: no measure of a method, and not in the data")
    yield Exempt(("figure 2",), "a flowchart of the system")
    yield Exempt(("table 2",), "a summary of five earlier studies")
    real = list(real_pages(data))
    counted = chew_rates.count(data, real)
    yield chew_rates.table(counted)
    pages = corpus(data, real, *(QUICK if quick else FULL), counted.rates)
    validation = Validation(pages, made_of(pages, counted.rates))
    training = Training.read(data / "train", validation.labels)
    yield table_1(real)
    first, model, every = (Suzuki.fit(texts) for texts in (training.a, training.ab, training.every))
    yield table_3(model)
    yield table_4()
    yield override(data)
    yield table_5()
    yield table_6(data, first, every, training)
    yield table_7(pages, validation.generated)
    answers: Answers = {}
    yield from table_8(first, model, training, validation, answers)
    yield table_9(answers, validation)
    yield from counts_of_5(answers, training, validation)
    yield from undeclared(data, model, quick)
    yield files_table(data, model)
    yield table_10(answers["four"], validation)
    chosen = [i for i, page in enumerate(pages) if system_of(page) == ABUGIDA]
    yield from abugida(validation, answers["four"], training.ab, model.labels, chosen)
    yield breadth(training, every, answers["four"], validation)
    yield curve(data, validation, LENGTHS[: 5 if quick else None])


def table_1(pages: Sequence[RealPage]) -> Table:
    """How often `lang` is there and right, on real pages; the default identifier on the same."""
    found: dict[bool, list[tuple[bool, bool]]] = {True: [], False: []}
    for real in pages:
        if real.source not in INDEPENDENT:
            continue
        truth = language_of(real.label)
        declared = next((c.value for c in read_page(real.page).claims if c.kind in LANG and c.value), "")
        said = next(iter(labels.declared(declared).labels), "")
        verdict = webtongue.identify(real.page.raw, real.page.url)
        found[bool(declared)].append((language_of(said) == truth, language_of(verdict.label) == truth))
    every = found[True] + found[False]
    parts = (("with lang", 506, 698, found[True]), ("without lang", 0, 962, found[False]), ("total", 506, 1660, every))
    rows = tuple(
        (name, total, len(pairs), 100 * right / total, percent([p[0] for p in pairs]), percent([p[1] for p in pairs]))
        for name, right, total, pairs in parts
    )
    columns = ("", "pages, paper", "pages, ours", "paper", "lang", "webtongue")
    note = (
        f"Ours are the real pages of {', '.join(INDEPENDENT)}, labelled by where they lie and not by what they declare."
    )
    return Table("table1", "the lang attribute as an indicator, % right", rows, columns, note, of=("table 1",))


def table_6(data: Path, a: Suzuki, every: Suzuki, training: Training) -> Table:
    """Languages, scripts and encodings of the training corpora by region."""
    region_of = regions(data)
    bible = [label for label in every.labels if label_parts(label)[0] in training.bible]
    models = {"A": a.labels, "B": bible, "A+B": {*a.labels, *bible}}
    rows: list[tuple[Cell, ...]] = []
    for region in (*REGIONS, "unique"):
        here = {k: [n.split("_", 2) for n in v if region in ("unique", region_of(n[:3]))] for k, v in models.items()}
        cells = [len({n[part] for n in names}) for part in (0, 1) for names in here.values()]
        for fonts in (False, True):
            cells += [len({n[2] for n in names if n[2].startswith(PREFIX) == fonts}) for names in here.values()]
        rows.append(
            (region, *(f"{was} / {cell}" for was, cell in zip(PAPER_6.get(region, ["-"] * 12), cells, strict=True)))
        )
    columns = ("", *(f"{what} {name}" for what in ("lang.", "scripts", "enc.", "fonts") for name in models))
    note = (
        "Paper / ours: every UDHR (A) and Bible (B) label, by the country where the language is most at home. Encodings and fonts "
        "are those that hold the text; the paper's are those that its files came in."
    )
    return Table("table6", "training corpora by region", tuple(rows), columns, note, "", ("table 6",))


def table_8(
    a: Suzuki, ab: Suzuki, training: Training, validation: Validation, answers: Answers
) -> Iterator[Table | Claim]:
    """The four experiments, and the same with UB and LB."""
    rows: list[tuple[Cell, ...]] = []
    ours = {}
    for name, trained, parser, theirs in EXPERIMENTS:
        answers[name] = (a if trained == "A" else ab).answer_many(validation.texts[parser])
        ours[name] = percent(validation.right(answer.label for answer in answers[name]))
        default = (percent(validation.default), percent(validation.uniform))
        rows.append((f"{name}: {trained}; {parser}", 100 * theirs / 1660, ours[name], *default))
    pages = validation.pages
    four = validation.right(answer.label for answer in answers["four"])
    scope = [in_scope(page.label) for page in pages]
    real = [bool(page.source) for page in pages]
    rows += [
        part("four, ISO 639-1 languages only", scope, four, validation, 100 * 1561 / 1660),
        part("four, real pages only", real, four, validation),
        part("four, made pages only", [not ok for ok in real], four, validation),
        *as_published(ab, training, validation),
    ]
    note = (
        f"{len(pages)} pages of {len(validation.languages)} languages, {sum(bool(page.source) for page in pages)} of them real "
        f"(theirs: 1,660 real ones of 182 languages, those of ISO 639-1; here "
        f"{len({language_of(p.label) for p, c in zip(pages, scope, strict=True) if c})} are). The default identifier takes a page "
        "as it is; uniform priors, for rare languages have as many pages here as English. Languages that neither UDHR nor Bible "
        "has are filled in from other text, whose models draw pages of their relatives: the last two rows are without them."
    )
    yield Table("table8", "the four experiments, % right", tuple(rows), ("", *BESIDE, UNIFORM), note, of=("table 8",),
                generated=validation.generated, headline=True)  # fmt: skip
    yield bounds(ab, validation)
    steps = (
        ("one", "two", "corpus B adds to A"),
        ("two", "three", "the byte parser adds"),
        ("three", "four", "the converter adds"),
    )
    for before, after, text in steps:
        yield Claim(text, ours[after] > ours[before], f"{ours[before]:.1f} -> {ours[after]:.1f}", "not explained")


def part(
    name: str, chosen: Sequence[bool], right: Sequence[bool], validation: Validation, paper: float | None = None
) -> tuple[Cell, ...]:
    """A row on some of the pages."""
    every = (right, validation.default, validation.uniform)
    shares = (percent([ok for ok, c in zip(said, chosen, strict=True) if c]) for said in every)
    return (f"{name}: {sum(chosen)}", paper, *shares)


def as_published(ab: Suzuki, training: Training, validation: Validation) -> Iterator[tuple[Cell, ...]]:
    """Experiment four with the paper's two corpora alone, models and pages; then without what no model was made for."""
    own = {*training.a, *training.bible}
    columns = [i for i, label in enumerate(ab.labels) if label_parts(label)[0] in own]
    scores = np.nan_to_num(ab.score_many(validation.texts["byte, converter"])[:, columns])
    right = validation.right(label_parts(ab.labels[columns[best]])[0] for best in scores.argmax(1))
    chosen = [page.label in own for page in validation.pages]
    yield part("four, models and pages of UDHR and Bible languages only", chosen, right, validation, 100 * 1561 / 1660)
    known = {(language_of(label), encoding) for label, encoding in map(label_parts, ab.labels)}
    held = [c and (language_of(p.label), p.encoding) in known for c, p in zip(chosen, validation.pages, strict=True)]
    yield part("the same, pages in an encoding that has a model", held, right, validation)


def bounds(ab: Suzuki, validation: Validation) -> Table:
    """Suzuki's own rule in place of the highest R."""
    model = Suzuki(SuzukiSettings("bounds"), ab.labels, ab.codons, ab.starts, ab.models)
    said_by = model.answer_many(validation.texts["byte, converter"])
    right = validation.right(answer.label for answer in said_by)
    answered = [ok for answer, ok in zip(said_by, right, strict=True) if answer.encoding]
    rows = (("answered", None, 100 * len(answered) / len(right)), ("right, of the answered", None, percent(answered)))
    title = "experiment four with UB = 0.95 and LB = 0.92 in place of the highest R"
    return Table("bounds", title, rows, ("", *BESIDE[:2]), "", "", generated=validation.generated)


def table_9(answers: Answers, validation: Validation) -> Table:
    """Over-training: right in experiment one, wrong in two."""
    one, two = (validation.right(answer.label for answer in answers[name]) for name in ("one", "two"))
    both = zip(validation.pages, answers["one"], answers["two"], validation.verdicts, one, two, strict=True)
    rows = [
        (page.name, described(first), described(second), labels.name(verdict))
        for page, first, second, verdict, was, now in both
        if was and not now
    ]
    title = f"right in one and wrong in two: {len(rows)} of {len(one)} pages (paper: 14 of 1,660)"
    theirs = [(f"paper: {page}", first, second, None) for page, first, second in PAPER_9]
    note = "The paper's pages, then ours; a page is named by its label, encoding and what is wrong with its charset."
    return Table("table9", title, (*theirs, *rows[:NINE]), ("page", "one", "two", "webtongue"), note, "", ("table 9",),
                 validation.generated)  # fmt: skip


def counts_of_5(answers: Answers, training: Training, validation: Validation) -> Iterator[Table | Claim]:
    """Sections 5, 5.2 and 5.3 in numbers."""
    right = {name: validation.right(answer.label for answer in said) for name, said in answers.items()}
    charsets = Counter(page.charset for page in validation.pages)
    known = {language_of(label) for label in training.a}
    new = [language_of(page.label) not in known for page in validation.pages]

    def more(before: str, after: str, chosen: Sequence[bool]) -> tuple[str, str]:
        was, now = (sum(ok and c for ok, c in zip(right[name], chosen, strict=True)) for name in (before, after))
        default = sum(ok and c for ok, c in zip(validation.default, chosen, strict=True))
        return f"{was} -> {now} of {sum(chosen)}", f"{default} of {sum(chosen)}"

    doubtful = [page.charset != "right" for page in validation.pages]
    references = [page.references for page in validation.pages]
    rows: tuple[tuple[Cell, ...], ...] = (
        ("pages with a charset", 1466, charsets["right"] + charsets["wrong"], None),
        ("of them wrong", None, charsets["wrong"], None),
        ("pages without", 177, charsets["missing"], None),
        ("pages with a user-defined one", 14, charsets["user-defined"], None),
        ("language not in A: right in one -> two", "0 -> 217 of 217", *more("one", "two", new)),
        ("charset missing or wrong: two -> three", "50 more", *more("two", "three", doubtful)),
        ("character references: three -> four", "67 more of 76", *more("three", "four", references)),
        (
            "in a font: one -> four",
            None,
            *more("one", "four", [page.encoding.startswith(PREFIX) for page in validation.pages]),
        ),
    )
    note = 'The paper has no table of this. Counts of pages; "a -> b of n": right before and after, of so many.'
    yield Table("counts", "sections 5 to 5.3", rows, note=note, plot="", generated=validation.generated)
    was, now = (percent([ok for ok, c in zip(right[name], references, strict=True) if c]) for name in ("three", "four"))
    yield Claim("the entity converter on pages of references", now > was, f"{was:.1f} -> {now:.1f}", "not explained")


def undeclared(data: Path, model: Suzuki, quick: bool) -> Iterator[Table | Claim]:
    """Section 5.2 at length: pages without charset, not in Latin script and not in UTF-8, by encoding."""
    validation = Validation(made_pages.undeclared(data, 2 if quick else 5))
    character, byte = (
        validation.right(answer.label for answer in model.answer_many(validation.texts[name]))
        for name in ("character", "byte")
    )
    places: defaultdict[str, list[int]] = defaultdict(list)
    known = {label_parts(label)[1] for label in model.labels}
    for i, page in enumerate(validation.pages):
        places[page.encoding if page.encoding in known else f"{page.encoding} (no model)"].append(i)
    places["all"] = list(range(len(validation.pages)))
    rows = tuple(
        (name, len(chosen), *(percent([said[i] for i in chosen]) for said in (character, byte, validation.default)))
        for name, chosen in places.items()
    )
    columns = ("", "pages", "characters", "bytes", "webtongue")
    note = (
        "The paper has no table of this: 50 of its 191 pages with a doubtful charset came right by bytes. Mozilla's detector of "
        "today knows more encodings, and a wrong single-byte codec gives back the bytes it was given."
    )
    how = "all pages: sentences of dev/text, each encoding of a label as often as any other, no charset"
    yield Table(
        "undeclared", "pages without charset, not Latin, not UTF-8, % right", rows, columns, note, generated=how
    )
    figures = f"{percent(character):.1f} -> {percent(byte):.1f} on {len(byte)} pages"
    yield Claim("byte parser over character parser on undeclared non-Latin pages", sum(byte) > sum(character), figures,
                "not explained")  # fmt: skip


def table_10(said: list[Answer], validation: Validation) -> Table:
    """By writing system, experiment four."""
    right = validation.right(answer.label for answer in said)
    rows = []
    for number, (system, (ok, total)) in enumerate(PAPER_10.items()):
        chosen = [i for i, page in enumerate(validation.pages) if system_of(page) == number]
        ours = (percent([source[i] for i in chosen]) for source in (right, validation.default, validation.uniform))
        rows.append((f"{system}, {len(chosen)} pages", 100 * ok / total, *ours))
    note = "Why abugidas are where they are: the two tables after this one."
    return Table("table10", "by writing system, experiment four, % right", tuple(rows), ("", *BESIDE, UNIFORM), note,
                 of=("table 10",), generated=validation.generated, headline=True)  # fmt: skip


def breadth(training: Training, model: Suzuki, said: list[Answer], validation: Validation) -> Table:
    """Experiment four with every UDHR and Bible label there is: what breadth costs."""
    answers = model.answer_many(validation.texts["byte, converter"])
    right = validation.right(answer.label for answer in answers)
    checked = zip(answers, validation.pages, right, strict=True)
    named = [answer.encoding == page.encoding for answer, page, ok in checked if ok]
    rows = (
        (
            "B of validation languages",
            languages(training.ab),
            percent(validation.right(answer.label for answer in said)),
        ),
        ("every UDHR and Bible label", languages(training.every), percent(right)),
        (f"{len(model.labels)} models: encoding, of pages whose language is right", None, percent(named)),
    )
    return Table("breadth", "experiment four by breadth of training", rows, ("", "languages", "its method"), plot="",
                 generated=validation.generated)  # fmt: skip


def curve(data: Path, validation: Validation, lengths: Sequence[int]) -> Table:
    """Section 6 asks how long to train: experiment four by length of text, the same for each model as far as it goes."""
    sources = sorted({entry.source for entry in entries(data / "train")} - SYNTHETIC)
    most = 1000 * max(lengths)
    found_texts = read(data / "train", sources, sorted(validation.labels), size=most)
    found = {label: "\n".join(map(str, documents)) for label, documents in found_texts.items()}
    long = [len(found.get(page.label, "")) >= ENOUGH * most for page in validation.pages]
    rows = []
    for length in lengths:
        model = Suzuki.fit({label: [text[: 1000 * length]] for label, text in found.items()})
        right = validation.right(answer.label for answer in model.answer_many(validation.texts["byte, converter"]))
        some = percent([ok for ok, enough in zip(right, long, strict=True) if enough])
        rows.append((f"{length} KB", percent(right), some))
    columns = ("text of a model", "all pages", f"{sum(long)} pages with {max(lengths)} KB")
    note = (
        "Text of all sources but word lists, 1 KB = 1,000 characters; a language with less than that has what there is."
    )
    return Table(
        "length", "Suzuki by length of training text (section 6), % right", tuple(rows), columns, note, "lines",
        generated=validation.generated,
    )  # fmt: skip


def system_of(page: MadePage) -> int:
    return SYSTEMS.get(page.label.partition("_")[2], 1)


def described(answer: Answer) -> str:
    return f"{labels.name(answer.label)}, {answer.label[4:]}, {answer.encoding}" if answer.encoding else "none"


def languages(corpus: dict[str, list[str]]) -> int:
    return len({language_of(label) for label in corpus})


def percent(right: Sequence[bool]) -> float:
    return 100 * sum(right) / max(len(right), 1)
