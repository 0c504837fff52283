"""Tables of experiments: printed, as CSV, as plots."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

from webtongue.lab.evaluate.tables import Claim, Exempt, Table, print_result, write_table

SHARES = Table("table-1", "a & b", (("Latin", 50.0, 75.25, 100.0), ("<Greek>", None, 0.0, 99.96)), note="fewer pages")


def printed(show: object, result: Table | Claim) -> str:
    console = Console(file=io.StringIO(), width=120)
    show(console, result)  # type: ignore[operator]
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_three_columns_side_by_side() -> None:
    text = printed(print_result, SHARES)
    assert "paper  its method  webtongue" in text
    assert ["Latin", "50.0", "75.2", "100.0"] in [line.split() for line in text.splitlines()]
    assert "fewer pages" in text


def test_claims() -> None:
    assert "does not hold: a over b (1.0 and 2.0); not explained" in printed(
        print_result, Claim("a over b", False, "1.0 and 2.0")
    )
    assert "(1 and 2); few pages" in printed(print_result, Claim("a over b", False, "1 and 2", "few pages"))
    assert "not made: figure 3: a photograph" in printed(print_result, Exempt(("figure 3",), "a photograph"))
    assert printed(print_result, Claim("a over b", True, "2.0 and 1.0")).startswith("holds")
    undecided = printed(print_result, Claim("a over b", None, "2 pages", "too few", "b right more often"))
    assert undecided.strip() == "cannot be decided here: a over b (2 pages); too few; refuted by: b right more often"


def test_csv_keeps_digits(tmp_path: Path) -> None:
    write_table(SHARES, tmp_path / "new")
    rows = (tmp_path / "new" / "table-1.csv").read_text("utf-8").splitlines()
    assert rows == [",paper,its method,webtongue", "Latin,50.0000,75.2500,100.0000", "<Greek>,,0.0000,99.9600"]


@pytest.mark.parametrize(("plot", "shape"), [("bars", "rect"), ("lines", "circle")])
def test_a_plot_shows_every_figure(tmp_path: Path, plot: str, shape: str) -> None:
    write_table(Table("t", SHARES.title, SHARES.rows, plot=plot), tmp_path)
    drawn = ElementTree.parse(tmp_path / "t.svg")
    marks = [e for e in drawn.iter() if e.tag.endswith(shape)]
    ground = 4 if plot == "bars" else 0  # the sheet and the legend are rectangles too
    assert len(marks) == 5 + ground
    assert "<Greek>" in "".join(drawn.getroot().itertext())


def test_no_plot_where_none_is_wanted(tmp_path: Path) -> None:
    write_table(Table("t", "words", (("a", "b"),), ("x", "y"), plot=""), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]
