"""Merged parts: the same rows in fewer files, also after a kill at any time."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.census.test_census import crawl, rows_of
from webtongue.census.config import Config
from webtongue.census.engines import Result, Rewrite
from webtongue.census.engines.local import LocalEngine
from webtongue.census.items import Source, WorkItem
from webtongue.census.manifest import Manifest
from webtongue.census.merge import group_parts, merge
from webtongue.census.run import _open_folder, _run, _RunOptions
from webtongue.census.sink import ROWS, part_filename

SMALL = Config(min_file_bytes=30_000, second_pass=False)  # a part of the crawl below has some 15 KB


@given(st.lists(st.integers(0, 120), max_size=40))
def test_groups_have_the_minimum_size(sizes: list[int]) -> None:
    groups = group_parts(dict(enumerate(sizes)), 100)
    held = [number for group in groups for number in group]
    assert held == sorted(set(held))
    for group in groups:
        assert len(group) > 1 and 100 <= sum(sizes[number] for number in group) < 200
    left = [number for number in range(len(sizes)) if number not in held]
    assert all(sizes[one] >= 100 or sizes[one] + sizes[other] < 100 or other != one + 1 or sizes[other] >= 100
               for one, other in pairwise(left))  # fmt: skip


def work_items(folder: Path) -> list[WorkItem]:
    """Write small files, each of which is an item."""
    return [WorkItem(n, (Source(path, "warc", path, 1),)) for n, path in enumerate(crawl(folder, files=5, pages=4))]


def run_census(items: Sequence[WorkItem], out: Path, config: Config, engine: LocalEngine, resume: bool = False) -> None:
    out.mkdir(exist_ok=True)
    _run(items, out, config, _RunOptions(resume, None, engine, None, lambda stage: None))


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> list[WorkItem]:
    return work_items(tmp_path_factory.mktemp("crawl"))


@pytest.fixture(scope="module")
def apart(items: list[WorkItem], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run a census with a file for each part."""
    out = tmp_path_factory.mktemp("apart") / "out"
    run_census(items, out, Config(second_pass=False), LocalEngine(1))
    assert len(list((out / ROWS).iterdir())) == 5
    return out


def files(out: Path) -> list[str]:
    return sorted(path.name for path in (out / ROWS).iterdir())


def test_merging_keeps_all_rows(items: list[WorkItem], apart: Path, tmp_path: Path) -> None:
    run_census(items, tmp_path / "out", SMALL, LocalEngine(1))
    assert 1 <= len(files(tmp_path / "out")) < 5
    assert rows_of(tmp_path / "out") == rows_of(apart)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / ROWS).iterdir()}
    run_census(items, tmp_path / "out", SMALL, LocalEngine(1), resume=True)
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / ROWS).iterdir()} == before


def test_a_lost_file_is_written_again(items: list[WorkItem], apart: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run_census(items, out, SMALL, LocalEngine(1))
    names = files(out)
    (out / ROWS / names[0]).unlink()
    run_census(items, out, SMALL, LocalEngine(1), resume=True)
    assert rows_of(out) == rows_of(apart) and files(out) == names


class Killed(LocalEngine):
    """Ends like a killed run: before a merged file is in place, after that, or after the merged parts are deleted."""

    def __init__(self, moment: str) -> None:
        super().__init__(1)
        self.moment = moment

    def rewrite(self, out: Path, numbers: Sequence[int], make: Rewrite[Result]) -> Iterator[tuple[int, Result]]:
        if self.moment == "before":
            raise KeyboardInterrupt
        for done in super().rewrite(out, numbers, make):
            if self.moment == "after":
                raise KeyboardInterrupt
            yield done
            raise KeyboardInterrupt


@pytest.mark.parametrize("moment", ["before", "after", "gone"])
def test_a_kill_loses_and_repeats_no_rows(items: list[WorkItem], apart: Path, tmp_path: Path, moment: str) -> None:
    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        run_census(items, out, SMALL, Killed(moment))
    run_census(items, out, SMALL, LocalEngine(1), resume=True)
    assert rows_of(out) == rows_of(apart)
    assert 1 <= len(files(out)) < 5


def test_files_of_merged_parts_are_deleted_on_resume(items: list[WorkItem], apart: Path, tmp_path: Path) -> None:
    """When a merged file and its parts both exist, the manifest decides which ones count."""
    out = tmp_path / "out"
    run_census(items, out, SMALL, LocalEngine(1))
    for path in (apart / ROWS).iterdir():
        if not (out / ROWS / path.name).exists():
            shutil.copy(path, out / ROWS / path.name)
    _open_folder(out, items, SMALL, True)
    assert rows_of(out) == rows_of(apart)


def test_row_groups_are_merged(items: list[WorkItem], tmp_path: Path) -> None:
    out = tmp_path / "out"
    run_census(items, out, SMALL, LocalEngine(1))
    manifest = Manifest(out)
    manifest.open(_head(out), True)
    first, group = next(iter(manifest.merged.items()))
    result = pq.read_metadata(out / ROWS / part_filename(first))
    assert len(group) > 1 and result.num_row_groups == 1
    merge(out, SMALL, manifest, LocalEngine(1))  # there is nothing left to do
    assert pq.read_metadata(out / ROWS / part_filename(first)).num_rows == result.num_rows


def _head(out: Path) -> dict[str, object]:
    import json

    first = (out / "manifest.jsonl").read_text("utf-8").splitlines()[0]
    return dict(json.loads(first)["census"])
