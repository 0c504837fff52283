"""Tables of a census: their cost, and the coverage of intervals and corrected shares.

    python bench/tables.py speed [--rows 10000000] [--folder DIR] [--rounds 1]
    python bench/tables.py prevalence [--censuses 20]
    python bench/tables.py intervals [--censuses 300]
    python bench/tables.py changes [--censuses 60]

`speed` generates a census of --rows rows (tests/census/synthetic_rows.py), or takes the one in the folder, and compares the
time of all tables with that of count(distinct ip) and count(distinct url_host_name) in DuckDB over the same files, in the same
process and with the same memory limit; the bar is 4 times, and 4 GB of memory in all. CPU time is printed beside wall time,
since other programs may share the machine.

`prevalence` simulates censuses whose truth is known (tests/census/simulated_censuses.py): the measured errors are split in
two halves, answers are sampled by one, and the correction knows the other. `intervals` does the same for the intervals by hosts:
shares of pages of sampled hosts, beside Wilson's intervals on pages. `changes` compares two censuses of hosts whose languages have
not changed (`webtongue compare`): intervals of growth should contain 1, and few changes should be called more than chance; beside
them plain intervals, without the jackknife and with all hosts counted alike.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from common import ROOT, options_parser

sys.path.insert(0, str(ROOT))
from tests.census import simulated_censuses, synthetic_rows

from webtongue.census.compare import compare
from webtongue.census.dialect import translate
from webtongue.census.prevalence import LENGTHS, Confusion
from webtongue.census.statistics import student_factor
from webtongue.census.store import open_store
from webtongue.census.tables import names, run
from webtongue.census.tables.queries import cubes_of, query

MAX_TIME_RATIO, MAX_GB = 4.0, 4.0  # bars
DUCKDB_MEMORY = "2500MB"
LABELS = ("eng_Latn", "deu_Latn", "fra_Latn", "isl_Latn", "fao_Latn", "dan_Latn")
SCENARIOS: dict[str, dict[str, Any]] = {
    "the web's languages, 100,000 pages": {"pages": 100_000},
    "the web's languages, 1,000,000 pages": {"pages": 1_000_000},
    "mostly short pages, 1,000,000": {"pages": 1_000_000, "lengths": (0.6, 0.3, 0.1)},
    "200 languages alike, 200,000": {"pages": 200_000, "even": True},
    "half of the rarer labels never measured": {"pages": 1_000_000, "hidden": 0.5},
    "the same, languages alike": {"pages": 200_000, "even": True, "hidden": 0.5},
}


def measure_seconds(call: Callable[[], object]) -> tuple[float, float]:
    """Return wall seconds, and CPU seconds of all cores."""
    start, cpu_start = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - start, time.process_time() - cpu_start


def report_speed(folder: Path, rounds: int) -> None:
    best: dict[str, tuple[float, float]] = {}
    for _ in range(rounds):
        for name, call in (("baseline", run_baseline), ("tables", run_tables)):
            seconds = measure_seconds(partial(call, folder))
            best[name] = min(best.get(name, seconds), seconds)
    for name, (clock, cpu) in best.items():
        print(f"{name:9} {clock:7.1f} s, {cpu:7.1f} s of CPU")
    ratios = [best["tables"][i] / best["baseline"][i] for i in (0, 1)]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(
        f"all {len(names())} tables take {ratios[0]:.2f} times as long (CPU {ratios[1]:.2f}); the bar is {MAX_TIME_RATIO:g}"
    )
    print(f"at most {memory:.2f} GB; the bar is {MAX_GB:g}")


def run_baseline(folder: Path) -> None:
    with open_store(folder, memory=DUCKDB_MEMORY) as connection:
        for column in ("ip", "url_host_name"):
            connection.execute(f"SELECT count(DISTINCT {column}) FROM rows").fetchall()


def run_tables(folder: Path) -> None:
    with open_store(folder, memory=DUCKDB_MEMORY) as connection:
        for name in names():
            run(connection, name)


def report_each_table(folder: Path) -> None:
    """Print the CPU time of the slowest tables."""
    seconds: dict[str, float] = {}
    with open_store(folder, memory=DUCKDB_MEMORY) as connection:
        for name in names():
            seconds[name] = measure_seconds(partial(run, connection, name))[1]
    slowest = sorted(seconds, key=lambda name: -seconds[name])[:8]
    print("CPU seconds:", ", ".join(f"{name} {seconds[name]:.1f}" for name in slowest))


def report_prevalence(censuses: int) -> None:
    print("mean error of the logarithm of shares, and what 95% intervals cover; labels with 20 pages and more")
    print(f"{'':42} {'counted':>8} {'corrected':>10} {'one matrix':>11} {'covered by count':>17} {'corrected':>10}")
    for title, scenario in SCENARIOS.items():
        scores = []
        for seed in range(censuses):
            census = simulated_censuses.simulated(seed, **scenario)
            pooled = {length: pool_matrices(census.measured) for length in LENGTHS}
            with_pooled = simulated_censuses.score(census, simulated_censuses.mended(census, draws=60, matrices=pooled))
            best = simulated_censuses.score(census, simulated_censuses.mended(census))
            scores.append((best.counted, best.corrected, with_pooled.corrected, best.counted_covers, best.covers))
        means = np.mean(scores, axis=0)
        print(
            f"{title:42} {means[0]:8.3f} {means[1]:10.3f} {means[2]:11.3f} {means[3]:17.1%} {means[4]:10.1%}",
            flush=True,
        )


def pool_matrices(measured: dict[str, Confusion]) -> Confusion:
    """Return one matrix for all lengths."""
    counts: Counter[tuple[str, str]] = Counter()
    for confusion in measured.values():
        counts.update(confusion.counts)
    return Confusion(counts)


def report_intervals(censuses: int) -> None:
    """Print the coverage of intervals for hosts sampled from a population whose shares are known."""
    rng = np.random.default_rng(3)
    for hosts in (20, 200, 2000):
        covered: Counter[str] = Counter()
        for _ in range(censuses):
            shares, truth = sample_intervals(rng, hosts)
            for label, (pages, low, high, total) in shares.items():
                p = pages / total
                half = 1.96 * (p * (1 - p) / total) ** 0.5
                covered["labels"] += 1
                covered["hosts"] += low <= truth[label] <= high
                covered["pages"] += abs(p - truth[label]) <= half
        print(
            f"{hosts:5} hosts: intervals by hosts cover {covered['hosts'] / covered['labels']:.1%}, by pages "
            f"{covered['pages'] / covered['labels']:.1%}"
        )


def sample_host_pages(rng: Any, main: Any, weights: Any) -> Any:
    """Return pages of hosts by language: their numbers follow Zipf's law, and most are in the host's main language."""
    sizes = np.minimum(rng.zipf(1.8, len(main)), 500)
    is_main = np.arange(len(weights)) == main[:, None]
    return np.array(
        [rng.multinomial(size, 0.85 * row + 0.15 * weights) for size, row in zip(sizes, is_main, strict=True)]
    )


def sample_intervals(
    rng: Any, hosts: int, languages: int = 6
) -> tuple[dict[str, tuple[int, float, float, int]], dict[str, float]]:
    """Return shares with intervals by the cube of the tables for sampled hosts, and the true shares."""
    import duckdb

    weights = 1 / np.arange(1, languages + 1)
    weights /= weights.sum()
    counts = sample_host_pages(rng, rng.choice(languages, hosts, p=weights), weights)
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE host_labels(host UBIGINT, domain UBIGINT, label VARCHAR, captures BIGINT)")
        values = ", ".join(f"({host}, {host}, 'l{i}', {counts[host, i]})" for host, i in np.argwhere(counts))
        connection.execute(f"INSERT INTO host_labels VALUES {values}")
        cubes = {cube.name: translate(cube.text) for cube in cubes_of([query("pages_by_language")])}
        connection.execute(f"CREATE TABLE hosts AS {cubes['hosts']}")
        rows = connection.execute(f"SELECT label, pages, low, high FROM ({cubes['shares']})").fetchall()
    truth = {f"l{i}": float(share) for i, share in enumerate(weights)}
    return {label: (pages, low, high, int(counts.sum())) for label, pages, low, high in rows}, truth


def report_changes(censuses: int) -> None:
    """Print coverage for two censuses of the same hosts, or of other hosts of the same population."""
    rng = np.random.default_rng(5)
    weights = np.full(len(LABELS), 1 / len(LABELS))
    for hosts in (30, 150, 1000):
        for is_same_hosts in (False, True):
            counts: Counter[str] = Counter()
            for _ in range(censuses):
                main = rng.choice(len(weights), hosts, p=weights)
                first = sample_host_pages(rng, main, weights)
                other = main if is_same_hosts else rng.choice(len(weights), hosts, p=weights)
                second = sample_host_pages(rng, other, weights)
                counts.update(count_changes(first, second, is_same_hosts))
            print(
                f"{hosts:5} {'hosts of both' if is_same_hosts else 'other hosts  '}: intervals of growth hold 1 in "
                f"{counts['held'] / counts['labels']:.1%}, plain ones in {counts['plain'] / counts['labels']:.1%}; "
                f"{counts['alarms'] / censuses:.1%} of comparisons call a change more than chance",
                flush=True,
            )


def count_changes(first: Any, second: Any, is_same_hosts: bool) -> dict[str, int]:
    with tempfile.TemporaryDirectory() as folder:
        before = synthetic_rows.pages(Path(folder) / "a", first, "h", LABELS)
        after = synthetic_rows.pages(Path(folder) / "b", second, "h" if is_same_hosts else "g", LABELS)
        changes = compare(before, after).changes
    a, b = (first, second) if is_same_hosts else (np.vstack([first, 0 * second]), np.vstack([0 * first, second]))
    compared = plain = held = 0
    for change in changes:
        if change.share_growth is None or change.low is None or change.high is None:  # the label is in one census only
            continue
        i = LABELS.index(change.label)
        influence = [
            (counts[:, i] - counts[:, i].sum() / counts.sum() * counts.sum(axis=1)) / counts[:, i].sum()
            for counts in (a, b)
        ]
        error = float(np.sqrt(((influence[1] - influence[0]) ** 2).sum() * len(a) / (len(a) - 1)))
        compared += 1
        held += change.low <= 1 <= change.high
        plain += bool(abs(np.log(change.share_growth)) <= student_factor(max(change.hosts - 1, 1)) * error)
    alarms = any(change.beyond_chance for change in changes)
    return {"labels": compared, "held": held, "plain": plain, "alarms": int(alarms)}


SIMULATIONS: dict[str, tuple[Callable[[int], None], int]] = {
    "prevalence": (report_prevalence, 20),
    "intervals": (report_intervals, 300),
    "changes": (report_changes, 60),
}  # functions and their default numbers of censuses


def main() -> None:
    parser = options_parser(__doc__, has_data=False, rounds=1)
    parser.add_argument("part", choices=("speed", *SIMULATIONS))
    parser.add_argument("--rows", type=int, default=10_000_000, help="rows of a generated census (default 10,000,000)")
    parser.add_argument("--folder", type=Path, help="folder of a census, which is generated if it is missing")
    parser.add_argument("--censuses", type=int, help="number of simulated censuses")
    options = parser.parse_args()
    if options.part != "speed":
        simulate, default = SIMULATIONS[options.part]
        simulate(options.censuses or default)
    else:
        with tempfile.TemporaryDirectory() as temporary:
            folder = options.folder or Path(temporary)
            if not (folder / "rows").is_dir():
                seconds, _ = measure_seconds(lambda: synthetic_rows.write(folder, options.rows))
                print(f"{options.rows:,} rows are made in {seconds:.0f} s")
            report_speed(folder, options.rounds)
            report_each_table(folder)


if __name__ == "__main__":
    main()
