"""Placeholder text is no language, in any order of its words; real Latin is Latin."""

from __future__ import annotations

import random

import pytest

from webtongue import Identifier, Reason

IDENT = Identifier()
PASSAGE = (
    "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua ut enim ad "
    "minim veniam quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat duis aute irure dolor in reprehenderit "
    "in voluptate velit esse cillum dolore eu fugiat nulla pariatur excepteur sint occaecat cupidatat non proident sunt in culpa qui officia"
).split()
MADE = (
    "Aut voluptatem quia rerum est consequatur, omnis et quidem dolorum.",
    "Vestibulum ante ipsum primis in faucibus orci luctus et ultrices posuere cubilia curae",
    "Donec sed odio dui, maecenas faucibus mollis interdum.",
    "Lorem ipsum",
)
LATIN = (
    "Bibliotheca cotidie aperta est praeter diem solis, et libri gratis commodantur.",
    "Discipuli in horto sedebant dum magister fabulam de urbe antiqua narrat.",
    "Hodie mane pluebat, sed vesperi caelum serenum erat et stellae lucebant.",
    "Mater filiae suae dixit se cras ad forum ituram esse ut panem et vinum emeret.",
    "Dolor et ira non sunt causa belli.",
)


@pytest.mark.parametrize("words", [4, 8, 20, 60])
def test_shuffled_placeholder_text(words: int) -> None:
    rnd = random.Random(words)
    texts = [" ".join(rnd.choices(PASSAGE, k=words)).capitalize() + "." for _ in range(60)]
    verdicts = [IDENT.identify_text(text) for text in texts]
    found = sum(verdict.label == "zxx" and verdict.reason is Reason.PLACEHOLDER_TEXT for verdict in verdicts)
    assert found >= 0.95 * len(texts)


@pytest.mark.parametrize("text", MADE)
def test_other_generators(text: str) -> None:
    assert IDENT.identify_text(text).reason is Reason.PLACEHOLDER_TEXT
    page = f"<html lang=en><title>Template</title><body><p>{text} {text}".encode()
    assert IDENT.identify(page).label == "zxx"


@pytest.mark.parametrize("text", LATIN)
def test_real_latin(text: str) -> None:
    assert Identifier(priors="uniform").identify_text(text).label == "lat_Latn"
