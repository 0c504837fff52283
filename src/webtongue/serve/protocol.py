"""uvicorn's HTTP protocol with limits on everything but bodies (see bodies.py), and errors as problem details.

A connection counts the bytes received since the last byte of a body: heads, chunk sizes and extensions, trailers, blank lines.
uvicorn does not limit them. Trailers are dropped: they never become headers of a request. The server checks the times of all
connections once a second (server.py), so that a request needs no timer. A response of known size is written in one system call.
"""

from __future__ import annotations

import asyncio
from functools import cache, partial
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from webtongue.serve.config import Limits
from webtongue.serve.http import HAS_MESSAGE, IS_CLOSING, RESPOND
from webtongue.serve.problems import MEDIA_TYPE, Problem

__all__ = ["MAX_PIPELINED", "Protocol", "close_overdue", "protocol_with"]

SLICE_BYTES = 4 << 10  # parsed at a time; limits are checked before each slice
MAX_PIPELINED = 16  # requests of one connection that wait for the response to an earlier one


class PipelineFull(Exception):
    """More requests wait on a connection than are allowed."""


class Protocol(HttpToolsProtocol):
    """A connection. :func:`protocol_with` sets its limits."""

    limits = Limits()
    waiting_since: float | None = None  # start of the wait for a head, or for the end of a body that is no longer read
    blocked_since: float | None = None  # start of the wait for the client to read the response
    overhead_bytes = 0  # received since the last byte of a body
    slice_bytes = 0  # size of the slice that is being parsed
    in_head = False  # headers after the body are trailers
    is_finished = False  # no further bytes are read

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer of the first head; close a connection above the limit at once."""
        super().connection_made(transport)
        self.waiting_since = self.loop.time()
        if len(self.connections) > self.limits.connections:
            transport.close()

    def data_received(self, data: bytes) -> None:
        """Parse bytes slice by slice, while the bytes outside bodies are within their limit."""
        begin = 0
        while begin < len(data) and not self.is_finished and not self.transport.is_closing():
            size = min(len(data) - begin, SLICE_BYTES, self.limits.head_bytes - self.overhead_bytes)
            if size <= 0:
                detail = f"a head, or trailers, may have at most {self.limits.head_bytes:,} bytes"
                self.refuse(Problem("head-too-large", detail))
                return
            self.slice_bytes = size
            self.overhead_bytes += size
            super().data_received(data[begin : begin + size])
            begin += size

    def on_message_begin(self) -> None:
        """Start the timer of the next head."""
        super().on_message_begin()
        self.waiting_since, self.overhead_bytes, self.in_head = self.loop.time(), self.slice_bytes, True

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header of the request; drop a trailer."""
        if self.in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Pass the request to the application, or queue it."""
        if len(self.pipeline) >= MAX_PIPELINED:
            raise PipelineFull
        self.waiting_since, self.overhead_bytes, self.in_head = None, 0, False
        extensions: dict[str, dict[object, object]] = {IS_CLOSING: {"is_closing": self.transport.is_closing}}
        self.scope["extensions"] = extensions
        super().on_headers_complete()
        extensions[HAS_MESSAGE] = {"has_message": self.cycle.message_event.is_set}
        extensions[RESPOND] = {"respond": partial(_respond, self.cycle)}

    def on_body(self, body: bytes) -> None:
        """Pass on a part of a body."""
        self.overhead_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """End the request's body."""
        self.waiting_since, self.overhead_bytes = None, 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Give the client time to send the rest of a body that was answered early, so that it reads the response."""
        if self._is_answered_early():
            self.waiting_since = self.loop.time()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Start the timer of a client that does not read."""
        super().pause_writing()
        self.blocked_since = self.loop.time()

    def resume_writing(self) -> None:
        """Stop that timer."""
        super().resume_writing()
        self.blocked_since = None

    def _is_answered_early(self) -> bool:
        return self.cycle is not None and self.cycle.response_complete and self.cycle.more_body

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are not valid HTTP."""
        self.refuse(Problem("bad-request", msg))

    def refuse(self, problem: Problem) -> None:
        """Stop reading, respond without the application unless a response is being sent, and close the connection.

        If earlier requests still wait for their responses, the connection is closed after the last of those instead.
        """
        if self.is_finished or self.transport.is_closing():
            return
        self.is_finished = True
        cycle = self.cycle
        if cycle is not None and not cycle.response_complete and (self.pipeline or not cycle.more_body):
            cycle.keep_alive = False
            return
        if cycle is None or (not cycle.response_started if cycle.more_body else cycle.response_complete):
            self._write(problem)
        self.transport.close()

    def _write(self, problem: Problem) -> None:
        body = problem.to_response().body
        assert isinstance(body, bytes)
        headers = f"content-type: {MEDIA_TYPE.decode()}\r\ncontent-length: {len(body)}\r\nconnection: close"
        self.transport.write(_status_line(problem.status) + f"{headers}\r\n\r\n".encode() + body)

    def close_if_overdue(self, now: float) -> None:
        """Close if the client takes too long to send a head or the rest of a body, or to read the response."""
        if self.blocked_since is None and self.transport.is_closing():
            self.blocked_since = now  # closing, but the client has not read everything
        if self.blocked_since is not None and now - self.blocked_since > self.limits.body_seconds:
            self.transport.abort()
        elif self.waiting_since is not None and now - self.waiting_since > self.limits.head_seconds:
            if self._is_answered_early() or self.overhead_bytes == 0:
                self.transport.close()
            else:
                detail = f"the head did not arrive within {self.limits.head_seconds:g} seconds"
                self.refuse(Problem("slow-body", detail))


@cache
def _status_line(status: int) -> bytes:
    return f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n".encode()


def _respond(cycle: RequestResponseCycle, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> bool:
    """Write a whole response, whose headers must be the service's own: uvicorn checks each, and writes the body by itself.

    Return False, and write nothing, if the connection has to be waited for or a response was begun.
    """
    if cycle.flow.write_paused or cycle.disconnected or cycle.response_started:
        return False
    parts = [_status_line(status)]
    for name, value in (*cycle.default_headers, *headers):
        parts += name, b": ", value, b"\r\n"
    parts += b"" if cycle.keep_alive else b"connection: close\r\n", b"\r\n", body
    cycle.transport.write(b"".join(parts))
    cycle.waiting_for_100_continue = False
    cycle.response_started = cycle.response_complete = True
    cycle.message_event.set()
    if not cycle.keep_alive:
        cycle.transport.close()
    cycle.on_response()
    return True


def protocol_with(limits: Limits) -> type[Protocol]:
    """Return the protocol class with these limits."""
    return type("Limited", (Protocol,), {"limits": limits})


def close_overdue(connections: Any, now: float) -> None:
    """Close connections that are overdue."""
    for connection in [c for c in connections if isinstance(c, Protocol)]:
        connection.close_if_overdue(now)
