"""``webtongue identify``: what pages are in."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import Annotated, Any

import typer

from webtongue.cli.exits import UNREAD, Ended
from webtongue.cli.known import (
    Country,
    Evidence,
    Geo,
    Inlinks,
    Ip,
    Languages,
    code_of,
    credit_of,
    links_of,
    names_of,
    sources_of,
)
from webtongue.cli.progress import counted
from webtongue.cli.sources import Item, Known, is_one, items, once, texts
from webtongue.cli.terminal import json_line
from webtongue.errors import UsageError
from webtongue.identifier import Identifier
from webtongue.page import Page
from webtongue.verdict import Explanation, Reason, Verdict

__all__ = ["Tally", "answered", "command", "row_of"]

OURS = (
    "--priors, --languages, --evidence, --geo, --threads, --explain, --text and --lines are of our own model, "
    "not of a published method"
)


def command(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE|DIR|-", help="Pages: files, folders, an index.jsonl; - is standard input."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each page.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show evidence in bits, blocks, and what decided.")
    ] = False,
    text: Annotated[str | None, typer.Option(help="A text in place of pages.")] = None,
    lines: Annotated[bool, typer.Option("--lines", help="Take each line of the files for a text.")] = False,
    url: Annotated[str | None, typer.Option(help="The address that one page came from.")] = None,
    header: Annotated[list[str] | None, typer.Option(help="A header of one page, 'Name: value'; repeatable.")] = None,
    ip: Ip = None,
    country: Country = None,
    inlink: Inlinks = None,
    geo: Geo = None,
    evidence: Evidence = None,
    priors: Annotated[
        str | None, typer.Option(help="web (default): rare languages are rare; uniform: all alike.")
    ] = None,
    languages: Languages = None,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Pages read at once; one for each core if not said.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="A model file of your own.")] = None,
    method: Annotated[str | None, typer.Option(help="A published method, such as nfc, in place of ours.")] = None,
    changes: Annotated[list[str] | None, typer.Option("--set", help="A setting of the method, name=value.")] = None,
) -> None:
    """Say what pages are in: language, script, encoding, and how sure.

    Of a very long page the first 64 MB are read. A page that cannot be read is a row with a reason, and the exit code is 1.
    """
    paths = paths or []
    beside = [url, header or None, ip, country, inlink or None]
    addressed, chosen = (any(value is not None for value in given) for given in (beside, (geo, evidence)))
    asked = Asked(paths, as_json, explain, text, lines, addressed, chosen, threads)
    asked.refuse()
    known = Known(url, _headers(header or []), ip, code_of(country), links_of(inlink or []))
    if method is not None:
        if lines or any(value is not None for value in (languages, priors, threads, text, geo, evidence)) or explain:
            raise UsageError(OURS)
        from webtongue.cli.methods import by_method

        by_method(items(paths, known), method, model, changes or [], as_json)
        return
    if changes:
        raise UsageError("--set changes a published method: name it with --method")
    ident = Identifier("web" if priors is None else priors, names_of(languages), sources_of(evidence), model, geo)
    asked.answer(ident, known)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be read, and how it is printed."""

    paths: list[str]
    as_json: bool
    explain: bool
    text: str | None
    lines: bool
    addressed: bool  # something is known of one page
    chosen: bool  # what pages are judged by beside their text
    threads: int | None

    def refuse(self) -> None:
        """Calls that ask for two things at once, or for something that would do nothing."""
        paths, is_text = self.paths, self.text is not None
        once(paths)
        if self.as_json and self.explain:
            raise UsageError(
                "--json and --explain are two ways to print: --json has all that --explain shows but blocks"
            )
        if is_text and (paths or self.lines):
            raise UsageError("--text is read in place of files: give one or the other")
        if not is_text and not paths:
            raise UsageError("give a file, a folder, - for standard input, or --text")
        if self.threads is not None and (is_text or self.lines):
            raise UsageError("--threads is for pages: texts are read one after the other")
        if self.chosen and (is_text or self.lines):
            raise UsageError("--evidence and --geo are for pages: of a text nothing else is known")
        if self.addressed and (is_text or self.lines or not is_one(paths)):
            raise UsageError(
                "--url, --header, --ip, --country and --inlink are of one page; for many, a folder's index.jsonl has them"
            )

    def answer(self, ident: Identifier, known: Known) -> None:
        """Read, answer and print."""
        if self.text is not None:
            text = self.text.encode("utf-8", "surrogateescape").decode(
                "utf-8", "replace"
            )  # a locale may not know UTF-8
            found = _texts(iter((Item(text, {"text": text}, text=text),)), ident)
        elif self.lines:
            found = _texts(texts(self.paths), ident)
        else:
            found = answered(items(self.paths, known), ident, self.threads)
        tally = Tally()
        answers = tally.watch(counted(found, "texts" if self.lines else "pages"))
        if self.as_json:
            for item, verdict in answers:
                credit = credit_of(item.page, verdict, ident)
                row = verdict.to_dict() | ({"country_source": credit} if credit else {})
                sys.stdout.write(json_line(row_of(item, row)))
        elif self.explain:
            from webtongue.cli.explain import explained

            explained(answers, ident)
        else:
            from webtongue.cli.rows import table

            table(answers)
        tally.end()


@dataclass(slots=True)
class Tally:
    """Counts what was answered and what could not be read, for the exit code."""

    count: int = 0
    unread: int = 0

    def watch(self, answers: Iterable[tuple[Item, Any]]) -> Iterator[tuple[Item, Any]]:
        """The same, counted."""
        for item, answer in answers:
            self.count += 1
            self.unread += bool(item.trouble)
            yield item, answer

    def end(self) -> None:
        """End the command accordingly."""
        if self.unread:
            raise Ended(UNREAD, f"{self.unread:,} of {self.count:,} could not be read")
        if not self.count:
            raise Ended(0, "nothing to read there")


def answered(found: Iterator[Item], ident: Identifier, threads: int | None = None) -> Iterator[tuple[Item, Verdict]]:
    """Items with their Verdicts, in their order, as they come; a few hundred pages are held at a time."""
    first = list(islice(found, 2))
    if len(first) == 1 and first[0].page is not None:  # the shortest way: threads and arrays take time to start
        yield first[0], ident.identify_page(first[0].page)
        return
    waiting: deque[Item] = deque()

    def pages() -> Iterator[Page | None]:
        for item in chain(first, found):
            waiting.append(item)
            yield item.page

    for verdict in ident.identify_stream(pages(), threads):
        item = waiting.popleft()
        yield item, unreadable(item.trouble) if item.trouble else verdict


def unreadable(why: str) -> Verdict:
    """The verdict on what could not be read."""
    return Verdict("und", 0.0, reason=Reason.UNREADABLE, details=Explanation(why))


def row_of(item: Item, answer: Mapping[str, Any]) -> dict[str, Any]:
    """A row of JSON: what is known of the item, and the answer, which counts where they share a key."""
    return {**item.keys, **({"content_truncated": "length"} if item.cut else {}), **answer}


def _texts(found: Iterator[Item], ident: Identifier) -> Iterator[tuple[Item, Verdict]]:
    for item in found:
        yield item, unreadable(item.trouble) if item.trouble else ident.identify_text(item.text)


def _headers(lines: list[str]) -> dict[str, str]:
    out = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name.strip():
            raise UsageError(f"a header is 'Name: value', not {line!r}")
        out[name.strip()] = value.strip()
    return out
