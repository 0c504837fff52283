"""Obeys robots.txt (RFC 9309): follows redirects, forbids everything if a file cannot be read, and keeps Crawl-delay.

Scrapy's own middleware follows no redirects of robots.txt if those of pages are off, allows everything if robots.txt cannot be
read, and stores rules by host and port without the scheme.
"""

from __future__ import annotations

import logging
import time
import zlib
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from scrapy import Request, signals
from scrapy.exceptions import IgnoreRequest, NotConfigured, StopDownload
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.misc import build_from_crawler, load_object
from twisted.internet.defer import Deferred

from webtongue.crawl.components import get_controller
from webtongue.crawl.config import Config
from webtongue.crawl.middleware import REDIRECT_STATUSES
from webtongue.crawl.requests import PAGE_ID, ROBOTS_BYTES, ROBOTS_WAITS
from webtongue.crawl.robots_rules import MAX_ROBOTS_BYTES, get_authority, resolve_redirect, select_group
from webtongue.crawl.safety import name_error

__all__ = ["RobotsBodyMiddleware", "RobotsMiddleware"]

logger = logging.getLogger(__name__)

MAX_AUTHORITIES = 2048  # authorities whose rules are cached: a host has ten requests, close together
MAX_CACHE_BYTES = 8 << 20  # all cached rules together
MAX_REDIRECTS = 5  # RFC 9309, 2.3.1.2
MAX_LATER_TRIES = 2  # further tries after a 5xx or 429, before pages of the authority fail
MAX_DECOMPRESSED_BYTES = 8 * MAX_ROBOTS_BYTES  # limit for a Content-Encoding that Scrapy decompresses
HEARTBEAT_SECONDS = 5.0  # Scrapy polls the scheduler at least this often; its downloader handles shorter delays
DOWNLOAD_PRIORITY = 1000  # before all pages
GZIP_ENCODINGS = frozenset({b"gzip", b"x-gzip", b"deflate"})


@dataclass(frozen=True, slots=True)
class Rules:
    """The robots.txt of one authority."""

    parser: Any  # Scrapy's robots.txt parser; None if nothing is allowed
    reason: str = ""  # why nothing is allowed
    crawl_delay: float = 0.0  # seconds
    size: int = 0  # bytes of the rules
    tries: int = 1
    retry_at: float | None = None  # time of the next try, in time.monotonic(); None: no further try


