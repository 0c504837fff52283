"""What the components of one Scrapy crawler share: the focus, made from settings when the first of them asks for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from scrapy.exceptions import NotConfigured
from scrapy.utils.misc import load_object

from webtongue import __version__
from webtongue.crawl.archive import Archive
from webtongue.crawl.config import PREFIX, Config
from webtongue.crawl.focus import Focus
from webtongue.crawl.frontier import Frontier

__all__ = ["COMPONENTS", "focus_of"]

# Switches all of it on in any Scrapy project, beside WEBTONGUE_LANGUAGES.
COMPONENTS: dict[str, Any] = {
    "SCHEDULER": "webtongue.crawl.scheduler.LanguageScheduler",
    "TWISTED_DNS_RESOLVER": "webtongue.crawl.safety.GuardedResolver",
    "DOWNLOAD_HANDLERS": {
        "http": "webtongue.crawl.handlers.BoundedHandler",
        "https": "webtongue.crawl.handlers.BoundedHandler",
        "file": None, "ftp": None, "s3": None, "data": None,
    },
    "DOWNLOADER_MIDDLEWARES": {
        "webtongue.crawl.middleware.GuardMiddleware": 40,
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "webtongue.crawl.robots.RobotsMiddleware": 100,
        "webtongue.crawl.middleware.LanguageMiddleware": 585,  # above Scrapy's unpacking of bodies
        "webtongue.crawl.middleware.CaptureMiddleware": 995,  # below it
    },
    "SPIDER_MIDDLEWARES": {"webtongue.crawl.middleware.FocusMiddleware": 100},
}  # fmt: skip

_focuses: WeakKeyDictionary[Any, Focus] = WeakKeyDictionary()  # one a crawler, for as long as it lives


def focus_of(crawler: Any) -> Focus:
    """The focus of a crawler; NotConfigured where no language is wanted."""
    if crawler not in _focuses:
        config = Config.from_settings(crawler.settings)
        if not config.languages:
            raise NotConfigured(f"{PREFIX}LANGUAGES says which languages are wanted, such as ['fr']")
        scorer = load_object(config.scorer)() if config.scorer else None
        archive = _archive(config) if config.archive else None
        _focuses[crawler] = Focus(config, scorer=scorer, archive=archive)
        _focuses[crawler].counted = lambda name: crawler.stats.inc_value(f"webtongue/{name}")
    return _focuses[crawler]


def _archive(config: Config) -> Archive:
    """The archive, cut where the journal says that it ends; what a lost disk took from it is asked for again."""
    path = Path(config.archive)
    journal = Frontier(config.journal, config)
    end = journal.fact("archive")
    if end:
        journal.requeue_from(path.stat().st_size if path.exists() else 0)
    journal.close()
    return Archive(path, f"webtongue/{__version__}", config.user_agent, int(end) if end else None)
