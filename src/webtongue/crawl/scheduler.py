"""A Scrapy scheduler whose queue is the journal: scores of queued requests change as the crawl learns, and survive its end.

Scrapy's own scheduler fixes the priority of a request when it is queued.
"""

from __future__ import annotations

from typing import Any

from scrapy import Request
from scrapy.core.scheduler import BaseScheduler
from scrapy.exceptions import CloseSpider

from webtongue.crawl.components import STORAGE_FAILED, get_controller
from webtongue.crawl.controller import CrawlController
from webtongue.crawl.frontier import NewPage, QueuedPage
from webtongue.crawl.middleware import PRIORITY_SCALE
from webtongue.crawl.requests import (
    LINK,
    PAGE_ID,
    SCORE,
    dump_request,
    load_request,
    parse_request_url,
    restore_request,
)
from webtongue.crawl.urls import parse_url
from webtongue.page import Inlink
from webtongue.reference.domains import site_of

__all__ = ["LanguageScheduler"]

IN_MEMORY = "memory:"  # prefix of the key of a request that cannot be written as JSON
SEED_SCORE = 1.0  # score of requests without a linking page


class LanguageScheduler(BaseScheduler):
    """The scheduler for the setting SCHEDULER."""

    def __init__(self, crawler: Any) -> None:
        self._crawler = crawler
        self._controller: CrawlController = get_controller(crawler)
        self._config = self._controller.config
        self._requests_in_memory: dict[str, Request] = {}
        self._copies = 0
        self._spider: Any = None

    @classmethod
    def from_crawler(cls, crawler: Any) -> LanguageScheduler:
        return cls(crawler)

    def open(self, spider: Any) -> None:
        self._spider = spider
        self._controller.save_config()
        if self._controller.failure is not None:
            raise CloseSpider(STORAGE_FAILED)

    def close(self, reason: str) -> None:
        self._controller.close()

    def has_pending_requests(self) -> bool:
        return not self._controller.is_finished and self._controller.has_queued()

    def enqueue_request(self, request: Request) -> bool:
        """Queue a request; return False if its URL was queued before or the queue of its host is full."""
        page_id = request.meta.get(PAGE_ID)
        if page_id is not None and self._controller.requeue(page_id, self._dump(request)):
            return True
        target = parse_request_url(request, self._config.max_url_chars)
        if request.dont_filter and self._controller.is_known(target.key):
            self._copies += 1
            target = parse_request_url(request, self._config.max_url_chars, self._copies)
        fields = dict(request.meta.get(LINK) or {})
        language = fields.pop("likely_language", self._config.languages[0])
        inlink = Inlink(**fields) if "url" in fields else None
        page = NewPage(
            target, request.meta.get(SCORE, SEED_SCORE), language, request.meta.get("depth", 0), self._dump(request),
            inlink, site_of(inlink.url)[1] if inlink is not None else "",
        )  # fmt: skip
        is_new = self._controller.enqueue(page)
        self._crawler.stats.inc_value(f"webtongue/{'queued' if is_new else 'duplicates'}")
        return is_new

    def _dump(self, request: Request) -> str:
        """Return a request as JSON, or the key under which it is kept in memory."""
        text = dump_request(request, self._spider)
        if text is None:
            self._crawler.stats.inc_value("webtongue/unserializable")
            text = f"{IN_MEMORY}{len(self._requests_in_memory)}"
            self._requests_in_memory[text] = request
        return text

    def next_request(self) -> Request | None:
        """Return the best request that may be made now, or None."""
        while (page := self._next_page()) is not None:
            try:
                request = self._make_request(page)
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):  # not written by this program
                request = None
            if request is not None:
                return request
            self._controller.fail(page.id, "could not be read from the journal")
        return None

    def _next_page(self) -> QueuedPage | None:
        page = self._controller.next_page()
        if page is None and self._controller.in_flight and self._is_idle():
            # Other components dropped these requests without an error that reached us.
            for page_id in list(self._controller.in_flight):
                self._controller.fail(page_id, "lost")
            page = self._controller.next_page()
        return page

    def _is_idle(self) -> bool:
        engine = self._crawler.engine
        return not engine.downloader.active and engine.scraper.slot.is_idle()

    def _make_request(self, page: QueuedPage) -> Request | None:
        """Return the request of a page, or None if it was kept in the memory of an earlier run."""
        counters = getattr(self._spider, "restored_counters", None)
        request: Request | None
        if counters is not None:
            target = parse_url(page.url, self._config.max_url_chars, self._config.http_only)
            text = "" if page.request.startswith(IN_MEMORY) else page.request
            request = restore_request(text, target.url, counters, self._spider.fail) if target is not None else None
        elif page.request.startswith(IN_MEMORY):
            request = self._requests_in_memory.pop(page.request, None)
        elif page.request:
            request = load_request(page.request, self._spider)
        else:
            request = Request(page.url)
        if request is None:
            return None
        request.meta[PAGE_ID] = page.id
        request.meta[SCORE] = page.score
        request.priority = round(PRIORITY_SCALE * page.score)
        return request
