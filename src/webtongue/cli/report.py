"""``webtongue report``: write the report of a census, one page of maps, charts and tables."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from typing import Annotated

from webtongue.cli.output_files import write_file
from webtongue.cli.parameters import Argument, Option
from webtongue.cli.sources import STDIN
from webtongue.cli.terminal import print_stderr
from webtongue.errors import UsageError

__all__ = ["command"]

DEFAULT_FILE = "report.html"  # in the folder of the census
SERIES_FILE = "series.html"  # in the folder of the last census
ROWS_FOLDER = "rows"


def command(
    outs: Annotated[
        list[str], Argument(metavar="OUT...", help="The folder or URL of a census, or of several for a series.")
    ],
    output: Annotated[
        str | None,
        Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The file; default: OUT/report.html, of a series LAST/series.html; - is standard output.",
        ),
    ] = None,
    title: Annotated[str, Option(help="The heading; default: the name of the crawl.")] = "",
    force: Annotated[bool, Option("--force", help="Replace a file that exists.")] = False,
) -> None:
    """Write the report of a census: one page that opens in any browser without a network.

    It shows a map of servers, the languages of pages with intervals, languages by country and countries by language, encodings,
    declarations, and the evidence, each as a chart and as a table. Of two or more censuses it shows languages, countries, encodings
    and servers over time.
    """
    from webtongue.census.mirror import local_census
    from webtongue.census.read.remote_io import is_remote
    from webtongue.census.report import report, series_report

    if output is None and is_remote(outs[-1]):
        raise UsageError(f"{outs[-1]} is a URL: name a file for the report with -o")
    for out in outs:
        if not is_remote(out) and not os.path.isdir(os.path.join(out, ROWS_FOLDER)):
            raise UsageError(f"{out} is not the folder of a census: `webtongue census INPUT -o {out}` makes one")
    path = os.path.join(outs[-1], DEFAULT_FILE if len(outs) == 1 else SERIES_FILE) if output is None else output
    if path != STDIN and os.path.lexists(path) and not force:
        raise UsageError(f"{path} exists; --force replaces it")
    with ExitStack() as stack:
        folders = [str(stack.enter_context(local_census(out))) for out in outs]
        page = (report(folders[0], title) if len(outs) == 1 else series_report(folders, title)).encode()
    if path == STDIN:
        sys.stdout.buffer.write(page)
        return
    write_file(path, page, force)
    print_stderr(f"{path}: {len(page) / 1e6:.1f} MB, opens in any browser")
