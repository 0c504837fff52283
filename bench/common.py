"""What the benchmarks share: options, the choice of parts, CLD2, and sorts of labels."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).absolute().parent.parent
DEFAULT_DATA = "../shared/data"
NOT_A_LANGUAGE = frozenset({"und", "zxx", "mul"})
MB = 1 << 20


def options_parser(
    doc: str | None, *, has_data: bool = True, rounds: int = 0, parts: Iterable[str] = ()
) -> argparse.ArgumentParser:
    """Return a parser with the options that most benchmarks have: ``--data``, ``--rounds`` and ``--only``."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    if has_data:
        parser.add_argument(
            "--data", type=Path, default=Path(DEFAULT_DATA), help=f"data folder (default {DEFAULT_DATA})"
        )
    if rounds:
        parser.add_argument("--rounds", type=int, default=rounds, help=f"rounds of each measurement (default {rounds})")
    if names := ",".join(parts):
        parser.add_argument("--only", default=names, help=f"parts to run, separated by commas (default {names})")
    return parser


def run_parts(parts: Mapping[str, Callable[[], object]], selected: str) -> None:
    """Run the parts of a comma-separated list, in the order of ``parts``."""
    names = selected.split(",")
    for name in names:
        if name not in parts:
            sys.exit(f"{name} is not a part of this benchmark: choose from {', '.join(parts)}")
    for name, run in parts.items():
        if name in names:
            run()


def cld2(page: bytes | str, **hints: str) -> Any:
    """Return what pycld2.detect returns for text or a page in UTF-8, or None if it fails."""
    import pycld2

    try:
        return pycld2.detect(page, isPlainText=isinstance(page, str), **hints)
    except pycld2.error:
        return None


def is_utf8(raw: bytes) -> bool:
    """Return True if the bytes are valid UTF-8."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def batches(items: list[Any], size: int) -> list[list[Any]]:
    """Return a list cut into lists of ``size`` items; the last one may be shorter."""
    return [items[i : i + size] for i in range(0, len(items), size)]


def percent(part: float, whole: float, digits: int = 1) -> str:
    """Return a share in percent; of nothing it is 0.

    >>> percent(1, 8), percent(0, 0)
    ('12.5%', '0.0%')
    """
    return f"{part / max(1, whole):.{digits}%}"


def bar_result(is_met: bool) -> str:
    """Return the words that say whether a bar is met."""
    return "(bar met)" if is_met else "(BAR MISSED)"


def resident_mb(pid: int | str = "self") -> float:
    """Return the resident memory of a process in MB (Linux)."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 / MB


def peak_mb(pid: int | str = "self") -> float:
    """Return the highest resident memory that a process had so far, in MB (Linux)."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024
