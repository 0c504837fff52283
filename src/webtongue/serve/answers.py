"""Answers as JSON values: the library called for a page, a text or a URL. No HTTP here; these functions run on threads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import webtongue
from webtongue import Identifier, Page, Verdict, schema
from webtongue.serve.explanation import explain_analysis, explain_url, text_blocks
from webtongue.serve.requests import UrlRequest, UrlsRequest
from webtongue.serve.schemas import SEGMENT_FIELDS

__all__ = [
    "EXPLAIN_FIELDS",
    "decode_page",
    "find_attribution",
    "format_row",
    "identify_page",
    "identify_url",
    "identify_urls",
    "segment_page",
]

DECIMALS = 6  # probabilities are rounded: columns are 32-bit floats, and single answers equal those of a batch
ROUNDED_FIELDS = tuple(field.name for field in schema.BATCH_FIELDS if field.kind is schema.FLOAT)
EXPLAIN_FIELDS = tuple(field.name for field in schema.FIELDS if not field.in_batch)  # costly: only with `explain`


def identify_page(page: Page, text: str | None, explain: bool, ident: Identifier) -> dict[str, Any]:
    """Return the verdict on a page, or on a text; with ``explain``, its costly fields and an explanation too."""
    if text is None and not explain:
        row = format_row(ident.analyze(page).to_row())
        row.update(find_attribution(page, ident))
        return row
    if text is not None and not explain:
        return _format_verdict(ident.identify_text(text), explain)
    analysis = ident.analyze(page, is_text=text is not None)
    row = _format_verdict(analysis.verdict, explain) | find_attribution(page, ident)
    return row | {"explanation": explain_analysis(analysis, ident)}


def format_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of identify_batch as JSON."""
    formatted = {"schema": schema.VERSION, **row, "languages": list(schema.structs("languages", row["languages"]))}
    for name in ROUNDED_FIELDS:
        formatted[name] = round(formatted[name], DECIMALS)
    return formatted


def _format_verdict(verdict: Verdict, explain: bool) -> dict[str, Any]:
    row = verdict.to_dict() | {"encoding_confidence": round(verdict.encoding_confidence, DECIMALS)}
    return row if explain else {name: value for name, value in row.items() if name not in EXPLAIN_FIELDS}


def find_attribution(page: Page, ident: Identifier) -> dict[str, str]:
    """Return the source of a country that was looked up by IP address: its licence requires attribution."""
    if not page.ip or page.country or not ident.country(page.ip):
        return {}
    return {"country_source": ident.attribution} if ident.attribution else {}


def identify_url(request: UrlRequest, ident: Identifier) -> dict[str, Any]:
    """Return the verdict on a URL and the evidence about its page."""
    verdict = ident.identify_url(
        request.url, request.ip, request.anchor, inlinks=request.to_inlinks() or None, country=request.country,
        host=request.host,
    )  # fmt: skip
    page = Page(b"", request.url, ip=request.ip, country=request.country)
    row = _format_verdict(verdict, bool(request.explain)) | find_attribution(page, ident)
    return row | ({"explanation": explain_url(verdict, ident)} if request.explain else {})


def identify_urls(request: UrlsRequest, ident: Identifier) -> list[dict[str, Any]]:
    """Return the verdicts on URLs, in their order."""
    explain = bool(request.explain)
    verdicts = ident.identify_urls(request.urls, explain=explain)
    return [_format_verdict(verdict, explain) for verdict in verdicts]


def decode_page(page: Page) -> dict[str, Any]:
    """Return the source of a page as text, with its encoding."""
    decoded = webtongue.decode(page.raw, page.url, page.headers)
    return {"text": decoded.text, "encoding": decoded.encoding, "confidence": decoded.confidence}


def segment_page(page: Page, text: str | None, ident: Identifier) -> dict[str, Any]:
    """Return the segments of a page or text, and its text by language."""
    analysis = ident.analyze(page, is_text=text is not None)
    blocks, is_cut = text_blocks(analysis)
    row = analysis.verdict.to_dict()
    return {name: row[name] for name in ("schema", *SEGMENT_FIELDS)} | {"text": blocks, "cut": is_cut}
