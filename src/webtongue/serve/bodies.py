"""The body of a request, within limits of size and time, unpacked where it came packed."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator

from webtongue.serve.http import Message, Request
from webtongue.serve.problems import Problem
from webtongue.serve.work import Workshop

__all__ = ["Gone", "parts", "whole"]

PACKINGS = {"gzip": 31, "x-gzip": 31, "deflate": 47}  # window bits: of gzip alone; of gzip or zlib, whichever it is
ACCEPTED = ((b"accept-encoding", b"gzip, deflate"),)
CLOSE = ((b"connection", b"close"),)
PART = 1 << 16  # bytes that are unpacked at a time
OTHERS = 16  # parts after which others have their turn


class Gone(Exception):
    """Whoever asked is no longer there."""


async def whole(request: Request, workshop: Workshop) -> bytes:
    """All of a body."""
    limit = workshop.limits.body
    _refuse_long(request, limit)
    packing = request.headers.get(b"content-encoding")
    message = await _next(request, workshop)
    if packing is None and not message.get("more_body"):  # in one part, as most come
        body: bytes = message.get("body", b"")
        if len(body) > limit:
            raise _too_large(limit)
        _take(request, workshop, len(body))
        return body
    found = bytearray()
    async for part in _unpacked(request, workshop, _received(request, workshop, message)):
        _take(request, workshop, len(part))
        found += part
        if len(found) > limit:
            raise _too_large(limit)
    return bytes(found)


async def parts(request: Request, workshop: Workshop) -> AsyncIterator[bytes]:
    """A body part by part, as it comes, each in its time; whoever takes them bounds what they keep."""
    limit, size = workshop.limits.stream, 0
    async for part in _unpacked(request, workshop, _received(request, workshop, None)):
        size += len(part)
        if size > limit:
            raise Problem("too-large", f"a batch has at most {limit:,} bytes here", limit=limit)
        yield part
        request.deadline = None


def _take(request: Request, workshop: Workshop, size: int) -> None:
    workshop.hold(size)
    request.held += size


def _refuse_long(request: Request, limit: int) -> None:
    said = request.headers.get(b"content-length", b"")
    if said.isdigit() and int(said[:20]) > limit:
        raise _too_large(limit)


def _too_large(limit: int) -> Problem:
    return Problem(
        "too-large", f"a body has at most {limit:,} bytes here; for many pages there is /v1/identify/batch", limit=limit
    )


async def _received(request: Request, workshop: Workshop, message: Message | None) -> AsyncIterator[bytes]:
    while True:
        message = message or await _next(request, workshop)
        if body := message.get("body", b""):
            yield body
        if not message.get("more_body"):
            return
        message = None


async def _next(request: Request, workshop: Workshop) -> Message:
    seconds = workshop.limits.body_seconds
    if request.deadline is None:
        request.deadline = asyncio.get_running_loop().time() + seconds
    try:
        async with asyncio.timeout_at(request.deadline):
            message = await request.receive()
    except TimeoutError:
        raise Problem("slow-body", f"the body was not here after {seconds:g} seconds", CLOSE) from None
    if message["type"] == "http.disconnect":
        raise Gone
    request.read += len(message.get("body", b""))
    return message


async def _unpacked(request: Request, workshop: Workshop, packed: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    named = request.header(b"content-encoding").strip().lower()
    if named in ("", "identity"):
        async for part in packed:
            yield part
        return
    if named not in PACKINGS:
        raise Problem("media-type", f"bodies are packed with gzip or deflate, not {named[:40]!r}", ACCEPTED)
    unpacker = zlib.decompressobj(PACKINGS[named])
    unpacked = 0
    try:
        async for part in packed:
            left = part
            while left:
                if unpacker.eof:  # another member, as gzip's files may have
                    unpacker = zlib.decompressobj(PACKINGS[named])
                yield unpacker.decompress(left, PART)
                left = unpacker.unconsumed_tail or unpacker.unused_data
                unpacked += 1
                if unpacked % OTHERS == 0:
                    await asyncio.sleep(0)
    except zlib.error as error:
        raise Problem("invalid", f"the body is not {named}: {error}") from None
    if not unpacker.eof:
        raise Problem("invalid", f"the body is not all of a {named} stream")
