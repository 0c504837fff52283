"""Noise: text that is on pages of every language, marked so that later stages can weigh it down."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from webtongue import _kernel
from webtongue.files import DATA

__all__ = ["NAMES", "NO_LANGUAGE", "common", "mark"]

NAMES = ("numbers", "symbols", "common", "repeated", "damaged", "notice", "consent")  # the kernel's bits
NO_LANGUAGE = 0b01111  # damaged text still says something, and so do words on cookies; a notice is common as well

COMMON = DATA / "common_strings.txt"
NOTICES = DATA / "notices.txt"


def mark(scan: _kernel.Scan) -> None:
    """Mark the blocks of a scan that has just been made, before anyone else holds it."""
    scan.mark_noise(common())


@cache
def common() -> _kernel.CommonStrings:
    """The strings that pages of every language have, and notices of servers, as the kernel knows them."""
    return _kernel.CommonStrings(_strings(COMMON), _strings(NOTICES))


def _strings(table: Path) -> list[str]:
    """The strings of a table, as they are and capitalised: the kernel folds the case of ASCII only."""
    lines = [line.strip() for line in table.read_text("utf-8").splitlines() if not line.startswith("#")]
    return [form for line in lines if line for form in dict.fromkeys((line, line[0].upper() + line[1:]))]
