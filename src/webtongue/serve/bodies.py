"""Reading of request bodies, within limits of size and time, decompressed where they are compressed."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator

from webtongue.serve.http import Message, Request
from webtongue.serve.problems import Problem
from webtongue.serve.worker_pool import ClientDisconnected, WorkerPool

__all__ = ["iter_body", "read_body"]

WINDOW_BITS = {"gzip": 31, "x-gzip": 31, "deflate": 47}  # for zlib: 31 reads gzip only, 47 gzip or zlib
ACCEPT_ENCODING = ((b"accept-encoding", b"gzip, deflate"),)
CLOSE = ((b"connection", b"close"),)
MAX_CHUNK_BYTES = 1 << 20  # decompressed at a time
DECOMPRESS_WORK_PER_BYTE = 256  # a compressed byte may become a thousand, which take 2.5 ns each


async def read_body(request: Request, pool: WorkerPool, max_bytes: int | None = None) -> bytes:
    """Return the body, of at most ``max_bytes`` if that is less than the limit of the service."""
    limit = min(pool.limits.body_bytes, max_bytes or pool.limits.body_bytes)
    declared_size = request.headers.get(b"content-length", b"")
    if declared_size.isdigit() and int(declared_size[:20]) > limit:
        raise _too_large(limit)
    message = await _receive(request, pool)
    if b"content-encoding" not in request.headers and not message.get("more_body"):  # the most frequent case
        part: bytes = message.get("body", b"")
        if len(part) > limit:
            raise _too_large(limit)
        pool.reserve(request, len(part))
        return part
    body = bytearray()
    async for part in _decompress(request, pool, _iter_received(request, pool, message)):
        if len(body) + len(part) > limit:
            raise _too_large(limit)
        pool.reserve(request, len(part))
        body += part
    return bytes(body)


async def iter_body(request: Request, pool: WorkerPool) -> AsyncIterator[bytes]:
    """Yield the parts of a body as they arrive, each within the time limit; the caller reserves memory for what it keeps."""
    limit, size = pool.limits.batch_bytes, 0
    async for part in _decompress(request, pool, _iter_received(request, pool, None)):
        size += len(part)
        if size > limit:
            raise Problem("too-large", f"a batch may have at most {limit:,} bytes", limit=limit)
        yield part
        request.deadline = None


def _too_large(limit: int) -> Problem:
    detail = f"a body may have at most {limit:,} bytes; send several pages to /v1/identify/batch"
    return Problem("too-large", detail, limit=limit)


async def _iter_received(request: Request, pool: WorkerPool, message: Message | None) -> AsyncIterator[bytes]:
    while True:
        message = message or await _receive(request, pool)
        if part := message.get("body", b""):
            yield part
        if not message.get("more_body"):
            return
        message = None


async def _receive(request: Request, pool: WorkerPool) -> Message:
    if request.has_message:  # a timer costs as much as everything else here
        message = await request.receive()
    else:
        message = await _receive_in_time(request, pool.limits.body_seconds)
    if message["type"] == "http.disconnect":
        raise ClientDisconnected
    request.received_bytes += len(message.get("body", b""))
    return message


async def _receive_in_time(request: Request, seconds: float) -> Message:
    if request.deadline is None:
        request.deadline = asyncio.get_running_loop().time() + seconds
    try:
        async with asyncio.timeout_at(request.deadline):
            return await request.receive()
    except TimeoutError:
        raise Problem("slow-body", f"the body did not arrive within {seconds:g} seconds", CLOSE) from None


async def _decompress(request: Request, pool: WorkerPool, parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    encoding = request.header(b"content-encoding").strip().lower()
    if encoding in ("", "identity"):
        async for part in parts:
            yield part
        return
    if encoding not in WINDOW_BITS:
        detail = f"the Content-Encoding of a body is gzip or deflate, not {encoding[:40]!r}"
        raise Problem("media-type", detail, ACCEPT_ENCODING)
    decompressor = zlib.decompressobj(WINDOW_BITS[encoding])
    try:
        async for part in parts:
            while part:
                if decompressor.eof:  # gzip data may have several members
                    decompressor = zlib.decompressobj(WINDOW_BITS[encoding])
                work = len(part) * DECOMPRESS_WORK_PER_BYTE
                yield await pool.run(request, work, decompressor.decompress, part, MAX_CHUNK_BYTES)
                part = decompressor.unconsumed_tail or decompressor.unused_data
    except zlib.error as error:
        raise Problem("invalid", f"the body is not valid {encoding} data: {error}") from None
    if not decompressor.eof:
        raise Problem("invalid", f"the {encoding} data of the body is truncated")
