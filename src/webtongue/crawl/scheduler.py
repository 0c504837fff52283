"""A scheduler for Scrapy whose queue is scored anew while a crawl learns, and outlives it.

Scrapy fixes a request's priority when it is queued. Here it is the journal that holds requests, and what is learnt of a host or
from another link changes the order of what waits.
"""

from __future__ import annotations

from typing import Any

from scrapy import Request
from scrapy.core.scheduler import BaseScheduler

from webtongue.crawl.components import focus_of
from webtongue.crawl.config import Config
from webtongue.crawl.focus import Focus
from webtongue.crawl.frontier import Row, Taken
from webtongue.crawl.requests import LINK, NUMBER, SCORE, address_for, dumped, loaded
from webtongue.links import site_of
from webtongue.page import Inlink

__all__ = ["LanguageScheduler"]

IN_MEMORY = "memory:"  # before the number of a request that could not be written
SEED = 1.0  # the score of what nobody linked to: it was asked for


class LanguageScheduler(BaseScheduler):
    """For the setting SCHEDULER."""

    def __init__(self, crawler: Any) -> None:
        self._crawler = crawler
        self._config = Config.from_settings(crawler.settings)
        self._held: dict[str, Request] = {}  # requests that could not be written as JSON
        self._copies = 0
        self._spider: Any = None
        self._focus: Focus = focus_of(crawler)

    @classmethod
    def from_crawler(cls, crawler: Any) -> LanguageScheduler:
        return cls(crawler)

    def open(self, spider: Any) -> None:
        self._spider = spider
        self._focus.remember()

    def close(self, reason: str) -> None:
        self._focus.close()

    def has_pending_requests(self) -> bool:
        return not self._focus.is_over and self._focus.frontier.has_waiting()

    def enqueue_request(self, request: Request) -> bool:
        """Queue a request; False where its address was found before, or its host has had enough."""
        number = request.meta.get(NUMBER)
        if number is not None and self._focus.again(number, self._written(request)):
            return True
        address = address_for(request, self._config.longest_url)
        if request.dont_filter and self._focus.frontier.known([address.key]):
            self._copies += 1
            address = address_for(request, self._config.longest_url, self._copies)
        link = request.meta.get(LINK) or {}
        inlink = (
            Inlink(**{name: link[name] for name in ("url", "language", "confidence", "anchor", "hreflang")})
            if "url" in link
            else None
        )
        row = Row(
            address, request.meta.get(SCORE, SEED), link.get("likeliest", self._config.languages[0]),
            request.meta.get("depth", 0), self._written(request), inlink, site_of(inlink.url)[1] if inlink else "",
        )  # fmt: skip
        made = self._focus.push(row)
        self._crawler.stats.inc_value(f"webtongue/{'queued' if made else 'duplicates'}")
        return made

    def _written(self, request: Request) -> str:
        text = dumped(request, self._spider)
        if text is None:
            self._crawler.stats.inc_value("webtongue/not_written")
            text = f"{IN_MEMORY}{len(self._held)}"
            self._held[text] = request
        return text

    def next_request(self) -> Request | None:
        """The best request that may be made now."""
        taken = self._focus.take()
        if taken is None and self._focus.under_way and self._is_idle():
            for number in list(self._focus.under_way):  # nobody told what became of them
                self._focus.fail(number, "lost")
            taken = self._focus.take()
        return None if taken is None else self._made(taken)

    def _is_idle(self) -> bool:
        engine = self._crawler.engine
        return not engine.downloader.active and engine.scraper.slot.is_idle()

    def _made(self, taken: Taken) -> Request | None:
        if taken.request.startswith(IN_MEMORY):
            request = self._held.pop(taken.request, None)
            if request is None:  # of a run that has ended
                self._focus.fail(taken.id, "could not be written to the journal")
                return self.next_request()
        elif taken.request:
            request = loaded(taken.request, self._spider)
        else:
            request = Request(taken.url, errback=getattr(self._spider, "failed", None))
        request.meta[NUMBER] = taken.id
        request.meta[SCORE] = taken.score
        request.priority = round(1000 * taken.score)
        return request
