"""Cai 2009, two tables of its design: numbers of addresses (table 3-1), and filtering by regular expressions (table 4-3)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

from cai_figures import FILTERING, RANGES

from webtongue import Page
from webtongue.evaluate.tables import Claim, Table
from webtongue.hints.addresses import ip_number
from webtongue.hints.geo import load_geo
from webtongue.markup.noise import COMMON
from webtongue.methods.composite import cleaned
from webtongue.methods.document import tagless

LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyz") | frozenset(range(0x80, 0x100))
SPACE = ord(" ")


def numbers(data: Path) -> Table:
    """Table 3-1: the numbers of his addresses by his formula, and their countries by his file and by ours."""
    path = data / "geo" / "dbip-country.mmdb.xz"
    geo = load_geo(path) if path.exists() else None

    def located(address: str) -> str | None:
        return geo.locate(address).country if geo else None

    rows = [
        (f"{first} - {last}", f"{low} - {high}", f"{ip_number(first)} - {ip_number(last)}", country, located(first))
        for first, last, low, high, country in RANGES
    ]
    columns = ("addresses", "paper", "webtongue", "country, paper", "country, today")
    note = f"Countries of 2008 by MaxMind, in which AP is Asia and the Pacific; today's: {geo.attribution if geo else 'no file'}"
    return Table(
        "table3-1", "addresses as numbers, and their countries", tuple(rows), columns, note, "", ("table 3-1",)
    )


def filtering(pages: Sequence[Page]) -> Iterator[Table | Claim]:
    """Table 4-3: seconds a page for taking common words and symbols out of its text."""
    texts = [tagless(page.raw, references=True) for page in pages]
    slow, by_strings = timed(by_string_operations, texts)
    fast, by_pattern = timed(cleaned, texts)
    alike = sum(one == other for one, other in zip(by_strings, by_pattern, strict=True))
    seconds = dict(zip(FILTERING, (slow, fast), strict=True))
    rows = tuple((name, f"{paper:.3f}", f"{seconds[name]:.5f}") for name, paper in FILTERING.items())
    note = (
        f"His are of Java in 2008 and 30,000 pages, ours of Python and {len(texts)} pages ({alike} filtered alike by both): "
        "only the order can be compared. The seconds are those of the machine that it was run on."
    )
    yield Table("table4-3", "filtering a page's text, seconds", rows, ("", "paper", "here"), note, "", ("table 4-3",))
    figures = f"{slow / fast:.1f} times faster here, {0.314 / 0.041:.1f} in the thesis"
    yield Claim("regular expressions filter faster than string operations", fast < slow, figures)


def timed(filtered: Callable[[bytes], bytes], texts: Sequence[bytes]) -> tuple[float, list[bytes]]:
    """Seconds a text, and what came out; once before the clock, for what is made at the first call."""
    filtered(b"")
    start = time.process_time()
    found = [filtered(text) for text in texts]
    return (time.process_time() - start) / max(len(texts), 1), found


def by_string_operations(raw: bytes) -> bytes:
    """What ``cleaned`` does, a character and a common word at a time."""
    text = b" ".join(bytes(c if c in LETTERS else SPACE for c in raw.lower()).split())
    for word in common_strings():
        at = text.find(word)
        while at >= 0:
            end = at + len(word)
            alone = (not at or text[at - 1] == SPACE) and (end == len(text) or text[end] == SPACE)
            text = text[:at] + b" " + text[end:] if alone else text
            at = text.find(word, at + 1)
    return b" ".join(text.split())


@cache
def common_strings() -> tuple[bytes, ...]:
    """The common words and phrases, the longest first."""
    lines = (line.strip().lower() for line in COMMON.read_text("utf-8").splitlines() if not line.startswith("#"))
    plain = {b" ".join(bytes(c if c in LETTERS else SPACE for c in line.encode()).split()) for line in lines if line}
    return tuple(sorted((word for word in plain if len(word) > 1), key=lambda word: (-len(word), word)))
