"""``webtongue report``: a census as one page of maps, charts and tables."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from webtongue.cli.sources import STDIN
from webtongue.cli.terminal import complain
from webtongue.cli.writing import write
from webtongue.errors import UsageError

__all__ = ["command"]

NAME = "report.html"  # beside the rows, where no other is given
ROWS = "rows"


def command(
    out: Annotated[str, typer.Argument(metavar="OUT", help="The folder of a census.")],
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Where the page goes; OUT/report.html if not said, - prints it."
        ),
    ] = None,
    title: Annotated[str, typer.Option(help="Its heading, in place of one from the name of the crawl.")] = "",
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there already.")] = False,
) -> None:
    """Write the report of a census: one page that opens in any browser and needs no network.

    It has a map of servers, the languages of pages with intervals, languages by country and countries by language to choose from,
    encodings, declarations, and what all of it rests on, each as a chart and as a table.
    """
    from webtongue.census.report import report

    if not os.path.isdir(os.path.join(out, ROWS)):
        raise UsageError(f"{out} is not the folder of a census: `webtongue census INPUT -o {out}` makes one")
    path = os.path.join(out, NAME) if output is None else output
    if path != STDIN and os.path.lexists(path) and not force:
        raise UsageError(f"{path} is there already; --force replaces it")
    page = report(out, title).encode()
    if path == STDIN:
        sys.stdout.buffer.write(page)
        return
    write(path, page, force)
    complain(f"{path}: {len(page) / 1e6:.1f} MB, opens in any browser")
