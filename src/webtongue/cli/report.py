"""``webtongue report``: write the report of a census, one page of maps, charts and tables."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from webtongue.cli.options import CensusFolder
from webtongue.cli.output_files import write_file
from webtongue.cli.sources import STDIN
from webtongue.cli.terminal import print_stderr
from webtongue.errors import UsageError

__all__ = ["command"]

DEFAULT_FILE = "report.html"  # in the folder of the census
ROWS_FOLDER = "rows"


def command(
    out: CensusFolder,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The file; default: OUT/report.html; - is standard output."
        ),
    ] = None,
    title: Annotated[str, typer.Option(help="The heading; default: the name of the crawl.")] = "",
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
) -> None:
    """Write the report of a census: one page that opens in any browser without a network.

    It shows a map of servers, the languages of pages with intervals, languages by country and countries by language, encodings,
    declarations, and the evidence, each as a chart and as a table.
    """
    from webtongue.census.report import report

    if not os.path.isdir(os.path.join(out, ROWS_FOLDER)):
        raise UsageError(f"{out} is not the folder of a census: `webtongue census INPUT -o {out}` makes one")
    path = os.path.join(out, DEFAULT_FILE) if output is None else output
    if path != STDIN and os.path.lexists(path) and not force:
        raise UsageError(f"{path} exists; --force replaces it")
    page = report(out, title).encode()
    if path == STDIN:
        sys.stdout.buffer.write(page)
        return
    write_file(path, page, force)
    print_stderr(f"{path}: {len(page) / 1e6:.1f} MB, opens in any browser")
