"""``webtongue compare``: compare two censuses."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated

from webtongue.cli.console import Terminal
from webtongue.cli.options import TableOptions
from webtongue.cli.parameters import Argument, Option
from webtongue.cli.terminal import print_stderr
from webtongue.errors import UsageError

if TYPE_CHECKING:
    from webtongue.census.compare import Change, Comparison

__all__ = ["command"]

NAMES = {"languages": "language", "countries": "country", "places": "language, country", "servers": "country"}
HEADINGS = ("share A", "share B", "growth", "95%", "pages A", "pages B", "chance")
LISTS = ("Growing", "Shrinking", "Newcomers", "Leavers")  # properties of a Comparison
DEFAULT_ROWS = 15
METHOD = (
    "growth is the share in B divided by that in A. Intervals and probabilities (chance) are computed over hosts, not pages; "
    "hosts in both censuses are compared with themselves. *: significant at a false discovery rate of {rate:.0%} "
    "(Benjamini, Hochberg)."
)


def command(
    first: Annotated[str, Argument(metavar="A", help="The folder or URL of the earlier census.")],
    second: Annotated[str, Argument(metavar="B", help="The folder or URL of the later census.")],
    *,
    table_options: TableOptions,
    top: Annotated[int, Option(min=1, help="Languages of each list on the screen.")] = DEFAULT_ROWS,
    rate: Annotated[float, Option(help="False discovery rate of the changes called significant.")] = 0.05,
    by: Annotated[
        str,
        Option(help="Compare languages, countries (of pages), places (languages in countries), or servers."),
    ] = "languages",
) -> None:
    """Print which languages grew from one census to another, which appeared and which disappeared, with significance."""
    if not 0 < rate < 1:
        raise UsageError(f"a rate is above 0 and below 1, not {rate:g}")
    from webtongue.census.compare import Change, compare
    from webtongue.census.mirror import local_census

    with local_census(first) as a, local_census(second) as b:
        comparison = compare(a, b, rate, by)
    for warning in comparison.warnings:
        print_stderr(warning)
    columns = [field.name for field in fields(Change)]
    rows = [[getattr(change, name) for name in columns] for change in comparison.changes]
    lines = table_options.format_rows(columns, rows)
    if lines is not None:
        sys.stdout.writelines(lines)
    else:
        _print_comparison(comparison, Terminal(), top, rate, by)


def _print_comparison(comparison: Comparison, terminal: Terminal, top: int, rate: float, by: str) -> None:
    if by != "servers":
        terminal.write(f"{comparison.pages_a:,} pages, then {comparison.pages_b:,}")
        terminal.write(f"{comparison.languages_a:,} languages, then {comparison.languages_b:,}")
        both = f"{comparison.hosts_of_both:,} of them in both"
        terminal.write(f"{comparison.hosts_a:,} hosts, then {comparison.hosts_b:,}, {both}")
    if comparison.servers_a and comparison.servers_b:
        growth = _format_ratio(comparison.servers_b / comparison.servers_a)
        both = f"{comparison.servers_of_both:,} of them in both"
        terminal.write(f"{comparison.servers_a:,} servers, then {comparison.servers_b:,} ({growth}), {both}")
    lists = {f"All {by}" if by != "servers" else "All countries": comparison.changes}
    lists |= {title: getattr(comparison, title.lower()) for title in LISTS}
    for title, changes in lists.items():
        if changes:
            rows = f"{len(changes):,}" if title in LISTS else f"{min(top, len(changes)):,} of {len(changes):,} rows"
            terminal.write(f"\n{title} ({rows})", "bold")
            _print_changes(changes[:top], terminal, by, comparison)
    text = METHOD.format(rate=rate)
    terminal.write_wrapped("\n" + (text.replace("hosts", "servers") if by == "servers" else text), "dim")


def _print_changes(changes: Sequence[Change], terminal: Terminal, by: str, comparison: Comparison) -> None:
    from webtongue.census.shares import format_share
    from webtongue.cli.formatting import print_rows

    a, b = comparison.pages_a, comparison.pages_b
    if by == "servers":
        a, b = comparison.servers_a, comparison.servers_b
    rows = [
        (
            change.name, format_share(change.share_a, a), format_share(change.share_b, b), _format_ratio(change.share_growth),
            _format_interval(change.low, change.high), f"{change.pages_a:,}", f"{change.pages_b:,}",
            f"{change.chance:.3f}{'*' if change.beyond_chance else ' '}",
        )
        for change in changes
    ]  # fmt: skip
    headings = (
        NAMES[by],
        *(heading.replace("pages", "servers") if by == "servers" else heading for heading in HEADINGS),
    )
    print_rows(headings, rows, terminal, frozenset(headings[1:]))


def _format_ratio(ratio: float | None) -> str:
    return "" if ratio is None else f"x{ratio:.2f}" if ratio < 100 else f"x{ratio:.3g}"


def _format_interval(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return ""
    return f"{low:.2f}-{high:.2f}" if high < 1000 else f"{low:.2g}-{high:.2g}"
