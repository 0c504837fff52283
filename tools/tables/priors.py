"""Shared by the tables of priors: shares of pages, rounded to steps of half a power of ten."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

DATA = Path(__file__).parents[2] / "src" / "webtongue" / "data"
STEP = 0.5  # in powers of ten


def mean_log(shares: Iterable[float]) -> float:
    """Return the mean of log10 of shares over crawls."""
    logs = [math.log10(share) for share in shares]
    return sum(logs) / len(logs)


def round_to_step(log: float) -> float:
    return round(log / STEP) * STEP


def write(name: str, columns: str, tool: str, tiers: dict[str, float]) -> None:
    """Write a table with a row for each name, the most common first."""
    rows = sorted(tiers.items(), key=lambda item: (-item[1], item[0]))
    lines = [f"# {columns}: written by tools/tables/{tool}"]
    lines += [f"{key}\t{value:g}" for key, value in rows]
    (DATA / name).write_text("\n".join(lines) + "\n", encoding="ascii")
