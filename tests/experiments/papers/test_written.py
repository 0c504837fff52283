"""The documents' tables of the papers: written by the command, whole, and by the code and models that are there."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from webtongue.cli.reproduce import FOLDER, PAPER
from webtongue.evaluate.written import region, stamp

sys.path.append(str(FOLDER))
DOCS = Path(__file__).parents[3] / "docs"
PAPERS = sorted(path for path in FOLDER.glob("*.py") if PAPER.fullmatch(path.stem))


@pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.stem)
@pytest.mark.parametrize("document", ["methods.md", "papers.md"])
def test_tables_are_of_this_code_and_these_models(path: Path, document: str) -> None:
    found = region((DOCS / document).read_text("utf-8"), path.stem)
    assert found, f"{document} has no place for {path.stem}"
    assert str(stamp(path)) in found, (
        f"run `webtongue reproduce {path.stem} --write`: {document} is of other code or models"
    )


@pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.stem)
def test_every_table_and_figure_is_there(path: Path) -> None:
    found = region((DOCS / "methods.md").read_text("utf-8"), path.stem) or ""
    names = import_module(path.stem).PUBLISHED
    assert names and [name for name in names if name not in found] == []
