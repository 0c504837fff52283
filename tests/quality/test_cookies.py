"""Text about cookies is text; a consent banner beside other text is discounted, and is still shown."""

from __future__ import annotations

import pytest

import webtongue
from tests.quality.cookies import CASES, Case, cases

SHOWN = 0.9  # share of the banners and notes in another language that `languages` must show


@pytest.fixture(scope="module")
def pages() -> list[Case]:
    return list(cases())


@pytest.mark.parametrize("name", CASES)
def test_the_text_of_the_author_decides(pages: list[Case], name: str) -> None:
    some = [case for case in pages if case.name == name]
    assert len(some) >= 30
    wrong = [(case.label, v.label) for case in some if (v := webtongue.identify(case.raw)).label != case.label]
    assert not wrong


def test_languages_show_what_is_discounted(pages: list[Case]) -> None:
    some = [case for case in pages if case.beside and case.beside != case.label]
    shown = [case for case in some if case.beside in dict(webtongue.identify(case.raw).languages)]
    assert len(shown) >= SHOWN * len(some)