class RobotsMiddleware:
    """Replaces Scrapy's RobotsTxtMiddleware; switched on by ROBOTSTXT_OBEY too."""

    def __init__(self, crawler: Any) -> None:
        if not crawler.settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured
        self._crawler, self._stats = crawler, crawler.stats
        self._config = Config.from_settings(crawler.settings)
        self._default_agent: str = crawler.settings["USER_AGENT"]
        self._robots_agent: str | None = crawler.settings["ROBOTSTXT_USER_AGENT"]
        self._parser_class = load_object(crawler.settings.get("ROBOTSTXT_PARSER"))
        self._cache: OrderedDict[tuple[str, str], Rules] = OrderedDict()  # by authority and user agent
        self._cache_bytes = 0
        self._waiting: dict[tuple[str, str], list[Deferred[Rules]]] = {}  # requests that wait for a download of rules
        self._crawl_delays: OrderedDict[str, float] = OrderedDict()  # seconds, by slot of the downloader
        try:
            self._controller: Any = get_controller(crawler)
        except NotConfigured:  # without WEBTONGUE_LANGUAGES robots.txt is obeyed too
            self._controller = None

    @classmethod
    def from_crawler(cls, crawler: Any) -> RobotsMiddleware:
        return cls(crawler)

    async def process_request(self, request: Request, spider: Any = None) -> Request | None:
        """Return None if a request is allowed, or a copy that is queued again while robots.txt fails temporarily."""
        if request.meta.get("dont_obey_robotstxt") or not request.url.startswith(("http://", "https://")):
            return None
        agent = self._robots_agent or request.headers.get(b"User-Agent", self._default_agent) or ""
        agent = agent.decode("latin-1") if isinstance(agent, bytes) else str(agent)
        rules = await self._get_rules(request.url, agent)
        if rules.parser is None:
            return self._postpone(request, rules)
        if not rules.parser.allowed(request.url, agent):
            self._stats.inc_value("robotstxt/forbidden")
            raise IgnoreRequest("Forbidden by robots.txt")
        if rules.crawl_delay:
            self._set_delay(request, rules.crawl_delay)
        return None

    def _postpone(self, request: Request, rules: Rules) -> Request:
        """Return a copy to queue again if robots.txt is tried again, which needs our scheduler; else raise IgnoreRequest."""
        page_id, waits = request.meta.get(PAGE_ID), request.meta.get(ROBOTS_WAITS, 0)
        can_wait = self._controller is not None and page_id in self._controller.in_flight
        if rules.retry_at is None or not can_wait or waits >= MAX_LATER_TRIES:
            self._stats.inc_value("webtongue/robots/unreadable")
            raise IgnoreRequest(f"robots.txt could not be read: {rules.reason}")
        self._controller.pause_host(page_id, rules.retry_at - time.monotonic())
        self._stats.inc_value("webtongue/robots/postponed")
        copy = request.replace(dont_filter=True)
        copy.meta[ROBOTS_WAITS] = waits + 1
        return copy

    async def _get_rules(self, url: str, agent: str) -> Rules:
        """Return the rules for a URL: from the cache, from a download that another request waits for, or from a new one."""
        key = get_authority(url), agent
        cached = self._cache.get(key)
        if cached is not None and (cached.retry_at is None or time.monotonic() < cached.retry_at):
            self._cache.move_to_end(key)
            return cached
        if key in self._waiting:
            waiting: Deferred[Rules] = Deferred()
            self._waiting[key].append(waiting)
            return await maybe_deferred_to_future(waiting)
        self._waiting[key] = []
        rules = Rules(None, "cancelled")
        try:
            rules = await self._fetch(*key, cached.tries + 1 if cached is not None else 1)
            self._store(key, rules)
        finally:
            for waiting in self._waiting.pop(key):
                waiting.callback(rules)
        return rules

    def _store(self, key: tuple[str, str], rules: Rules) -> None:
        replaced = self._cache.pop(key, None)
        self._cache[key] = rules
        self._cache_bytes += rules.size - (replaced.size if replaced is not None else 0)
        while len(self._cache) > MAX_AUTHORITIES or self._cache_bytes > MAX_CACHE_BYTES:
            _, oldest = self._cache.popitem(last=False)
            self._cache_bytes -= oldest.size

    async def _fetch(self, authority: str, agent: str, tries: int) -> Rules:
        """Return the rules in the robots.txt of an authority, or at the end of its redirects."""
        self._stats.inc_value("robotstxt/request_count")
        url, visited = f"{authority}/robots.txt", set()
        for _ in range(MAX_REDIRECTS + 1):
            visited.add(url)
            try:
                response = await self._download(url, agent)
                self._stats.inc_value(f"robotstxt/response_status_count/{response.status}")
                if response.status not in REDIRECT_STATUSES:
                    return await self._read_response(response, agent, tries)
            except Exception as error:  # unreachable, refused by the guard, timed out, damaged data
                self._stats.inc_value(f"robotstxt/exception_count/{type(error).__name__}")
                logger.info("webtongue: %s could not be read: %r", url, error)
                return Rules(None, name_error(error, url), tries=tries)
            location = response.headers.get("Location", b"").decode("utf-8", "replace")
            url = resolve_redirect(url, location, self._config.max_url_chars)
            if not url:
                return Rules(None, "redirect to an invalid URL", tries=tries)
            if url in visited:
                return Rules(None, "redirect loop", tries=tries)
        return Rules(None, f"more than {MAX_REDIRECTS} redirects", tries=tries)

    async def _download(self, url: str, agent: str) -> Any:
        # RobotsBodyMiddleware limits the size.
        meta = {"dont_obey_robotstxt": True, "download_maxsize": 0, ROBOTS_BYTES: 0}
        headers = {"Accept-Encoding": "gzip"}
        if not self._robots_agent:  # ROBOTSTXT_USER_AGENT is only compared with robots.txt, never sent
            headers["User-Agent"] = agent
        request = Request(url, headers=headers, priority=DOWNLOAD_PRIORITY, meta=meta, callback=NO_CALLBACK)
        return await self._crawler.engine.download_async(request)

    async def _read_response(self, response: Any, agent: str, tries: int) -> Rules:
        """Return the rules of 2xx; 4xx allows everything, and 5xx and 429 forbid everything for now (RFC 9309, 2.3.1).

        The RFC would allow everything after a 429.
        """
        status = response.status
        if not 200 <= status < 500 or status == 429 or 300 <= status < 400:
            can_try = tries <= MAX_LATER_TRIES and (status == 429 or status >= 500)
            retry_at = time.monotonic() + self._config.robots_retry_delay * tries if can_try else None
            return Rules(None, f"status {status}", tries=tries, retry_at=retry_at)
        group = select_group(response.body if status < 300 else b"", agent)
        text = group.text.encode("utf-8", "ignore")
        parser = build_from_crawler(self._parser_class, self._crawler, text)
        await self._crawler.signals.send_catch_log_async(
            signal=signals.robots_parsed, robotparser=parser, request=response.request
        )
        return Rules(parser, crawl_delay=group.crawl_delay, size=len(text))

    def _set_delay(self, request: Request, delay: float) -> None:
        """Keep a Crawl-delay between pages of a host. The first page follows robots.txt after the usual delay."""
        downloader = self._crawler.engine.downloader
        key = downloader.get_slot_key(request)
        slots = downloader.per_slot_settings
        slot = downloader.slots.get(key) if key in self._crawl_delays else None
        delay = max(delay, self._crawl_delays.pop(key, 0.0), slots.get(key, {}).get("delay", 0.0), self._config.delay)
        self._crawl_delays[key] = delay
        slots[key] = {**slots.get(key, {}), "delay": delay, "jitter": 0.0}  # for the next slot of this host
        if slot is not None:
            slot.delay, slot.jitter = delay, 0.0
        if len(self._crawl_delays) > MAX_AUTHORITIES:
            slots.pop(self._crawl_delays.popitem(last=False)[0], None)
        page_id = request.meta.get(PAGE_ID)
        if delay > HEARTBEAT_SECONDS and self._controller is not None and page_id in self._controller.in_flight:
            # The next request of the host waits in the queue, not in the downloader.
            self._controller.pause_host(page_id, delay - HEARTBEAT_SECONDS)


