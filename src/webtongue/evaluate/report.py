"""Prints scores for people, writes them for machines."""

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
from webtongue.evaluate import Report, SetReport
from webtongue.evaluate.measures import Share
from webtongue.evaluate.scoring import Score
from webtongue.evaluate.systems import OURS

__all__ = ["print_report", "rows", "to_dict", "write_csv", "write_json"]

MOST_SCRIPTS = 10  # scripts of a set that are shown; JSON has all
ALL = "accuracy", "groups", "F1", "F1 seen", "und", "ECE", "ECE 50+", "ECE 20", "calls/s", "MB/s", "vs us"


def print_report(console: Console, report: Report) -> None:
    """One table for each set, systems as rows, then accuracy by length and script, and our worst labels."""
    for note in report.notes:
        console.print(f"[yellow]{note}", highlight=False)
    for one in report.sets:
        _main(console, one)
        _apart(console, one, "length", lambda score: score.by_length)
        _apart(console, one, "script", lambda score: score.by_script)
        _apart(console, one, "tier", lambda score: score.by_tier)
        for score in one.scores:
            if score.system == OURS or len(one.scores) == 1:
                _worst(console, score)


def _main(console: Console, one: SetReport) -> None:
    skipped = f", {one.skipped} rows without a label left out" if one.skipped else ""
    title = f"{one.name}: {one.items} items, {one.labels} labels, {one.characters:.0f} characters on average{skipped}"
    table = Table(title=title, title_justify="left", title_style="bold", header_style="bold", box=None)
    for heading in ("system", "items", "labels", *ALL):
        table.add_column(heading, justify="left" if heading == "system" else "right", no_wrap=True)
    for score in one.scores:
        table.add_row(*_cells(score), style="green" if score.system == OURS else "")
    console.print(table)
    console.print()


def _cells(score: Score) -> list[str]:
    sure, speed, beside = score.calibration, score.speed, score.beside_us
    errors = (sure.overall, sure.at_50_and_more, sure.at_about_20) if sure else (None, None, None)
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
        f"+{beside.only_peer}/-{beside.only_us} p={beside.probability:.2g}" if beside else "",
    ]


def _apart(console: Console, one: SetReport, name: str, pick: Any) -> None:
    """Accuracy by something, systems as rows."""
    keys = list(dict.fromkeys(key for score in one.scores for key in pick(score)))[:MOST_SCRIPTS]
    if len(keys) < 2:
        return
    table = Table(title=f"{one.name}: accuracy by {name}", title_justify="left", header_style="bold", box=None)
    table.add_column("system", no_wrap=True)
    for key in keys:
        table.add_column(key, justify="right", no_wrap=True)
    for score in one.scores:
        found: Mapping[str, Share] = pick(score)
        system = score.system if score.mode == "open" else f"{score.system} ({score.mode})"
        table.add_row(system, *(f"{found[key].value:.1%}" if key in found else "" for key in keys))
    console.print(table)
    console.print()


def _worst(console: Console, score: Score) -> None:
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
    """Everything, as JSON has it; shares carry their value and interval."""
    found: dict[str, Any] = _plain(asdict(report))
    for one, row in zip(report.sets, found["sets"], strict=True):
        for score, out in zip(one.scores, row["scores"], strict=True):
            out["accuracy"], out["groups"] = _share(score.accuracy), _share(score.groups)
            for name in ("by_length", "by_script", "by_tier"):
                out[name] = {key: _share(share) for key, share in getattr(score, name).items()}
    return found


def _share(share: Share) -> dict[str, float]:
    ends = {"value": share.value, "low": share.low, "high": share.high}
    return {"right": share.right, "of": share.of, **{name: round(end, 6) for name, end in ends.items()}}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(member) for member in value]
    return round(value, 6) if isinstance(value, float) else str(value) if isinstance(value, Path) else value


def rows(report: Report) -> list[dict[str, Any]]:
    """A flat row for each set and system."""
    out = []
    for one in report.sets:
        for s in one.scores:
            out.append(
                {
                    "set": one.name,
                    "system": s.system,
                    "mode": s.mode,
                    "items": s.items,
                    "labels": s.labels,
                    "accuracy": round(s.accuracy.value, 6),
                    "accuracy_low": round(s.accuracy.low, 6),
                    "accuracy_high": round(s.accuracy.high, 6),
                    "groups": round(s.groups.value, 6),
                    "macro_f1": round(s.macro_f1, 6),
                    "macro_f1_observed": round(s.macro_f1_observed, 6),
                    "calibration_error": round(s.calibration.overall, 6) if s.calibration else "",
                    "calls_per_second": round(s.speed.calls_per_second, 1) if s.speed else "",
                    "megabytes_per_second": round(s.speed.megabytes_per_second, 3) if s.speed else "",
                    "mcnemar": round(s.beside_us.probability, 6) if s.beside_us else "",
                }
            )
    return out


def write_json(report: Report, path: Path) -> None:
    """The whole report as one JSON document."""
    path.write_text(json.dumps(to_dict(report), ensure_ascii=False, indent=1) + "\n", "utf-8")


def write_csv(report: Report, path: Path) -> None:
    """The main table, one row a set and system."""
    table = rows(report)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(table[0]) if table else ["set"])
        writer.writeheader()
        writer.writerows(table)
