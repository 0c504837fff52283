"""Regressions: names with pattern characters, lost parts, and damaged manifests."""

from __future__ import annotations

import io
import json
import os
from collections import deque
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.census.test_census import crawl, rows_of
from webtongue import UsageError
from webtongue.census.capture import Capture, Problem
from webtongue.census.config import Config
from webtongue.census.engines import Job
from webtongue.census.engines.local import LocalEngine, WorkerError, _plan_retry, _poll, _start_worker, _Task, _work
from webtongue.census.items import Source, WorkItem
from webtongue.census.read.decompress import Compression, DecompressedBuffer
from webtongue.census.read.jsonlines import read_lines
from webtongue.census.read.tabular import read_parquet
from webtongue.census.rows import RowBuilder
from webtongue.census.run import census
from webtongue.census.search import search
from webtongue.census.work import IDENTIFYING, READING, ItemProcessor


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return crawl(tmp_path_factory.mktemp("crawl"), files=2, pages=3)


def test_a_folder_name_can_contain_pattern_characters(inputs: list[str], tmp_path: Path) -> None:
    out = tmp_path / "o[1]*'x"
    summary = census(inputs, out, Config(keep_text=True), workers=1)
    assert (
        summary.second_pass is not None and summary.second_pass.pages == 4
    )  # the short page and the short text of each host
    assert len(search(out, "Foto").hits) == 2


@pytest.mark.parametrize("harm", ["deleted", "cut"])
def test_a_lost_part_is_written_again(inputs: list[str], tmp_path: Path, harm: str) -> None:
    config = Config(keep_links=True)  # the links of the second pass are kept for the new part
    census(inputs, tmp_path, config, workers=1)
    before = rows_of(tmp_path)
    part = next((tmp_path / "rows").glob("*.parquet"))
    if harm == "deleted":
        part.unlink()
    else:
        part.write_bytes(part.read_bytes()[:-100])
    for _ in range(2):  # the second finds all there
        census(inputs, tmp_path, config, workers=1, resume=True)
        assert rows_of(tmp_path) == before


def test_search_reports_a_damaged_part(inputs: list[str], tmp_path: Path) -> None:
    census(inputs, tmp_path, Config(keep_text=True), workers=1)
    part = next((tmp_path / "rows").glob("*.parquet"))
    part.write_bytes(part.read_bytes()[:-100])
    with pytest.raises(UsageError, match="damaged"):
        search(tmp_path, "Foto")


@pytest.mark.parametrize("line", [[1], 7, None, {"part": 0}])
def test_a_manifest_with_other_lines_is_damaged(inputs: list[str], tmp_path: Path, line: object) -> None:
    census(inputs, tmp_path, Config(second_pass=False), workers=1)
    with (tmp_path / "manifest.jsonl").open("a") as file:
        file.write(json.dumps(line) + "\n")
    with pytest.raises(UsageError, match="damaged"):
        census(inputs, tmp_path, Config(second_pass=False), workers=1, resume=True)


@pytest.mark.parametrize(
    "settings",
    [
        {"languages": ("xx-nope",)},
        {"evidence": ("rumour",)},
        {"priors": "odd"},
        {"geo": "none.mmdb"},
        {"model": "none"},
    ],
    ids=str,
)
def test_bad_settings_are_refused_before_the_folder_is_created(
    inputs: list[str], tmp_path: Path, settings: dict[str, Any]
) -> None:
    with pytest.raises(Exception, match=r"xx-nope|rumour|odd|none") as query_error:
        census(inputs, tmp_path / "out", Config(**settings), workers=1)
    assert not isinstance(query_error.value, WorkerError)  # which speaks of memory, after tracebacks of workers
    assert not (tmp_path / "out").exists()


def test_a_worker_that_cannot_start_reports_why(inputs: list[str], tmp_path: Path) -> None:
    item = WorkItem(0, (Source(inputs[0], "warc"),))
    with pytest.raises(WorkerError, match="xx-nope"):
        list(LocalEngine(1).run([item], Job(Config(languages=("xx-nope",)), tmp_path)))


def test_a_worker_that_ended_between_two_items_is_replaced(tmp_path: Path) -> None:
    job = Job(Config(), tmp_path)
    worker = _start_worker(job)
    worker.process.kill()
    worker.process.join()
    waiting: deque[_Task] = deque()
    workers = [worker]
    worker.start(_Task(WorkItem(0, ())), tmp_path)  # a broken pipe here would end the run as if nobody read its output
    assert list(_poll(workers, waiting, job)) == []
    assert [task.item.number for task in waiting] == [0] and workers[0] is not worker
    workers[0].stop()


def test_a_worker_without_a_parent_exits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Gone(Exception):
        pass

    def gone(code: int) -> None:
        raise Gone(code)

    monkeypatch.setattr(os, "_exit", gone)
    monkeypatch.setattr("webtongue.census.engines.local._end_with_parent", lambda: None)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    with pytest.raises(Gone):  # though its item may be in the pipe already
        _work(None, [0] * 6, Job(Config(), tmp_path), os.getppid() + 1)  # type: ignore[arg-type]


