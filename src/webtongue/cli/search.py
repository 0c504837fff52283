"""``webtongue search``: find pages of a census by their text, filtered by language."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Annotated, Any

from rich.text import Text

from webtongue import Identifier, labels
from webtongue.census.mirror import local_census
from webtongue.census.read.remote_io import is_remote
from webtongue.census.search import Hit, build_index, search
from webtongue.cli.console import Terminal
from webtongue.cli.options import parse_names
from webtongue.cli.parameters import Argument, Option
from webtongue.cli.terminal import format_json_line, print_stderr
from webtongue.errors import UsageError

__all__ = ["command"]

MARGIN = 7  # cells of a hit's first line beside its URL and language
MIN_URL_WIDTH = 10
INDENT = 5  # cells before a snippet
MARK = "**"  # around a hit if there is no colour


def command(
    out: Annotated[str, Argument(metavar="OUT", help="The folder or URL of a census that ran with --keep-text.")],
    query: Annotated[
        list[str], Argument(metavar="QUERY", help='Words that a page has, all of them; a "quoted phrase".')
    ],
    language: Annotated[
        list[str] | None,
        Option("--language", "-l", metavar="LANGS", help="Only pages in these languages, such as 'is,fo'."),
    ] = None,
    limit: Annotated[int, Option(min=1, help="Number of hits, the best first.")] = 10,
    as_json: Annotated[bool, Option("--json", help="Print a line of JSON for each hit.")] = False,
    index: Annotated[bool, Option("--index", help="Index the text first; needs DuckDB's full-text extension.")] = False,
) -> None:
    """Find pages of a census by their text, ignoring the case and accents of letters.

    Scripts with spaces are searched by whole words, others anywhere. The text is scanned; an index (--index) is faster and gives
    the same answers.
    """
    wanted = Identifier().labels_of(parse_names(language)) if language is not None else []
    if index and is_remote(out):
        raise UsageError("--index writes a file to the folder of a census: copy the census to a disk first")
    if index and not build_index(out):
        print_stderr("the full-text extension (fts) for this version of DuckDB is not installed: the text is scanned")
    with local_census(out) as folder:
        result = search(folder, " ".join(query), wanted, limit)
    if as_json:
        sys.stdout.writelines(format_json_line(_build_row(hit)) for hit in result.hits)
    else:
        _print_hits(result.hits)
    if not result.hits:
        print_stderr("nothing found")
    elif result.more:
        print_stderr(f"the {limit:,} best; --limit shows more")


def _build_row(hit: Hit) -> dict[str, Any]:
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


def _print_hits(hits: Iterable[Hit]) -> None:
    terminal = Terminal()
    for number, hit in enumerate(hits, 1):
        summary = f"{labels.bcp47(hit.label)}, {hit.count} hit{'s' * (hit.count != 1)}"
        width = max(terminal.width - len(summary) - MARGIN, MIN_URL_WIDTH)
        url = terminal.cut(terminal.escape(hit.url or "(no URL)"), width, middle=True)
        terminal.write(Text.assemble(f"{number:>3}  ", (url, "bold"), "  ", (summary, "dim")))
        snippet = _format_snippet(hit, terminal)
        for line in snippet.wrap(terminal, terminal.width - INDENT) if terminal.is_limited else [snippet]:
            line.rstrip()
            terminal.write(Text.assemble(" " * INDENT, line))


def _format_snippet(hit: Hit, terminal: Terminal) -> Text:
    """Return the escaped snippet with its hits in colour, or between marks if there is none."""
    snippet, position = Text(), 0
    for begin, end in hit.snippet.marks:
        snippet.append(terminal.escape(hit.snippet.text[position:begin]))
        word = terminal.escape(hit.snippet.text[begin:end])
        snippet.append(*((word, "bold yellow") if terminal.has_color else (f"{MARK}{word}{MARK}",)))
        position = end
    return snippet.append(terminal.escape(hit.snippet.text[position:]))
