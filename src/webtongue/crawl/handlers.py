"""Scrapy's download handler with a limit on the headers of a response: endless headers would fill the memory."""

from __future__ import annotations

from typing import Any

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler

from webtongue.crawl.config import Config

__all__ = ["BoundedHandler"]

# Twisted's default of 240 seconds would keep thousands of connections open: a host has ten requests, close together.
IDLE_SECONDS = 10
HEADER_STATES = frozenset({"STATUS", "HEADER"})  # states of Twisted's parser before the body


class BoundedHandler(HTTP11DownloadHandler):
    """A handler for DOWNLOAD_HANDLERS that closes a connection, and so fails the request, when headers exceed the limit."""

    def __init__(self, crawler: Any) -> None:
        super().__init__(crawler)
        max_bytes = Config.from_settings(crawler.settings).max_header_bytes
        self._pool.cachedConnectionTimeout = IDLE_SECONDS
        factory = self._pool._factory

        class BoundedFactory(factory):  # type: ignore[misc,valid-type]
            noisy = False

            def buildProtocol(self, addr: Any) -> Any:
                return _limit_headers(super().buildProtocol(addr), max_bytes)

        self._pool._factory = BoundedFactory


def _limit_headers(protocol: Any, max_bytes: int) -> Any:
    """Return a client protocol that aborts its connection when the bytes before a body exceed the limit."""
    forward = protocol.dataReceived
    header_bytes, current_parser = 0, None  # each response has a parser of its own

    def in_headers() -> bool:
        return getattr(getattr(protocol, "_parser", None), "state", "") in HEADER_STATES

    def receive(data: bytes) -> None:
        nonlocal header_bytes, current_parser
        parser = getattr(protocol, "_parser", None)
        if parser is not current_parser:
            current_parser, header_bytes = parser, 0
        if in_headers():
            header_bytes += len(data)
        forward(data)
        if header_bytes > max_bytes and in_headers():
            protocol.transport.abortConnection()

    protocol.dataReceived = receive
    return protocol
