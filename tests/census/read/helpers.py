"""Helpers for tests of readers: captures of bytes, and the records of a small crawl."""

from __future__ import annotations

import io
import random
from typing import Any

from tests.census.archive_records import request, response, warcinfo
from webtongue.census.capture import Capture
from webtongue.census.config import Config
from webtongue.census.items import Source
from webtongue.census.read import read_archive

LETTERS = b"abcdefghijklmnopqrstuvwxyz <>/\r\n"


def captures(data: bytes, kind: str = "warc", begin: int = 0, end: int = 0, **config: Any) -> list[Capture]:
    """Return the captures of an archive."""
    source = Source("x", kind, begin=begin, end=end)
    return list(read_archive(io.BytesIO(data), "x", Config(**config), source))


def text(seed: int, size: int) -> bytes:
    """Return bytes that compress like text, the same for a seed."""
    return bytes(random.Random(seed).choices(LETTERS, k=size))


def crawl(pages: int = 12, seed: int = 0) -> list[bytes]:
    """Return the records of a small crawl: pages of several sizes with their requests."""
    chosen = random.Random(seed)
    records = [warcinfo()]
    for number in range(pages):
        url = f"https://example.org/{number}"
        records.append(request(url))
        size = chosen.choice((0, 10, 300, 5000, 70_000))
        digest = {"payload_digest": f"sha1:{number:032d}"} if chosen.random() < 0.5 else {}
        records.append(response(url, b"<p>page %d " % number + text(seed + number, size), **digest))
    return records
