"""Every table of the demo crawl: it runs, its totals agree, and its cells are escaped."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from webtongue.census.config import Config
from webtongue.census.run import census
from webtongue.census.tables import names, run

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables") / "out"
    config = Config(geo=str(ROOT / "examples" / "crawl.mmdb"), second_pass=False)
    census([str(ROOT / "examples" / "crawl.warc.gz")], folder, config, workers=1)
    return folder


def column(out: Path, table: str, name: str) -> list[object]:
    result = run(out, table)
    return [row[result.columns.index(name)] for row in result.rows]


def told(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "webtongue", *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", names())
def test_every_table_has_rows_as_wide_as_its_columns(out: Path, name: str) -> None:
    result = run(out, name)
    assert result.title and result.columns
    assert all(len(row) == len(result.columns) for row in result.rows)
    # This census has no second pass, no audit and no published method.
    assert result.rows or name in ("second_pass", "precision_by_language", "approach_coverage")


def test_tables_add_up(out: Path) -> None:
    summary = dict(run(out, "summary").rows)
    assert sum(column(out, "pages_by_language", "pages")) == summary["pages"]
    assert sum(column(out, "pages_by_language", "share")) == pytest.approx(1)
    assert sum(column(out, "servers_by_country", "servers")) == summary["servers"]
    assert sum(column(out, "captures_by_status", "captures")) == summary["captures"]
    low, share, high = (column(out, "pages_by_language", name) for name in ("low", "share", "high"))
    assert all(a <= b <= c for a, b, c in zip(low, share, high, strict=True))


def test_cells_are_escaped_for_spreadsheets_and_terminals(out: Path) -> None:
    done = told("tables", str(out), "unrecognised_declarations", "--format", "csv")
    assert done.returncode == 0
    cells = [cell for row in csv.reader(io.StringIO(done.stdout)) for cell in row]
    assert any("HYPERLINK" in cell for cell in cells)  # the crawl tries
    assert not any(cell[:1] in "=+-@\t\r" and not cell[1:2].isdigit() for cell in cells if cell)
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize(
    "query",
    [
        "COPY (SELECT 1) TO 'x.csv'", "ATTACH 'x.db'", "INSTALL httpfs", "LOAD httpfs", "DROP VIEW pages", "CREATE TABLE t AS SELECT 1",
        "SELECT * FROM read_text('{secret}')", "SELECT * FROM '{secret}'", "SELECT getenv('HOME')", "SELECT * FROM glob('/*')",
        "SET enable_external_access = true", "SELECT 1; DELETE FROM pages",
    ],
)  # fmt: skip
def test_sql_only_reads_the_census(out: Path, tmp_path: Path, query: str) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("a\nhidden\n")
    done = told("sql", str(out), query.format(secret=secret))
    assert done.returncode == 2 and "hidden" not in done.stdout + done.stderr
    assert not Path("x.csv").exists() and not Path("x.db").exists()


def test_sql_prints_json_lines(out: Path) -> None:
    done = told(
        "sql", str(out), "SELECT label, count(*) AS pages FROM pages GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 2", "--json"
    )
    assert json.loads(done.stdout.splitlines()[0])["label"] == "eng_Latn"


def test_a_census_equals_itself(out: Path) -> None:
    done = told("compare", str(out), str(out), "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0 and rows
