"""Tests of ``webtongue reproduce``, with experiments written for these tests, and with the papers' own without their data."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.cli import running
from webtongue.cli import reproduce
from webtongue.lab.evaluate.document_tables import fill_region, read_region
from webtongue.lab.evaluate.stamp import compute_stamp

PAPERS = reproduce.list_papers()
EXPERIMENT = '''"""A paper that counts."""

from counting_papers.count_sibling import figure

from webtongue.lab.evaluate.tables import Claim, Exempt, Table

PUBLISHED = ("table 1", "figure 1")


def run(data, quick):
    """What it does."""
    yield Table("table-1", "counted", (("words | letters", 50.0, figure(quick), 75.0),), reproduces=("table 1",), headline=True)
    yield Table("other", "beside", (("a", 1, 2, 3),), generated="by rule", note="few")
    yield Table("third", "again", (("b", 1, 2, 3),), generated="by rule", note="few")
    yield Claim("more is better", quick, "so it says", "few words", "less is better")
    yield Claim("most is best", None, "2 pages", "too few")
    if not (data / "short").exists():
        yield Exempt(("figure 1",), "a photograph")
'''

PLACE = """# By hand

<!-- counter1999: written by the command, not by hand -->
of yesterday
<!-- end of counter1999 -->

The end.
"""


def run(*arguments: str) -> running.Done:
    return running.run("reproduce", *arguments)


@pytest.fixture
def papers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "counting_papers"
    folder.mkdir(parents=True)
    (tmp_path / "docs").mkdir()
    for name in ("methods.md", "papers.md"):
        (tmp_path / "docs" / name).write_text(PLACE)
    (folder / "counter1999.py").write_text(EXPERIMENT)
    (folder / "count_sibling.py").write_text("def figure(quick):\n    return 60.0 if quick else 99.0\n")
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(reproduce, "PACKAGE", folder.name)
    monkeypatch.setattr(reproduce, "DOCS", tmp_path / "docs")
    for name in [name for name in sys.modules if name.partition(".")[0] == folder.name]:
        monkeypatch.delitem(sys.modules, name)
    return tmp_path


def test_all_prints_and_writes(papers: Path) -> None:
    done = run("all", "--data", str(papers), "--output", str(papers / "out"))
    assert done.code == 0, done.err
    assert "A paper that counts." in done.out and "holds: more is better (so it says)" in done.out
    rows = (papers / "out" / "counter1999" / "table-1.csv").read_text("utf-8").splitlines()
    assert rows[1] == "words | letters,50.0000,60.0000,75.0000"
    assert (papers / "out" / "counter1999" / "table-1.svg").is_file()


def test_failed_claims_are_counted(papers: Path) -> None:
    done = run("counter1999", "--full", "--data", str(papers), "--output", str(papers / "out"))
    assert "does not hold" in done.out and "1 published comparisons did not come out" in done.out


def test_missing_tables_are_reported(papers: Path) -> None:
    (papers / "short").touch()
    done = run("all", "--data", str(papers), "--output", str(papers / "out"))
    assert done.code == 2 and "not made: counter1999: figure 1" in done.err


def test_documents_are_written(papers: Path) -> None:
    done = run("all", "--write", "--full", "--data", str(papers), "--output", str(papers / "out"))
    assert done.code == 0, done.err
    methods, short = ((papers / "docs" / name).read_text("utf-8") for name in ("methods.md", "papers.md"))
    assert methods.startswith("# By hand\n") and methods.endswith("\n\nThe end.\n") and "yesterday" not in methods
    assert r"| words \| letters | 50.0 | 99.0 | 75.0 |" in methods and r"| words \|" in short
    assert (
        methods.count("by rule") == methods.count("few\n") == 1 and "Data as above.\n\nGenerated: as above." in methods
    )
    assert "Generated: by rule" in methods and "by rule" not in short
    assert "**Does not hold**: more is better (so it says). Few words. Would be refuted by: less is better." in methods
    assert "**Cannot be decided here**: most is best (2 pages). Too few." in short
    assert "- figure 1: a photograph" in methods
    assert str(compute_stamp(reproduce.module_path("counter1999"))) in methods and "--full" in methods
    assert re.search(r"code \w{12}, data \w{12} \(0 files\); Python 3\.\d+, numpy \d", methods)
    again = fill_region(methods, "counter1999", read_region(methods, "counter1999") or "")
    assert again == methods


def test_the_stamp_ignores_comments(papers: Path) -> None:
    path = reproduce.module_path("counter1999")
    before = compute_stamp(path)
    text = path.read_text("utf-8")
    path.write_text(
        text.replace("What it does.", "Which is little.").replace("    if not", "    # a comment\n    if not")
    )
    assert compute_stamp(path) == before
    path.write_text(text.replace("50.0", "51.0"))
    assert compute_stamp(path) != before
    path.write_text(text)
    (reproduce.module_path("count_sibling")).write_text("def figure(quick):\n    return 1.0\n")
    assert compute_stamp(path) != before


def test_a_document_needs_markers(papers: Path) -> None:
    (papers / "docs" / "papers.md").write_text("# By hand\n")
    done = run("all", "--write", "--data", str(papers), "--output", str(papers / "out"))
    assert done.code == 2 and "no region for counter1999" in done.err


def test_writing_needs_the_documents_of_a_clone(papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reproduce, "DOCS", papers / "nowhere")
    done = run("all", "--write", "--data", str(papers))
    assert done.code == 2 and "run it from a clone" in done.err


def test_helper_modules_are_not_papers(papers: Path) -> None:
    done = run("count_sibling", "--data", str(papers))
    assert done.code == 2 and "counter1999" in done.err


def test_an_experiment_may_write_to_other_documents(papers: Path) -> None:
    path = papers / "counting_papers" / "counter1999.py"
    path.write_text(path.read_text("utf-8") + '\nDOCUMENTS = {"full": ("crawl.md",)}\n')
    (papers / "docs" / "crawl.md").write_text(PLACE)
    for size, changed in (("--full", {"crawl.md"}), ("--quick", {"crawl.md", "methods.md", "papers.md"})):
        assert run("counter1999", "--write", size, "--data", str(papers), "--output", str(papers / "out")).code == 0
        documents = (papers / "docs").iterdir()
        assert {document.name for document in documents if "yesterday" not in document.read_text("utf-8")} == changed


def test_a_hyphen_stands_for_an_underscore(tmp_path: Path) -> None:
    done = run("baykan2013-crawl", "--data", str(tmp_path), "--output", str(tmp_path / "out"))
    assert done.code == 2 and "train.tsv.xz is not there" in done.err and "docs/reproduce.md" in done.err


def test_the_data_folder_must_be_there() -> None:
    done = run(PAPERS[0], "--data", "nowhere")
    assert done.code == 2 and "--data" in done.err


@pytest.mark.parametrize("paper", PAPERS)
def test_every_paper_reports_missing_data(paper: str, tmp_path: Path) -> None:
    done = run(paper, "--data", str(tmp_path), "--output", str(tmp_path / "out"))
    assert done.code == 2
    assert str(tmp_path) in done.err or "pip install" in done.err
