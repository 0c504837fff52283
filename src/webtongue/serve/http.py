"""A request as it came and an answer as it goes: what stands between ASGI and the rest of the service."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

__all__ = ["JSON", "JSON_LINES", "TEXT", "Answer", "Message", "Receive", "Request", "Scope", "Send"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

JSON = b"application/json"
JSON_LINES = b"application/x-ndjson"
TEXT = b"text/plain; charset=utf-8"
MOST_FIELDS = 64  # of a query: more are nobody's


@dataclass(frozen=True, slots=True)
class Answer:
    """A status, headers beside the usual ones, and a body: bytes, or parts of it as they come."""

    body: bytes | AsyncIterator[bytes]
    media_type: bytes = JSON
    status: int = 200
    headers: tuple[tuple[bytes, bytes], ...] = ()


class Request:
    """A request whose head has come; :mod:`webtongue.serve.bodies` reads its body. Headers are those of a page, too."""

    __slots__ = ("_headers", "deadline", "held", "path", "read", "receive", "scope")

    def __init__(self, scope: Scope, receive: Receive, path: str) -> None:
        self.scope, self.receive, self.path = scope, receive, path
        self.read = self.held = 0  # bytes of its body that have come, and that are in memory
        self.deadline: float | None = (
            None  # by which the body is to be here; the clock runs from when it is first asked for
        )
        self._headers: dict[bytes, bytes] | None = None

    @property
    def headers(self) -> dict[bytes, bytes]:
        """By name in lower case; of several of one name the last."""
        if self._headers is None:
            self._headers = dict(self.scope["headers"])
        return self._headers

    def header(self, name: bytes) -> str:
        """A header's value, empty where there is none."""
        return self.headers.get(name, b"").decode("latin-1")

    @property
    def media_type(self) -> str:
        """The media type of the body without its parameters, in lower case."""
        return self.header(b"content-type").partition(";")[0].strip().lower()

    @property
    def query(self) -> dict[str, str]:
        """The fields of the query; of several of one name the last. What is not UTF-8 is replaced, not refused."""
        raw = self.scope["query_string"]
        return (
            dict(parse_qsl(b"&".join(raw.split(b"&", MOST_FIELDS)[:MOST_FIELDS]).decode("latin-1"), True))
            if raw
            else {}
        )
