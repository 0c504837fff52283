"""Why abugidas are the worst of table 10: what their pages are taken for, and what is left when each cause is taken away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from chew_corpora import Texts, Validation
from made_pages import MadePage, language_of

from webtongue import labels
from webtongue.evaluate.tables import Cell, Claim, Table
from webtongue.fonts.tables import PREFIX
from webtongue.methods.base import Answer, label_parts
from webtongue.methods.suzuki import Suzuki

PAPER = 100 * 211 / 242
SHOWN = 25  # confusions that are listed


def in_scope(label: str) -> bool:
    """Whether a language is in ISO 639-1, the paper's scope."""
    return len(labels.bcp47(label).partition("-")[0]) == 2


def cause(page: MadePage, answer: Answer, known: set[tuple[str, str]]) -> str:
    """What an error comes of."""
    if (language_of(page.label), page.encoding) not in known:
        return "in a font or encoding without a model"
    if page.encoding.startswith(PREFIX):
        return "in a font with a model"
    if answer.label[4:] != page.label[4:]:
        return "another script"
    scope = in_scope(page.label) and in_scope(answer.label)
    return f"another language of the script, {'both' if scope else 'not both'} in ISO 639-1"


def abugida(
    validation: Validation, said: Sequence[Answer], corpus: Texts, models: Sequence[str], chosen: Sequence[int]
) -> Iterator[Table | Claim]:
    """The confusions of the pages at ``chosen``, and the level without each cause."""
    known = {(language_of(label), encoding) for label, encoding in map(label_parts, models)}
    right = validation.right(answer.label for answer in said)
    wrong = [i for i in chosen if not right[i]]
    causes = Counter(cause(validation.pages[i], said[i], known) for i in wrong)
    pairs = Counter((validation.pages[i].label, said[i].label) for i in wrong)
    rows: list[tuple[Cell, ...]] = [(name, count, "") for name, count in causes.most_common()]
    for (true, answer), count in sorted(pairs.items(), key=lambda item: (-item[1], item[0]))[:SHOWN]:
        kinds = sorted({cause(validation.pages[i], said[i], known) for i in wrong
                        if (validation.pages[i].label, said[i].label) == (true, answer)})  # fmt: skip
        rows.append((f"{labels.name(true)} ({true}) as {labels.name(answer)} ({answer})", count, "; ".join(kinds)))
    title = f"what the {len(wrong)} wrong pages of {len(chosen)} in abugidas are taken for, experiment four"
    yield Table("abugida", title, tuple(rows), ("", "pages", "cause"), "Causes first, then confusions.", "")
    yield from levels(validation, right, corpus, chosen, known)


def levels(
    validation: Validation, right: Sequence[bool], corpus: Texts, chosen: Sequence[int], known: set[tuple[str, str]]
) -> Iterator[Table | Claim]:
    """The level of abugidas when causes are taken away one after the other."""
    pages = validation.pages
    held = [i for i in chosen if (language_of(pages[i].label), pages[i].encoding) in known]
    scope = [i for i in held if in_scope(pages[i].label)]
    narrow = Suzuki.fit({label: found for label, found in corpus.items() if in_scope(label)})
    texts = validation.texts["byte, converter"]
    answers = {i: language_of(narrow.answer(texts[i]).label) == language_of(pages[i].label) for i in scope}
    steps = (
        ("all pages", chosen, right),
        ("without those in a font or encoding that has no model", held, right),
        ("of these, languages of ISO 639-1", scope, right),
        ("the same with models of ISO 639-1 languages only", scope, answers),
    )
    rows: list[tuple[Cell, ...]] = []
    for name, places, source in steps:
        share = 100 * sum(source[i] for i in places) / max(len(places), 1)
        default, uniform = (
            100 * sum(by[i] for i in places) / max(len(places), 1) for by in (validation.default, validation.uniform)
        )
        rows.append((name, len(places), PAPER if name == "all pages" else None, share, default, uniform))
    columns = ("", "pages", "paper", "its method", "webtongue", "uniform priors")
    yield Table("abugida-levels", "abugidas, experiment four, % right", tuple(rows), columns,
                "The paper's pages are all in languages of ISO 639-1. What draws ours most is filled in from text that is neither "
                "UDHR nor Bible: Chhattisgarhi, Awadhi, Manipuri.")  # fmt: skip
    first, last = float(rows[0][3] or 0), float(rows[-1][3] or 0)
    yield Claim(
        "abugidas are held down by fonts without a model (section 5.3)", float(rows[1][3] or 0) > first,
        f"{first:.1f}% of all pages, {float(rows[1][3] or 0):.1f}% without these, {last:.1f}% in the paper's languages alone",
        "not explained",
    )  # fmt: skip
