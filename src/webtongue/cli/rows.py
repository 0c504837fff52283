"""Verdicts as rows of a table that reads well on a narrow terminal, and without colour."""

from __future__ import annotations

from collections.abc import Iterable

from webtongue import labels
from webtongue.cli.sources import Item
from webtongue.cli.table import Cell, Column, Table
from webtongue.cli.terminal import Screen, screen
from webtongue.verdict import Verdict

__all__ = ["doubted", "group_of", "label_cell", "mark", "table"]

# By importance: at 60 columns the first four are shown, at 80 five, at 100 six, from 120 on all.
COLUMNS = (
    Column("page", 12, 48, grow=2, middle=True),
    Column("label", 10, 10),
    Column("sure", 13, 13),
    Column("encoding", 13, 15),
    Column("declared", 9, 23, grow=2),
    Column("language", 16, 24),
    Column("also", 18, 40),
)
ORDER = ("page", "label", "language", "sure", "encoding", "declared", "also")
DOUBT, OTHERWISE = "~", "!"  # marks, since colour is not seen by everyone
GUESSED = 0.5  # confidence in an encoding below which it is a guess
LEGEND = {
    DOUBT: f"{DOUBT} not to be relied on",
    "group": "hbs 99%: how sure its group of look-alikes is",
    "+": "+1: further languages",
    OTHERWISE: f"{OTHERWISE} declared, but not what was found",
}


def table(answers: Iterable[tuple[Item, Verdict]]) -> None:
    """Print Verdicts as they come, and below them what the marks mean that were used."""
    where = screen()
    printed = Table(COLUMNS, where, ORDER)
    marks: set[str] = set()
    for item, verdict in answers:
        printed.row(_cells(item, verdict, where, marks))
    hidden = OTHERWISE if "declared" not in printed.shown else ""
    printed.legend(text for mark, text in LEGEND.items() if mark in marks and mark != hidden)


def _cells(item: Item, v: Verdict, where: Screen, marks: set[str]) -> dict[str, Cell]:
    page = Cell(where.shown(item.name))
    if v.reason:  # no language: a sentence takes the rest of the row
        why = Cell(where.shown(v.why), spans=True)
        return {"page": page, "label": label_cell(v), "language": why, "sure": why}
    others = [f"{name} {share:.0%}" for name, share in v.languages if name != v.label]
    doubt = DOUBT if v.encoding and v.encoding_confidence < GUESSED else ""
    declared = _declared(v)
    group = group_of(v)
    used = {DOUBT: doubt or not v.reliable, "group": group, "+": others, OTHERWISE: OTHERWISE in declared}
    marks.update(name for name, is_used in used.items() if is_used)
    return {
        "page": page,
        "label": label_cell(v, f"+{len(others)}" if others else ""),
        "language": Cell(labels.name(v.label)),
        "sure": Cell(f"{doubted(v):>4}{' ' if group else ''}{group}", "" if v.reliable else "yellow"),
        "encoding": Cell(doubt + v.encoding),
        "declared": Cell(where.shown(declared), "red" if OTHERWISE in declared else "dim"),
        "also": Cell(", ".join(others)),
    }


def label_cell(v: Verdict, more: str = "") -> Cell:
    """The label; green where it can be relied on."""
    return Cell(v.label + more, "yellow" if v.reason else "green" if v.reliable else "")


def doubted(v: Verdict) -> str:
    """How sure a label is, marked where it is not to be relied on."""
    return ("" if v.reliable else DOUBT) + f"{v.confidence:.0%}"


def group_of(v: Verdict) -> str:
    """The look-alikes that a label is one of and how sure they are, where that says more than the label."""
    sure = f"{v.group_confidence:.0%}"
    return f"{v.group} {sure}" if v.group and sure != f"{v.confidence:.0%}" else ""


def _declared(v: Verdict) -> str:
    """What is declared, marked where it is not what was found; an encoding that was found stands beside already."""
    said = [mark(v.declared_language, v.agrees)] if v.declared_language else []
    if v.declared_encoding and not (said and v.encoding_agrees):
        said.append(mark(v.declared_encoding, v.encoding_agrees))
    return " ".join(said)


def mark(value: str, agrees: bool | None) -> str:
    """A declared value, marked where it is not what was found."""
    return (OTHERWISE if agrees is False else "") + value
