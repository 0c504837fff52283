"""Print verdicts as a table that is readable on a narrow terminal and without colour."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from webtongue import labels
from webtongue.cli.sources import Item
from webtongue.cli.streamed_table import Column, PlainTerminal, StreamedTable, Styled, open_terminal
from webtongue.verdict import Verdict

if TYPE_CHECKING:
    from webtongue.cli.console import Terminal

__all__ = ["print_url_verdicts", "print_verdicts"]

# In order of importance: the first three fit 40 columns, five fit 60, six fit 80, seven fit 100, and all fit 120.
COLUMNS = (
    Column("page", 12, 48, growth=2, cut_middle=True),
    Column("label", 10, 10),
    Column("sure", 4, 4, right=True),
    Column("language", 14, 24, growth=2),
    Column("encoding", 12, 15),
    Column("declared", 9, 23, growth=2),
    Column("group", 8, 8),
    Column("also", 18, 40),
)
ORDER = ("page", "label", "language", "sure", "group", "encoding", "declared", "also")
MAX_UNRELIABLE = 0.99  # a confidence that is shown with a mark, in four cells
URL_COLUMNS = (
    Column("url", 20, 60, growth=2, cut_middle=True),
    Column("label", 8, 8),
    Column("sure", 4, 4, right=True),
    Column("language", 16, 24),
)
UNRELIABLE, CONTRADICTED = "~", "!"  # marks that are visible without colour
MIN_ENCODING_CONFIDENCE = 0.5  # an encoding with less confidence is marked as a guess
MARKED_COLUMNS = {"declared": CONTRADICTED, "group": "group"}  # marks that appear in one column only
MAX_WHYS = 5  # different sentences below a table that say why answers are not reliable; --explain and --json have all
LEGEND = {
    UNRELIABLE: f"{UNRELIABLE} not reliable",
    "group": "hbs 99%: confidence in the group of similar languages",
    "+": "+1: number of further languages",
    CONTRADICTED: f"{CONTRADICTED} declared, but the page is different",
}


def print_verdicts(answers: Iterable[tuple[Item, Verdict]]) -> None:
    """Print the verdicts on pages as they come, and below them the meaning of the marks that were used."""
    terminal = open_terminal()
    table = StreamedTable(COLUMNS, terminal, ORDER)
    marks: set[str] = set()
    whys: dict[str, int] = {}
    for item, verdict in answers:
        cells: dict[str, str] = {"page": terminal.escape(item.name)}
        if verdict.reason:
            table.print_row(cells | {"label": _format_label(verdict)}, rest=terminal.escape(verdict.why))
        else:
            table.print_row(cells | _format_cells(verdict, terminal, marks))
            _count_why(verdict, whys)
    marks -= {mark for column, mark in MARKED_COLUMNS.items() if column not in table.widths}
    _print_legend(terminal, marks, whys)


def print_url_verdicts(answers: Iterable[tuple[Item, Verdict]]) -> None:
    """Print the verdicts on URLs as they come."""
    terminal = open_terminal()
    table = StreamedTable(URL_COLUMNS, terminal)
    marks: set[str] = set()
    whys: dict[str, int] = {}
    for item, v in answers:
        cells: dict[str, str] = {"url": terminal.escape(item.name), "label": _format_label(v)}
        if v.reason:
            table.print_row(cells, rest=terminal.escape(v.why))
            continue
        table.print_row(cells | {"sure": _format_confidence(v), "language": labels.name(v.label)})
        if not v.reliable:
            marks.add(UNRELIABLE)
            _count_why(v, whys)
    _print_legend(terminal, marks, whys)


def _count_why(v: Verdict, whys: dict[str, int]) -> None:
    """Count the sentence that says why an answer is not reliable."""
    if not v.reliable and v.why and (v.why in whys or len(whys) < MAX_WHYS):
        whys[v.why] = whys.get(v.why, 0) + 1


def _print_legend(terminal: Terminal | PlainTerminal, marks: set[str], whys: dict[str, int]) -> None:
    entries = [text for mark, text in LEGEND.items() if mark in marks]
    if UNRELIABLE in marks and whys:
        reasons = "; ".join(f"{why} ({count} times)" if count > 1 else why for why, count in whys.items())
        entries[0] = f"{LEGEND[UNRELIABLE]}: {terminal.escape(reasons)}"
    if entries:
        terminal.write_wrapped("\n" + "\n".join(entries))


def _format_cells(v: Verdict, terminal: Terminal | PlainTerminal, marks: set[str]) -> dict[str, str]:
    """Return the cells of a page that has a language, and add the marks that they use to ``marks``."""
    others = [f"{name} {share:.0%}" for name, share in v.languages if name != v.label]
    is_guess = bool(v.encoding) and v.encoding_confidence < MIN_ENCODING_CONFIDENCE
    declared = _format_declared(v)
    group = _format_group(v)
    used = {
        UNRELIABLE: is_guess or not v.reliable,
        "group": group,
        "+": others,
        CONTRADICTED: CONTRADICTED in declared,
    }
    marks.update(mark for mark, is_used in used.items() if is_used)
    return {
        "label": _format_label(v, f"+{len(others)}" if others else ""),
        "language": labels.name(v.label),
        "sure": Styled(_format_confidence(v), "" if v.reliable else "yellow"),
        "group": group,
        "encoding": (UNRELIABLE if is_guess else "") + v.encoding,
        "declared": Styled(terminal.escape(declared), "red" if CONTRADICTED in declared else "dim"),
        "also": ", ".join(others),
    }


def _format_label(v: Verdict, suffix: str = "") -> Styled:
    """Return the label, in green if it is reliable."""
    return Styled(v.label + suffix, "yellow" if v.reason else "green" if v.reliable else "")


def _format_confidence(v: Verdict) -> str:
    return f"{v.confidence:.0%}" if v.reliable else f"{UNRELIABLE}{min(v.confidence, MAX_UNRELIABLE):.0%}"


def _format_group(v: Verdict) -> str:
    """Return the group of similar languages and its confidence, or nothing if that equals the label's confidence."""
    confidence = f"{v.group_confidence:.0%}"
    return f"{v.group} {confidence}" if v.group and confidence != f"{v.confidence:.0%}" else ""


def _format_declared(v: Verdict) -> str:
    """Return the declared language and encoding, marked if the page is different.

    An encoding that is true is left out beside a language: the column before has it.
    """
    values = [_mark(v.declared_language, v.agrees)] if v.declared_language else []
    if v.declared_encoding and not (values and v.encoding_agrees):
        values.append(_mark(v.declared_encoding, v.encoding_agrees))
    return " ".join(values)


def _mark(value: str, agrees: bool | None) -> str:
    return (CONTRADICTED if agrees is False else "") + value
