"""The controller that the components of one Scrapy crawler share, built from the settings on first use."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from scrapy.exceptions import NotConfigured
from scrapy.utils.defer import deferred_from_coro

from webtongue import __version__
from webtongue.crawl.archive import Archive
from webtongue.crawl.config import PREFIX, Config
from webtongue.crawl.controller import CrawlController
from webtongue.crawl.frontier import Frontier
from webtongue.crawl.policies import build_scorer
from webtongue.errors import UsageError

__all__ = ["STORAGE_FAILED", "get_controller", "get_failure"]

logger = logging.getLogger(__name__)

STORAGE_FAILED = "webtongue_storage_failed"  # finish_reason after an error of journal or archive
MAX_OFFSET_DIGITS = 19  # a 64-bit number

_controllers: WeakKeyDictionary[Any, CrawlController] = WeakKeyDictionary()  # by crawler


def get_controller(crawler: Any) -> CrawlController:
    """Return the controller of a Scrapy crawler; raise NotConfigured if no languages are set."""
    if crawler not in _controllers:
        config = Config.from_settings(crawler.settings)
        if not config.languages:
            raise NotConfigured(f"{PREFIX}LANGUAGES is not set: give the wanted languages, such as ['fr']")
        scorer = build_scorer(config.scorer, crawler.settings.get(f"{PREFIX}SCORERS") or {})
        archive = _open_archive(config) if config.archive else None
        controller = _controllers[crawler] = CrawlController(config, scorer=scorer, archive=archive)
        controller.on_count = lambda name: crawler.stats.inc_value(f"webtongue/{name}")
        controller.on_stop = lambda: _close_spider(crawler)
    return _controllers[crawler]


def get_failure(crawler: Any) -> OSError | None:
    """Return the error of journal or archive that ended a crawl, or None."""
    controller = _controllers.get(crawler)
    return controller.failure if controller is not None else None


def _close_spider(crawler: Any) -> None:
    logger.error("webtongue: %s", get_failure(crawler))
    engine = crawler.engine
    if engine is not None and engine.running and engine.spider is not None:
        deferred_from_coro(engine.close_spider_async(reason=STORAGE_FAILED))


def _open_archive(config: Config) -> Archive:
    """Open the archive and cut it where the journal says that it ends. Pages that are missing from it are queued again."""
    path = Path(config.archive)
    journal = Frontier(config.journal, config)
    end = journal.get_metadata("archive_end")
    if end and not (end.isascii() and end.isdigit() and len(end) <= MAX_OFFSET_DIGITS):
        raise UsageError(f"{config.journal} is not the journal of a crawl: archive_end is not an offset")
    if end:
        journal.requeue_lost(path.stat().st_size if path.exists() else 0)
    journal.close()
    return Archive(path, f"webtongue/{__version__}", config.user_agent, int(end) if end else None)
