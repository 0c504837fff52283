"""Tests of the plan for the whole web: the simulated cluster, the fitted costs, and intervals by the census's own query."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[3] / "experiments" / "studies"))

from scale import MEASUREMENTS, Files, core_seconds, distinct_hosts, task_seconds
from scale_cluster import Cluster, simulate
from scale_measure import fit_costs
from scale_sample import Hosts, host_sizes, language_shares, sample_intervals

CALM = Cluster(cores=10, cores_per_machine=2, lost_per_hour=0, failure_share=0, slow_machines=0)
EVEN = {"microseconds_a_page": 1000.0, "seconds_a_megabyte": 0.01, "spread": [0.9, 1.0, 1.1]}


def test_a_cluster_without_failures_takes_the_ideal_time() -> None:
    run = simulate([10.0] * 100, CALM)
    assert run.span == pytest.approx(run.ideal_span) == pytest.approx(100.0)
    assert (run.wasted, run.failed, run.lost, run.copies, len(run.ends)) == (0.0, 0, 0, 0, 100)
    assert run.idle == pytest.approx(0.0)
    assert run.time_of_share(0.5) == pytest.approx(50.0)


def test_one_long_task_extends_the_run() -> None:
    run = simulate(
        [10.0] * 100 + [300.0],
        Cluster(cores=10, cores_per_machine=2, lost_per_hour=0, failure_share=0, slow_machines=0),
    )
    assert run.span == pytest.approx(400.0)
    assert run.time_of_share(0.99) == pytest.approx(100.0)
    assert run.idle > 0


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_task_ends_once_despite_failures(seed: int) -> None:
    rough = Cluster(cores=10, cores_per_machine=2, lost_per_hour=30, failure_share=0.1, slow_machines=0.3)
    run = simulate([10.0] * 500, rough, seed)
    assert len(run.ends) == 500
    assert run.machines_lost > 0 < run.lost
    assert run.failed > 0
    good = sum(10.0 for _ in run.ends) - 10.0 * run.given_up
    assert run.used - run.wasted >= good - 1e-6  # slow machines take longer
    assert run.span > run.ideal_span
    assert simulate([10.0] * 500, rough, seed).ends == run.ends


def test_a_task_that_always_fails_is_given_up() -> None:
    run = simulate(
        [10.0] * 20, Cluster(cores=4, cores_per_machine=2, lost_per_hour=0, failure_share=1.0, slow_machines=0)
    )
    assert (run.given_up, run.failed) == (20, 80)
    assert run.used == pytest.approx(run.wasted)


def test_copies_help_on_a_slow_machine() -> None:
    def span(copies: bool) -> float:
        slow = Cluster(
            cores=20,
            cores_per_machine=2,
            lost_per_hour=0,
            failure_share=0,
            slow_machines=0.2,
            slow_factor=30,
            copies=copies,
        )
        return simulate([10.0] * 200, slow, 4).span

    assert span(True) < span(False) / 2


def test_task_times_follow_pages_and_bytes() -> None:
    files = Files(count=20_000, megabytes=100, pages=1_000, store=50, start=1, poisoned=0)
    assert core_seconds(files, EVEN) == pytest.approx(2.0)
    times = task_seconds(files, EVEN, 1)
    assert times.mean() == pytest.approx(1 + 2 + 2, rel=0.01)
    poisoned = task_seconds(Files(count=20_000, megabytes=100, pages=1_000, store=50, start=1, poisoned=0.5), EVEN, 1)
    assert np.median(poisoned[poisoned > 100]) == pytest.approx(185, rel=0.01)


def test_costs_are_fitted_and_never_negative() -> None:
    classes = [{"pages": 100, "packed": mb * 1e6, "seconds": 100 * 2e-4 + mb * 0.03} for mb in (1, 2, 8, 20)]
    assert fit_costs(classes) == pytest.approx((200.0, 0.03))
    falling = [{"pages": 100, "packed": mb * 1e6, "seconds": 0.1 - mb * 0.002} for mb in (1, 2, 8, 20)]
    assert min(fit_costs(falling)) == 0.0


def test_the_measurements_are_complete() -> None:
    measured = json.loads(MEASUREMENTS.read_text("utf-8"))
    files = Files()
    assert 5 < core_seconds(files, measured) < 500
    assert np.median(measured["spread"]) == pytest.approx(1.0, abs=0.01)
    assert sum(c["pages"] for c in measured["classes"]) == measured["pages"]
    assert measured["stopped"] == 0 < measured["archives"]
    predicted = (
        measured["pages"] * measured["microseconds_a_page"] / 1e6
        + measured["packed"] / 1e6 * measured["seconds_a_megabyte"]
    )
    assert predicted == pytest.approx(measured["median_seconds"], rel=0.25)


def test_hosts_have_as_many_pages_as_on_the_web() -> None:
    web = Hosts(count=300_000, pages=6_000_000, largest=1_000)
    assert host_sizes(web, 300_000, np.random.default_rng(1)).mean() == pytest.approx(20, rel=0.05)
    assert 1 < distinct_hosts(1_000, web) < 1_000


def test_a_sample_estimates_the_web() -> None:
    web = Hosts(count=30_000, pages=600_000, largest=1_000)
    estimates = sample_intervals(web, 0.1)
    assert [estimate.label for estimate in estimates][:1] == ["eng"]
    assert sum(estimate.pages for estimate in estimates) == pytest.approx(60_000, rel=0.1)
    assert sum(estimate.share for estimate in estimates) == pytest.approx(1.0)
    assert all(estimate.low <= estimate.share <= estimate.high for estimate in estimates)
    assert sum(estimate.low <= estimate.truth <= estimate.high for estimate in estimates) >= 0.9 * len(estimates)
    english = estimates[0]
    assert english.truth == pytest.approx(dict(zip(*language_shares(), strict=True))["eng"], rel=0.1)
    assert abs(english.error) < 0.05
    assert english.width < estimates[-1].width
