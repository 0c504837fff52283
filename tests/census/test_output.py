"""Output folders that are read-only, among the inputs, left by a killed run, or received from someone else."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.census.test_census import crawl, rows_of
from tests.census.test_extract import crawl as extract_crawl
from tests.cli.running import process
from webtongue import Identifier, OutputError, UsageError
from webtongue.census.config import Config
from webtongue.census.extract import create_extract_config, extract
from webtongue.census.extract.shards import Progress
from webtongue.census.lock import take_lock
from webtongue.census.read.inputs import expand_inputs
from webtongue.census.run import census
from webtongue.census.search import build_index
from webtongue.census.store import write_store

QUICK = Config(second_pass=False)


@pytest.fixture
def read_only(tmp_path: Path, mounted: Callable[[str], Path]) -> Path:
    """Create a read-only folder with a census and a page list."""
    folder = mounted("size=8m")
    census(crawl(tmp_path, files=1, pages=3), folder / "out", QUICK, workers=1)
    return mounted("ro")


def one_sentence(arguments: list[str]) -> str:
    done = process(*arguments)
    lines = done.err.strip().splitlines()
    assert done.code == 1 and len(lines) == 1, (arguments, done)
    assert "Read-only file system" in lines[0] or "Not a directory" in lines[0], lines
    return lines[0]


def test_a_read_only_disk_is_reported_in_one_sentence(read_only: Path, tmp_path: Path) -> None:
    inputs, out = crawl(tmp_path, files=1, pages=3), read_only / "out"
    for arguments in (
        ["census", *inputs, "-o", str(read_only / "new")],
        ["census", *inputs, "-o", str(out), "--no-second-pass", "--resume"],
        ["extract", *inputs, "-l", "is", "-o", str(read_only / "corpus")],
        ["extract", *inputs, "-l", "is", "-o", str(read_only / "corpus.jsonl")],
        ["report", str(out)],
        ["tables", str(out), "-o", str(out / "tables")],
    ):
        assert str(read_only) in one_sentence(arguments)
    for arguments in (["tables", str(out)], ["sql", str(out), "SELECT 1"], ["report", str(out), "-o", "-"]):
        assert process(*arguments).code == 0


def test_a_read_only_disk_raises_output_error(read_only: Path, tmp_path: Path, ident: Identifier) -> None:
    inputs, out = crawl(tmp_path, files=1, pages=3), read_only / "out"
    calls: list[Callable[[], Any]] = [
        lambda: census(inputs, read_only / "new", QUICK, workers=1),
        lambda: census(inputs, out, QUICK, workers=1, resume=True),
        lambda: extract(inputs, read_only / "corpus", create_extract_config(["is"], ident), workers=1),
        lambda: write_store(out),
    ]
    for call in calls:
        with pytest.raises(OutputError, match=str(read_only)) as error:
            call()
        assert "\n" not in str(error.value) and isinstance(error.value, OSError)


@pytest.mark.parametrize("size", ["24k", "100k"])  # full while a part is written, and while the store is
def test_a_full_disk_ends_a_census_that_can_be_resumed(
    tmp_path: Path, mounted: Callable[[str], Path], size: str
) -> None:
    inputs = crawl(tmp_path, files=3, pages=400)
    out = mounted(f"size={size}") / "out"
    with pytest.raises(OutputError, match="No space left on device"):
        census(inputs, out, Config(second_pass=False, keep_text=True), workers=1)
    mounted("size=20m")
    census(inputs, out, Config(second_pass=False, keep_text=True), workers=1, resume=True)
    census(inputs, tmp_path / "whole", Config(second_pass=False, keep_text=True), workers=1)
    assert rows_of(out) == rows_of(tmp_path / "whole")


def test_a_file_at_the_output_path_is_refused(tmp_path: Path, ident: Identifier) -> None:
    inputs = crawl(tmp_path, files=1, pages=3)
    below = Path(inputs[0]) / "out"
    with pytest.raises(OutputError, match="Not a directory"):
        census(inputs, below, QUICK, workers=1)
    with pytest.raises(OutputError, match="Not a directory"):
        extract(inputs, below, create_extract_config(["is"], ident))
    one_sentence(["census", *inputs, "-o", str(below)])


def test_an_unwritable_index_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from webtongue.census import search

    census(crawl(tmp_path, files=1, pages=3), tmp_path / "out", Config(second_pass=False, keep_text=True), workers=1)
    (tmp_path / "out" / f"{search.INDEX}.unfinished").mkdir()
    monkeypatch.setattr(search, "_load_extension", lambda connection: True)
    with pytest.raises(OutputError, match="search"):
        build_index(tmp_path / "out")


@pytest.mark.parametrize("named", [".", "folder"])
def test_a_census_among_its_inputs_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    crawl(folder, files=2, pages=3)
    monkeypatch.chdir(folder if named == "." else tmp_path)
    out = Path("out") if named == "." else folder / "out"
    first = census([named], out, QUICK, workers=1)
    again = census([named], out, QUICK, workers=1, resume=True)
    assert (again.rows, again.resumed, again.skipped_folders) == (first.rows, again.items, ())
    for path in (out / "manifest.jsonl", out / "rows" / "part-000000.parquet"):
        path.unlink()
    (out / "manifest.jsonl").write_text("")  # killed before its first line
    assert census([named], out, QUICK, workers=1, resume=True).rows == first.rows
    second = census([named], out.with_name("second"), QUICK, workers=1)
    assert (second.rows, second.skipped_folders) == (first.rows, (os.path.join(named, "out"),))


def test_own_folders_are_skipped_unless_named(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    (folder / "crawled").mkdir(parents=True)
    [archive] = crawl(folder / "crawled", files=1, pages=3)
    Path(f"{archive}.journal").write_bytes(b"SQLite format 3\0")
    Path(f"{archive}.journal-wal").write_bytes(b"")
    census([archive], folder / "counted", QUICK, workers=1)
    (folder / ".x.jsonl.extract").mkdir()
    (folder / ".x.jsonl.extract" / "_manifest.json").write_bytes(Progress({}).to_json())
    (folder / "other").mkdir()
    (folder / "other" / "my.journal").write_bytes(b"<p>a page of that name")
    (folder / "other" / "manifest.jsonl").write_text("{}")

    def paths(*inputs: Path) -> tuple[set[str], list[str]]:
        left_out: list[str] = []
        result = expand_inputs([str(path) for path in inputs], QUICK, tmp_path / "out", left_out.append)
        return {os.path.relpath(source.path, folder) for source in result}, [os.path.basename(one) for one in left_out]

    assert paths(folder) == (
        {"other/my.journal", "other/manifest.jsonl"},
        [".x.jsonl.extract", "counted", "crawled"],
    )
    assert paths(folder / "crawled") == ({os.path.relpath(archive, folder)}, [])
    named, left_out = paths(folder / "counted")
    assert "counted/rows/part-000000.parquet" in named and not left_out
    done = process("census", str(folder), "-o", str(tmp_path / "out"))
    assert "name them to read them" in done.out and str(folder / "crawled") in done.out
    for out in ("-", str(tmp_path / "corpus")):
        done = process("extract", str(folder), "-l", "is", "-o", out)
        assert "name them to read them" in done.err and str(folder / "crawled") in done.err


def test_the_crawler_writes_a_recognised_journal() -> None:
    pytest.importorskip("scrapy")
    from webtongue.census.folder import is_journal
    from webtongue.crawl.run import get_journal_path
    from webtongue.crawl.storage import SQLITE_FILE_SUFFIXES

    for suffix in SQLITE_FILE_SUFFIXES:
        assert is_journal(f"{get_journal_path(Path('a.warc.gz'))}{suffix}", ["a.warc.gz"])


@pytest.mark.parametrize("kind", ["archive", "page", "index", "indexed page"])
def test_changed_inputs_of_equal_size_are_detected(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    [archive] = crawl(tmp_path, files=1, pages=3)
    (folder / "a.html").write_text("<p>one")
    (folder / "b.html").write_text("<p>one")
    (folder / "index.jsonl").write_text(json.dumps({"file": "a.html", "url": "https://one.example/"}))
    inputs = [archive, str(folder)]
    census(inputs, tmp_path / "out", QUICK, workers=1)
    assert census(inputs, tmp_path / "out", QUICK, workers=1, resume=True).resumed
    names = {
        "archive": archive,
        "page": folder / "b.html",
        "index": folder / "index.jsonl",
        "indexed page": folder / "a.html",
    }
    path = Path(names[kind])
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b"one", b"two") if kind != "archive" else raw[:-1] + b"x")
    assert path.stat().st_size == len(raw)
    with pytest.raises(UsageError, match="other inputs or settings, or a file has changed"):
        census(inputs, tmp_path / "out", QUICK, workers=1, resume=True)


def test_temporary_files_of_a_killed_census_are_deleted(tmp_path: Path) -> None:
    inputs, out = crawl(tmp_path, files=1, pages=3), tmp_path / "out"
    census(inputs, out, QUICK, workers=1)
    for name in (
        ".census.duckdb-0123abcd",
        ".census.duckdb-0123abcd.wal",
        "census.json.x.unfinished",
        "rows/y.unfinished",
    ):
        (out / name).write_text("x")
    for name in (".spill", ".evidence", ".attempts"):
        (out / name).mkdir()
        (out / name / "x").write_text("x")
    (out / "odd.unfinished").mkdir()
    census(inputs, out, QUICK, workers=1, resume=True)
    assert sorted(os.listdir(out)) == [
        ".lock",
        "census.duckdb",
        "census.json",
        "manifest.jsonl",
        "odd.unfinished",
        "rows",
    ]
    assert os.listdir(out / "rows") == ["part-000000.parquet"]


def test_two_extractions_cannot_write_to_one_folder(tmp_path: Path, ident: Identifier) -> None:
    source = extract_crawl(tmp_path / "a.warc.gz")
    (tmp_path / "corpus" / ".work").mkdir(parents=True)
    lock = take_lock(tmp_path / "corpus" / ".work" / ".lock")
    with pytest.raises(UsageError, match="another run is writing"):
        extract([source], tmp_path / "corpus", create_extract_config(["is"], ident), workers=1)
    os.close(lock)
    assert extract([source], tmp_path / "corpus", create_extract_config(["is"], ident), workers=1).counts.rows == 3


LINES = [
    {"part": "../../../precious", "rows": 1, "size": 1, "counts": {}, "problems": {}},
    {"part": -1, "rows": 1, "size": 1, "counts": {}, "problems": {}},
    {"part": True, "rows": 1, "size": 1, "counts": {}, "problems": {}},
    {"part": 0, "rows": "1", "size": 1, "counts": {}, "problems": {}},
    {"part": 0, "rows": 1, "size": 1, "counts": {"x": "y"}, "problems": {}},
    {"part": 0, "rows": 1, "size": 1, "counts": [], "problems": {}},
    {"merged": [0, "../../../precious"]}, {"merged": []}, {"merged": "01"}, {"merged": [[0]]},
    {"second_pass": "../x"}, {"second_pass": 0, "pages": "many"},
]  # fmt: skip


@pytest.mark.parametrize("line", LINES, ids=json.dumps)
def test_a_received_manifest_cannot_name_files(tmp_path: Path, line: dict[str, Any]) -> None:
    inputs, out = crawl(tmp_path, files=1, pages=3), tmp_path / "out"
    census(inputs, out, QUICK, workers=1)
    (out / "rows" / "part-..").mkdir()
    precious = tmp_path / "precious.parquet"
    pq.write_table(pa.table({"a": [1]}), precious)
    with (out / "manifest.jsonl").open("a") as file:
        file.write(json.dumps(line) + "\n")
    with pytest.raises(UsageError, match="damaged"):
        census(inputs, out, QUICK, workers=1, resume=True)
    assert precious.is_file()


@pytest.mark.parametrize("linked", [".lock", "manifest.jsonl", "rows", "links", ".evidence", ".attempts", ".spill"])
def test_a_received_folder_cannot_redirect_output(tmp_path: Path, linked: str) -> None:
    inputs, out, other = crawl(tmp_path, files=1, pages=3), tmp_path / "out", tmp_path / "other"
    for folder in (out, other):
        census(inputs, folder, QUICK, workers=1)
    path = out / linked
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    (other / linked).mkdir(exist_ok=True) if linked.startswith((".k", ".a", ".s", "li")) else None
    path.symlink_to(other / linked)
    before = sorted((str(one), one.stat().st_mtime_ns) for one in other.rglob("*"))
    with pytest.raises(UsageError, match="is a symbolic link"):
        census(inputs, out, QUICK, workers=1, resume=True)
    assert sorted((str(one), one.stat().st_mtime_ns) for one in other.rglob("*")) == before


def test_a_linked_part_is_written_again(tmp_path: Path) -> None:
    inputs, out, other = crawl(tmp_path, files=1, pages=3), tmp_path / "out", tmp_path / "other"
    for folder in (out, other):
        census(inputs, folder, QUICK, workers=1)
    part = out / "rows" / "part-000000.parquet"
    part.unlink()
    part.symlink_to(other / "rows" / "part-000000.parquet")
    census(inputs, out, QUICK, workers=1, resume=True)
    assert not part.is_symlink() and rows_of(out) == rows_of(other)


@pytest.fixture(scope="module")
def ident() -> Identifier:
    return Identifier()
