"""The spider of ``webtongue crawl``: it follows every link of a page, and leaves the choice to the focus."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from itertools import islice
from typing import Any
from urllib.parse import urljoin

import scrapy
from scrapy import Request

from webtongue.crawl.addresses import address_of
from webtongue.crawl.components import focus_of
from webtongue.crawl.middleware import REDIRECTS
from webtongue.crawl.requests import CONTENTS, WORDS

__all__ = ["LanguageSpider"]

HEAD = 8192  # bytes in which a page says that its links are not to be followed
META = re.compile(rb"<meta\b[^>]*\bname\s*=\s*[\"']?robots\b[^>]*>", re.IGNORECASE)
NO_FOLLOW = re.compile(rb"\b(?:nofollow|none)\b", re.IGNORECASE)
MORE = 5  # times as many links are looked at as are followed: many lead to one address


class LanguageSpider(scrapy.Spider):
    """Seeds in, links out."""

    name = "webtongue"

    def __init__(self, seeds: list[str], **others: Any) -> None:
        super().__init__(**others)
        self.seeds = seeds

    async def start(self) -> AsyncIterator[Any]:
        for seed in self.seeds:
            yield Request(seed, errback=self.failed)

    def parse(self, response: Any, **_: Any) -> Iterator[Request]:
        """The links of a page, or where it leads on."""
        if response.status in REDIRECTS:
            yield from self._led_on(response)
            return
        contents = response.meta.get(CONTENTS)
        if response.status != 200 or contents is None or contents.scanned is None or _asks_not_to(response):
            return
        config = focus_of(self.crawler).config
        seen: set[str] = set()
        page = contents.scanned
        alternates = ((one.url, "", one.hreflang) for one in page.alternates if not one.is_self)
        links = ((link.url, link.text, link.hreflang) for link in page.each_link())
        for url, anchor, hreflang in islice(_chained(alternates, links), MORE * config.most_links):
            address = address_of(url, config.longest_url, config.http_only)
            if address is None or address.key in seen:
                continue
            seen.add(address.key)
            request = self._request(address.url)
            if request is not None:
                request.meta[WORDS] = (anchor, hreflang)
                yield request
            if len(seen) >= config.most_links:
                return

    def _led_on(self, response: Any) -> Iterator[Request]:
        """A redirect is a link: it counts against the budget of the host that it leads to, and is judged as any other."""
        times = response.meta.get("redirect_times", 0) + 1
        config = focus_of(self.crawler).config
        place = response.headers.get("Location", b"").decode("utf-8", "replace")
        try:
            address = address_of(urljoin(response.url, place), config.longest_url, config.http_only)
        except ValueError:
            address = None
        request = self._request(address.url) if place and address is not None and times <= config.redirects else None
        if request is not None:
            request.meta["redirect_times"] = times
            yield request

    def _request(self, url: str) -> Request | None:
        try:
            return Request(url, errback=self.failed)
        except ValueError:  # Scrapy refuses some that we do not
            return None

    def failed(self, failure: Any) -> None:
        """Nothing came of a request; most are told of by the middleware."""
        focus, request = focus_of(self.crawler), getattr(failure, "request", None)
        number = request.meta.get("webtongue_id") if request is not None else None
        if number in focus.under_way:
            focus.fail(number, failure.type.__name__ if failure.type else "failed")


def _chained(*parts: Any) -> Iterator[tuple[str, str, str]]:
    for part in parts:
        yield from part


def _asks_not_to(response: Any) -> bool:
    """Whether a page asks that its links are not followed, in a header or at its beginning."""
    if any(NO_FOLLOW.search(value) for value in response.headers.getlist("X-Robots-Tag")):
        return True
    return any(NO_FOLLOW.search(found[0]) for found in META.finditer(response.body[:HEAD]))
