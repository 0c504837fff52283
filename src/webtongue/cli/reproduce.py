"""``webtongue reproduce``: the tables of a paper, rebuilt on our data."""

from __future__ import annotations

import re
import sys
import time
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer
from rich.console import Console

from webtongue.cli.explain import printer
from webtongue.cli.terminal import shown
from webtongue.errors import UsageError
from webtongue.evaluate.sets import DEFAULT_DATA
from webtongue.evaluate.tables import Claim, print_claim, print_table, write

__all__ = ["command"]

FOLDER = Path(__file__).parents[3] / "experiments" / "papers"  # in a clone; a wheel has none
PAPER = re.compile(r"[a-z]+\d{4}")  # the modules there that are experiments of a paper


def command(
    paper: Annotated[str, typer.Argument(help="A paper, such as hayati2004, or all.")],
    data: Annotated[Path, typer.Option(help="The data folder.")] = DEFAULT_DATA,
    quick: Annotated[bool, typer.Option("--quick/--full", help="A sample of the data, or everything.")] = True,
    out: Annotated[Path, typer.Option(help="Where CSV and plots go, a folder for each paper.")] = Path("reproduced"),
) -> None:
    """Run a paper's experiments: its figures, ours by its method, ours by default; CSV and plots beside."""
    known = sorted(path.stem for path in FOLDER.glob("*.py") if PAPER.fullmatch(path.stem))
    if not known or (paper != "all" and paper not in known):
        raise UsageError(f"no experiment {paper!r}; there are {', '.join(known) or 'none: run from a clone'}")
    if not data.is_dir():
        raise UsageError(f"{data} is not there: give the data folder with --data")
    console = printer()
    failed = 0
    for name in known if paper == "all" else [paper]:
        failed += _run(console, name, data, quick, out / name)
    if failed:
        console.print(
            f"{failed} published comparisons did not come out: docs/methods.md and docs/url.md say why", highlight=False
        )


def _run(console: Console, name: str, data: Path, quick: bool, out: Path) -> int:
    """Run one experiment; the number of comparisons that did not come out."""
    module = _loaded(name)
    console.rule(f"{name}: {(module.__doc__ or '').splitlines()[0]}", style="dim")
    start = time.perf_counter()
    failed = 0
    try:
        for found in module.run(data, quick):
            if isinstance(found, Claim):
                print_claim(console, found)
                failed += not found.holds
            else:
                print_table(console, found)
                write(found, out)
    except FileNotFoundError as error:
        raise UsageError(f"{error.filename} is not there: give the data folder with --data") from error
    done = f"{name}: {time.perf_counter() - start:.0f} s; CSV and plots in {shown(str(out), console.encoding)}\n"
    console.print(done, highlight=False, markup=False)
    return failed


def _loaded(name: str) -> ModuleType:
    """The module of an experiment, which may import its siblings."""
    if str(FOLDER) not in sys.path:
        sys.path.append(str(FOLDER))
    return import_module(name)
