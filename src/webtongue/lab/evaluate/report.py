"""Print scores as tables, and write them as JSON and CSV."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from webtongue import labels
from webtongue.lab.evaluate import Report, SetReport
from webtongue.lab.evaluate.measures import Share
from webtongue.lab.evaluate.scoring import Score
from webtongue.lab.evaluate.systems import OURS

__all__ = ["make_rows", "print_report", "to_dict", "write_csv", "write_json"]

MAX_SCRIPTS = 10  # printed per set; JSON has all
HEADINGS = "accuracy", "groups", "F1", "F1 seen", "und", "ECE", "ECE 50+", "ECE 20", "calls/s", "MB/s", "vs us"


def print_report(console: Console, report: Report) -> None:
    """Print a table for each set with systems as rows, then accuracy by length, script and tier, and our worst labels."""
    for note in report.notes:
        console.print(f"[yellow]{note}", highlight=False)
    for set_report in report.sets:
        _print_main(console, set_report)
        _print_breakdown(console, set_report, "length", lambda score: score.by_length)
        _print_breakdown(console, set_report, "script", lambda score: score.by_script)
        _print_breakdown(console, set_report, "tier", lambda score: score.by_tier)
        for score in set_report.scores:
            if score.system == OURS or len(set_report.scores) == 1:
                _print_worst(console, score)


def _print_main(console: Console, set_report: SetReport) -> None:
    skipped = f", {set_report.skipped} rows without a label left out" if set_report.skipped else ""
    counts = f"{set_report.items} items, {set_report.labels} labels, {set_report.characters:.0f} characters on average"
    title = f"{set_report.name}: {counts}{skipped}"
    table = Table(title=title, title_justify="left", title_style="bold", header_style="bold", box=None)
    for heading in ("system", "items", "labels", *HEADINGS):
        table.add_column(heading, justify="left" if heading == "system" else "right", no_wrap=True)
    for score in set_report.scores:
        table.add_row(*_format_cells(score), style="green" if score.system == OURS else "")
    console.print(table)
    console.print()


def _format_cells(score: Score) -> list[str]:
    calibration, speed, comparison = score.calibration, score.speed, score.beside_us
    errors = (
        (calibration.overall, calibration.at_50_and_more, calibration.at_about_20)
        if calibration
        else (None, None, None)
    )
    return [
        score.system if score.mode == "open" else f"{score.system} ({score.mode})",
        str(score.items),
        str(score.labels),
        f"{score.accuracy.value:.2%} [dim]{score.accuracy.low:.2%}-{score.accuracy.high:.2%}[/]",
        f"{score.groups.value:.2%}",
        f"{score.macro_f1:.4f} [dim]{score.macro_f1_low:.4f}-{score.macro_f1_high:.4f}[/]",
        f"{score.macro_f1_observed:.4f}",
        f"{score.undecided / max(score.items, 1):.1%}",
        *("" if error is None else f"{error:.3f}" for error in errors),
        f"{speed.calls_per_second:,.0f}" if speed else "",
        f"{speed.megabytes_per_second:.2f}" if speed else "",
        f"+{comparison.only_peer}/-{comparison.only_us} p={comparison.probability:.2g}" if comparison else "",
    ]


def _print_breakdown(console: Console, set_report: SetReport, name: str, pick: Any) -> None:
    """Print accuracy by length, script or tier, with systems as rows."""
    keys = list(dict.fromkeys(key for score in set_report.scores for key in pick(score)))[:MAX_SCRIPTS]
    if len(keys) < 2:
        return
    table = Table(title=f"{set_report.name}: accuracy by {name}", title_justify="left", header_style="bold", box=None)
    table.add_column("system", no_wrap=True)
    for key in keys:
        table.add_column(key, justify="right", no_wrap=True)
    for score in set_report.scores:
        shares: Mapping[str, Share] = pick(score)
        system = score.system if score.mode == "open" else f"{score.system} ({score.mode})"
        table.add_row(system, *(f"{shares[key].value:.1%}" if key in shares else "" for key in keys))
    console.print(table)
    console.print()


def _print_worst(console: Console, score: Score) -> None:
    table = Table(
        title=f"worst labels of {score.system} ({score.mode})", title_justify="left", header_style="bold", box=None
    )
    for heading in ("label", "language", "items", "precision", "recall", "F1", "taken for"):
        table.add_column(heading, justify="right" if heading in ("items", "precision", "recall", "F1") else "left")
    for row in score.worst:
        taken = ", ".join(f"{c.answer} {c.count}" for c in row.taken_for)
        figures = (f"{row.precision:.3f}", f"{row.recall:.3f}", f"{row.f1:.3f}")
        table.add_row(row.label, labels.name(row.label), str(row.items), *figures, taken)
    console.print(table)
    top = ", ".join(f"{c.gold}->{c.answer} {c.count}" for c in score.confusions)
    console.print(f"[bold]top confusions[/] {top or 'none'}\n", highlight=False)


def to_dict(report: Report) -> dict[str, Any]:
    """Return the report as JSON values; shares have their value and interval."""
    report_dict: dict[str, Any] = _to_plain(asdict(report))
    for set_report, set_dict in zip(report.sets, report_dict["sets"], strict=True):
        for score, score_dict in zip(set_report.scores, set_dict["scores"], strict=True):
            score_dict["accuracy"], score_dict["groups"] = _share_to_dict(score.accuracy), _share_to_dict(score.groups)
            for name in ("by_length", "by_script", "by_tier"):
                score_dict[name] = {key: _share_to_dict(share) for key, share in getattr(score, name).items()}
    return report_dict


def _share_to_dict(share: Share) -> dict[str, float]:
    ends = {"value": share.value, "low": share.low, "high": share.high}
    return {"right": share.right, "of": share.of, **{name: round(end, 6) for name, end in ends.items()}}


def _to_plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _to_plain(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_to_plain(member) for member in value]
    return round(value, 6) if isinstance(value, float) else str(value) if isinstance(value, Path) else value


def make_rows(report: Report) -> list[dict[str, Any]]:
    """Return a flat row for each set and system."""
    table = []
    for set_report in report.sets:
        for score in set_report.scores:
            table.append(
                {
                    "set": set_report.name,
                    "system": score.system,
                    "mode": score.mode,
                    "items": score.items,
                    "labels": score.labels,
                    "accuracy": round(score.accuracy.value, 6),
                    "accuracy_low": round(score.accuracy.low, 6),
                    "accuracy_high": round(score.accuracy.high, 6),
                    "groups": round(score.groups.value, 6),
                    "macro_f1": round(score.macro_f1, 6),
                    "macro_f1_observed": round(score.macro_f1_observed, 6),
                    "calibration_error": round(score.calibration.overall, 6) if score.calibration else "",
                    "calls_per_second": round(score.speed.calls_per_second, 1) if score.speed else "",
                    "megabytes_per_second": round(score.speed.megabytes_per_second, 3) if score.speed else "",
                    "mcnemar": round(score.beside_us.probability, 6) if score.beside_us else "",
                }
            )
    return table


def write_json(report: Report, path: Path) -> None:
    """Write the report as one JSON document."""
    path.write_text(json.dumps(to_dict(report), ensure_ascii=False, indent=1) + "\n", "utf-8")


def write_csv(report: Report, path: Path) -> None:
    """Write the main table as CSV, one row per set and system."""
    table = make_rows(report)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(table[0]) if table else ["set"])
        writer.writeheader()
        writer.writerows(table)
