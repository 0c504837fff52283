"""The language-focused crawler on the generated web of examples/web, measured by the labels of the generator.

    python bench/crawl.py precision            # every language, with 95% of links within the language
    python bench/crawl.py random               # beside a random crawl, where fewer links stay in the language
    python bench/crawl.py recall rare scoring kill hostile memory

Crawls run in their own processes against a server on loopback. All but the timings is reproducible from seeds.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from common import ROOT, bar_result, options_parser
from timing import best_seconds

sys.path[:0] = [str(ROOT), str(ROOT / "examples")]

from tests.crawl.loopback import Plan, Settings, Web, check_crawl, crawl, crawl_command, read_visits, serve  # noqa: E402

from webtongue.url.tld import by_main_language  # noqa: E402

PAGES_PER_HOST = 10  # as in Baykan 2013
# Share of links between sites that stay in the language, of pages in other languages than English (docs/links.md).
MEASURED_SAME_LANGUAGE_SHARE = 0.776
LANGUAGES = "deu fra spa ita isl eus ara jpn rus fin tha cym".split()
KILLS = 10
MAX_PAGES_LONG = 400  # a random crawl takes some time to leave the neighbourhood of its seed
POLICY_OPTIONS = {"cctld": ("--drop",)}  # as published, this policy never follows other links
CONCURRENCY = 16


def language_tag(plan: Plan, label: str) -> str:
    return plan.texts[label].tag


def fetched_labels(plan: Plan, rows: list[dict[str, Any]]) -> list[str]:
    """Return the generator's labels of the fetched pages."""
    return [plan.label_at(row["url"]) for row in rows if row["status"] == 200]


def run_crawl(web: Web, folder: Path, label: str, pages: int, policy: str, *extra_options: str) -> list[dict[str, Any]]:
    archive = folder / f"{label}-{policy}.warc.gz"
    options = ["-l", language_tag(web.plan, label), "--policy", policy, "--max-pages", str(pages), "--timeout", "5"]
    crawl(web, archive, *options, *extra_options, web.plan.seed(label))
    return read_visits(archive)


def run_parallel(jobs: list[Callable[[], Any]], processes: int) -> list[Any]:
    with ThreadPoolExecutor(processes) as pool:
        return list(pool.map(lambda job: job(), jobs))


