"""Runs a crawl from seeds to an archive, for the command and for Python."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from webtongue.crawl.config import FUSED, PREFIX, URL, Config
from webtongue.crawl.frontier import Frontier
from webtongue.crawl.policies import Scorers, build_scorer
from webtongue.crawl.resume import merge_config, read_config
from webtongue.crawl.settings import scrapy_settings
from webtongue.crawl.storage import EXISTS, check_resumable, reserve_files
from webtongue.crawl.urls import parse_url
from webtongue.errors import MissingExtra, UsageError, WebtongueError

__all__ = ["Progress", "Summary", "crawl", "get_journal_path"]

PROGRESS_SECONDS = 0.5  # minimal time between two reports of progress


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a running crawl."""

    requests: int
    pages: int
    targets: dict[str, int]  # pages by wanted language, by our Verdicts
    hosts: int
    queued: dict[str, int]  # URLs by wanted language
    max_pages: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of a crawl, over this run and those before it."""

    pages: int
    non_pages: int  # answers that are redirects or errors
    failed: int
    targets: dict[str, int]  # pages by wanted language, by our Verdicts
    hosts: int
    queued: int
    labels: dict[str, int]  # pages by label
    failures: dict[str, int]  # requests without a page by reason, the most frequent first
    failed_seeds: tuple[tuple[str, str], ...]  # URLs of seeds without a page, and why
    wanted_share: (
        float  # estimated share of wanted pages among all URLs; 0 if scores of the policy are no probabilities
    )
    archive_bytes: int
    finish_reason: str  # Scrapy's
    pages_this_run: int
    stats: dict[str, Any]  # Scrapy's, of this run

    @property
    def precision(self) -> float:
        return sum(self.targets.values()) / self.pages if self.pages else 0.0


def get_journal_path(archive: Path) -> Path:
    """Return the path of the journal beside an archive."""
    return archive.with_name(archive.name + ".journal")


def crawl(
    seeds: Sequence[str],
    config: Config,
    *,
    resume: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
    log: str = "",
    scorers: Scorers | None = None,
) -> Summary:
    """Crawl until a limit is reached, the queue is empty or the process is interrupted, and return a summary.

    ``scorers`` are the methods that ``config.scorer`` may name. An error of the disk is an OSError; the crawl can be resumed
    after it.
    """
    try:
        from scrapy.crawler import AsyncCrawlerProcess

        from webtongue.crawl.components import get_failure
        from webtongue.crawl.spider import LanguageSpider
    except ImportError as error:
        raise MissingExtra(error.name or "scrapy", "crawl") from error
    config = _prepare_config(seeds, config, resume)
    _check_config(config, scorers or {})
    settings = scrapy_settings(config) | ({"LOG_FILE": log, "LOG_LEVEL": "INFO"} if log else {"LOG_ENABLED": False})
    process = AsyncCrawlerProcess(settings | {f"{PREFIX}SCORERS": scorers or {}, "LOG_INSTALL_ROOT_HANDLER": bool(log)})
    if not resume:
        reserve_files([Path(path) for path in (config.journal, config.archive) if path])
    crawler = process.create_crawler(LanguageSpider)
    if on_progress is not None:
        _connect_progress(crawler, on_progress)
    task = process.crawl(crawler, seeds=list(seeds))
    process.start()
    failure = get_failure(crawler) or _get_start_error(task)
    if failure is not None:
        raise failure
    if crawler.stats is None or not crawler.stats.get_value("finish_reason"):
        raise UsageError(f"the crawl could not start: {f'see {log}' if log else 'use --log FILE to see why'}")
    return _summarize(config, crawler.stats.get_stats())


def _get_start_error(task: Any) -> BaseException | None:
    """Return the storage error or wrong setting that kept a crawl from starting, or None."""
    error = task.exception() if task.done() and not task.cancelled() else None
    return error if isinstance(error, OSError | WebtongueError) else None


def _prepare_config(seeds: Sequence[str], config: Config, resume: bool) -> Config:
    """Return the settings with the path of the journal, for a resumed crawl merged with those in the journal."""
    for seed in seeds:
        if parse_url(seed, config.max_url_chars) is None:
            raise UsageError(f"a seed is the URL of a page, such as https://example.org/, not {seed!r}")
    archive = Path(config.archive) if config.archive else None
    if archive is not None and not archive.name:
        raise UsageError(f"the archive is a file, such as crawl.warc.gz, not {config.archive!r}")
    journal = Path(config.journal) if config.journal else (get_journal_path(archive) if archive else None)
    if journal is None:
        return config
    if resume:
        check_resumable(journal, archive)
        return merge_config(read_config(journal), config, str(journal))
    for path in (journal, archive):
        if path is not None and path.exists():
            raise UsageError(f"{path} {EXISTS}")
    if not seeds:
        raise UsageError("a crawl needs a seed: give the URL of a page")
    return replace(config, journal=str(journal))


def _check_config(config: Config, scorers: Scorers) -> None:
    """Raise UsageError for unknown languages, hosts or methods before a file is created."""
    from webtongue import Identifier
    from webtongue.crawl.safety import parse_connect_to

    Identifier().labels_of(config.languages)
    parse_connect_to(config.connect_to)
    scorer = build_scorer(config.scorer, scorers)
    if scorer is not None:
        scorer(["https://example.org/"], config.languages)


def _connect_progress(crawler: Any, on_progress: Callable[[Progress], None]) -> None:
    from scrapy import signals

    from webtongue.crawl.components import get_controller

    last_report = 0.0

    def report(**_: Any) -> None:
        nonlocal last_report
        now = time.monotonic()
        if now - last_report < PROGRESS_SECONDS:
            return
        last_report = now
        controller = get_controller(crawler)
        hosts, queued = controller.count_progress()
        targets = dict(controller.target_counts)
        max_pages = controller.config.max_pages
        on_progress(Progress(controller.requests, controller.pages, targets, hosts, queued, max_pages))

    crawler.signals.connect(report, signals.response_received, weak=False)


def _summarize(config: Config, stats: dict[str, Any]) -> Summary:
    from webtongue import Identifier

    identifier = Identifier()
    wanted = {name: identifier.labels_of([name]) for name in config.languages}
    frontier = Frontier(config.journal, config)
    totals, labels, failures = frontier.count_totals(), frontier.count_labels(), frontier.count_failures()
    wanted_share = frontier.estimate_wanted_share([label for names in wanted.values() for label in names])
    failed_seeds = frontier.list_failed_seeds()
    frontier.close()
    return Summary(
        pages=totals.pages,
        non_pages=totals.answered - totals.pages,
        failed=totals.failed,
        targets={name: sum(labels.get(label, 0) for label in names) for name, names in wanted.items()},
        hosts=totals.hosts,
        queued=totals.queued,
        labels=labels,
        failures=failures,
        failed_seeds=failed_seeds,
        wanted_share=wanted_share if config.policy in (URL, FUSED) else 0.0,
        archive_bytes=Path(config.archive).stat().st_size if config.archive else 0,
        finish_reason=str(stats.get("finish_reason", "")),
        pages_this_run=stats.get("webtongue/fetched", 0),
        stats=stats,
    )
