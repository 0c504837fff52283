"""Requests and responses: the layer between ASGI and the rest of the service."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

__all__ = [
    "HAS_MESSAGE",
    "IS_CLOSING",
    "JSON",
    "JSON_LINES",
    "RESPOND",
    "TEXT",
    "Handler",
    "Message",
    "Receive",
    "Request",
    "Response",
    "Scope",
    "Send",
    "parse_fields",
]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

JSON = b"application/json"
JSON_LINES = b"application/x-ndjson"
TEXT = b"text/plain; charset=utf-8"
MAX_QUERY_FIELDS = 64  # further fields are ignored
# ASGI extension: its member "is_closing" is a function that returns whether the connection is closed or closing.
IS_CLOSING = "webtongue.is_closing"
# ASGI extension: its member "has_message" is a function that returns whether `receive` will return without waiting.
HAS_MESSAGE = "webtongue.has_message"
# ASGI extension: its member "respond" is a function that sends a whole response, or returns False if that is not possible now.
RESPOND = "webtongue.respond"


@dataclass(frozen=True, slots=True)
class Response:
    """A status, additional headers, a body (bytes, or an iterator of its parts), and its Cache-Control."""

    body: bytes | AsyncIterator[bytes]
    media_type: bytes = JSON
    status: int = 200
    headers: tuple[tuple[bytes, bytes], ...] = ()
    cache_control: bytes = b"no-store"


class Request:
    """A request whose head has been received; :mod:`webtongue.serve.bodies` reads its body."""

    __slots__ = ("_headers", "deadline", "held_bytes", "path", "receive", "received_bytes", "scope")

    def __init__(self, scope: Scope, receive: Receive, path: str) -> None:
        self.scope, self.receive, self.path = scope, receive, path
        self.received_bytes = 0  # bytes of the body that have arrived
        self.held_bytes = 0  # bytes of the body that are reserved in the worker's memory
        self.deadline: float | None = None  # for the body; set when the body is first awaited
        self._headers: dict[bytes, bytes] | None = None

    @property
    def is_abandoned(self) -> bool:
        """Return True if the server reports that the client has disconnected; may be called on any thread."""
        extension = self.scope.get("extensions", {}).get(IS_CLOSING)
        return extension is not None and extension["is_closing"]()

    @property
    def has_message(self) -> bool:
        """Return True if the server reports that ``receive`` will return without waiting."""
        extension = self.scope.get("extensions", {}).get(HAS_MESSAGE)
        return extension is not None and extension["has_message"]()

    def respond(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> bool:
        """Send a whole response if the server has an extension for that; return False if nothing was sent."""
        extension = self.scope.get("extensions", {}).get(RESPOND)
        return extension is not None and extension["respond"](status, headers, body)

    @property
    def headers(self) -> dict[bytes, bytes]:
        """Return headers by lower-case name; the last one counts where a name repeats."""
        if self._headers is None:
            self._headers = dict(self.scope["headers"])
        return self._headers

    def header(self, name: bytes) -> str:
        """Return the value of a header, empty where it is missing."""
        return self.headers.get(name, b"").decode("latin-1")

    @property
    def media_type(self) -> str:
        """Return the media type of the body without its parameters, in lower case."""
        return self.header(b"content-type").partition(";")[0].strip().lower()

    @property
    def query(self) -> dict[str, str]:
        """Return the fields of the query string. Bytes that are not UTF-8 are replaced, not refused."""
        raw = self.scope["query_string"]
        return parse_fields(raw, MAX_QUERY_FIELDS, "latin-1") if raw else {}


Handler = Callable[[Request], Awaitable[Response]]


def parse_fields(raw: bytes, limit: int, encoding: str) -> dict[str, str]:
    """Return the first fields of a query or form; the last one counts where a name repeats.

    >>> parse_fields(b"a=1&b=&a=2&c=3", 3, "utf-8")
    {'a': '2', 'b': ''}
    """
    first = b"&".join(raw.split(b"&", limit)[:limit])
    return dict(parse_qsl(first.decode(encoding, "replace"), keep_blank_values=True))
