"""Chew, Mikami and Nagano 2011: byte trigrams, a byte-sequence parser and an entity converter.

The paper's pages and training files are lost. Training: UDHR (corpus A) and Bible (corpus B) passages of 12,000 characters a
label, none shorter than 2,000 bytes. Validation: real pages of dev/html as they are and, for labels that have too few, pages
generated from dev text (chew_pages.py). The experiments are run on pages of the languages that UDHR or Bible have, as all of the
paper's were; then on all pages, with other running text for the remaining languages. An answer is right if its language is
(chew_languages.py). A step holds if it gains more pages than it loses and McNemar's test gives that less than 5% by chance;
otherwise it cannot be decided here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path

from webtongue import labels
from webtongue.fonts.tables import PREFIX
from webtongue.lab.evaluate.tables import BESIDE, Cell, Claim, Exempt, Result, Table
from webtongue.lab.methods.base import Answer
from webtongue.lab.methods.suzuki import Suzuki, SuzukiSettings
from webtongue.lab.papers import chew_rates
from webtongue.lab.papers.chew_abugida import confusion_table, find_modelled, level_table
from webtongue.lab.papers.chew_background import table_1, table_6
from webtongue.lab.papers.chew_corpora import Training, Validation
from webtongue.lab.papers.chew_files import files_table
from webtongue.lab.papers.chew_languages import fold_language, is_in_iso_639_1
from webtongue.lab.papers.chew_levels import (
    CONVERTED,
    PUBLISHERS,
    TRAINING_KILOCHARS,
    breadth_table,
    extended_claims,
    length_tables,
    publisher_tables,
    select_published,
    training_curve,
)
from webtongue.lab.papers.chew_pages import describe_generated, read_corpus_pages
from webtongue.lab.papers.chew_parsers import undeclared_tables
from webtongue.lab.papers.chew_published import EXPERIMENTS, PAPER_9, PAPER_10
from webtongue.lab.papers.chew_steps import MAX_PROBABILITY, STEP_COLUMNS, Step, percent_where, step_claim
from webtongue.lab.papers.chew_tables import override_table, table_3, table_4, table_5, table_7
from webtongue.lab.papers.common import percent
from webtongue.lab.papers.real_pages import read_real_pages
from webtongue.lab.papers.significance import compare_shares, format_probability
from webtongue.lab.papers.synthetic_pages import ValidationPage

PUBLISHED = ("figure 1", "figure 2", *(f"table {number}" for number in range(1, 11)))
# Minimum pages of a label and maximum real pages of a language: the paper has 9.1 on average and at most 20.
QUICK, FULL = (4, 6), (8, 20)
UNIFORM = "uniform priors"
MAX_TABLE_9_ROWS = 40
STEPS = (
    ("one", "two", "corpus B adds to A (section 5.1)"),
    ("two", "three", "the byte parser adds (section 5.2)"),
    ("three", "four", "the converter adds (section 5.3)"),
)
ABUGIDA, ABUGIDAS = 1, "Abugida"
WRITING_SYSTEMS = {  # all other scripts are abugidas
    "Arab": 0, "Hebr": 0, "Syrc": 0, "Latn": 2, "Cyrl": 3, "Grek": 3, "Armn": 3, "Geor": 3, "Hang": 3, "Kore": 3, "Mong": 3,
    "Nkoo": 3, "Olck": 3, "Tfng": 3, "Hans": 4, "Hant": 4, "Jpan": 5,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Experiments:
    """The answers of the four experiments on all pages, and whether they are right."""

    answers: dict[str, list[Answer]]
    right: dict[str, list[bool]]

    @classmethod
    def run(cls, a: Suzuki, ab: Suzuki, validation: Validation) -> Experiments:
        """Return the answers with the models of A and of A and B."""
        answers = {
            name: (a if corpus == "A" else ab).answer_many(validation.texts[parser])
            for name, corpus, parser, _ in EXPERIMENTS
        }
        return cls(answers, {name: validation.check(system) for name, system in answers.items()})


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
    yield from table_1(real)
    a, ab, every = (Suzuki.fit(texts) for texts in (training.a, training.ab, training.every))
    yield table_3(ab)
    yield table_4()
    yield override_table(data)
    yield table_5()
    yield from table_6(data, a, every, training)
    yield table_7(pages, validation.generated)
    published = select_published(validation, training)
    experiments = Experiments.run(a, ab, validation)
    extended_model = Suzuki.fit(training.extended)
    extended = Experiments.run(a, extended_model, validation)
    yield table_8(ab, experiments, extended, validation, published)
    yield bounds_table(ab, validation, published)
    yield from step_results(experiments, validation, published)
    yield from publisher_tables(validation, extended.right)
    yield from extended_claims(validation, extended.right, extended.answers["two"], training.other)
    yield from table_9(experiments, validation, published)
    yield from section_5_counts(experiments, training, validation, published)
    yield from undeclared_tables(data, ab, quick)
    yield files_table(data, ab)
    yield from table_10(experiments, validation, published)
    indexes = [i for i, page in enumerate(pages) if find_writing_system(page) == ABUGIDA]
    yield confusion_table(validation, extended.answers["four"], extended_model, indexes)
    yield from level_table(
        validation, extended.right["four"], experiments.right["four"], training.ab, indexes, published
    )
    yield from length_tables(validation, ab, experiments.right["four"], published)
    yield breadth_table(training, every, experiments.answers["four"], validation, published)
    yield from training_curve(data, validation, published, TRAINING_KILOCHARS[: 5 if quick else None])


def table_8(
    ab: Suzuki, experiments: Experiments, extended: Experiments, validation: Validation, published: Sequence[bool]
) -> Table:
    """Return table 8: the four experiments, and the fourth on parts of the pages."""
    pages = validation.pages
    paper = {name: 100 * right / 1660 for name, _, _, right in EXPERIMENTS}
    rows = [
        subset_row(f"{name}: {corpus}; {parser}", published, experiments.right[name], validation, paper[name])
        for name, corpus, parser, _ in EXPERIMENTS
    ]
    modelled = find_modelled(ab)
    subsets = {
        "languages of ISO 639-1": [is_in_iso_639_1(page.label) for page in pages],
        "real pages": [bool(page.source) for page in pages],
        f"real pages, not of {' and '.join(PUBLISHERS)}": [page.source not in ("", *PUBLISHERS) for page in pages],
        "generated pages": [not page.source for page in pages],
        "in an encoding that has a model": [(fold_language(page.label), page.encoding) in modelled for page in pages],
    }
    for name, chosen in subsets.items():
        both = [keep and chosen_too for keep, chosen_too in zip(published, chosen, strict=True)]
        rows.append(subset_row(f"four, {name}", both, experiments.right["four"], validation))
    everything = [True] * len(pages)
    rows += [
        subset_row(
            f"{name}, all languages, other text where there is neither", everything, extended.right[name], validation
        )
        for name, *_ in EXPERIMENTS
    ]
    in_scope = {fold_language(page.label) for page in compress(pages, published) if is_in_iso_639_1(page.label)}
    note = (
        f"{sum(published)} pages of {len({fold_language(page.label) for page in compress(pages, published)})} languages that "
        f"UDHR or Bible have, {len(in_scope)} of them of ISO 639-1 (theirs: 1,660 real pages of 182 languages, all of ISO "
        "639-1). The default identifier reads the pages unchanged; the last column has uniform priors, since rare languages "
        f"have as many pages here as English. The last four rows: {len(pages)} pages of {len(validation.languages)} languages."
    )
    columns = ("", "pages", *BESIDE, UNIFORM)
    return Table("table8", "the four experiments, % right", tuple(rows), columns, note, "", reproduces=("table 8",),
                 generated=validation.generated, headline=True)  # fmt: skip


def subset_row(
    name: str, selected: Sequence[bool], hits: Sequence[bool], validation: Validation, paper: float | None = None
) -> tuple[Cell, ...]:
    """Return a row for some of the pages."""
    shares = (percent_where(system, selected) for system in (hits, validation.default, validation.uniform))
    return name, sum(selected), paper, *shares


def step_results(
    experiments: Experiments, validation: Validation, published: Sequence[bool]
) -> Iterator[Table | Claim]:
    """Yield what each step gains and loses, and whether it holds."""
    rows: list[tuple[Cell, ...]] = []
    is_real = [keep and bool(page.source) for keep, page in zip(published, validation.pages, strict=True)]
    for before, after, _ in STEPS:
        for name, selected in (("all", published), ("real", is_real)):
            step = Step.count(experiments.right[before], experiments.right[after], selected)
            rows.append((f"{before} to {after}, {name} pages", *step.cells))
    note = "Right in percent, and pages that only one of the two has right. p: McNemar's test. Pages of UDHR and Bible languages."
    yield Table("steps", "steps between the experiments", tuple(rows), ("", *STEP_COLUMNS), note, "",
                generated=validation.generated, headline=True)  # fmt: skip
    for before, after, text in STEPS:
        yield step_claim(text, Step.count(experiments.right[before], experiments.right[after], published))
    level = percent_where(experiments.right["four"], published)
    yield Claim(
        "UDHR and Bible suffice for 94% of pages (sections 5 and 6)", None, f"{level:.1f}% of our pages",
        "levels on other pages do not compare: the tables of length show how much the lengths of pages and training texts change",
        "a level far below 94% on pages like the paper's",
    )  # fmt: skip


def bounds_table(ab: Suzuki, validation: Validation, published: Sequence[bool]) -> Table:
    """Return experiment four with Suzuki's own rule in place of the highest R."""
    model = Suzuki(SuzukiSettings("bounds"), ab.labels, ab.codons, ab.starts, ab.models)
    answers = list(compress(model.answer_many(validation.texts[CONVERTED]), published))
    hits = [
        fold_language(answer.label) == fold_language(page.label)
        for answer, page in zip(answers, compress(validation.pages, published), strict=True)
        if answer.encoding
    ]
    rows = (("answered", None, 100 * len(hits) / len(answers)), ("right, of the answered", None, percent(hits)))
    title = "experiment four with UB = 0.95 and LB = 0.92 in place of the highest R"
    return Table("bounds", title, rows, ("", *BESIDE[:2]), "", "", generated=validation.generated)


