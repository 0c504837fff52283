"""Shapes that people already call: LibreTranslate's /detect and /languages, Tika's /language/stream and /language/string."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

import msgspec

from webtongue import Identifier, Page, labels
from webtongue.serve.problems import Problem

__all__ = ["Detect", "detect_form", "detected", "languages", "tagged"]

MOST_GUESSES = 3
PERCENT = 100.0
MOST_FIELDS = 16


class Detect(msgspec.Struct):
    """What LibreTranslate's callers send; keys that it does not know are not refused, as there."""

    q: str
    api_key: str = ""


def detect_form(body: bytes) -> Detect:
    """The same from a form."""
    fields = dict(parse_qsl(b"&".join(body.split(b"&", MOST_FIELDS)[:MOST_FIELDS]).decode("utf-8", "replace"), True))
    if "q" not in fields:
        raise Problem("invalid", "q is missing: the text whose language is asked", pointer="/q")
    return Detect(fields["q"], fields.get("api_key", ""))


def detected(text: str, ident: Identifier) -> list[dict[str, Any]]:
    """Guesses as LibreTranslate has them, in percent; none where no language can be said, never a silent English.

    >>> detected("Hvar er bókasafnið og hvenær er það opið?", Identifier())[0]["language"]
    'is'
    """
    verdict = ident.identify_text(text)
    if verdict.label in labels.SPECIAL:
        return []
    found = [(verdict.label, verdict.confidence), *(g for g in verdict.guesses if g.label != verdict.label)]
    return [
        {"confidence": round(PERCENT * chance, 1), "language": labels.bcp47(label)}
        for label, chance in found[:MOST_GUESSES]
    ]


def languages(ident: Identifier) -> list[dict[str, Any]]:
    """What can be answered; nothing is translated, so no language has targets."""
    found = {labels.bcp47(label): labels.name(label) for label in sorted(ident.labels)}
    return [{"code": code, "name": name, "targets": []} for code, name in found.items()]


def tagged(page: Page, ident: Identifier) -> str:
    """The tag alone, as Tika answers."""
    verdict = ident.identify_page(page)
    return verdict.language
