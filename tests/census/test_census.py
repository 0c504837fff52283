"""A census end to end: a row for each capture, workers that end, killed runs, hostile inputs."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.census.archive_records import conversion, response, revisit, warc
from tests.census.test_rows import GREEK, ICELANDIC
from webtongue import Page, UsageError
from webtongue.census.config import Config
from webtongue.census.engines.local import LocalEngine
from webtongue.census.manifest import Manifest
from webtongue.census.methods import MethodAnswer
from webtongue.census.run import census
from webtongue.errors import OutputError

ROOT = Path(__file__).parents[2]
CRASH, HANG, GREEDY = b"<p>end this process", b"<p>stay here for ever", b"<p>take all memory"


def rows_of(out: Path) -> list[dict[str, object]]:
    parts = sorted((out / "rows").glob("*.parquet"))
    return [row for part in parts for row in pq.read_table(part).to_pylist()]


def crawl(folder: Path, files: int = 4, pages: int = 30) -> list[str]:
    """Write small crawls: clear pages in two languages, a short one on each host, a revisit, and a WET record."""
    out = []
    for number in range(files):
        host = f"https://h{number}.example.{'is' if number % 2 else 'gr'}"
        text = ICELANDIC if number % 2 else GREEK * 3
        records = [response(f"{host}/{i}", text.replace("<p>", f"<p>{i} ").encode()) for i in range(pages)]
        records += [
            response(f"{host}/x", b"<title>Foto</title><p>Album"),
            revisit(f"{host}/1"),
            conversion(f"{host}/t", "Hello"),
        ]
        path = folder / f"{number}.warc.gz"
        path.write_bytes(warc(records))
        out.append(str(path))
    return out


class Answers:
    """A published method that ends or blocks its process at some pages. Each worker creates its own."""

    def __call__(self, pages: Sequence[Page]) -> list[MethodAnswer]:
        for page in pages:
            if page.raw == CRASH:
                os._exit(7)
            while page.raw == HANG:
                time.sleep(1)
            if page.raw == GREEDY:
                bytearray(3 << 29)
        return [MethodAnswer("eng_Latn", "text") for _ in pages]


def test_every_capture_is_a_row(tmp_path: Path) -> None:
    inputs = crawl(tmp_path)
    summary = census(inputs, tmp_path / "out", workers=2)
    rows = rows_of(tmp_path / "out")
    assert summary.rows == len(rows) == 4 * 33
    assert summary.statuses == {"identified": 4 * 32, "revisit": 4}
    assert {row["label"] for row in rows if row["url"].endswith("/7")} == {"isl_Latn", "ell_Grek"}
    assert summary.second_pass is not None and summary.second_pass.pages >= 4
    assert not (tmp_path / "out" / "links").exists()
    about = json.loads((tmp_path / "out" / "census.json").read_text())
    assert about["rows"] == summary.rows and about["config"]["second_pass"] is True


def test_the_number_of_workers_changes_nothing(tmp_path: Path) -> None:
    inputs = crawl(tmp_path)
    for workers in (1, 3):
        census(inputs, tmp_path / f"out{workers}", workers=workers)
    assert rows_of(tmp_path / "out1") == rows_of(tmp_path / "out3")


def test_small_batches_change_nothing(tmp_path: Path) -> None:
    inputs = crawl(tmp_path, files=1)
    census(inputs, tmp_path / "a", workers=1)
    census(inputs, tmp_path / "b", Config(batch_pages=3, batch_bytes=1000, row_group_rows=7), workers=1)
    assert rows_of(tmp_path / "a") == rows_of(tmp_path / "b")


def test_a_page_that_ends_workers_is_a_row(tmp_path: Path) -> None:
    pages = [response(f"https://example.org/{i}", b"<p>good %d" % i) for i in range(20)]
    spoilt = [
        *pages[:9],
        response("https://example.org/bad", CRASH),
        *pages[9:],
        response("https://example.org/worse", CRASH),
    ]
    path = tmp_path / "a.warc.gz"
    path.write_bytes(warc(spoilt))
    summary = census([str(path)], tmp_path / "out", workers=1, method=Answers())
    rows = {row["url"]: row for row in rows_of(tmp_path / "out")}
    assert len(rows) == summary.rows == 22
    bad = [url for url, row in rows.items() if row["problem"] == "crash"]
    assert bad == ["https://example.org/bad", "https://example.org/worse"]
    assert sum(row["label"] == "eng_Latn" for row in rows.values()) == 20


def test_a_page_that_exhausts_memory_is_a_row(tmp_path: Path) -> None:
    bodies = (b"<p>good", GREEDY, b"<p>good too")
    path = tmp_path / "a.warc.gz"
    path.write_bytes(warc([response(f"https://example.org/{i}", body) for i, body in enumerate(bodies)]))
    census([str(path)], tmp_path / "out", Config(max_worker_bytes=1 << 30), workers=1, method=Answers())
    assert [row["problem"] for row in rows_of(tmp_path / "out")] == [None, "crash", None]


def test_a_page_that_never_ends_is_a_row(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(warc([response("https://a.example/", b"<p>x"), response("https://b.example/", HANG)]))
    census([str(path)], tmp_path / "out", Config(page_seconds=10.0), workers=1, method=Answers())
    rows = rows_of(tmp_path / "out")
    assert [(row["url"], row["problem"]) for row in rows] == [
        ("https://a.example/", None),
        ("https://b.example/", "timeout"),
    ]


def test_output_errors_end_the_run(tmp_path: Path) -> None:
    inputs = crawl(tmp_path, files=1)
    out = tmp_path / "out"
    (out / "rows").mkdir(parents=True)
    (out / "rows" / "part-000000.parquet").mkdir()  # in the way
    Manifest(out).path.write_text("")
    with pytest.raises(OutputError, match="part-000000"):
        census(inputs, out, workers=1, resume=True)


def test_a_killed_census_resumes_with_the_same_rows(tmp_path: Path) -> None:
    """The run and its workers get SIGKILL after each of the first parts, and --resume continues."""
    inputs = crawl(tmp_path, files=5)
    census(inputs, tmp_path / "whole", workers=1)
    out = tmp_path / "out"
    command = [sys.executable, "-m", "webtongue", "census", *inputs, "-o", str(out), "--workers", "1"]
    for parts in (1, 2, 4):
        process = subprocess.Popen(
            [*command, *(["--resume"] if out.exists() else [])], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while process.poll() is None and len(list((out / "rows").glob("*.parquet"))) < parts:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
    done = subprocess.run([*command, "--resume"], check=True, capture_output=True, text=True)
    assert "done before" in done.stdout
    key = lambda row: (row["warc_filename"], row["warc_record_offset"])  # noqa: E731
    assert sorted(rows_of(out), key=key) == sorted(rows_of(tmp_path / "whole"), key=key)
    assert not list(out.rglob("*.unfinished"))


def test_resuming_a_finished_census_changes_nothing(tmp_path: Path) -> None:
    inputs = crawl(tmp_path, files=2)
    first = census(inputs, tmp_path / "out", workers=1)
    before = rows_of(tmp_path / "out")
    again = census(inputs, tmp_path / "out", workers=1, resume=True)
    assert rows_of(tmp_path / "out") == before
    assert (again.rows, again.resumed) == (first.rows, again.items)


def test_folders_of_other_censuses_are_refused(tmp_path: Path) -> None:
    inputs = crawl(tmp_path, files=2)
    census(inputs, tmp_path / "out", workers=1)
    with pytest.raises(UsageError, match="--resume"):
        census(inputs, tmp_path / "out", workers=1)
    with pytest.raises(UsageError, match="other inputs or settings"):
        census(inputs[:1], tmp_path / "out", workers=1, resume=True)
    with pytest.raises(UsageError, match="other inputs or settings"):
        census(inputs, tmp_path / "out", Config(priors="uniform"), workers=1, resume=True)
    with pytest.raises(UsageError, match="is neither empty nor a census"):
        census(inputs, tmp_path, workers=1)
    with pytest.raises(UsageError, match="not a folder"):
        census(inputs, inputs[0], workers=1)
    with pytest.raises(UsageError, match="standard input"):
        census(["-"], tmp_path / "new", resume=True)


def test_a_folder_is_locked_by_a_run(tmp_path: Path) -> None:
    inputs = crawl(tmp_path, files=1)
    query_error: list[str] = []

    def second(_stage: str) -> None:
        if not query_error:
            with pytest.raises(UsageError, match="another census") as error:
                census(inputs, tmp_path / "out", workers=1, resume=True)
            query_error.append(str(error.value))

    census(inputs, tmp_path / "out", workers=1, on_stage=lambda stage: second(stage) if stage == "reading" else None)
    assert query_error
    with pytest.raises(UsageError, match="choose another"):
        census(inputs, tmp_path / "what?", workers=1)


def test_a_cut_manifest_is_read_up_to_its_last_line(tmp_path: Path) -> None:
    inputs = crawl(tmp_path, files=2)
    census(inputs, tmp_path / "out", workers=1)
    before = rows_of(tmp_path / "out")
    path = tmp_path / "out" / "manifest.jsonl"
    for size in (len(path.read_bytes()) - 5, 40, 0):
        path.write_bytes(path.read_bytes()[:size])
        census(inputs, tmp_path / "out", workers=1, resume=True)
        assert rows_of(tmp_path / "out") == before


def test_a_sample_is_the_same_every_time(tmp_path: Path) -> None:
    inputs = crawl(tmp_path, files=2, pages=200)
    census(inputs, tmp_path / "whole", Config(second_pass=False), workers=1)
    census(inputs, tmp_path / "some", Config(second_pass=False, sample=0.3), workers=1)
    census(inputs[::-1], tmp_path / "other", Config(second_pass=False, sample=0.3), workers=2)
    whole, some, other = ({row["url"] for row in rows_of(tmp_path / name)} for name in ("whole", "some", "other"))
    assert some == other < whole
    assert 0.2 < len(some) / len(whole) < 0.4


def test_bombs_and_garbage_are_rows(tmp_path: Path) -> None:
    bomb = gzip.compress(b"a" * (40 << 20))
    records = [
        response("https://example.org/bomb", bomb, {"Content-Type": "text/html", "Content-Encoding": "gzip"}),
        response("https://example.org/good", GREEK.encode()),
    ]
    path = tmp_path / "a.warc.gz"
    path.write_bytes(warc(records[:1]) + b"garbage" * 99 + warc(records[1:]))
    census([str(path), str(tmp_path / "missing.warc.gz")], tmp_path / "out", workers=1)
    result = {row["url"] or row["warc_filename"]: row["problem"] for row in rows_of(tmp_path / "out")}
    assert result["https://example.org/bomb"] == "bomb" and result["https://example.org/good"] is None
    assert result[str(path)] == "damaged" and result[str(tmp_path / "missing.warc.gz")] == "unreadable"


def test_progress_is_reported(tmp_path: Path) -> None:
    seen = []
    stages: list[str] = []
    census(crawl(tmp_path), tmp_path / "out", workers=1, on_progress=seen.append, on_stage=stages.append)
    assert stages == ["looking at inputs", "reading", "second pass", "writing the store"]
    assert seen[-1].items == seen[-1].total_items and seen[-1].rows == 132 and seen[-1].size == seen[-1].total_size


def test_an_engine_without_items_does_nothing(tmp_path: Path) -> None:
    from webtongue.census.engines import Job

    assert list(LocalEngine(2).run([], Job(Config(), tmp_path))) == []


def test_the_demo_crawl_is_identified(tmp_path: Path) -> None:
    """Clear pages are right, and the second pass improves unclear ones."""
    census(
        [str(ROOT / "examples" / "crawl.warc.gz")], tmp_path / "out", Config(geo=str(ROOT / "examples" / "crawl.mmdb"))
    )
    lines = (ROOT / "examples" / "crawl.jsonl").read_text("utf-8").splitlines()
    truth = {one["offset"]: one for one in map(json.loads, lines)}
    clear, first, second = [], [], []
    for row in rows_of(tmp_path / "out"):
        one = truth.get(row["warc_record_offset"], {})
        if one.get("clear"):
            clear.append(row["label"] == one["label"])
        if row["first_label"] is not None and one.get("label"):
            first.append(row["first_label"] == one["label"])
            second.append(row["label"] == one["label"])
    assert len(clear) > 500 and sum(clear) / len(clear) > 0.99
    assert sum(second) > sum(first)
    assert sum(second) / len(second) > 0.9
