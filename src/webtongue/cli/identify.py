"""``webtongue identify``: print the language of pages and texts."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Annotated, Any

from webtongue.analysis import Analysis
from webtongue.cli.errors import EXIT_FAILED, CommandExit
from webtongue.cli.options import AnswerOptions, Model, PageOptions, get_country_credit
from webtongue.cli.parameters import Argument, Option
from webtongue.cli.progress import show_count
from webtongue.cli.sources import Item, Known, find_text, is_one, items, once, refuse_empty, refuse_urls, texts
from webtongue.cli.terminal import format_json_line, print_stderr
from webtongue.errors import UsageError
from webtongue.identifier import Identifier
from webtongue.page import Page
from webtongue.records import dataclass
from webtongue.verdict import Explanation, Reason, Verdict

__all__ = ["Tally", "analyze_items", "build_row", "command", "identify_items", "print_json"]

URL_HINT = (
    "curl -sL '{url}' | webtongue identify - --url '{url}' identifies the page, webtongue url '{url}' its URL alone"
)
NOT_WITH_METHOD = (
    "--priors, --language, --evidence, --geo, --threads, --explain, --text and --lines do not apply to a published method: "
    "leave them out, or leave out --method"
)


def command(
    paths: Annotated[
        list[str] | None,
        Argument(
            metavar="FILE|DIR|-|TEXT", help="Pages: files, folders, an index.jsonl; - is standard input. Or a text."
        ),
    ] = None,
    *,
    as_json: Annotated[bool, Option("--json", help="Print a line of JSON for each page.")] = False,
    explain: Annotated[
        bool, Option("--explain", help="Show the evidence in bits, the blocks, and the reasons.")
    ] = False,
    text: Annotated[str | None, Option(help="Identify this text instead of pages.")] = None,
    lines: Annotated[bool, Option("--lines", help="Identify each line of the files as a text.")] = False,
    url: Annotated[str | None, Option(help="The URL of a single page.")] = None,
    header: Annotated[list[str] | None, Option(help="A header of it, 'Name: value'; repeatable.")] = None,
    page_options: PageOptions,
    answer_options: AnswerOptions,
    threads: Annotated[int | None, Option(min=1, help="Pages read in parallel; default: one for each core.")] = None,
    model: Model = None,
    method: Annotated[str | None, Option(help="Use a published method, such as nfc.")] = None,
    changes: Annotated[list[str] | None, Option("--set", help="A setting of the method, name=value.")] = None,
) -> None:
    """Identify the language, script and encoding of pages, with a confidence.

    Only the first 64 MB of a page are read. A page that cannot be read is a row with a reason, and the exit code is 1.
    """
    paths = paths or []
    has_page_options = url is not None or bool(header) or page_options.is_given
    is_text_possible = text is None and method is None and not lines and not has_page_options
    given_text = find_text(paths) if is_text_possible else ""
    if given_text:
        paths, text = [], given_text
    has_evidence_options = answer_options.geo is not None or answer_options.evidence is not None
    request = Request(paths, as_json, explain, text, lines, has_page_options, has_evidence_options, threads)
    request.check()
    known = Known(url, _parse_headers(header or []), page_options.ip, page_options.country, page_options.inlinks)
    if method is not None:
        if lines or explain or threads is not None or text is not None or answer_options.is_given:
            raise UsageError(NOT_WITH_METHOD)
        from webtongue.cli.methods import MethodChoice, identify_with_method

        choice = MethodChoice(method, model, changes or [])
        given = {"url": url, "inlinks": page_options.inlinks, "ip": page_options.ip, "country": page_options.country}
        choice.check_options({name for name, value in given.items() if value})
        identify_with_method(items(paths, known), choice, as_json)
        return
    if changes:
        raise UsageError("--set changes a published method: name it with --method")
    identifier = Identifier(**answer_options.settings(), model=model)
    if given_text:  # after all checks, so that an error is the only line
        print_stderr("no file has this name, so it is read as a text; --text reads a text without this message")
    request.run(identifier, known)


@dataclass(frozen=True, slots=True)
class Request:
    """What is read, and how it is printed."""

    paths: list[str]
    as_json: bool
    explain: bool
    text: str | None
    lines: bool
    has_page_options: bool
    has_evidence_options: bool
    threads: int | None

    def check(self) -> None:
        """Raise a UsageError if options contradict each other or have no effect."""
        paths, is_text = self.paths, self.text is not None
        once(paths)
        refuse_empty(paths)
        refuse_urls(paths, URL_HINT)
        if self.as_json and self.explain:
            raise UsageError(
                "--json and --explain are two output formats: --json has all that --explain shows but blocks"
            )
        if is_text and (paths or self.lines):
            raise UsageError("--text is read instead of files: give one or the other")
        if not is_text and not paths:
            raise UsageError("give a file, a folder, - for standard input, or --text")
        if self.threads is not None and (is_text or self.lines):
            raise UsageError("--threads is for pages: texts are read one after the other")
        if self.has_evidence_options and (is_text or self.lines):
            raise UsageError("--evidence and --geo are for pages: a text has no other evidence")
        if self.has_page_options and (is_text or self.lines):
            raise UsageError(
                "--url, --header, --ip, --country and --inlink are for pages: a text has no other evidence"
            )
        if self.has_page_options and not is_one(paths):
            raise UsageError(
                "--url, --header, --ip, --country and --inlink describe one page; for several, write an index.jsonl"
            )

    def run(self, ident: Identifier, known: Known) -> None:
        """Read and identify the items, and print the answers."""
        answers: Iterator[tuple[Item, Any]]
        if self.text is not None:
            # A locale without UTF-8 decodes the argument to surrogates.
            text = self.text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
            answers = _identify_texts(iter((Item(text, {"text": text}, text=text),)), ident)
        elif self.lines:
            answers = _identify_texts(texts(self.paths), ident)
        elif self.explain:
            answers = analyze_items(items(self.paths, known), ident)
        else:
            answers = identify_items(items(self.paths, known), ident, self.threads)
        tally = Tally()
        answers = tally.count_answers(show_count(answers, "texts" if self.lines else "pages"))
        if self.as_json:
            print_json(answers, ident)
        elif self.explain:
            from webtongue.cli.explain import print_explanations

            print_explanations(answers, ident)
        else:
            from webtongue.cli.rows import print_verdicts

            print_verdicts(answers)
        tally.check()


@dataclass(slots=True)
class Tally:
    """Counts of answers and of items that could not be read, which decide the exit code."""

    total: int = 0
    unreadable: int = 0

    def count_answers(self, answers: Iterable[tuple[Item, Any]]) -> Iterator[tuple[Item, Any]]:
        """Yield the answers and count them."""
        for item, answer in answers:
            self.total += 1
            self.unreadable += bool(item.trouble)
            yield item, answer

    def check(self) -> None:
        """Raise a CommandExit if items could not be read, or if there were none."""
        if self.unreadable:
            raise CommandExit(EXIT_FAILED, f"{self.unreadable:,} of {self.total:,} could not be read")
        if not self.total:
            raise CommandExit(0, "there is nothing to read")


def print_json(answers: Iterable[tuple[Item, Verdict]], ident: Identifier) -> None:
    """Print each verdict as a line of JSON, with the attribution of the IP-to-country table where it is due."""
    for item, verdict in answers:
        credit = get_country_credit(item.page, verdict, ident)
        row = verdict.to_dict() | ({"country_source": credit} if credit else {})
        sys.stdout.write(format_json_line(build_row(item, row)))


def identify_items(
    source: Iterator[Item], ident: Identifier, threads: int | None = None
) -> Iterator[tuple[Item, Verdict]]:
    """Yield items with their verdicts in the order of the items; a few hundred pages are in memory at a time."""
    first = list(islice(source, 2))
    if len(first) == 1 and first[0].page is not None:  # threads and arrays take longer to start than one page
        yield first[0], ident.analyze(first[0].page).verdict
        return
    waiting: deque[Item] = deque()

    def read_pages() -> Iterator[Page | None]:
        for item in chain(first, source):
            waiting.append(item)
            yield item.page

    for verdict in ident.identify_stream(read_pages(), threads):
        item = waiting.popleft()
        yield item, _unreadable(item.trouble) if item.trouble else verdict


def analyze_items(source: Iterator[Item], ident: Identifier) -> Iterator[tuple[Item, Verdict | Analysis]]:
    """Yield items with their analyses, or with the verdict on an item that could not be read."""
    for item in source:
        yield item, _unreadable(item.trouble) if item.page is None else ident.analyze(item.page)


def _identify_texts(source: Iterator[Item], ident: Identifier) -> Iterator[tuple[Item, Verdict]]:
    for item in source:
        yield item, _unreadable(item.trouble) if item.trouble else ident.identify_text(item.text)


def _unreadable(why: str) -> Verdict:
    return Verdict("und", 0.0, reason=Reason.UNREADABLE, details=Explanation(why))


def build_row(item: Item, answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of JSON: the keys of the item, overridden by those of the answer."""
    return {**item.keys, **({"content_truncated": "length"} if item.cut else {}), **answer}


def _parse_headers(lines: list[str]) -> dict[str, str]:
    headers = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name.strip():
            raise UsageError(f"a header is 'Name: value', not {line!r}")
        headers[name.strip()] = value.strip()
    return headers
