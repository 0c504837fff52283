"""An extraction on a cluster writes the files of a local one."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tests.census.test_extract import crawl
from tests.census.test_object_store import local_files
from webtongue import Identifier, UsageError
from webtongue.census.engines import OnProgress, Progress
from webtongue.census.extract import create_extract_config
from webtongue.census.extract import extract as run_extract
from webtongue.census.extract import run as extract_run
from webtongue.census.read import partition
from webtongue.integrations.spark import extract

LANGUAGES = ["is", "ka"]
OPTIONS: dict[str, Any] = {"shard_bytes": 4000, "duplicates": True, "host_lines": True}


@pytest.fixture
def archives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(partition, "MIN_ITEM_BYTES", 1)  # every file is a work item
    monkeypatch.setattr(extract_run, "COMMIT_BYTES", 1500)
    return [crawl(tmp_path / f"{name}.warc.gz") for name in "abcdef"]


@pytest.fixture
def local(archives: list[str], tmp_path: Path) -> dict[str, bytes]:
    config = create_extract_config(LANGUAGES, Identifier(), **OPTIONS)
    run_extract(archives, tmp_path / "local", config, workers=1)
    return local_files(tmp_path / "local")


def test_the_files_equal_those_of_the_local_engine(
    spark: Any, archives: list[str], local: dict[str, bytes], tmp_path: Path
) -> None:
    result = extract(spark, archives, tmp_path / "out", LANGUAGES, **OPTIONS)
    assert local_files(tmp_path / "out") == local and result.counts.rows > 10
    again = extract(spark, archives, tmp_path / "out", LANGUAGES, resume=True, **OPTIONS)
    assert again.counts == result.counts
    with pytest.raises(UsageError, match="unknown option colour"):
        extract(spark, archives, tmp_path / "other", LANGUAGES, colour=1)


class Stop(Exception):
    pass


def stop_after(items: int) -> OnProgress:
    def check(progress: Progress) -> None:
        if progress.items >= items:
            raise Stop

    return check


def test_a_stopped_extraction_is_resumed(
    spark: Any, archives: list[str], local: dict[str, bytes], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with pytest.raises(Stop):
        extract(spark, archives, out, LANGUAGES, on_progress=stop_after(random.Random(1).randint(1, 4)), **OPTIONS)
    assert (out / "_manifest.json").exists()
    left = out / ".work" / ".attempts" / "a" / "b"  # what a killed driver leaves
    left.mkdir(parents=True)
    (left / "part-000000.jsonl.zst").write_bytes(b"x")
    result = extract(spark, archives, out, LANGUAGES, resume=True, **OPTIONS)
    assert result.resumed > 0 and local_files(out) == local
