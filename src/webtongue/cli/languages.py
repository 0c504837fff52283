"""``webtongue languages``: what can be answered."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from webtongue import labels
from webtongue.cli.exits import UNREAD, Ended
from webtongue.cli.terminal import json_line, screen
from webtongue.identifier import Identifier

__all__ = ["command"]


def command(
    wanted: Annotated[
        str, typer.Argument(metavar="[TEXT]", help="Only those with this in their name, or with this code or script.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each label.")] = False,
) -> None:
    """List the languages that can be answered.

    A label of tier 1 learnt from much modern text, of 2 from some, of 3 from hardly any beside scripture. Labels of a
    group look alike.
    """
    rows = [row for row in _rows() if _matches(row, wanted.strip().lower())]
    if not rows:
        raise Ended(UNREAD, f"no language has {wanted!r} in its name, and none that code")
    if as_json:
        sys.stdout.writelines(json_line(row) for row in rows)
        return
    from webtongue.cli.table import Cell, Column, Table

    columns = (
        Column("label", 8, 8), Column("name", 16, 44, grow=2), Column("tag", 8, 12), Column("tier", 4, 4, right=True),
        Column("group", 5, 5), Column("script", 6, 6),
    )  # fmt: skip
    where = screen()
    table = Table(columns, where, ("label", "tag", "name", "script", "tier", "group"))
    for row in rows:
        cells = {"label": row["label"], "tag": row["language"], "name": where.shown(row["name"])}
        cells |= {"script": row["script"], "tier": str(row["tier"]), "group": row["group"]}
        table.row({name: Cell(text) for name, text in cells.items()})


def _rows() -> list[dict[str, Any]]:
    return [
        {
            "label": label,
            "language": labels.bcp47(label),
            "name": labels.name(label),
            "script": label.partition("_")[2],
            "tier": tier,
            "group": labels.group(label) or "",
        }
        for label, tier in sorted(Identifier().tiers.items())
    ]


def _matches(row: dict[str, Any], wanted: str) -> bool:
    codes = (row["label"], row["label"].partition("_")[0], row["language"], row["script"], row["group"])
    return wanted in row["name"].lower() or wanted in map(str.lower, codes)