class RobotsBodyMiddleware:
    """Limits the size of a robots.txt, compressed and decompressed. It runs before Scrapy decompresses bodies."""

    @classmethod
    def from_crawler(cls, crawler: Any) -> RobotsBodyMiddleware:
        middleware = cls()
        crawler.signals.connect(middleware.bytes_received, signals.bytes_received)
        return middleware

    def process_request(self, request: Request, spider: Any = None) -> None:
        if ROBOTS_BYTES in request.meta:
            request.meta[ROBOTS_BYTES] = 0  # a retry copies the count of the failed request

    def bytes_received(self, data: bytes, request: Request, spider: Any = None) -> None:
        if ROBOTS_BYTES in request.meta:
            request.meta[ROBOTS_BYTES] += len(data)
            if request.meta[ROBOTS_BYTES] > MAX_ROBOTS_BYTES:
                raise StopDownload(fail=False)

    def process_response(self, request: Request, response: Any, spider: Any = None) -> Any:
        if ROBOTS_BYTES not in request.meta:
            return response
        request.meta["download_maxsize"] = MAX_DECOMPRESSED_BYTES
        if response.headers.get("Content-Encoding", b"").strip().lower() not in GZIP_ENCODINGS:
            return response
        response = response.replace(body=_decompress(response.body) if response.body else b"")
        del response.headers["Content-Encoding"]
        return response


def _decompress(body: bytes) -> bytes:
    """Return the decompressed body up to the limit, so that a decompression bomb is not expanded."""
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(body, MAX_ROBOTS_BYTES + 1)
    except zlib.error:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(body, MAX_ROBOTS_BYTES + 1)
