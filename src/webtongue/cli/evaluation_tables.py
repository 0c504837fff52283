"""Print the scores of ``webtongue evaluate`` as tables that fit the width of the terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from webtongue import labels
from webtongue.cli.console import Terminal
from webtongue.cli.streamed_table import Column, StreamedTable, Styled
from webtongue.lab.evaluate import Report, SetReport
from webtongue.lab.evaluate.measures import Share
from webtongue.lab.evaluate.scoring import Score
from webtongue.lab.evaluate.systems import OURS

__all__ = ["print_report"]

MAX_SCRIPTS = 10  # printed per set; JSON has all
# Columns of text, aligned to the left: the widths in cells to which they may be cut. Other columns are never cut.
TEXT_WIDTHS = {"system": (32, 60), "label": (24, 24), "language": (12, 40), "taken for": (20, 60)}


def print_report(terminal: Terminal, report: Report) -> None:
    """Print a table for each set with systems as rows, then accuracy by length, script and tier, and our worst labels."""
    for note in report.notes:
        terminal.write_wrapped(terminal.escape(note), "yellow")
    for set_report in report.sets:
        _print_main(terminal, set_report)
        _print_breakdown(terminal, set_report, "length", lambda score: score.by_length)
        _print_breakdown(terminal, set_report, "script", lambda score: score.by_script)
        _print_breakdown(terminal, set_report, "tier", lambda score: score.by_tier)
        for score in set_report.scores:
            if score.system == OURS or len(set_report.scores) == 1:
                _print_worst(terminal, score)


def _print_main(terminal: Terminal, set_report: SetReport) -> None:
    skipped = f", {set_report.skipped} rows without a label left out" if set_report.skipped else ""
    counts = f"{set_report.items} items, {set_report.labels} labels, {set_report.characters:.0f} characters on average"
    rows = [_format_score(score) for score in set_report.scores]
    _print_table(terminal, f"{set_report.name}: {counts}{skipped}", rows)


def _format_score(score: Score) -> dict[str, str]:
    """Return the cells of a system, the most important ones first."""
    calibration, speed, comparison = score.calibration, score.speed, score.beside_us
    cells = {
        "system": _name_system(score),
        "items": str(score.items),
        "accuracy": f"{score.accuracy.value:.2%}",
        "F1": f"{score.macro_f1:.4f}",
        "vs us": f"+{comparison.only_peer}/-{comparison.only_us} p={comparison.probability:.2g}" if comparison else "",
        "labels": str(score.labels),
        "accuracy 95%": f"{score.accuracy.low:.2%}-{score.accuracy.high:.2%}",
        "F1 95%": f"{score.macro_f1_low:.4f}-{score.macro_f1_high:.4f}",
        "groups": f"{score.groups.value:.2%}",
        "calls/s": f"{speed.calls_per_second:,.0f}" if speed else "",
        "und": f"{score.undecided / max(score.items, 1):.1%}",
        "F1 seen": f"{score.macro_f1_observed:.4f}",
        "MB/s": f"{speed.megabytes_per_second:.2f}" if speed else "",
    }
    errors = (calibration.overall, calibration.at_50_and_more, calibration.at_about_20) if calibration else (None,) * 3
    for name, error in zip(("ECE", "ECE 50+", "ECE 20"), errors, strict=True):
        cells[name] = "" if error is None else f"{error:.3f}"
    return cells


def _print_breakdown(
    terminal: Terminal, set_report: SetReport, name: str, pick: Callable[[Score], Mapping[str, Share]]
) -> None:
    """Print accuracy by length, script or tier, with systems as rows."""
    keys = list(dict.fromkeys(key for score in set_report.scores for key in pick(score)))[:MAX_SCRIPTS]
    if len(keys) < 2:
        return
    rows = []
    for score in set_report.scores:
        shares = pick(score)
        cells = {key: f"{shares[key].value:.1%}" if key in shares else "" for key in keys}
        rows.append({"system": _name_system(score), **cells})
    _print_table(terminal, f"{set_report.name}: accuracy by {name}", rows)


def _print_worst(terminal: Terminal, score: Score) -> None:
    rows = [
        {
            "label": row.label,
            "language": labels.name(row.label),
            "items": str(row.items),
            "precision": f"{row.precision:.3f}",
            "recall": f"{row.recall:.3f}",
            "F1": f"{row.f1:.3f}",
            "taken for": ", ".join(f"{c.answer} {c.count}" for c in row.taken_for),
        }
        for row in score.worst
    ]
    if not rows:
        return
    _print_table(terminal, f"worst labels of {score.system} ({score.mode})", rows)
    top = ", ".join(f"{c.gold}->{c.answer} {c.count}" for c in score.confusions)
    terminal.write_wrapped(terminal.escape(f"top confusions: {top or 'none'}"))
    terminal.write("")


def _name_system(score: Score) -> str:
    return score.system if score.mode == "open" else f"{score.system} ({score.mode})"


def _print_table(terminal: Terminal, title: str, rows: Sequence[Mapping[str, str]]) -> None:
    """Print rows with the same columns, the most important first; those that do not fit are named below the table.

    A column without a value in any row is left out.
    """
    escaped = [{name: terminal.escape(cell) for name, cell in row.items()} for row in rows]
    columns = []
    for name in rows[0]:
        width = max(len(row[name]) for row in escaped)
        if width:
            columns.append(_plan_column(name, terminal.escape(name), width))
    table = StreamedTable(columns, terminal)
    terminal.write_wrapped(terminal.escape(title), "bold")
    for row in escaped:
        style = "green" if row.get("system", "").split(" ")[0] == OURS else ""
        table.print_row({name: Styled(cell, style) for name, cell in row.items()})
    dropped = [column.heading for column in columns if column.name not in table.widths]
    if dropped:
        terminal.write_wrapped(f"not shown, for lack of width: {', '.join(dropped)}", "dim")
    terminal.write("")


def _plan_column(name: str, heading: str, width: int) -> Column:
    """Return a column for cells of ``width``."""
    width = max(width, len(heading))
    if name not in TEXT_WIDTHS:
        return Column(name, width, width, right=True, heading=heading)
    narrowest, widest = (min(width, limit) for limit in TEXT_WIDTHS[name])
    return Column(name, narrowest, widest, cut_middle=name == "system", heading=heading)
