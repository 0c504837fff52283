"""Noise: text that is on pages of every language, marked so that later stages can weigh it down."""

from __future__ import annotations

from functools import cache

from webtongue import _kernel
from webtongue.files import DATA

__all__ = ["NAMES", "NO_LANGUAGE", "common", "mark"]

NAMES = ("numbers", "symbols", "common", "repeated", "damaged")  # the kernel's bits
NO_LANGUAGE = 0b01111  # all but damaged: what is left of damaged text still says something

TABLE = DATA / "common_strings.txt"


def mark(scan: _kernel.Scan) -> None:
    """Mark the blocks of a scan that has just been made, before anyone else holds it."""
    scan.mark_noise(common())


@cache
def common() -> _kernel.CommonStrings:
    """The strings that pages of every language have, as the kernel knows them."""
    lines = TABLE.read_text("utf-8").splitlines()
    return _kernel.CommonStrings([line.strip() for line in lines if line.strip() and not line.startswith("#")])
