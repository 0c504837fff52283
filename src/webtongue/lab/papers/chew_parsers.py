"""Section 5.2 of Chew 2011: pages with a doubtful charset, read by characters and by bytes.

The paper has two descriptions of its character parser for pages without a charset: with Mozilla's detector (4.3), and as UTF-8
(5.2). Both are run. The detector is that of today (uchardet).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import compress
from pathlib import Path

from webtongue.lab.evaluate.tables import Cell, Claim, Table
from webtongue.lab.methods.base import split_label
from webtongue.lab.methods.suzuki import Suzuki
from webtongue.lab.papers import synthetic_pages
from webtongue.lab.papers.chew_corpora import Validation
from webtongue.lab.papers.chew_steps import STEP_COLUMNS, Step, step_claim
from webtongue.lab.papers.common import percent

DETECTOR = "faust-cchardet"
PARSERS = ("character, no detector", "character", "byte")
DETECTOR_WHY = (
    "the detector of today names most encodings, and a false single-byte charset gives back the bytes that it was given, since "
    "the parser encodes the text again as it decoded it"
)


@dataclass(frozen=True, slots=True)
class ParsedPages:
    """Pages with whether each parser's text is answered right."""

    validation: Validation
    hits: dict[str, list[bool]]

    @classmethod
    def read(cls, pages: list[synthetic_pages.ValidationPage], model: Suzuki) -> ParsedPages:
        """Return the pages with the answers of the model."""
        validation = Validation(pages)
        return cls(validation, {name: validation.check(model.answer_many(validation.texts[name])) for name in PARSERS})


def undeclared_tables(data: Path, model: Suzuki, quick: bool) -> Iterator[Table | Claim]:
    """Yield the accuracy on pages without charset that are not in UTF-8, by encoding, and the claims of section 5.2."""
    encodings = {split_label(label)[1] for label in model.labels}
    other = ParsedPages.read(synthetic_pages.generate_undeclared_pages(data, 2 if quick else 5), model)
    latin_pages = synthetic_pages.generate_undeclared_pages(data, 1, latin=True)
    latin = ParsedPages.read(latin_pages[:: max(1, len(latin_pages) // len(other.validation.pages))], model)
    yield encoding_table(other, encodings)
    sets = {"not Latin": other, "Latin": latin}
    rows: list[tuple[Cell, ...]] = []
    for name, parsed in sets.items():
        modelled = [page.encoding in encodings for page in parsed.validation.pages]
        for before in PARSERS[:2]:
            step = Step.count(parsed.hits[before], parsed.hits["byte"])
            rows.append((f"{name}: {before}, then byte", *step.cells))
            step = Step.count(parsed.hits[before], parsed.hits["byte"], modelled)
            rows.append((f"{name}, in an encoding that has a model: {before}, then byte", *step.cells))
    note = "Right in percent, and pages that only one of the parsers has right. p: McNemar's test."
    generated = "all pages: sentences of dev/text in the encodings of their language but UTF-8, no charset"
    yield Table(
        "doubtful",
        "pages without charset, in old encodings, % right",
        tuple(rows),
        ("", *STEP_COLUMNS),
        note,
        "",
        generated=generated,
    )
    yield from parser_claims(other, latin)
    yield repair_claim(other, [page.encoding in encodings for page in other.validation.pages])


def repair_claim(other: ParsedPages, modelled: Sequence[bool]) -> Claim:
    """Return the claim that bytes repair all that the default UTF-8 breaks; ``modelled`` pages are in an encoding with a model."""
    broken = [not hit for hit in other.hits["character, no detector"]]
    repaired = list(compress(other.hits["byte"], broken))
    with_model = list(compress(other.hits["byte"], [a and b for a, b in zip(broken, modelled, strict=True)]))
    return Claim(
        "all pages that are wrong as UTF-8 are right by bytes (section 5.2)",
        all(repaired),
        f"{sum(repaired)} of {len(repaired)}, 50 of 50 in the paper",
        f"of those in an encoding that has a model {sum(with_model)} of {len(with_model)} are right, of the others "
        f"{sum(repaired) - sum(with_model)} of {len(repaired) - len(with_model)}",
        "one such page wrong",
    )


def parser_claims(other: ParsedPages, latin: ParsedPages) -> Iterator[Claim]:
    """Yield what section 5.2 says about pages without charset."""
    yield step_claim(
        "bytes are better than characters read as UTF-8 on pages without charset, not in Latin script (section 5.2)",
        Step.count(other.hits["character, no detector"], other.hits["byte"]),
    )
    yield step_claim(
        "bytes are better than characters read by Mozilla's detector on the same pages (section 4.3)",
        Step.count(other.hits["character"], other.hits["byte"]),
        DETECTOR_WHY,
    )
    non_latin, in_latin = (percent(parsed.hits["character, no detector"]) for parsed in (other, latin))
    yield Claim(
        "UTF-8 as the default works well in Latin script and not in others (section 5.2)",
        in_latin > non_latin,
        f"{in_latin:.1f}% right of {len(latin.validation.pages)} pages in Latin script, {non_latin:.1f}% of "
        f"{len(other.validation.pages)} others; by bytes {percent(latin.hits['byte']):.1f} and {percent(other.hits['byte']):.1f}%",
        "not explained",
        "as many right in other scripts as in Latin",
    )


def encoding_table(parsed: ParsedPages, encodings: set[str]) -> Table:
    """Return the accuracy of the parsers and of webtongue by encoding."""
    indexes_by_encoding: defaultdict[str, list[int]] = defaultdict(list)
    for i, page in enumerate(parsed.validation.pages):
        indexes_by_encoding[page.encoding if page.encoding in encodings else f"{page.encoding} (no model)"].append(i)
    indexes_by_encoding["all"] = list(range(len(parsed.validation.pages)))
    systems = (*(parsed.hits[name] for name in PARSERS), parsed.validation.default)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, len(indexes), *(percent([hits[i] for i in indexes]) for hits in systems))
        for name, indexes in indexes_by_encoding.items()
    )
    columns = ("", "pages", "characters as UTF-8", "characters by detector", "bytes", "webtongue")
    note = (
        "The paper has no table of this: 50 of its 191 pages with a doubtful charset came right by bytes. The detector is "
        f"{DETECTOR} {version(DETECTOR)}."
    )
    generated = "all pages: sentences of dev/text, each encoding of a label as often as any other, no charset"
    return Table(
        "undeclared", "pages without charset, not Latin, not UTF-8, % right", rows, columns, note, generated=generated
    )
