"""Full, read-only and missing disks: one sentence, an exit code, and a crawl that can be resumed."""

from __future__ import annotations

import random
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

for needed in ("scrapy", "warcio", "typer", "cryptography"):
    pytest.importorskip(needed, reason="the crawler needs its extra: pip install 'webtongue[crawl]'")

from warcio.archiveiterator import ArchiveIterator  # noqa: E402

from tests.crawl.loopback import read_visits  # noqa: E402
from tests.crawl.tiny_web import TEXT, Answer, TinyWeb, page, serving  # noqa: E402
from webtongue.crawl.config import Config  # noqa: E402
from webtongue.crawl.controller import CrawlController  # noqa: E402
from webtongue.crawl.frontier import NewPage  # noqa: E402
from webtongue.crawl.urls import parse_url  # noqa: E402

HOSTS = 30
SEED = "http://start.example/"
KB = 1 << 10


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TinyWeb]:
    """Serve a page with links to large pages that cannot be compressed, and one with links to pages with many long links."""
    rng = random.Random(1)
    answers: dict[str, Any] = {
        SEED: page(*(f"http://large-{n}.example/" for n in range(HOSTS))),
        "http://links.example/": page(*(f"http://links-{n}.example/" for n in range(HOSTS))),
    }
    for number in range(HOSTS):
        noise = f"<p>{TEXT}</p><!-- ".encode() + rng.randbytes(90 * KB).replace(b"-", b"") + b" -->"
        answers[f"http://large-{number}.example/"] = Answer(200, noise, {"Content-Type": "text/html; charset=utf-8"})
        links = [f"http://next-{number}.example/{'long-' * 100}{n}" for n in range(90)]
        answers[f"http://links-{number}.example/"] = page(*links)
    with serving(answers, tmp_path_factory.mktemp("web")) as served:
        yield served


def crawl(web: TinyWeb, out: Path | str, *arguments: str, max_bytes: int = 0) -> subprocess.CompletedProcess[str]:
    """Run the command; no file may grow over ``max_bytes``, as on a full disk."""

    def set_limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (max_bytes, max_bytes))

    line = [
        sys.executable, "-m", "webtongue", "crawl", "-o", str(out), "--connect-to", web.connect_to, "--delay", "0", "-l", "de",
        "--timeout", "10", "--max-pages", "25", *arguments,
    ]  # fmt: skip
    return subprocess.run(
        line, capture_output=True, text=True, timeout=120, preexec_fn=set_limit if max_bytes else None
    )


def read_responses(out: Path) -> list[str]:
    with out.open("rb") as file:
        records = [
            (record.rec_type, record.rec_headers.get_header("WARC-Target-URI")) for record in ArchiveIterator(file)
        ]
    return [url for kind, url in records if kind == "response"]


def assert_stopped(done: subprocess.CompletedProcess[str], name: str) -> None:
    lines = done.stderr.strip().splitlines()
    assert done.returncode == 1, (done.returncode, done.stderr)
    assert len(lines) == 1 and name in lines[0] and "use --resume to continue" in lines[0], done.stderr


def assert_resumed(web: TinyWeb, out: Path) -> None:
    """Resume, and assert that finished pages are kept, none is fetched twice, and the rest is fetched."""
    before = read_responses(out)
    assert before == [row["url"] for row in read_visits(out) if row["state"] == 2]
    done = crawl(web, out, "--resume")
    assert done.returncode == 0, done.stderr
    after = read_responses(out)
    assert after[: len(before)] == before and len(after) == len(set(after)) == 25
    check = subprocess.run([sys.executable, "-m", "warcio.cli", "check", str(out)], capture_output=True, text=True)
    assert check.returncode == 0, check.stdout


@pytest.mark.parametrize(
    ("seed", "max_bytes", "name"),
    [(SEED, 900 * KB, "crawl.warc.gz:"), ("http://links.example/", 600 * KB, "crawl.warc.gz.journal:")],
)
def test_file_size_limit(web: TinyWeb, tmp_path: Path, seed: str, max_bytes: int, name: str) -> None:
    out = tmp_path / "crawl.warc.gz"
    assert_stopped(crawl(web, out, seed, max_bytes=max_bytes), name)
    assert 0 < len(read_visits(out)) < 25
    assert_resumed(web, out)


@pytest.mark.parametrize("seed", [SEED, "http://links.example/"])
def test_a_full_disk(web: TinyWeb, mounted: Callable[[str], Path], seed: str) -> None:
    out = mounted("size=900k") / "crawl.warc.gz"
    assert_stopped(crawl(web, out, seed), "crawl.warc.gz")
    mounted("size=64m")
    assert_resumed(web, out)


