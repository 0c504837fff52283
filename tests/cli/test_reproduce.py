"""``webtongue reproduce``: with experiments made for these tests, and the papers' own without their data."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import running
from webtongue.cli import reproduce

PAPERS = sorted(path.stem for path in reproduce.FOLDER.glob("*.py") if reproduce.PAPER.fullmatch(path.stem))
EXPERIMENT = '''"""A paper that counts."""

from count_sibling import figure

from webtongue.evaluate.tables import Claim, Table


def run(data, quick):
    yield Table("table-1", "counted", (("words", 50.0, figure(quick), 75.0),))
    yield Claim("more is better", quick, "so it says")
'''


def run(*arguments: str) -> running.Done:
    return running.run("reproduce", *arguments)


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
    assert done.code == 0, done.err
    assert "A paper that counts." in done.out and "holds: more is better (so it says)" in done.out
    rows = (papers / "out" / "counter1999" / "table-1.csv").read_text("utf-8").splitlines()
    assert rows[1] == "words,50.0000,60.0000,75.0000"
    assert (papers / "out" / "counter1999" / "table-1.svg").is_file()


def test_what_does_not_come_out_is_counted(papers: Path) -> None:
    done = run("counter1999", "--full", "--data", str(papers), "--out", str(papers / "out"))
    assert "does not hold" in done.out and "1 published comparisons did not come out" in done.out


def test_siblings_are_no_papers(papers: Path) -> None:
    done = run("count_sibling", "--data", str(papers))
    assert done.code == 2 and "counter1999" in done.err


def test_the_data_folder_must_be_there() -> None:
    done = run(PAPERS[0], "--data", "nowhere")
    assert done.code == 2 and "--data" in done.err


@pytest.mark.parametrize("paper", PAPERS)
def test_every_paper_says_what_data_it_lacks(paper: str, tmp_path: Path) -> None:
    done = run(paper, "--data", str(tmp_path), "--out", str(tmp_path / "out"))
    assert done.code == 2
    assert str(tmp_path) in done.err or "pip install" in done.err
