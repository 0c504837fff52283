"""The whole web on paper: three billion captures in 100,000 files on 1,000 cores, played from measured figures.

    python experiments/studies/scale.py [--tasks 100000] [--cores 1000] [--seeds 5] [--price 0.02]
        [--only cluster,sensitivity,tables,sample]

What a page and a megabyte cost, how even that is, and bytes that come out are measured (scale_measure.py writes scale.json). What
machines, stores and prices do is assumed: the defaults of Files, Cluster (scale_cluster.py), Hosts (scale_sample.py) and the
options. docs/scale.md says what follows.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scale_cluster import Cluster, Played, play
from scale_sample import Hosts, Interval, sampled, sizes

MEASURED = Path(__file__).with_name("scale.json")
PARTS = ("cluster", "sensitivity", "tables", "sample")
HOUR = 3600.0
GB, TB = 1e9, 1e12
SHOWN = ("eng", "rus", "fra", "swe", "isl", "gle", "fao", "fry", "yor", "aka", "lin", "ton")
HOST_ROW, DOMAIN_ROW = 24, 8  # bytes in a shuffle: hash of the host, of the domain, label and count; as Arrow has them
EDGE_ROW = 40  # hash of the address, of the source's host, label, confidence, hash of the anchor
NARROW = 0.1
SMALL = 1_000_000  # hosts of a web that can be counted whole here
ENOUGH = 100


@dataclass(frozen=True, slots=True)
class Files:
    """A crawl. Everything here is assumed, by what the makers of large crawls publish."""

    count: int = 100_000
    megabytes: float = 1_000.0  # packed, of a file
    spread: float = 0.05  # of that, standard deviation
    pages: int = 30_000  # captures of a file
    store: float = 60.0  # MB/s that one core is sent by the store; reading and working take turns
    start: float = 2.0  # seconds before a task does anything
    poisoned: float = 0.0001  # of files: a record stops the worker until its time is up
    poison_seconds: float = 180.0  # three records of 60 s


def task_seconds(files: Files, measured: dict[str, Any], seed: int) -> np.ndarray:
    """Of each task, undisturbed: what its pages and bytes cost, uneven as measured."""
    rng = np.random.default_rng(seed)
    size = np.clip(rng.normal(1.0, files.spread, files.count), 0.1, 2.0)
    work = size * core_seconds(files, measured)
    uneven = rng.choice(np.array(measured["spread"]), files.count)
    poison = np.where(rng.random(files.count) < files.poisoned, files.poison_seconds, 0.0)
    out: np.ndarray = files.start + size * files.megabytes / files.store + work * uneven + poison
    return out


def core_seconds(files: Files, measured: dict[str, Any]) -> float:
    """Of a file, nothing but the work."""
    return float(files.pages * measured["microseconds_a_page"] / 1e6 + files.megabytes * measured["seconds_a_megabyte"])


def cluster_part(files: Files, cluster: Cluster, measured: dict[str, Any], seeds: int, price: float) -> None:
    a_file = core_seconds(files, measured)
    total = files.count * a_file / HOUR
    reading = files.count * files.megabytes / files.store / HOUR
    print(f"a file: {a_file:.0f} s of one core for {files.pages:,} captures ({files.pages / a_file:,.0f} a second), "
          f"{files.megabytes / a_file:.0f} MB/s packed")  # fmt: skip
    print(f"all: {total:,.0f} core-hours of work, {reading:,.0f} of waiting for the store\n")
    ways = {
        "nothing goes wrong": replace(cluster, lost_an_hour=0, failing=0, slow_machines=0),
        "as assumed": cluster,
        "as assumed, no copies": replace(cluster, copies=False),
        "ten times the losses": replace(cluster, lost_an_hour=cluster.lost_an_hour * 10, failing=cluster.failing * 10),
    }
    print(
        f"{files.count:,} tasks on {cluster.machines * cluster.cores_a_machine:,} cores, hours; {seeds} runs, least to most"
    )
    head = ("", "straight line", "99% done", "all done", "core-hours paid", "wasted", "idle", "machines lost", "retries",
            "copies", "given up", "dollars")  # fmt: skip
    print("| " + " | ".join(head) + " |\n|" + " --- |" * len(head))
    for name, way in ways.items():
        runs = [play(task_seconds(files, measured, seed).tolist(), way, seed) for seed in range(1, seeds + 1)]
        print("| " + " | ".join([name, *line(runs, price)]) + " |")


def sensitivity_part(files: Files, cluster: Cluster, measured: dict[str, Any], price: float) -> None:
    """One assumption changed at a time: which of them matter."""
    print("| one assumption changed | all done, hours | core-hours paid | dollars |\n| --- | --- | --- | --- |")
    for name, other, where in (
        ("none", files, cluster),
        ("the store sends 20 MB/s a core", replace(files, store=20.0), cluster),
        ("the store sends 200 MB/s a core", replace(files, store=200.0), cluster),
        ("sizes of files differ by 30%", replace(files, spread=0.3), cluster),
        ("one file in 1,000 is poisoned", replace(files, poisoned=0.001), cluster),
        ("one machine in ten is slow", files, replace(cluster, slow_machines=0.1)),
        ("pages twice as large", replace(files, pages=files.pages // 2), cluster),
        ("10,000 cores", files, replace(cluster, cores=cluster.cores * 10)),
    ):
        run = play(task_seconds(other, measured, 1).tolist(), where, 1)
        paid = run.cores * run.span / HOUR
        print(f"| {name} | {run.span / HOUR:.2f} | {paid:,.0f} | {paid * price:,.0f} |")


def line(runs: Sequence[Played], price: float) -> list[str]:
    """A row of the table."""

    def span(values: list[float], form: str) -> str:
        low, high = format(min(values), form), format(max(values), form)
        return low if low == high else f"{low}-{high}"

    paid = [run.cores * run.span / HOUR for run in runs]
    return [
        span([run.straight / HOUR for run in runs], ".2f"), span([run.at(0.99) / HOUR for run in runs], ".2f"),
        span([run.span / HOUR for run in runs], ".2f"), span(paid, ",.0f"), span([run.wasted / HOUR for run in runs], ",.0f"),
        span([run.idle / HOUR for run in runs], ",.0f"), span([run.machines_lost for run in runs], ",.0f"),
        span([run.failed + run.lost for run in runs], ",.0f"), span([run.copies for run in runs], ",.0f"),
        span([run.given_up for run in runs], ",.0f"), span([hours * price for hours in paid], ",.0f"),
    ]  # fmt: skip


def tables_part(files: Files, hosts: Hosts, measured: dict[str, Any]) -> None:
    """Bytes that come out, and bytes that tables send from machine to machine."""
    captures = files.count * files.pages
    links = measured["links_a_page"] * captures
    in_file = distinct_hosts(files.pages, hosts)
    print(f"{captures:,} captures, {links:,.0f} links kept ({measured['links_a_page']} a page)\n")
    print("| what | bytes each | in all |\n| --- | --- | --- |")
    for name, each, count in (
        ("rows, Parquet", measured["row_bytes"], captures),
        ("links, Parquet", measured["link_bytes"], links),
        (f"shuffle: hosts by label, {in_file:,.0f} groups a file", HOST_ROW, in_file * files.count),
        ("shuffle: hosts in one row each, to their domains", HOST_ROW + DOMAIN_ROW, hosts.count),
        (f"shuffle: pages that are not clear ({measured['unclear']:.1%})", EDGE_ROW, measured["unclear"] * captures),
        ("shuffle: links, all", EDGE_ROW, links),
        (
            f"shuffle: links to pages that are not clear ({measured['unclear']:.1%})",
            EDGE_ROW,
            measured["unclear"] * links,
        ),
        ("shuffle: a graph of 100 billion edges, one round", EDGE_ROW, 100e9),
    ):
        whole = each * count
        print(f"| {name} | {each:,.0f} | {f'{whole / TB:,.2f} TB' if whole >= TB / 10 else f'{whole / GB:,.1f} GB'} |")


def distinct_hosts(pages: int, hosts: Hosts, seed: int = 1) -> float:
    """How many hosts a file has whose pages are drawn from the whole crawl: what counting before the shuffle can save."""
    rng = np.random.default_rng(seed)
    some = sizes(hosts, 1_000_000, rng)
    return float((1 - np.exp(-some * pages / hosts.pages)).mean() * hosts.count)


def sample_part(hosts: Hosts, share: float) -> None:
    found = sampled(hosts, share)
    by_name = {one.label: one for one in found}
    pages = sum(one.pages for one in found)
    print(
        f"a sample of {share:.0%}: {pages:,} pages of {len(found):,} languages; 95% intervals of the census's own query\n"
    )
    print(
        "| language | share of all pages | pages in the sample | hosts | the sample says | its error | interval | half its width |"
    )
    print("|" + " --- |" * 8)
    for name in SHOWN:
        if name in by_name:
            print(row(by_name[name]))
    narrow = [one for one in found if one.width <= NARROW]
    covered = sum(one.low <= one.truth <= one.high for one in found)
    rarest = min((one.truth for one in narrow), default=float("nan"))
    near = [one for one in found if abs(one.error) <= NARROW]
    print(
        f"\n{len(narrow):,} of {len(found):,} languages have an interval within {NARROW:.0%} of their share, the rarest with"
    )
    print(f"{rarest:.1e} of pages; {len(near):,} shares are within {NARROW:.0%} of the truth;")
    print(f"{covered / len(found):.0%} of intervals hold it")
    small = replace(hosts, count=min(hosts.count, SMALL), pages=round(hosts.pages * min(1.0, SMALL / hosts.count)))
    part, whole = ({one.label: one for one in sampled(small, of)} for of in (share, 1.0))
    ratios = [one.width / whole[name].width for name, one in part.items() if one.pages >= ENOUGH]
    print(
        f"on a web of {small.count:,} hosts, intervals from {share:.0%} of pages are {np.median(ratios):.2f} times as wide as"
    )
    print(f"from all (median of {len(ratios)} languages with {ENOUGH} pages or more in the sample)")


def row(one: Interval) -> str:
    return (
        f"| {one.label} | {one.truth:.2e} | {one.pages:,} | {one.hosts:,} | {one.share:.2e} | {one.error:+.1%} "
        f"| {one.low:.2e} to {one.high:.2e} | {one.width:.0%} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=100_000)
    parser.add_argument("--cores", type=int, default=1_000)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--price", type=float, default=0.02, help="dollars for an hour of one core, assumed")
    parser.add_argument("--sample", type=float, default=0.01)
    parser.add_argument("--hosts", type=int, default=45_000_000, help="of the web, assumed")
    parser.add_argument("--only", default=",".join(PARTS))
    options = parser.parse_args()
    measured = json.loads(MEASURED.read_text("utf-8"))
    files, cluster = Files(count=options.tasks), Cluster(cores=options.cores)
    hosts = Hosts(count=options.hosts, pages=round(options.hosts * 3_000_000_000 / 45_000_000))
    wanted = options.only.split(",")
    if "cluster" in wanted:
        cluster_part(files, cluster, measured, options.seeds, options.price)
    if "sensitivity" in wanted:
        print()
        sensitivity_part(files, cluster, measured, options.price)
    if "tables" in wanted:
        print()
        tables_part(files, hosts, measured)
    if "sample" in wanted:
        print()
        sample_part(hosts, options.sample)


if __name__ == "__main__":
    main()