@contextlib.contextmanager
def generated_web(slow: float = 0, **settings: Any) -> Iterator[tuple[Web, Path]]:
    """Serve a generated web, and yield it with a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        options = {"slow": slow} if slow else {}
        with serve(Settings(**settings), Path(folder), **options) as web:
            yield web, Path(folder)


def host_name(url: str) -> str:
    return url.split("/")[2]


def report_precision(options: argparse.Namespace) -> None:
    """Print precision by language; the bar is 97% for every language with 95% of links within the language."""
    with generated_web(hosts_per_language=20, same_language_share=options.same) as (web, folder):
        labels = select_labels(web.plan, options.languages)
        rows = run_parallel(
            [partial(run_crawl, web, folder, label, options.pages, "fused") for label in labels],
            options.processes,
        )
        shares = {}
        for label, visits in zip(labels, rows, strict=True):
            fetched = fetched_labels(web.plan, visits)
            shares[label] = fetched.count(label) / max(1, len(fetched))
            print(f"{label}  {shares[label]:6.1%} of {len(fetched)} pages")
        below = [label for label, share in shares.items() if share < 0.97]
        worst = min(shares, key=lambda label: shares[label])
        print(
            f"precision at {options.same:.1%} same-language links between hosts: {len(labels)} languages, mean "
            f"{statistics.mean(shares.values()):.1%}, least {shares[worst]:.1%} ({worst}); below 97%: {', '.join(below) or 'none'}"
        )


def report_random(options: argparse.Namespace) -> None:
    """Print target pages beside those of a random crawl; the bar is three times as many where that finds 32% at most."""
    for same_language_share in (MEASURED_SAME_LANGUAGE_SHARE, 0.7):
        with generated_web(hosts_per_language=60, same_language_share=same_language_share) as (web, folder):
            labels = select_labels(web.plan, options.languages or ",".join(LANGUAGES))
            jobs = [(label, policy) for label in labels for policy in ("fused", "random")]
            visits = run_parallel(
                [partial(run_crawl, web, folder, label, MAX_PAGES_LONG, policy) for label, policy in jobs],
                options.processes,
            )
            labels_by_job = {job: fetched_labels(web.plan, rows) for job, rows in zip(jobs, visits, strict=True)}
            targets = {job: fetched.count(job[0]) for job, fetched in labels_by_job.items()}
            print(f"links between hosts that stay in the language: {same_language_share:.1%}")
            ratios = []
            for label in labels:
                fused_share, random_share = (
                    targets[label, policy] / max(1, len(labels_by_job[label, policy])) for policy in ("fused", "random")
                )
                ratio = targets[label, "fused"] / max(1, targets[label, "random"])
                ratios += [ratio] if random_share <= 0.32 else []
                print(f"{label}  fused {fused_share:6.1%}  random {random_share:6.1%}  {ratio:.1f} times")
            print(
                f"where random finds 32% at most: {len(ratios)} languages, least {min(ratios, default=0):.1f} times (bar 3)"
            )


def reachable_pages(plan: Plan, seed: str) -> set[tuple[str, int, int]]:
    """Return the pages that can be reached from a seed by links: host, part, number."""
    from web.pages import list_hub_links

    host = next(host for host in plan.hosts.values() if plan.url(host) == seed)
    queue, reached = deque([(host.name, 0, 0)]), {(host.name, 0, 0)}
    by_url: dict[str, tuple[str, int, int]] = {
        plan.url(site, part, number): (site.name, part, number)
        for site in plan.hosts.values()
        if site.kind in ("site", "hub")
        for part in range(len(site.labels))
        for number in range(site.pages)
    }

    while queue:
        name, part, number = queue.popleft()
        site = plan.hosts[name]
        links = list_hub_links(plan, site, number) if site.kind == "hub" else plan.links(site, part, number)
        urls = [url for url, _ in links] + [plan.url(site, other_part) for other_part in range(len(site.labels))]
        for url in urls:
            page = by_url.get(url)
            if page is not None and page not in reached:
                reached.add(page)
                queue.append(page)
    return reached


def report_recall(options: argparse.Namespace) -> None:
    """Print recall of reachable target pages outside the ccTLD, ten of a host, with 1.5 downloads per target; the bar is 80%."""
    with generated_web(hosts_per_language=16, same_language_share=options.same) as (web, folder):
        plan = web.plan
        labels = select_labels(plan, options.languages or ",".join(LANGUAGES))
        goals = {}
        for label in labels:
            targets_by_host = Counter(
                name
                for name, part, number in reachable_pages(plan, plan.seed(label))
                if plan.label(plan.hosts[name], part, number) == label
            )
            budget = {name: min(PAGES_PER_HOST, count) for name, count in targets_by_host.items()}
            goals[label] = budget, {name for name in budget if by_main_language(f"http://{name}/") != label[:3]}

        def downloads(label: str) -> int:
            return round(1.5 * sum(goals[label][0].values()))

        jobs = [(label, policy) for label in labels for policy in ("fused", "cctld")]
        rows = run_parallel(
            [
                partial(run_crawl, web, folder, label, downloads(label), policy, *POLICY_OPTIONS.get(policy, ()))
                for label, policy in jobs
            ],
            options.processes,
        )
        shares = []
        for (label, policy), visits in zip(jobs, rows, strict=True):
            budget, outside = goals[label]
            fetched_by_host = Counter(
                host_name(row["url"]) for row in visits if row["status"] == 200 and plan.label_at(row["url"]) == label
            )
            total = sum(budget[name] for name in outside)
            share = sum(min(fetched_by_host[name], budget[name]) for name in outside) / max(1, total)
            shares += [share] if policy == "fused" else []
            print(
                f"{label}  {policy:6}  {share:6.1%} of {total} outside the ccTLD, {len(visits)} for {sum(budget.values())} targets"
            )
        print(f"recall outside the ccTLD, fused: least {min(shares):.1%}, mean {statistics.mean(shares):.1%} (bar 80%)")


def report_rare(options: argparse.Namespace) -> None:
    """Print when a language on 3 of 300 hosts is discovered; the bar is all three hosts within 2,000 downloads."""
    with generated_web(hosts_per_language=6, same_language_share=options.same) as (web, folder):
        plan = web.plan
        hub = next(plan.url(host) for host in plan.hosts.values() if host.kind == "hub")
        hosts = {host.name for host in plan.by_label["fao_Latn"]}
        for policy in ("fused", "random"):
            archive = folder / f"rare-{policy}.warc.gz"
            crawl(web, archive, "-l", "fo", "--policy", policy, "--max-pages", "2000", "--timeout", "5", hub)
            first: dict[str, int] = {}
            for number, row in enumerate(read_visits(archive), 1):
                name = host_name(row["url"])
                if name in hosts and plan.label_at(row["url"]) == "fao_Latn":
                    first.setdefault(name, number)
            print(
                f"rare, {policy}: {len(first)} of {len(hosts)} hosts of {len(plan.hosts)}, first at {sorted(first.values())}"
            )


def report_scoring(options: argparse.Namespace) -> None:
    """Print microseconds per scored link beside those of classifying an address alone; the bar is six times as many."""
    from webtongue import Identifier, Inlink, Page

    plan = Plan(Settings(hosts_per_language=20))
    identifier = Identifier()
    scorer = identifier.link_scorer(["de"])
    batches = []
    for host in list(plan.hosts.values())[::7][:100]:
        links = plan.links(host, 0, 1) if host.kind == "site" else []
        source = (Inlink(plan.url(host), plan.label(host, 0, 1), 0.99),)
        counts: dict[str, dict[str, float]] = {}
        pages = [
            Page(b"", url, inlinks=source, host=counts.setdefault(host_name(url), {"deu": 3.0, "eng": 1.0}))
            for url, _ in links
        ]
        batches.append((pages, [anchors for _, anchors in links]))
    count = sum(len(pages) for pages, _ in batches)
    urls = [page.url for pages, _ in batches for page in pages]

    def score(_: None) -> None:
        scorer.anchors.clear()  # anchor texts are read again in every round
        for pages, anchors in batches:
            scorer.score(pages, anchors)

    def classify(_: None) -> None:
        identifier.classify_urls(urls)

    seconds = best_seconds({"score": score, "classify": classify}, [None], 15, time.thread_time)
    ratio = seconds["score"] / seconds["classify"]
    print(
        f"scoring: {count} links of {len(batches)} pages, {seconds['score'] / count * 1e6:.1f} µs a link; "
        f"classify_urls {seconds['classify'] / count * 1e6:.1f} µs an address: {ratio:.1f} times (bar 6) {bar_result(ratio <= 6)}"
    )


def report_kills(options: argparse.Namespace) -> None:
    """Kill and resume a crawl ten times; the bar: nothing lost, no capture twice, only requests in flight repeated."""
    with generated_web(hosts_per_language=12, has_traps=False) as (web, folder):
        report = crawl_with_kills(web, folder / "killed.warc.gz", web.plan.seed("deu_Latn"), kills=KILLS, pages=400)
        print("kill: " + ", ".join(f"{name} {value}" for name, value in report.items()))


def crawl_with_kills(web: Web, archive: Path, seed: str, kills: int, pages: int) -> dict[str, Any]:
    """Kill a crawl with SIGKILL each time it has fetched some more pages, let the last run end, and check the archive."""
    rng = random.Random(1)
    step, seed_or_resume = pages // (kills + 1), [seed]
    repeats_allowed = 0
    for _ in range(kills):
        goal = len(web.read_requests()) + step // 2 + rng.randrange(step)
        process = subprocess.Popen(
            crawl_command(web, archive, "-l", "de", "--max-pages", str(pages), *seed_or_resume),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while len(web.read_requests()) < goal and process.poll() is None:
            time.sleep(0.02)
        process.kill()
        process.wait()
        repeats_allowed += CONCURRENCY
        seed_or_resume = ["--resume"]
    crawl(web, archive, "-l", "de", "--max-pages", str(pages), "--resume")
    return check_crawl(web, archive) | {"repeats allowed": repeats_allowed}


def report_hostile(options: argparse.Namespace) -> None:
    """Crawl traps, failures and huge bodies, and print whether the crawl ends and its highest memory."""
    from web.traps import TRAPS

    with generated_web(hosts_per_language=4, slow=30) as (web, folder):
        archive = folder / "hostile.warc.gz"
        seeds = [f"http://{name}/" for name, _, _ in TRAPS]
        start = time.monotonic()
        samples = sample_memory(
            crawl_command(
                web, archive, *"-l de --policy random --max-pages 600 --domain-pages 60 --timeout 4".split(), *seeds
            )
        )
        reasons = Counter((row["status"] or row["reason"]) for row in read_visits(archive))
        print(f"hostile: ended after {time.monotonic() - start:.0f} s, at most {max(samples)} MB; {dict(reasons)}")


def sample_memory(command: list[str], step: float = 0.2) -> list[int]:
    """Run a command and return samples of its resident memory in MB."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    samples = []
    while process.poll() is None:
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
        except OSError:
            break
        samples += [int(line.split()[1]) // 1024 for line in status.splitlines() if line.startswith("VmRSS")]
        time.sleep(step)
    assert process.wait() == 0, process.stderr.read() if process.stderr else ""
    return samples


def report_memory(options: argparse.Namespace) -> None:
    """Print memory over 20,000 pages; the bar is that it is flat."""
    with generated_web(hosts_per_language=60, has_traps=False) as (web, folder):
        archive = folder / "long.warc.gz"
        start = time.monotonic()
        seed = web.plan.seed("deu_Latn")
        command = crawl_command(web, archive, "-l", "de,fr,ru,ja", "--max-pages", str(options.long), seed)
        samples = sample_memory(command, 1.0)
        quarter = len(samples) // 4
        print(
            f"memory: {len(read_visits(archive))} requests in {time.monotonic() - start:.0f} s; MB after each quarter: "
            f"{samples[quarter]}, {samples[2 * quarter]}, {samples[3 * quarter]}, {samples[-1]}; the most {max(samples)}"
        )


def select_labels(plan: Plan, languages: str) -> list[str]:
    codes = [name.strip() for name in languages.split(",") if name.strip()]
    return [label for label in plan.labels if label != "fao_Latn" and (not codes or label[:3] in codes)]


SECTIONS = {
    "precision": report_precision, "random": report_random, "recall": report_recall, "rare": report_rare,
    "scoring": report_scoring, "kill": report_kills, "hostile": report_hostile, "memory": report_memory,
}  # fmt: skip


def main() -> None:
    parser = options_parser(__doc__, has_data=False)
    parser.add_argument("sections", nargs="+", choices=[*SECTIONS, "all"])
    parser.add_argument(
        "--same", type=float, default=0.95, help="share of links between hosts that stay in the language"
    )
    parser.add_argument("--pages", type=int, default=120, help="downloads of a crawl for precision (default 120)")
    parser.add_argument("--languages", default="", help="codes such as deu,isl (default all)")
    parser.add_argument("--long", type=int, default=20_000, help="pages of the crawl for memory (default 20,000)")
    parser.add_argument("--processes", type=int, default=2, help="crawls that run at the same time (default 2)")
    options = parser.parse_args()
    for name in SECTIONS if "all" in options.sections else options.sections:
        SECTIONS[name](options)


if __name__ == "__main__":
    main()
