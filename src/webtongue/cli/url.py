"""``webtongue url``: what pages are in, by their URLs alone."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from typing import Annotated

import typer

from webtongue import labels
from webtongue.cli.index import lines
from webtongue.cli.progress import counted
from webtongue.cli.sources import STDIN, once, standard_input
from webtongue.cli.terminal import json_line, readable
from webtongue.identifier import Identifier
from webtongue.verdict import Verdict

__all__ = ["command"]

BATCH = 1024  # lines of standard input answered at a time


def command(
    urls: Annotated[list[str], typer.Argument(metavar="URL|-", help="URLs; - reads them from standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each URL.")] = False,
    priors: Annotated[str, typer.Option(help="web or uniform")] = "web",
) -> None:
    """Say what pages are in by their URLs alone; nothing is fetched."""
    once(urls)
    answers = counted(_answered(_lines(urls), Identifier(priors=priors)), "URLs")
    if as_json:
        for url, verdict in answers:
            sys.stdout.write(json_line({"url": readable(url), **verdict.to_dict()}))
    else:
        _table(answers)


def _answered(urls: Iterator[str], ident: Identifier) -> Iterator[tuple[str, Verdict]]:
    while batch := list(islice(urls, BATCH)):
        yield from zip(batch, ident.identify_urls(batch), strict=True)


def _lines(urls: list[str]) -> Iterator[str]:
    for url in urls:
        if url == STDIN:
            read = (
                line or b"" for line in lines(standard_input())
            )  # one of many megabytes is no URL, and still a line
            yield from (
                line.decode("utf-8", "surrogateescape").rstrip("\r\n") for line in read if line.strip() or not line
            )
        else:
            yield url


def _table(answers: Iterator[tuple[str, Verdict]]) -> None:
    from webtongue.cli.rows import LEGEND, doubted, label_cell
    from webtongue.cli.table import Cell, Column, Table
    from webtongue.cli.terminal import screen

    where = screen()
    columns = (
        Column("url", 20, 60, grow=2, middle=True),
        Column("label", 8, 8),
        Column("sure", 5, 5),
        Column("language", 16, 24),
    )
    table = Table(columns, where)
    doubts = False
    for url, v in answers:
        cells = {"url": Cell(where.shown(url)), "label": label_cell(v)}
        if v.reason:
            cells["sure"] = Cell(where.shown(v.why), spans=True)
        else:
            cells |= {"sure": Cell(f"{doubted(v):>5}"), "language": Cell(labels.name(v.label))}
            doubts = doubts or not v.reliable
        table.row(cells)
    table.legend([LEGEND["~"]] if doubts else [])
