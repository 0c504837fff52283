"""``webtongue search``: full text over what a census kept, filtered by language."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Annotated, Any

import typer

from webtongue import labels
from webtongue.census.search import Found, Hit, make_index, search
from webtongue.cli.known import names_of
from webtongue.cli.terminal import PIPED_WIDTH, Screen, complain, json_line, screen

__all__ = ["command"]

MARGIN = 7  # cells beside an address and what is said of it
LEAST_URL = 30  # cells of an address that are always shown

MARK = "**"  # around a hit where there is no colour


def command(
    out: Annotated[str, typer.Argument(metavar="OUT", help="The folder of a census that ran with --keep-text.")],
    query: Annotated[
        list[str], typer.Argument(metavar="QUERY", help='Words, all of which are there; a "quoted phrase".')
    ],
    language: Annotated[
        str | None, typer.Option("--language", "-l", metavar="LANGS", help="Only pages in these, such as 'is,fo'.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many of the best.")] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each hit.")] = False,
    index: Annotated[
        bool, typer.Option("--index", help="Index the text first, if DuckDB's full-text extension is installed.")
    ] = False,
) -> None:
    """Find pages of a census by their text, whatever the case and accents of its letters.

    Words are found as words, in scripts without spaces anywhere. The text is scanned; with an index (--index) that is quicker, and
    the answers are the same.
    """
    wanted = _labels(names_of(language))
    if index and not make_index(out):
        complain("DuckDB's full-text extension (fts) of this very version is not installed: the text is scanned")
    found = search(out, " ".join(query), wanted, limit)
    if as_json:
        for hit in found.hits:
            sys.stdout.write(json_line(_row(hit)))
    else:
        where = screen()
        for line in _lines(found, where):
            sys.stdout.write(f"{line}\n")
    if not found.hits:
        complain("nothing found")
    elif found.more:
        complain(f"the {limit:,} best; --limit shows more")


def _labels(names: list[str] | None) -> list[str]:
    if names is None:
        return []
    from webtongue import Identifier

    return Identifier().labels_of(names)


def _row(hit: Hit) -> dict[str, Any]:
    return {
        "url": hit.url,
        "label": hit.label,
        "language": labels.bcp47(hit.label),
        "confidence": round(hit.confidence, 6),
        "count": hit.count,
        "score": hit.score,
        "snippet": hit.snippet.text,
        "marks": [list(mark) for mark in hit.snippet.marks],
    }


def _lines(found: Found, where: Screen) -> Iterable[str]:
    for number, hit in enumerate(found.hits, 1):
        about = f"{labels.bcp47(hit.label)}, {hit.count} hit{'s' * (hit.count != 1)}"
        room = (where.width or PIPED_WIDTH) - len(about) - MARGIN
        url = where.cut(where.shown(hit.url or "(no address)"), max(room, LEAST_URL), middle=True)
        yield f"{number:>3}  {where.styled(url, 'bold')}  {where.styled(about, 'dim')}"
        yield f"     {_shown(hit, where)}"


def _shown(hit: Hit, where: Screen) -> str:
    """The snippet with its hits in colour, or between marks: text from outside is made harmless first, part by part."""
    out, at = [], 0
    for begin, end in hit.snippet.marks:
        word = where.shown(hit.snippet.text[begin:end])
        out += [
            where.shown(hit.snippet.text[at:begin]),
            where.styled(word, "bold yellow") if where.colour else f"{MARK}{word}{MARK}",
        ]
        at = end
    return "".join([*out, where.shown(hit.snippet.text[at:])])
