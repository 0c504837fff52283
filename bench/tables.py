"""Tables of a census: what they cost, and whether intervals and corrected shares hold.

    python bench/tables.py speed [--rows 10000000] [--folder DIR] [--rounds 1]
    python bench/tables.py prevalence [--censuses 20]
    python bench/tables.py intervals [--censuses 300]
    python bench/tables.py changes [--censuses 60]

`speed` makes a census of so many rows (tests/census/made_rows.py), or takes the one in the folder, and times all tables
against DuckDB's own count(distinct ip) and count(distinct url_host_name) over the same files in the same process, with the
same memory limit; the bar is 4 times, and 4 GB of memory in all. CPU time is printed beside the clock's, since other
programs may share the machine.

`prevalence` simulates censuses whose truth is known (tests/census/simulated.py): what was measured is cut in two halves,
answers are drawn by one, and the correction knows the other. `intervals` does the same for the intervals by hosts: shares
of pages of hosts that are drawn from many, with Wilson's intervals on pages beside them. `changes` compares two censuses of
hosts whose languages have not changed (`webtongue compare`): intervals of growth should hold 1, and few changes should be
called more than chance; beside them plain intervals, without the jackknife and with all hosts counted alike.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.census import made_rows, simulated

from webtongue.census.chance import student_factor
from webtongue.census.compare import compare
from webtongue.census.dialect import translated
from webtongue.census.prevalence import LENGTHS, Confusion
from webtongue.census.store import open_store
from webtongue.census.tables import names, run
from webtongue.census.tables.queries import cubes_of, query

BAR, MOST_MEMORY = 4.0, 4.0  # times, GB
MEMORY = "2500MB"
GROWING = ("eng_Latn", "deu_Latn", "fra_Latn", "isl_Latn", "fao_Latn", "dan_Latn")
SCENES: dict[str, dict[str, Any]] = {
    "the web's languages, 100,000 pages": {"pages": 100_000},
    "the web's languages, 1,000,000 pages": {"pages": 1_000_000},
    "mostly short pages, 1,000,000": {"pages": 1_000_000, "lengths": (0.6, 0.3, 0.1)},
    "200 languages alike, 200,000": {"pages": 200_000, "even": True},
    "half of the rarer labels never measured": {"pages": 1_000_000, "hidden": 0.5},
    "the same, languages alike": {"pages": 200_000, "even": True, "hidden": 0.5},
}


def timed(call: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock, and of all cores together."""
    begun, used = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - begun, time.process_time() - used


def speed(out: Path, rounds: int) -> None:
    best: dict[str, tuple[float, float]] = {}
    for _ in range(rounds):
        for name, call in (("baseline", baseline), ("tables", tables)):
            seconds = timed(lambda call=call: call(out))  # type: ignore[misc]
            best[name] = min(best.get(name, seconds), seconds)
    for name, (clock, cpu) in best.items():
        print(f"{name:9} {clock:7.1f} s, {cpu:7.1f} s of CPU")
    ratios = [best["tables"][i] / best["baseline"][i] for i in (0, 1)]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"all {len(names())} tables take {ratios[0]:.2f} times as long (CPU {ratios[1]:.2f}); the bar is {BAR:g}")
    print(f"at most {memory:.2f} GB; the bar is {MOST_MEMORY:g}")


def baseline(out: Path) -> None:
    with open_store(out, memory=MEMORY) as connection:
        for column in ("ip", "url_host_name"):
            connection.execute(f"SELECT count(DISTINCT {column}) FROM rows").fetchall()


def tables(out: Path) -> None:
    with open_store(out, memory=MEMORY) as connection:
        for name in names():
            run(connection, name)


def each(out: Path) -> None:
    """What every table and cube takes, the largest first."""
    seconds: Counter[str] = Counter()
    with open_store(out, memory=MEMORY) as connection:
        for name in names():
            seconds[name] = timed(lambda name=name: run(connection, name))[1]  # type: ignore[misc]
    print("CPU seconds:", ", ".join(f"{name} {spent:.1f}" for name, spent in seconds.most_common(8)))


def prevalence(censuses: int) -> None:
    print("mean error of the logarithm of shares, and what 95% intervals cover; labels with 20 pages and more")
    print(f"{'':42} {'counted':>8} {'corrected':>10} {'one matrix':>11} {'covered by count':>17} {'corrected':>10}")
    for title, scene in SCENES.items():
        found = []
        for seed in range(censuses):
            census = simulated.simulated(seed, **scene)
            one = {length: pooled(census.measured) for length in LENGTHS}
            other = simulated.score(census, simulated.mended(census, draws=60, matrices=one))
            best = simulated.score(census, simulated.mended(census))
            found.append((best.counted, best.corrected, other.corrected, best.counted_covers, best.covers))
        means = np.mean(found, axis=0)
        print(
            f"{title:42} {means[0]:8.3f} {means[1]:10.3f} {means[2]:11.3f} {means[3]:17.1%} {means[4]:10.1%}",
            flush=True,
        )


