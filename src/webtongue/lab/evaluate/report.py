"""Write scores as JSON and CSV."""

from __future__ import annotations

import csv
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from webtongue.lab.evaluate import Report
from webtongue.lab.evaluate.measures import Share

__all__ = ["make_rows", "to_dict", "write_csv", "write_json"]


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
