"""uvicorn's HTTP, with limits on the heads of requests, and problems in place of bare sentences.

uvicorn waits for a head without end and lets it grow without end. Here each connection notes since when it waits for one; the
server looks them over once a second (running.py), which costs a request nothing.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from webtongue.serve.config import Limits
from webtongue.serve.problems import MEDIA_TYPE, Problem

__all__ = ["Protocol", "limited", "sweep"]


class Protocol(HttpToolsProtocol):
    """A connection. ``limited`` gives it its limits."""

    limits = Limits()
    since: float | None = None  # when it began to wait for a head, or for a body to end that nobody reads any more
    head = 0  # bytes that came meanwhile

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A new connection: one too many is closed at once."""
        super().connection_made(transport)
        self.since = self.loop.time()
        if len(self.connections) > self.limits.connections:
            transport.close()

    def data_received(self, data: bytes) -> None:
        """Bytes of a head are counted until it is whole."""
        super().data_received(data)
        if self.since is not None:
            self.head += len(data)
            if self.head > self.limits.head and not self._answered():
                self.refuse(Problem("head-too-large", f"a head has at most {self.limits.head:,} bytes here"))

    def on_message_begin(self) -> None:
        """The next request of this connection."""
        super().on_message_begin()
        self.since, self.head = self.loop.time(), 0

    def on_headers_complete(self) -> None:
        """Its head is whole."""
        self.since = None
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Its body is, too."""
        self.since = None
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Answered before its body was here: the rest is let in for a while, so that the answer is read, and then no more."""
        if self.cycle.more_body:
            self.since = self.loop.time()
        super().on_response_complete()

    def _answered(self) -> bool:
        return self.cycle is not None and self.cycle.response_complete and self.cycle.more_body

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP."""
        self.refuse(Problem("bad-request", msg))

    def refuse(self, problem: Problem) -> None:
        """Answer without the application, and close."""
        if self.transport.is_closing():
            return
        body = problem.answer().body
        assert isinstance(body, bytes)
        line = f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}"
        headers = f"content-type: {MEDIA_TYPE.decode()}\r\ncontent-length: {len(body)}\r\nconnection: close"
        self.transport.write(f"{line}\r\n{headers}\r\n\r\n".encode() + body)
        self.transport.close()

    def overdue(self, now: float) -> None:
        """Close where a head, or the end of an unread body, was waited for too long."""
        if self.since is None or now - self.since < self.limits.head_seconds:
            return
        if self._answered() or self.head == 0:
            self.transport.close()
        else:
            self.refuse(Problem("slow-body", f"the head was not here after {self.limits.head_seconds:g} seconds"))


def limited(limits: Limits) -> type[Protocol]:
    """The protocol with these limits."""
    return type("Limited", (Protocol,), {"limits": limits})


def sweep(connections: Any, now: float) -> None:
    """Look connections over."""
    for connection in [c for c in connections if isinstance(c, Protocol)]:
        connection.overdue(now)
