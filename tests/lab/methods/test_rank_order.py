"""Cavnar and Trenkle's distance by hand, and the settings of Cai 2009 and Hayati 2004."""

from __future__ import annotations

import pytest

from tests.lab.methods.texts import CORPUS, NEW
from webtongue.lab.methods.grams import Grams
from webtongue.lab.methods.rank_order import RankOrder, RankOrderSettings

LETTERS = RankOrderSettings(Grams(sizes=(1,)), profile=3)


def test_out_of_place_by_hand() -> None:
    """Profiles: x is a b c, y is c a (nothing third). The document's list is c a d.

    With x: |3-1| + |1-2| + |4-3| = 4. With y: |1-1| + |2-2| + |4-3| = 1.
    """
    scores = RankOrder.fit({"x": ["aaabbc"], "y": ["ccca"]}, LETTERS)
    assert scores.score("cccaad") == {"x": -4.0, "y": -1.0}


def test_a_short_document_has_a_short_sum() -> None:
    assert RankOrder.fit({"x": ["aaabbc"]}, LETTERS).score("z") == {"x": -3.0}  # |4-1|


def test_ties_go_to_the_first_in_the_text() -> None:
    assert RankOrder.fit({"x": ["cab"]}, LETTERS).names == ("c", "a", "b")


def test_least_count() -> None:
    settings = RankOrderSettings(Grams(sizes=(1,)), profile=3, least=2)
    assert RankOrder.fit({"x": ["aaabbc"]}, settings).names == ("a", "b")


def test_one_border_for_all() -> None:
    settings = RankOrderSettings(Grams(sizes=(1,)), profile=3, border=1.0)
    model = RankOrder.fit({"x": ["aaabbc"]}, settings)
    assert model.answer("aaabbc").label == "x"  # distance 0
    declined = model.answer("cccbba")  # (2 + 0 + 2) / 3 > 1
    assert declined.label == "und" and "border" in declined.reason


def test_a_border_for_each_model() -> None:
    settings = RankOrderSettings(Grams(sizes=(1,)), profile=3, border_quantile=1.0)
    model = RankOrder.fit({"x": ["aaabbc", "aabb"], "y": ["xyz"]}, settings)
    assert model.borders.tolist() == [0.0, 0.0]
    assert model.answer("aaabbc").label == "x" and model.answer("cccbba").label == "und"


def test_alternatives_within_a_factor() -> None:
    settings = RankOrderSettings(Grams(sizes=(1,)), profile=3, factor=4.0)
    model = RankOrder.fit({"x": ["aaabbc"], "y": ["ccca"], "z": ["qrs"]}, settings)
    assert model.answer("cccaad").alternatives == ("x",)  # distances 4, 1, 3+2+1=6


def test_a_profile_for_each_encoding() -> None:
    settings = RankOrderSettings(Grams(sizes=(1, 2, 3)), encodings=("utf-8", "windows-1253"))
    model = RankOrder.fit(CORPUS, settings)
    assert "ell_Grek_windows-1253" in model.labels and "deu_Latn_windows-1252" not in model.labels
    greek = model.answer(NEW["ell_Grek"].encode("cp1253"))
    assert (greek.label, greek.encoding) == ("ell_Grek", "windows-1253")
    assert model.answer(NEW["ell_Grek"].encode()).encoding == "utf-8"


@pytest.mark.parametrize("edges", ["plain", "wrap", "pad"])
@pytest.mark.parametrize("unit", ["byte", "character"])
def test_units_and_edges(unit: str, edges: str) -> None:
    model = RankOrder.fit(CORPUS, RankOrderSettings(Grams(unit=unit, sizes=(1, 2, 3, 4, 5), edges=edges)))
    assert [model.answer(text).label for text in NEW.values()] == list(NEW)
