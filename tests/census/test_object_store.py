"""Results on an object store: the same rows as on a disk, also after refused requests and kills."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pyarrow.parquet as pq
import pytest

pytest.importorskip("moto")
pytest.importorskip("s3fs")

from tests.census.object_store import BUCKET, ObjectStore, object_store
from tests.census.test_extract import crawl
from tests.cli.running import run
from webtongue import Identifier, UsageError
from webtongue.census.config import Config
from webtongue.census.extract import create_extract_config, extract
from webtongue.census.extract import run as extract_run
from webtongue.census.read import partition, remote_io
from webtongue.census.run import census
from webtongue.census.storage import RemoteStorage, open_storage
from webtongue.errors import OutputError

URL = f"s3://{BUCKET}/run"


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[ObjectStore]:
    monkeypatch.setattr(remote_io, "FIRST_DELAY_SECONDS", 0.01)
    monkeypatch.setattr(partition, "MIN_ITEM_BYTES", 1)  # every file is a work item
    with object_store(monkeypatch) as started:
        yield started


@pytest.fixture
def archives(tmp_path: Path) -> list[str]:
    return [crawl(tmp_path / f"{name}.warc.gz") for name in "abc"]


def local_files(folder: Path) -> dict[str, bytes]:
    return {
        f"run/{path.relative_to(folder).as_posix()}": path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def every_third(number: int) -> bool:
    return number % 3 == 1


def test_an_extraction_equals_a_local_one(
    store: ObjectStore, archives: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extract_run, "COMMIT_BYTES", 1500)
    wanted = create_extract_config(["is", "ka"], Identifier(), shard_bytes=4000, duplicates=True, host_lines=True)
    store.refuses = every_third
    extract(archives, URL, wanted, file_format="jsonl.gz", workers=1)
    extract(archives, tmp_path / "local", wanted, file_format="jsonl.gz", workers=1)
    store.refuses = lambda number: False
    assert store.refused > 5
    assert store.files("run") == local_files(tmp_path / "local")
    extract(archives, f"s3://{BUCKET}/x.parquet", wanted, workers=1)
    assert list(store.files("x.parquet")) == ["x.parquet"] and len(store.files(".x.parquet.extract")) == 1
    with pytest.raises(UsageError, match="already has an extraction"):
        extract(archives, URL, wanted, file_format="jsonl.gz", workers=1)
    extract(archives[:1], URL, wanted, file_format="jsonl.gz", workers=1, force=True)
    extract(archives[:1], tmp_path / "one", wanted, file_format="jsonl.gz", workers=1)
    assert store.files("run") == local_files(tmp_path / "one")


SCRIPT = """
import os, sys
from webtongue import Identifier
from webtongue.census import storage
from webtongue.census.config import Config
from webtongue.census.extract import create_extract_config, extract, run
from webtongue.census.read import partition
from webtongue.census.run import census
run.COMMIT_BYTES = 1500
partition.MIN_ITEM_BYTES = 1
left = [int(sys.argv[2])]
def die(function):
    def call(*arguments):
        left[0] -= 1
        if left[0] == 0:
            os._exit(9)
        return function(*arguments)
    return call
for name in ("write", "upload", "delete"):
    setattr(storage.RemoteStorage, name, die(getattr(storage.RemoteStorage, name)))
if __name__ == "__main__":
    resume = sys.argv[3] == "resume"
    if sys.argv[1] == "extract":
        wanted = create_extract_config(["is", "ka"], Identifier(), shard_bytes=4000, duplicates=True, host_lines=True)
        extract(sys.argv[5:], sys.argv[4], wanted, workers=1, resume=resume)
    else:
        census(sys.argv[5:], sys.argv[4], Config(keep_links=True), workers=1, resume=resume)
