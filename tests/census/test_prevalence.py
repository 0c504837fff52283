"""Corrected shares have smaller errors than counts, and valid intervals, on confusions that the correction does not use."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.census import simulated_censuses
from webtongue import Identifier, labels
from webtongue.census import prevalence
from webtongue.census.prevalence import LENGTHS, Confusion, confusion, corrected, length_of, measured_model

CENSUSES = 5
SCENES: dict[str, tuple[dict[str, Any], float]] = {  # and what intervals cover at least
    "the web's languages": ({"pages": 300_000}, 0.90),
    "mostly short pages": ({"pages": 300_000, "lengths": (0.6, 0.3, 0.1)}, 0.87),
    "languages alike": ({"pages": 200_000, "even": True}, 0.86),
}
NAMES = ("isl_Latn", "fao_Latn", "rus_Cyrl")


@pytest.mark.parametrize("name", SCENES)
def test_corrected_shares_have_smaller_errors(name: str) -> None:
    scene, least = SCENES[name]
    scores = []
    for seed in range(CENSUSES):
        census = simulated_censuses.simulated(seed, **scene)
        scores.append(simulated_censuses.score(census, simulated_censuses.mended(census, draws=80)))
    counted, mended, by_count, by_mended = np.mean(
        [(one.counted, one.corrected, one.counted_covers, one.covers) for one in scores], axis=0
    )
    assert min(one.labels for one in scores) > 50
    assert mended < counted
    assert by_mended > max(by_count, least)


def matrices_with_error(wrong: float, items: int = 100_000) -> dict[str, Confusion]:
    """Return matrices in which only Icelandic is confused with Faroese, at this rate, measured on many items."""
    lost = int(items * wrong)
    counts = {
        ("isl_Latn", "isl_Latn"): items - lost, ("isl_Latn", "fao_Latn"): lost, ("fao_Latn", "fao_Latn"): items,
        ("rus_Cyrl", "rus_Cyrl"): items,
    }  # fmt: skip
    return dict.fromkeys(LENGTHS, Confusion({pair: count for pair, count in counts.items() if count}))


def long_pages(*counts: float) -> dict[str, Any]:
    return {length: np.array(counts) * (length == "long") for length in LENGTHS}


def shares(counts: dict[str, Any], matrices: dict[str, Confusion], weight: float = 1.0) -> prevalence.Corrected:
    effective = weight * sum(counts.values())
    return corrected(NAMES[: len(effective)], [1] * len(effective), counts, effective, matrices)


def test_exactly_known_errors_are_removed() -> None:
    """Of 10,000 pages of each language, 2,000 Icelandic ones are identified as Faroese."""
    result = shares(long_pages(8000, 12000, 10000), matrices_with_error(0.2))
    assert result.share == pytest.approx([1 / 3] * 3, abs=0.003)
    assert np.all((result.low < 1 / 3) & (result.high > 1 / 3))


def test_without_errors_nothing_changes() -> None:
    result = shares(long_pages(8000, 12000, 10000), matrices_with_error(0.0))
    assert result.share == pytest.approx([8 / 30, 12 / 30, 10 / 30], abs=0.002)


def test_a_label_with_only_errors_is_nearly_removed() -> None:
    result = shares(long_pages(8000, 2000, 0), matrices_with_error(0.2))
    assert result.share[1] < 0.02 and result.low[1] < 0.005


def test_each_length_class_has_its_own_matrix() -> None:
    matrices = matrices_with_error(0.0) | {"short": matrices_with_error(0.5)["short"]}
    counts = long_pages(1000, 1000, 1000) | {"short": np.array([500.0, 1500.0, 0.0])}
    result = shares(counts, matrices)
    assert result.share == pytest.approx([2000 / 5000, 2000 / 5000, 1000 / 5000], abs=0.01)


def test_dependent_pages_make_wide_intervals() -> None:
    counts = long_pages(800, 1200, 1000)
    wide, narrow = (shares(counts, matrices_with_error(0.1), weight) for weight in (0.05, 1.0))
    assert np.all(wide.high - wide.low > 2 * (narrow.high - narrow.low))


def test_few_measured_items_make_wide_intervals() -> None:
    counts = long_pages(8000, 12000, 10000)
    few, many = (shares(counts, matrices_with_error(0.2, items)) for items in (20, 100_000))
    assert np.all((few.high - few.low)[:2] > 2 * (many.high - many.low)[:2])


def test_the_correction_is_deterministic() -> None:
    one, other = (shares(long_pages(80, 120, 100), matrices_with_error(0.2, 50)) for _ in range(2))
    assert np.array_equal(one.share, other.share) and np.array_equal(one.low, other.low)


@pytest.mark.parametrize(
    "counts", [(1.0,), (0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 0.0, 0.0), (1e7, 1.0, 1.0), (1.0, 1e9, 0.0)]
)
def test_shares_are_finite_and_within_their_intervals(counts: tuple[float, ...]) -> None:
    result = shares(long_pages(*counts), confusion())
    assert np.all(np.isfinite(result.share)) and np.all((result.low <= result.share) & (result.share <= result.high))
    assert np.all((result.low >= 0) & (result.high <= 1))
    assert result.share.sum() == pytest.approx(1 if sum(counts) else 0, abs=0.02)


def test_unknown_labels_are_accepted() -> None:
    names = ("isl_Latn", "qqq_Zzzz", "", "nonsense")
    counts = {length: np.array([100.0, 50.0, 25.0, 25.0]) for length in LENGTHS}
    result = corrected(names, [1, 0, 0, 3], counts, sum(counts.values()))
    assert result.share.sum() == pytest.approx(1, abs=0.02) and result.share[1] > 0.1


def test_shares_equal_those_of_the_dense_matrix() -> None:
    """The matrix is stored in parts; this test assembles it, and runs expectation maximisation as in the paper."""
    tiers = Identifier().tiers
    names = sorted({*sorted(tiers)[:150], "eng_Latn", "hrv_Latn", "bos_Latn", "srp_Latn", "srp_Cyrl", "rus_Cyrl"})
    rng = np.random.default_rng(4)
    counts = rng.integers(1, 5000, (1, len(names))).astype(float)
    matrix = prevalence._ConfusionPrior(names, [tiers.get(name, 3) for name in names], confusion()["short"]).sample(
        rng, 1, counts[0]
    )
    whole = np.diag(matrix.right[0])
    np.add.at(whole, (matrix.true.to, matrix.answer.to), matrix.errors[0])
    scripts, groups = matrix.script.to, matrix.group.to
    whole += np.where(scripts[:, None] == scripts, matrix.to_script[0][:, None] * matrix.attraction[0], 0)
    whole += np.where(groups[:, None] == groups, matrix.to_group[0][:, None], 0)
    for position, label in enumerate(matrix.frequent):
        np.add.at(whole[label], matrix.atoms[0, position], matrix.weights[0, position])
    assert np.all(whole.sum(axis=1) <= 1 + 1e-9) and np.all(whole.sum(axis=1) > 0.05)
    expected = counts[0] / counts.sum()
    for _ in range(prevalence.MAX_ITERATIONS):
        expected = expected * (whole @ (counts[0] / (expected @ whole))) / counts.sum()
    assert prevalence._estimate_shares(matrix, counts)[0] == pytest.approx(
        expected / expected.sum(), rel=1e-4, abs=1e-7
    )


def test_error_rates_are_fitted() -> None:
    """The Beta from which the error rates of many labels are sampled is recovered."""
    rng = np.random.default_rng(2)
    rates = rng.beta(2, 18, 400)
    items = {f"{i}": 200 for i in range(400)}
    wrong = {f"{i}": int(rng.binomial(200, rate)) for i, rate in enumerate(rates)}
    a, b = prevalence._fit_beta(items, wrong, list(items))
    assert a / (a + b) == pytest.approx(0.1, rel=0.35) and 8 < a + b < 50


def test_measured_labels_are_matrices_with_error() -> None:
    for length, result in confusion().items():
        assert length in LENGTHS
        assert all(labels.parse(true) and count > 0 for (true, _), count in result.counts.items())
        assert sum(result.items.values()) - sum(result.wrong.values()) == sum(
            count for (true, answer), count in result.counts.items() if true == answer
        )
    assert len(measured_model()) >= 8
    assert [length_of(letters) for letters in (0, 59, 60, 199, 200, 10**6)] == [
        "short", "short", "middling", "middling", "long", "long",
    ]  # fmt: skip
