"""``webtongue languages``: list the languages that can be identified."""

from __future__ import annotations

import sys
from typing import Annotated, Any

from webtongue import labels
from webtongue.cli.errors import EXIT_FAILED, CommandExit
from webtongue.cli.parameters import Argument, Option
from webtongue.cli.terminal import format_json_line
from webtongue.identifier import Identifier

__all__ = ["command"]


def command(
    query: Annotated[
        str,
        Argument(metavar="[TEXT]", help="Only languages with this in their name, or with this code or script."),
    ] = "",
    as_json: Annotated[bool, Option("--json", help="Print a line of JSON for each label.")] = False,
) -> None:
    """List the languages that can be identified.

    Labels of tier 1 are trained on much modern text, of tier 2 on some, of tier 3 on little beside scripture. Labels of a
    group are similar.
    """
    rows = [row for row in _list_labels() if _matches(row, query.strip().lower())]
    if not rows:
        raise CommandExit(EXIT_FAILED, f"no language has {query!r} in its name, or as its code")
    if as_json:
        sys.stdout.writelines(format_json_line(row) for row in rows)
        return
    from webtongue.cli.streamed_table import Column, StreamedTable, open_terminal

    columns = (
        Column("label", 8, 8), Column("name", 16, 44, growth=2), Column("language", 8, 12, heading="tag"),
        Column("tier", 4, 4, right=True), Column("group", 5, 5), Column("script", 6, 6),
    )  # fmt: skip
    terminal = open_terminal()
    table = StreamedTable(columns, terminal, ("label", "language", "name", "script", "tier", "group"))
    for row in rows:
        table.print_row({name: terminal.escape(str(value)) for name, value in row.items()})


def _list_labels() -> list[dict[str, Any]]:
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


def _matches(row: dict[str, Any], query: str) -> bool:
    codes = (row["label"], row["label"].partition("_")[0], row["language"], row["script"], row["group"])
    return query in row["name"].lower() or query in map(str.lower, codes)
