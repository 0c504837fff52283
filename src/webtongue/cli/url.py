"""``webtongue url``: what pages are in, by their URLs alone."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from typing import Annotated

import typer

from webtongue import labels
from webtongue.cli.index import lines
from webtongue.cli.known import (
    Country,
    Evidence,
    Geo,
    Inlinks,
    Ip,
    Languages,
    code_of,
    credit_of,
    links_of,
    names_of,
    sources_of,
)
from webtongue.cli.progress import counted
from webtongue.cli.sources import STDIN, Item, once, standard_input
from webtongue.cli.terminal import json_line, readable
from webtongue.errors import UsageError
from webtongue.identifier import Identifier
from webtongue.page import NO_HEADERS, Page
from webtongue.verdict import Verdict

__all__ = ["command"]

BATCH = 1024  # lines of standard input answered at a time


def command(
    urls: Annotated[list[str], typer.Argument(metavar="URL|-", help="URLs; - reads them from standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each URL.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show evidence in bits, and what decided.")] = False,
    ip: Ip = None,
    country: Country = None,
    inlink: Inlinks = None,
    geo: Geo = None,
    evidence: Evidence = None,
    priors: Annotated[str, typer.Option(help="web or uniform")] = "web",
    languages: Languages = None,
) -> None:
    """Say what pages are in by their URLs alone, or with what is known of one; nothing is fetched."""
    once(urls)
    if as_json and explain:
        raise UsageError("--json and --explain are two ways to print: --json has all that --explain shows")
    known = Page(b"", None, NO_HEADERS, ip, code_of(country), links_of(inlink or []))
    addressed = ip is not None or country is not None or bool(inlink)
    if addressed and (len(urls) != 1 or urls[0] == STDIN):
        raise UsageError("--ip, --country and --inlink are of one URL")
    ident = Identifier(priors, names_of(languages), sources_of(evidence), geo=geo)
    found = _known(urls[0], known, ident) if addressed else _answered(_lines(urls), ident)
    answers = counted(found, "URLs")
    if as_json:
        for item, verdict in answers:
            credit = credit_of(item.page, verdict, ident)
            row = verdict.to_dict() | ({"country_source": credit} if credit else {})
            sys.stdout.write(json_line({**item.keys, **row}))
    elif explain:
        from webtongue.cli.explain import explained

        explained(answers, ident)
    else:
        _table(answers)


def _known(url: str, known: Page, ident: Identifier) -> Iterator[tuple[Item, Verdict]]:
    """One URL with what is known of its page."""
    verdict = ident.identify_url(url, known.ip, inlinks=known.inlinks, country=known.country)
    yield Item(url, {"url": readable(url)}, known), verdict


def _answered(urls: Iterator[str], ident: Identifier) -> Iterator[tuple[Item, Verdict]]:
    while batch := list(islice(urls, BATCH)):
        for url, verdict in zip(batch, ident.identify_urls(batch), strict=True):
            yield Item(url, {"url": readable(url)}), verdict


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


def _table(answers: Iterator[tuple[Item, Verdict]]) -> None:
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
    for item, v in answers:
        cells = {"url": Cell(where.shown(item.name)), "label": label_cell(v)}
        if v.reason:
            cells["sure"] = Cell(where.shown(v.why), spans=True)
        else:
            cells |= {"sure": Cell(f"{doubted(v):>5}"), "language": Cell(labels.name(v.label))}
            doubts = doubts or not v.reliable
        table.row(cells)
    table.legend([LEGEND["~"]] if doubts else [])
