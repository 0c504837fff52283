"""Placeholder text is no language, in any order of its words; real Latin is Latin."""

from __future__ import annotations

import random

import pytest

from tests.quality.sentences import SENTENCES
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


def placeholder_paragraph(seed: int, sentences: int) -> str:
    rnd = random.Random(seed)
    return " ".join(" ".join(rnd.choices(PASSAGE, k=12)).capitalize() + "." for _ in range(sentences))


SHAPES = {
    "text before": "<p>{text}</p><p>{placeholder}</p>",
    "text after": "<p>{placeholder}</p><p>{text}</p>",
    "text between": "<h2>Lorem ipsum</h2><p>{placeholder}</p><p>{text}</p><p>{placeholder}</p>",
    "same paragraph": "<p>{text} {placeholder}</p>",
}


@pytest.mark.parametrize("sentences", [1, 2, 12])
@pytest.mark.parametrize("shape", SHAPES)
def test_placeholder_text_beside_text(shape: str, sentences: int) -> None:
    """The answer is that for the text alone, and placeholder text is no language of the page."""
    wrong = []
    for seed, texts in enumerate(SENTENCES.values()):
        alone = IDENT.identify_text(texts[0])
        body = SHAPES[shape].format(text=texts[0], placeholder=placeholder_paragraph(seed, sentences))
        verdicts = [IDENT.identify(f"<meta charset=utf-8>{body}".encode())]
        verdicts.append(IDENT.identify_text(body.replace("</p>", "\n\n").replace("<p>", "")))
        wrong += [
            (alone.label, v.label, v.languages) for v in verdicts if v.label != alone.label or len(v.languages) > 1
        ]
    assert len(wrong) <= 0.05 * 2 * len(SENTENCES), wrong


@pytest.mark.parametrize("menu", ["Home About Blog", "Startseite Kontakt", "Inicio Acerca de"])
def test_a_template_with_a_menu_is_placeholder_text(menu: str) -> None:
    items = "".join(f"<li>{item}</li>" for item in menu.split())
    page = f"<title>Template</title><ul>{items}</ul><p>{placeholder_paragraph(3, 5)}</p>"
    assert IDENT.identify(page.encode()).reason is Reason.PLACEHOLDER_TEXT
