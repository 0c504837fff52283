"""Tables of texts that were written for the tests: tab-separated, lines that begin with # are comments."""

from __future__ import annotations

from pathlib import Path

__all__ = ["rows"]

DATA = Path(__file__).parent / "data"


def rows(name: str) -> list[tuple[str, ...]]:
    """Return the rows of a table."""
    lines = (DATA / name).read_text("utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines if line and not line.startswith("#")]
