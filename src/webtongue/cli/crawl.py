"""``webtongue crawl``: pages of a language, from seeds to an archive."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from webtongue.cli.exits import UNREAD, Ended, interrupted
from webtongue.cli.known import names_of
from webtongue.cli.progress import CrawlLine
from webtongue.cli.sizes import size_of
from webtongue.cli.terminal import screen, shown
from webtongue.crawl.config import DEFER, DROP, SVM, USER_AGENT, Config
from webtongue.crawl.run import Summary, crawl
from webtongue.errors import UsageError

__all__ = ["command"]

SCORER = "webtongue.evaluate.url_svm.scorer"  # the published method that a policy asks for
MB = 1 << 20

Seeds: TypeAlias = Annotated[list[str] | None, typer.Argument(metavar="SEED...", help="Addresses to begin at.")]
Language: TypeAlias = Annotated[str, typer.Option("--language", "-l", metavar="LANGS", help="Wanted: fr, or is,fo.")]
Out: TypeAlias = Annotated[
    Path, typer.Option("--out", "-o", metavar="FILE", help="The archive, such as crawl.warc.gz.")
]
Policy: TypeAlias = Annotated[str, typer.Option(help="How links are chosen: random, cctld, svm, url or fused.")]
MaxPages: TypeAlias = Annotated[int, typer.Option(min=0, help="Requests in all; 0: as many as there are.")]
Quota: TypeAlias = Annotated[int, typer.Option(min=0, help="Pages of each language that are enough; 0: never.")]
Threshold: TypeAlias = Annotated[float, typer.Option(min=0, max=1, help="Chance below which a link waits.")]
Drop: TypeAlias = Annotated[bool, typer.Option("--drop", help="Forget links below the threshold.")]
HostPages: TypeAlias = Annotated[int, typer.Option(min=0, help="Requests of a host; 0: any number.")]
HostLinks: TypeAlias = Annotated[int, typer.Option(min=0, help="Addresses of a host that are queued; 0: any number.")]
DomainPages: TypeAlias = Annotated[int, typer.Option(min=0, help="Requests of a registered domain; 0: any number.")]
Delay: TypeAlias = Annotated[float, typer.Option(min=0, help="Seconds between requests to a host.")]
Concurrency: TypeAlias = Annotated[int, typer.Option(min=1, help="Requests under way, one a host.")]
Timeout: TypeAlias = Annotated[float, typer.Option(min=0.1, help="Seconds that a request may take.")]
Depth: TypeAlias = Annotated[int, typer.Option(min=0, help="Links from a seed; 0: any number.")]
Redirects: TypeAlias = Annotated[int, typer.Option(min=0, help="That are followed one after the other.")]
LargestPage: TypeAlias = Annotated[str, typer.Option(metavar="SIZE", help="A larger page is a failure.")]
Retries: TypeAlias = Annotated[int, typer.Option(min=0, help="Of a request that failed for now.")]
UserAgent: TypeAlias = Annotated[str, typer.Option(help="Who asks: say who you are and how to reach you.")]
NoRobots: TypeAlias = Annotated[
    bool, typer.Option("--ignore-robots", help="Do not ask for robots.txt: of your own hosts only.")
]
HttpOnly: TypeAlias = Annotated[bool, typer.Option("--http-only", help="No https, as in Baykan 2013.")]
Private: TypeAlias = Annotated[bool, typer.Option("--allow-private", help="Connect into private networks too.")]
ConnectTo: TypeAlias = Annotated[
    str, typer.Option(metavar="IP:PORT", help="Where all names lead instead of where DNS says: for rehearsals.")
]
Seed: TypeAlias = Annotated[int, typer.Option("--random-seed", help="Of chance, where a policy draws.")]
Resume: TypeAlias = Annotated[bool, typer.Option("--resume", help="Go on with a crawl that was stopped.")]
Log: TypeAlias = Annotated[str, typer.Option(metavar="FILE", help="Where Scrapy's log goes; nowhere if not said.")]


def command(
    out: Out,
    seeds: Seeds = None,
    language: Language = "",
    policy: Policy = "fused",
    max_pages: MaxPages = 1000,
    quota: Quota = 0,
    threshold: Threshold = 0.8,
    drop: Drop = False,
    host_pages: HostPages = 10,
    host_links: HostLinks = 100,
    domain_pages: DomainPages = 200,
    delay: Delay = 1.0,
    concurrency: Concurrency = 16,
    timeout: Timeout = 30.0,
    depth: Depth = 50,
    redirects: Redirects = 5,
    largest_page: LargestPage = "10M",
    retries: Retries = 1,
    user_agent: UserAgent = USER_AGENT,
    ignore_robots: NoRobots = False,
    http_only: HttpOnly = False,
    allow_private: Private = False,
    connect_to: ConnectTo = "",
    random_seed: Seed = 0,
    resume: Resume = False,
    log: Log = "",
) -> None:
    """Fetch pages in the wanted languages, the likeliest links first, into a WARC file that `webtongue census` reads.

    Beside it is a journal: a crawl that was stopped, by whatever, goes on with --resume, by the settings it was begun with.
    """
    names = names_of(language) if language else []
    if not names and not resume:
        raise UsageError("a crawl is for a language: say which, with --language fr, or --language is,fo")
    config = Config(
        languages=tuple(names or ()), quota=quota, max_pages=max_pages, policy=policy, scorer=SCORER if policy == SVM else "",
        threshold=threshold, below=DROP if drop else DEFER, host_pages=host_pages, host_links=host_links,
        domain_pages=domain_pages, seed=random_seed, depth=depth, redirects=redirects, timeout=timeout,
        largest_page=size_of(largest_page), delay=delay, concurrency=concurrency, retries=retries,
        obey_robots=not ignore_robots, user_agent=user_agent, http_only=http_only, allow_private=allow_private,
        connect_to=connect_to, archive=str(out),
    )  # fmt: skip
    with CrawlLine() as line:
        summary = crawl(seeds or [], config, resume=resume, watch=line.watch, log=log)
    _print(summary, out)
    if summary.finished == "shutdown":
        raise interrupted(KeyboardInterrupt(), "what is done stays there: --resume goes on from it")
    if not summary.pages:
        raise Ended(UNREAD, "no page could be fetched")


def _print(summary: Summary, out: Path) -> None:
    """What a person likes to read at the end."""
    where = screen()
    found = sum(summary.targets.values())
    lines = [
        (
            "pages",
            f"{summary.pages:,} of {summary.hosts:,} hosts; {summary.others:,} redirects and errors, {summary.failed:,} failed",
        )
    ]
    for name, count in summary.targets.items():
        lines.append((f"  in {shown(name, where.encoding)}", f"{count:,}"))
    lines.append(("precision", f"{summary.precision:.1%} by their own text"))
    if summary.expected > 0 and found:
        lines.append(("saved", _saved(summary, found)))
    lines.append(("queued", f"{summary.queued:,} addresses more"))
    lines.append(("written", f"{summary.size / MB:,.1f} MB in {shown(str(out), where.encoding)}"))
    for name, value in lines:
        sys.stdout.write(f"{where.styled(f'{name:<20}', 'dim')} {value}\n")
    sys.stdout.write(
        f"\nwebtongue census {shown(str(out), where.encoding)} -o census     languages, countries, encodings\n"
    )


def _saved(summary: Summary, found: int) -> str:
    """What a crawl at random would have had to fetch for as many pages, if it had met the same links."""
    needed = round(found / summary.expected)
    return (
        f"about {max(0, needed - summary.pages):,} requests: {summary.expected:.0%} of all addresses found are wanted"
    )
