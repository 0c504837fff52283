"""``webtongue reproduce``: repeat the experiments of a paper and print its tables beside ours."""

from __future__ import annotations

import pkgutil
import re
import time
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

from webtongue.cli.console import Terminal
from webtongue.errors import UsageError
from webtongue.lab.evaluate.document_tables import compute_stamp, fill_region, find_missing, format_results
from webtongue.lab.evaluate.sets import DEFAULT_DATA
from webtongue.lab.evaluate.tables import Claim, Result, Table, print_result, write_table

__all__ = ["command", "list_papers", "load_experiment", "module_path"]

PACKAGE = "webtongue.lab.papers"  # one module for each paper, and modules that they share
DOCS = Path(__file__).parents[3] / "docs"  # exists in a clone; an installed wheel has no documents
PAPER_NAME = re.compile(r"[a-z]+\d{4}")  # modules of the package that are experiments of a paper
# Experiments on a synthetic web, by name. They need no data, and are not part of ``all``.
CRAWL_EXPERIMENTS = {"baykan2013-crawl": "baykan2013_crawl"}
NOT_A_CLONE = "--write fills tables into docs/ of the repository, which is not here: run it from a clone"


def command(
    paper: Annotated[str, typer.Argument(help="A paper, such as hayati2004, or all.")],
    data: Annotated[Path, typer.Option(help="The data folder.")] = DEFAULT_DATA,
    quick: Annotated[bool, typer.Option("--quick/--full", help="A sample of the data, or everything.")] = True,
    out: Annotated[Path, typer.Option(help="Where CSV and plots go, a folder for each paper.")] = Path("reproduced"),
    write: Annotated[
        bool, typer.Option("--write", help="Write tables into docs/methods.md and docs/papers.md.")
    ] = False,
) -> None:
    """Run a paper's experiments: print its figures, those of its method here and webtongue's; write CSV and plots."""
    names = list_papers()
    if paper != "all" and paper not in {*names, *CRAWL_EXPERIMENTS}:
        raise UsageError(f"no experiment {paper!r}; there are {', '.join([*names, *CRAWL_EXPERIMENTS])}, and all")
    if write and not (DOCS / "papers.md").is_file():
        raise UsageError(NOT_A_CLONE)
    if paper not in CRAWL_EXPERIMENTS and not data.is_dir():
        raise UsageError(f"{data} is not there: give the data folder with --data")
    console = Terminal()
    failed_claims, missing_tables = 0, []
    for name in names if paper == "all" else [paper]:
        run = _run(console, name, data, quick, out / name)
        failed_claims += sum(isinstance(result, Claim) and not result.holds for result in run.results)
        missing_tables += [f"{name}: {table}" for table in run.missing]
        if write:
            _write(run, quick)
    if failed_claims:
        text = f"{failed_claims} published comparisons did not come out: docs/papers.md says why"
        console.print(text, highlight=False)
    if missing_tables:
        raise UsageError(f"tables and figures that were not made: {', '.join(missing_tables)}")


@dataclass(frozen=True, slots=True)
class Run:
    """The results of an experiment, the published tables and figures that it lacks, and its CPU time."""

    paper: str
    results: list[Result]
    missing: list[str]
    seconds: float


def _run(console: Terminal, name: str, data: Path, quick: bool, out: Path) -> Run:
    """Run one experiment, print its results and write its tables to files."""
    module = load_experiment(name)
    console.rule(f"{name}: {(module.__doc__ or '').splitlines()[0]}", style="dim")
    start = time.process_time()
    results: list[Result] = []
    try:
        for result in module.run(data, quick):
            results.append(result)
            print_result(console, result)
            if isinstance(result, Table):
                write_table(result, out)
    except FileNotFoundError as error:
        raise UsageError(f"{error.filename} is not there: give the data folder with --data") from error
    seconds = time.process_time() - start
    summary = f"{name}: {seconds:.0f} s of one core; CSV and plots in {console.escape(str(out))}\n"
    console.print(summary, highlight=False, markup=False)
    return Run(name, results, find_missing(module.PUBLISHED, results), seconds)


def _write(run: Run, quick: bool) -> None:
    """Write the results of an experiment into the documents of the clone."""
    made_by = compute_stamp(module_path(CRAWL_EXPERIMENTS.get(run.paper, run.paper)))
    size = "quick" if quick else "full"
    heading = f"`webtongue reproduce {run.paper} --{size}`, {run.seconds:.0f} s of one core; {made_by}."
    if run.paper in CRAWL_EXPERIMENTS:
        parts = {"crawl.md": run.results}
    else:
        headline = [result for result in run.results if isinstance(result, Table) and result.headline]
        parts = {"methods.md": run.results, "papers.md": [*headline]}
    for document, results in parts.items():
        path = DOCS / document
        path.write_text(
            fill_region(path.read_text("utf-8"), run.paper, f"{heading}\n\n{format_results(results)}"), "utf-8"
        )


def list_papers() -> list[str]:
    """Return the names of the modules that are experiments of a paper."""
    return sorted(module.name for module in pkgutil.iter_modules([str(_folder())]) if PAPER_NAME.fullmatch(module.name))


def module_path(name: str) -> Path:
    """Return the file of an experiment's module."""
    return _folder() / f"{name}.py"


def load_experiment(name: str) -> ModuleType:
    """Import and return the module of an experiment."""
    return import_module(f"{PACKAGE}.{CRAWL_EXPERIMENTS.get(name, name)}")


def _folder() -> Path:
    return Path(next(iter(import_module(PACKAGE).__path__)))
