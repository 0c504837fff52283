"""The statistics of estimates: limits against sums of probabilities, equal chances of a draw, coverage and width on generated webs."""

from __future__ import annotations

import importlib.util
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webtongue.census.estimate.draw import draw_hosts
from webtongue.census.estimate.estimator import Sample, estimate, make_frame
from webtongue.census.estimate.fetch import integer_weights
from webtongue.census.estimate.intervals import event_limits
from webtongue.census.estimate.nonresponse import adjust_design
from webtongue.census.estimate.strata import MIN_FETCHES, NO_LABEL, WEAK, Cell, Design, allocate, form_strata

BENCH = Path(__file__).parents[3] / "bench"
TAIL = 0.025


def load_bench() -> Any:
    sys.path.insert(0, str(BENCH))
    try:
        spec = importlib.util.spec_from_file_location("estimate_bench", BENCH / "estimate.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["estimate_bench"] = module
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.remove(str(BENCH))


def poisson_below(count: int, mean: float) -> float:
    """The probability of at most so many events."""
    return sum(math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(count + 1))


@pytest.mark.parametrize("count", [0, 1, 2, 5, 12, 40, 200])
def test_limits_of_equal_weights_are_those_of_a_poisson_count(count: int) -> None:
    weight = 7.0
    total, variance = np.array([count * weight]), np.array([count * weight**2])
    low, high = (
        float(limit[0] / weight) for limit in event_limits(total, variance, np.array([weight]), np.array([True]))
    )
    assert poisson_below(count, high) == pytest.approx(TAIL, rel=0.01)
    if count:
        assert 1 - poisson_below(count - 1, low) == pytest.approx(TAIL, rel=0.01)
    low, high = (
        float(limit[0] / weight) for limit in event_limits(total, variance, np.array([weight]), np.array([False]))
    )
    before = poisson_below(count - 1, high) if count else 0.0
    assert (before + poisson_below(count, high)) / 2 == pytest.approx(TAIL, rel=0.05)
    if count:
        assert 1 - (poisson_below(count - 1, low) + poisson_below(count, low)) / 2 == pytest.approx(TAIL, rel=0.05)


def test_limits_without_unseen_pages_are_the_estimate() -> None:
    limits = event_limits(np.array([12.0, 0.0]), np.zeros(2), np.zeros(2), np.array([True, False]))
    assert [limit.tolist() for limit in limits] == [[12.0, 0.0], [12.0, 0.0]]


def test_every_page_has_the_same_chance() -> None:
    sizes = np.array([1, 2, 3, 50, 4, 140])
    rng = np.random.default_rng(3)
    repeats, fetches = 4000, 20
    takes = np.zeros(len(sizes))
    for _ in range(repeats):
        hosts = draw_hosts(sizes, fetches, rng)
        counts = np.bincount(hosts, minlength=len(sizes))
        assert (counts <= np.ceil(sizes * fetches / 200)).all()
        assert (counts >= np.floor(sizes * fetches / 200)).all()
        assert np.count_nonzero(np.diff(hosts)) == np.count_nonzero(counts) - 1  # fetches of a host are neighbours
        takes += counts
    expected = sizes * fetches / 200
    assert np.abs(takes / repeats - expected).max() < 4 * 0.5 / math.sqrt(repeats)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 5000), st.floats(0, 1e6)), min_size=1, max_size=30),
    st.integers(1, 20_000),
)
def test_an_allocation_spends_the_budget_within_the_strata(strata: list[tuple[int, float]], budget: int) -> None:
    pages = np.array([size for size, _ in strata])
    fetches = allocate(pages, np.array([score for _, score in strata]), budget)
    least = np.minimum(pages, 2)
    assert (least <= fetches).all() and (fetches <= pages).all()
    assert fetches.sum() == min(max(budget, least.sum()), pages.sum())


