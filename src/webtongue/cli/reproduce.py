"""``webtongue reproduce``: repeat the experiments of a paper and print its tables beside ours."""

from __future__ import annotations

import pkgutil
import re
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Annotated

from webtongue.cli.console import Terminal
from webtongue.cli.parameters import Argument, Option
from webtongue.errors import UsageError
from webtongue.lab.evaluate.document_tables import fill_region, find_missing, format_results
from webtongue.lab.evaluate.sets import DEFAULT_DATA
from webtongue.lab.evaluate.stamp import (
    compute_stamp,
    describe_environment,
    digest_files,
    record_opened_files,
    require_stamped_models,
)
from webtongue.lab.evaluate.tables import Claim, Result, Table, print_result, write_table
from webtongue.records import dataclass

__all__ = ["command", "list_papers", "load_experiment", "module_path"]

PACKAGE = "webtongue.lab.papers"  # one module for each paper, and modules that they share
DOCS = Path(__file__).parents[3] / "docs" / "generated"  # exists in a clone; an installed wheel has no documents
PAPER_NAME = re.compile(r"[a-z]+\d{4}(_crawl)?")  # modules of the package that are experiments of a paper
DOCUMENTS = (
    "methods.md",
    "papers.md",
)  # where results are written; a module may name others for each size in DOCUMENTS
DATA_HINT = "give the data folder with --data (docs/reproduce.md says what it holds and where its parts come from)"
NOT_A_CLONE = "--write fills tables into docs/generated of the repository, which is not here: run it from a clone"


def command(
    paper: Annotated[str, Argument(help="A paper, such as hayati2004, or all.")],
    data: Annotated[Path, Option(help="The data folder.")] = DEFAULT_DATA,
    quick: Annotated[bool, Option("--quick/--full", help="A sample of the data, or everything.")] = True,
    out: Annotated[Path, Option("--output", "-o", help="Where CSV and plots go, a folder for each paper.")] = Path(
        "reproduced"
    ),
    write: Annotated[bool, Option("--write", help="Write tables into docs/generated of a clone.")] = False,
) -> None:
    """Run a paper's experiments: print its figures, those of its method here and webtongue's; write CSV and plots."""
    names = list_papers()
    paper = paper.replace("-", "_")
    if paper != "all" and paper not in names:
        raise UsageError(f"no experiment {paper!r}; there are {', '.join(names)}, and all")
    if write and not (DOCS / "papers.md").is_file():
        raise UsageError(NOT_A_CLONE)
    if not data.is_dir():
        raise UsageError(f"{data} is not there: {DATA_HINT}")
    console = Terminal()
    failed_claims, missing_tables = 0, []
    for name in names if paper == "all" else [paper]:
        run = _run(console, name, data, quick, out / name)
        failed_claims += sum(isinstance(result, Claim) and result.holds is False for result in run.results)
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
    """The results of an experiment, the published tables and figures that it lacks, its CPU time, and the digest of its data."""

    paper: str
    results: list[Result]
    missing: list[str]
    seconds: float
    data: str


def _run(console: Terminal, name: str, data: Path, quick: bool, out: Path) -> Run:
    """Run one experiment, print its results and write its tables to files."""
    module = load_experiment(name)
    console.rule(f"{name}: {(module.__doc__ or '').splitlines()[0]}", style="dim")
    start = time.process_time()
    results: list[Result] = []
    try:
        with record_opened_files() as opened:
            for result in module.run(data, quick):
                results.append(result)
                print_result(console, result)
                if isinstance(result, Table):
                    write_table(result, out)
    except FileNotFoundError as error:
        raise UsageError(f"{error.filename} is not there: {DATA_HINT}") from error
    seconds = time.process_time() - start
    summary = f"{name}: {seconds:.0f} s of one core; CSV and plots in {console.escape(str(out))}\n"
    console.print(summary, highlight=False, markup=False)
    require_stamped_models(Path(str(module.__file__)), opened)
    folder = data.absolute()
    files = [path for path in opened if path.is_relative_to(folder) and not path.is_relative_to(out.absolute())]
    digest = f"data {digest_files(files, folder)} ({len(files)} files)"
    return Run(name, results, find_missing(module.PUBLISHED, results), seconds, digest)


def _write(run: Run, quick: bool) -> None:
    """Write the results of an experiment into the documents of the clone."""
    made_by = compute_stamp(module_path(run.paper))
    size = "quick" if quick else "full"
    heading = (
        f"`webtongue reproduce {run.paper} --{size}`, {run.seconds:.0f} s of one core; {made_by}, {run.data}; "
        f"{describe_environment()}."
    )
    documents = getattr(load_experiment(run.paper), "DOCUMENTS", {}).get(size, DOCUMENTS)
    for document in documents:
        path = DOCS / document
        results = select_headline(run.results) if document == "papers.md" else run.results
        path.write_text(
            fill_region(path.read_text("utf-8"), run.paper, f"{heading}\n\n{format_results(results)}"), "utf-8"
        )


def select_headline(results: Sequence[Result]) -> list[Result]:
    """Return the claims and the tables that are marked for docs/generated/papers.md."""
    return [
        result for result in results if isinstance(result, Claim) or (isinstance(result, Table) and result.headline)
    ]


def list_papers() -> list[str]:
    """Return the names of the modules that are experiments of a paper."""
    return sorted(module.name for module in pkgutil.iter_modules([str(_folder())]) if PAPER_NAME.fullmatch(module.name))


def module_path(name: str) -> Path:
    """Return the file of an experiment's module."""
    return _folder() / f"{name}.py"


def load_experiment(name: str) -> ModuleType:
    """Import and return the module of an experiment."""
    return import_module(f"{PACKAGE}.{name}")


def _folder() -> Path:
    return Path(next(iter(import_module(PACKAGE).__path__)))
