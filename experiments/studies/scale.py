"""A simulated census of three billion captures in 100,000 files on 1,000 cores, from measured figures.

    python experiments/studies/scale.py [--tasks 100000] [--cores 1000] [--seeds 5] [--price 0.02]
        [--only cluster,sensitivity,tables,sample]

The costs of a page and of a megabyte, their variation, and the sizes of the output are measured (scale_measure.py writes
scale.json). The behaviour of machines and stores, and prices, are assumptions: the defaults of Files, Cluster (scale_cluster.py),
Hosts (scale_sample.py) and the options. docs/scale.md has the results."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scale_cluster import Cluster, RunResult, simulate
from scale_sample import Hosts, Interval, host_sizes, sample_intervals

MEASUREMENTS = Path(__file__).with_name("scale.json")
PARTS = ("cluster", "sensitivity", "tables", "sample")
HOUR = 3600.0
GB, TB = 1e9, 1e12
PRINTED_LANGUAGES = ("eng", "rus", "fra", "swe", "isl", "gle", "fao", "fry", "yor", "aka", "lin", "ton")
HOST_ROW_BYTES, DOMAIN_ROW_BYTES = 24, 8  # in a shuffle: hashes of host and domain, label and count, in Arrow
EDGE_ROW_BYTES = 40  # hashes of URL and source host, label, confidence, hash of the anchor
NARROW_WIDTH = 0.1
SMALL_WEB_HOSTS = 1_000_000  # of a web that can be counted completely
MIN_SAMPLE_PAGES = 100


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a crawl. All values are assumptions, from what large crawls publish."""

    count: int = 100_000
    megabytes: float = 1_000.0  # of a compressed file
    spread: float = 0.05  # relative standard deviation of the size
    pages: int = 30_000  # captures of a file
    store: float = 60.0  # MB/s from the store for one core; reading and working take turns
    start: float = 2.0  # seconds until a task starts working
    poisoned: float = 0.0001  # share of files with a record that blocks the worker until a timeout
    poison_seconds: float = 180.0  # three records of 60 s


def task_seconds(files: Files, measured: dict[str, Any], seed: int) -> np.ndarray:
    """Return the seconds of each task without failures, with the measured variation."""
    rng = np.random.default_rng(seed)
    size = np.clip(rng.normal(1.0, files.spread, files.count), 0.1, 2.0)
    work = size * core_seconds(files, measured)
    factors = rng.choice(np.array(measured["spread"]), files.count)
    poison = np.where(rng.random(files.count) < files.poisoned, files.poison_seconds, 0.0)
    seconds: np.ndarray = files.start + size * files.megabytes / files.store + work * factors + poison
    return seconds


def core_seconds(files: Files, measured: dict[str, Any]) -> float:
    """Return the CPU seconds of a file."""
    return float(files.pages * measured["microseconds_a_page"] / 1e6 + files.megabytes * measured["seconds_a_megabyte"])


def report_cluster(files: Files, cluster: Cluster, measured: dict[str, Any], seeds: int, price: float) -> None:
    file_seconds = core_seconds(files, measured)
    total = files.count * file_seconds / HOUR
    reading = files.count * files.megabytes / files.store / HOUR
    print(f"a file: {file_seconds:.0f} s of one core for {files.pages:,} captures ({files.pages / file_seconds:,.0f} a second), "
          f"{files.megabytes / file_seconds:.0f} MB/s packed")  # fmt: skip
    print(f"all: {total:,.0f} core-hours of work, {reading:,.0f} of waiting for the store\n")
    scenarios = {
        "nothing goes wrong": replace(cluster, lost_per_hour=0, failure_share=0, slow_machines=0),
        "as assumed": cluster,
        "as assumed, no copies": replace(cluster, copies=False),
        "ten times the losses": replace(
            cluster, lost_per_hour=cluster.lost_per_hour * 10, failure_share=cluster.failure_share * 10
        ),
    }
    print(
        f"{files.count:,} tasks on {cluster.machines * cluster.cores_per_machine:,} cores, hours; {seeds} runs, least to most"
    )
    head = ("", "straight line", "99% done", "all done", "core-hours paid", "wasted", "idle", "machines lost", "retries",
            "copies", "given up", "dollars")  # fmt: skip
    print("| " + " | ".join(head) + " |\n|" + " --- |" * len(head))
    for name, scenario in scenarios.items():
        runs = [simulate(task_seconds(files, measured, seed).tolist(), scenario, seed) for seed in range(1, seeds + 1)]
        print("| " + " | ".join([name, *format_runs(runs, price)]) + " |")