def test_small_cells_are_merged_and_rare_labels_are_sampled_more_densely() -> None:
    cells = [Cell("eng_Latn", 1, False, True, 900_000, 0.9), Cell(NO_LABEL, WEAK, False, True, 80_000, 0.0)]
    cells += [Cell("isl_Latn", 1, True, True, 1_000, 0.9)]
    cells += [Cell(f"x{n:02}_Latn", 1, True, large, 3, 0.9) for n in range(40) for large in (False, True)]
    design = form_strata(cells, 5_000)
    assert design.fetches.sum() == 5_000 and design.pages.sum() == sum(cell.pages for cell in cells)
    weights = dict(zip(design.names, design.weights, strict=True))
    assert len(weights) == 4 and weights["40 labels, url, national"] < weights["isl_Latn, url, national, large hosts"]
    assert weights["isl_Latn, url, national, large hosts"] < weights["eng_Latn, url, generic, large hosts"]
    assert weights["no prediction, weak, generic, large hosts"] < weights["eng_Latn, url, generic, large hosts"]
    assert min(design.fetches) >= MIN_FETCHES


def test_the_difference_estimator_by_hand() -> None:
    """Two strata: 100 pages predicted Icelandic, of which 10 are fetched, and 900 without a prediction, 30 fetched."""
    cells = [Cell("isl_Latn", 1, True, True, 100, 0.9), Cell(NO_LABEL, WEAK, False, True, 900, 0.0)]
    design = form_strata(cells, 40)
    order = np.argsort(design.pages)
    n = design.fetches[order]
    frame = make_frame(design, ("eng_Latn", "isl_Latn"))
    answer = np.concatenate([[0, 0], np.ones(n[0] - 2), [1], np.zeros(n[1] - 1)]).astype(int)
    stratum = np.concatenate([np.full(n[0], order[0]), np.full(n[1], order[1])])
    model = np.where(stratum == order[0], 1, -1)
    single = np.arange(len(answer)), np.ones(len(answer), int)
    result = estimate(Sample(stratum, *single, answer, model), design, frame)
    false, missed = 2 * 100 / n[0], 1 * 900 / n[1]
    assert result.total.tolist() == pytest.approx([900 - missed + false, 100 - false + missed])
    p, q = 2 / n[0], 1 / n[1]
    variance = 100**2 * (1 - n[0] / 100) * p * (1 - p) / (n[0] - 1) + 900**2 * (1 - n[1] / 900) * q * (1 - q) / (
        n[1] - 1
    )
    assert result.variance[1] == pytest.approx(variance)
    assert result.low[1] < result.total[1] < result.high[1]


def test_hosts_are_clusters() -> None:
    """A host with all events is a small part of the variance if it is a stratum of its own, and many hosts are a large one."""
    design = form_strata([Cell(NO_LABEL, WEAK, False, True, 10_000, 0.0)], 100)
    frame = make_frame(design, ("eng_Latn", "isl_Latn"))
    answer = np.array([1] * 20 + [0] * 80)
    zeros, none = np.zeros(100, int), np.full(100, -1)
    one_large = Sample(zeros, np.array([0] * 20 + list(range(1, 81))), np.array([2000] * 20 + [1] * 80), answer, none)
    many_small = Sample(zeros, np.arange(100), np.ones(100, int), answer, none)
    variances = [estimate(sample, design, frame).variance[1] for sample in (one_large, many_small)]
    assert variances[1] == pytest.approx(100**2 * 0.99 * 0.2 * 0.8 * 100 * 100 / 99, rel=0.02)
    assert variances[0] < variances[1] / 20


def test_reweighted_samples_are_unbiased_and_cover_the_truth() -> None:
    """Large and small hosts, of which a third of the fetches are lost; 400 draws, so the standard error of coverage is 1%."""
    rng = np.random.default_rng(7)
    sizes = np.array([900, 400, 200] + [1] * 500)
    is_event = [rng.random(size) < share for size, share in zip(sizes, [0.8, 0.1, 0.4] + [0.3] * 500, strict=True)]
    truth = sum(int(host.sum()) for host in is_event)
    cell = Cell(NO_LABEL, WEAK, False, True, int(sizes.sum()), 0.0)
    design, repeats, totals, covered = form_strata([cell], 300), 400, [], 0
    for _ in range(repeats):
        drawn = draw_hosts(sizes, 300, rng)
        answer = np.concatenate(
            [rng.permutation(is_event[host])[: int((drawn == host).sum())] for host in dict.fromkeys(drawn.tolist())]
        ).astype(int)
        is_fetched = rng.permutation(300) >= 100
        response, numbers = adjust_design(design, np.zeros(300, np.int64), is_fetched)
        sample = Sample(
            numbers[np.zeros(200, int)],
            drawn[is_fetched],
            sizes[drawn[is_fetched]],
            answer[is_fetched],
            np.full(200, -1),
        )
        result = estimate(sample, response, make_frame(response, ("no", "yes")))
        totals.append(result.total[1])
        covered += bool(result.low[1] <= truth <= result.high[1])
    assert np.mean(totals) == pytest.approx(truth, rel=4 * np.std(totals) / truth / math.sqrt(repeats))
    assert 0.92 < covered / repeats < 0.99


