"""Scrapy middleware: guards connections, captures responses, identifies pages, scores links."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import asdict
from itertools import islice
from typing import Any, Self

from scrapy import Request
from scrapy.exceptions import IgnoreRequest, NotConfigured

from webtongue.crawl.archive import Capture
from webtongue.crawl.components import get_controller
from webtongue.crawl.config import Config
from webtongue.crawl.controller import OK, CrawlController, Link, Source
from webtongue.crawl.requests import ANALYSIS, ANCHOR, CAPTURE, LINK, PAGE_ID, SCORE, TRANSIENT_KEYS, VERDICT
from webtongue.crawl.safety import ANY_HOST, is_public, name_error, parse_connect_to
from webtongue.crawl.urls import parse_url
from webtongue.labels import SPECIAL
from webtongue.page import Page

__all__ = ["CaptureMiddleware", "GuardMiddleware", "LanguageMiddleware", "LinkScoreMiddleware"]

REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
MAX_ANCHOR_CHARS = 200
PRIORITY_SCALE = 1000  # Scrapy's priorities are integers


class _Middleware:
    """Middleware that uses the controller of its crawler."""

    def __init__(self, crawler: Any) -> None:
        self._controller: CrawlController = get_controller(crawler)
        self._config: Config = self._controller.config
        self._stats = crawler.stats

    @classmethod
    def from_crawler(cls, crawler: Any) -> Self:
        return cls(crawler)


class GuardMiddleware(_Middleware):
    """Refuses requests and responses that are not safe, and marks requests that failed in the journal."""

    def __init__(self, crawler: Any) -> None:
        super().__init__(crawler)
        self._override_ip = parse_connect_to(self._config.connect_to).get(ANY_HOST, ("", 0))[0]

    def process_request(self, request: Request, spider: Any = None) -> None:
        if not request.url.startswith(("http://", "https://")):
            raise IgnoreRequest("only http and https")

    def process_response(self, request: Request, response: Any, spider: Any = None) -> Any:
        """Refuse a response from a private network, which a resolver other than ours may lead to."""
        ip = str(response.ip_address or "")
        if ip and not self._config.allow_private and ip != self._override_ip and not is_public(ip):
            self._stats.inc_value("webtongue/refused_responses")
            self._fail(request, "response from a private network")
            raise IgnoreRequest("response from a private network")
        return response

    def process_exception(self, request: Request, exception: Exception, spider: Any = None) -> None:
        """Mark a request as failed that is not retried."""
        is_ignored = isinstance(exception, IgnoreRequest)
        self._fail(request, str(exception) if is_ignored else name_error(exception, request.url))

    def _fail(self, request: Request, reason: str) -> None:
        page_id = request.meta.get(PAGE_ID)
        if page_id is not None and page_id in self._controller.in_flight:
            self._controller.fail(page_id, reason)
            self._stats.inc_value("webtongue/failed")


class CaptureMiddleware:
    """Stores each response as received, before decompression, for the archive."""

    @classmethod
    def from_crawler(cls, crawler: Any) -> CaptureMiddleware:
        if get_controller(crawler).archive is None:
            raise NotConfigured("WEBTONGUE_ARCHIVE is not set: give the path of the WARC file")
        return cls()

    def process_response(self, request: Request, response: Any, spider: Any = None) -> Any:
        if PAGE_ID in request.meta:
            request.meta[CAPTURE] = Capture(
                request.url, response.status, response.protocol or "", _list_headers(response.headers), response.body,
                str(response.ip_address or ""), request.method, _list_headers(request.headers),
            )  # fmt: skip
        return response


def _list_headers(headers: Any) -> list[tuple[bytes, bytes]]:
    return [(name, value) for name, values in headers.items() for value in values]


class LanguageMiddleware(_Middleware):
    """Puts the Verdict of each page into ``response.meta["webtongue"]``."""

    def process_response(self, request: Request, response: Any, spider: Any = None) -> Any:
        is_robots_txt = request.meta.get("dont_obey_robotstxt") and PAGE_ID not in request.meta
        if is_robots_txt:
            return response
        analysis = self._controller.analyze(request.meta.get(PAGE_ID), _make_page(response))
        verdict = analysis.verdict
        request.meta[VERDICT], request.meta[ANALYSIS] = verdict, analysis
        self._stats.inc_value("webtongue/pages")
        if verdict.label in self._controller.wanted and response.status == OK:
            self._stats.inc_value(f"webtongue/pages/{self._controller.wanted[verdict.label]}")
        return response


def _make_page(response: Any) -> Page:
    headers = {
        name.decode("latin-1"): b", ".join(values).decode("latin-1") for name, values in response.headers.items()
    }
    return Page(response.body, response.url, headers, str(response.ip_address) if response.ip_address else None)


class LinkScoreMiddleware(_Middleware):
    """Scores the requests of a page, sets their priority, drops those that should not be made, and finishes the page."""

    def process_spider_output(self, response: Any, result: Iterable[Any], spider: Any = None) -> Iterator[Any]:
        """Yield the items of a callback, and then its scored requests, the best first."""
        requests: list[Request] = []
        for item in result:
            if not isinstance(item, Request):
                yield item
            elif len(requests) < self._config.max_page_links:
                requests.append(item)
        yield from self._score(response, requests)
        self._finish(response)

    async def process_spider_output_async(
        self, response: Any, result: AsyncIterator[Any], spider: Any = None
    ) -> AsyncIterator[Any]:
        """Do the same as ``process_spider_output`` for an asynchronous callback."""
        requests: list[Request] = []
        async for item in result:
            if not isinstance(item, Request):
                yield item
            elif len(requests) < self._config.max_page_links:
                requests.append(item)
        for request in self._score(response, requests):
            yield request
        self._finish(response)

    def process_spider_exception(self, response: Any, exception: Exception, spider: Any = None) -> None:
        """Finish the page: it was fetched, although its callback failed."""
        self._finish(response)

    def _score(self, response: Any, requests: list[Request]) -> list[Request]:
        source = self._make_source(response)
        anchors = self._collect_anchors(response, requests)
        links, candidates, selected = [], [], []
        for request in requests:
            for key in (*TRANSIENT_KEYS, LINK, SCORE):  # a spider may pass the meta of the page on
                request.meta.pop(key, None)
            if request.dont_filter or request.method != "GET":
                selected.append(request)
                continue
            target = parse_url(request.url, self._config.max_url_chars, self._config.http_only)
            if target is not None and target.url != source.url:
                links.append(Link(target, *anchors.get(request.url, ("", ""))))
                candidates.append(request)
        for index, score in self._controller.select_links(source, links):
            request, inlink = candidates[index], self._controller.make_inlink(source, links[index])
            request.meta[SCORE] = score.score
            request.meta[LINK] = {**asdict(inlink), "likely_language": score.language}
            request.priority = round(PRIORITY_SCALE * score.score)
            selected.append(request)
        self._stats.inc_value("webtongue/links", len(requests))
        self._stats.inc_value("webtongue/links/dropped", len(requests) - len(selected))
        return sorted(selected, key=lambda request: -request.priority)

    def _make_source(self, response: Any) -> Source:
        """Return the page as the source of its links. For a redirect, that is the page which links to it."""
        page_id = response.meta.get(PAGE_ID)
        depth = response.meta.get("depth", 0)
        if response.status in REDIRECT_STATUSES and page_id is not None:
            inlinks = self._controller.read_inlinks(page_id)
            if inlinks:
                return Source(inlinks[0].url, inlinks[0].language, inlinks[0].confidence, depth)
        verdict = response.meta.get(VERDICT)
        if verdict is None or verdict.label in SPECIAL:
            return Source(response.url, "", 0.0, depth)
        return Source(response.url, verdict.label, verdict.confidence, depth)

    def _collect_anchors(self, response: Any, requests: list[Request]) -> dict[str, tuple[str, str]]:
        """Return anchor text and hreflang by URL: from the meta of requests, or from the links of the page."""
        anchors = {}
        for request in requests:
            if ANCHOR in request.meta:
                text, hreflang = request.meta.pop(ANCHOR)
                anchors[request.url] = text[:MAX_ANCHOR_CHARS], hreflang
        analysis = response.meta.get(ANALYSIS)
        if len(anchors) < len(requests) and analysis is not None:
            for link in islice(analysis.links, 2 * self._config.max_page_links):
                anchors.setdefault(link.url.partition("#")[0], (link.text[:MAX_ANCHOR_CHARS], link.hreflang))
        return anchors

    def _finish(self, response: Any) -> None:
        meta = response.meta
        page_id, analysis, capture = meta.get(PAGE_ID), meta.pop(ANALYSIS, None), meta.pop(CAPTURE, None)
        if page_id is not None and page_id in self._controller.in_flight:
            self._controller.finish(page_id, response.status, analysis, capture)
