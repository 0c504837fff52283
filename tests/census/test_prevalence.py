"""Corrected shares: nearer to the truth than counts, with intervals that hold it; on confusions that the correction has not seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.census import simulated
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
def test_corrected_shares_are_nearer_to_the_truth(name: str) -> None:
    scene, least = SCENES[name]
    scores = []
    for seed in range(CENSUSES):
        census = simulated.simulated(seed, **scene)
        scores.append(simulated.score(census, simulated.mended(census, draws=80)))
    counted, mended, by_count, by_mended = np.mean(
        [(one.counted, one.corrected, one.counted_covers, one.covers) for one in scores], axis=0
    )
    assert min(one.labels for one in scores) > 50
    assert mended < counted
    assert by_mended > max(by_count, least)


def known(wrong: float, items: int = 100_000) -> dict[str, Confusion]:
    """Icelandic is answered as Faroese so often, and nothing else is mistaken; measured on very many items."""
    lost = int(items * wrong)
    counts = {
        ("isl_Latn", "isl_Latn"): items - lost, ("isl_Latn", "fao_Latn"): lost, ("fao_Latn", "fao_Latn"): items,
        ("rus_Cyrl", "rus_Cyrl"): items,
    }  # fmt: skip
    return dict.fromkeys(LENGTHS, Confusion({pair: count for pair, count in counts.items() if count}))


def long_pages(*counts: float) -> dict[str, Any]:
    return {length: np.array(counts) * (length == "long") for length in LENGTHS}


def shares(counts: dict[str, Any], matrices: dict[str, Confusion], worth: float = 1.0) -> prevalence.Corrected:
    effective = worth * sum(counts.values())
    return corrected(NAMES[: len(effective)], [1] * len(effective), counts, effective, matrices)


def test_what_is_known_exactly_is_undone() -> None:
    """Of 10,000 pages of each language 2,000 Icelandic ones were answered as Faroese."""
    found = shares(long_pages(8000, 12000, 10000), known(0.2))
    assert found.share == pytest.approx([1 / 3] * 3, abs=0.003)
    assert np.all((found.low < 1 / 3) & (found.high > 1 / 3))


def test_without_errors_nothing_changes() -> None:
    found = shares(long_pages(8000, 12000, 10000), known(0.0))
    assert found.share == pytest.approx([8 / 30, 12 / 30, 10 / 30], abs=0.002)


def test_a_language_that_was_seen_by_errors_only_is_nearly_gone() -> None:
    found = shares(long_pages(8000, 2000, 0), known(0.2))
    assert found.share[1] < 0.02 and found.low[1] < 0.005


def test_every_length_has_its_own_errors() -> None:
    matrices = known(0.0) | {"short": known(0.5)["short"]}
    counts = long_pages(1000, 1000, 1000) | {"short": np.array([500.0, 1500.0, 0.0])}
    found = shares(counts, matrices)
    assert found.share == pytest.approx([2000 / 5000, 2000 / 5000, 1000 / 5000], abs=0.01)


def test_pages_that_go_together_are_worth_less() -> None:
    counts = long_pages(800, 1200, 1000)
    wide, narrow = (shares(counts, known(0.1), worth) for worth in (0.05, 1.0))
    assert np.all(wide.high - wide.low > 2 * (narrow.high - narrow.low))


def test_few_measured_items_make_wide_intervals() -> None:
    counts = long_pages(8000, 12000, 10000)
    few, many = (shares(counts, known(0.2, items)) for items in (20, 100_000))
    assert np.all((few.high - few.low)[:2] > 2 * (many.high - many.low)[:2])


def test_the_same_census_is_corrected_alike_every_time() -> None:
    one, other = (shares(long_pages(80, 120, 100), known(0.2, 50)) for _ in range(2))
    assert np.array_equal(one.share, other.share) and np.array_equal(one.low, other.low)


@pytest.mark.parametrize(
    "counts", [(1.0,), (0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 0.0, 0.0), (1e7, 1.0, 1.0), (1.0, 1e9, 0.0)]
)
def test_shares_are_shares(counts: tuple[float, ...]) -> None:
    found = shares(long_pages(*counts), confusion())
    assert np.all(np.isfinite(found.share)) and np.all((found.low <= found.share) & (found.share <= found.high))
    assert np.all((found.low >= 0) & (found.high <= 1))
    assert found.share.sum() == pytest.approx(1 if sum(counts) else 0, abs=0.02)


def test_labels_that_no_list_has() -> None:
    names = ("isl_Latn", "qqq_Zzzz", "", "nonsense")
    counts = {length: np.array([100.0, 50.0, 25.0, 25.0]) for length in LENGTHS}
    found = corrected(names, [1, 0, 0, 3], counts, sum(counts.values()))
    assert found.share.sum() == pytest.approx(1, abs=0.02) and found.share[1] > 0.1


def test_shares_of_a_draw_are_those_of_a_whole_matrix() -> None:
    """The rows of the matrix are kept in parts; here they are put together, and expectation and maximisation is done as in the paper."""
    tiers = Identifier().tiers
    names = sorted({*sorted(tiers)[:150], "eng_Latn", "hrv_Latn", "bos_Latn", "srp_Latn", "srp_Cyrl", "rus_Cyrl"})
    rng = np.random.default_rng(4)
    counts = rng.integers(1, 5000, (1, len(names))).astype(float)
    drawn = prevalence._Rows(names, [tiers.get(name, 3) for name in names], confusion()["short"]).drawn(
        rng, 1, counts[0]
    )
    whole = np.diag(drawn.right[0])
    np.add.at(whole, (drawn.true.to, drawn.answer.to), drawn.errors[0])
    scripts, groups = drawn.script.to, drawn.group.to
    whole += np.where(scripts[:, None] == scripts, drawn.to_script[0][:, None] * drawn.attraction[0], 0)
    whole += np.where(groups[:, None] == groups, drawn.to_group[0][:, None], 0)
    for place, label in enumerate(drawn.heavy):
        np.add.at(whole[label], drawn.atoms[0, place], drawn.weights[0, place])
    assert np.all(whole.sum(axis=1) <= 1 + 1e-9) and np.all(whole.sum(axis=1) > 0.05)
    expected = counts[0] / counts.sum()
    for _ in range(prevalence.ROUNDS):
        expected = expected * (whole @ (counts[0] / (expected @ whole))) / counts.sum()
    assert prevalence._shares(drawn, counts)[0] == pytest.approx(expected / expected.sum(), rel=1e-4, abs=1e-7)


def test_error_rates_are_fitted_to_what_was_measured() -> None:
    """Many labels with errors drawn from one Beta: it is found again."""
    rng = np.random.default_rng(2)
    rates = rng.beta(2, 18, 400)
    items = {f"{i}": 200 for i in range(400)}
    wrong = {f"{i}": int(rng.binomial(200, rate)) for i, rate in enumerate(rates)}
    a, b = prevalence._beta(items, wrong, list(items))
    assert a / (a + b) == pytest.approx(0.1, rel=0.35) and 8 < a + b < 50


def test_what_was_measured_is_of_known_labels() -> None:
    for length, found in confusion().items():
        assert length in LENGTHS
        assert all(labels.parse(true) and count > 0 for (true, _), count in found.counts.items())
        assert sum(found.items.values()) - sum(found.wrong.values()) == sum(
            count for (true, answer), count in found.counts.items() if true == answer
        )
    assert len(measured_model()) >= 8
    assert [length_of(letters) for letters in (0, 59, 60, 199, 200, 10**6)] == [
        "short", "short", "middling", "middling", "long", "long",
    ]  # fmt: skip
