"""The first sentences of a report: what was found, and the name, the dates and the size of the crawl."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webtongue.census.report.formats import format_plural, format_share, join_words, one_line

__all__ = ["crawl_dates", "write_headline"]

MAX_NAMED = 3
DATE_CHARS = 10  # length of the date in a time as ISO 8601


def crawl_dates(summary: Sequence[Mapping[str, Any]]) -> str:
    """Return the days of the first and the last capture in words, from the table summary.

    >>> crawl_dates([{"what": "first_fetch", "value": "2026-05-01 10:00:00"}, {"what": "last_fetch", "value": "2026-05-03"}])
    'from 2026-05-01 to 2026-05-03'
    """
    values = {row["what"]: one_line(row["value"])[:DATE_CHARS] for row in summary}
    days = [day for day in (values.get("first_fetch"), values.get("last_fetch")) if day]
    if len(set(days)) == 1:
        return f"on {days[0]}" if len(days) == 2 else f"from {days[0]}"
    return f"from {days[0]} to {days[1]}" if days else ""


def write_headline(
    rows: Sequence[Mapping[str, Any]], facts: Mapping[str, str], counts: Mapping[str, int], crawl: str, dates: str
) -> list[str]:
    """Return two sentences: the size of the crawl with its name and dates, and the largest languages by reliable answers.

    ``rows`` are the languages, the largest first; ``facts`` and ``counts`` are those of views.py.
    """
    pages = counts.get("pages")
    if not pages:
        return []
    name = crawl or "This crawl"
    found = [f"{facts['pages']} in {facts['languages']}"]
    if counts.get("servers"):
        places = counts.get("countries")
        found.append(facts["servers"] + (f" in {format_plural(places, 'country', 'countries')}" if places else ""))
    first = f"{f'{name}, fetched {dates},' if dates else name} has {join_words(found)}"
    if facts.get("estimate_fetches"):
        first = f"{first}, estimated from {facts['estimate_fetches']} of {facts['estimate_pages']} records"
    languages = [(row.get("reliable", row["pages"]), row["name"]) for row in rows if not row["special"]]
    largest = sorted((row for row in languages if row[0]), key=lambda row: -row[0])[:MAX_NAMED]
    named = [f"{language} {format_share(count / pages, pages)}" for count, language in largest]
    limits = [
        f"{facts['unknown_share']} have no known language" if facts.get("unknown_share") else "",
        f"{facts['little_text_share']} have fewer than 60 letters" if facts.get("little_text_share") else "",
        f"{facts['reliable_share']} of all answers are reliable" if facts.get("reliable_share") else "",
    ]
    by_reliable = " by reliable answers" if any("reliable" in row for row in rows) else ""
    second = [
        f"{join_words(named)} {'are' if len(named) > 1 else 'is'} the largest{by_reliable}" if named else "",
        *limits,
    ]
    text = "; ".join(filter(None, second))
    return [f"{first}.", *([f"{text[:1].upper()}{text[1:]}."] if text else [])]
