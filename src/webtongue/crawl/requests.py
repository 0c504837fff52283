"""Scrapy's requests as rows of the journal, in JSON."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

from scrapy import FormRequest, Request, Spider
from scrapy.http import JsonRequest, XmlRpcRequest
from scrapy.utils.request import request_from_dict

from webtongue.crawl.urls import CrawlUrl, parse_url
from webtongue.reference.domains import site_of

__all__ = [
    "ANALYSIS",
    "ANCHOR",
    "CAPTURE",
    "LINK",
    "PAGE_ID",
    "ROBOTS_BYTES",
    "ROBOTS_WAITS",
    "SCORE",
    "TRANSIENT_KEYS",
    "VERDICT",
    "dump_request",
    "load_request",
    "parse_request_url",
    "restore_request",
]

# Keys of Request.meta.
VERDICT = "webtongue"  # the Verdict of the page
ANALYSIS = "webtongue_analysis"  # the Analysis of the page, until its links are queued
CAPTURE = "webtongue_capture"  # the response as received, until it is in the archive
PAGE_ID = "webtongue_id"  # the id of the page in the journal
LINK = "webtongue_link"  # the link through which the page was discovered
ANCHOR = "webtongue_anchor"  # anchor text and hreflang of a link, as a tuple that a spider may set
SCORE = "webtongue_score"
ROBOTS_BYTES = "webtongue_robots_bytes"  # bytes received of a robots.txt
ROBOTS_WAITS = "webtongue_robots_waits"  # how often a page was postponed because its robots.txt failed temporarily
TRANSIENT_KEYS = frozenset({VERDICT, ANALYSIS, CAPTURE, PAGE_ID})  # keys that are not written to the journal
HEADER_ENCODING = "latin-1"
# Classes that a journal may name: loading any other name would import the module in it.
REQUEST_CLASSES = frozenset(
    f"{kind.__module__}.{kind.__qualname__}" for kind in (Request, FormRequest, JsonRequest, XmlRpcRequest)
)
MAX_COUNTER = 1000  # limit of counters in the journal, such as depth


def dump_request(request: Request, spider: Any) -> str | None:
    """Return a request as JSON, or None if a part cannot be written, such as a callback that is no method of the spider."""
    try:
        row = request.to_dict(spider=spider)
        _check_names(row, spider)
        row["meta"] = {key: value for key, value in row["meta"].items() if key not in TRANSIENT_KEYS}
        row["headers"] = {
            _decode(name): [_decode(value) for value in values] for name, values in row["headers"].items()
        }
        row["body"] = base64.b64encode(row["body"]).decode("ascii") if row["body"] else ""
        text = json.dumps(row)
        # Scrapy accepts lists in place of tuples; anything else that JSON changes cannot be written.
        expected = {key: list(value) if isinstance(value, tuple) else value for key, value in row.items()}
        return text if json.loads(text) == expected else None
    except (TypeError, ValueError, RecursionError):
        return None


def _decode(value: Any) -> str:
    return value.decode(HEADER_ENCODING) if isinstance(value, bytes) else str(value)


def load_request(text: str, spider: Any) -> Request:
    """Return the request that ``dump_request`` wrote; raise ValueError, KeyError or TypeError for anything else."""
    row = json.loads(text)
    _check_names(row, spider)
    row["headers"] = {
        name.encode(HEADER_ENCODING): [value.encode(HEADER_ENCODING) for value in values]
        for name, values in row["headers"].items()
    }
    row["body"] = base64.b64decode(row["body"])
    return request_from_dict(row, spider=spider)


def _check_names(row: dict[str, Any], spider: Any) -> None:
    """Raise ValueError if a row names a class other than Scrapy's requests, or a callback that the project does not define."""
    if row.get("_class") is not None and row["_class"] not in REQUEST_CLASSES:
        raise ValueError("the class of a request is not one of Scrapy's")
    for key in ("callback", "errback"):
        name = row.get(key)
        if name and not _is_callback(name, spider):
            raise ValueError(f"the {key} is not a method that the spider defines")


def _is_callback(name: Any, spider: Any) -> bool:
    """Return True if a spider's class, or one of its bases below Scrapy's Spider, defines a method of this name."""
    if not isinstance(name, str) or name.startswith("__") or not callable(getattr(spider, name, None)):
        return False
    return name in ("parse", "_parse") or (name in dir(type(spider)) and name not in dir(Spider))


def restore_request(text: str, url: str, counters: frozenset[str], errback: Any) -> Request:
    """Return a request of ``webtongue crawl`` with its URL and counters only.

    The journal may come from someone else: headers, proxies, callbacks and exemptions from robots.txt in it are ignored.
    """
    meta = json.loads(text)["meta"] if text else {}
    counts = {key: meta[key] for key in counters if key in meta}
    if not all(isinstance(count, int) and 0 <= count <= MAX_COUNTER for count in counts.values()):
        raise ValueError("a counter is not a small number")
    return Request(url, meta=counts, errback=errback)


def parse_request_url(request: Request, max_chars: int, copy_number: int = 0) -> CrawlUrl:
    """Return the URL of any request; for other methods than GET its key has the method and a hash of the body.

    ``copy_number`` makes the key of a request that must not be filtered as a duplicate unique.
    """
    target = parse_url(request.url, max_chars)
    if target is None:
        host, domain = site_of(request.url)
        target = CrawlUrl(request.url, request.url, host, domain or host)
    if request.method == "GET" and not copy_number:
        return target
    body = hashlib.sha1(request.body).hexdigest()
    key = f"{request.method} {target.key} {body} {copy_number}"
    return CrawlUrl(target.url, key, target.host, target.domain)
