"""Names and terms in Latin letters do not decide the script of a text."""

from __future__ import annotations

import random

import pytest

from tests.twins.text import latin_names as twin
from webtongue import _kernel, identify_text

PIECES = (
    "Around", "the", "World", "for", "Free", "снимка", "е", "от", "写真", "です", '"', "«", "»", "“", "”", "(", ")", "9", "\n", "'s", "-", ",",
    "library", "opens", "LIBRARY", "Ελλάδα", "é", "École", "「", "」", "̈", "ขอบคุณ", "ทุกวันครับ", "ありがとうございます", "감사합니다", "w", "спасибо", "it's", "Wi-Fi",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_equals_the_twin(seed: int) -> None:
    rnd = random.Random(seed)
    for _ in range(500):
        text = rnd.choice((" ", "")).join(rnd.choices(PIECES, k=rnd.randrange(1, 14)))
        assert _kernel.count_latin_names(text) == twin.count_latin_names(text), text


@pytest.mark.parametrize(
    "text, label",
    [
        ('Тази снимка е от "Around the World for Free".', "bul_Cyrl"),
        ("Коментари към New Garden Easy Spinner", "bul_Cyrl"),
        ("Κριτική από: Maria Andres Millan", "ell_Grek"),
        ("Новый альбом группы The Northern Morning Lights Orchestra", "rus_Cyrl"),
        ("新しいGreen Mountain Coffee Roastersの店", "jpn_Jpan"),
        ('The Russian word "библиотека" means a place where people read books.', "eng_Latn"),
        ("Das russische Wort für Bücherei ist библиотека und wird oft gebraucht.", "deu_Latn"),
    ],
)
def test_script_is_that_of_the_running_text(text: str, label: str) -> None:
    assert identify_text(text).label == label
