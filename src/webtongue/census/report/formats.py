"""Numbers, names and text of other people as the page shows them.

report.js formats numbers by the same rules; a browser test compares the two.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from webtongue import labels
from webtongue.census.shares import share_decimals

__all__ = [
    "format_count",
    "format_interval",
    "format_part",
    "format_plural",
    "format_share",
    "join_words",
    "name_declaration",
    "name_label",
    "name_language",
    "one_line",
    "spell_code",
    "total_of",
]

MAX_TEXT_CHARS = 120  # A declared language may be as long as a page.
# Control characters, line separators, changes of text direction, and code points that are no characters.
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]")


def format_count(number: float | None) -> str:
    """Return a rounded number with separators between thousands.

    >>> format_count(1234567), format_count(None)
    ('1,234,567', '')
    """
    return "" if number is None else f"{math.floor(number + 0.5):,}"


def format_share(share: float | None, total: float = math.inf) -> str:
    """Return a share of ``total`` pages or servers as a percentage, with two decimals below 10%, or as many as the total supports.

    >>> [format_share(share) for share in (0.5778, 0.0308, 0.00004, 0, 1, 0.9999, None)]
    ['57.8%', '3.08%', '<0.01%', '0%', '100%', '>99.9%', '']
    >>> [format_share(share, 16) for share in (3 / 16, 0.001, 0.999)], [format_share(share, 640) for share in (52 / 640, 0.0002)]
    (['19%', '<1%', '>99%'], ['8.1%', '<0.1%'])
    """
    if share is None:
        return ""
    value = share * 100
    if value <= 0 or value >= 100:
        return "100%" if value > 0 else "0%"
    places = min(1 if value >= 9.995 else 2, share_decimals(total))
    rounded = math.floor(value * 10**places + 0.5) / 10**places  # JavaScript rounds halves up.
    if rounded >= 100:
        return f">{100 - 10**-places:.{places}f}%"
    return f"{rounded:.{places}f}%" if rounded else f"<{10**-places:.{places}f}%"


def total_of(row: Mapping[str, Any], key: str = "share") -> float:
    """Return the number of pages, servers or captures of which ``key`` of a row is a share; infinite if it is unknown.

    >>> total_of({"pages": 3, "share": 3 / 16}), total_of({"share A": 0.5, "share A of": 640}, "share A"), total_of({"share": 0.1})
    (16, 640.0, inf)
    """
    if f"{key} of" in row:
        return float(row[f"{key} of"])
    share_key = key if key.startswith("share") else "share"
    counts = (share_key.replace("share", unit, 1) for unit in ("pages", "servers", "captures"))
    count = next((row[name] for name in counts if row.get(name)), None)
    share = row.get(share_key)
    return round(count / share) if count and share else math.inf


def format_plural(number: int, noun: str, plural: str = "") -> str:
    """Return a count with its noun.

    >>> format_plural(1, "page"), format_plural(2000, "page"), format_plural(0, "country", "countries")
    ('1 page', '2,000 pages', '0 countries')
    """
    return f"{format_count(number)} {noun if number == 1 else plural or noun + 's'}"


def format_part(part: int, total: int, noun: str) -> str:
    """Return a count with its noun and its share of a total.

    >>> format_part(3, 16, "page")
    '3 pages (19%)'
    """
    return f"{format_plural(part, noun)} ({format_share(part / total, total)})"


def join_words(words: Sequence[str]) -> str:
    """Return an enumeration.

    >>> join_words(["one"]), join_words(["one", "two", "three"])
    ('one', 'one, two and three')
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def one_line(value: object) -> str:
    """Return text from outside on one line of limited length.

    >>> one_line("a\\nb"), one_line(None), len(one_line("x" * 500))
    ('a b', '', 120)
    """
    text = ("" if value is None else str(value))[: 4 * MAX_TEXT_CHARS].encode("utf-8", "replace").decode()
    line = " ".join(CONTROLS.sub(" ", text).split())
    return line if len(line) <= MAX_TEXT_CHARS else line[: MAX_TEXT_CHARS - 1] + "…"


def name_language(label: object, name: object) -> str:
    """Return the English name of a language, or its label."""
    return one_line(name) or one_line(label)


def name_declaration(declaration: str) -> str:
    """Return the name of a label; else that of the language that a declaration names, with it; one that names none is quoted."""
    if str(labels.parse(declaration)) == declaration:
        return name_label(declaration)
    declared = sorted(labels.parse_declared(declaration).labels)
    name = name_label(declared[0]) if len(declared) == 1 else ""
    return f"{name} ({declaration})" if name else f"“{declaration}”"


def name_label(label: object) -> str:
    """Return the English name of a label."""
    parsed = labels.parse(str(label))
    return name_language(label, labels.name(parsed) if parsed else label)


def spell_code(code: object, names: dict[str, str]) -> str:
    """Return the name of a code, or the code itself as words if it has no name.

    >>> spell_code("url", {"url": "URL"}), spell_code("new_code", {}), spell_code("", {})
    ('URL', 'New code', 'Not recorded')
    """
    words = names.get(str(code)) or one_line(code).replace("_", " ")
    return words[:1].upper() + words[1:] if words else "Not recorded"


def format_interval(low: float | None, high: float | None, total: float = math.inf) -> str | None:
    """Return the limits of an interval of shares of ``total``, None if there is none."""
    return None if low is None or high is None else f"{format_share(low, total)} – {format_share(high, total)}"
