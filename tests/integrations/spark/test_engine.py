"""A census on a cluster has the rows of the local engine, whatever fails meanwhile."""

from __future__ import annotations

import http.server
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.census.archive_records import response, warc
from tests.census.read.test_remote_io import give, served
from tests.census.test_census import CRASH, HANG, Answers, crawl, rows_of
from tests.census.test_rows import ICELANDIC
from tests.integrations.spark.cluster import Cluster, settings
from webtongue import OutputError, UsageError
from webtongue.census.config import Config
from webtongue.census.engines import Job, Progress
from webtongue.census.engines.local import LocalEngine, WorkerError
from webtongue.census.engines.spark import SparkEngine, _Attempt, _commit, _ListParam, _ProcessItem
from webtongue.census.folder import MANIFEST
from webtongue.census.items import Source, WorkItem
from webtongue.census.run import census
from webtongue.census.sink import ATTEMPTS_FOLDER, Part
from webtongue.integrations.spark import census as spark_census

ROOT = Path(__file__).parents[3]
DEMO = ROOT / "examples" / "crawl.warc.gz"
HELD_SECONDS = 300  # the longest time for which an archive is held back


def test_rows_of_the_demo_crawl_equal_those_of_the_local_engine(spark: Any, tmp_path: Path) -> None:
    inputs = [str(DEMO), *crawl(tmp_path, files=3, pages=5), str(tmp_path / "missing.warc.gz")]
    told: list[Progress] = []
    there = census(inputs, tmp_path / "spark", engine=SparkEngine(spark), on_progress=told.append)
    here = census(inputs, tmp_path / "local", workers=1)
    assert rows_of(tmp_path / "spark") == rows_of(tmp_path / "local")
    assert (there.rows, there.statuses, there.problems, there.second_pass) == (
        here.rows,
        here.statuses,
        here.problems,
        here.second_pass,
    )
    assert there.problems["unreadable"] == 1
    assert told[-1].rows == there.rows and told[-1].items == told[-1].total_items
    assert not (tmp_path / "spark" / ATTEMPTS_FOLDER).exists()


def work_items(folder: Path, files: int) -> list[WorkItem]:
    """Write small files, each of which is an item."""
    paths = crawl(folder, files=files, pages=4)
    return [WorkItem(number, (Source(path, "warc", path, 1),)) for number, path in enumerate(paths)]


def job(folder: Path, answer: Any = None) -> Job:
    for kind in ("rows", "links"):
        (folder / kind).mkdir(parents=True)
    return Job(Config(page_seconds=10.0), folder, answer)


def test_pages_that_end_or_block_a_process_cost_their_own_rows(spark: Any, tmp_path: Path) -> None:
    bodies = [b"<p>good", CRASH, b"<p>good too", HANG, b"<p>and good"]
    path = tmp_path / "a.warc.gz"
    path.write_bytes(warc([response(f"https://example.org/{i}", body) for i, body in enumerate(bodies)]))
    item = WorkItem(0, (Source(str(path), "warc", "a", 1),))
    (part,) = SparkEngine(spark).run([item], job(tmp_path / "out", Answers()))
    rows = rows_of(tmp_path / "out")
    assert [row["problem"] for row in rows] == [None, "crash", None, "timeout", None]
    assert part.problems == {"crash": 1, "timeout": 1}


