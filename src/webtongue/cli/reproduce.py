"""``webtongue reproduce``: the tables of a paper, rebuilt on our data."""

from __future__ import annotations

import re
import sys
import time
from dataclasses import dataclass
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
from webtongue.evaluate.tables import Claim, Found, Table, print_found
from webtongue.evaluate.tables import write as save
from webtongue.evaluate.written import filled, missing, stamp, written

__all__ = ["command"]

FOLDER = Path(__file__).parents[3] / "experiments" / "papers"  # in a clone; a wheel has none
PAPER = re.compile(r"[a-z]+\d{4}")  # the modules there that are experiments of a paper
CRAWLS = {
    "baykan2013-crawl": "baykan2013_crawl"
}  # experiments on a web of our own: no data is needed, and not part of all
IN_A_CLONE = (
    "the experiments are not part of the installed package: they are in experiments/papers of the repository, "
    "and `webtongue reproduce` runs them from a clone (pip install -e '.[experiments]')"
)


def command(
    paper: Annotated[str, typer.Argument(help="A paper, such as hayati2004, or all.")],
    data: Annotated[Path, typer.Option(help="The data folder.")] = DEFAULT_DATA,
    quick: Annotated[bool, typer.Option("--quick/--full", help="A sample of the data, or everything.")] = True,
    out: Annotated[Path, typer.Option(help="Where CSV and plots go, a folder for each paper.")] = Path("reproduced"),
    write: Annotated[
        bool, typer.Option("--write", help="Write tables into docs/methods.md and docs/papers.md.")
    ] = False,
) -> None:
    """Run a paper's experiments: its figures, ours by its method, ours by default; CSV and plots beside."""
    known = sorted(path.stem for path in FOLDER.glob("*.py") if PAPER.fullmatch(path.stem))
    if not known:
        raise UsageError(IN_A_CLONE)
    if paper != "all" and paper not in {*known, *CRAWLS}:
        raise UsageError(f"no experiment {paper!r}; there are {', '.join([*known, *CRAWLS])}, and all")
    if paper not in CRAWLS and not data.is_dir():
        raise UsageError(f"{data} is not there: give the data folder with --data")
    console = printer()
    failed, lacking = 0, []
    for name in known if paper == "all" else [paper]:
        run = _run(console, name, data, quick, out / name)
        failed += sum(isinstance(found, Claim) and not found.holds for found in run.found)
        lacking += [f"{name}: {one}" for one in run.missing]
        if write:
            _write(run, quick)
    if failed:
        console.print(f"{failed} published comparisons did not come out: docs/papers.md says why", highlight=False)
    if lacking:
        raise UsageError(f"tables and figures that were not made: {', '.join(lacking)}")


@dataclass(frozen=True, slots=True)
class Run:
    """What an experiment gave."""

    paper: str
    found: list[Found]
    missing: list[str]
    seconds: float


def _run(console: Console, name: str, data: Path, quick: bool, out: Path) -> Run:
    """Run one experiment, and print and keep what it finds."""
    module = _loaded(name)
    console.rule(f"{name}: {(module.__doc__ or '').splitlines()[0]}", style="dim")
    start = time.process_time()
    every: list[Found] = []
    try:
        for found in module.run(data, quick):
            every.append(found)
            print_found(console, found)
            if isinstance(found, Table):
                save(found, out)
    except FileNotFoundError as error:
        raise UsageError(f"{error.filename} is not there: give the data folder with --data") from error
    seconds = time.process_time() - start
    done = f"{name}: {seconds:.0f} s of one core; CSV and plots in {shown(str(out), console.encoding)}\n"
    console.print(done, highlight=False, markup=False)
    return Run(name, every, missing(module.PUBLISHED, every), seconds)


def _write(run: Run, quick: bool) -> None:
    """Put it into the documents of the clone."""
    docs = FOLDER.parents[1] / "docs"
    made = stamp(FOLDER / f"{CRAWLS.get(run.paper, run.paper)}.py")
    how = (
        f"`webtongue reproduce {run.paper} --{'quick' if quick else 'full'}`, {run.seconds:.0f} s of one core; {made}."
    )
    headline = [found for found in run.found if isinstance(found, Table) and found.headline]
    where = (("crawl.md", run.found),) if run.paper in CRAWLS else (("methods.md", run.found), ("papers.md", headline))
    for document, found in where:
        path = docs / document
        path.write_text(filled(path.read_text("utf-8"), run.paper, f"{how}\n\n{written(found)}"), "utf-8")


def _loaded(name: str) -> ModuleType:
    """The module of an experiment, which may import its siblings."""
    if str(FOLDER) not in sys.path:
        sys.path.append(str(FOLDER))
    return import_module(CRAWLS.get(name, name))
