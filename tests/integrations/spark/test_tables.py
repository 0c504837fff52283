"""Every table of Spark SQL equals that of DuckDB."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.census.synthetic_rows import write
from tests.integrations.spark.cluster import ROOT
from webtongue import UsageError
from webtongue.census.config import Config
from webtongue.census.run import census
from webtongue.census.tables import names, run
from webtongue.integrations.spark.tables import relations, table

PARAMETERS = {
    "languages_of_country": {"country": "IS"},
    "countries_of_language": {"label": "deu_Latn"},
    "problem_list": {"limit": 3},
}


FEW = (
    "summary",
    "captures_by_status",
    "languages_of_country",
)  # of small censuses, whose rows differ in what counts as a page


@pytest.fixture(scope="module", params=["demo", "made", "portal"])
def censuses(request: pytest.FixtureRequest, spark: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """Run a census; return its folder and a session with its relations."""
    out = tmp_path_factory.mktemp(request.param) / "out"
    if request.param == "made":
        write(out, 3000)
    else:
        config = Config(geo=str(ROOT / "examples" / "crawl.mmdb"), portal=request.param == "portal")
        census([str(ROOT / "examples" / "crawl.warc.gz")], out, config, workers=1)
    return out, relations(spark, out)


def alike(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return one == pytest.approx(other, rel=1e-9, nan_ok=True)  # sums are added up in another order
    return type(one) is type(other) and one == other


def test_tables_equal_those_of_duckdb(censuses: tuple[Path, Any]) -> None:
    out, session = censuses
    wrong = []
    everything = out.parent.name.startswith("made")
    for name in names() if everything else FEW:
        there, here = table(session, name, **PARAMETERS.get(name, {})), run(out, name, **PARAMETERS.get(name, {}))
        same = len(there.rows) == len(here.rows) and all(
            alike(a, b)
            for row, other in zip(there.rows, here.rows, strict=True)
            for a, b in zip(row, other, strict=True)
        )
        if not same or there.columns != here.columns or there.note != here.note:
            wrong.append((name, there.columns, there.rows[:3], here.rows[:3]))
    assert not wrong


def test_relations_equal_those_of_duckdb(censuses: tuple[Path, Any]) -> None:
    from webtongue.census.store import open_store

    out, session = censuses
    connection = open_store(out)
    for name in ("captures", "pages", "server", "geo", "country_distribution", "language_distribution"):
        count = f"SELECT count(*) FROM {name}"
        assert session.sql(count).collect()[0][0] == connection.execute(count).fetchone()[0], name
    numbers = "SELECT sum(ip_number) FROM server"
    assert session.sql(numbers).collect()[0][0] == connection.execute(numbers).fetchone()[0]
    connection.close()


def test_views_of_the_caller_are_unchanged(spark: Any, censuses: tuple[Path, Any]) -> None:
    assert not spark.catalog.tableExists("captures")
    assert censuses[1].catalog.tableExists("captures")


def test_a_new_census_in_the_same_folder_is_read(spark: Any, tmp_path: Path) -> None:
    said = []
    for rows in (50, 700):
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        write(tmp_path / "out", rows)
        said.append(table(relations(spark, tmp_path / "out"), "pages_by_language").rows)
    assert said[0] != said[1]


def test_unknown_parameters_are_refused(censuses: tuple[Path, Any]) -> None:
    with pytest.raises(UsageError, match="unknown parameter colour; known: limit"):
        table(censuses[1], "pages_by_host", colour="red")
