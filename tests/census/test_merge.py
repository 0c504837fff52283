"""Parts put together: the same rows in fewer files, whenever a run ends on the way."""

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
from webtongue.census.merge import groups_of, merge
from webtongue.census.run import Asked, _begun, _taken
from webtongue.census.sink import ROWS, part_name

SMALL = Config(file_bytes=30_000, settle=False)  # a part of the crawl below has some 15 KB


@given(st.lists(st.integers(0, 120), max_size=40))
def test_files_have_the_size_that_is_asked_for(sizes: list[int]) -> None:
    groups = groups_of(dict(enumerate(sizes)), 100)
    held = [number for group in groups for number in group]
    assert held == sorted(set(held))
    for group in groups:
        assert len(group) > 1 and 100 <= sum(sizes[number] for number in group) < 200
    left = [number for number in range(len(sizes)) if number not in held]
    assert all(sizes[one] >= 100 or sizes[one] + sizes[other] < 100 or other != one + 1 or sizes[other] >= 100
               for one, other in pairwise(left))  # fmt: skip


def items_of(folder: Path) -> list[WorkItem]:
    """Five parts: small files, each an item of its own."""
    return [WorkItem(n, (Source(path, "warc", path, 1),)) for n, path in enumerate(crawl(folder, files=5, pages=4))]


def taken(items: Sequence[WorkItem], out: Path, config: Config, engine: LocalEngine, resume: bool = False) -> None:
    out.mkdir(exist_ok=True)
    _taken(items, out, config, Asked(resume, None, engine, None, lambda stage: None))


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> list[WorkItem]:
    return items_of(tmp_path_factory.mktemp("crawl"))


@pytest.fixture(scope="module")
def apart(items: list[WorkItem], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The census with a file for each part."""
    out = tmp_path_factory.mktemp("apart") / "out"
    taken(items, out, Config(settle=False), LocalEngine(1))
    assert len(list((out / ROWS).iterdir())) == 5
    return out


def files(out: Path) -> list[str]:
    return sorted(path.name for path in (out / ROWS).iterdir())


def test_rows_are_the_same_in_fewer_files(items: list[WorkItem], apart: Path, tmp_path: Path) -> None:
    taken(items, tmp_path / "out", SMALL, LocalEngine(1))
    assert 1 <= len(files(tmp_path / "out")) < 5
    assert rows_of(tmp_path / "out") == rows_of(apart)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / ROWS).iterdir()}
    taken(items, tmp_path / "out", SMALL, LocalEngine(1), resume=True)
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / ROWS).iterdir()} == before


def test_a_file_that_is_lost_is_made_again(items: list[WorkItem], apart: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    taken(items, out, SMALL, LocalEngine(1))
    names = files(out)
    (out / ROWS / names[0]).unlink()
    taken(items, out, SMALL, LocalEngine(1), resume=True)
    assert rows_of(out) == rows_of(apart) and files(out) == names


class Killed(LocalEngine):
    """Ends as by a kill: before a file takes its place, after it, or after the files that lie in it are gone."""

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
def test_a_kill_loses_and_doubles_nothing(items: list[WorkItem], apart: Path, tmp_path: Path, moment: str) -> None:
    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        taken(items, out, SMALL, Killed(moment))
    taken(items, out, SMALL, LocalEngine(1), resume=True)
    assert rows_of(out) == rows_of(apart)
    assert 1 <= len(files(out)) < 5


def test_parts_that_were_put_together_are_swept_when_a_run_goes_on(
    items: list[WorkItem], apart: Path, tmp_path: Path
) -> None:
    """Between a file that took its place and those in it that are still there, only the manifest knows."""
    out = tmp_path / "out"
    taken(items, out, SMALL, LocalEngine(1))
    for path in (apart / ROWS).iterdir():
        if not (out / ROWS / path.name).exists():
            shutil.copy(path, out / ROWS / path.name)
    _begun(out, items, SMALL, True)
    assert rows_of(out) == rows_of(apart)


def test_groups_of_rows_are_put_together_too(items: list[WorkItem], tmp_path: Path) -> None:
    out = tmp_path / "out"
    taken(items, out, SMALL, LocalEngine(1))
    manifest = Manifest(out)
    manifest.begin(_head(out), True)
    first, group = next(iter(manifest.merged.items()))
    found = pq.read_metadata(out / ROWS / part_name(first))
    assert len(group) > 1 and found.num_row_groups == 1
    merge(out, SMALL, manifest, LocalEngine(1))  # there is nothing left to do
    assert pq.read_metadata(out / ROWS / part_name(first)).num_rows == found.num_rows


def _head(out: Path) -> dict[str, object]:
    import json

    first = (out / "manifest.jsonl").read_text("utf-8").splitlines()[0]
    return dict(json.loads(first)["census"])
