"""The command, on a generated web on loopback: precision, files, interruptions, hostile servers, wrong calls."""

from __future__ import annotations

import random
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

for needed in ("scrapy", "warcio", "typer"):
    pytest.importorskip(needed, reason="the crawler needs its extra: pip install 'webtongue[crawl]'")

from tests.crawl.loopback import (  # noqa: E402
    Settings,
    Web,
    check_crawl,
    crawl,
    crawl_command,
    read_urls,
    read_visits,
    serve,
)

GERMAN = "deu_Latn"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with serve(Settings(hosts_per_language=6), tmp_path_factory.mktemp("web"), slow=30) as served:
        yield served


@pytest.fixture(scope="module")
def german(web: Web, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    out = tmp_path_factory.mktemp("german") / "crawl.warc.gz"
    return out, crawl(web, out, "-l", "de", "--max-pages", "40", web.plan.seed(GERMAN))


def measure_precision(web: Web, out: Path, label: str) -> float:
    """Return the share of pages in a language, by the labels of the generator."""
    pages = [web.plan.label_at(row["url"]) for row in read_visits(out) if row["status"] == 200]
    return pages.count(label) / len(pages)


def test_precision(web: Web, german: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    out, done = german
    assert len(read_visits(out)) == 40
    assert measure_precision(web, out, GERMAN) >= 0.9
    assert "precision" in done.stdout and "in de" in done.stdout


def test_ten_requests_per_host(german: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    hosts = Counter(row["url"].split("/")[2].removeprefix("www.") for row in read_visits(german[0]))
    assert max(hosts.values()) <= 10


def test_archive_journal_and_server_agree(german: tuple[Path, subprocess.CompletedProcess[str]], web: Web) -> None:
    report = check_crawl(web, german[0])
    assert report["pages"] == report["captures"] > 30
    assert (
        report["duplicate captures"]
        == report["done and not in the archive"]
        == report["in the archive and not done"]
        == 0
    )
    assert report["warcio check"] == 0


def test_a_census_reads_the_archive(german: tuple[Path, subprocess.CompletedProcess[str]], tmp_path: Path) -> None:
    pytest.importorskip("fastwarc", reason="a census needs its extra: pip install 'webtongue[census]'")
    import pyarrow.parquet as parquet

    from webtongue.census.config import Config
    from webtongue.census.run import census

    summary = census([str(german[0])], tmp_path / "census", Config())
    pages = sum(row["state"] == 2 for row in read_visits(german[0]))
    assert summary.rows == pages and not summary.problems
    rows = [
        row
        for path in (tmp_path / "census").rglob("*.parquet")
        for row in parquet.read_table(path).to_pylist()
        if "label" in row
    ]
    labels = {row["url"]: row["label"] for row in rows if row.get("url")}
    agree = [labels.get(row["url"]) == row["label"] for row in read_visits(german[0]) if row["status"] == 200]
    assert sum(agree) >= 0.9 * len(agree)


def test_random_is_worse(web: Web, tmp_path: Path) -> None:
    out = tmp_path / "random.warc.gz"
    crawl(web, out, "-l", "de", "--policy", "random", "--max-pages", "40", "--timeout", "8", web.plan.seed(GERMAN))
    assert measure_precision(web, out, GERMAN) < 0.9


def test_the_policy_svm(web: Web, tmp_path: Path) -> None:
    out = tmp_path / "svm.warc.gz"
    crawl(web, out, "-l", "de", "--policy", "svm", "--max-pages", "40", "--timeout", "8", web.plan.seed(GERMAN))
    assert measure_precision(web, out, GERMAN) >= 0.5
    done = crawl(web, tmp_path / "no.warc.gz", "-l", "is", "--policy", "svm", web.plan.seed(GERMAN), may_fail=True)
    assert done.returncode == 2 and "the policy svm supports" in done.stderr


def test_quotas(web: Web, tmp_path: Path) -> None:
    out = tmp_path / "two.warc.gz"
    seeds = [web.plan.seed(label) for label in ("isl_Latn", "cym_Latn")]
    crawl(web, out, "-l", "is,cy", "--quota", "8", "--max-pages", "80", *seeds)
    labels = Counter(row["label"] for row in read_visits(out) if row["status"] == 200)
    assert labels["isl_Latn"] >= 8 and labels["cym_Latn"] >= 8
    assert len(read_visits(out)) < 60


def test_killed_and_resumed(web: Web, tmp_path: Path) -> None:
    """Three kills here; bench/crawl.py has ten."""
    out, rng, arguments = tmp_path / "killed.warc.gz", random.Random(2), [web.plan.seed("fra_Latn")]
    before = Counter(web.read_requests())
    for _ in range(3):
        goal = len(web.read_requests()) + 8 + rng.randrange(8)
        process = subprocess.Popen(
            crawl_command(web, out, "-l", "fr", "--max-pages", "60", *arguments),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(3000):
            if len(web.read_requests()) >= goal or process.poll() is not None:
                break
            time.sleep(0.02)
        process.kill()
        process.wait()
        arguments = ["--resume"]
    crawl(web, out, "-l", "fr", "--max-pages", "60", "--resume")
    requests = Counter(web.read_requests()) - before
    requests = Counter({url: count for url, count in requests.items() if not url.endswith("/robots.txt")})
    report = check_crawl(web, out)
    assert (
        report["duplicate captures"]
        == report["done and not in the archive"]
        == report["in the archive and not done"]
        == 0
    )
    assert report["warcio check"] == 0 and len(read_visits(out)) == 60
    assert not set(requests) - read_urls(out)  # pages in flight at the last kill may still be queued
    assert sum(count - 1 for count in requests.values()) <= 3 * 16


def test_hostile_servers(web: Web, tmp_path: Path) -> None:
    from web.traps import TRAPS

    out = tmp_path / "traps.warc.gz"
    seeds = [f"http://{name}/" for name, _, _ in TRAPS]
    crawl(
        web, out, "-l", "de", "--policy", "random", "--max-pages", "150", "--domain-pages", "20", "--timeout", "8", "--retries", "0", *seeds
    )  # fmt: skip
    visits = {row["url"]: row for row in read_visits(out)}
    status = {kind: visits.get(f"http://{name}/", {}) for name, _, kind in TRAPS}
    assert status["failing"]["status"] == 503
    assert status["robots"]["reason"] == "Forbidden by robots.txt"
    for kind in ("slow", "dropping", "huge", "bomb", "headers"):
        assert status[kind]["state"] == 3, (kind, status[kind])
    for kind in ("calendar", "sessions", "pool", "malformed", "links", "inside"):
        assert status[kind]["status"] == 200, (kind, status[kind])
    hosts = Counter(url.split("/")[2].removeprefix("www.") for url in visits)
    assert max(hosts.values()) <= 10
    assert sum(count for host, count in hosts.items() if host.endswith("cheap-offers.info")) <= 20
    private = [
        row
        for url, row in visits.items()
        if any(part in url for part in ("127.0.0.1", "10.0.0.1", "169.254", "intern.example", "2130706433", "0x7f"))
    ]
    assert all(row["state"] == 3 for row in private), private
    hosts = {url.split("/")[2] for url in web.read_requests()}
    assert not hosts & {"127.0.0.1", "10.0.0.1", "intern.example", "localhost", "[::1]", "2130706433", "0.0.0.0:22"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["-l", "de"], "needs a seed"),
        (["http://example.org/"], "needs a language"),
        (["-l", "xx", "http://example.org/"], "xx"),
        (["-l", "de", "not an address"], "a seed is the URL"),
        (["-l", "de", "--resume"], "nothing to resume"),
        (["-l", "de", "--policy", "best", "http://example.org/"], "a policy is one of"),
    ],
)
def test_wrong_calls(web: Web, tmp_path: Path, arguments: list[str], sentence: str) -> None:
    done = crawl(web, tmp_path / "wrong.warc.gz", *arguments, may_fail=True)
    assert done.returncode == 2 and sentence in done.stderr and "Traceback" not in done.stderr


def test_files_are_not_overwritten(web: Web, german: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    done = crawl(web, german[0], "-l", "de", web.plan.seed(GERMAN), may_fail=True)
    assert done.returncode == 2 and "--resume" in done.stderr
