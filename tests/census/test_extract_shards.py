"""Shards, formats, manifests, and extractions that are killed and resumed."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import fsspec
import pyarrow.parquet as pq
import pytest
import zstandard

from tests.census.archive_records import response, warc
from tests.census.test_extract import ENGLISH, ICELANDIC, page
from webtongue import Identifier, UsageError
from webtongue.census.engines import Job, OnProgress
from webtongue.census.engines.local import LocalEngine
from webtongue.census.extract import ExtractConfig, create_extract_config, extract
from webtongue.census.extract import run as run_module
from webtongue.census.extract.dedup import Deduplicator
from webtongue.census.extract.formats import FORMATS, format_of_name, parse_format
from webtongue.census.extract.rows import ExtractCounts
from webtongue.census.extract.shards import ShardWriter
from webtongue.census.items import WorkItem
from webtongue.census.read import partition
from webtongue.census.sink import Part
from webtongue.content.quality import WORD


@pytest.fixture(scope="module")
def ident() -> Identifier:
    return Identifier()


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Write a crawl of twelve files with repeated pages and lines."""
    folder = tmp_path_factory.mktemp("crawl")
    rng = random.Random(7)
    paths = []
    for file in range(12):
        records = []
        for number in range(12):
            lines = rng.sample(ICELANDIC if rng.random() < 0.6 else ENGLISH, 3)
            text = [f"{line[:-1]}, {rng.randrange(40)} {rng.randrange(40)}." for line in lines]
            host = f"https://host{rng.randrange(5)}.example.com/{file}/{number}"
            records.append(response(host, page(*text).encode()))
        path = folder / f"{file:02}.warc.gz"
        path.write_bytes(warc(records))
        paths.append(str(path))
    return paths


def read_rows(path: Path) -> list[dict[str, Any]]:
    form = format_of_name(path.name)
    if form == "parquet":
        return pq.read_table(path).to_pylist()
    if form == "jsonl.zst":
        with zstandard.open(path, "rt", encoding="utf-8") as file:
            return [json.loads(line) for line in file.read().splitlines()]
    raw = path.read_bytes()
    return [json.loads(line) for line in (gzip.decompress(raw) if form == "jsonl.gz" else raw).splitlines()]


def read_folder(out: Path) -> dict[str, list[dict[str, Any]]]:
    return {str(path.relative_to(out)): read_rows(path) for path in sorted(out.rglob("part-*"))}


def read_bytes(out: Path) -> dict[str, bytes]:
    """Return the shards of a folder by name."""
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.glob("*_*/*")}


def commit_often(monkeypatch: pytest.MonkeyPatch, row_bytes: int, items: int) -> None:
    """Commit after so many bytes of rows and so many items, of which each archive is one."""
    monkeypatch.setattr(run_module, "COMMIT_BYTES", row_bytes)
    monkeypatch.setattr(run_module, "COMMIT_ITEMS", items)
    monkeypatch.setattr(partition, "MIN_ITEM_BYTES", 1)


def config_of(ident: Identifier, **settings: Any) -> ExtractConfig:
    return create_extract_config(["is", "en"], ident, **settings)


@pytest.mark.parametrize("form", FORMATS)
def test_formats_have_the_same_rows(archives: list[str], tmp_path: Path, ident: Identifier, form: str) -> None:
    wanted = config_of(ident)
    extract(archives[:3], tmp_path / "whole.jsonl", wanted, workers=1)
    extract(archives[:3], tmp_path / f"x.{form}", wanted, workers=1)
    expected, got = read_rows(tmp_path / "whole.jsonl"), read_rows(tmp_path / f"x.{form}")
    assert [row["text"] for row in got] == [row["text"] for row in expected]
    assert list(got[0]) == list(expected[0]) and got[0]["licences"] == []
    assert {path.name for path in tmp_path.glob("[!.]*")} == {"whole.jsonl", f"x.{form}"}
    assert {path.name for path in tmp_path.glob(".*/*")} == {"_manifest.json"}


