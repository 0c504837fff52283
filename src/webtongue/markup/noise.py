"""Mark noise in a page: text that occurs on pages of every language and counts less in later stages."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from webtongue import _kernel
from webtongue.files import DATA

__all__ = ["NAMES", "NO_LANGUAGE", "common_strings", "mark_noise"]

NAMES = ("numbers", "symbols", "common", "repeated", "damaged", "notice", "consent")  # by the kernel's bits
NO_LANGUAGE = 0b01111  # damaged text and banners carry some information; notices are common as well

COMMON = DATA / "common_strings.txt"
NOTICES = DATA / "notices.txt"
CONSENT = DATA / "consent.txt"


def mark_noise(scan: _kernel.Scan) -> None:
    """Mark the noise among the blocks of a new scan, which is changed in place."""
    scan.mark_noise(common_strings())


@cache
def common_strings() -> _kernel.CommonStrings:
    """Return the strings that pages of every language have, notices of servers, and words of consent banners."""
    uses, requests = (part.splitlines()[1:] for part in CONSENT.read_text("utf-8").split("\n[")[1:])
    return _kernel.CommonStrings(_read_strings(COMMON), _read_strings(NOTICES), uses, requests)


def _read_strings(table: Path) -> list[str]:
    """Return the strings of a table, unchanged and capitalised, since the kernel folds only the case of ASCII."""
    lines = [line.strip() for line in table.read_text("utf-8").splitlines() if not line.startswith("#")]
    return [form for line in lines if line for form in dict.fromkeys((line, line[0].upper() + line[1:]))]
