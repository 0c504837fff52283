"""``webtongue decode``: pages as text in UTF-8, whatever encoding they are in."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from webtongue import Decoded, Identifier, coding, markup
from webtongue.cli.sources import Named, pages
from webtongue.coding.source import decode_source
from webtongue.hints.declared import declared_encoding
from webtongue.text import TextReader

__all__ = ["command"]


def command(
    paths: Annotated[list[str], typer.Argument(metavar="FILE|DIR|-", help="Pages; - is standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each page, with its text.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="What each page is in and why, instead of its text.")
    ] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Put text right that was read in a wrong encoding before.")
    ] = False,
) -> None:
    """Write pages as UTF-8."""
    reader = Identifier().reader
    for named in pages(paths):
        if explain:
            _explain(Console(), named, reader)
            continue
        found = decode_source(named.page, reader)
        if as_json:
            sys.stdout.write(json.dumps(_row(named, found), ensure_ascii=False) + "\n")
        else:
            text = found.repaired if repair and found.repaired else found.text
            sys.stdout.buffer.write(text.encode("utf-8", "replace"))
            sys.stdout.buffer.flush()


def _row(named: Named, found: Decoded) -> dict[str, object]:
    row: dict[str, object] = {
        "file": named.name, "encoding": found.encoding, "confidence": round(found.confidence, 6), "text": found.text,
    }  # fmt: skip
    return {**row, "repaired": found.repaired} if found.repaired else row


def _explain(console: Console, named: Named, reader: TextReader) -> None:
    scanned, decoding = coding.decode(markup.read(named.page), reader)
    console.print(Text(named.name, style="bold"))
    if not decoding.encoding:
        console.print(Text(f"  no text: {scanned.why}"))
        return
    console.print(Text(f"  {decoding.encoding}  {decoding.confidence:.1%}: {decoding.how}"))
    for name, chance in decoding.others:
        console.print(Text(f"  or {name} {chance:.2%}", style="dim"))
    declared = declared_encoding(scanned).best
    console.print(Text(f"  declared: {declared or 'nothing'}"))
