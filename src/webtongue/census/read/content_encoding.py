"""Decode the transfer and content encodings of HTTP bodies, with limits: chunked, gzip, deflate, Brotli, Zstandard, also combined.

The headers of archived responses are often wrong: many crawlers store the decoded body and keep the original header. An encoding is
therefore decoded only if the bytes look encoded, and other bodies stay as they are.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from webtongue.census.capture import Problem
from webtongue.census.config import Config
from webtongue.errors import MissingExtra

__all__ = ["DecodedBody", "decode_body"]

MAX_ENCODINGS = 4  # encodings of one body: two are the most in use, and each may multiply the size
RECOVERY_STEP_BYTES = 256  # a damaged body is decoded in small steps, so that little is lost before the damage
BROTLI_CHUNK_BYTES = 1 << 16  # decoded bytes requested from Brotli at a time
BROTLI_STEP_BYTES = 1 << 12  # encoded bytes given to Brotli at a time
ZSTD_STEP_BYTES = 1 << 9  # a block of 128 KB can be encoded in 4 bytes, so a step decodes to at most 16 MB
MAX_ZSTD_WINDOW_BYTES = 1 << 23  # the limit on the web (RFC 9659)
GZIP_MAGIC, ZSTD_MAGIC = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
GZIP_WBITS, ZLIB_WBITS, RAW_WBITS = 31, 15, -15  # formats of zlib
# Values of these headers that name no encoding.
NO_ENCODING = frozenset(("", "identity", "none", "binary", "7bit", "8bit", "utf-8", "utf8", "text", "text/html"))
CHUNK_SIZE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,16})[ \t]*(?:;[^\r\n]*)?(\r?\n)")
# Control characters are frequent in encoded bytes and absent from text, except ESC, which ISO 2022 uses.
CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
MAX_SNIFFED_BYTES = 512


@dataclass(frozen=True, slots=True)
class DecodedBody:
    """A decoded body; ``is_cut``: its end is missing, or it is longer than a page may be."""

    body: bytes
    is_cut: bool = False
    problem: Problem = Problem.NONE
    detail: str = ""


@dataclass(frozen=True, slots=True)
class _Output:
    """The output of one decoder; ``body`` is None if the input is not in its encoding."""

    body: bytes | None
    is_complete: bool = True  # whether the encoded stream came to its end
    error: str = ""
    used: int = 0  # encoded bytes that were decoded


def decode_body(body: bytes, transfer: str, content: str, config: Config) -> DecodedBody:
    """Return a body without the encodings that two headers name, at most ``config.max_page_bytes`` of it.

    >>> decode_body(zlib.compress(b"<p>Salve"), "", "deflate", Config()).body
    b'<p>Salve'
    >>> decode_body(b"<p>Salve", "", "gzip", Config()).body  # stored decoded, with the original header
    b'<p>Salve'
    """
    names = [name.strip().lower() for name in (content + "," + transfer).split(",")]
    names = [name for name in names if name not in NO_ENCODING]
    if len(names) > MAX_ENCODINGS:
        return DecodedBody(b"", problem=Problem.BAD_CODING, detail=f"{len(names)} encodings of one body")
    decoded = DecodedBody(body)
    for name in reversed(names):
        decoded = _decode_one(decoded, name, config)
        if decoded.problem:
            return decoded
    if len(decoded.body) > config.max_page_bytes:
        return replace(decoded, body=decoded.body[: config.max_page_bytes], is_cut=True)
    return decoded


def _decode_one(encoded: DecodedBody, name: str, config: Config) -> DecodedBody:
    body = encoded.body
    decoder = DECODERS.get(name)
    if not body or (decoder is None and not _looks_encoded(body)):
        return encoded
    if decoder is None:
        return DecodedBody(b"", problem=Problem.UNKNOWN_CODING, detail=f"an encoding called {name[:40]!r}")
    output = decoder(body, config.max_page_bytes + 1)
    if output.body is None:
        return encoded
    if not output.body and (output.error or not output.is_complete):
        error = output.error or "it ends before the first decoded byte"
        return DecodedBody(b"", problem=Problem.BAD_CODING, detail=f"{name}: {error}")
    size = len(output.body)
    if size > config.max_page_bytes and size > config.bomb_ratio * (output.used or len(body)):
        detail = f"{name}: {output.used:,} of {len(body):,} bytes decode to {size:,}"
        return DecodedBody(b"", problem=Problem.BOMB, detail=detail)
    return DecodedBody(output.body, encoded.is_cut or bool(output.error) or not output.is_complete)


def _looks_encoded(body: bytes) -> bool:
    """Return True for bytes that look encoded, not like text. UTF-16 looks encoded: a page is lost if its header is also wrong."""
    return CONTROLS.search(body, 0, MAX_SNIFFED_BYTES) is not None


def _decode_chunked(body: bytes, max_bytes: int) -> _Output:
    position = total = 0
    chunks: list[bytes] = []
    error = ""
    while total < max_bytes:
        match = CHUNK_SIZE.match(body, position)
        if match is None:
            error = f"no chunk size but {body[position : position + 20]!r}" if position < len(body) else ""
            break
        size, start = int(match[1], 16), match.end()
        if not size:
            return _Output(b"".join(chunks))
        if not chunks and start + size > len(body) and match[2] == b"\n":
            break  # more likely a page that starts with a number than a chunk with a bare line feed
        position = min(start + size, len(body))
        line_end = 2 if body.startswith(b"\r\n", position) else 1 if body.startswith(b"\n", position) else 0
        if not line_end and position < len(body):
            error = "a chunk that does not end where it should"
            if chunks:
                chunks.append(body[start:position])
            break
        chunks.append(body[start:position])
        position, total = position + line_end, total + len(chunks[-1])
    return _Output(b"".join(chunks), total >= max_bytes, error) if chunks else _Output(None)


def _decode_gzip(body: bytes, max_bytes: int) -> _Output:
    """Decode all members of a gzip file; like all tools, ignore what follows the last one."""
    if not body.startswith(GZIP_MAGIC):
        return _Output(None)
    chunks: list[bytes] = []
    used = 0
    while body.startswith(GZIP_MAGIC) and max_bytes > 0:
        output, body = _inflate(body, max_bytes, GZIP_WBITS)
        assert output.body is not None
        chunks.append(output.body)
        max_bytes, used = max_bytes - len(output.body), used + output.used
        if output.error or not output.is_complete:
            return _Output(b"".join(chunks), is_complete=False, error=output.error, used=used)
    return _Output(b"".join(chunks), used=used)


def _decode_deflate(body: bytes, max_bytes: int) -> _Output:
    """Decode deflate: with a zlib header by the standard, without one from many servers, and gzip from some."""
    if body.startswith(GZIP_MAGIC):
        return _decode_gzip(body, max_bytes)
    if body[0] & 0x0F == 8 and int.from_bytes(body[:2], "big") % 31 == 0:
        output, _ = _inflate(body, max_bytes, ZLIB_WBITS)
        if not output.error or _looks_encoded(body):
            return output
    output, _ = _inflate(body, max_bytes, RAW_WBITS)
    if (output.error or not output.is_complete) and not _looks_encoded(body):
        return _Output(None)
    return output


def _inflate(body: bytes, max_bytes: int, wbits: int) -> tuple[_Output, bytes]:
    """Return the output of zlib, up to an error, and the bytes after the end of the compressed stream."""
    decoder = zlib.decompressobj(wbits)
    try:
        inflated = decoder.decompress(body, max_bytes)
        used = len(body) - len(decoder.unused_data) - len(decoder.unconsumed_tail)
        return _Output(inflated, decoder.eof or len(inflated) >= max_bytes, used=used), decoder.unused_data
    except zlib.error:
        pass
    decoder = zlib.decompressobj(wbits)
    chunks: list[bytes] = []
    try:
        for position in range(0, len(body), RECOVERY_STEP_BYTES):
            chunks.append(decoder.decompress(body[position : position + RECOVERY_STEP_BYTES], max_bytes))
            max_bytes -= len(chunks[-1])
            if max_bytes <= 0:
                break
    except zlib.error:
        pass
    return _Output(b"".join(chunks), is_complete=False, error="damaged"), b""


def _decode_brotli(body: bytes, max_bytes: int) -> _Output:
    """Decode Brotli. It has no magic number: a body that cannot be decoded and looks like text was not encoded."""
    try:
        import brotli
    except ImportError:
        raise MissingExtra("brotli", "census") from None
    decoder = brotli.Decompressor()
    chunks: list[bytes] = []
    used, error, is_complete = 0, "", False
    try:
        while max_bytes > 0 and not is_complete:
            encoded = body[used : used + BROTLI_STEP_BYTES] if decoder.can_accept_more_data() else b""
            chunk = decoder.process(encoded, output_buffer_limit=BROTLI_CHUNK_BYTES)
            if not chunk and not encoded and decoder.can_accept_more_data():
                break
            chunks.append(chunk)
            max_bytes, used = max_bytes - len(chunk), used + len(encoded)
            is_complete = decoder.is_finished() or max_bytes <= 0
    except brotli.error:
        error = "damaged"
    if (error or not is_complete) and not _looks_encoded(body):
        return _Output(None)
    return _Output(b"".join(chunks), is_complete, error, used)


def _decode_zstd(body: bytes, max_bytes: int) -> _Output:
    if not body.startswith(ZSTD_MAGIC):
        return _Output(None)
    try:
        import zstandard
    except ImportError:
        raise MissingExtra("zstandard", "census") from None
    decompressor = zstandard.ZstdDecompressor(max_window_size=MAX_ZSTD_WINDOW_BYTES)
    chunks: list[bytes] = []
    decoder, used = None, 0
    try:
        while max_bytes > 0 and used < len(body) and (decoder or body.startswith(ZSTD_MAGIC, used)):
            decoder = decoder or decompressor.decompressobj()
            encoded = body[used : used + ZSTD_STEP_BYTES]
            chunks.append(decoder.decompress(encoded))
            max_bytes -= len(chunks[-1])
            used += len(encoded) - len(decoder.unused_data)
            decoder = None if decoder.eof else decoder
    except zstandard.ZstdError:
        return _Output(b"".join(chunks), is_complete=False, error="damaged")
    return _Output(b"".join(chunks), decoder is None or max_bytes <= 0, used=used)


DECODERS: dict[str, Callable[[bytes, int], _Output]] = {
    "chunked": _decode_chunked,
    "gzip": _decode_gzip,
    "x-gzip": _decode_gzip,
    "deflate": _decode_deflate,
    "br": _decode_brotli,
    "zstd": _decode_zstd,
}
