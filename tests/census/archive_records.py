"""A small writer of WARC and ARC files for tests: records are bytes, so that tests can damage each of them."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Mapping

__all__ = [
    "arc",
    "arc_record",
    "conversion",
    "http",
    "member",
    "record",
    "request",
    "resource",
    "response",
    "revisit",
    "warc",
    "warcinfo",
    "zst",
]

DATE = "2024-05-18T04:00:00Z"
HTML: Mapping[str, str] = {"Content-Type": "text/html; charset=utf-8"}
ARC_HEAD = b"1 0 Example\nURL IP-address Archive-date Content-type Archive-length\n\n"


def record(kind: str, content: bytes, url: str = "", content_type: str = "", **fields: object) -> bytes:
    """Return a plain record. Further fields are named without WARC-: ``ip_address="192.0.2.7"``; None omits a default field."""
    number = zlib.crc32(kind.encode() + url.encode() + content)
    defaults: dict[str, object] = {
        "WARC-Type": kind,
        "WARC-Date": DATE,
        "WARC-Record-ID": f"<urn:uuid:00000000-0000-4000-8000-0000{number:08x}>",
        "WARC-Target-URI": url or None,
        "Content-Type": content_type or None,
        "Content-Length": len(content),
    }
    for name, value in fields.items():
        full = name.replace("_", "-").title()
        full = (
            "Content-Length" if name == "content_length" else "WARC-" + full.replace("Uri", "URI").replace("Ip-", "IP-")
        )
        defaults[full.replace("-Id", "-ID")] = value
    lines = [f"{name}: {value}" for name, value in defaults.items() if value is not None]
    return "\r\n".join(["WARC/1.0", *lines, "", ""]).encode() + content + b"\r\n\r\n"


def http(body: bytes, headers: Mapping[str, str] | None = None, status: int = 200) -> bytes:
    """Return an HTTP response."""
    lines = [
        f"HTTP/1.1 {status} OK",
        *(f"{name}: {value}" for name, value in (HTML if headers is None else headers).items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


def response(
    url: str,
    body: bytes = b"<p>Salve",
    headers: Mapping[str, str] | None = None,
    status: int = 200,
    ip: str | None = "192.0.2.7",
    **fields: object,
) -> bytes:
    """Return a response record with a page."""
    content = http(body, headers, status)
    return record("response", content, url, "application/http; msgtype=response", ip_address=ip, **fields)


def request(url: str) -> bytes:
    """Return the request record that crawlers write with a response."""
    return record("request", b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n", url, "application/http; msgtype=request")


def resource(url: str, body: bytes, content_type: str = "text/html", **fields: object) -> bytes:
    """Return a resource record: a page without an HTTP head."""
    return record("resource", body, url, content_type, **fields)


def conversion(url: str, text: str, content_type: str = "text/plain", **fields: object) -> bytes:
    """Return a conversion record with extracted text, as in WET files."""
    return record("conversion", text.encode(), url, content_type, **fields)


def revisit(url: str, **fields: object) -> bytes:
    """Return a revisit record of an unchanged page."""
    return record("revisit", http(b""), url, "application/http; msgtype=response", **fields)


def warcinfo() -> bytes:
    """Return the first record of a file."""
    return record("warcinfo", b"software: webtongue tests\r\n", content_type="application/warc-fields")


def member(data: bytes) -> bytes:
    """Return a deterministic gzip member."""
    return gzip.compress(data, mtime=0)


def warc(records: Iterable[bytes], gz: bool = True) -> bytes:
    """Return a WARC file with a gzip member for each record, or a plain one."""
    return b"".join(member(each) if gz else each for each in records)


def zst(records: Iterable[bytes], dictionary: bytes = b"", packed: bool = False) -> bytes:
    """Return a .warc.zst file, with an optional dictionary in its first frame, which may be compressed."""
    import zstandard

    if not dictionary:
        return b"".join(zstandard.ZstdCompressor().compress(each) for each in records)
    frame = zstandard.compress(dictionary) if packed else dictionary
    head = b"\x5d\x2a\x4d\x18" + len(frame).to_bytes(4, "little") + frame
    trained = zstandard.ZstdCompressionDict(dictionary)
    return head + b"".join(zstandard.ZstdCompressor(dict_data=trained).compress(each) for each in records)


def arc_record(
    url: str,
    content: bytes,
    mime: str = "text/html",
    ip: str = "192.0.2.7",
    date: str = "20080430204825",
    version: int = 1,
) -> bytes:
    """Return an ARC record of version 1 or 2."""
    more = "200 - - 0 example.arc " if version == 2 else ""
    return f"{url} {ip} {date} {mime} {more}{len(content)}\n".encode() + content + b"\n"


def arc(records: Iterable[bytes], gz: bool = True) -> bytes:
    """Return an ARC file with a gzip member for each record, or a plain one."""
    first = arc_record("filedesc://example.arc", ARC_HEAD, "text/plain", "0.0.0.0")
    return b"".join(member(each) if gz else each for each in (first, *records))
