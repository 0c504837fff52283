"""``webtongue compare``: compare two censuses."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webtongue.cli.console import Terminal
from webtongue.cli.options import TableOptions
from webtongue.errors import UsageError

if TYPE_CHECKING:
    from webtongue.census.compare import Change, Comparison

__all__ = ["command"]

HEADINGS = ("language", "share A", "share B", "growth", "95%", "pages A", "pages B", "chance")
DEFAULT_ROWS = 15
METHOD = (
    "growth is the share in B divided by that in A. Intervals and probabilities (chance) are computed over hosts, not pages; "
    "hosts in both censuses are compared with themselves. *: significant at a false discovery rate of {rate:.0%} "
    "(Benjamini, Hochberg)."
)


def command(
    first: Annotated[str, typer.Argument(metavar="A", help="The folder of the earlier census.")],
    second: Annotated[str, typer.Argument(metavar="B", help="The folder of the later census.")],
    *,
    table_options: TableOptions,
    top: Annotated[int, typer.Option(min=1, help="Languages of each list on the screen.")] = DEFAULT_ROWS,
    rate: Annotated[float, typer.Option(help="False discovery rate of the changes called significant.")] = 0.05,
) -> None:
    """Print which languages grew from one census to another, which appeared and which disappeared, with significance."""
    if not 0 < rate < 1:
        raise UsageError(f"a rate is above 0 and below 1, not {rate:g}")
    from webtongue.census.compare import Change, compare

    comparison = compare(Path(first), Path(second), rate)
    columns = [field.name for field in fields(Change)]
    rows = [[getattr(change, name) for name in columns] for change in comparison.changes]
    lines = table_options.format_rows(columns, rows)
    if lines is not None:
        sys.stdout.writelines(lines)
    else:
        _print_comparison(comparison, Terminal(), top, rate)


def _print_comparison(comparison: Comparison, terminal: Terminal, top: int, rate: float) -> None:
    hosts = f"{comparison.hosts:,} hosts, {comparison.hosts_of_both:,} of them in both"
    terminal.write(f"{comparison.pages_a:,} pages, then {comparison.pages_b:,}; {hosts}")
    lists = {
        "All languages": comparison.changes,
        "Growing": comparison.growing,
        "Shrinking": comparison.shrinking,
        "Newcomers": comparison.newcomers,
        "Leavers": comparison.leavers,
    }
    for title, changes in lists.items():
        if changes:
            terminal.write(f"\n{title} ({len(changes):,})", "bold")
            _print_changes(changes[:top], terminal)
    terminal.write_wrapped("\n" + METHOD.format(rate=rate), "dim")


def _print_changes(changes: Sequence[Change], terminal: Terminal) -> None:
    from webtongue.cli.formatting import print_rows

    rows = [
        (
            change.name, f"{change.share_a:.3%}", f"{change.share_b:.3%}", _format_ratio(change.share_growth),
            _format_interval(change.low, change.high), f"{change.pages_a:,}", f"{change.pages_b:,}",
            f"{change.chance:.3f}{'*' if change.beyond_chance else ' '}",
        )
        for change in changes
    ]  # fmt: skip
    print_rows(HEADINGS, rows, terminal, frozenset(HEADINGS[1:]))


def _format_ratio(ratio: float | None) -> str:
    return "" if ratio is None else f"x{ratio:.2f}" if ratio < 100 else f"x{ratio:.3g}"


def _format_interval(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return ""
    return f"{low:.2f}-{high:.2f}" if high < 1000 else f"{low:.2g}-{high:.2g}"
