"""``webtongue census``: write a row for each capture of a crawl."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

from webtongue.census.config import Config
from webtongue.census.engines import Engine
from webtongue.census.engines.local import LocalEngine
from webtongue.census.methods import MethodFunction
from webtongue.census.read.remote_io import is_remote
from webtongue.census.run import Summary, census
from webtongue.cli.console import Terminal
from webtongue.cli.errors import EXIT_FAILED, CommandExit, make_interrupt_exit
from webtongue.cli.options import AnswerOptions, Inputs, Model, ReadingOptions, Workers
from webtongue.cli.parameters import Option
from webtongue.cli.progress import CensusProgress
from webtongue.errors import UsageError
from webtongue.records import dataclass

__all__ = ["command"]

MB = 1 << 20
LOCAL, SPARK = "local", "spark"
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


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """Options that choose where a census runs."""

    engine: Annotated[
        str, Option("--engine", metavar="NAME", help="local: processes on this machine; spark: a cluster.")
    ] = LOCAL
    master: Annotated[
        str | None, Option(metavar="URL", help="The Spark master: spark://host:7077, local[4], yarn.")
    ] = None
    conf: Annotated[list[str] | None, Option(metavar="KEY=VALUE", help="A Spark setting; repeatable.")] = None


def command(
    inputs: Inputs,
    out: Annotated[
        str,
        Option(
            "--out",
            "-o",
            metavar="OUT",
            help="The folder or URL to write to: new, or with --resume that of the stopped census.",
        ),
    ],
    *,
    scratch: Annotated[
        str | None,
        Option(metavar="DIR", help="A folder for temporary files if OUT is a URL; a cluster shares it."),
    ] = None,
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
    config = Config(**settings, model=model)
    method_function, engine = _load_method(method, manner), _create_engine(engine_options, workers)
    try:
        with CensusProgress() as progress:
            summary = census(
                inputs, out, config, engine=engine, resume=resume, method=method_function, on_progress=progress.update,
                on_stage=progress.show_stage, scratch=scratch,
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


def _create_engine(options: EngineOptions, workers: int | None) -> Engine:
    """Return the engine; Spark is imported only if it is chosen."""
    if options.engine == LOCAL:
        if options.master is not None or options.conf:
            raise UsageError("--master and --conf are options of Spark: choose it with --engine spark")
        return LocalEngine(workers)
    if options.engine != SPARK:
        raise UsageError(f"--engine is {LOCAL} or {SPARK}, not {options.engine!r}")
    if workers is not None:
        raise UsageError("--workers is for one machine: set the size of a cluster with --conf spark.cores.max=16")
    settings = dict(_parse_setting(text) for text in options.conf or ())
    from webtongue.census.engines.spark import SparkEngine
    from webtongue.integrations.spark import session

    return SparkEngine(session(options.master, settings))


def _parse_setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key.startswith("spark.") or not equals:
        raise UsageError(f"a Spark setting is written spark.executor.memory=2g, not {text!r}")
    return key, value


def _load_method(name: str | None, manner: str | None) -> MethodFunction | None:
    if name is None:
        if manner is not None:
            raise UsageError("--manner is an option of a published method: name it with --method composite")
        return None
    from webtongue.cli.census_methods import Answers

    return Answers(name, manner)


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
    if is_remote(out):
        terminal.write("\ncopy the folder to a disk for tables and a report")
        return
    terminal.write("")
    terminal.write_commands(
        [
            (f"webtongue tables {folder}", "languages, countries, hosts"),
            (f"webtongue report {folder}", "one page with charts and maps"),
        ]
    )
