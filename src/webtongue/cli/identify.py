"""``webtongue identify``: what pages are in."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from webtongue import coding, labels, markup
from webtongue.cli.methods import by_method
from webtongue.cli.sources import Named, pages
from webtongue.errors import UsageError
from webtongue.identifier import Identifier
from webtongue.verdict import Verdict

__all__ = ["command"]

SHOWN_BLOCKS = 12  # of a page's blocks, in --explain
SHOWN_CHARACTERS = 70
PIPED_WIDTH = 160
SPECIAL = ("und", "zxx", "mul")


def command(
    paths: Annotated[list[str], typer.Argument(metavar="FILE|DIR|-", help="Pages; - is standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each page.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show declarations, blocks and what decided.")] = False,
    url: Annotated[str | None, typer.Option(help="The address the page came from.")] = None,
    header: Annotated[list[str] | None, typer.Option(help="A response header, 'Name: value'; repeatable.")] = None,
    priors: Annotated[str, typer.Option(help="web: rare languages are rare; uniform: all alike.")] = "web",
    languages: Annotated[str | None, typer.Option(help="Answer only these, such as 'da,nb,sv'.")] = None,
    model: Annotated[str | None, typer.Option(help="A model file of your own.")] = None,
    method: Annotated[str | None, typer.Option(help="A published method, such as nfc, in place of ours.")] = None,
    changes: Annotated[list[str] | None, typer.Option("--set", help="A setting of the method, name=value.")] = None,
) -> None:
    """Say what pages are in: language, script, encoding, and how sure."""
    named_pages = pages(paths, url, _headers(header or []))
    if method is not None:
        if languages or priors != "web" or explain:
            raise UsageError("--priors, --languages and --explain are of our own model, not of a published method")
        by_method(_console(), named_pages, method, model, changes or [], as_json)
        return
    ident = Identifier(priors, languages.split(",") if languages else None, model)
    found = ((named, ident.identify_page(named.page)) for named in named_pages)
    if as_json:
        for named, verdict in found:
            sys.stdout.write(json.dumps({"file": named.name, **verdict.to_dict()}, ensure_ascii=False) + "\n")
    elif explain:
        for named, verdict in found:
            _explain(_console(), named, verdict)
    else:
        _table(_console(), list(found))


def _console() -> Console:
    """As wide as the terminal; wide enough for every column where there is none."""
    return Console() if sys.stdout.isatty() else Console(width=PIPED_WIDTH)


def _headers(lines: list[str]) -> dict[str, str]:
    out = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon:
            raise UsageError(f"a header is 'Name: value', not {line!r}")
        out[name.strip()] = value.strip()
    return out


def _table(console: Console, rows: list[tuple[Named, Verdict]]) -> None:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("page", "label", "language"):
        table.add_column(heading, no_wrap=True)
    table.add_column("sure", justify="right")
    for heading in ("encoding", "declared", "why not"):
        table.add_column(heading, overflow="fold" if heading == "why not" else "ellipsis")
    for named, v in rows:
        table.add_row(
            named.name,
            Text(v.label, style="yellow" if v.label in SPECIAL else "green" if v.reliable else ""),
            "" if v.label in SPECIAL else labels.name(v.label),
            f"{v.confidence:.0%}" if v.confidence else "",
            v.encoding + ("" if v.encoding_confidence >= 0.5 or not v.encoding else "?"),
            _declared(v),
            v.why,
        )
    console.print(table)


def _declared(v: Verdict) -> Text:
    """What was declared, in red where the bytes say otherwise."""
    out = Text(v.declared_language, style="red" if v.agrees is False else "")
    if v.declared_encoding:
        out.append(" " if out else "")
        out.append(v.declared_encoding, style="red" if v.encoding_agrees is False else "dim")
    return out


def _explain(console: Console, named: Named, v: Verdict) -> None:
    console.print(Text(named.name, style="bold"))
    sure = f" ({v.confidence:.1%}{', reliable' if v.reliable else ''})" if v.confidence else ""
    console.print(Text(f"  {v.label}  {labels.name(v.label)}{sure}" + (f": {v.why}" if v.why else "")))
    evidence = Table(box=None, header_style="bold", title="evidence", title_justify="left", padding=(0, 2))
    for heading in ("source", "says", "label", "weight"):
        evidence.add_column(heading, overflow="fold")
    for e in v.evidence:
        evidence.add_row(e.source, Text(e.value), e.label, f"{e.weight:.2f}" if e.weight else "")
    console.print(evidence)
    if len(v.segments) > 1:
        _segments(console, v)
    _blocks(console, coding.decode(markup.read(named.page))[0])
    console.print()


def _segments(console: Console, v: Verdict) -> None:
    table = Table(box=None, header_style="bold", title="segments", title_justify="left", padding=(0, 2))
    for heading in ("bytes", "label", "share"):
        table.add_column(heading)
    for s in v.segments[:SHOWN_BLOCKS]:
        table.add_row(f"{s.begin}-{s.end}", s.label, f"{s.share:.0%}")
    console.print(table)


def _blocks(console: Console, scanned: markup.Markup) -> None:
    blocks = scanned.blocks
    if not blocks:
        return
    table = Table(box=None, header_style="bold", title="blocks", title_justify="left", padding=(0, 2))
    for heading in ("bytes", "kind", "lang", "noise", "text"):
        table.add_column(heading, no_wrap=heading != "text")
    for b in blocks[:SHOWN_BLOCKS]:
        cut = b.text[:SHOWN_CHARACTERS] + ("…" if len(b.text) > SHOWN_CHARACTERS else "")
        table.add_row(f"{b.begin}-{b.end}", b.kind, b.lang, ", ".join(b.noise), Text(cut))
    if len(blocks) > SHOWN_BLOCKS:
        table.add_row("", "", "", "", Text(f"and {len(blocks) - SHOWN_BLOCKS} more", style="dim"))
    console.print(table)