def table_9(experiments: Experiments, validation: Validation, published: Sequence[bool]) -> Iterator[Table | Claim]:
    """Yield table 9, over-training: pages that are right in experiment one and wrong in two."""
    rows = [
        (page.name, describe_answer(experiments.answers["one"][i]), describe_answer(experiments.answers["two"][i]),
         labels.name(validation.verdicts[i]))
        for i, page in enumerate(validation.pages)
        if published[i] and experiments.right["one"][i] and not experiments.right["two"][i]
    ]  # fmt: skip
    title = f"right in one and wrong in two: {len(rows)} of {sum(published)} pages (paper: 14 of 1,660)"
    paper_rows = [(f"paper: {page}", first, second, None) for page, first, second in PAPER_9]
    note = "The paper's pages, then ours; a page is named by its label, encoding and what is wrong with its charset."
    columns = ("page", "one", "two", "webtongue")
    table_rows = (*paper_rows, *rows[:MAX_TABLE_9_ROWS])
    yield Table("table9", title, table_rows, columns, note, "", ("table 9",), validation.generated)
    yield Claim(
        "models that are added make some pages wrong (section 5.1)", bool(rows),
        f"{len(rows)} of {sum(published)} pages, 14 of 1,660 in the paper", "not explained", "no page right in one and wrong in "
        "two",
    )  # fmt: skip


