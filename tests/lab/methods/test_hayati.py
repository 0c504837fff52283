"""Hayati's link methods, step by step."""

from __future__ import annotations

import pytest

from webtongue.lab.methods import hayati

FRENCH = "le chat dort sur le mur de la maison et la pluie tombe " * 3
GERMAN = "die Katze schläft auf der Mauer und der Regen fällt " * 3
ENGLISH = "the cat sleeps on the wall of the house and rain falls " * 3


def by_word(text: str) -> str:
    words = text.split()
    return "fra" if "le" in words else "deu" if "die" in words else "eng"


def test_pages_longer_than_the_minimum_are_classified_by_their_own_text() -> None:
    assert hayati.inlinks("x" * 51, [FRENCH] * 9, by_word) == "eng"
    assert hayati.inlinks("x" * 50, [FRENCH] * 9, by_word) == "fra"  # the paper: longer than MIN_LENGTH
    assert hayati.inlinks("x" * 51, [FRENCH] * 9, by_word, min_length=100) == "fra"


def test_the_page_itself_has_one_vote() -> None:
    assert hayati.inlinks("die Katze", [FRENCH, FRENCH, GERMAN, GERMAN], by_word) == "deu"  # two and three
    assert hayati.inlinks("die Katze", [FRENCH, FRENCH], by_word) == "fra"
    assert hayati.inlinks("die Katze", [GERMAN, FRENCH], by_word) == "deu"  # two and one: no tie


def test_ties_that_the_page_is_not_in_go_to_the_first() -> None:
    assert hayati.inlinks("ok", [FRENCH, GERMAN, GERMAN, FRENCH], by_word) == "fra"
    assert hayati.inlinks("ok", [GERMAN, FRENCH, GERMAN, FRENCH], by_word) == "deu"


def test_short_linking_pages_do_not_vote() -> None:
    page = "le " + "x" * 146
    assert len(page) == 149
    assert hayati.inlinks("ok", [page] * 5, by_word) == "eng"
    assert hayati.inlinks("ok", [page + "x"] * 5, by_word) == "fra"


def test_at_most_ten_linking_pages_vote() -> None:
    assert hayati.inlinks("ok", ["short"] * 5 + [FRENCH] * 10 + [GERMAN] * 90, by_word) == "fra"


def test_the_classifier_is_called_once_per_page() -> None:
    classified: list[str] = []

    def record(text: str) -> str:
        classified.append(text)
        return by_word(text)

    hayati.inlinks("ok", [FRENCH, GERMAN, *[ENGLISH] * 20], record)
    assert len(classified) == 11


def test_outlinks_have_no_vote_of_the_page() -> None:
    assert hayati.outlinks("die Katze", ["le chat"], by_word) == "fra"
    assert hayati.outlinks("die Katze", [], by_word) == "deu"
    assert hayati.outlinks("die " + "x" * 50, ["le chat"], by_word) == "deu"
    assert hayati.outlinks("ok", ["le chat", "die Katze", "die Maus"], by_word) == "deu"


@pytest.mark.parametrize("labels", [["a"], ["a", "b"], ["a", "b", "b", "a"]])
def test_majority_keeps_order(labels: list[str]) -> None:
    assert hayati.majority(labels) == "a"


def test_the_open_numbers_are_settings() -> None:
    short = "le " + "x" * 60
    assert hayati.inlinks("ok", [short] * 5, by_word, min_ref_length=50) == "fra"
    linking = [FRENCH] * 2 + [GERMAN] * 9
    assert hayati.inlinks("ok", linking, by_word, max_inlinks=3) == "fra"
    assert hayati.inlinks("ok", linking, by_word, max_inlinks=11) == "deu"


def test_ties_go_to_the_links() -> None:
    """Section 5.6 selects the most common language of the linking pages: a single link decides, or it would change nothing."""
    assert hayati.inlinks("die Katze", [FRENCH], by_word) == "fra"
    assert hayati.inlinks("die Katze", [GERMAN, FRENCH, FRENCH], by_word) == "fra"  # two and two, two of three links
    assert hayati.inlinks("die Katze", [], by_word) == "deu"


def test_the_own_guess_may_win_ties() -> None:
    assert hayati.inlinks("die Katze", [FRENCH], by_word, own_wins=True) == "deu"
    assert hayati.inlinks("die Katze", [FRENCH, FRENCH, GERMAN], by_word, own_wins=True) == "deu"  # two and two
    assert hayati.inlinks("die Katze", [FRENCH, FRENCH], by_word, own_wins=True) == "fra"
