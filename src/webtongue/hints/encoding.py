"""What the encoding of a page says of its language (Cai 2009, 6.2.1): some name one language, others narrow them down."""

from __future__ import annotations

import math
from functools import cache

from webtongue.encodings.languages import encoding_languages, language_of_encoding
from webtongue.hints.hint import Hint
from webtongue.hints.shares import web_share

__all__ = ["encoding_hint"]

SOURCE = "encoding"
STRAY = 0.05  # of the pages in an encoding, those in a language that it was not made for: quotations, names, errors
MANY = 12  # languages of an encoding from which it says nothing


@cache
def encoding_hint(encoding: str) -> Hint | None:
    """How much likelier an encoding makes the languages that were written in it; None where it says nothing.

    >>> hint = encoding_hint("koi8-u")
    >>> sorted(hint.nats), hint.label, encoding_hint("utf-8")
    (['rus', 'ukr'], '', None)
    """
    named = encoding_languages().get(encoding, ())
    if not named or len(named) > MANY:
        return None
    together = sum({key[:3]: web_share(key[:3]) for key in named}.values())
    worth = math.log((1 - STRAY) / together + STRAY)
    one = language_of_encoding(encoding)
    said = f"{encoding}, written in {', '.join(named[:4])}{', ...' * (len(named) > 4)}"
    return Hint(SOURCE, said, one if len(named) == 1 else "", dict.fromkeys(named, worth))