def section_5_counts(
    experiments: Experiments, training: Training, validation: Validation, published: Sequence[bool]
) -> Iterator[Table | Claim]:
    """Yield the counts of sections 5, 5.2 and 5.3."""
    pages = validation.pages
    charsets = Counter(page.charset for page in compress(pages, published))
    known_languages = {fold_language(label) for label in training.a}

    def compare(before: str, after: str, chosen: Sequence[bool]) -> tuple[Step, str, str]:
        """Return the step on the chosen pages, and its counts and those of the default identifier."""
        selected = [keep and chosen_too for keep, chosen_too in zip(published, chosen, strict=True)]
        step = Step.count(experiments.right[before], experiments.right[after], selected)
        default = sum(compress(validation.default, selected))
        return step, f"{step.before} -> {step.after} of {step.pages}", f"{default} of {step.pages}"

    is_new = [fold_language(page.label) not in known_languages for page in pages]
    new = compare("one", "two", is_new)
    missed = [i for i, _ in enumerate(pages) if published[i] and is_new[i] and not experiments.right["two"][i]]
    doubtful = compare("two", "three", [page.charset != "right" for page in pages])
    references = compare("three", "four", [page.references for page in pages])
    fonts = compare("one", "four", [page.encoding.startswith(PREFIX) for page in pages])
    rows: tuple[tuple[Cell, ...], ...] = (
        ("pages with a charset", 1466, charsets["right"] + charsets["wrong"], None),
        ("of them wrong", None, charsets["wrong"], None),
        ("pages without", 177, charsets["missing"], None),
        ("pages with a user-defined one", 14, charsets["user-defined"], None),
        ("language not in A: right in one -> two", "0 -> 217 of 217", *new[1:]),
        ("charset missing, wrong or user-defined: two -> three", "50 more", *doubtful[1:]),
        ("character references: three -> four", "67 more of 76", *references[1:]),
        ("in a font: one -> four", None, *fonts[1:]),
    )
    note = 'The paper has no table of this. Counts of pages; "a -> b of n": right before and after, of n pages.'
    yield Table("counts", "sections 5 to 5.3", rows, note=note, plot="", generated=validation.generated)
    wrong_in_one = [keep and not hit for keep, hit in zip(published, experiments.right["one"], strict=True)]
    unmodelled = sum(compress(is_new, wrong_in_one))
    yield Claim(
        "most errors of experiment one are on pages in languages that A lacks (section 5)",
        2 * unmodelled > sum(wrong_in_one), f"{unmodelled} of {sum(wrong_in_one)}, 217 of 419 in the paper",
        "more Declarations exist than in the paper, so that A lacks few languages of our pages",
        "half of the errors or more on pages in languages that A has",
    )  # fmt: skip
    yield Claim(
        "all pages whose language is not in A are right with B (section 5.1)", new[0].after == new[0].pages, new[1],
        "wrong: " + "; ".join(f"{pages[i].name} as {describe_answer(experiments.answers['two'][i])}" for i in missed),
        "one such page wrong",
    )  # fmt: skip
    yield step_claim("the byte parser adds on pages with a doubtful charset (section 5.2)", doubtful[0])
    yield step_claim("the converter adds on pages of references (section 5.3)", references[0])


