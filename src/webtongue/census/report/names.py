"""What the page calls languages, reasons and sources: people's words for our codes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from webtongue.census.report.parts import short

__all__ = ["REASONS", "SOURCES", "SPECIAL", "distinct", "language_name", "reason_name", "source_name"]

SPECIAL = {"und": "Unknown", "zxx": "No language", "mul": "Several languages"}

REASONS = {
    "missing": "No page was there",
    "not_bytes": "No page was there",
    "unreadable": "Could not be read",
    "empty": "Empty",
    "no_letters": "No letters",
    "too_short": "Too little text",
    "unknown_script": "Unknown script",
    "too_rare": "Too little for a rare one",
    "unknown_language": "Fits no known language",
    "not_asked": "Not a language asked for",
    "misread": "Decoded wrongly before",
    "characters_lost": "Characters lost",
    "damaged": "Damaged",
    "binary": "Not text: a binary format",
    "media_type": "Not text: by its media type",
    "not_language": "Code, data or lists",
    "several_languages": "Several languages",
    "two_languages": "Two languages, level",
}

SOURCES = {
    "text": "Text",
    "prior": "How common languages are",
    "declared": "Declared language",
    "encoding": "Encoding",
    "charset": "Declared charset",
    "url": "Address (URL)",
    "country": "Country of the server",
    "links": "Linking pages",
    "host": "Other pages of the host",
}


def distinct(rows: Iterable[dict[str, Any]], code: str = "label") -> None:
    """Give rows that would share a name their codes beside it: a chart takes rows of one name for one."""
    seen: set[str] = set()
    for row in rows:
        if row["name"] in seen:
            row["name"] = f"{row['name']} ({short(row[code])})"
        seen.add(row["name"])


def language_name(label: object, name: object) -> str:
    """A language by its English name; what is no language by words that a reader can do something with."""
    return SPECIAL.get(str(label)) or short(name) or short(label)


def reason_name(code: object) -> str:
    """
    >>> reason_name("too_short"), reason_name("new_code")
    ('Too little text', 'New code')
    """
    return REASONS.get(str(code)) or _words(code)


def source_name(code: object) -> str:
    """
    >>> source_name("url"), source_name("language declaration")
    ('Address (URL)', 'Language declaration')
    """
    return SOURCES.get(str(code)) or _words(code)


def _words(code: object) -> str:
    said = short(code).replace("_", " ")
    return said[:1].upper() + said[1:] if said else "Not said"
