"""A crawl from seeds to an archive: what the command calls."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from webtongue.crawl.addresses import address_of
from webtongue.crawl.config import FUSED, PREFIX, URL, Config
from webtongue.crawl.frontier import Frontier
from webtongue.errors import MissingExtra, UsageError

__all__ = ["Progress", "Summary", "crawl", "journal_of", "scrapy_settings"]

LOOK = 0.5  # seconds between looks at how far it is


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a crawl is; ``targets`` by wanted language, by our own Verdicts."""

    requests: int
    pages: int
    targets: dict[str, int]
    hosts: int
    queued: dict[str, int]
    max_pages: int


@dataclass(frozen=True, slots=True)
class Summary:
    """What a crawl found, this run and those before it together."""

    pages: int
    others: int  # answers that are no pages: redirects and errors
    failed: int
    targets: dict[str, int]
    hosts: int
    queued: int
    languages: dict[str, int]  # pages by label
    finished: str  # why it ended
    size: int  # bytes of the archive
    stats: dict[str, Any] = field(default_factory=dict)
    expected: float = 0.0  # share of wanted pages among all addresses found; 0 where the policy's scores are no chances

    @property
    def precision(self) -> float:
        return sum(self.targets.values()) / self.pages if self.pages else 0.0


def journal_of(out: Path) -> Path:
    """Where the journal of an archive is."""
    return out.with_name(out.name + ".journal")


def scrapy_settings(config: Config) -> dict[str, Any]:
    """All settings of Scrapy for a crawl: ours, and polite ones."""
    from webtongue.crawl.components import COMPONENTS

    own = {f"{PREFIX}{name.upper()}": value for name, value in config.to_dict().items()}
    return COMPONENTS | own | {
        "USER_AGENT": config.user_agent, "ROBOTSTXT_OBEY": config.obey_robots, "DOWNLOAD_DELAY": config.delay,
        "CONCURRENT_REQUESTS": config.concurrency, "CONCURRENT_REQUESTS_PER_DOMAIN": 1, "DOWNLOAD_TIMEOUT": config.timeout,
        "DOWNLOAD_MAXSIZE": config.largest_page, "DOWNLOAD_WARNSIZE": 0, "DEPTH_LIMIT": config.depth,
        "URLLENGTH_LIMIT": config.longest_url, "RETRY_TIMES": config.retries, "RETRY_ENABLED": config.retries > 0,
        "REDIRECT_ENABLED": False, "METAREFRESH_ENABLED": False, "HTTPERROR_ALLOW_ALL": True, "HTTPPROXY_ENABLED": False,
        "COOKIES_ENABLED": False, "TELNETCONSOLE_ENABLED": False, "REMOTE_CONTROL_ENABLED": False, "LOGSTATS_INTERVAL": 0,
        "DOWNLOAD_FAIL_ON_DATALOSS": False,
        "REFERER_ENABLED": False, "DEPTH_STATS_VERBOSE": False, "CLOSESPIDER_ERRORCOUNT": 0, "LOG_LEVEL": "ERROR",
    }  # fmt: skip


def crawl(
    seeds: Sequence[str],
    config: Config,
    *,
    resume: bool = False,
    watch: Callable[[Progress], None] | None = None,
    log: str = "",
) -> Summary:
    """Crawl until there is enough, nothing is left, or someone stops it; ``config.archive`` is where captures go."""
    try:
        from scrapy.crawler import AsyncCrawlerProcess

        from webtongue.crawl.spider import LanguageSpider
    except ImportError as error:
        raise MissingExtra(error.name or "scrapy", "crawl") from error
    if not resume:
        _tried(config)
    config = _ready(seeds, config, resume)
    settings = scrapy_settings(config) | ({"LOG_FILE": log, "LOG_LEVEL": "INFO"} if log else {"LOG_ENABLED": False})
    process = AsyncCrawlerProcess(settings | {"LOG_INSTALL_ROOT_HANDLER": bool(log)})
    crawler = process.create_crawler(LanguageSpider)
    if watch is not None:
        _watched(crawler, watch)
    process.crawl(crawler, seeds=list(seeds))
    process.start()
    if crawler.stats is None or not crawler.stats.get_value("finish_reason"):
        raise UsageError(f"the crawl could not begin{f': see {log}' if log else '; --log FILE says why'}")
    return _summary(config, crawler.stats.get_stats())


