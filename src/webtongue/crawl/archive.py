"""The archive of a crawl: WARC 1.1, a gzip member a record, with what was asked, what came as it came, and what was said of it."""

from __future__ import annotations

import base64
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

__all__ = ["Archive", "Received"]

Pairs = Sequence[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Received:
    """A response as it came, before anything was unpacked, and what was sent for it."""

    url: str
    status: int
    protocol: str
    headers: Pairs
    body: bytes
    ip: str
    method: str
    sent: Pairs


class Archive:
    """A file that grows by whole captures. ``size`` is where the last one ends."""

    def __init__(self, path: Path, software: str, user_agent: str, end: int | None = None) -> None:
        """``end``: where the last capture that the journal knows of ends; what follows, such as a torn member, is cut off."""
        try:
            from warcio.warcwriter import WARCWriter
        except ImportError as error:
            raise MissingExtra("warcio", "crawl") from error
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

    def write(self, received: Received, verdict: Verdict | None) -> tuple[int, int]:
        """A capture: request, response and what was said of it. Where it begins, and how long it is."""
        start = self.size
        response = self._record("response", received.url, _response(received), "application/http; msgtype=response", {
            "WARC-Payload-Digest": _digest(received.body), **({"WARC-IP-Address": received.ip} if received.ip else {}),
        })  # fmt: skip
        name = response.rec_headers.get_header("WARC-Record-ID")
        beside = {"WARC-Concurrent-To": name}
        self._writer.write_record(response)
        self._writer.write_record(
            self._record("request", received.url, _request(received), "application/http; msgtype=request", beside)
        )
        if verdict is not None:
            said = json.dumps({"webtongue": verdict.to_dict()}, ensure_ascii=False).encode("utf-8", "replace")
            self._writer.write_record(
                self._record(
                    "metadata", received.url, said, "application/json", beside | {"WARC-Payload-Digest": _digest(said)}
                )
            )
        self._file.flush()
        return start, self.size - start

    def _record(self, kind: str, url: str, block: bytes, content_type: str, fields: dict[str, str]) -> Any:
        record = self._writer.create_warc_record(
            url, kind, payload=BytesIO(), length=0, warc_content_type=content_type, warc_headers_dict=fields
        )
        record.http_headers = None  # the block goes out as it is: warcio would rewrite headers that are not ASCII
        record.raw_stream, record.length, record.payload_length = BytesIO(block), len(block), len(block)
        return record

    def close(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()


def _digest(body: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(body).digest()).decode()


def _lines(first: str, headers: Pairs) -> bytes:
    rows = [name + b": " + value.replace(b"\r", b" ").replace(b"\n", b" ") for name, value in headers]
    return b"\r\n".join([first.encode("latin-1", "replace"), *rows, b"", b""])


def _response(received: Received) -> bytes:
    reason = responses.get(received.status, "")
    return _lines(f"{received.protocol or 'HTTP/1.1'} {received.status} {reason}", received.headers) + received.body


def _request(received: Received) -> bytes:
    parts = urlsplit(received.url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = list(received.sent)
    if not any(name.lower() == b"host" for name, _ in headers):
        headers.insert(0, (b"Host", parts.netloc.encode("ascii", "replace")))
    return _lines(f"{received.method} {path} HTTP/1.1", headers)
