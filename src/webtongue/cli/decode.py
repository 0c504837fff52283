"""``webtongue decode``: pages as text in UTF-8, whatever encoding they are in."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from webtongue import Decoded, Identifier, coding, markup
from webtongue.cli.exits import UNREAD, Ended
from webtongue.cli.progress import counted
from webtongue.cli.sources import STDIN, Item, Known, is_one, items, once, sentence
from webtongue.cli.terminal import complain, json_line, screen, shown
from webtongue.cli.writing import Folder, write
from webtongue.coding.source import decode_source
from webtongue.errors import UsageError
from webtongue.hints.declared import declared_encoding
from webtongue.text import TextReader
from webtongue.verdict import Reason

__all__ = ["command"]

LARGEST = 1 << 30  # bytes of a page that is decoded: its text is held whole
NOTHING = Decoded("", "", 0.0)


def command(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="FILE|DIR|-", help="Pages: files, folders, an index.jsonl; - is standard input."),
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE|DIR", help="A file for one page, a folder for several; names are kept."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there already.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each page, with its text.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="What each page is in and why, instead of its text.")
    ] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Put text right that was read in a wrong encoding before.")
    ] = False,
) -> None:
    """Write pages as UTF-8, whatever encoding they are in.

    Several pages go to a folder (-o DIR) or to lines of JSON. The exit code is 1 where a page gave no text; why is said on
    standard error.
    """
    output = None if output == STDIN else output
    _refuse(paths, output, force, as_json, explain, repair)
    run = Run(Identifier().reader)
    found = counted(run.opened(items(paths, Known(limit=LARGEST, whole=True))), "pages")
    if explain:
        _explain(found, run)
    elif as_json:
        for item in found:
            sys.stdout.write(json_line({**item.keys, **_row(run.decoded(item))}))
    elif output is None:
        for text in run.texts(found):
            _print(text.repaired if repair else text.text)
    else:
        _write(run.texts(found), run, paths, output, force, repair)
    run.end()


@dataclass(frozen=True, slots=True)
class Text:
    """A page with its text, as it was and repaired; or why it has none."""

    item: Item
    found: Decoded = NOTHING
    reason: Reason = Reason.NONE
    why: str = ""

    @property
    def text(self) -> str:
        """As it was."""
        return self.found.text

    @property
    def repaired(self) -> str:
        """Put right where it was read in a wrong encoding before."""
        return self.found.repaired or self.found.text


@dataclass(slots=True)
class Run:
    """What pages are decoded by, and how many gave no text or could not be written."""

    reader: TextReader
    count: int = 0
    failed: int = 0

    def opened(self, found: Iterator[Item]) -> Iterator[Item]:
        """The same, counted."""
        for item in found:
            self.count += 1
            yield item

    def decoded(self, item: Item) -> Text:
        """A page's text, or why there is none."""
        if item.page is None:
            return self.no_text(item, Reason.UNREADABLE, item.trouble)
        found = decode_source(item.page, self.reader)
        if found.text:
            return Text(item, found)
        scanned = markup.read(item.page)
        return self.no_text(item, scanned.reason or Reason.EMPTY, scanned.why or "empty")

    def texts(self, found: Iterator[Item]) -> Iterator[Text]:
        """Pages that have a text; why others have none is said."""
        for text in map(self.decoded, found):
            if text.reason:
                complain(f"{text.item.name}: nothing written: {text.why}")
            else:
                yield text

    def no_text(self, item: Item, reason: Reason, why: str) -> Text:
        """What is answered where there is no text; counted."""
        self.failed += 1
        return Text(item, reason=reason, why=why)

    def end(self) -> None:
        """End the command accordingly."""
        if not self.count:
            raise Ended(UNREAD, "no pages there")
        if self.failed:
            raise Ended(UNREAD, f"{self.failed:,} of {self.count:,} came to nothing" if self.count > 1 else "")


def _refuse(paths: list[str], output: str | None, force: bool, as_json: bool, explain: bool, repair: bool) -> None:
    """Calls that ask for two things at once, or for something that would do nothing."""
    once(paths)
    if as_json and explain:
        raise UsageError("--json and --explain are two ways to print: give one of them")
    if output is not None and (as_json or explain):
        raise UsageError("-o is where text goes; --json and --explain print")
    if repair and (as_json or explain):
        raise UsageError("--repair is for text; --json has it as it was and repaired, --explain has none")
    if force and output is None:
        raise UsageError("--force replaces files: it goes with -o")
    if output is None and not (as_json or explain or is_one(paths)):
        raise UsageError("several pages would run into one: give a folder with -o, or --json for a line each")
    if output is not None and not is_one(paths):
        if os.path.lexists(output) and not os.path.isdir(output):
            raise UsageError(f"{output} is a file: several pages go to a folder")
        if any(_is_inside(output, path) for path in paths):
            raise UsageError(f"{output} lies inside of what is read: its files would be read, too")


def _is_inside(output: str, path: str) -> bool:
    out, read = os.path.realpath(output), os.path.realpath(path)
    return os.path.isdir(path) and out != read and os.path.commonpath([out, read]) == read


def _write(texts: Iterator[Text], run: Run, paths: list[str], output: str, force: bool, repair: bool) -> None:
    """A file for one page; a folder for several, or where one is named."""
    folder = None if is_one(paths) and not _is_folder(output) else Folder(output)
    for text in texts:
        given = text.item.name
        name = os.path.basename(given) if given in paths else given
        raw = (text.repaired if repair else text.text).encode("utf-8", "replace")
        try:
            write(folder.place(name) if folder else output, raw, force)
        except OSError as error:
            run.failed += 1
            complain(f"{given}: nothing written: {sentence(error)}")


def _is_folder(path: str) -> bool:
    return os.path.isdir(path) or path.endswith(("/", os.sep))


def _print(text: str) -> None:
    """To a terminal harmless, to anything else as it is."""
    if sys.stdout.isatty():
        sys.stdout.write(shown(text, sys.stdout.encoding, lines=True))
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def _row(text: Text) -> dict[str, Any]:
    found = text.found
    row: dict[str, Any] = {"encoding": found.encoding, "confidence": round(found.confidence, 6), "text": found.text}
    return {
        **row,
        **({"repaired": found.repaired} if found.repaired else {}),
        "reason": text.reason.value,
        "why": text.why,
    }


def _explain(found: Iterator[Item], run: Run) -> None:
    from webtongue.cli.explain import facts, heading, printer

    where, console = screen(), printer()
    for item in found:
        heading(console, where.shown(item.name))
        facts(console, {name: where.shown(text) for name, text in _facts(item, run).items()})


def _facts(item: Item, run: Run) -> dict[str, str]:
    if item.page is None:
        return {"no text": run.no_text(item, Reason.UNREADABLE, item.trouble).why}
    scanned, decoding = coding.decode(markup.read(item.page), run.reader)
    if not decoding.encoding:
        return {"no text": run.no_text(item, scanned.reason, scanned.why).why}
    return {
        "encoding": f"{decoding.encoding} {decoding.confidence:.1%}: {decoding.how}",
        "or": ", ".join(f"{name} {chance:.2%}" for name, chance in decoding.others),
        "declared": declared_encoding(scanned).best or "nothing",
    }
