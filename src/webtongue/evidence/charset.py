"""Evidence from the encoding of a page (Cai 2009, 6.2.1): some encodings imply one language, others a few."""

from __future__ import annotations

import math
from functools import cache

from webtongue.charset.languages import encoding_languages, language_of_encoding
from webtongue.evidence.hint import EvidenceContext, Hint
from webtongue.reference.web_shares import web_share

__all__ = ["collect", "encoding_hint", "key", "language_of_encoding"]

SOURCE = "encoding"
STRAY_RATE = 0.05  # share of pages in a language that their encoding was not designed for; a judgement, not measured
MAX_LANGUAGES_PER_ENCODING = 12  # an encoding used for more languages is no evidence
MAX_SHOWN_LANGUAGES = 4


def collect(context: EvidenceContext) -> Hint | None:
    """Return the hint of a page's encoding."""
    encoding = key(context)
    return None if encoding is None else encoding_hint(encoding)


def key(context: EvidenceContext) -> str | None:
    """Return the encoding, None for UTF-8 and decoded text."""
    return context.encoding if context.encoding and context.encoding != "utf-8" else None


@cache
def encoding_hint(encoding: str) -> Hint | None:
    """Return the hint of an encoding for the languages it was designed for; None if it is used for any language.

    >>> hint = encoding_hint("koi8-u")
    >>> sorted(hint.nats), hint.label, encoding_hint("utf-8")
    (['rus', 'ukr'], '', None)
    """
    languages = encoding_languages().get(encoding, ())
    if not languages or len(languages) > MAX_LANGUAGES_PER_ENCODING:
        return None
    total_share = sum({key[:3]: web_share(key[:3]) for key in languages}.values())
    nats = math.log((1 - STRAY_RATE) / total_share + STRAY_RATE)
    more = ", ..." * (len(languages) > MAX_SHOWN_LANGUAGES)
    value = f"{encoding}, written in {', '.join(languages[:MAX_SHOWN_LANGUAGES])}{more}"
    label = language_of_encoding(encoding) if len(languages) == 1 else ""
    return Hint(SOURCE, value, label, dict.fromkeys(languages, nats))
