"""``webtongue reproduce``: with experiments made for these tests, and the papers' own without their data."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from webtongue.cli import application, reproduce
from webtongue.errors import UsageError, WebtongueError

PAPERS = sorted(path.stem for path in reproduce.FOLDER.glob("*.py") if reproduce.PAPER.fullmatch(path.stem))
EXPERIMENT = '''"""A paper that counts."""

from count_sibling import figure

from webtongue.evaluate.tables import Claim, Table


def run(data, quick):
    yield Table("table-1", "counted", (("words", 50.0, figure(quick), 75.0),))
    yield Claim("more is better", quick, "so it says")
'''


def run(*arguments: str) -> Result:
    return CliRunner().invoke(application(), ["reproduce", *arguments])


@pytest.fixture
def papers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "experiments"
    folder.mkdir()
    (folder / "counter1999.py").write_text(EXPERIMENT)
    (folder / "count_sibling.py").write_text("def figure(quick):\n    return 60.0 if quick else 99.0\n")
    monkeypatch.setattr(reproduce, "FOLDER", folder)
    return tmp_path


def test_all_prints_and_writes(papers: Path) -> None:
    done = run("all", "--data", str(papers), "--out", str(papers / "out"))
    assert done.exit_code == 0, done.exception
    assert "A paper that counts." in done.output and "holds: more is better (so it says)" in done.output
    rows = (papers / "out" / "counter1999" / "table-1.csv").read_text("utf-8").splitlines()
    assert rows[1] == "words,50.0000,60.0000,75.0000"
    assert (papers / "out" / "counter1999" / "table-1.svg").is_file()


def test_what_does_not_come_out_is_counted(papers: Path) -> None:
    done = run("counter1999", "--full", "--data", str(papers), "--out", str(papers / "out"))
    assert "does not hold" in done.output and "1 published comparisons did not come out" in done.output


def test_siblings_are_no_papers(papers: Path) -> None:
    done = run("count_sibling", "--data", str(papers))
    assert isinstance(done.exception, UsageError) and "counter1999" in str(done.exception)


def test_the_data_folder_must_be_there() -> None:
    assert "--data" in str(run(PAPERS[0], "--data", "nowhere").exception)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_paper_says_what_data_it_lacks(paper: str, tmp_path: Path) -> None:
    done = run(paper, "--data", str(tmp_path), "--out", str(tmp_path / "out"))
    assert isinstance(done.exception, WebtongueError), done.exception
    assert str(tmp_path) in str(done.exception) or "pip install" in str(done.exception)