def _ready(seeds: Sequence[str], config: Config, resume: bool) -> Config:
    """Settings of a new crawl, or of one that goes on: that one's own, with the limit that was asked for now."""
    for seed in seeds:
        if address_of(seed, config.longest_url) is None:
            raise UsageError(f"a seed is the address of a page, such as https://example.org/, not {seed!r}")
    archive = Path(config.archive) if config.archive else None
    journal = Path(config.journal) if config.journal else (journal_of(archive) if archive else None)
    if journal is None:
        return config
    if resume:
        before = _settings_of(journal)
        return replace(
            before,
            max_pages=config.max_pages,
            journal=str(journal),
            archive=config.archive,
            connect_to=config.connect_to,
        )
    for path in (journal, archive):
        if path is not None and path.exists():
            raise UsageError(f"{path} is there already: --resume goes on with it, or choose another name")
    if not seeds:
        raise UsageError("a crawl begins somewhere: give the address of a page")
    return replace(config, journal=str(journal))


def _settings_of(path: Path) -> Config:
    """The settings that a journal was begun with."""
    if not path.is_file():
        raise UsageError(f"{path} is not there: there is nothing to resume")
    db = sqlite3.connect(path)
    try:
        found = db.execute("SELECT value FROM facts WHERE name = 'config'").fetchone()
        return Config.from_dict(json.loads(found[0]))
    except (sqlite3.DatabaseError, TypeError, ValueError) as error:
        raise UsageError(f"{path} is not the journal of a crawl") from error
    finally:
        db.close()


def _tried(config: Config) -> None:
    """Refuse settings that cannot be used, before anything is written: a language nobody knows, a table of names that is none."""
    from scrapy.utils.misc import load_object

    from webtongue import Identifier
    from webtongue.crawl.safety import targets_of

    Identifier().labels_of(config.languages)
    targets_of(config.connect_to)
    if config.scorer:
        load_object(config.scorer)()(["https://example.org/"], config.languages)


def _watched(crawler: Any, watch: Callable[[Progress], None]) -> None:
    from scrapy import signals

    from webtongue.crawl.components import focus_of

    last = [0.0]

    def look(**_: Any) -> None:
        now = time.monotonic()
        if now - last[0] >= LOOK:
            last[0] = now
            focus = focus_of(crawler)
            watch(
                Progress(
                    focus.requests,
                    focus.pages,
                    dict(focus.found),
                    focus.frontier.tally()["hosts"],
                    focus.frontier.queue_by_language(),
                    focus.config.max_pages,
                )
            )

    crawler.signals.connect(look, signals.response_received, weak=False)


def _summary(config: Config, stats: dict[str, Any]) -> Summary:
    from webtongue import Identifier

    frontier = Frontier(config.journal, config)
    ident = Identifier()
    wanted = {name: ident.labels_of([name]) for name in config.languages}
    tally, found = frontier.tally(), frontier.labels()
    expected = frontier.by_chance([label for names in wanted.values() for label in names])
    frontier.close()
    targets = {name: sum(found.get(label, 0) for label in names) for name, names in wanted.items()}
    size = Path(config.archive).stat().st_size if config.archive else 0
    return Summary(
        tally["pages"], tally["done"] - tally["pages"], tally["failed"], targets, tally["hosts"], tally["queued"], found,
        str(stats.get("finish_reason", "")), size, stats, expected if config.policy in (URL, FUSED) else 0.0,
    )  # fmt: skip
