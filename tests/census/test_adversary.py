"""What broke a census once: names that are patterns, parts that were lost, a manifest that lies, a query without end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.census.test_census import crawl, rows_of
from webtongue import UsageError
from webtongue.census.config import Config
from webtongue.census.run import census
from webtongue.census.search import search

ENDLESS = "WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a) SELECT count(*) FROM a"
# Tells when the question is asked: DuckDB's own work begins within it.
ASKING = """
import sys
from pathlib import Path
from webtongue.census import sql
checked = sql.checked
def told(*given):
    checked(*given)
    print("asked", flush=True)
sql.checked = told
from webtongue.cli import main
sys.argv = ["webtongue", "sql", sys.argv[1], sys.argv[2]]
sys.exit(main())
"""


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return crawl(tmp_path_factory.mktemp("crawl"), files=2, pages=3)


def test_a_folder_whose_name_is_a_pattern(inputs: list[str], tmp_path: Path) -> None:
    out = tmp_path / "o[1]*'x"
    summary = census(inputs, out, Config(keep_text=True), workers=1)
    assert summary.settled is not None and summary.settled.pages == 4  # the short page and the short text of each host
    assert len(search(out, "Foto").hits) == 2


@pytest.mark.parametrize("harm", ["deleted", "cut"])
def test_a_part_that_was_lost_is_made_again(inputs: list[str], tmp_path: Path, harm: str) -> None:
    config = Config(keep_links=True)  # what the second look heard is there for the new part, too
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


def test_search_says_what_is_wrong_with_a_part_that_was_cut(inputs: list[str], tmp_path: Path) -> None:
    census(inputs, tmp_path, Config(keep_text=True), workers=1)
    part = next((tmp_path / "rows").glob("*.parquet"))
    part.write_bytes(part.read_bytes()[:-100])
    with pytest.raises(UsageError, match="damaged"):
        search(tmp_path, "Foto")


@pytest.mark.parametrize("line", [[1], 7, None, {"part": 0}])
def test_a_manifest_with_other_lines_is_damaged(inputs: list[str], tmp_path: Path, line: object) -> None:
    census(inputs, tmp_path, Config(settle=False), workers=1)
    with (tmp_path / "manifest.jsonl").open("a") as file:
        file.write(json.dumps(line) + "\n")
    with pytest.raises(UsageError, match="damaged"):
        census(inputs, tmp_path, Config(settle=False), workers=1, resume=True)