"""


def run_until_done(kind: str, folder: Path, url: str, archives: list[str], steps: tuple[int, ...]) -> int:
    """Run a script that ends without warning after so many writes to the store, then let it finish; return the number of kills."""
    script = folder / "script.py"
    script.write_text(SCRIPT, "utf-8")
    for number, count in enumerate((*steps, -1)):
        mode = "resume" if number else "new"
        command = [sys.executable, str(script), kind, str(count), mode, url, *archives]
        done = subprocess.run(command, capture_output=True, check=False, timeout=200, env=dict(os.environ))
        if done.returncode == 0:
            return number
        assert done.returncode == 9, done.stderr.decode()
    raise AssertionError("the last run did not finish")


def test_a_killed_extraction_is_resumed_from_the_store(
    store: ObjectStore, archives: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extract_run, "COMMIT_BYTES", 1500)
    assert run_until_done("extract", tmp_path, URL, archives, (2, 5, 9, 14)) >= 3
    wanted = create_extract_config(["is", "ka"], Identifier(), shard_bytes=4000, duplicates=True, host_lines=True)
    extract(archives, tmp_path / "local", wanted, workers=1)
    remote, local = store.files("run"), local_files(tmp_path / "local")
    assert {name: data for name, data in remote.items() if "/part-" in name} == {
        name: data for name, data in local.items() if "/part-" in name
    }
    assert sorted(remote) == sorted(local)


def rows_of(files: dict[str, bytes] | Path) -> list[dict[str, Any]]:
    import io

    import pyarrow as pa

    if isinstance(files, Path):
        tables = [pq.read_table(path) for path in sorted((files / "rows").glob("*.parquet"))]
    else:
        tables = [pq.read_table(io.BytesIO(files[name])) for name in sorted(files) if "/rows/" in name]
    rows = pa.concat_tables(tables).to_pylist()
    return sorted(rows, key=lambda row: (row["warc_filename"], row["warc_record_offset"], row["url"] or ""))


def test_a_census_equals_a_local_one(store: ObjectStore, archives: list[str], tmp_path: Path) -> None:
    store.refuses = every_third
    config = Config(keep_links=True)
    remote = census(archives, URL, config, workers=1)
    local = census(archives, tmp_path / "local", config, workers=1)
    store.refuses = lambda number: False
    files = store.files("run")
    assert store.refused > 3 and remote.rows == local.rows
    assert rows_of(files) == rows_of(tmp_path / "local")
    assert {"run/manifest.jsonl", "run/census.json"} <= set(files)
    with pytest.raises(UsageError, match="already has a census"):
        census(archives, URL, config, workers=1)
    with pytest.raises(UsageError, match="neither empty nor a census"):
        census(archives, f"s3://{BUCKET}", config, workers=1)


def test_a_killed_census_is_resumed_from_the_store(store: ObjectStore, archives: list[str], tmp_path: Path) -> None:
    assert run_until_done("census", tmp_path, URL, archives, (3, 5, 7)) == 3
    census(archives, tmp_path / "local", Config(keep_links=True), workers=1)
    files = store.files("run")
    assert rows_of(files) == rows_of(tmp_path / "local")
    links = [name for name in files if "/links/" in name]
    assert len(links) == len(list((tmp_path / "local" / "links").glob("*.parquet")))


def test_a_store_that_refuses_all_requests_is_an_output_error(store: ObjectStore, archives: list[str]) -> None:
    store.refuses = lambda number: True
    with pytest.raises(OutputError, match="503"):
        RemoteStorage(URL, 2).write("a", b"x")


def test_a_missing_bucket_is_named(store: ObjectStore, archives: list[str]) -> None:
    message = "s3://nobucket does not exist; create it"
    for words in (
        ("census", archives[0], "-o", "s3://nobucket/x/"),
        ("census", archives[0], "-o", "s3://nobucket"),
        ("extract", archives[0], "-l", "is", "-o", "s3://nobucket/x/"),
        ("extract", archives[0], "-l", "is", "-o", "s3://nobucket/x.jsonl.gz"),
    ):
        done = run(*words)
        assert done.code == 1 and message in done.err, words
    folder = RemoteStorage("s3://nobucket/x")
    with folder.locked():
        (folder.scratch / "c").write_bytes(b"y")
        with pytest.raises(OutputError, match=message):
            folder.publish(folder.scratch / "c", "c")


def test_a_remote_folder(store: ObjectStore, tmp_path: Path) -> None:
    folder = RemoteStorage(URL)
    with folder.locked():
        assert folder.read("a") is None and folder.names("") == [] and not folder.exists("a")
        folder.write("b/a", b"x")
        assert folder.read("b/a") == b"x" and folder.names("") == ["b/a"] and folder.exists("b/a")
        (folder.scratch / "c").write_bytes(b"y")
        folder.publish(folder.scratch / "c", "c")
        assert folder.fetch("c").read_bytes() == b"y" and not (folder.scratch / "c").exists()
        folder.delete("c")
        folder.delete("c")
        assert folder.names("") == ["b/a"]
    assert not folder.scratch.exists()


def test_commands_read_a_census_from_the_store(store: ObjectStore, archives: list[str], tmp_path: Path) -> None:
    local, config = tmp_path / "local" / "run", Config(keep_text=True, crawl="store")
    for out in (URL, local):
        census(archives, out, config, workers=1)
    key = f"{BUCKET}/run/rows/../../part-outside.parquet"  # a key of a store may contain dots
    fsspec.filesystem("s3").pipe_file(key, b"x")
    store.refuses = every_third
    commands = [
        ["tables", "OUT", "--format", "json"],
        ["sql", "OUT", "SELECT * FROM counts", "--json"],
        ["compare", "OUT", "OUT", "--json"],
        ["search", "OUT", "the", "--json"],
        ["report", "OUT", "-o", "-"],
    ]
    for words in commands:
        there, here = ([out if word == "OUT" else word for word in words] for out in (URL, str(local)))
        remote, expected = run(*there), run(*here)
        assert remote.code == expected.code == 0, remote.err
        assert remote.out and _without_time(remote.out) == _without_time(expected.out), words[0]
    assert store.refused > 3
    store.refuses = lambda number: False
    for words, message in (
        (("tables", f"s3://{BUCKET}/nothing"), "is not a census"),
        (("report", URL), "name a file"),
        (("search", URL, "the", "--index"), "copy the census"),
        (("audit", URL, "--summary"), "copy the census"),
    ):
        assert message in run(*words).err


def _without_time(text: str) -> str:
    """Return the output without the moment at which a census ended."""
    return re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", "", text)


def test_a_second_run_cannot_delete_what_the_first_one_writes(archives: list[str], tmp_path: Path) -> None:
    wanted = create_extract_config(["is"], Identifier())
    extract(archives, tmp_path / "out", wanted, workers=1)
    before = local_files(tmp_path / "out")
    with open_storage(tmp_path / "out", ".work").locked(), pytest.raises(UsageError, match="another run"):
        extract(archives, tmp_path / "out", wanted, workers=1, force=True)
    after = local_files(tmp_path / "out")
    assert {name: data for name, data in after.items() if "/.work/" not in name} == before