class Ending(Answers):
    """Ends the Python process of Spark once for each marked page: the task fails, and Spark repeats it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, pages: Any) -> Any:
        for page in pages:
            mark = self.folder / "ended"
            if b"<p>2 " in page.raw and not mark.exists():
                mark.touch()
                os.kill(os.getppid(), signal.SIGKILL)
                signal.pause()
        return super().__call__(pages)


def test_a_task_that_dies_is_repeated(spark: Any, tmp_path: Path) -> None:
    items = work_items(tmp_path, 3)
    parts = list(SparkEngine(spark).run(items, job(tmp_path / "out", Ending(tmp_path))))
    assert (tmp_path / "ended").exists()
    assert sorted(part.number for part in parts) == [0, 1, 2]
    assert len(rows_of(tmp_path / "out")) == sum(part.rows for part in parts) == 3 * 7
    assert not list((tmp_path / "out").rglob("*.unfinished")) and not (tmp_path / "out" / ATTEMPTS_FOLDER).exists()


def test_concurrent_attempts_do_not_interfere(tmp_path: Path) -> None:
    (item,) = work_items(tmp_path, 1)
    out = tmp_path / "out"
    action = _ProcessItem(job(out))
    (out / ATTEMPTS_FOLDER).mkdir()
    attempt, files = _Attempt(action, out / ATTEMPTS_FOLDER), action.files(item.number)
    one, other = attempt(item), attempt(item)
    assert one.result == other.result and one.folder != other.folder
    assert not rows_of(out)  # neither is there before the driver says so
    _commit(one, out / ATTEMPTS_FOLDER, out, files)
    assert len(rows_of(out)) == one.result.rows == 7
    with pytest.raises(WorkerError, match="all machines share"):
        _commit(one, out / ATTEMPTS_FOLDER, out, files)


def test_a_lost_machine_loses_no_row(cluster: Cluster, spark: Any, tmp_path: Path) -> None:
    items = work_items(tmp_path, 6)
    there, here = tmp_path / "spark", tmp_path / "local"
    killed: list[int] = []

    def kill(progress: Progress) -> None:
        if progress.items and not killed:
            assert progress.items < progress.total_items
            killed.append(cluster.kill_worker())

    try:
        parts = list(SparkEngine(spark).run(items, job(there), kill))
    finally:
        cluster.add_worker()
    assert killed[0] > 1  # the worker and an executor at least
    local = list(LocalEngine(1).run(items, job(here)))
    assert sorted(parts, key=number) == sorted(local, key=number)
    assert rows_of(there) == rows_of(here)


def number(part: Part) -> int:
    return part.number


def large(folder: Path, files: int) -> list[str]:
    """Write archives that are too large to be grouped, with an image and some pages each."""
    out = []
    for i in range(files):
        noise = random.Random(i).randbytes(9 << 19)
        pages = [response(f"https://h{i}.example.is/{n}", ICELANDIC.encode()) for n in range(3)]
        path = folder / f"{i}.warc.gz"
        path.write_bytes(warc([*pages, response(f"https://h{i}.example.is/x", noise, {"Content-Type": "image/png"})]))
        out.append(str(path))
    return out


@contextmanager
def held_archive() -> Iterator[tuple[str, threading.Event]]:
    """Serve an archive whose bytes are sent only when the event is set."""
    released = threading.Event()

    def answer(handler: http.server.BaseHTTPRequestHandler, _: int) -> None:
        if handler.command == "HEAD" or released.wait(HELD_SECONDS):
            give(handler)

    with served(answer) as url:
        try:
            yield url, released
        finally:
            released.set()


def kill_after_first_part(command: list[str], out: Path, log_path: Path) -> None:
    """Run a census, and kill it as soon as its manifest lists a part."""
    manifest = out / MANIFEST
    with log_path.open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
    while process.poll() is None and not (manifest.exists() and '"part"' in manifest.read_text("utf-8")):
        time.sleep(0.05)
    assert process.poll() is None, log_path.read_text("utf-8", "replace")
    process.kill()
    assert process.wait() == -signal.SIGKILL


def wait_for_executors(out: Path) -> None:
    """Return when no file of an output folder changes any more: executors go on for a moment without their driver."""
    files: set[Path] | None = None
    while files != (files := set(out.rglob("*"))):
        time.sleep(2)


def test_a_census_whose_driver_was_killed_resumes(cluster: Cluster, spark: Any, tmp_path: Path) -> None:
    """The driver cannot finish before it is killed, because one of its inputs is held back until then."""
    out = tmp_path / "out"
    with held_archive() as (url, released):
        inputs = [*large(tmp_path, 3), url]
        options = ["-o", str(out), "--engine", "spark", "--master", cluster.url]
        for key, value in settings(cluster).items():
            options += ["--conf", f"{key}={value}"]
        kill_after_first_part([sys.executable, "-m", "webtongue", "census", *inputs, *options], out, tmp_path / "log")
        released.set()
        wait_for_executors(out)
        summary = spark_census(spark, inputs, out, resume=True)
        census(inputs, tmp_path / "local", workers=1)
    assert summary.items == 4 and 0 < summary.resumed < 4
    assert rows_of(out) == rows_of(tmp_path / "local")
    assert not list(out.rglob("*.unfinished")) and not (out / ATTEMPTS_FOLDER).exists()


def test_output_errors_end_the_run(spark: Any, tmp_path: Path) -> None:
    items = work_items(tmp_path, 1)
    (tmp_path / "out" / "rows" / "part-000000.parquet").mkdir(parents=True)  # in the way
    (tmp_path / "out" / "links").mkdir()
    with pytest.raises(OutputError, match="part-000000"):
        list(SparkEngine(spark).run(items, Job(Config(), tmp_path / "out")))


def test_an_unwritable_folder_is_reported_in_one_sentence(spark: Any, tmp_path: Path) -> None:
    inputs = crawl(tmp_path, files=1, pages=3)
    with pytest.raises(OutputError, match="Not a directory"):
        spark_census(spark, inputs, Path(inputs[0]) / "out")


class Refusing(Answers):
    """Raises the error that ends a job."""

    def __call__(self, pages: Any) -> Any:
        raise UsageError("no answer from this method")


def test_a_failed_job_is_described_in_one_sentence(spark: Any, tmp_path: Path) -> None:
    with pytest.raises(WorkerError, match="no answer from this method; continue with --resume"):
        list(SparkEngine(spark).run(work_items(tmp_path, 1), job(tmp_path / "out", Refusing())))


def test_bad_calls_are_refused(spark: Any, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="standard input"):
        list(SparkEngine(spark).run([WorkItem(0, (Source("-", "stdin"),))], Job(Config(), tmp_path)))
    with pytest.raises(UsageError, match="unknown option colour"):
        spark_census(spark, [str(DEMO)], tmp_path / "out", colour="red")
    assert list(SparkEngine(spark).run([], Job(Config(), tmp_path))) == []


@pytest.mark.parametrize("name", ["a b", "ünï", "50%", "crawl=CC-1", "x[1]{2}*", "a#b,c"])
def test_folders_can_have_any_name(spark: Any, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = crawl(tmp_path, files=1, pages=3)
    monkeypatch.chdir(tmp_path)
    summary = spark_census(spark, inputs, name)  # from where this process is, and executors are not
    assert summary.second_pass is not None and summary.second_pass.pages
    census(inputs, tmp_path / "local", workers=1)
    assert rows_of(tmp_path / name) == rows_of(tmp_path / "local")


def test_paths_in_settings_are_made_absolute(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DEMO.parent)
    inputs = crawl(tmp_path, files=1, pages=3)
    assert spark_census(spark, inputs, tmp_path / "out", geo="crawl.mmdb").second_pass


def test_reports_that_are_lost_are_missed(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_ListParam, "addInPlace", lambda self, value1, value2: value1)
    with pytest.raises(WorkerError, match="lost the reports of 2"):
        list(SparkEngine(spark).run(work_items(tmp_path, 2), job(tmp_path / "out")))