@pytest.mark.parametrize("resume", [False, True])
def test_rows_without_a_manifest_are_not_touched(inputs: list[str], tmp_path: Path, resume: bool) -> None:
    census(inputs, tmp_path, Config(second_pass=False), workers=1)
    before = rows_of(tmp_path)
    (tmp_path / "manifest.jsonl").unlink()
    with pytest.raises(UsageError, match=r"manifest\.jsonl is missing"):
        census(inputs[:1], tmp_path, Config(second_pass=False), workers=1, resume=resume)
    assert rows_of(tmp_path) == before


def test_parts_missing_from_the_manifest_are_deleted(tmp_path: Path) -> None:
    items = [str(folder) for folder in _two_parts(tmp_path)]
    census(items[:1], tmp_path / "one", Config(second_pass=False), workers=1)
    out = tmp_path / "out"
    census(items, out, Config(second_pass=False), workers=1)
    assert len(list((out / "rows").iterdir())) == 2
    (out / "manifest.jsonl").write_bytes(b"")  # cut to nothing: the next run is of whatever it is told
    census(items[:1], out, Config(second_pass=False), workers=1, resume=True)
    assert rows_of(out) == rows_of(tmp_path / "one")


def _two_parts(folder: Path) -> list[Path]:
    """Create two folders with a page list, each of which is an item."""
    made = []
    for name in "ab":
        made.append(folder / name)
        made[-1].mkdir()
        (made[-1] / "page.html").write_text(f"<p>{name}")
        (made[-1] / "index.jsonl").write_text(json.dumps({"file": "page.html", "url": f"https://{name}.example/"}))
    return made


def test_a_line_that_is_too_long_has_its_start_offset() -> None:
    data = b'{"a": 1}\n' + b"x" * (1 << 20) + b'\n{"b": 2}'
    result = list(read_lines(DecompressedBuffer(io.BytesIO(data), Compression.PLAIN), 1000))
    assert [line.offset for line in result] == [0, 9, 10 + (1 << 20)]
    assert [bool(line.trouble) for line in result] == [False, True, False]


def _of_table(**columns: Any) -> list[Capture]:
    file = io.BytesIO()
    pq.write_table(pa.table({"url": ["https://a.example/", "https://b.example/"], **columns}), file)
    file.seek(0)
    return list(read_parquet(file, "pages.parquet", Config()))


@pytest.mark.parametrize(
    "times",
    [pa.array([1 << 62, 10**15], pa.timestamp("us")), pa.array([1, 10**12], pa.timestamp("ms", "Nowhere/Nothing"))],
    ids=["after the year 9999", "no zone of time"],
)
def test_unrepresentable_times_lose_no_page(times: Any) -> None:
    assert [capture.body for capture in _of_table(html=["<p>a", "<p>b"], fetch_time=times)] == [b"<p>a", b"<p>b"]


def test_invalid_utf8_in_a_table_loses_no_page() -> None:
    damaged = pa.array([b"<p>\xff", b"<p>b"]).view(pa.string())
    assert [capture.body for capture in _of_table(html=damaged)] == ["<p>\ufffd".encode(), b"<p>b"]


def test_a_file_that_stops_a_worker_affects_no_other_file(tmp_path: Path) -> None:
    """Small files are one item: each file that ends workers is given up separately, as an unreadable input."""
    paths = []
    for name in "abcdef":
        path = tmp_path / f"{name}.html"
        path.write_text(f"<p>{name}")
        paths.append(str(path))
    item = WorkItem(0, tuple(Source(path, "page") for path in paths))
    task = _Task(item)
    for record in range(5):  # a worker ends at each of the first five, twice
        for _ in range(2):
            task = _plan_retry(task, [READING, record, record + 1, 0, 0, 0], Problem.TIMEOUT)
    result = [
        row
        for batch in ItemProcessor(Config(), RowBuilder(Config()))(item, task.plan)
        for row in batch.rows.to_pylist()
    ]
    assert [row["warc_filename"] for row in result] == paths
    assert [row["problem"] for row in result] == [*["unreadable"] * 5, None]


def test_a_worker_killed_from_outside_loses_no_page() -> None:
    task = _Task(WorkItem(0, ()))
    for first, end in ((0, 200), (7, 8), (9, 10)):  # three times, each at another place
        task = _plan_retry(task, [IDENTIFYING, first, end, 0, 0, 0], Problem.CRASH)
        assert not task.plan.skip
    task = _plan_retry(task, [IDENTIFYING, 9, 10, 0, 0, 0], Problem.CRASH)
    assert task.plan.skip == {9: Problem.CRASH}  # that page does it


def test_a_worker_that_waits_for_a_store_is_not_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    marks: list[int] = []
    monkeypatch.setattr("webtongue.census.work.time.sleep", slept.append)

    def patient(source: Source, config: Config, sleep: Any) -> Any:
        sleep(0.5)
        sleep(60.0)
        yield Capture(record_type="response", filename=source.path)

    monkeypatch.setattr("webtongue.census.work.read", patient)
    item = WorkItem(0, (Source("https://example.org/a.warc.gz", "warc"),))
    config = Config(page_seconds=5)
    list(ItemProcessor(config, RowBuilder(config))(item, report=lambda stage, *_: marks.append(stage)))
    assert (
        sum(slept) == pytest.approx(60.5) and max(slept) <= 1
    )  # reports are more frequent than the time limit of a page
    assert marks.count(READING) >= len(slept)