def report_sensitivity(files: Files, cluster: Cluster, measured: dict[str, Any], price: float) -> None:
    """Print the effect of changing one assumption at a time."""
    print("| one assumption changed | all done, hours | core-hours paid | dollars |\n| --- | --- | --- | --- |")
    for name, changed_files, changed_cluster in (
        ("none", files, cluster),
        ("the store sends 20 MB/s a core", replace(files, store=20.0), cluster),
        ("the store sends 200 MB/s a core", replace(files, store=200.0), cluster),
        ("sizes of files differ by 30%", replace(files, spread=0.3), cluster),
        ("one file in 1,000 is poisoned", replace(files, poisoned=0.001), cluster),
        ("one machine in ten is slow", files, replace(cluster, slow_machines=0.1)),
        ("pages twice as large", replace(files, pages=files.pages // 2), cluster),
        ("10,000 cores", files, replace(cluster, cores=cluster.cores * 10)),
    ):
        run = simulate(task_seconds(changed_files, measured, 1).tolist(), changed_cluster, 1)
        paid = run.cores * run.span / HOUR
        print(f"| {name} | {run.span / HOUR:.2f} | {paid:,.0f} | {paid * price:,.0f} |")


def format_runs(runs: Sequence[RunResult], price: float) -> list[str]:
    """Return the cells of a row."""

    def span(values: list[float], number_format: str) -> str:
        low, high = format(min(values), number_format), format(max(values), number_format)
        return low if low == high else f"{low}-{high}"

    paid = [run.cores * run.span / HOUR for run in runs]
    return [
        span([run.ideal_span / HOUR for run in runs], ".2f"), span([run.time_of_share(0.99) / HOUR for run in runs], ".2f"),
        span([run.span / HOUR for run in runs], ".2f"), span(paid, ",.0f"), span([run.wasted / HOUR for run in runs], ",.0f"),
        span([run.idle / HOUR for run in runs], ",.0f"), span([run.machines_lost for run in runs], ",.0f"),
        span([run.failed + run.lost for run in runs], ",.0f"), span([run.copies for run in runs], ",.0f"),
        span([run.given_up for run in runs], ",.0f"), span([hours * price for hours in paid], ",.0f"),
    ]  # fmt: skip


def report_tables(files: Files, hosts: Hosts, measured: dict[str, Any]) -> None:
    """Print the sizes of the output and of the shuffles of tables."""
    captures = files.count * files.pages
    links = measured["links_a_page"] * captures
    in_file = distinct_hosts(files.pages, hosts)
    print(f"{captures:,} captures, {links:,.0f} links kept ({measured['links_a_page']} a page)\n")
    print("| what | bytes each | in all |\n| --- | --- | --- |")
    for name, bytes_each, count in (
        ("rows, Parquet", measured["row_bytes"], captures),
        ("links, Parquet", measured["link_bytes"], links),
        (f"shuffle: hosts by label, {in_file:,.0f} groups a file", HOST_ROW_BYTES, in_file * files.count),
        ("shuffle: hosts in one row each, to their domains", HOST_ROW_BYTES + DOMAIN_ROW_BYTES, hosts.count),
        (
            f"shuffle: pages that are not clear ({measured['unclear']:.1%})",
            EDGE_ROW_BYTES,
            measured["unclear"] * captures,
        ),
        ("shuffle: links, all", EDGE_ROW_BYTES, links),
        (
            f"shuffle: links to pages that are not clear ({measured['unclear']:.1%})",
            EDGE_ROW_BYTES,
            measured["unclear"] * links,
        ),
        ("shuffle: a graph of 100 billion edges, one round", EDGE_ROW_BYTES, 100e9),
    ):
        total = bytes_each * count
        size = f"{total / TB:,.2f} TB" if total >= TB / 10 else f"{total / GB:,.1f} GB"
        print(f"| {name} | {bytes_each:,.0f} | {size} |")


def distinct_hosts(pages: int, hosts: Hosts, seed: int = 1) -> float:
    """Return the number of hosts in a file whose pages are a sample of the crawl, as counted before the shuffle."""
    rng = np.random.default_rng(seed)
    pages_of_hosts = host_sizes(hosts, 1_000_000, rng)
    return float((1 - np.exp(-pages_of_hosts * pages / hosts.pages)).mean() * hosts.count)


def report_sample(hosts: Hosts, share: float) -> None:
    intervals = sample_intervals(hosts, share)
    by_name = {interval.label: interval for interval in intervals}
    pages = sum(interval.pages for interval in intervals)
    print(
        f"a sample of {share:.0%}: {pages:,} pages of {len(intervals):,} languages; 95% intervals of the census's own query\n"
    )
    print(
        "| language | share of all pages | pages in the sample | hosts | the sample says | its error | interval | half its width |"
    )
    print("|" + " --- |" * 8)
    for name in PRINTED_LANGUAGES:
        if name in by_name:
            print(format_interval(by_name[name]))
    narrow = [interval for interval in intervals if interval.width <= NARROW_WIDTH]
    covered = sum(interval.low <= interval.truth <= interval.high for interval in intervals)
    rarest = min((interval.truth for interval in narrow), default=float("nan"))
    near = [interval for interval in intervals if abs(interval.error) <= NARROW_WIDTH]
    print(
        f"\n{len(narrow):,} of {len(intervals):,} languages have an interval within {NARROW_WIDTH:.0%} of their share,"
    )
    print("the rarest with", end=" ")
    print(f"{rarest:.1e} of pages; {len(near):,} shares are within {NARROW_WIDTH:.0%} of the truth;")
    print(f"{covered / len(intervals):.0%} of intervals hold it")
    small = replace(
        hosts,
        count=min(hosts.count, SMALL_WEB_HOSTS),
        pages=round(hosts.pages * min(1.0, SMALL_WEB_HOSTS / hosts.count)),
    )
    part_by_label, whole_by_label = (
        {interval.label: interval for interval in sample_intervals(small, sample_share)}
        for sample_share in (share, 1.0)
    )
    ratios = [
        interval.width / whole_by_label[name].width
        for name, interval in part_by_label.items()
        if interval.pages >= MIN_SAMPLE_PAGES
    ]
    print(
        f"on a web of {small.count:,} hosts, intervals from {share:.0%} of pages are {np.median(ratios):.2f} times as wide as"
    )
    print(f"from all (median of {len(ratios)} languages with {MIN_SAMPLE_PAGES} pages or more in the sample)")


def format_interval(interval: Interval) -> str:
    return (
        f"| {interval.label} | {interval.truth:.2e} | {interval.pages:,} | {interval.hosts:,} | {interval.share:.2e} "
        f"| {interval.error:+.1%} | {interval.low:.2e} to {interval.high:.2e} | {interval.width:.0%} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=100_000)
    parser.add_argument("--cores", type=int, default=1_000)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--price", type=float, default=0.02, help="assumed price of a core hour in dollars")
    parser.add_argument("--sample", type=float, default=0.01)
    parser.add_argument("--hosts", type=int, default=45_000_000, help="assumed number of hosts of the web")
    parser.add_argument("--only", default=",".join(PARTS))
    options = parser.parse_args()
    measured = json.loads(MEASUREMENTS.read_text("utf-8"))
    files, cluster = Files(count=options.tasks), Cluster(cores=options.cores)
    hosts = Hosts(count=options.hosts, pages=round(options.hosts * 3_000_000_000 / 45_000_000))
    parts = options.only.split(",")
    if "cluster" in parts:
        report_cluster(files, cluster, measured, options.seeds, options.price)
    if "sensitivity" in parts:
        print()
        report_sensitivity(files, cluster, measured, options.price)
    if "tables" in parts:
        print()
        report_tables(files, hosts, measured)
    if "sample" in parts:
        print()
        report_sample(hosts, options.sample)


if __name__ == "__main__":
    main()
