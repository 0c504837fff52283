"""Measures, against figures worked out by hand."""

from __future__ import annotations

import math

import pytest

from webtongue.lab.evaluate import measures
from webtongue.lab.evaluate.measures import Confusion, Share

# a: 3 items, 2 right, 1 taken for b; b: 2 items, 1 right, 1 taken for x (no gold label); c: 1 item, undecided.
GOLD = ["a", "a", "a", "b", "b", "c"]
SAID = ["a", "a", "b", "b", "x", "und"]


def test_accuracy() -> None:
    assert measures.compute_accuracy(GOLD, SAID) == Share(3, 6)
    assert measures.compute_accuracy(GOLD, SAID).value == 0.5
    assert measures.compute_accuracy([], []).value == 0.0


def test_accuracy_refuses_lists_of_two_lengths() -> None:
    with pytest.raises(ValueError):
        measures.compute_accuracy(["a"], [])


def test_accuracy_by_key() -> None:
    assert measures.compute_accuracy_by(list("ppqqqq"), GOLD, SAID) == {"p": Share(2, 2), "q": Share(1, 4)}


def test_f1_of_each_label() -> None:
    scores = measures.compute_f1_by_label(GOLD, SAID)
    assert set(scores) == {"a", "b", "c", "x", "und"}
    assert (scores["a"].precision, scores["a"].recall, scores["a"].f1) == (1.0, 2 / 3, 2 * 2 / (3 + 2))
    assert (scores["b"].precision, scores["b"].recall, scores["b"].f1) == (0.5, 0.5, 0.5)
    assert (scores["c"].f1, scores["x"].f1, scores["x"].items) == (0.0, 0.0, 0)


def test_macro_f1_over_gold_and_over_all_labels() -> None:
    assert measures.compute_macro_f1(GOLD, SAID) == pytest.approx((0.8 + 0.5 + 0.0) / 3)
    assert measures.compute_macro_f1(GOLD, SAID, observed=True) == pytest.approx((0.8 + 0.5) / 5)
    assert measures.compute_macro_f1([], []) == 0.0


def test_macro_f1_interval_is_fixed_and_holds_the_figure() -> None:
    gold, answers = GOLD * 50, SAID * 50
    low, high = measures.compute_macro_f1_interval(gold, answers)
    assert low < measures.compute_macro_f1(gold, answers) < high
    assert high - low < 0.12
    assert measures.compute_macro_f1_interval(gold, answers) == (low, high)
    assert measures.compute_macro_f1_interval(["a", "b"], ["a", "b"]) == (1.0, 1.0)
    assert measures.compute_macro_f1_interval([], []) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("right", "total", "low", "high"),
    # Newcombe 1998, table I, method 3 (score without continuity correction)
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_as_published(right: int, total: int, low: float, high: float) -> None:
    assert measures.wilson_interval(right, total) == pytest.approx((low, high), abs=5e-5)


def test_wilson_of_nothing_says_nothing() -> None:
    assert measures.wilson_interval(0, 0) == (0.0, 1.0)


def test_mcnemar() -> None:
    assert measures.mcnemar_probability(0, 0) == 1.0
    assert measures.mcnemar_probability(1, 5) == 2 * (1 + 6) / 64
    assert measures.mcnemar_probability(5, 1) == measures.mcnemar_probability(1, 5)
    assert measures.mcnemar_probability(4, 4) == 1.0


def test_mcnemar_of_many_pairs_goes_over_smoothly() -> None:
    exact, approximate = measures.mcnemar_probability(470, 530), measures.mcnemar_probability(471, 530)
    assert exact == pytest.approx(approximate, abs=0.005)
    assert approximate == pytest.approx(math.erfc(math.sqrt(58**2 / 1001 / 2)))


def test_calibration_error() -> None:
    # two bins of two: |0.1 + 0.3 - 1| and |0.7 + 0.9 - 1|, each over four answers
    assert measures.compute_calibration_error(
        [0.9, 0.1, 0.7, 0.3], [True, False, False, True], bins=2
    ) == pytest.approx(0.3)
    assert measures.compute_calibration_error([1.0, 1.0], [True, True]) == 0.0
    assert measures.compute_calibration_error([1.0, 1.0], [False, False]) == 1.0
    assert measures.compute_calibration_error([], []) == 0.0


def test_calibration_bins_are_of_equal_mass() -> None:
    # bins of equal width would put all four into one, where the errors cancel
    assert measures.compute_calibration_error(
        [0.91, 0.92, 0.93, 0.94], [True, True, True, False], bins=2
    ) == pytest.approx((abs(1.83 - 2) + abs(1.87 - 1)) / 4)


def test_confusions_are_ranked_and_ties_by_name() -> None:
    assert measures.count_confusions(["a", "b", "b", "c"], ["b", "a", "a", "c"]) == [
        Confusion("b", "a", 2),
        Confusion("a", "b", 1),
    ]
    assert len(measures.count_confusions(GOLD, SAID, max_count=1)) == 1


def test_worst_labels_come_with_what_they_were_taken_for() -> None:
    labels = measures.find_worst_labels(GOLD, SAID, max_count=2)
    assert [row.label for row in labels] == ["c", "b"]
    assert labels[1].taken_for == (Confusion("b", "x", 1),)


@pytest.mark.parametrize(
    ("characters", "bucket"),
    [
        (0, "<=10"),
        (10, "<=10"),
        (11, "11-20"),
        (20, "11-20"),
        (50, "21-50"),
        (51, "51-100"),
        (200, "101-200"),
        (201, "200+"),
    ],
)
def test_length_buckets(characters: int, bucket: str) -> None:
    assert measures.get_length_bucket(characters) == bucket
