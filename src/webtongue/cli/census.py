"""``webtongue census``: a crawl in, a row for each capture out."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from webtongue.census.config import Config
from webtongue.census.engines import Engine
from webtongue.census.engines.local import LocalEngine
from webtongue.census.rows import Answerer
from webtongue.census.run import Summary, census
from webtongue.cli.exits import UNREAD, Ended, interrupted
from webtongue.cli.known import Evidence, Geo, Languages, names_of, sources_of
from webtongue.cli.progress import Bar
from webtongue.cli.sizes import size_of
from webtongue.cli.terminal import screen, shown
from webtongue.errors import UsageError

__all__ = ["command"]

SHARE = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(%?)")
MB = 1 << 20
LOCAL, SPARK = "local", "spark"


Inputs: TypeAlias = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT...",
        help="WARC, ARC, WET, WACZ, JSON Lines, Parquet, folders of pages, lists of such paths, or -; here or at an address.",
    ),
]
Out: TypeAlias = Annotated[Path, typer.Option("--out", "-o", metavar="OUT", help="The folder of the census.")]
Resume: TypeAlias = Annotated[bool, typer.Option("--resume", help="Go on with a census that was stopped.")]
Workers: TypeAlias = Annotated[int | None, typer.Option(min=1, help="Processes; one for each core if not said.")]
EngineName: TypeAlias = Annotated[str, typer.Option("--engine", metavar="NAME", help="local, or spark: a cluster.")]
Master: TypeAlias = Annotated[
    str | None, typer.Option(metavar="URL", help="Of Spark: spark://host:7077, local[4], yarn.")
]
Conf: TypeAlias = Annotated[
    list[str] | None, typer.Option(metavar="KEY=VALUE", help="A setting of Spark's; again for more.")
]
Prefix: TypeAlias = Annotated[str, typer.Option(help="Before every path of a list, such as s3://commoncrawl/.")]
Sample: TypeAlias = Annotated[str, typer.Option(metavar="SHARE", help="Of captures, by digest: 1%, 0.01.")]
UrlColumn: TypeAlias = Annotated[str, typer.Option(help="Of tables: where addresses are.")]
ContentColumn: TypeAlias = Annotated[str, typer.Option(help="Where pages are; html, content or text if not said.")]
LargestRecord: TypeAlias = Annotated[str, typer.Option(metavar="SIZE", help="A larger record is a row with a reason.")]
LargestPage: TypeAlias = Annotated[str, typer.Option(metavar="SIZE", help="Of a longer page the beginning is read.")]
PageSeconds: TypeAlias = Annotated[float, typer.Option(min=1, help="That a page may take.")]
Retries: TypeAlias = Annotated[int, typer.Option(min=0, help="Of a request that a store refuses for now.")]
Crawl: TypeAlias = Annotated[str, typer.Option(help="A name for the crawl, in every row.")]
KeepText: TypeAlias = Annotated[bool, typer.Option("--keep-text", help="Keep pages' text, for search.")]
KeepLinks: TypeAlias = Annotated[bool, typer.Option("--keep-links", help="Keep links to other hosts.")]
Settle: TypeAlias = Annotated[
    bool, typer.Option("--settle/--no-settle", help="Judge unclear pages again by what the whole crawl knows.")
]
Portal: TypeAlias = Annotated[bool, typer.Option("--portal", help="Count one home page a server, as Cai 2009.")]
Priors: TypeAlias = Annotated[str, typer.Option(help="web: rare languages are rare; uniform: all alike.")]
Model: TypeAlias = Annotated[str | None, typer.Option(help="A model file of your own.")]
Method: TypeAlias = Annotated[str | None, typer.Option(help="A published method, such as composite.")]
Manner: TypeAlias = Annotated[str | None, typer.Option(help="Of composite: serial or parallel.")]


def command(
    inputs: Inputs,
    out: Out,
    resume: Resume = False,
    workers: Workers = None,
    prefix: Prefix = "",
    sample: Sample = "100%",
    url_column: UrlColumn = "url",
    content_column: ContentColumn = "",
    largest_record: LargestRecord = "256M",
    largest_page: LargestPage = "16M",
    page_seconds: PageSeconds = 60.0,
    retries: Retries = 5,
    crawl: Crawl = "",
    keep_text: KeepText = False,
    keep_links: KeepLinks = False,
    settle: Settle = True,
    portal: Portal = False,
    priors: Priors = "web",
    languages: Languages = None,
    evidence: Evidence = None,
    geo: Geo = None,
    model: Model = None,
    method: Method = None,
    manner: Manner = None,
    engine: EngineName = LOCAL,
    master: Master = None,
    conf: Conf = None,
) -> None:
    """Identify every capture of a crawl: rows in Parquet, a store over them, and what tables and report are made of.

    What cannot be read is a row with a reason. A census that was stopped, by whatever, goes on with --resume.
    """
    config = Config(
        largest_record=size_of(largest_record), largest_page=size_of(largest_page), page_seconds=page_seconds,
        sample=share_of(sample), prefix=prefix, retries=retries, url_column=url_column, content_column=content_column,
        crawl=crawl, keep_text=keep_text, keep_links=keep_links, settle=settle, portal=portal, priors=priors,
        languages=_tuple(names_of(languages)), evidence=_tuple(sources_of(evidence)), model=model, geo=geo,
    )  # fmt: skip
    answer, runner = _method(method, manner), _engine(engine, master, conf, workers)
    try:
        with Bar() as bar:
            summary = census(
                inputs, out, config, engine=runner, resume=resume, answer=answer, watch=bar.watch, said=bar.say
            )
    except KeyboardInterrupt as stop:
        raise interrupted(stop, "what is done stays there: --resume goes on from it") from None
    _print(summary, out)
    if not summary.rows:
        raise Ended(UNREAD, "there was no capture to read")
    if summary.statuses.get("failed") == summary.rows:
        raise Ended(UNREAD, f"no capture could be used: webtongue tables {out} problem_list")
    if unread := summary.problems.get("unreadable", 0):
        raise Ended(
            UNREAD, f"{unread:,} input{'s' * (unread != 1)} could not be read: webtongue tables {out} problem_list"
        )


def _tuple(names: object) -> tuple[str, ...] | None:
    return None if names is None else tuple(names)  # type: ignore[arg-type]


def _engine(name: str, master: str | None, conf: list[str] | None, workers: int | None) -> Engine:
    """Who runs it; only where Spark is asked for is it looked for."""
    if name == LOCAL:
        if master is not None or conf:
            raise UsageError("--master and --conf are of Spark: ask for it with --engine spark")
        return LocalEngine(workers)
    if name != SPARK:
        raise UsageError(f"--engine is {LOCAL} or {SPARK}, not {name!r}")
    if workers is not None:
        raise UsageError("--workers is of one machine: how many a cluster has is said with --conf spark.cores.max=16")
    settings = dict(_setting(one) for one in conf or ())
    from webtongue.census.engines.spark import SparkEngine
    from webtongue.spark import session

    return SparkEngine(session(master, settings))


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key.startswith("spark.") or not equals:
        raise UsageError(f"a setting of Spark is written spark.executor.memory=2g, not {text!r}")
    return key, value


def _method(name: str | None, manner: str | None) -> Answerer | None:
    if name is None:
        if manner is not None:
            raise UsageError("--manner is of a published method: name it with --method composite")
        return None
    from webtongue.cli.methods import Answers

    return Answers(name, manner)


def share_of(text: str) -> float:
    """A share as people write it.

    >>> share_of("1%"), share_of("0.25")
    (0.01, 0.25)
    """
    found = SHARE.fullmatch(text.strip())
    if found is None:
        raise UsageError(f"a share is written 1% or 0.01, not {text!r}")
    return float(found[1]) / (100 if found[2] else 1)


def _print(summary: Summary, out: Path) -> None:
    """What a person likes to read at the end; figures of languages are the tables' to print."""
    where = screen()
    folder = shown(str(out), where.encoding)
    lines = [("captures", f"{summary.rows:,}")]
    for status, words in (
        ("identified", "identified"),
        ("skipped", "no text, by type"),
        ("revisit", "revisits"),
        ("failed", "failed"),
    ):
        if summary.statuses.get(status):
            lines.append((f"  {words}", f"{summary.statuses[status]:,}"))
    if summary.problems:
        worst = sorted(summary.problems.items(), key=lambda pair: (-pair[1], pair[0]))
        lines.append(("problems", ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in worst)))
    if summary.settled is not None and summary.settled.pages:
        found = summary.settled
        lines.append(("second look", f"{found.pages:,} pages, {found.changed:,} with another answer"))
    if summary.resumed:
        lines.append(("done before", f"{summary.resumed:,} of {summary.items:,} inputs"))
    lines.append(("written", f"{summary.size / MB:,.1f} MB in {folder}"))
    for name, value in lines:
        sys.stdout.write(f"{where.styled(f'{name:<20}', 'dim')} {value}\n")
    if summary.attribution:
        sys.stdout.write(f"{summary.attribution}\n")
    sys.stdout.write(f"\nwebtongue tables {folder}     languages, countries, encodings\n")
    sys.stdout.write(f"webtongue report {folder}     one page with charts and maps\n")
