"""Captures and their WARC records, reproducible byte for byte: dates and identifiers follow from the position in the file.

Brotli and Zstandard bodies are written as stored blocks without compression, so that no package is needed.
"""

from __future__ import annotations

import base64
import hashlib
import struct
import uuid
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http import HTTPStatus

__all__ = ["Capture", "deflate_raw", "digest", "encode_body", "http_block", "member", "record"]

BEGIN = datetime(2026, 3, 2, 8, tzinfo=UTC)
SECONDS_BETWEEN_RECORDS = 7
Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Capture:
    """A record of the crawl with its labels."""

    url: str
    body: bytes  # of the HTTP response as sent, or the block of another record
    label: str  # also und, zxx and mul; empty if there is nothing to identify
    tests: str
    clear: bool = False  # long text in one language, which must be identified
    status: int = 200
    headers: Headers = (("Content-Type", "text/html; charset=utf-8"),)
    ip: str = ""
    country: str = ""  # by the MMDB file; empty if unknown
    kind: str = "response"
    fields: Mapping[str, str] = field(default_factory=dict)  # of the WARC record, replacing the default ones
    encoding: str = ""  # WHATWG name, if the body is text
    languages: tuple[str, ...] = ()  # of a page in several
    problem: str = ""  # why it cannot be used


def deflate_raw(raw: bytes, level: int = 9, wbits: int = -15) -> bytes:
    """Return raw deflate data, or with the zlib header."""
    compressor = zlib.compressobj(level, zlib.DEFLATED, wbits)
    return compressor.compress(raw) + compressor.flush()


def member(raw: bytes) -> bytes:
    """Return a gzip member without a date, the same on every system."""
    head = b"\x1f\x8b\x08\0" + bytes(4) + b"\x02\xff"
    return head + deflate_raw(raw) + struct.pack("<II", zlib.crc32(raw), len(raw) & 0xFFFFFFFF)


def encode_body(raw: bytes, content_encoding: str) -> bytes:
    """Return a body in a content encoding, or in chunks."""
    if content_encoding == "gzip":
        return member(raw)
    if content_encoding == "deflate":
        return deflate_raw(raw, wbits=15)
    if content_encoding == "br":
        # RFC 7932: a window of 16 bits, one stored meta-block (its length in 16 bits), an empty last one.
        return ((len(raw) - 1) << 4 | 1 << 20).to_bytes(3, "little") + raw + b"\x03"
    if content_encoding == "zstd":
        # RFC 8878: one segment with its length in four bytes, one raw block that is the last.
        return b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(raw)) + (len(raw) << 3 | 1).to_bytes(3, "little") + raw
    if content_encoding == "chunked":
        parts = (raw[i : i + 700] for i in range(0, len(raw), 700))
        return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
    raise ValueError(content_encoding)


def http_block(status: int, headers: Headers, body: bytes) -> bytes:
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *(f"{name}: {value}" for name, value in headers)]
    if not any(name in {"Content-Length", "Transfer-Encoding"} for name, _ in headers):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def record(capture: Capture, number: int) -> bytes:
    """Return a record, uncompressed. ``number`` is its position in the file, which determines date and identifier."""
    block = capture.body
    if capture.kind in {"response", "revisit"} and not capture.url.startswith("dns:"):
        block = http_block(capture.status, capture.headers, capture.body)
    fields = {
        "WARC-Type": capture.kind,
        "WARC-Record-ID": f"<{identifier(capture.url, number)}>",
        "WARC-Date": (BEGIN + timedelta(seconds=SECONDS_BETWEEN_RECORDS * number)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "WARC-Target-URI": capture.url,
        "WARC-IP-Address": capture.ip,
        "WARC-Payload-Digest": digest(capture.body) if capture.kind == "response" else "",
        "Content-Type": "application/http; msgtype=response" if capture.kind in {"response", "revisit"} else "",
        "Content-Length": str(len(block)),
    } | dict(capture.fields)
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items() if value)
    return b"WARC/1.1\r\n" + head.encode() + b"\r\n" + block + b"\r\n\r\n"


def digest(raw: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(raw).digest()).decode()


def identifier(url: str, number: int) -> str:
    return uuid.UUID(bytes=hashlib.sha256(f"{number} {url}".encode()).digest()[:16], version=4).urn
