"""Tests that the tables in the documents are complete and were written with the present code and models."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from webtongue.cli.reproduce import PACKAGE, list_papers, module_path
from webtongue.lab.evaluate.document_tables import read_region
from webtongue.lab.evaluate.stamp import compute_stamp

DOCS = Path(__file__).parents[3] / "docs" / "generated"
PAPERS = [module_path(name) for name in list_papers()]


@pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.stem)
@pytest.mark.parametrize("document", ["methods.md", "papers.md"])
def test_tables_are_of_this_code_and_these_models(path: Path, document: str) -> None:
    text = read_region((DOCS / document).read_text("utf-8"), path.stem)
    assert text, f"{document} has no place for {path.stem}"
    assert str(compute_stamp(path)) in text, (
        f"run `webtongue reproduce {path.stem} --write`: {document} is of other code or models"
    )


@pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.stem)
def test_every_table_and_figure_is_there(path: Path) -> None:
    text = read_region((DOCS / "methods.md").read_text("utf-8"), path.stem) or ""
    names = import_module(f"{PACKAGE}.{path.stem}").PUBLISHED
    assert names and [name for name in names if name not in text] == []