@pytest.mark.parametrize("form", FORMATS)
def test_shards_have_the_rows_of_one_file(archives: list[str], tmp_path: Path, ident: Identifier, form: str) -> None:
    done = extract(archives, tmp_path / "out", config_of(ident, shard_bytes=8000), file_format=form, workers=1)
    extract(archives, tmp_path / "one.jsonl", config_of(ident), workers=2)
    shards = read_folder(tmp_path / "out")
    assert list(shards) == [shard.name for shard in done.shards] and len(shards) > 6
    assert [len(rows) for rows in shards.values()] == [shard.rows for shard in done.shards]
    for label in ("eng_Latn", "isl_Latn"):
        rows = [row["url"] for name, part in shards.items() if name.startswith(label) for row in part]
        assert rows == [row["url"] for row in read_rows(tmp_path / "one.jsonl") if row["label"] == label]
        sizes = [shard.bytes for shard in done.shards if shard.name.startswith(label)]
        assert all(8000 <= size < 12000 for size in sizes[:-1])
    manifest = json.loads((tmp_path / "out" / "_manifest.json").read_text("utf-8"))["extract"]
    assert manifest["finished"] and manifest["counts"]["rows"] == sum(map(len, shards.values()))
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["_manifest.json", "eng_Latn", "isl_Latn"]


