"""Analyse why abugidas are the worst of table 10: their confusions, and the accuracy with and without each cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from webtongue import labels
from webtongue.fonts.tables import PREFIX
from webtongue.lab.evaluate.tables import Cell, Claim, Table
from webtongue.lab.methods.base import Answer, split_label
from webtongue.lab.methods.suzuki import Suzuki
from webtongue.lab.papers.chew_corpora import Texts, Validation
from webtongue.lab.papers.chew_languages import fold_language, is_in_iso_639_1
from webtongue.lab.papers.synthetic_pages import ValidationPage

PAPER_PERCENT = 100 * 211 / 242
MAX_CONFUSIONS = 25  # rows of the table


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


def confusion_table(validation: Validation, answers: Sequence[Answer], model: Suzuki, indexes: Sequence[int]) -> Table:
    """Return the causes of wrong answers on the pages at ``indexes``, and the confusions."""
    modelled = find_modelled(model)
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
    note = "Causes first, then confusions; with the text of other sources."
    return Table("abugida", title, tuple(rows), ("", "pages", "cause"), note, "")


def level_table(
    validation: Validation,
    extended: Sequence[bool],
    right: Sequence[bool],
    corpus: Texts,
    indexes: Sequence[int],
    published: Sequence[bool],
) -> Iterator[Table | Claim]:
    """Yield the accuracy on abugidas with the models of more and fewer languages, with and without pages in fonts."""
    pages = validation.pages
    narrow = Suzuki.fit({label: documents for label, documents in corpus.items() if is_in_iso_639_1(label)})
    modelled = find_modelled(narrow)
    in_scope = [i for i in indexes if published[i] and is_in_iso_639_1(pages[i].label)]
    with_model = [i for i in in_scope if (fold_language(pages[i].label), pages[i].encoding) in modelled]
    texts = validation.texts["byte, converter"]
    narrow_hits = {i: fold_language(narrow.answer(texts[i]).label) == fold_language(pages[i].label) for i in in_scope}
    steps = (
        ("all pages, models of all validation languages", indexes, extended),
        ("pages and models of UDHR and Bible languages", [i for i in indexes if published[i]], right),
        ("of these, pages and models of ISO 639-1", in_scope, narrow_hits),
        ("the same without pages in a font or encoding that has no model", with_model, narrow_hits),
    )
    rows: list[tuple[Cell, ...]] = []
    for name, subset, hits in steps:
        shares = (
            100 * sum(h[i] for i in subset) / max(len(subset), 1)
            for h in (hits, validation.default, validation.uniform)
        )
        rows.append((name, len(subset), PAPER_PERCENT if subset is in_scope else None, *shares))
    columns = ("", "pages", "paper", "its method", "webtongue", "uniform priors")
    yield Table("abugida-levels", "abugidas, experiment four, % right", tuple(rows), columns,
                "The paper's pages are all in languages of ISO 639-1, and some are in fonts: the third row is the one to compare.",
                generated=validation.generated)  # fmt: skip
    with_fonts, without = (float(rows[number][3] or 0) for number in (2, 3))
    wrong = [i for i in in_scope if not narrow_hits[i]]
    in_fonts = sum(
        (fold_language(pages[i].label), pages[i].encoding) not in modelled or pages[i].encoding.startswith(PREFIX)
        for i in wrong
    )
    yield Claim(
        "abugidas are worst because many of their pages are in legacy fonts (section 5.3)", None,
        f"{with_fonts:.1f}% right, {without:.1f}% without fonts that have no model; {in_fonts} of {len(wrong)} errors are on "
        "pages in a font, or in an encoding without a model",
        f"how many pages are in fonts is set by our generator; the other {len(wrong) - in_fonts} errors go to related languages",
        "most errors of real pages on pages that are not in a font",
    )  # fmt: skip


def find_modelled(model: Suzuki) -> set[tuple[str, str]]:
    """Return the pairs of language and encoding that have a model."""
    return {(fold_language(label), encoding) for label, encoding in map(split_label, model.labels)}
