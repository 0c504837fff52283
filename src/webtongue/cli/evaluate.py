"""``webtongue evaluate``: score webtongue and other identifiers on the same items."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from webtongue.cli.console import Terminal
from webtongue.cli.evaluation_tables import print_report
from webtongue.cli.parameters import Argument, Option
from webtongue.cli.terminal import escape_text
from webtongue.errors import UsageError
from webtongue.lab.evaluate import Options, evaluate
from webtongue.lab.evaluate.report import write_csv, write_json
from webtongue.lab.evaluate.sets import DEFAULT_DATA

__all__ = ["command"]


def command(
    sets: Annotated[
        list[str],
        Argument(
            metavar="SET",
            help="Texts, pages or URLs with labels: a folder of label/*.txt|html or source/label.txt, a .jsonl, .tsv or "
            ".tar.xz file, or the name of a set in DATA.",
        ),
    ],
    data: Annotated[Path, Option(help="The data folder.")] = DEFAULT_DATA,
    peers: Annotated[str, Option(help="Other identifiers: all, none, or names with commas: pycld2,eld")] = "all",
    method: Annotated[list[str] | None, Option(help="A published method or its model file; repeatable.")] = None,
    restrict: Annotated[bool, Option("--restrict", help="Compare on the languages that each peer has.")] = False,
    open_: Annotated[bool, Option("--open", help="With --restrict: score webtongue with all labels too.")] = False,
    priors: Annotated[str, Option(help="uniform or web")] = "uniform",
    length: Annotated[int, Option(min=0, help="Cut texts to this number of characters.")] = 0,
    documents: Annotated[int, Option(min=0, help="Join this number of sentences of a label into one text.")] = 0,
    limit: Annotated[int, Option(min=0, help="Items of a set, sampled evenly over labels.")] = 0,
    worst: Annotated[int, Option(min=0, help="Number of worst labels and confusions to print.")] = 20,
    known: Annotated[bool, Option("--known", help="Only items in labels of the model.")] = False,
    encoding: Annotated[
        str, Option(help="The encoding of files of text and pages, such as euc-jp; default: detected.")
    ] = "",
    json_file: Annotated[Path | None, Option("--json-file", help="Write all results to this file.")] = None,
    csv_file: Annotated[Path | None, Option("--csv-file", help="Write the main table to this file.")] = None,
) -> None:
    """Score webtongue and installed peers on the same items, with labels merged in the same way."""
    if open_ and not restrict:
        raise UsageError("--open needs --restrict: without it all labels are scored anyway")
    options = Options(
        data,
        peers,
        restrict,
        open_ or not restrict,
        priors,
        length,
        documents,
        limit,
        worst,
        known,
        methods=tuple(method or ()),
        encoding=encoding,
    )
    report = evaluate(sets, options, _progress)
    if json_file is not None:
        write_json(report, json_file)
    if csv_file is not None:
        write_csv(report, csv_file)
    print_report(Terminal(), report)


def _progress(line: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(escape_text(line, sys.stderr.encoding or "ascii") + "\n")
