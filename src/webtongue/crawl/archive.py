"""The WARC file of a crawl: requests, responses as received, and Verdicts, each record in its own gzip member."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from http.client import responses
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from webtongue.errors import MissingExtra
from webtongue.verdict import Verdict

__all__ = ["Archive", "Capture"]

Headers = Sequence[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Capture:
    """A response as received, before decompression, with its request."""

    url: str
    status: int
    protocol: str
    headers: Headers
    body: bytes
    ip: str
    method: str
    request_headers: Headers


class Archive:
    """A WARC 1.1 file that grows by whole captures. ``size`` is where the last one ends."""

    def __init__(self, path: Path, software: str, user_agent: str, end: int | None = None) -> None:
        """Open a new file, or an existing one and cut it at ``end``: what follows the last capture in the journal is removed."""
        try:
            from warcio.warcwriter import WARCWriter
        except ImportError as error:
            raise MissingExtra("warcio", "crawl") from error
        self._path = path
        self._file = path.open("r+b" if end is not None and path.exists() else "wb")
        if end is not None:
            self._file.truncate(min(end, os.fstat(self._file.fileno()).st_size))
        self._file.seek(0, os.SEEK_END)
        self._writer: Any = WARCWriter(self._file, gzip=True, warc_version="WARC/1.1")
        if not self.size:
            info = {
                "software": software,
                "format": "WARC File Format 1.1",
                "robots": "classic",
                "http-header-user-agent": user_agent,
            }
            self._writer.write_record(self._writer.create_warcinfo_record(path.name, info))
            self._file.flush()

    @property
    def size(self) -> int:
        return self._file.tell()

    def write(self, capture: Capture, verdict: Verdict | None) -> tuple[int, int]:
        """Write the response, the request and the Verdict, and return the offset and length of the three records."""
        start = self.size
        ip = {"WARC-IP-Address": capture.ip} if capture.ip else {}
        response = self._create_record(
            "response", capture.url, _format_response(capture), "application/http; msgtype=response",
            {"WARC-Payload-Digest": _digest(capture.body), **ip},
        )  # fmt: skip
        concurrent = {"WARC-Concurrent-To": response.rec_headers.get_header("WARC-Record-ID")}
        request = self._create_record(
            "request", capture.url, _format_request(capture), "application/http; msgtype=request", concurrent
        )
        self._writer.write_record(response)
        self._writer.write_record(request)
        if verdict is not None:
            block = json.dumps({"webtongue": verdict.to_dict()}, ensure_ascii=False).encode("utf-8", "replace")
            fields = concurrent | {"WARC-Payload-Digest": _digest(block)}
            self._writer.write_record(self._create_record("metadata", capture.url, block, "application/json", fields))
        self._file.flush()
        return start, self.size - start

    def _create_record(self, kind: str, url: str, block: bytes, content_type: str, fields: dict[str, str]) -> Any:
        record = self._writer.create_warc_record(
            url, kind, payload=BytesIO(), length=0, warc_content_type=content_type, warc_headers_dict=fields
        )
        record.http_headers = None  # warcio would rewrite headers that are not ASCII: the block is written as it is
        record.raw_stream, record.length, record.payload_length = BytesIO(block), len(block), len(block)
        return record

    def abandon(self, end: int) -> None:
        """Close the file after an error, and cut it where the last whole capture ends, if possible."""
        with contextlib.suppress(OSError):
            self._file.close()
        with contextlib.suppress(OSError):
            os.truncate(self._path, end)

    def close(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()


def _digest(body: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(body).digest()).decode()


def _format_head(first_line: str, headers: Headers) -> bytes:
    lines = [name + b": " + value.replace(b"\r", b" ").replace(b"\n", b" ") for name, value in headers]
    return b"\r\n".join([first_line.encode("latin-1", "replace"), *lines, b"", b""])


def _format_response(capture: Capture) -> bytes:
    reason = responses.get(capture.status, "")
    return _format_head(f"{capture.protocol or 'HTTP/1.1'} {capture.status} {reason}", capture.headers) + capture.body


def _format_request(capture: Capture) -> bytes:
    parts = urlsplit(capture.url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = list(capture.request_headers)
    if not any(name.lower() == b"host" for name, _ in headers):
        headers.insert(0, (b"Host", parts.netloc.encode("ascii", "replace")))
    return _format_head(f"{capture.method} {path} HTTP/1.1", headers)
