"""``webtongue reproduce``: the tables of a paper, rebuilt on our data."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Annotated

import typer

from webtongue.errors import UsageError

__all__ = ["command"]

FOLDER = Path(__file__).parents[3] / "experiments"  # in a clone; a wheel has none


def command(
    paper: Annotated[str, typer.Argument(help="baykan2013")],
    data: Annotated[Path, typer.Option(help="The data folder.")] = Path("../shared/data"),
    quick: Annotated[bool, typer.Option("--quick/--full", help="A sample and three folds, or everything.")] = True,
) -> None:
    """Run a paper's experiments and print its tables."""
    file = FOLDER / f"{paper}.py"
    if not paper.isidentifier() or not file.is_file():
        known = sorted(path.stem for path in FOLDER.glob("[a-z]*.py"))
        raise UsageError(f"no experiment {paper!r}; there are {', '.join(known) or 'none: run from a clone'}")
    if not data.is_dir():
        raise UsageError(f"{data} is not there: give the data folder with --data")
    found = importlib.util.spec_from_file_location(f"experiments_{paper}", file)
    if found is None or found.loader is None:
        raise UsageError(f"{file} cannot be loaded")
    module = importlib.util.module_from_spec(found)
    sys.modules[module.__name__] = module  # dataclasses look their module up
    found.loader.exec_module(module)
    module.run(data, quick)
