"""``webtongue evaluate``: how good we are, and peers on the same items."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast

import typer
from rich.markup import escape

from webtongue.cli.explain import printer
from webtongue.cli.terminal import shown
from webtongue.errors import UsageError
from webtongue.evaluate import Options, evaluate
from webtongue.evaluate.report import print_report, write_csv, write_json
from webtongue.evaluate.sets import DEFAULT_DATA

__all__ = ["command"]

PIPED_WIDTH = 200

Found = TypeVar("Found")


def command(
    sets: Annotated[list[str], typer.Argument(metavar="SET", help="A .jsonl[.xz] file, or a name in DATA/dev/text.")],
    data: Annotated[Path, typer.Option(help="The data folder.")] = DEFAULT_DATA,
    peers: Annotated[str, typer.Option(help="all, none, or names with commas: pycld2,eld")] = "all",
    method: Annotated[list[str] | None, typer.Option(help="A published method or its model file; repeatable.")] = None,
    restrict: Annotated[bool, typer.Option("--restrict", help="Meet each peer on the languages it knows.")] = False,
    open_: Annotated[bool, typer.Option("--open", help="All labels; with --restrict: us both ways.")] = False,
    priors: Annotated[str, typer.Option(help="uniform or web")] = "uniform",
    length: Annotated[int, typer.Option(min=0, help="Cut texts to so many characters.")] = 0,
    documents: Annotated[int, typer.Option(min=0, help="Join so many sentences of a label into one text.")] = 0,
    limit: Annotated[int, typer.Option(min=0, help="Items of a set, drawn evenly over labels.")] = 0,
    worst: Annotated[int, typer.Option(min=0, help="Labels and confusions shown.")] = 20,
    known: Annotated[bool, typer.Option("--known", help="Only items in labels that the model has.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write everything to this file.")] = None,
    csv_file: Annotated[Path | None, typer.Option("--csv", help="Write the main table to this file.")] = None,
) -> None:
    """Score webtongue and installed peers on the same items, with the same folding of labels."""
    if open_ and not restrict:
        raise UsageError("--open goes with --restrict: without it all labels are open")
    everything = open_ or not restrict
    options = Options(
        data, peers, restrict, everything, priors, length, documents, limit, worst, known, methods=tuple(method or ())
    )
    report = evaluate(sets, options, _progress)
    if json_file is not None:
        write_json(report, json_file)
    if csv_file is not None:
        write_csv(report, csv_file)
    print_report(printer(PIPED_WIDTH), _printable(report))


def _printable(found: Found) -> Found:
    """A report whose names, of sets, systems and labels, are neither markup nor control codes."""
    out: Any = found
    if isinstance(found, str):
        out = escape(shown(found, sys.stdout.encoding or "ascii"))
    elif is_dataclass(found) and not isinstance(found, type):
        out = replace(found, **{name.name: _printable(getattr(found, name.name)) for name in fields(found)})
    elif isinstance(found, Mapping):
        out = {_printable(key): _printable(value) for key, value in found.items()}
    elif isinstance(found, tuple):
        out = tuple(map(_printable, found))
    return cast(Found, out)


def _progress(line: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(shown(line, sys.stderr.encoding or "ascii") + "\n")
