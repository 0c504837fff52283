"""Scrapy settings: the components of the crawler, and all settings of ``webtongue crawl``."""

from __future__ import annotations

from typing import Any

from webtongue.crawl.config import PREFIX, Config

__all__ = ["COMPONENTS", "scrapy_settings"]

# Settings that switch all components on in a Scrapy project, together with WEBTONGUE_LANGUAGES. The numbers are places in
# Scrapy's order of downloader middleware: HttpCompressionMiddleware, which decompresses bodies, has 590.
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
        "webtongue.crawl.middleware.LanguageMiddleware": 585,
        "webtongue.crawl.robots.RobotsBodyMiddleware": 990,
        "webtongue.crawl.middleware.CaptureMiddleware": 995,
    },
    "SPIDER_MIDDLEWARES": {"webtongue.crawl.middleware.LinkScoreMiddleware": 100},
}  # fmt: skip


def scrapy_settings(config: Config) -> dict[str, Any]:
    """Return all Scrapy settings of a crawl: components, our settings, and polite values for Scrapy's own."""
    ours = {f"{PREFIX}{name.upper()}": value for name, value in config.to_dict().items()}
    return COMPONENTS | ours | {
        "USER_AGENT": config.user_agent, "ROBOTSTXT_OBEY": config.obey_robots, "DOWNLOAD_DELAY": config.delay,
        "CONCURRENT_REQUESTS": config.concurrency, "CONCURRENT_REQUESTS_PER_DOMAIN": 1, "DOWNLOAD_TIMEOUT": config.timeout,
        "DOWNLOAD_MAXSIZE": config.max_page_bytes, "DOWNLOAD_WARNSIZE": 0, "DEPTH_LIMIT": config.depth,
        "URLLENGTH_LIMIT": config.max_url_chars, "RETRY_TIMES": config.retries, "RETRY_ENABLED": config.retries > 0,
        "REDIRECT_ENABLED": False, "METAREFRESH_ENABLED": False, "HTTPERROR_ALLOW_ALL": True, "HTTPPROXY_ENABLED": False,
        "COOKIES_ENABLED": False, "TELNETCONSOLE_ENABLED": False, "REMOTE_CONTROL_ENABLED": False, "LOGSTATS_INTERVAL": 0,
        "DOWNLOAD_FAIL_ON_DATALOSS": False,
        "REFERER_ENABLED": False, "DEPTH_STATS_VERBOSE": False, "CLOSESPIDER_ERRORCOUNT": 0, "LOG_LEVEL": "ERROR",
    }  # fmt: skip
