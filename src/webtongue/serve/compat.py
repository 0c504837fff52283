"""APIs of other services: LibreTranslate's /detect and /languages, Tika's /language/stream and /language/string."""

from __future__ import annotations

from typing import Any

import msgspec

from webtongue import Identifier, Page, labels
from webtongue.serve.http import parse_fields
from webtongue.serve.problems import Problem

__all__ = ["MAX_BODY_BYTES", "DetectRequest", "detect_language", "identify_tag", "list_languages", "parse_detect_form"]

MAX_GUESSES = 3
MAX_FORM_FIELDS = 16
MAX_BODY_BYTES = 1 << 20  # escapes in a body of /detect take ten times their size in memory while they are parsed


class DetectRequest(msgspec.Struct):
    """A request of a LibreTranslate client; unknown keys are ignored, as LibreTranslate does."""

    q: str
    api_key: str = ""


def parse_detect_form(body: bytes) -> DetectRequest:
    """Return a request that was sent as a form."""
    fields = parse_fields(body, MAX_FORM_FIELDS, "utf-8")
    if "q" not in fields:
        raise Problem("invalid", "the field q is missing: send the text in it", pointer="/q")
    return DetectRequest(fields["q"], fields.get("api_key", ""))


def detect_language(text: str, ident: Identifier) -> list[dict[str, Any]]:
    """Return guesses with percentages, as LibreTranslate does; an empty list where no language can be identified.

    >>> detect_language("Hvar er bókasafnið og hvenær er það opið?", Identifier())[0]["language"]
    'is'
    """
    verdict = ident.identify_text(text)
    if verdict.label in labels.SPECIAL:
        return []
    guesses = [(verdict.label, verdict.confidence), *(g for g in verdict.guesses if g.label != verdict.label)]
    return [
        {"confidence": round(100 * probability, 1), "language": labels.bcp47(label)}
        for label, probability in guesses[:MAX_GUESSES]
    ]


def list_languages(ident: Identifier) -> list[dict[str, Any]]:
    """Return all languages that can be identified; ``targets`` is empty, as nothing is translated."""
    names = {labels.bcp47(label): labels.name(label) for label in sorted(ident.labels)}
    return [{"code": code, "name": name, "targets": []} for code, name in names.items()]


def identify_tag(page: Page, ident: Identifier) -> str:
    """Return the language tag of a page, as Tika does."""
    return ident.analyze(page).verdict.language