def test_a_stratum_without_fetched_records_is_merged_with_a_similar_one() -> None:
    cells = [Cell("isl_Latn", 1, True, True, 1000, 0.9), Cell("isl_Latn", 1, True, False, 1000, 0.9)]
    cells += [Cell("deu_Latn", 1, True, True, 5000, 0.9), Cell(NO_LABEL, WEAK, False, True, 9000, 0.0)]
    design = form_strata(cells, 400)
    assert len(design.pages) == 4
    stratum = np.repeat(np.arange(4), design.fetches)
    lost = int(design.stratum[0])
    response, numbers = adjust_design(design, stratum, stratum != lost)
    assert len(response.pages) == 3 and response.pages.sum() == design.pages.sum()
    assert numbers[lost] == numbers[design.stratum[1]] and len({*numbers.tolist()}) == 3
    merged = response.pages[numbers[lost]], response.fetches[numbers[lost]]
    assert merged == (2000, design.fetches[design.stratum[1]])
    unchanged, numbers = adjust_design(design, stratum, np.ones(len(stratum), bool))
    assert numbers.tolist() == [0, 1, 2, 3] and (unchanged.weights == design.weights).all()


def test_a_complete_stratum_is_not_merged_with_a_sampled_one() -> None:
    """A page of a stratum that was drawn whole stands for one more, and not for as many as a page of a large stratum."""
    cells = [Cell("isl_Latn", 1, True, True, 5, 0.9), Cell("fao_Latn", 1, True, True, 6, 0.9)]
    cells += [Cell("deu_Latn", 1, True, True, 9000, 0.9)]
    fetches, pages = np.array([5, 6, 389]), np.array([5, 6, 9000])
    design = Design(tuple(cells), np.arange(3), ("isl", "fao", "deu"), pages, fetches, fetches, np.ones(3))
    stratum = np.repeat(np.arange(3), fetches)
    is_fetched = np.ones(400, bool)
    is_fetched[[0, 1, 12]] = False
    response, numbers = adjust_design(design, stratum, is_fetched)
    assert response.weights[numbers].tolist() == pytest.approx([11 / 9, 11 / 9, 9000 / 388])


def test_weights_of_rows_sum_to_the_estimates() -> None:
    rng = np.random.default_rng(5)
    answers, design_weights = rng.integers(0, 4, 60), rng.uniform(1, 90, 60)
    totals = np.array([500.4, 15.0, 2.0, 77.6])
    weights = integer_weights(answers, totals, design_weights)
    counts = np.bincount(answers)
    assert np.bincount(answers, weights).tolist() == [
        max(round(total), n) for total, n in zip(totals, counts, strict=True)
    ]
    assert weights.min() >= 1


@pytest.mark.parametrize(("kind", "most"), [("addresses", 0.85), ("index languages", 0.5), ("misleading", 2.0)])
def test_intervals_cover_the_truth_and_are_narrower_if_addresses_tell_languages(kind: str, most: float) -> None:
    """The webs of bench/estimate.py without word lists, smaller: 60 repeats, 4,000 of 50,000 pages.

    With some 35 labels, the standard error of the pooled coverage is about 0.6%."""
    bench = load_bench()
    web = bench.generate(kind, 50_000, Path("no such folder"))
    population, simple = bench.stratify(web, 4_000), bench.stratify(web, 4_000, is_simple=True)
    ours, srs = bench.repeat(population, 60, 1), bench.repeat(simple, 60, 2, bench.draw_simple)
    shares = population.shares[: len(simple.labels)]
    common = np.flatnonzero((shares >= 1e-3) & (shares <= 5e-2))
    assert len(common) > 20
    assert 0.92 < ours.covered[common].mean() < 0.98
    assert ours.covered[np.flatnonzero(shares)].mean() > 0.93
    assert np.median(ours.width[common] / srs.width[common]) < most
    assert np.abs(ours.mean[common] / shares[common] - 1).mean() < 0.03  # unbiased, whatever the predictions
