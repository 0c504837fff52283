"""``webtongue url``: what pages are in, by their URLs alone."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from webtongue import labels
from webtongue.identifier import Identifier
from webtongue.verdict import Verdict

__all__ = ["command"]

BATCH = 1024  # lines of standard input answered at a time
PIPED_WIDTH = 160


def command(
    urls: Annotated[list[str], typer.Argument(metavar="URL|-", help="URLs; - reads them from standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each URL.")] = False,
    priors: Annotated[str, typer.Option(help="web or uniform")] = "web",
) -> None:
    """Say what pages are in by their URLs alone; nothing is fetched."""
    ident = Identifier(priors=priors)
    lines = _lines(urls)
    if as_json:
        while batch := list(islice(lines, BATCH)):
            for url, verdict in zip(batch, ident.identify_urls(batch), strict=True):
                sys.stdout.write(json.dumps({"url": url, **verdict.to_dict()}) + "\n")
    else:
        shown = list(lines)
        _table(list(zip(shown, ident.identify_urls(shown), strict=True)))


def _lines(urls: list[str]) -> Iterator[str]:
    for url in urls:
        if url == "-":
            raw = sys.stdin.buffer
            yield from (line.decode("utf-8", "surrogateescape").rstrip("\r\n") for line in raw if line.strip())
        else:
            yield url


def _table(rows: list[tuple[str, Verdict]]) -> None:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("url", overflow="ellipsis", no_wrap=True)
    table.add_column("label", no_wrap=True)
    table.add_column("language", no_wrap=True)
    table.add_column("sure", justify="right")
    table.add_column("why not")
    for url, v in rows:
        table.add_row(
            Text(url.encode("utf-8", "replace").decode()[:200]),
            Text(v.label, style="yellow" if v.label == "und" else "green" if v.reliable else ""),
            "" if v.label == "und" else labels.name(v.label),
            f"{v.confidence:.0%}" if v.confidence else "",
            v.why,
        )
    (Console() if sys.stdout.isatty() else Console(width=PIPED_WIDTH)).print(table)
