"""The spider of ``webtongue crawl``: yields every link of a page. The middleware selects those that are followed."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from itertools import chain, islice
from typing import Any
from urllib.parse import urljoin

import scrapy
from scrapy import Request

from webtongue.crawl.components import get_controller
from webtongue.crawl.controller import OK
from webtongue.crawl.middleware import REDIRECT_STATUSES
from webtongue.crawl.requests import ANALYSIS, ANCHOR, PAGE_ID, ROBOTS_WAITS
from webtongue.crawl.urls import parse_url

__all__ = ["LanguageSpider"]

MAX_META_BYTES = 8192  # start of a page in which a robots meta tag is looked for
ROBOTS_META = re.compile(rb"<meta\b[^>]*\bname\s*=\s*[\"']?robots\b[^>]*>", re.IGNORECASE)
NOFOLLOW = re.compile(rb"\b(?:nofollow|none)\b", re.IGNORECASE)
SCANNED_LINKS_RATIO = 5  # links scanned for each link followed: many lead to the same URL


class LanguageSpider(scrapy.Spider):
    """A spider that starts at seeds and follows all links."""

    name = "webtongue"
    # Keys of meta that are read from a request in the journal, and no others.
    restored_counters = frozenset({"depth", "redirect_times", "retry_times", ROBOTS_WAITS})

    def __init__(self, seeds: list[str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.seeds = seeds

    async def start(self) -> AsyncIterator[Any]:
        for seed in self.seeds:
            yield Request(seed, errback=self.fail)

    def parse(self, response: Any, **_: Any) -> Iterator[Request]:
        """Yield requests for the links of a page, or for the target of a redirect."""
        if response.status in REDIRECT_STATUSES:
            yield from self._follow_redirect(response)
            return
        analysis = response.meta.get(ANALYSIS)
        page = analysis.markup if analysis is not None else None
        if response.status != OK or page is None or _has_nofollow(response):
            return
        config = get_controller(self.crawler).config
        seen: set[str] = set()
        alternates = ((link.url, "", link.hreflang) for link in page.alternates if not link.is_self)
        links = ((link.url, link.text, link.hreflang) for link in page.iter_links())
        max_scanned = SCANNED_LINKS_RATIO * config.max_page_links
        for url, anchor, hreflang in islice(chain(alternates, links), max_scanned):
            target = parse_url(url, config.max_url_chars, config.http_only)
            if target is None or target.key in seen:
                continue
            seen.add(target.key)
            request = self._make_request(target.url)
            if request is not None:
                request.meta[ANCHOR] = (anchor, hreflang)
                yield request
            if len(seen) >= config.max_page_links:
                return

    def _follow_redirect(self, response: Any) -> Iterator[Request]:
        """Yield a redirect as a link, so that it is scored and counts for the budget of the host that it leads to."""
        redirects = response.meta.get("redirect_times", 0) + 1
        config = get_controller(self.crawler).config
        location = response.headers.get("Location", b"").decode("utf-8", "replace")
        try:
            target = parse_url(urljoin(response.url, location), config.max_url_chars, config.http_only)
        except ValueError:
            target = None
        if location and target is not None and redirects <= config.redirects:
            request = self._make_request(target.url)
            if request is not None:
                request.meta["redirect_times"] = redirects
                yield request

    def _make_request(self, url: str) -> Request | None:
        try:
            return Request(url, errback=self.fail)
        except ValueError:  # Scrapy refuses some URLs that parse_url accepts
            return None

    def fail(self, failure: Any) -> None:
        """Mark a request as failed, if the middleware did not."""
        controller, request = get_controller(self.crawler), getattr(failure, "request", None)
        page_id = request.meta.get(PAGE_ID) if request is not None else None
        if page_id in controller.in_flight:
            controller.fail(page_id, failure.type.__name__ if failure.type else "failed")


def _has_nofollow(response: Any) -> bool:
    """Return True if a header or a meta tag asks not to follow the links of a page."""
    if any(NOFOLLOW.search(value) for value in response.headers.getlist("X-Robots-Tag")):
        return True
    return any(NOFOLLOW.search(tag[0]) for tag in ROBOTS_META.finditer(response.body[:MAX_META_BYTES]))
