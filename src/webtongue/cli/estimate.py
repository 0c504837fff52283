"""``webtongue estimate``: estimate the census of a crawl from its index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from webtongue import labels
from webtongue.census.shares import format_share
from webtongue.cli.console import Terminal
from webtongue.cli.formatting import print_rows
from webtongue.cli.options import AnswerOptions, Model
from webtongue.cli.parameters import Argument, Option
from webtongue.cli.progress import EstimateProgress
from webtongue.errors import UsageError

if TYPE_CHECKING:
    from webtongue.census.estimate.run import EstimateSummary

__all__ = ["command"]

MB = 1 << 20
MAX_LANGUAGES = 12  # rows of the printed table


def command(
    inputs: Annotated[
        list[str],
        Argument(
            metavar="INDEX",
            help="Parquet files of an index, CDXJ files, folders of them, local or at a URL; WARC with --local.",
        ),
    ],
    *,
    out: Annotated[str, Option("--output", "-o", metavar="OUT", help="The folder to write to: a new one, on a disk.")],
    budget: Annotated[int, Option(min=1, help="The number of records to fetch.")] = 20_000,
    prefix: Annotated[str, Option(help="Put before the archive names of the index: s3://commoncrawl/.")] = "",
    local: Annotated[
        bool, Option("--local", help="The inputs are WARC files; the sample is drawn from what an index would have.")
    ] = False,
    requests: Annotated[int, Option(min=1, max=256, help="Requests that are made at a time.")] = 16,
    seed: Annotated[int, Option(min=0, help="The seed of the sample: the same seed draws the same records.")] = 1,
    retries: Annotated[int, Option(min=0, help="How often a request is repeated that a store refuses for now.")] = 5,
    crawl: Annotated[str, Option(help="The name of the crawl, written to every row.")] = "",
    keep_text: Annotated[bool, Option("--keep-text", help="Write the text of fetched pages to the rows.")] = False,
    answer: AnswerOptions,
    model: Model = None,
) -> None:
    """Estimate the census of a crawl without downloading it: the index is read, and a sample of the records is fetched.

    Every address of the index is classified by the URL model, the languages of its host, and what the index says. The sample is
    stratified by these predictions. OUT is a folder like that of a census, for `webtongue tables` and `webtongue report`.
    """
    from webtongue.census.config import Config
    from webtongue.census.estimate.run import estimate_census
    from webtongue.census.read.remote_io import is_remote

    if is_remote(out):
        raise UsageError(f"{out} is a URL: an estimate is small, write it to a folder on a disk and copy it")
    settings: dict[str, Any] = answer.settings()
    config = Config(**settings, prefix=prefix, retries=retries, crawl=crawl, keep_text=keep_text, model=model)
    with EstimateProgress() as progress:
        summary = estimate_census(
            inputs, Path(out), budget, config, local=local, seed=seed, requests=requests,
            on_stage=progress.show_stage, on_rows=progress.add,
        )  # fmt: skip
    _print_summary(summary, Path(out))


def _print_summary(summary: EstimateSummary, out: Path) -> None:
    terminal = Terminal()
    folder, fetched = terminal.escape(str(out)), summary.fetches - summary.unreachable
    terminal.write_pairs(
        [
            ("index", f"{summary.captures:,} captures, {summary.pages:,} of them may be pages"),
            (
                "fetched",
                f"{fetched:,} records of {len(summary.strata):,} strata, {summary.bytes / MB:,.1f} MB",
            ),
            ("no pages", f"{summary.no_pages:,} of the fetched records"),
            *([("unreachable", _describe_unreachable(summary))] if summary.unreachable else []),
        ]
    )
    terminal.write("\nEstimated pages by language", "bold")
    total = sum(row.pages for row in summary.labels)
    rows = [
        [
            _name(row.label),
            f"{row.pages:,}",
            format_share(row.share, total),
            f"{format_share(row.low, total).rstrip('%')}-{format_share(row.high, total)}",
            f"{row.fetched:,}",
        ]
        for row in summary.labels[:MAX_LANGUAGES]
    ]
    print_rows(
        ["language", "pages", "share", "95%", "fetched"],
        rows,
        terminal,
        frozenset({"pages", "share", "95%", "fetched"}),
    )
    terminal.write("\nWhat other budgets would buy: languages within 10, 25, 50% of their share", "bold")
    columns = ["fetches", "MB", "10%", "25%", "50%", "median half-width, 0.1% and more"]
    print_rows(columns, _budget_rows(summary), terminal, frozenset(columns))
    terminal.write(f"\nwebtongue tables {folder}     languages, countries, encodings")
    terminal.write(f"webtongue report {folder}     one page with charts and maps")


def _describe_unreachable(summary: EstimateSummary) -> str:
    return f"{summary.unreachable:,} of {summary.fetches:,} sampled records; the others of their strata stand for them"


def _budget_rows(summary: EstimateSummary) -> Sequence[Sequence[str]]:
    rows = [asdict(budget) for budget in summary.budgets]
    return [
        [f"{row['fetches']:,}", f"{row['bytes'] / MB:,.0f}", *(str(row[f"within_{n}"]) for n in (10, 25, 50)),
         f"{row['median_half_width']:.0%}"]
        for row in rows
    ]  # fmt: skip


def _name(label: str) -> str:
    parsed = labels.parse(label)
    return labels.name(parsed) if parsed is not None else label
