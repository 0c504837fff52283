"""Scrapy middleware: guards connections, keeps responses as they came, identifies pages, scores and queues links."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

from scrapy import Request
from scrapy.exceptions import IgnoreRequest, NotConfigured

from webtongue.crawl.addresses import address_of
from webtongue.crawl.archive import Received
from webtongue.crawl.components import focus_of
from webtongue.crawl.config import Config
from webtongue.crawl.focus import Focus, Link, Source
from webtongue.crawl.requests import CONTENTS, LINK, NUMBER, OURS, RECEIVED, SCORE, VERDICT, WORDS
from webtongue.crawl.safety import ANY_NAME, is_public, targets_of
from webtongue.page import Page

__all__ = ["CaptureMiddleware", "FocusMiddleware", "GuardMiddleware", "LanguageMiddleware"]

REDIRECTS = frozenset({301, 302, 303, 307, 308})
OK = 200
UNANSWERED = ("und", "zxx", "mul")
LONGEST_ANCHOR = 200
RELIABLE = 1.0


class GuardMiddleware:
    """Refuses what no connection should be made for, and closes the entry of a request that came to nothing."""

    def __init__(self, crawler: Any) -> None:
        self._config = Config.from_settings(crawler.settings)
        self._rehearsal = targets_of(self._config.connect_to).get(ANY_NAME, ("", 0))[0]
        self._focus = focus_of(crawler)
        self._stats = crawler.stats

    @classmethod
    def from_crawler(cls, crawler: Any) -> GuardMiddleware:
        return cls(crawler)

    def process_request(self, request: Request, spider: Any = None) -> None:
        if not request.url.startswith(("http://", "https://")):
            raise IgnoreRequest("only http and https")

    def process_response(self, request: Request, response: Any, spider: Any = None) -> Any:
        """A response that came from a private network after all, as by a resolver that is not ours, is not read."""
        ip = str(response.ip_address or "")
        if ip and not self._config.allow_private and ip != self._rehearsal and not is_public(ip):
            self._stats.inc_value("webtongue/refused_responses")
            self._failed(request, "a private address")
            raise IgnoreRequest("a private address")
        return response

    def process_exception(self, request: Request, exception: Exception, spider: Any = None) -> None:
        """Nothing came of a request, and nobody asks again."""
        self._failed(request, str(exception) if isinstance(exception, IgnoreRequest) else type(exception).__name__)

    def _failed(self, request: Request, reason: str) -> None:
        number = request.meta.get(NUMBER)
        if number is not None and number in self._focus.under_way:
            self._focus.fail(number, reason)
            self._stats.inc_value("webtongue/failed")


class CaptureMiddleware:
    """Keeps a response as it came, below the unpacking of bodies, for the archive. Off where there is no archive."""

    @classmethod
    def from_crawler(cls, crawler: Any) -> CaptureMiddleware:
        if focus_of(crawler).archive is None:
            raise NotConfigured("WEBTONGUE_ARCHIVE names the file that captures go to")
        return cls()

    def process_response(self, request: Request, response: Any, spider: Any = None) -> Any:
        if NUMBER in request.meta:
            request.meta[RECEIVED] = Received(
                request.url, response.status, response.protocol or "", _pairs(response.headers), response.body,
                str(response.ip_address or ""), request.method, _pairs(request.headers),
            )  # fmt: skip
        return response


def _pairs(headers: Any) -> list[tuple[bytes, bytes]]:
    return [(name, value) for name, values in headers.items() for value in values]


class LanguageMiddleware:
    """Puts the Verdict of each page into ``response.meta["webtongue"]``."""

    def __init__(self, crawler: Any) -> None:
        self._focus = focus_of(crawler)
        self._stats = crawler.stats

    @classmethod
    def from_crawler(cls, crawler: Any) -> LanguageMiddleware:
        return cls(crawler)

    def process_response(self, request: Request, response: Any, spider: Any = None) -> Any:
        if (
            request.meta.get("dont_obey_robotstxt") and NUMBER not in request.meta
        ):  # Scrapy's own request for robots.txt
            return response
        judged = self._focus.judge(request.meta.get(NUMBER), page_of(response))
        request.meta[VERDICT], request.meta[CONTENTS] = judged.verdict, judged.contents
        self._stats.inc_value("webtongue/pages")
        if judged.verdict.label in self._focus.wanted and response.status == OK:
            self._stats.inc_value(f"webtongue/pages/{self._focus.wanted[judged.verdict.label]}")
        return response


def page_of(response: Any) -> Page:
    """A response as the identifier takes it."""
    headers = {
        name.decode("latin-1"): b", ".join(values).decode("latin-1") for name, values in response.headers.items()
    }
    return Page(response.body, response.url, headers, str(response.ip_address) if response.ip_address else None)


class FocusMiddleware:
    """Scores the requests that a page leads to, sets their priority, leaves out what is not worth one, and closes the page."""

    def __init__(self, crawler: Any) -> None:
        self._focus: Focus = focus_of(crawler)
        self._config = self._focus.config
        self._stats = crawler.stats

    @classmethod
    def from_crawler(cls, crawler: Any) -> FocusMiddleware:
        return cls(crawler)

    def process_spider_output(self, response: Any, result: Iterable[Any], spider: Any = None) -> Iterator[Any]:
        """What a spider's method yields, with requests scored; they come after the items, the best first."""
        found: list[Request] = []
        for one in result:
            if not isinstance(one, Request):
                yield one
            elif len(found) < self._config.most_links:
                found.append(one)
        yield from self._scored(response, found)
        self._finish(response)

    async def process_spider_output_async(
        self, response: Any, result: AsyncIterator[Any], spider: Any = None
    ) -> AsyncIterator[Any]:
        """The same for methods that are asynchronous."""
        found: list[Request] = []
        async for one in result:
            if not isinstance(one, Request):
                yield one
            elif len(found) < self._config.most_links:
                found.append(one)
        for request in self._scored(response, found):
            yield request
        self._finish(response)

    def process_spider_exception(self, response: Any, exception: Exception, spider: Any = None) -> None:
        """A page whose spider failed is fetched all the same."""
        self._finish(response)

    def _scored(self, response: Any, found: list[Request]) -> list[Request]:
        source = self._source(response)
        words = self._words(response, found)
        links, kept = [], []
        for request in found:
            for key in (*OURS, LINK, SCORE):  # of the page itself, where a spider hands its meta on
                request.meta.pop(key, None)
            if request.dont_filter or request.method != "GET":
                continue
            address = address_of(request.url, self._config.longest_url, self._config.http_only)
            if address is not None and address.url != source.url:
                anchor, hreflang = words.get(request.url, ("", ""))
                links.append(Link(address, anchor, hreflang))
                kept.append(request)
        out = [request for request in found if request.dont_filter or request.method != "GET"]
        for place, scored in self._focus.follow(source, links):
            request, inlink = kept[place], self._focus.inlink(source, links[place])
            request.meta[SCORE] = scored.score
            request.meta[LINK] = {
                "url": inlink.url, "language": inlink.language, "confidence": inlink.confidence, "anchor": inlink.anchor,
                "hreflang": inlink.hreflang, "likeliest": scored.language,
            }  # fmt: skip
            request.priority = round(1000 * scored.score)
            out.append(request)
        self._stats.inc_value("webtongue/links", len(found))
        self._stats.inc_value("webtongue/left_out", len(found) - len(out))
        return sorted(out, key=lambda request: -request.priority)

    def _source(self, response: Any) -> Source:
        """The page as the source of its links; where it only leads on, the one that linked to it."""
        number = response.meta.get(NUMBER)
        depth = response.meta.get("depth", 0)
        if response.status in REDIRECTS and number is not None:
            links = self._focus.frontier.inlinks(number)
            if links:
                return Source(links[0].url, links[0].language, links[0].confidence, depth)
        verdict = response.meta.get(VERDICT)
        if verdict is None or verdict.label in UNANSWERED:
            return Source(response.url, "", 0.0, depth)
        return Source(response.url, verdict.label, verdict.confidence, depth)

    def _words(self, response: Any, found: list[Request]) -> dict[str, tuple[str, str]]:
        """Anchor and hreflang of requests, by their addresses: as the spider says, or as the page's links have them."""
        out = {request.url: _said(request.meta.pop(WORDS)) for request in found if WORDS in request.meta}
        contents = response.meta.get(CONTENTS)
        if len(out) < len(found) and contents is not None and contents.scanned is not None:
            for link in contents.scanned.links[: 2 * self._config.most_links]:
                out.setdefault(link.url.partition("#")[0], (link.text[:LONGEST_ANCHOR], link.hreflang))
        return out

    def _finish(self, response: Any) -> None:
        meta = response.meta
        number, contents, received = meta.get(NUMBER), meta.pop(CONTENTS, None), meta.pop(RECEIVED, None)
        if number is not None and number in self._focus.under_way:
            page = contents.scanned.page if contents is not None and contents.scanned is not None else None
            self._focus.finish(number, response.status, meta.get(VERDICT), page, received)


def _said(words: tuple[str, str]) -> tuple[str, str]:
    anchor, hreflang = words
    return anchor[:LONGEST_ANCHOR], hreflang
