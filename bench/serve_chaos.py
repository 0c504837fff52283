"""Clients that misbehave, for ``bench/serve.py chaos``: each connection misbehaves in one way and ends.

All clients run in one event loop, talk to loopback only, and are bounded in bytes and time.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import itertools
import json
import random
import socket
import string
import struct
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from common import ROOT

sys.path.insert(0, str(ROOT))
from tests.serve.garbage import STATUS, make_garbage
from tests.serve.servers import head

CLIENTS = 128
MAX_SENT_BYTES = 4 << 20  # by one connection
MAX_READ_BYTES = 8 << 20
MAX_CLIENT_SECONDS = 12.0
PAUSE_SECONDS = 0.2  # between two bytes of a slow client
HTML, JSON, LINES = "Content-Type: text/html", "Content-Type: application/json", "Content-Type: application/x-ndjson"
CHUNKED, CLOSE = "Transfer-Encoding: chunked", "Connection: close"
PAGE = "<html lang=is><p>Bókasafnið er opið alla daga vikunnar til klukkan níu á kvöldin.".encode()
TAGS = ["".join(letters) for letters in itertools.product(string.ascii_lowercase, repeat=3)]
MANY_META = "".join(f"<meta http-equiv=content-language content={tag}>" for tag in TAGS[:1300]).encode()
BOMB = gzip.compress(bytes(64 << 20))


def post(path: str, body: bytes, *headers: str) -> bytes:
    """Return a complete request."""
    return head("POST", path, f"Content-Length: {len(body)}", *headers) + body


def json_post(path: str, value: object) -> bytes:
    return post(path, json.dumps(value).encode(), JSON, CLOSE)


LINKS = [{"url": f"https://{tag}.example/", "language": tag[:2]} for tag in TAGS[:1000]]
# Valid requests that take much time or memory for their size.
COSTLY = (
    post("/v1/identify", MANY_META, HTML, CLOSE),
    post("/v1/identify?explain=1", b"<p>a" * 16_000, HTML, CLOSE),
    post("/v1/segments", b"<p>a <p lang=de>b" * 4000, HTML, CLOSE),
    post("/v1/decode", BOMB, HTML, "Content-Encoding: gzip", CLOSE),
    post("/v1/decode", gzip.compress(PAGE * 100_000), HTML, "Content-Encoding: gzip", CLOSE),
    json_post("/v1/identify", {"html": "<p>a", "inlinks": [{}] * 20_000}),
    json_post("/v1/identify", {"html": "<p>Halló", "inlinks": LINKS}),
    json_post("/v1/identify", {"text": "a", "host": dict.fromkeys(TAGS, 1)}),
    post("/v1/identify", b'{"text": "a", "inlinks": [' + b"{}," * 1_000_000 + b"{}]}", JSON, CLOSE),
    post("/v1/identify", b"[" * 1_000_000, JSON, CLOSE),
    json_post("/v1/urls", {"urls": ["https://example.com/nachrichten/"] * 10_000}),
    post("/v1/urls", b"a\n" * 500_000, "Content-Type: text/plain", CLOSE),
    post("/detect", b"q=" + b"%41" * 300_000, "Content-Type: application/x-www-form-urlencoded", CLOSE),
    post("/v1/identify/batch", b"\n" * 2_000_000, LINES, CLOSE),
    post("/v1/identify/batch", b'{"text": 1}\n{\n' * 20_000, LINES, CLOSE),
    post("/v1/identify/batch", b'{"text": "' + b"a" * (5 << 20) + b'"}\n', LINES, CLOSE),
)
CHUNKED_POST = head("POST", "/v1/identify", CHUNKED, HTML) + b"%x\r\n%s\r\n" % (len(PAGE), PAGE)
# The beginning of a request, and bytes that follow it endlessly.
ENDLESS = (
    (CHUNKED_POST + b"0\r\n", b"A: b\r\n" * 500),
    (CHUNKED_POST + b"0\r\nA: ", b"b" * 4000),
    (CHUNKED_POST + b"1;", b"b" * 4000),
    (head("GET", "/healthz", CHUNKED), b"5\r\naaaaa\r\n" * 400),
    (b"GET / HTTP/1.1\r\n", b"A: b\r\n" * 500),
    (b"GET / HTTP/1.1\r\nA: ", b"b" * 4000),
    (b"GET /", b"a" * 4000),
    (b"", b"\r\n" * 2000),
    (b"", head("GET", "/healthz") * 100),
    (head("POST", "/detect", "Content-Length: 2") + b"{}", b"GET /languages HTTP/1.1\r\n\r\n" * 100),
    (head("POST", "/v1/identify/batch", CHUNKED, LINES), b"5\r\n\n\n\n\n\n\r\n" * 400),
    (head("POST", "/v1/identify", "Content-Length: 16777216", HTML), b"<p>a" * 1000),
)


@dataclass
class Chaos:
    """Connections by behaviour, responses by status, and responses to valid requests."""

    host: str
    port: int
    rnd: random.Random
    connections: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    valid_statuses: Counter[int] = field(default_factory=Counter)  # of valid requests; 0: no response

    async def run(self, seconds: float) -> None:
        """Run all clients for some seconds; the last connections may take MAX_CLIENT_SECONDS more."""
        deadline = time.monotonic() + seconds
        await asyncio.gather(*(self._client(deadline) for _ in range(CLIENTS)))

    async def _client(self, deadline: float) -> None:
        while time.monotonic() < deadline:
            name, behave = self.rnd.choice(BEHAVIOURS)
            self.connections[name] += 1
            with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
                async with asyncio.timeout(MAX_CLIENT_SECONDS):
                    await behave(self)
            await asyncio.sleep(self.rnd.random() * 0.05)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(self.host, self.port)

    async def read_statuses(self, reader: asyncio.StreamReader) -> list[int]:
        """Read responses up to a limit, and count and return their statuses."""
        reply = b""
        with contextlib.suppress(OSError):
            while len(reply) < MAX_READ_BYTES and (part := await reader.read(1 << 16)):
                reply += part
        statuses = [int(status) for status in STATUS.findall(reply)]
        self.statuses.update(statuses)
        return statuses


async def send_valid(chaos: Chaos) -> None:
    """Send a valid request, which must be answered whatever other clients do."""
    reader, writer = await chaos.connect()
    statuses: list[int] = []
    try:
        writer.write(post("/v1/identify", PAGE, HTML, CLOSE))
        statuses = await chaos.read_statuses(reader)
    finally:
        chaos.valid_statuses.update(statuses or [0])
        writer.close()


async def send(chaos: Chaos, request: bytes) -> None:
    """Send a request and read its answer."""
    reader, writer = await chaos.connect()
    try:
        writer.write(request)
        await asyncio.gather(drain(writer), chaos.read_statuses(reader))
    finally:
        writer.close()


async def drain(writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        await writer.drain()


async def send_garbage(chaos: Chaos) -> None:
    await send(chaos, make_garbage(chaos.rnd))


async def send_costly(chaos: Chaos) -> None:
    await send(chaos, chaos.rnd.choice(COSTLY))


async def send_large_head(chaos: Chaos) -> None:
    """Send a head in one write, from just below the limit to far above it."""
    size = chaos.rnd.choice([30_000, 40_000, 300_000, 2_000_000])
    await send(chaos, head("GET", "/healthz", f"A: {'b' * size}", CLOSE))


async def send_endlessly(chaos: Chaos) -> None:
    """Send endless bytes outside a body, or of a body that is not read."""
    begin, more = chaos.rnd.choice(ENDLESS)
    reader, writer = await chaos.connect()
    reader_task = asyncio.create_task(chaos.read_statuses(reader))
    try:
        writer.write(begin)
        for _ in range(MAX_SENT_BYTES // len(more)):
            writer.write(more)
            await writer.drain()
        writer.write_eof()
        await reader_task
    finally:
        reader_task.cancel()
        writer.close()


async def send_slowly(chaos: Chaos) -> None:
    """Send a request byte by byte."""
    reader, writer = await chaos.connect()
    reader_task = asyncio.create_task(chaos.read_statuses(reader))
    try:
        request = chaos.rnd.choice(
            [
                CHUNKED_POST + b"0\r\nA: b\r\n\r\n",
                post("/v1/identify", PAGE, HTML),
                b"GET / HTTP/1.1\r\nA: " + b"b" * 500,
            ]
        )
        begin = chaos.rnd.randrange(len(request))
        writer.write(request[:begin])
        for offset in range(begin, len(request)):
            writer.write(request[offset : offset + 1])
            await writer.drain()
            await asyncio.sleep(PAUSE_SECONDS)
        await reader_task
    finally:
        reader_task.cancel()
        writer.close()


async def send_and_not_read(chaos: Chaos) -> None:
    """Send requests and leave their responses in the buffers."""
    _, writer = await chaos.connect()
    try:
        path = chaos.rnd.choice(["/docs/swagger-ui-bundle.js", "/page/world.json", "/v1/labels"])
        for _ in range(chaos.rnd.randrange(1, 12)):
            writer.write(head("GET", path))
            await asyncio.sleep(0.1)
        assert isinstance(writer.transport, asyncio.Transport)  # a socket's transport reads and writes
        writer.transport.pause_reading()
        await asyncio.sleep(MAX_CLIENT_SECONDS)
    finally:
        writer.transport.abort()


async def half_close(chaos: Chaos) -> None:
    """Close the sending side within a request or after it, and wait for the response."""
    request = chaos.rnd.choice(
        [CHUNKED_POST + b"0\r\n\r\n", post("/v1/identify", PAGE, HTML), post("/v1/decode", PAGE * 5000, HTML)]
    )
    reader, writer = await chaos.connect()
    try:
        writer.write(request[: chaos.rnd.randrange(1, len(request) + 1)])
        writer.write_eof()
        await chaos.read_statuses(reader)
    finally:
        writer.close()


async def reset_connection(chaos: Chaos) -> None:
    """Reset the connection within a request."""
    _, writer = await chaos.connect()
    request = chaos.rnd.choice([*COSTLY, CHUNKED_POST, post("/v1/identify", PAGE, HTML)])
    writer.write(request[: chaos.rnd.randrange(1, len(request) + 1)])
    await asyncio.sleep(chaos.rnd.random() * 0.2)
    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def send_pipeline(chaos: Chaos) -> None:
    """Send many requests without waiting for responses."""
    count = chaos.rnd.choice([2, 8, 16, 17, 100, 2000])
    kinds = [
        head("GET", "/healthz"),
        post("/v1/identify", PAGE, HTML),
        head("GET", "/nowhere"),
        post("/v1/decode", PAGE * 500, HTML),
    ]
    await send(chaos, b"".join(chaos.rnd.choices(kinds, k=count)) + head("GET", "/readyz", CLOSE))


async def stay_silent(chaos: Chaos) -> None:
    reader, writer = await chaos.connect()
    try:
        await chaos.read_statuses(reader)
    finally:
        writer.close()


Behaviour = Callable[[Chaos], Awaitable[None]]
BEHAVIOURS: tuple[tuple[str, Behaviour], ...] = (
    ("valid", send_valid), ("garbage", send_garbage), ("costly", send_costly), ("large head", send_large_head),
    ("endless", send_endlessly), ("slow", send_slowly), ("not reading", send_and_not_read), ("half closed", half_close),
    ("reset", reset_connection), ("pipelined", send_pipeline), ("silent", stay_silent),
)  # fmt: skip
