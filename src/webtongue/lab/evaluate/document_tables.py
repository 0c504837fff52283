"""Write results of experiments into regions of Markdown documents.

A document has a region for each paper, between two comments. `webtongue reproduce PAPER --write` fills it, with a stamp (stamp.py):
a test compares it with the current one, so that outdated figures are noticed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from webtongue.errors import UsageError
from webtongue.lab.evaluate.tables import OUTCOMES, Claim, Exempt, Result, Table, format_cell

__all__ = ["fill_region", "find_missing", "format_results", "read_region"]

SAME_NOTE, SAME_GENERATED = "Data as above.", "Generated: as above."


def find_missing(published: Sequence[str], results: Sequence[Result]) -> list[str]:
    """Return the tables and figures of a paper that no result reproduces."""
    covered = {name for result in results if not isinstance(result, Claim) for name in result.reproduces}
    return [name for name in published if name not in covered]


def format_results(results: Sequence[Result]) -> str:
    """Return all results as Markdown: tables in their order, then claims, then exempt tables and figures."""
    notes: set[str] = set()
    tables = [_format_table(result, notes) for result in results if isinstance(result, Table)]
    claims = [_format_claim(result) for result in results if isinstance(result, Claim)]
    exempt = [f"- {', '.join(result.reproduces)}: {result.reason}" for result in results if isinstance(result, Exempt)]
    parts = [*tables]
    if claims:
        parts.append("**What the paper says, and whether it comes out here**\n\n" + "\n".join(claims))
    if exempt:
        parts.append("**Not made**\n\n" + "\n".join(exempt))
    return "\n\n".join(parts)


def _format_table(table: Table, notes: set[str]) -> str:
    """Return a table with its notes; a note that stands below an earlier table is abbreviated."""
    reproduced = f" ({', '.join(table.reproduces)})" if table.reproduces else ""
    lines = [
        f"**{_format_cell(table.title)}**{reproduced}",
        "",
        _format_row(table.columns),
        _format_row(["---", *["---:"] * (len(table.columns) - 1)]),
    ]
    lines += [_format_row([format_cell(cell) for cell in row]) for row in table.rows]
    for note, short_note in (
        (table.note, SAME_NOTE),
        (table.generated and f"Generated: {table.generated}", SAME_GENERATED),
    ):
        if note:
            lines += ["", short_note if note in notes else _format_cell(note)]
            notes.add(note)
    return "\n".join(lines)


def _format_claim(claim: Claim) -> str:
    outcome = OUTCOMES[claim.holds].capitalize()
    why = "" if claim.holds else f" {_capitalize(claim.why or 'not explained')}."
    refuted_by = f" Would be refuted by: {claim.refuted_by}." if claim.refuted_by else ""
    line = f"- {outcome if claim.holds else f'**{outcome}**'}: {claim.text} ({claim.figures}).{why}{refuted_by}"
    return _format_cell(line).replace("..", ".")


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def _format_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_format_cell(cell).replace('|', chr(92) + '|') for cell in cells)} |"


def _format_cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("<", "&lt;")


def _make_markers(name: str) -> tuple[str, str]:
    return f"<!-- {name}: written by the command, not by hand -->", f"<!-- end of {name} -->"


def read_region(document: str, name: str) -> str | None:
    """Return the contents of a region of a document, or None if it has no such region."""
    begin, end = _make_markers(name)
    _, separator, rest = document.partition(begin)
    return rest.partition(end)[0].strip() if separator else None


def fill_region(document: str, name: str, text: str) -> str:
    """Return the document with new contents of a region."""
    begin, end = _make_markers(name)
    if read_region(document, name) is None or end not in document:
        raise UsageError(f"the document has no region for {name}: add the lines {begin} and {end}")
    before, _, rest = document.partition(begin)
    return f"{before}{begin}\n\n{text}\n\n{end}{rest.partition(end)[2]}"
