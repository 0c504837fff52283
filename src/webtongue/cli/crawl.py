"""``webtongue crawl``: fetches pages in wanted languages into a WARC file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

from webtongue.cli.console import Terminal
from webtongue.cli.errors import EXIT_FAILED, CommandExit, make_interrupt_exit
from webtongue.cli.options import parse_names, parse_size
from webtongue.cli.parameters import Argument, Option
from webtongue.cli.progress import CrawlProgress
from webtongue.cli.terminal import escape_text, print_stderr
from webtongue.crawl import Config, Summary, crawl
from webtongue.crawl.config import DEFER, DROP, MB, SVM, USER_AGENT
from webtongue.crawl.policies import Scorer
from webtongue.crawl.safety import PRIVATE_NETWORK
from webtongue.crawl.storage import RESUMABLE
from webtongue.errors import UsageError

__all__ = ["command"]

SCORER = "url_svm"  # the published method for the policy svm
MAX_SEEDS = 10  # seeds that are printed with their reasons if nothing was fetched
MAX_REASONS = 3  # reasons printed for all requests together
# Errors of Scrapy in words, and reasons with what to do.
ERROR_TEXTS = {
    "CannotResolveHostError": "the host name has no address",
    PRIVATE_NETWORK: f"{PRIVATE_NETWORK} (--allow-private connects to it)",
    "DownloadConnectionRefusedError": "the connection was refused",
    "DownloadTimeoutError": "no answer within the time limit (--timeout)",
    "DownloadFailedError": "the connection failed",
    "DownloadCancelledError": "the answer was too large or was refused",
    "ResponseDataLossError": "the answer ended too early",
}

Seeds: TypeAlias = Annotated[list[str] | None, Argument(metavar="SEED...", help="URLs to start at.")]
Language: TypeAlias = Annotated[
    list[str] | None, Option("--language", "-l", metavar="LANGS", help="Wanted languages: fr, or is,fo.")
]
Out: TypeAlias = Annotated[Path, Option("--output", "-o", metavar="FILE", help="The WARC file, such as crawl.warc.gz.")]
Policy: TypeAlias = Annotated[str, Option(help="How links are scored: random, cctld, svm, url or fused.")]
MaxPages: TypeAlias = Annotated[int, Option(min=0, help="Maximal number of requests; 0: no limit.")]
Quota: TypeAlias = Annotated[int, Option(min=0, help="Pages to fetch in each language; 0: no limit.")]
Threshold: TypeAlias = Annotated[float, Option(min=0, max=1, help="A link with a lower score waits.")]
Drop: TypeAlias = Annotated[bool, Option("--drop", help="Do not queue links below the threshold.")]
HostPages: TypeAlias = Annotated[int, Option(min=0, help="Requests per host; 0: no limit.")]
HostLinks: TypeAlias = Annotated[int, Option(min=0, help="URLs per host that are queued; 0: no limit.")]
DomainPages: TypeAlias = Annotated[int, Option(min=0, help="Requests per registered domain; 0: no limit.")]
Delay: TypeAlias = Annotated[float, Option(min=0, help="Seconds between requests to a host.")]
Concurrency: TypeAlias = Annotated[int, Option(min=1, help="Requests in flight, one per host.")]
Timeout: TypeAlias = Annotated[float, Option(min=0.1, help="Seconds per request.")]
Depth: TypeAlias = Annotated[int, Option(min=0, help="Links between a seed and a page; 0: no limit.")]
Redirects: TypeAlias = Annotated[int, Option(min=0, help="Redirects followed in a row.")]
LargestPage: TypeAlias = Annotated[str, Option(metavar="SIZE", help="A larger page is a failure.")]
Retries: TypeAlias = Annotated[int, Option(min=0, help="Retries of a temporary failure.")]
UserAgent: TypeAlias = Annotated[str, Option(help="User-Agent header: say who you are and how to reach you.")]
NoRobots: TypeAlias = Annotated[
    bool, Option("--ignore-robots", help="Do not read robots.txt: for your own hosts only.")
]
HttpOnly: TypeAlias = Annotated[bool, Option("--http-only", help="No https, as in Baykan 2013.")]
Private: TypeAlias = Annotated[bool, Option("--allow-private", help="Connect to private networks too.")]
ConnectTo: TypeAlias = Annotated[
    str,
    Option(metavar="IP:PORT", help="Connect to this IP address for all hosts instead of asking DNS: for tests."),
]
Seed: TypeAlias = Annotated[int, Option("--random-seed", help="Seed of policies that choose at random.")]
Resume: TypeAlias = Annotated[bool, Option("--resume", help="Continue a crawl that was interrupted.")]
Log: TypeAlias = Annotated[str, Option(metavar="FILE", help="File for Scrapy's log; none by default.")]


def command(
    out: Out,
    seeds: Seeds = None,
    language: Language = None,
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
    """Fetch pages in the wanted languages, the most likely links first, into a WARC file that `webtongue census` reads.

    A journal beside the file lets an interrupted crawl continue with --resume, under the settings that it was started with.
    """
    languages = parse_names(language) if language else ()
    if not languages and not resume:
        raise UsageError("a crawl needs a language: use --language fr, or --language is,fo")
    config = Config(
        languages=languages, quota=quota, max_pages=max_pages, policy=policy, scorer=SCORER if policy == SVM else "",
        threshold=threshold, below_threshold=DROP if drop else DEFER, host_pages=host_pages, host_links=host_links,
        domain_pages=domain_pages, random_seed=random_seed, depth=depth, redirects=redirects, timeout=timeout,
        max_page_bytes=parse_size(largest_page), delay=delay, concurrency=concurrency, retries=retries,
        obey_robots=not ignore_robots, user_agent=user_agent, http_only=http_only, allow_private=allow_private,
        connect_to=connect_to, archive=str(out),
    )  # fmt: skip
    with CrawlProgress() as line:
        scorers = {SCORER: _load_url_svm}
        summary = crawl(seeds or [], config, resume=resume, on_progress=line.update, log=log, scorers=scorers)
    _print_summary(summary, out)
    if summary.finish_reason == "shutdown":
        raise make_interrupt_exit(KeyboardInterrupt(), RESUMABLE)
    if not summary.pages_this_run:
        _explain_empty_run(summary)


def _explain_empty_run(summary: Summary) -> None:
    """Say why a run fetched nothing; fail unless there was nothing left to fetch."""
    if not summary.pages or summary.stats.get("webtongue/failed", 0):
        for url, reason in summary.failed_seeds[:MAX_SEEDS]:
            print_stderr(f"{escape_text(url)}: {_describe_failure(reason)}")
        others = len(summary.failed_seeds) > MAX_SEEDS or not summary.failed_seeds
        reasons = ", ".join(
            f"{_describe_failure(name)} ({n})" for name, n in list(summary.failures.items())[:MAX_REASONS]
        )
        raise CommandExit(EXIT_FAILED, f"no page could be fetched{f': {reasons}' if others and reasons else ''}")
    print_stderr(
        f"nothing was fetched in this run: the crawl has {summary.pages:,} pages; increase --max-pages for more"
    )


def _describe_failure(reason: str) -> str:
    """Return a reason of the journal with errors of Scrapy in words."""
    for name, text in ERROR_TEXTS.items():
        reason = reason.replace(name, text)
    return escape_text(reason)


def _load_url_svm() -> Scorer:
    from webtongue.lab.evaluate.url_svm import load_scorer

    return load_scorer()


def _print_summary(summary: Summary, out: Path) -> None:
    terminal = Terminal()
    path = terminal.escape(str(out))
    target_pages = sum(summary.targets.values())
    answers = f"{summary.non_pages:,} redirects and errors, {summary.failed:,} failed"
    lines = [("pages", f"{summary.pages:,} of {summary.hosts:,} hosts; {answers}")]
    lines += [(f"  in {terminal.escape(name)}", f"{count:,}") for name, count in summary.targets.items()]
    lines.append(("precision", f"{summary.precision:.1%} by their own text"))
    if summary.wanted_share > 0 and target_pages:
        lines.append(("saved", _format_saved(summary, target_pages)))
    lines.append(("queued", f"{summary.queued:,} more URLs"))
    lines.append(("written", f"{summary.archive_bytes / MB:,.1f} MB in {path}"))
    terminal.write_pairs(lines)
    if summary.pages:
        terminal.write(f"\nwebtongue census {path} -o census     languages, countries, encodings")


def _format_saved(summary: Summary, target_pages: int) -> str:
    """Return how many more requests a random crawl over the same links would have needed for as many target pages."""
    requests = max(0, round(target_pages / summary.wanted_share) - summary.pages)
    return f"about {requests:,} requests: {summary.wanted_share:.0%} of all URLs are in a wanted language"
