"""Lists in a language are in that language, reliable or not; lines of programs, names and lists of names are not."""

from __future__ import annotations

import html
import random
from collections.abc import Iterator

import pytest

import webtongue
from tests.quality.kinds import Content, page
from tests.quality.names import BRANDS, MODELS
from tests.quality.tables import DATA, rows
from webtongue import Verdict
from webtongue.labels import fold

# Shares of the lists of each kind that are answered with their language. Some lists of countries in English read like no language.
RIGHT = {"countries": 0.92, "words": 0.99, "menu": 0.99}
SIZES = (14, 25, 100)
SEPARATORS = (" ", "\n", ", ", " | ")
TAGS = ("li", "td", "option", "p", "li><a href=/x")
CODE = 0.6  # share of single lines of programs that are `zxx`
SURE_OF_CODE = 0.1  # share of them that may be answered reliably: a line may have nothing but English words


def identify(content: Content) -> Verdict:
    return webtongue.identify_text(content) if isinstance(content, str) else webtongue.identify(content)


def lists(kind: str) -> Iterator[tuple[str, Content]]:
    """Yield lists as text and as pages, each with its label."""
    chance = random.Random(f"lists of {kind}")
    for label, row_kind, joined in rows("lists.tsv"):
        items = joined.split(";")
        for size in SIZES if row_kind == kind else ():
            some = sorted(chance.sample(items, min(size, len(items))))
            for separator in SEPARATORS:
                yield str(fold(label)), separator.join(some)
            for tag in TAGS:
                yield str(fold(label)), page("".join(f"<{tag}>{html.escape(item)}</{tag[:2]}>" for item in some))


@pytest.mark.parametrize("kind", RIGHT)
def test_lists_are_in_their_language(kind: str) -> None:
    answers = [(label, identify(content)) for label, content in lists(kind)]
    assert len(answers) >= 200
    wrong = [(label, v.label) for label, v in answers if v.label != label]
    assert len(wrong) <= (1 - RIGHT[kind]) * len(answers), wrong
    assert not [v for label, v in answers if v.reliable and v.label != label]
    assert not [v for _, v in answers if v.label == "zxx"]


def test_lines_of_programs_are_no_language() -> None:
    lines = [line for line in (DATA / "code_lines.txt").read_text("utf-8").splitlines() if not line.startswith("# ")]
    assert len(lines) >= 130
    answers = [webtongue.identify_text(line) for line in lines]
    assert sum(v.label == "zxx" for v in answers) >= CODE * len(lines)
    assert sum(v.reliable for v in answers) <= SURE_OF_CODE * len(lines)


def test_names_have_no_language_without_hints() -> None:
    chance = random.Random("names of products")
    names = [f"{chance.choice(BRANDS)} {chance.choice(BRANDS)} {chance.choice(MODELS)}" for _ in range(200)]
    answers = [webtongue.identify(page("<img src=x.png>", title=name)) for name in names]
    assert not [v for v in answers if v.reliable or (v.label != "und" and v.confidence < 0.25)]


def test_hints_give_a_name_a_language() -> None:
    assert webtongue.identify_text("Sony Xperia").label == "und"
    assert (
        webtongue.identify(page("<h1>Sony Xperia</h1>", "pl", "Sony Xperia"), "https://www.example.pl/").label
        == "pol_Latn"
    )
