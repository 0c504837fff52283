"""Scrapy's download handler with a limit to the headers of a response: a server that never ends them would fill the memory."""

from __future__ import annotations

from typing import Any

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler

from webtongue.crawl.config import Config

__all__ = ["BoundedHandler"]

IDLE = 10  # seconds that a connection is kept: Twisted's 240 would hold thousands of them open, a host has ten requests
BEFORE_BODY = frozenset({"STATUS", "HEADER"})  # states of Twisted's parser until headers are over


class BoundedHandler(HTTP11DownloadHandler):
    """For DOWNLOAD_HANDLERS. Connections whose headers are over the limit are closed, and the request fails."""

    def __init__(self, crawler: Any) -> None:
        super().__init__(crawler)
        most = Config.from_settings(crawler.settings).largest_header
        self._pool.cachedConnectionTimeout = IDLE
        made = self._pool._factory

        class Bounded(made):  # type: ignore[misc,valid-type]
            noisy = False

            def buildProtocol(self, addr: Any) -> Any:
                return _bounded(super().buildProtocol(addr), most)

        self._pool._factory = Bounded


def _bounded(protocol: Any, most: int) -> Any:
    """A client protocol that counts what comes before the body."""
    original = protocol.dataReceived
    size, counted = 0, None  # bytes of headers, of the response that this parser reads

    def in_headers() -> bool:
        return getattr(getattr(protocol, "_parser", None), "state", "") in BEFORE_BODY

    def received(data: bytes) -> None:
        nonlocal size, counted
        parser = getattr(protocol, "_parser", None)
        if parser is not counted:
            counted, size = parser, 0
        if in_headers():
            size += len(data)
        original(data)
        if size > most and in_headers():
            protocol.transport.abortConnection()

    protocol.dataReceived = received
    return protocol