def table_10(experiments: Experiments, validation: Validation, published: Sequence[bool]) -> Iterator[Table | Claim]:
    """Yield table 10: experiment four by writing system, and what the paper says of it."""
    hits = experiments.right["four"]
    rows: list[tuple[Cell, ...]] = []
    counts: dict[str, tuple[int, int]] = {}
    for number, (system, (paper_right, total)) in enumerate(PAPER_10.items()):
        chosen = [
            keep and find_writing_system(page) == number for keep, page in zip(published, validation.pages, strict=True)
        ]
        rows.append(subset_row(system, chosen, hits, validation, 100 * paper_right / total))
        counts[system] = sum(compress(hits, chosen)), sum(chosen)
    note = "Pages and models of UDHR and Bible languages. Two tables of methods.md show where abugidas go wrong."
    yield Table("table10", "by writing system, experiment four, % right", tuple(rows), ("", "pages", *BESIDE, UNIFORM), note, "",
                reproduces=("table 10",), generated=validation.generated, headline=True)  # fmt: skip
    yield worst_claim(counts)
    last_two = [keep and find_writing_system(page) > 3 for keep, page in zip(published, validation.pages, strict=True)]
    wrong = [i for i, keep in enumerate(last_two) if keep and not hits[i]]
    yield Claim(
        "Chinese and Japanese are all right (section 5.3)", False if wrong else None,
        f"{sum(last_two) - len(wrong)} of {sum(last_two)} pages, 60 of 60 in the paper",
        "wrong: " + "; ".join(f"{validation.pages[i].name} as {describe_answer(experiments.answers['four'][i])}" for i in wrong)
        if wrong else "few pages",
        "one page wrong",
    )  # fmt: skip


def worst_claim(counts: Mapping[str, tuple[int, int]]) -> Claim:
    """Return the claim that abugidas are the worst of the writing systems, by (right, total) of each."""
    comparisons = {name: compare_shares(pair, counts[ABUGIDAS]) for name, pair in counts.items() if name != ABUGIDAS}
    outcomes = [holds for holds, _ in comparisons.values()]
    figures = ", ".join(
        f"{name} {100 * right / max(total, 1):.1f}% of {total}"
        + (f" ({format_probability(comparisons[name][1])})" if name in comparisons else "")
        for name, (right, total) in counts.items()
    )
    holds = False if False in outcomes else True if all(outcomes) else None
    return Claim(
        "abugidas are the worst of the writing systems (section 5.3)", holds, figures,
        "some of the differences may be chance" if holds is None else "not explained",
        f"another writing system below abugidas, p < {MAX_PROBABILITY}",
    )  # fmt: skip


def find_writing_system(page: ValidationPage) -> int:
    """Return the index of a page's writing system in table 10."""
    return WRITING_SYSTEMS.get(page.label.partition("_")[2], ABUGIDA)


def describe_answer(answer: Answer) -> str:
    """Return language, script and encoding of an answer."""
    return f"{labels.name(answer.label)}, {answer.label[4:]}, {answer.encoding}" if answer.encoding else "none"
