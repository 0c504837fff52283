"""Martins and Silva's heuristics, each by a page of its own, and Lin's similarity by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.lab.methods.texts import CORPUS, NEW
from webtongue import Page
from webtongue.lab.methods.grams import Grams
from webtongue.lab.methods.martins_silva import MartinsSilva, MartinsSilvaSettings, extract, lin_similarity

SETTINGS = MartinsSilvaSettings()


@pytest.fixture(scope="module")
def model() -> MartinsSilva:
    return MartinsSilva.fit(CORPUS)


def page(body: str, lang: str = "", head: str = "") -> Page:
    return Page(f"<html{lang and f' lang={lang}'}><head>{head}</head><body>{body}".encode())


def test_lin() -> None:
    assert lin_similarity(np.array([1.5]), 2.0, np.array([4.0])).tolist() == [0.5]  # 2 x 1.5 / (2 + 4)


def test_similarity_by_hand() -> None:
    """Letters as n-grams: P(a) = (1/2 + 1/4) / 2 = 3/8, P(b) = (1/2 + 0) / 2 = 1/4, P(c) = (0 + 3/4) / 2 = 3/8."""
    settings = MartinsSilvaSettings(grams=Grams(sizes=(1,), edges="pad"), least=1)
    model = MartinsSilva.fit({"xxx_Latn": ["ab"], "yyy_Latn": ["accc"]}, settings)
    a, b, c = -np.log(3 / 8), -np.log(1 / 4), -np.log(3 / 8)
    scores = model.score("ab")
    assert scores["xxx_Latn"] == pytest.approx(2 * (a + b) / (a + b + a + b))
    assert scores["yyy_Latn"] == pytest.approx(2 * a / (a + b + a + c))
    unseen = np.log(6 + 1)  # six letters in training
    assert model.score("az")["xxx_Latn"] == pytest.approx(2 * a / (a + unseen + a + b))


def test_declared_languages_other_than_english_are_believed(model: MartinsSilva) -> None:
    assert model.answer(page(f"<p>{NEW['deu_Latn']}", "it")).label == "ita_Latn"
    assert model.answer(page(f"<p>{NEW['deu_Latn']}", "en")).label == "deu_Latn"
    assert model.answer(page(f"<p>{NEW['deu_Latn']}", "{{lang}}")).label == "deu_Latn"


def test_common_strings_and_alternative_text_are_left_out() -> None:
    extracted = extract(page("<p>Welcome to our website<p>12.5<p>Buon giorno a tutti<img alt='not this'>"), SETTINGS)
    assert extracted.texts == (("Buon giorno a tutti", 1),)


def test_title_and_metadata_have_weights() -> None:
    head = "<title>Il titolo</title><meta name=description content='La descrizione della pagina'>"
    extracted = extract(page("<p>Buon giorno a tutti", head=head), SETTINGS)
    assert sorted(extracted.texts, key=lambda t: t[1]) == [
        ("Buon giorno a tutti", 1), ("La descrizione della pagina", 2), ("Il titolo", 3),
    ]  # fmt: skip


def test_short_text_is_unknown(model: MartinsSilva) -> None:
    answer = model.answer(page("<p>Buon giorno a tutti"))
    assert (answer.label, answer.reason) == ("und", "fewer characters of text than it takes")


def test_the_largest_block_decides_hard_cases() -> None:
    settings = MartinsSilvaSettings(clear=10.0, profile=60)  # nothing is ever clear
    small = "".join(f"<p>{text}" for text in CORPUS["eng_Latn"])
    largest = " ".join(map(str, CORPUS["ita_Latn"]))
    mixed = page(f"<p>{largest}{small}{small}")
    hard = MartinsSilva.fit(CORPUS, settings)
    easy = MartinsSilva.fit(CORPUS, MartinsSilvaSettings(clear=0.0, profile=60))
    assert extract(mixed, settings).largest == largest
    assert easy.answer(mixed).label == "eng_Latn"
    assert hard.answer(mixed).label == "ita_Latn"
