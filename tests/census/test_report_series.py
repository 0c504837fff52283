"""The report of a series: its numbers are those of the tables of each census, and differences of method are told."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.browser import PATIENCE, browser
from tests.census.synthetic_rows import write as write_census
from tests.cli.running import run
from webtongue.census.compare import compare
from webtongue.census.report import series_report
from webtongue.census.report.formats import format_share
from webtongue.census.series import CountedCensus, count_census
from webtongue.census.tables import run_all
from webtongue.errors import UsageError

__all__ = ["browser"]  # a fixture


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("series")
    return [write_census(folder / name, rows, seed) for name, rows, seed in (("MAY", 3000, 1), ("JUNE", 5000, 9))]


@pytest.fixture(scope="module")
def counted(folders: list[Path]) -> list[CountedCensus]:
    return [count_census(folder) for folder in folders]


def table_rows(folder: Path, name: str) -> list[dict[str, Any]]:
    (table,) = run_all(folder, (name,))
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def test_languages_have_the_shares_and_intervals_of_the_table(
    folders: list[Path], counted: list[CountedCensus]
) -> None:
    for folder, census in zip(folders, counted, strict=True):
        rows = table_rows(folder, "pages_by_language")
        assert {row["label"] for row in rows} == census.shares["languages"].keys()
        for row in rows:
            share = census.shares["languages"][row["label"]]
            assert share.pages == row["pages"]
            assert (share.share, share.low, share.high) == pytest.approx((row["share"], row["low"], row["high"]))


def test_servers_countries_and_encodings_have_the_counts_of_the_tables(
    folders: list[Path], counted: list[CountedCensus]
) -> None:
    for folder, census in zip(folders, counted, strict=True):
        servers = {row["country"]: row["servers"] for row in table_rows(folder, "servers_by_country")}
        assert {label: share.pages for label, share in census.shares["servers"].items()} == servers
        for kind, name, key in (
            ("countries", "languages_of_country", "country"),
            ("encodings", "encodings_by_language", "encoding"),
        ):
            pages: Counter[str] = Counter()
            for row in table_rows(folder, name):
                pages[row[key]] += row["pages"]
            assert {label: share.pages for label, share in census.shares[kind].items()} == pages
            assert all(share.low <= share.share <= share.high for share in census.shares[kind].values())


def figures_of(html: str) -> dict[str, Any]:
    figures: dict[str, Any] = json.loads(html.split('id="data">')[1].split("</script>")[0])["figures"]
    return figures


def test_the_page_has_every_census(folders: list[Path], counted: list[CountedCensus]) -> None:
    html = series_report(folders)
    figures = figures_of(html)
    assert list(figures) == ["languages", "countries", "encodings", "servers"]
    for kind, figure in figures.items():
        assert len(figure["rows"]) % 2 == 0 and figure["unit"] == ("servers" if kind == "servers" else "pages")
        assert [bool(row.get("special")) for row in figure["rows"][:4]] == [True, False] * 2
    for census in counted:
        english = census.shares["languages"]["eng_Latn"]
        assert f"{format_share(english.low)} – {format_share(english.high)}" in html
    assert f"{counted[0].total('languages'):,} pages" in html
    assert "The censuses differ" not in html


def test_a_label_that_a_census_does_not_have_has_no_interval(folders: list[Path], tmp_path: Path) -> None:
    small = write_census(tmp_path / "small", 12, 3)
    rows = figures_of(series_report([small, folders[0]]))["languages"]["rows"]
    absent = [row for row in rows if not row["pages"]]
    assert absent and all("low" not in row and "high" not in row and row["value"] == 0 for row in absent)


def test_a_difference_of_method_is_told(folders: list[Path], tmp_path: Path) -> None:
    other = write_census(tmp_path / "other", 500, 4)
    (other / "census.json").write_text(json.dumps({"model": "b2", "config": {"priors": "flat"}}), "utf-8")
    assert "The censuses differ in the model and the priors" in series_report([folders[0], other])


def test_different_units_are_refused(folders: list[Path], tmp_path: Path) -> None:
    """All pages and home pages are refused by a series as by a comparison, in the same words."""
    other = write_census(tmp_path / "portals", 500, 4, portal=True)
    messages = []
    for make in (lambda: series_report([folders[0], other]), lambda: compare(folders[0], other)):
        with pytest.raises(UsageError, match=r"counts all pages and .* one home page per server") as refusal:
            make()
        messages.append(str(refusal.value))
    assert messages[0] == messages[1]
    done = run("report", str(folders[0]), str(folders[1]), str(other))
    assert done.code == 2 and "one home page per server" in done.err


def test_a_series_needs_two(folders: list[Path]) -> None:
    with pytest.raises(UsageError, match="two or more"):
        series_report(folders[:1])


def test_the_command_writes_a_series(folders: list[Path], tmp_path: Path) -> None:
    done = run("report", *map(str, folders))
    assert done.code == 0 and (folders[-1] / "series.html").is_file()
    again = run("report", *map(str, folders))
    assert again.code == 2 and "--force" in again.err
    missing = run("report", str(folders[0]), str(tmp_path / "none"))
    assert missing.code == 2 and "webtongue census" in missing.err
    (folders[-1] / "series.html").unlink()


@pytest.mark.parametrize("width", [360, 1280])
def test_a_series_is_drawn_on_one_scale(browser: Any, folders: list[Path], tmp_path: Path, width: int) -> None:
    path = tmp_path / "series.html"
    path.write_text(series_report(folders), "utf-8")
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto(path.as_uri(), timeout=PATIENCE)
    page.wait_for_selector("html[data-drawn=all]", state="attached", timeout=PATIENCE)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    lengths = page.evaluate(
        """[...document.querySelectorAll("[data-bars=languages] svg .mark-rect path")].map((e) => e.getBoundingClientRect())
            .sort((a, b) => a.top - b.top).map((box) => box.width)"""
    )
    values = [row["value"] for row in figures_of(path.read_text("utf-8"))["languages"]["rows"]]
    assert lengths == pytest.approx([max(lengths) * value / max(values) for value in values], abs=1.5)
    page.close()
