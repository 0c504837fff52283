"""Answers: a page, a text or an address in, what JSON has of its Verdict out. No HTTP here: these run on threads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import webtongue
from webtongue import Identifier, Page, Verdict
from webtongue.serve.asked import AskedUrl, AskedUrls
from webtongue.serve.explaining import blocks_of, contents_of, explanation, of_address
from webtongue.verdict import SCHEMA

__all__ = ["COSTLY", "credit_of", "decoded", "identified", "of_url", "of_urls", "row_of", "segmented"]

DIGITS = (
    6  # of probabilities: columns hold them as 32-bit floats, and an answer is the same whichever way it is asked for
)
ROUNDED = ("confidence", "encoding_confidence", "group_confidence")
COSTLY = ("guesses", "segments", "evidence")  # what an answer has only where it is asked to explain itself


def identified(page: Page, text: str | None, explain: bool, ident: Identifier) -> dict[str, Any]:
    """The verdict on a page, or on a text: the fields of docs/schema.md, the costly ones and an explanation where asked for."""
    if text is None and not explain:
        return row_of(ident.identify_row(page)) | credit_of(page, ident)
    verdict = ident.identify_page(page) if text is None else ident.identify_text(text)
    if not explain:
        return _brief(verdict)
    row = _whole(verdict) | credit_of(page, ident)
    return row | {"explanation": explanation(page, text is not None, verdict, ident)}


def row_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of identify_batch as JSON has it."""
    held = [{"label": label, "share": share} for label, share in row["languages"]]
    found = {"schema": SCHEMA, **row, "languages": held}
    for name in ROUNDED:
        found[name] = round(row[name], DIGITS)
    return found


def _whole(verdict: Verdict) -> dict[str, Any]:
    row = verdict.to_dict()
    row["encoding_confidence"] = round(verdict.encoding_confidence, DIGITS)
    return row


def _brief(verdict: Verdict) -> dict[str, Any]:
    return {name: value for name, value in _whole(verdict).items() if name not in COSTLY}


def credit_of(page: Page, ident: Identifier) -> dict[str, str]:
    """Whose table the country of an address is from: its licence asks that to be said."""
    if not page.ip or page.country or not ident.country(page.ip):
        return {}
    credit = ident.attribution
    return {"country_source": credit} if credit else {}


def of_url(asked: AskedUrl, ident: Identifier) -> dict[str, Any]:
    """The verdict on an address, with what else is known of its page."""
    verdict = ident.identify_url(
        asked.url, asked.ip, asked.anchor, inlinks=asked.links() or None, country=asked.country, host=asked.host
    )
    page = Page(b"", asked.url, ip=asked.ip, country=asked.country)
    row = (_whole(verdict) if asked.explain else _brief(verdict)) | credit_of(page, ident)
    return row | ({"explanation": of_address(verdict, ident)} if asked.explain else {})


def of_urls(asked: AskedUrls, ident: Identifier) -> list[dict[str, Any]]:
    """The verdicts on many addresses, in their order."""
    found = ident.identify_urls(asked.urls)
    return [_whole(verdict) if asked.explain else _brief(verdict) for verdict in found]


def decoded(page: Page) -> dict[str, Any]:
    """A page's source as text."""
    found = webtongue.decode(page.raw, page.url, page.headers)
    return {"text": found.text, "encoding": found.encoding, "confidence": found.confidence}


def segmented(page: Page, text: str | None, ident: Identifier) -> dict[str, Any]:
    """Where each language of a page or text is, and the text itself by segments."""
    verdict = ident.identify_page(page) if text is None else ident.identify_text(text)
    blocks, cut = blocks_of(page, contents_of(page, text is not None, ident), verdict.segments)
    whole = verdict.to_dict()
    return {name: whole[name] for name in ("schema", "label", "language", "languages", "segments")} | {
        "text": blocks,
        "cut": cut,
    }
