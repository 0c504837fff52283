"""The language-focused crawler on the made-up web of examples/web: by the generator's labels, never by our own Verdicts.

    python bench/crawl.py precision            # every language, at 95% links within the language
    python bench/crawl.py random               # beside a crawl at random, where links stay in the language less often
    python bench/crawl.py recall rare scoring kill hostile memory

Crawls run in processes of their own against a server on loopback. All is drawn from seeds; what depends on time is told as such.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "examples")]

from tests.crawl.loopback import Plan, Settings, Web, arguments, checked, crawl, serve, visits  # noqa: E402

from webtongue.url.baselines import by_main_language  # noqa: E402

BUDGET = 10  # pages of a host, as in Baykan 2013
MEASURED = (
    0.776  # links between sites of pages in other languages than English that stay in the language (docs/links.md)
)
TWELVE = "deu fra spa ita isl eus ara jpn rus fin tha cym".split()
KILLS = 10
LONG = 400  # downloads of a crawl beside one at random, which takes some time to leave the surroundings of its seed
DROPPED = {"cctld": ("--drop",)}  # what a policy never follows, as published
CONCURRENCY = 16


def tag(plan: Plan, label: str) -> str:
    return plan.texts[label].tag


def pages_of(plan: Plan, rows: list[dict[str, Any]]) -> list[str]:
    """Labels of the pages that were fetched, by the generator."""
    return [plan.label_at(row["url"]) for row in rows if row["status"] == 200]


def one(web: Web, folder: Path, label: str, pages: int, policy: str, *more: str) -> list[dict[str, Any]]:
    out = folder / f"{label}-{policy}.warc.gz"
    wanted = ["-l", tag(web.plan, label), "--policy", policy, "--max-pages", str(pages), "--timeout", "5"]
    crawl(web, out, *wanted, *more, web.plan.seed(label))
    return visits(out)


def many(work: list[Callable[[], Any]], processes: int) -> list[Any]:
    with ThreadPoolExecutor(processes) as pool:
        return list(pool.map(lambda job: job(), work))


def precision(given: argparse.Namespace) -> None:
    """The bar: 97% for every language at 95% links within the language."""
    with tempfile.TemporaryDirectory() as folder, serve(Settings(hosts=20, same=given.same), Path(folder)) as web:
        labels = chosen(web.plan, given.languages)
        rows = many(
            [lambda label=label: one(web, Path(folder), label, given.pages, "fused") for label in labels],
            given.processes,
        )
        shares = {}
        for label, found in zip(labels, rows, strict=True):
            known = pages_of(web.plan, found)
            shares[label] = known.count(label) / max(1, len(known))
            print(f"{label}  {shares[label]:6.1%} of {len(known)} pages")
        below = [label for label, share in shares.items() if share < 0.97]
        worst = min(shares, key=lambda label: shares[label])
        print(
            f"precision at {given.same:.1%} same-language links between hosts: {len(labels)} languages, mean "
            f"{statistics.mean(shares.values()):.1%}, least {shares[worst]:.1%} ({worst}); below 97%: {', '.join(below) or 'none'}"
        )


def at_random(given: argparse.Namespace) -> None:
    """The bar: three times the target pages of a crawl at random, where that finds 32% at most."""
    for same in (MEASURED, 0.7):
        with tempfile.TemporaryDirectory() as folder, serve(Settings(hosts=60, same=same), Path(folder)) as web:
            labels = chosen(web.plan, given.languages or ",".join(TWELVE))
            work = [(label, policy) for label in labels for policy in ("fused", "random")]
            rows = many([lambda w=w: one(web, Path(folder), w[0], LONG, w[1]) for w in work], given.processes)
            found = {key: pages_of(web.plan, row).count(key[0]) for key, row in zip(work, rows, strict=True)}
            fetched = {key: len(pages_of(web.plan, row)) for key, row in zip(work, rows, strict=True)}
            print(f"links between hosts that stay in the language: {same:.1%}")
            ratios = []
            for label in labels:
                fused, chance = found[label, "fused"], found[label, "random"]
                share = chance / max(1, fetched[label, "random"])
                ratio = fused / max(1, chance)
                ratios += [ratio] if share <= 0.32 else []
                print(
                    f"{label}  fused {fused / max(1, fetched[label, 'fused']):6.1%}  random {share:6.1%}  {ratio:.1f} times"
                )
            print(
                f"where random finds 32% at most: {len(ratios)} languages, least {min(ratios, default=0):.1f} times (bar 3)"
            )


def reachable(plan: Plan, seed: str) -> set[tuple[str, int, int]]:
    """Pages that links lead to from a seed: host, part, number."""
    host = next(host for host in plan.hosts.values() if plan.url(host) == seed)
    queue, seen = deque([(host.name, 0, 0)]), {(host.name, 0, 0)}
    by_url: dict[str, tuple[str, int, int]] = {
        plan.url(one, part, number): (one.name, part, number)
        for one in plan.hosts.values()
        if one.kind in ("site", "hub")
        for part in range(len(one.labels))
        for number in range(one.pages)
    }
    from web.pages import _hub_links

    while queue:
        name, part, number = queue.popleft()
        at = plan.hosts[name]
        links = _hub_links(plan, at, number) if at.kind == "hub" else plan.links(at, part, number)
        urls = [url for url, _ in links] + [plan.url(at, other) for other in range(len(at.labels))]
        for url in urls:
            page = by_url.get(url)
            if page is not None and page not in seen:
                seen.add(page)
                queue.append(page)
    return seen


def recall(given: argparse.Namespace) -> None:
    """The bar: 80% of the reachable target pages outside the ccTLD, ten a host, at 1.5 times as many downloads as targets."""
    with tempfile.TemporaryDirectory() as folder, serve(Settings(hosts=16, same=given.same), Path(folder)) as web:
        plan = web.plan
        labels = chosen(plan, given.languages or ",".join(TWELVE))
        goals = {}
        for label in labels:
            of_host = Counter(
                name
                for name, part, number in reachable(plan, plan.seed(label))
                if plan.label(plan.hosts[name], part, number) == label
            )
            budget = {name: min(BUDGET, count) for name, count in of_host.items()}
            goals[label] = budget, {name for name in budget if by_main_language(f"http://{name}/") != label[:3]}

        def downloads(label: str) -> int:
            return round(1.5 * sum(goals[label][0].values()))

        work = [(label, policy) for label in labels for policy in ("fused", "cctld")]
        rows = many(
            [lambda w=w: one(web, Path(folder), w[0], downloads(w[0]), w[1], *DROPPED.get(w[1], ())) for w in work],
            given.processes,
        )  # fmt: skip
        shares = []
        for (label, policy), found in zip(work, rows, strict=True):
            budget, outside = goals[label]
            got = Counter(
                row["url"].split("/")[2] for row in found if row["status"] == 200 and plan.label_at(row["url"]) == label
            )
            want = sum(budget[name] for name in outside)
            share = sum(min(got[name], budget[name]) for name in outside) / max(1, want)
            shares += [share] if policy == "fused" else []
            print(
                f"{label}  {policy:6}  {share:6.1%} of {want} outside the ccTLD, {len(found)} for {sum(budget.values())} targets"
            )
        print(f"recall outside the ccTLD, fused: least {min(shares):.1%}, mean {statistics.mean(shares):.1%} (bar 80%)")


def rare(given: argparse.Namespace) -> None:
    """The bar: a language on 3 of 300 hosts is found on all three within 2,000 downloads."""
    with tempfile.TemporaryDirectory() as folder, serve(Settings(hosts=6, same=given.same), Path(folder)) as web:
        plan = web.plan
        hub = next(plan.url(host) for host in plan.hosts.values() if host.kind == "hub")
        hosts = {host.name for host in plan.by_label["fao_Latn"]}
        for policy in ("fused", "random"):
            out = Path(folder) / f"rare-{policy}.warc.gz"
            crawl(web, out, "-l", "fo", "--policy", policy, "--max-pages", "2000", "--timeout", "5", hub)
            first: dict[str, int] = {}
            for number, row in enumerate(visits(out), 1):
                name = row["url"].split("/")[2]
                if name in hosts and plan.label_at(row["url"]) == "fao_Latn":
                    first.setdefault(name, number)
            print(
                f"rare, {policy}: {len(first)} of {len(hosts)} hosts of {len(plan.hosts)}, first at {sorted(first.values())}"
            )


def scoring(given: argparse.Namespace) -> None:
    """The bar: 50 microseconds a link. A time: of the best of several rounds, and the middle one."""
    from webtongue import Identifier, Inlink, Page

    plan = Plan(Settings(hosts=20))
    chances = Identifier().chances(["de"])
    batches = []
    for host in list(plan.hosts.values())[::7][:100]:
        links = plan.links(host, 0, 1) if host.kind == "site" else []
        source = (Inlink(plan.url(host), plan.label(host, 0, 1), 0.99),)
        counts: dict[str, dict[str, float]] = {}
        pages = [
            Page(b"", url, inlinks=source, host=counts.setdefault(url.split("/")[2], {"deu": 3.0, "eng": 1.0}))
            for url, _ in links
        ]
        batches.append((pages, [words for _, words in links]))
    count = sum(len(pages) for pages, _ in batches)
    rounds = []
    for _ in range(15):
        chances.heard.clear()  # words are read anew in every round
        begun = time.process_time()
        for pages, words in batches:
            chances.of(pages, words)
        rounds.append((time.process_time() - begun) / count * 1e6)
    print(
        f"scoring: {count} links of {len(batches)} pages, {min(rounds):.0f} µs a link at best, "
        f"{statistics.median(rounds):.0f} in the middle (bar 50)"
    )


def kill(given: argparse.Namespace) -> None:
    """The bar: killed ten times and resumed, nothing is lost, no capture is there twice, only what was under way is repeated."""
    with tempfile.TemporaryDirectory() as folder, serve(Settings(hosts=12, traps=False), Path(folder)) as web:
        report = killed(web, Path(folder) / "killed.warc.gz", web.plan.seed("deu_Latn"), kills=KILLS, pages=400)
        print("kill: " + ", ".join(f"{name} {value}" for name, value in report.items()))


def killed(web: Web, out: Path, seed: str, kills: int, pages: int) -> dict[str, Any]:
    """Kill a crawl (-9) so many times, whenever it has fetched some more pages, and let the last run end."""
    chance = random.Random(1)
    step, more = pages // (kills + 1), [seed]
    under_way = 0
    for _ in range(kills):
        goal = len(web.asked()) + step // 2 + chance.randrange(step)
        process = subprocess.Popen(
            arguments(web, out, "-l", "de", "--max-pages", str(pages), *more),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while len(web.asked()) < goal and process.poll() is None:
            time.sleep(0.02)
        process.kill()
        process.wait()
        under_way += CONCURRENCY
        more = ["--resume"]
    crawl(web, out, "-l", "de", "--max-pages", str(pages), "--resume")
    return checked(web, out) | {"repeats allowed": under_way}


def hostile(given: argparse.Namespace) -> None:
    """Traps, failures, huge bodies: the crawl ends, and takes no more memory than one without them."""
    from web.traps import TRAPS

    with tempfile.TemporaryDirectory() as folder, serve(Settings(hosts=4), Path(folder), slow=30) as web:
        out = Path(folder) / "hostile.warc.gz"
        seeds = [f"http://{name}/" for name, _, _ in TRAPS]
        begun = time.monotonic()
        most = watched(
            arguments(
                web,
                out,
                "-l",
                "de",
                "--policy",
                "random",
                "--max-pages",
                "600",
                "--domain-pages",
                "60",
                "--timeout",
                "4",
                *seeds,
            )
        )
        reasons = Counter((row["status"] or row["reason"]) for row in visits(out))
        print(f"hostile: ended after {time.monotonic() - begun:.0f} s, at most {max(most)} MB; {dict(reasons)}")


def watched(command: list[str], step: float = 0.2) -> list[int]:
    """Run a command; the memory of its process in MB, from time to time."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    seen = []
    while process.poll() is None:
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
        except OSError:
            break
        seen += [int(line.split()[1]) // 1024 for line in status.splitlines() if line.startswith("VmRSS")]
        time.sleep(step)
    assert process.wait() == 0, process.stderr.read() if process.stderr else ""
    return seen


def memory(given: argparse.Namespace) -> None:
    """The bar: memory is flat over 20,000 pages."""
    with tempfile.TemporaryDirectory() as folder, serve(Settings(hosts=60, traps=False), Path(folder)) as web:
        out = Path(folder) / "long.warc.gz"
        begun = time.monotonic()
        seen = watched(
            arguments(
                web, out, "-l", "de,fr,ru,ja", "--max-pages", str(given.long), web.plan.seed("deu_Latn"),
            ), 1.0,
        )  # fmt: skip
        quarter = len(seen) // 4
        print(
            f"memory: {len(visits(out))} requests in {time.monotonic() - begun:.0f} s; MB after each quarter: "
            f"{seen[quarter]}, {seen[2 * quarter]}, {seen[3 * quarter]}, {seen[-1]}; the most {max(seen)}"
        )


def chosen(plan: Plan, languages: str) -> list[str]:
    wanted = [name.strip() for name in languages.split(",") if name.strip()]
    return [label for label in plan.labels if label != "fao_Latn" and (not wanted or label[:3] in wanted)]


SECTIONS = {
    "precision": precision, "random": at_random, "recall": recall, "rare": rare, "scoring": scoring, "kill": kill,
    "hostile": hostile, "memory": memory,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="+", choices=[*SECTIONS, "all"])
    parser.add_argument(
        "--same", type=float, default=0.95, help="share of links between hosts that stay in the language"
    )
    parser.add_argument("--pages", type=int, default=120, help="downloads of a crawl for precision")
    parser.add_argument("--languages", default="", help="codes such as deu,isl; all if not said")
    parser.add_argument("--long", type=int, default=20_000, help="pages of the crawl for memory")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    for name in SECTIONS if "all" in given.sections else given.sections:
        SECTIONS[name](given)


if __name__ == "__main__":
    main()
