"""Analyse why abugidas are the worst of table 10: their confusions, and the accuracy when each cause is removed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from webtongue import labels
from webtongue.fonts.tables import PREFIX
from webtongue.lab.evaluate.tables import Cell, Claim, Table
from webtongue.lab.methods.base import Answer, split_label
from webtongue.lab.methods.suzuki import Suzuki
from webtongue.lab.papers.chew_corpora import Texts, Validation
from webtongue.lab.papers.common import fold_language
from webtongue.lab.papers.synthetic_pages import ValidationPage

PAPER_PERCENT = 100 * 211 / 242
MAX_CONFUSIONS = 25  # rows of the table


def is_in_iso_639_1(label: str) -> bool:
    """Return True if a language has a code in ISO 639-1, the paper's scope."""
    return len(labels.bcp47(label).partition("-")[0]) == 2


def find_cause(page: ValidationPage, answer: Answer, modelled: set[tuple[str, str]]) -> str:
    """Return the cause of a wrong answer."""
    if (fold_language(page.label), page.encoding) not in modelled:
        return "in a font or encoding without a model"
    if page.encoding.startswith(PREFIX):
        return "in a font with a model"
    if answer.label[4:] != page.label[4:]:
        return "another script"
    both_in_scope = is_in_iso_639_1(page.label) and is_in_iso_639_1(answer.label)
    return f"another language of the script, {'both' if both_in_scope else 'not both'} in ISO 639-1"


def abugida_tables(
    validation: Validation,
    answers: Sequence[Answer],
    corpus: Texts,
    model_labels: Sequence[str],
    indexes: Sequence[int],
) -> Iterator[Table | Claim]:
    """Yield the confusions of the pages at ``indexes``, and the accuracy without each cause."""
    modelled = {(fold_language(label), encoding) for label, encoding in map(split_label, model_labels)}
    right = validation.check(answers)
    wrong = [i for i in indexes if not right[i]]
    causes = Counter(find_cause(validation.pages[i], answers[i], modelled) for i in wrong)
    pairs = Counter((validation.pages[i].label, answers[i].label) for i in wrong)
    rows: list[tuple[Cell, ...]] = [(name, count, "") for name, count in causes.most_common()]
    for (true, answer), count in sorted(pairs.items(), key=lambda item: (-item[1], item[0]))[:MAX_CONFUSIONS]:
        kinds = sorted({find_cause(validation.pages[i], answers[i], modelled) for i in wrong
                        if (validation.pages[i].label, answers[i].label) == (true, answer)})  # fmt: skip
        rows.append((f"{labels.name(true)} ({true}) as {labels.name(answer)} ({answer})", count, "; ".join(kinds)))
    title = f"what the {len(wrong)} wrong pages of {len(indexes)} in abugidas are confused with, experiment four"
    yield Table("abugida", title, tuple(rows), ("", "pages", "cause"), "Causes first, then confusions.", "")
    yield from level_table(validation, right, corpus, indexes, modelled)


def level_table(
    validation: Validation, right: Sequence[bool], corpus: Texts, indexes: Sequence[int], modelled: set[tuple[str, str]]
) -> Iterator[Table | Claim]:
    """Yield the accuracy on abugidas with the causes removed one after the other."""
    pages = validation.pages
    with_model = [i for i in indexes if (fold_language(pages[i].label), pages[i].encoding) in modelled]
    in_scope = [i for i in with_model if is_in_iso_639_1(pages[i].label)]
    narrow = Suzuki.fit({label: documents for label, documents in corpus.items() if is_in_iso_639_1(label)})
    texts = validation.texts["byte, converter"]
    answers = {i: fold_language(narrow.answer(texts[i]).label) == fold_language(pages[i].label) for i in in_scope}
    steps = (
        ("all pages", indexes, right),
        ("without those in a font or encoding that has no model", with_model, right),
        ("of these, languages of ISO 639-1", in_scope, right),
        ("the same with models of ISO 639-1 languages only", in_scope, answers),
    )
    rows: list[tuple[Cell, ...]] = []
    for name, subset, hits in steps:
        share = 100 * sum(hits[i] for i in subset) / max(len(subset), 1)
        default, uniform = (
            100 * sum(baseline_hits[i] for i in subset) / max(len(subset), 1)
            for baseline_hits in (validation.default, validation.uniform)
        )
        rows.append((name, len(subset), PAPER_PERCENT if name == "all pages" else None, share, default, uniform))
    columns = ("", "pages", "paper", "its method", "webtongue", "uniform priors")
    yield Table("abugida-levels", "abugidas, experiment four, % right", tuple(rows), columns,
                "The paper's pages are all in languages of ISO 639-1. The languages that attract most of ours are "
                "trained on text that is neither "
                "UDHR nor Bible: Chhattisgarhi, Awadhi, Manipuri.")  # fmt: skip
    first, last = float(rows[0][3] or 0), float(rows[-1][3] or 0)
    yield Claim(
        "fonts without a model lower the accuracy on abugidas (section 5.3)", float(rows[1][3] or 0) > first,
        f"{first:.1f}% of all pages, {float(rows[1][3] or 0):.1f}% without these, {last:.1f}% in the paper's languages alone",
        "not explained",
    )  # fmt: skip
