"""Scrapy's requests as rows of the journal: JSON, never pickles."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

from scrapy import Request
from scrapy.utils.request import request_from_dict

from webtongue.crawl.addresses import Address, address_of
from webtongue.links import site_of

__all__ = [
    "CONTENTS",
    "LINK",
    "NUMBER",
    "OURS",
    "RECEIVED",
    "SCORE",
    "VERDICT",
    "WORDS",
    "address_for",
    "dumped",
    "loaded",
]

# Keys of Request.meta.
VERDICT = "webtongue"  # the Verdict of the page
CONTENTS = "webtongue_contents"  # the page's text and links, until its links are queued
RECEIVED = "webtongue_received"  # the response as it came, until it is in the archive
NUMBER = "webtongue_id"  # of the page in the journal
LINK = "webtongue_link"  # the link that led to it
WORDS = "webtongue_words"  # anchor and hreflang of a link, from a spider that knows them
SCORE = "webtongue_score"
OURS = frozenset({VERDICT, CONTENTS, RECEIVED, NUMBER})  # that do not outlive a request
TEXT = "latin-1"


def dumped(request: Request, spider: Any) -> str | None:
    """A request as JSON; None where something in it cannot be written, such as a callback that is no method of the spider."""
    try:
        row = request.to_dict(spider=spider)
        row["meta"] = {key: value for key, value in row["meta"].items() if key not in OURS}
        row["headers"] = {_text(key): [_text(one) for one in values] for key, values in row["headers"].items()}
        row["body"] = base64.b64encode(row["body"]).decode("ascii") if row["body"] else ""
        text = json.dumps(row)
        return text if json.loads(text) == _plain(row) else None
    except (TypeError, ValueError, RecursionError):
        return None


def _text(value: Any) -> str:
    return value.decode(TEXT) if isinstance(value, bytes) else str(value)


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Tuples become lists, which Scrapy does not mind."""
    return {key: list(value) if isinstance(value, tuple) else value for key, value in row.items()}


def loaded(text: str, spider: Any) -> Request:
    """The inverse."""
    row = json.loads(text)
    row["headers"] = {key.encode(TEXT): [one.encode(TEXT) for one in values] for key, values in row["headers"].items()}
    row["body"] = base64.b64decode(row["body"])
    return request_from_dict(row, spider=spider)


def address_for(request: Request, longest: int, number: int = 0) -> Address:
    """The address of any request; one that is no page's, or of another method than GET, is known by all that it has.

    ``number`` makes a request that must not be taken for a repeated one another.
    """
    found = address_of(request.url, longest)
    host, domain = site_of(request.url)
    address = found or Address(request.url, request.url, host, domain or host)
    if request.method == "GET" and not number:
        return address
    body = hashlib.sha1(request.body).hexdigest()
    key = f"{request.method} {address.key} {body} {number}"
    return Address(address.url, key, address.host, address.domain)