def pooled(measured: dict[str, Confusion]) -> Confusion:
    """One matrix for all lengths."""
    counts: Counter[tuple[str, str]] = Counter()
    for one in measured.values():
        counts.update(one.counts)
    return Confusion(counts)


def intervals(censuses: int) -> None:
    """Hosts with pages of one language mostly, drawn from a population whose shares are known."""
    rng = np.random.default_rng(3)
    for hosts in (20, 200, 2000):
        covered: Counter[str] = Counter()
        for _ in range(censuses):
            shares, truth = drawn_hosts(rng, hosts)
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


def hosts_drawn(rng: Any, main: Any, weights: Any) -> Any:
    """Pages of hosts by language: Zipf's numbers of pages, most of them in the host's own language."""
    sizes = np.minimum(rng.zipf(1.8, len(main)), 500)
    own = np.arange(len(weights)) == main[:, None]
    return np.array([rng.multinomial(n, 0.85 * of + 0.15 * weights) for n, of in zip(sizes, own, strict=True)])


def drawn_hosts(
    rng: Any, hosts: int, languages: int = 6
) -> tuple[dict[str, tuple[int, float, float, int]], dict[str, float]]:
    """Shares by the cube of the tables, of hosts with Zipf's numbers of pages; and the truth."""
    import duckdb

    weights = 1 / np.arange(1, languages + 1)
    weights /= weights.sum()
    counts = hosts_drawn(rng, rng.choice(languages, hosts, p=weights), weights)
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE host_labels(host UBIGINT, domain UBIGINT, label VARCHAR, captures BIGINT)")
        values = ", ".join(f"({host}, {host}, 'l{i}', {counts[host, i]})" for host, i in np.argwhere(counts))
        connection.execute(f"INSERT INTO host_labels VALUES {values}")
        cubes = {cube.name: translated(cube.text) for cube in cubes_of([query("pages_by_language")])}
        connection.execute(f"CREATE TABLE hosts AS {cubes['hosts']}")
        found = connection.execute(f"SELECT label, pages, low, high FROM ({cubes['shares']})").fetchall()
    truth = {f"l{i}": float(share) for i, share in enumerate(weights)}
    return {label: (pages, low, high, int(counts.sum())) for label, pages, low, high in found}, truth


def changes(censuses: int) -> None:
    """Two censuses of the same hosts, or of others from the same population."""
    rng = np.random.default_rng(5)
    weights = np.full(len(GROWING), 1 / len(GROWING))
    for hosts in (30, 150, 1000):
        for same in (False, True):
            seen: Counter[str] = Counter()
            for _ in range(censuses):
                main = rng.choice(len(weights), hosts, p=weights)
                first = hosts_drawn(rng, main, weights)
                other = main if same else rng.choice(len(weights), hosts, p=weights)
                second = hosts_drawn(rng, other, weights)
                seen.update(judged(first, second, same))
            print(
                f"{hosts:5} {'hosts of both' if same else 'other hosts  '}: intervals of growth hold 1 in "
                f"{seen['held'] / seen['labels']:.1%}, plain ones in {seen['plain'] / seen['labels']:.1%}; "
                f"{seen['alarms'] / censuses:.1%} of comparisons call a change more than chance",
                flush=True,
            )


def judged(first: Any, second: Any, same: bool) -> dict[str, int]:
    with tempfile.TemporaryDirectory() as folder:
        names = [made_rows.pages(Path(folder) / "a", first, "h", GROWING)]
        names.append(made_rows.pages(Path(folder) / "b", second, "h" if same else "g", GROWING))
        found = compare(*names).changes
    a, b = (first, second) if same else (np.vstack([first, 0 * second]), np.vstack([0 * first, second]))
    plain = 0
    both = [one for one in found if one.low is not None]
    for one in both:
        i = GROWING.index(one.label)
        beyond = [(of[:, i] - of[:, i].sum() / of.sum() * of.sum(axis=1)) / of[:, i].sum() for of in (a, b)]
        error = float(np.sqrt(((beyond[1] - beyond[0]) ** 2).sum() * len(a) / (len(a) - 1)))
        plain += abs(np.log(one.share_growth)) <= student_factor(max(one.hosts - 1, 1)) * error
    held = sum(one.low <= 1 <= one.high for one in both)
    alarms = any(one.beyond_chance for one in found)
    return {"labels": len(both), "held": held, "plain": plain, "alarms": int(alarms)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speed", "prevalence", "intervals", "changes"))
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--folder", type=Path, help="of a census, which is made if it is not there")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--censuses", type=int)
    options = parser.parse_args()
    if options.what == "prevalence":
        prevalence(options.censuses or 20)
    elif options.what == "intervals":
        intervals(options.censuses or 300)
    elif options.what == "changes":
        changes(options.censuses or 60)
    else:
        with tempfile.TemporaryDirectory() as temporary:
            out = options.folder or Path(temporary)
            if not (out / "rows").is_dir():
                print(f"{options.rows:,} rows are made in {timed(lambda: made_rows.write(out, options.rows))[0]:.0f} s")
            speed(out, options.rounds)
            each(out)


if __name__ == "__main__":
    main()