def test_a_disk_that_is_full_from_the_start(web: TinyWeb, mounted: Callable[[str], Path]) -> None:
    folder = mounted("size=8k")
    done = crawl(web, folder / "crawl.warc.gz", SEED)
    assert done.returncode == 1 and len(done.stderr.strip().splitlines()) == 1, done.stderr


def test_a_read_only_disk(web: TinyWeb, mounted: Callable[[str], Path]) -> None:
    folder = mounted("size=8m")
    out = folder / "crawl.warc.gz"
    assert crawl(web, out, SEED, "--max-pages", "2").returncode == 0
    mounted("ro")
    for path, argument in ((folder / "new.warc.gz", SEED), (out, "--resume")):
        done = crawl(web, path, argument)
        assert done.returncode == 1 and "Read-only file system" in done.stderr, done.stderr
        assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("out", "code"),
    [
        ("file/crawl.warc.gz", 1), ("missing/crawl.warc.gz", 1), ("folder", 2), (".", 2), ("/", 2), ("/proc/crawl.warc.gz", 1),
        ("n" * 300, 1), ("n" * 250, 1),
    ],
)  # fmt: skip
def test_wrong_paths(web: TinyWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str, code: int) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    for argument in (SEED, "--resume"):
        done = crawl(web, out, argument)
        assert done.returncode in (1, 2) and len(done.stderr.strip().splitlines()) == 1, done.stderr
        assert done.returncode == code or argument != SEED, done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


def test_a_log_that_cannot_be_written(web: TinyWeb, tmp_path: Path) -> None:
    done = crawl(web, tmp_path / "crawl.warc.gz", SEED, "--log", str(tmp_path / "missing" / "log"))
    assert done.returncode == 1 and len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert not list(tmp_path.iterdir())


def test_an_empty_crawl_fails(web: TinyWeb, tmp_path: Path) -> None:
    web.add("http://closed.example/robots.txt", Answer(200, b"User-agent: *\nDisallow: /\n"))
    web.add("http://gone.example/", Answer(404))
    for seed, reason in (("http://closed.example/", "Forbidden by robots.txt"), ("http://gone.example/", "status 404")):
        done = crawl(web, tmp_path / f"{len(seed)}.warc.gz", seed)
        assert done.returncode == 1, done.stdout
        assert done.stderr.splitlines()[-2:] == [f"webtongue: {seed}: {reason}", "webtongue: no page could be fetched"]
        assert "webtongue census" not in done.stdout
    seeds = ["http://closed.example/", "http://gone.example/"]
    lines = crawl(web, tmp_path / "both.warc.gz", *seeds).stderr.splitlines()
    assert [line.split(": ")[1].rstrip("/") for line in lines if "example" in line] == [
        seed.rstrip("/") for seed in seeds
    ]
    out = tmp_path / "done.warc.gz"
    assert crawl(web, out, SEED, "--max-pages", "1").returncode == 0
    done = crawl(web, out, "--resume", "--max-pages", "1")
    assert "nothing was fetched in this run" in done.stderr


def test_nothing_is_written_after_an_error(tmp_path: Path) -> None:
    """After an error nothing of an unfinished page is committed, and no method raises."""
    journal = tmp_path / "journal"
    controller = CrawlController(Config(languages=("de",), journal=str(journal)))
    stops: list[str] = []
    controller.on_stop = lambda: stops.append("stopped")
    (pages,) = controller.frontier._db.execute("PRAGMA page_count").fetchone()
    controller.frontier._db.execute(f"PRAGMA max_page_count = {pages + 2}")
    queued = 0
    for number in range(1000):
        target = parse_url(f"http://a{number}.example/{'long' * 100}", 2048)
        assert target is not None
        queued += controller.enqueue(NewPage(target, 0.5, "de", 0, ""))
        if queued == 5:
            controller.frontier.commit()
    assert 5 <= queued < 1000 and stops == ["stopped"]
    assert (
        controller.failure is not None
        and "full" in str(controller.failure)
        and controller.failure.filename == str(journal)
    )
    assert controller.next_page() is None and not controller.has_queued() and controller.select_links(None, []) == []  # type: ignore[arg-type]
    controller.fail(1, "late")
    controller.close()
    assert stops == ["stopped"]
    controller = CrawlController(Config(languages=("de",), journal=str(journal)))
    assert controller.frontier.count_totals().queued == 5
