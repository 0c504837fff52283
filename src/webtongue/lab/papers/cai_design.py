"""Cai 2009, two tables of its design: addresses as numbers (table 3-1), and filtering by regular expressions (table 4-3)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

from webtongue import Page
from webtongue.evidence.geo import load_geo
from webtongue.lab.evaluate.tables import Claim, Table
from webtongue.lab.methods.composite import clean_text
from webtongue.lab.methods.document import strip_tags
from webtongue.lab.papers.cai_published import ADDRESS_RANGES, FILTERING_SECONDS
from webtongue.markup.noise import COMMON
from webtongue.reference.ip import ip_number

LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyz") | frozenset(range(0x80, 0x100))
SPACE = ord(" ")


def address_table(data: Path) -> Table:
    """Return table 3-1: the addresses of the thesis as numbers by its formula, and their countries by its file and by ours."""
    path = data / "geo" / "dbip-country.mmdb.xz"
    geo = load_geo(path) if path.exists() else None

    def find_country(address: str) -> str | None:
        return geo.locate(address).country if geo else None

    rows = [
        (
            f"{first} - {last}",
            f"{low} - {high}",
            f"{ip_number(first)} - {ip_number(last)}",
            country,
            find_country(first),
        )
        for first, last, low, high, country in ADDRESS_RANGES
    ]
    columns = ("addresses", "paper", "webtongue", "country, paper", "country, today")
    note = f"Countries of 2008 by MaxMind, in which AP is Asia and the Pacific; today's: {geo.attribution if geo else 'no file'}"
    return Table(
        "table3-1", "addresses as numbers, and their countries", tuple(rows), columns, note, "", ("table 3-1",)
    )


def filtering_results(pages: Sequence[Page]) -> Iterator[Table | Claim]:
    """Yield table 4-3: seconds to remove common words and symbols from the text of a page."""
    texts = [strip_tags(page.raw, decode_references=True) for page in pages]
    slow, by_strings = time_filter(filter_by_strings, texts)
    fast, by_pattern = time_filter(clean_text, texts)
    same_results = sum(first == second for first, second in zip(by_strings, by_pattern, strict=True))
    seconds = dict(zip(FILTERING_SECONDS, (slow, fast), strict=True))
    rows = tuple((name, f"{paper:.3f}", f"{seconds[name]:.5f}") for name, paper in FILTERING_SECONDS.items())
    note = (
        f"His are of Java in 2008 and 30,000 pages, ours of Python and {len(texts)} pages ({same_results} with the "
        "same result from both): only the order can be compared. The seconds are those of the machine that it was run "
        "on."
    )
    yield Table("table4-3", "filtering a page's text, seconds", rows, ("", "paper", "here"), note, "", ("table 4-3",))
    figures = f"{slow / fast:.1f} times faster here, {0.314 / 0.041:.1f} in the thesis"
    yield Claim(
        "regular expressions filter faster than string operations",
        fast < slow,
        figures,
        refuted_by="string operations that take less time on the same texts",
    )


def time_filter(filter_text: Callable[[bytes], bytes], texts: Sequence[bytes]) -> tuple[float, list[bytes]]:
    """Return the seconds of one text and the results; one call before the clock starts fills the caches."""
    filter_text(b"")
    start = time.process_time()
    results = [filter_text(text) for text in texts]
    return (time.process_time() - start) / max(len(texts), 1), results


def filter_by_strings(raw: bytes) -> bytes:
    """Return the same text as ``clean_text``, filtered one character and one common word at a time."""
    text = b" ".join(bytes(c if c in LETTERS else SPACE for c in raw.lower()).split())
    for word in common_strings():
        start = text.find(word)
        while start >= 0:
            end = start + len(word)
            is_whole_word = (not start or text[start - 1] == SPACE) and (end == len(text) or text[end] == SPACE)
            text = text[:start] + b" " + text[end:] if is_whole_word else text
            start = text.find(word, start + 1)
    return b" ".join(text.split())


@cache
def common_strings() -> tuple[bytes, ...]:
    """Return the common words and phrases, longest first."""
    lines = (line.strip().lower() for line in COMMON.read_text("utf-8").splitlines() if not line.startswith("#"))
    words = {b" ".join(bytes(c if c in LETTERS else SPACE for c in line.encode()).split()) for line in lines if line}
    return tuple(sorted((word for word in words if len(word) > 1), key=lambda word: (-len(word), word)))
