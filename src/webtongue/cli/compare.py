"""``webtongue compare``: two censuses beside each other."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webtongue.cli.terminal import Screen, screen
from webtongue.errors import UsageError

if TYPE_CHECKING:
    from webtongue.census.compare import Change, Comparison

__all__ = ["command"]

HEADINGS = ("language", "share A", "share B", "growth", "95%", "pages A", "pages B", "chance")
TOP = 15
METHOD = (
    "growth is of shares, B to A. Intervals and chance count hosts, not pages, as what was sampled; hosts of both censuses "
    "are compared with themselves. *: more than chance, and of such no more than {rate:.0%} are not (Benjamini, Hochberg)."
)


def command(
    first: Annotated[str, typer.Argument(metavar="A", help="The folder of the earlier census.")],
    second: Annotated[str, typer.Argument(metavar="B", help="The folder of the later one.")],
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each language.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV, a row for each language.")] = False,
    top: Annotated[int, typer.Option(min=1, help="Languages of each list on the screen.")] = TOP,
    rate: Annotated[float, typer.Option(help="Of changes called more than chance, the share that may not be.")] = 0.05,
) -> None:
    """Say which languages grew from one census to another, which are new and which gone, and what of that is chance."""
    if as_json and as_csv:
        raise UsageError("--json and --csv are two ways to print: choose one")
    if not 0 < rate < 1:
        raise UsageError(f"a rate is above 0 and below 1, not {rate:g}")
    from webtongue.census.compare import Change, compare
    from webtongue.cli.cells import csv_lines, json_lines

    found = compare(Path(first), Path(second), rate)
    if as_json or as_csv:
        columns = [field.name for field in fields(Change)]
        rows = [[getattr(one, name) for name in columns] for one in found.changes]
        sys.stdout.writelines(json_lines(columns, rows) if as_json else csv_lines(columns, rows))
        return
    _print(found, screen(), top, rate)


def _print(found: Comparison, where: Screen, top: int, rate: float) -> None:
    import textwrap

    said = f"{found.pages_a:,} pages, then {found.pages_b:,}; {found.hosts:,} hosts, {found.hosts_of_both:,} of them in both"
    sys.stdout.write(said + "\n")
    lists = {
        "All languages": found.changes,
        "Growing": found.growing,
        "Shrinking": found.shrinking,
        "Newcomers": found.newcomers,
        "Leavers": found.leavers,
    }
    for title, changes in lists.items():
        if changes:
            sys.stdout.write("\n" + where.styled(f"{title} ({len(changes):,})", "bold") + "\n")
            _table(changes[:top], where)
    sys.stdout.write("\n")
    for line in textwrap.wrap(METHOD.format(rate=rate), where.width or 160):
        sys.stdout.write(where.styled(line, "dim") + "\n")


def _table(changes: Sequence[Change], where: Screen) -> None:
    from webtongue.cli.cells import print_rows

    rows = [
        (
            one.name, f"{one.share_a:.3%}", f"{one.share_b:.3%}", _times(one.share_growth), _span(one.low, one.high),
            f"{one.pages_a:,}", f"{one.pages_b:,}", f"{one.chance:.3f}{'*' if one.beyond_chance else ' '}",
        )
        for one in changes
    ]  # fmt: skip
    print_rows(HEADINGS, rows, where, frozenset(HEADINGS[1:]))


def _times(ratio: float | None) -> str:
    return "" if ratio is None else f"x{ratio:.2f}" if ratio < 100 else f"x{ratio:.3g}"


def _span(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{low:.2f}-{high:.2f}" if high < 1000 else f"{low:.2g}-{high:.2g}"
