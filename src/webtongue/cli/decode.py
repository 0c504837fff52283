"""``webtongue decode``: write pages as UTF-8, whatever their encoding."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Annotated

from webtongue import Decoded, Identifier, markup
from webtongue.charset import detection
from webtongue.charset.detection.source import decode_source
from webtongue.cli.errors import EXIT_FAILED, CommandExit
from webtongue.cli.output_files import OutputFolder, write_file
from webtongue.cli.parameters import Argument, Option
from webtongue.cli.progress import show_count
from webtongue.cli.sources import STDIN, Item, Known, error_text, is_one, items, once, refuse_urls
from webtongue.cli.terminal import escape_text, format_json_line, print_stderr
from webtongue.errors import UsageError
from webtongue.markup.declarations import declared_encoding
from webtongue.records import dataclass
from webtongue.text import TextReader
from webtongue.verdict import Reason

__all__ = ["command"]

MAX_PAGE_BYTES = 1 << 30  # the whole text of a page is in memory
NO_TEXT = Decoded("", "", 0.0)


def command(
    paths: Annotated[
        list[str],
        Argument(metavar="FILE|DIR|-", help="Pages: files, folders, an index.jsonl; - is standard input."),
    ],
    output: Annotated[
        str | None,
        Option("--output", "-o", metavar="FILE|DIR", help="A file for one page, a folder for several; names are kept."),
    ] = None,
    force: Annotated[bool, Option("--force", help="Replace files that exist.")] = False,
    as_json: Annotated[bool, Option("--json", help="Print a line of JSON for each page, with its text.")] = False,
    explain: Annotated[
        bool, Option("--explain", help="Print the encoding of each page and the reasons, without the text.")
    ] = False,
    repair: Annotated[
        bool, Option("--repair", help="Repair text that was decoded in a wrong encoding before (mojibake).")
    ] = False,
) -> None:
    """Write pages as UTF-8, whatever their encoding.

    Several pages go to a folder (-o DIR) or to lines of JSON. The exit code is 1 if a page has no text; the reason is printed on
    standard error.
    """
    output = None if output == STDIN else output
    _check_options(paths, output, force, as_json, explain, repair)
    reader, tally = Identifier().reader, Tally()
    source = tally.count_items(show_count(items(paths, Known(limit=MAX_PAGE_BYTES, whole=True)), "pages"))
    if explain:
        _print_explanations(source, reader, tally)
    else:
        pages = (_decode(item, reader) for item in source)
        if as_json:
            _print_json(pages, tally)
        elif output is None:
            for page in _report_failures(pages, tally):
                _print_text(page.get_text(repair))
        else:
            _write_files(_report_failures(pages, tally), tally, paths, output, force, repair)
    tally.check()


@dataclass(frozen=True, slots=True)
class DecodedPage:
    """A page with its text, or the reason why it has none."""

    item: Item
    decoded: Decoded = NO_TEXT
    reason: Reason = Reason.NONE
    why: str = ""

    def get_text(self, repair: bool) -> str:
        """Return the text; with ``repair`` repaired if it was decoded in a wrong encoding before."""
        return (self.decoded.repaired if repair else "") or self.decoded.text


@dataclass(slots=True)
class Tally:
    """Counts of pages and of failures, which decide the exit code."""

    total: int = 0
    failed: int = 0

    def count_items(self, source: Iterator[Item]) -> Iterator[Item]:
        """Yield the items and count them."""
        for item in source:
            self.total += 1
            yield item

    def check(self) -> None:
        """Raise a CommandExit if there were no pages, or if some failed."""
        if not self.total:
            raise CommandExit(EXIT_FAILED, "there are no pages to read")
        if self.failed:
            raise CommandExit(EXIT_FAILED, f"{self.failed:,} of {self.total:,} failed" if self.total > 1 else "")


def _decode(item: Item, reader: TextReader) -> DecodedPage:
    if item.page is None:
        return DecodedPage(item, reason=Reason.UNREADABLE, why=item.trouble)
    decoded = decode_source(item.page, reader)
    if decoded.text:
        return DecodedPage(item, decoded)
    scanned = markup.read(item.page)
    return DecodedPage(item, reason=scanned.reason or Reason.EMPTY, why=scanned.why or "empty")


def _report_failures(pages: Iterator[DecodedPage], tally: Tally) -> Iterator[DecodedPage]:
    """Yield the pages that have a text; print the reason for the others."""
    for page in pages:
        if page.reason:
            tally.failed += 1
            print_stderr(f"{page.item.name}: nothing written: {page.why}")
        else:
            yield page


def _check_options(
    paths: list[str], output: str | None, force: bool, as_json: bool, explain: bool, repair: bool
) -> None:
    """Raise a UsageError if options contradict each other or have no effect."""
    once(paths)
    refuse_urls(paths, "curl -sL '{url}' | webtongue decode - decodes the page")
    if as_json and explain:
        raise UsageError("--json and --explain are two output formats: choose one")
    if output is not None and (as_json or explain):
        raise UsageError("-o is for text: --json and --explain print to standard output")
    if repair and (as_json or explain):
        raise UsageError("--repair is for text: --json has the text before and after repair, --explain has none")
    if force and output is None:
        raise UsageError("--force replaces files: it goes with -o")
    if output is None and not (as_json or explain or is_one(paths)):
        raise UsageError("several pages need a folder, given with -o, or --json for a line of JSON each")
    if output is not None and not is_one(paths):
        if os.path.lexists(output) and not os.path.isdir(output):
            raise UsageError(f"{output} is a file: name a folder for several pages")
        if any(_is_inside(output, path) for path in paths):
            raise UsageError(f"{output} is inside a folder that is read: choose another folder")


def _is_inside(output: str, path: str) -> bool:
    target, source = os.path.realpath(output), os.path.realpath(path)
    return os.path.isdir(path) and target != source and os.path.commonpath([target, source]) == source


def _write_files(
    pages: Iterator[DecodedPage], tally: Tally, paths: list[str], output: str, force: bool, repair: bool
) -> None:
    """Write one page to a file; several, or one if ``output`` is a folder, to files in a folder."""
    is_folder = os.path.isdir(output) or output.endswith(("/", os.sep))
    folder = None if is_one(paths) and not is_folder else OutputFolder(output)
    for page in pages:
        path = page.item.name
        name = os.path.basename(path) if path in paths else path
        raw = page.get_text(repair).encode("utf-8", "replace")
        try:
            write_file(folder.place(name) if folder else output, raw, force)
        except OSError as error:
            tally.failed += 1
            print_stderr(f"{path}: nothing written: {error_text(error)}")


def _print_text(text: str) -> None:
    """Print text, escaped if standard output is a terminal."""
    if sys.stdout.isatty():
        sys.stdout.write(escape_text(text, sys.stdout.encoding, keep_lines=True))
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def _print_json(pages: Iterator[DecodedPage], tally: Tally) -> None:
    for page in pages:
        decoded = page.decoded
        row = {
            "encoding": decoded.encoding,
            "confidence": round(decoded.confidence, 6),
            "text": decoded.text,
            **({"repaired": decoded.repaired} if decoded.repaired else {}),
            "reason": page.reason.value,
            "why": page.why,
        }
        tally.failed += bool(page.reason)
        sys.stdout.write(format_json_line({**page.item.keys, **row}))


def _print_explanations(source: Iterator[Item], reader: TextReader, tally: Tally) -> None:
    from webtongue.cli.console import Terminal
    from webtongue.cli.explain import print_facts

    terminal = Terminal()
    for item in source:
        facts = _list_facts(item, reader)
        tally.failed += "no text" in facts
        print_facts(terminal, item.name, facts)


def _list_facts(item: Item, reader: TextReader) -> dict[str, str]:
    if item.page is None:
        return {"no text": item.trouble}
    scanned, decoding = detection.decode_page(markup.read(item.page), reader)
    if not decoding.encoding:
        return {"no text": scanned.why}
    return {
        "encoding": f"{decoding.encoding} {decoding.confidence:.1%}: {decoding.reason}",
        "or": ", ".join(f"{name} {probability:.2%}" for name, probability in decoding.alternatives),
        "declared": declared_encoding(scanned).best or "nothing",
    }