def test_files_do_not_depend_on_commits(
    archives: list[str], tmp_path: Path, ident: Identifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = config_of(ident, shard_bytes=20_000, near_duplicates=False)
    extract(archives, tmp_path / "a", wanted, workers=1)
    monkeypatch.setattr(run_module, "COMMIT_BYTES", 1500)
    extract(archives, tmp_path / "b", wanted, workers=1)
    assert read_folder(tmp_path / "a") == read_folder(tmp_path / "b")
    commits = [
        json.loads((tmp_path / name / "_manifest.json").read_text("utf-8"))["extract"]["commits"] for name in "ab"
    ]
    assert commits[0] == 1 and commits[1] > 10


SCRIPT = """
import os, random, sys
from webtongue import Identifier
from webtongue.census.extract import create_extract_config, extract, run, shards
from webtongue.census.read import partition
run.COMMIT_BYTES, run.COMMIT_ITEMS, partition.MIN_ITEM_BYTES = 3000, 2, 1
rng = random.Random(sys.argv[2])
left = [rng.randrange(1, 40)]
def die_sometimes(function):
    def call(*arguments, **named):
        left[0] -= 1
        if left[0] == 0:
            os._exit(9)
        return function(*arguments, **named)
    return call
for owner, name in ((run.LocalEngine, "run"), (shards, "write_rows"), (shards, "join_files")):
    setattr(owner, name, die_sometimes(getattr(owner, name)))
from webtongue.census.storage import LocalStorage
for name in ("write", "publish", "delete"):
    setattr(LocalStorage, name, die_sometimes(getattr(LocalStorage, name)))
wanted = create_extract_config(["is", "en"], Identifier(), shard_bytes=20_000, near_duplicates=False)
if __name__ == "__main__":
    extract(sys.argv[3:], sys.argv[1], wanted, workers=1, resume=os.path.exists(sys.argv[1]))
"""


@pytest.mark.parametrize("name", ["out", "out.jsonl.gz"])
def test_a_killed_extraction_gives_the_same_rows(
    archives: list[str], tmp_path: Path, ident: Identifier, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run ends without warning at random points of writing; ten times, then it is let run. Files have the same bytes."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace("os.path.exists(sys.argv[1])", "int(sys.argv[2]) > 0"), "utf-8")
    codes = []
    for number in range(11):
        if number == 10:
            script.write_text(script.read_text("utf-8").replace("rng.randrange(1, 40)", "-1"), "utf-8")
        command = [sys.executable, str(script), str(tmp_path / name), str(number), *archives]
        codes.append(subprocess.run(command, capture_output=True, check=False, timeout=120).returncode)
        if codes[-1] == 0:
            break
    assert codes[-1] == 0 and codes.count(9) >= 3, codes
    settings = {"shard_bytes": 20_000, "near_duplicates": False}
    commit_often(monkeypatch, 3000, 2)
    extract(archives, tmp_path / f"plain-{name}", config_of(ident, **settings), workers=1)
    if name == "out":
        assert read_bytes(tmp_path / name) == read_bytes(tmp_path / f"plain-{name}")
        first, second = (
            json.loads((tmp_path / folder / "_manifest.json").read_text("utf-8")) for folder in (name, f"plain-{name}")
        )
        assert first["extract"]["counts"] == second["extract"]["counts"]
    else:
        assert (tmp_path / name).read_bytes() == (tmp_path / f"plain-{name}").read_bytes()
    assert not [path for path in tmp_path.rglob(".*") if path.suffix != ".extract" or len(list(path.iterdir())) != 1]


class StoppedEngine(LocalEngine):
    """An engine that is interrupted after some items."""

    items = 7

    def run(self, items: Sequence[WorkItem], job: Job, on_progress: OnProgress | None) -> Iterator[Part]:
        yield from islice(super().run(items, job, on_progress), self.items)
        raise KeyboardInterrupt


@pytest.mark.parametrize("form", ["jsonl", "jsonl.gz", "parquet"])
def test_rows_are_committed_to_the_store_after_some_items(
    archives: list[str], tmp_path: Path, ident: Identifier, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another machine, without the files of the first one, reads only the items after the last commit, to the same files."""
    commit_often(monkeypatch, run_module.COMMIT_BYTES, 3)
    url, wanted = f"memory://corpus-{form}/out", config_of(ident)
    with pytest.raises(KeyboardInterrupt):
        extract(archives, url, wanted, file_format=form, engine=StoppedEngine(1), scratch=str(tmp_path))
    store = fsspec.filesystem("memory")
    progress = json.loads(store.cat_file(f"{url}/_manifest.json"))["extract"]
    assert (progress["item"], progress["row"], progress["commits"]) == (6, 0, 2)
    assert all(store.exists(f"{url}/{name}") for shard in progress["open"].values() for name in shard["segments"])
    assert sum(shard["rows"] for shard in progress["open"].values()) == progress["counts"]["rows"] > 10
    result = extract(archives, url, wanted, file_format=form, workers=1, resume=True, scratch=str(tmp_path))
    assert result.resumed == 6 and result.captures_read < result.counts.captures
    extract(archives, tmp_path / "plain", wanted, file_format=form, workers=1)
    found = {path.removeprefix(f"/corpus-{form}/out/"): store.cat_file(path) for path in store.find(f"{url}/")}
    assert {name: data for name, data in found.items() if name != "_manifest.json"} == read_bytes(tmp_path / "plain")
    if form == "parquet":
        assert all(pq.ParquetFile(path).num_row_groups == 1 for path in tmp_path.glob("plain/*/*.parquet"))
    store.rm(f"/corpus-{form}", recursive=True)


def test_a_killed_process_is_resumed(archives: list[str], tmp_path: Path, ident: Identifier) -> None:
    command = [
        sys.executable, "-m", "webtongue", "extract", *archives, "-l", "is,en", "-o", str(tmp_path / "out"), "--workers", "2",
    ]  # fmt: skip
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while process.poll() is None and not list(tmp_path.glob("out/.work/part-*")):
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert subprocess.run([*command, "--resume"], capture_output=True, check=False, timeout=120).returncode == 0
    extract(archives, tmp_path / "plain", config_of(ident), workers=1)
    assert read_folder(tmp_path / "out") == read_folder(tmp_path / "plain")


def test_resume_and_force(archives: list[str], tmp_path: Path, ident: Identifier) -> None:
    out, wanted = tmp_path / "out", config_of(ident)
    first = extract(archives[:2], out, wanted, workers=1)
    with pytest.raises(UsageError, match="already has an extraction"):
        extract(archives[:2], out, wanted, workers=1)
    assert (
        extract(archives[:2], out, wanted, workers=1, resume=True).counts == first.counts
    )  # there is nothing left to do
    for inputs, other in ((archives[:3], wanted), (archives[:2], config_of(ident, min_characters=50))):
        with pytest.raises(UsageError, match="other inputs or settings"):
            extract(inputs, out, other, workers=1, resume=True)
    assert extract(archives[2:3], out, config_of(ident, shard_bytes=2000), workers=1, force=True).counts.captures == 12
    assert len(read_folder(out)) > 2
    extract(archives[:1], tmp_path / "x.jsonl", wanted, workers=1)
    with pytest.raises(UsageError, match=r"x\.jsonl already has an extraction"):
        extract(archives[:1], tmp_path / "x.jsonl", wanted, workers=1)
    extract(archives[1:2], tmp_path / "x.jsonl", wanted, workers=1, force=True)
    assert all("/1/" in row["url"] for row in read_rows(tmp_path / "x.jsonl"))
    with pytest.raises(UsageError, match="choose one"):
        extract(archives[:1], out, wanted, workers=1, force=True, resume=True)


def test_foreign_folders_are_not_replaced(archives: list[str], tmp_path: Path, ident: Identifier) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "_manifest.json").write_text('{"name": "a web application"}')
    with pytest.raises(UsageError, match="not the manifest of an extraction"):
        extract(archives[:1], out, config_of(ident), workers=1, force=True)


LIES = {
    "state": ["../../etc/passwd", "/etc/passwd", "isl_Latn/part-00000.jsonl", 7, None],
    "shards": [
        [{"name": "../x/part-00000.jsonl"}], [{"name": "notes.txt"}], [{"name": "part-00000.jsonl"}], [{"name": "../part-00000.jsonl"}], 1, [1],
        [{"name": "isl_Latn/part-00000.jsonl", "segments": ["../a"]}], [{"name": "isl_Latn/part-00000.jsonl", "segments": ["isl_Latn/x"]}],
        [{"name": "isl_Latn/part-00000.jsonl", "rows": "1"}], [{"name": 5}],
    ],
    "open": [{"isl_Latn": {"name": "notes.txt"}}, [], {"isl_Latn": 1}],
    "counts": [{"captures": "many"}, {"unknown": 1}, [], {"captures": -1}, {"languages": {"isl_Latn": "x"}}, {"languages": [1]}, {"unread": "x"}, {"unread": [["x", 1]]}],
    "item": ["1", None, -1], "row": [[]], "commits": [{}], "finished": ["yes", 1], "description": ["x", None],
}  # fmt: skip


@pytest.mark.parametrize(("field", "value"), [(field, value) for field, values in LIES.items() for value in values])
def test_manifests_that_lie_are_refused(
    archives: list[str], tmp_path: Path, ident: Identifier, field: str, value: Any
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "notes.txt").write_text("mine")
    fields = {"description": {}, "shards": [], "open": {}, field: value}
    (out / "_manifest.json").write_text(json.dumps({"extract": fields}))
    for how in ({"resume": True}, {"force": True}, {}):
        with pytest.raises(UsageError, match="not the manifest of an extraction"):
            extract(archives[:1], out, config_of(ident), workers=1, **how)
    assert (out / "notes.txt").read_text() == "mine"


def test_a_lost_shard_is_reported(archives: list[str], tmp_path: Path, ident: Identifier) -> None:
    extract(archives[:1], tmp_path / "out", config_of(ident), workers=1)
    (tmp_path / "out" / "isl_Latn" / "part-00000.jsonl").unlink()
    with pytest.raises(UsageError, match=r"isl_Latn/part-00000\.jsonl is missing: begin again with --force"):
        extract(archives[:1], tmp_path / "out", config_of(ident), workers=1, resume=True)
    assert extract(archives[:1], tmp_path / "out", config_of(ident), workers=1, force=True).counts.captures == 12


@pytest.mark.parametrize("name", ["my corpus.jsonl", "íslenska.jsonl.gz", "a.b-c.parquet", "[x] 100%.jsonl"])
def test_odd_names_are_resumed(archives: list[str], tmp_path: Path, ident: Identifier, name: str) -> None:
    commit, left = ShardWriter.commit, [2]

    def commit_or_stop(self: ShardWriter, *arguments: Any) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        commit(self, *arguments)

    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(run_module, "COMMIT_BYTES", 1000)
        patch.setattr(ShardWriter, "commit", commit_or_stop)
        extract(archives[:2], tmp_path / name, config_of(ident), workers=1)
    extract(archives[:2], tmp_path / name, config_of(ident), workers=1, resume=True)
    extract(archives[:2], tmp_path / f"plain-{name}", config_of(ident), workers=1)
    assert read_rows(tmp_path / name) == read_rows(tmp_path / f"plain-{name}")


def test_characters_and_words_are_those_of_the_text(archives: list[str], tmp_path: Path, ident: Identifier) -> None:
    for settings in ({}, {"markdown": True}, {"host_lines": True}):
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.jsonl"
        counts = extract(archives, path, config_of(ident, **settings), workers=1).counts
        rows = read_rows(path)
        assert all(
            row["characters"] == len(row["text"]) and row["words"] == len(WORD.findall(row["text"])) for row in rows
        )
        assert counts.characters == sum(row["characters"] for row in rows)


@pytest.mark.parametrize(
    "name", ["x.txt", "x.csv", "x.gz", "x.jsonl.bz2", "x.JSON", "x.ndjson", "s3://bucket/x.zip", "dir/x.tar", "x.zst"]
)
def test_files_of_other_formats_are_no_folders(
    archives: list[str], tmp_path: Path, ident: Identifier, name: str
) -> None:
    with pytest.raises(UsageError, match="would be a folder"):
        parse_format(name, None)
    assert parse_format(f"{name}/", None) == "jsonl"
    for folder in ("corpus-2024.10", "v1.0", "example.com", "a.gz/b"):
        assert parse_format(folder, "parquet") == "parquet"


def test_formats_by_name() -> None:
    assert [parse_format(name, None) for name in ("x.JSONL.GZ", "x.parquet", "corpus", "x.zst/")] == [
        "jsonl.gz", "parquet", "jsonl", "jsonl",
    ]  # fmt: skip
    with pytest.raises(UsageError, match="has the suffix of"):
        parse_format("x.parquet", "jsonl")


def test_own_results_are_no_inputs(archives: list[str], tmp_path: Path, ident: Identifier) -> None:
    (tmp_path / "a.warc.gz").write_bytes(Path(archives[0]).read_bytes())
    extract([str(tmp_path)], tmp_path / "out", config_of(ident), workers=1)
    skipped: list[str] = []
    again = extract([str(tmp_path)], tmp_path / "again", config_of(ident), workers=1, on_skipped=skipped.append)
    assert again.counts.captures == 12 and skipped == [str(tmp_path / "out")]


def test_the_state_of_duplicates_is_restored(ident: Identifier) -> None:
    wanted = config_of(ident, near_duplicates=False)
    first, second = Deduplicator(wanted), Deduplicator(wanted)
    numbers = [random.Random(3).getrandbits(64) for _ in range(500)]
    for table in first._tables():
        for number in numbers:
            table.add(number)
    second.load(first.save())
    assert all(table.add(number) for table in second._tables() for number in numbers)
    with pytest.raises(ValueError, match="cut"):
        second.load(Deduplicator(config_of(ident)).save())


def test_limits_of_quality(archives: list[str], tmp_path: Path, ident: Identifier) -> None:
    for settings, rows in (({"min_stop_words": 0.99}, 0), ({"max_symbols": 0.5}, None), ({"max_lists": 0.0}, None)):
        done = extract(archives[:1], tmp_path / f"{rows}{settings}", config_of(ident, **settings), workers=1)
        assert (done.counts.rows == 0) == (rows == 0) and (done.counts.poor > 0) == (rows == 0)


def test_near_duplicates_are_dropped(tmp_path: Path, ident: Identifier) -> None:
    long = [line for line in (*ICELANDIC, *(f"Þetta er {line.lower()}" for line in ICELANDIC))]
    changed = [*long[:-1], long[-1].replace("opið", "lokað")]
    records = [
        response(f"https://{name}.example.com/", page(*lines).encode()) for name, lines in (("a", long), ("b", changed))
    ]
    (tmp_path / "a.warc.gz").write_bytes(warc(records))
    for keep, rows in ((True, 2), (False, 1)):
        counts = extract(
            [str(tmp_path / "a.warc.gz")], tmp_path / f"{keep}", config_of(ident, near_duplicates=keep), workers=1
        ).counts
        assert (counts.rows, counts.near_duplicates) == (rows, 2 - rows)


def test_counts_by_language() -> None:
    counts = ExtractCounts()
    counts.add_row("isl_Latn", 5)
    counts.add_row("isl_Latn", 7)
    assert counts.languages == {"isl_Latn": [2, 12]} and counts.numbers()["rows"] == 2
