"""``webtongue census``: write a row for each capture of a crawl."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

from webtongue.census.config import Config
from webtongue.census.methods import MethodFunction
from webtongue.census.read.remote_io import is_remote
from webtongue.census.run import Summary, census
from webtongue.cli.console import Terminal
from webtongue.cli.engine import EngineOptions
from webtongue.cli.errors import EXIT_FAILED, CommandExit, make_interrupt_exit
from webtongue.cli.options import AnswerOptions, Inputs, Model, ReadingOptions, Workers
from webtongue.cli.parameters import Option
from webtongue.cli.progress import CensusProgress
from webtongue.errors import UsageError
from webtongue.records import dataclass

__all__ = ["command"]

MB = 1 << 20
MAX_LISTED_FOLDERS = 3  # names of skipped folders in a message
STATUSES = {"identified": "identified", "skipped": "no text, by type", "revisit": "revisits", "failed": "failed"}


@dataclass(frozen=True, slots=True)
class RowOptions:
    """Options for the rows of a census, named as in its configuration."""

    crawl: Annotated[str, Option(help="The name of the crawl, written to every row.")] = ""
    keep_text: Annotated[bool, Option("--keep-text", help="Write the text of pages to the rows, for search.")] = False
    keep_links: Annotated[bool, Option("--keep-links", help="Write the links to other hosts, as OUT/links.")] = False
    second_pass: Annotated[
        bool,
        Option(
            "--second-pass/--no-second-pass", help="Identify unclear pages again with evidence from the whole crawl."
        ),
    ] = True
    portal: Annotated[bool, Option("--portal", help="Count one home page per server, as in Cai 2009.")] = False


def command(
    inputs: Inputs,
    out: Annotated[
        str,
        Option(
            "--output",
            "-o",
            metavar="OUT",
            help="The folder or URL to write to: new, or with --resume that of the stopped census.",
        ),
    ],
    *,
    resume: Annotated[bool, Option("--resume", help="Continue a census that was stopped.")] = False,
    workers: Workers = None,
    reading_options: ReadingOptions,
    row_options: RowOptions,
    answer_options: AnswerOptions,
    model: Model = None,
    method: Annotated[
        str | None,
        Option(help="Identify with a published method in place of the model, such as composite (Cai 2009)."),
    ] = None,
    manner: Annotated[str | None, Option(help="How composite combines its approaches: serial or parallel.")] = None,
    engine_options: EngineOptions,
) -> None:
    """Identify every capture of a crawl: write a Parquet row for each, and a database over the rows.

    webtongue tables and webtongue report read the result. A capture that cannot be read is a row with a reason. A census that was
    stopped continues with --resume.
    """
    settings = reading_options.settings() | asdict(row_options) | answer_options.settings()
    config = Config(**settings, model=model if method is None else None)
    given = (answer_options.priors, answer_options.language, answer_options.evidence)
    if method is not None and any(option is not None for option in given):
        raise UsageError(
            "--priors, --language and --evidence do not apply to a published method: leave them out, or leave out --method"
        )
    method_function, engine = _load_method(method, manner, model), engine_options.create(workers)
    try:
        with CensusProgress() as progress:
            summary = census(
                inputs, out, config, engine=engine, resume=resume, method=method_function, on_progress=progress.update,
                on_stage=progress.show_stage, scratch=engine_options.scratch,
            )  # fmt: skip
    except KeyboardInterrupt as stop:
        raise make_interrupt_exit(stop, "finished parts are kept: --resume continues from them") from None
    _print_summary(summary, out)
    if not summary.rows:
        raise CommandExit(EXIT_FAILED, "the inputs contain no capture")
    if summary.statuses.get("failed") == summary.rows:
        raise CommandExit(EXIT_FAILED, f"no capture could be used: webtongue tables {out} problem_list")
    if unread := summary.problems.get("unreadable", 0):
        inputs_text = f"{unread:,} input{'s' * (unread != 1)}"
        raise CommandExit(EXIT_FAILED, f"{inputs_text} could not be read: webtongue tables {out} problem_list")


def _load_method(name: str | None, manner: str | None, model: str | None) -> MethodFunction | None:
    if name is None:
        if manner is not None:
            raise UsageError("--manner is an option of a published method: name it with --method composite")
        return None
    from webtongue.cli.census_methods import Answers

    return Answers(name, manner, model)


def describe_skipped_folders(folders: Sequence[str]) -> str:
    """Return a sentence on folders of the inputs that were not read.

    >>> describe_skipped_folders(["a/out", "b/out", "c/out", "d/out"])
    'a/out, b/out, c/out and 1 more hold a census or a crawl: name them to read them'
    """
    more = f" and {len(folders) - MAX_LISTED_FOLDERS:,} more" if len(folders) > MAX_LISTED_FOLDERS else ""
    return f"{', '.join(folders[:MAX_LISTED_FOLDERS])}{more} hold a census or a crawl: name them to read them"


def _print_summary(summary: Summary, out: str) -> None:
    terminal = Terminal()
    folder = terminal.escape(out)
    lines = [("captures", f"{summary.rows:,}")]
    for status, text in STATUSES.items():
        if summary.statuses.get(status):
            lines.append((f"  {text}", f"{summary.statuses[status]:,}"))
    if summary.problems:
        problems = sorted(summary.problems.items(), key=lambda pair: (-pair[1], pair[0]))
        lines.append(("problems", ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in problems)))
    if summary.second_pass is not None and summary.second_pass.pages:
        changed = f"{summary.second_pass.changed:,} with another answer"
        lines.append(("second pass", f"{summary.second_pass.pages:,} pages, {changed}"))
    if summary.resumed:
        lines.append(("done before", f"{summary.resumed:,} of {summary.items:,} inputs"))
    if summary.skipped_folders:
        lines.append(("left out", terminal.escape(describe_skipped_folders(summary.skipped_folders))))
    lines.append(("written", f"{summary.size / MB:,.1f} MB in {folder}"))
    terminal.write_pairs(lines)
    if summary.attribution:
        terminal.write_wrapped(terminal.escape(summary.attribution))
    terminal.write("")
    terminal.write_commands(
        [
            (f"webtongue tables {folder}", "languages, countries, hosts"),
            (f"webtongue report {folder}{' -o report.html' * is_remote(out)}", "one page with charts and maps"),
        ]
    )
