"""Twin of native/text/block_style.cpp: tell running text from names and codes by the words of a block."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

from tests.twins.text.running_words import TOKEN

RUNNING, FRAGMENT, NAMES, CODES = range(4)
MAX_STYLE_BYTES, MIN_NUMBERS = 100, 3
FIRST_CASELESS = "\u0590"
SIGNS = set('!"#$%()*+./:;<=>?@[\\]^_`{|}~')


def is_letter(c: str) -> bool:
    return unicodedata.category(c)[0] in "LM"


def token_style(token: str) -> str:
    """Return number, code, small, capital or caseless."""
    letters = "".join(c for c in token if is_letter(c))
    if any(c >= FIRST_CASELESS for c in letters):
        return "caseless"
    if not letters:
        return "number"
    if re.search("[0-9]", token) or has_inner_sign(token):
        return "code"
    return "capital" if letters[0].lower() != letters[0] else "small"


def has_inner_sign(token: str) -> bool:
    """Whether a sign stands before the third letter or a later one, but after a letter: initials are no code."""
    shape = "".join("l" if is_letter(c) else "s" if c in SIGNS else "" for c in token)
    return any(match.start() and shape[: match.start()].count("l") > 1 for match in re.finditer("s+l", shape))


def style_of(block: str) -> int:
    if len(block.encode()) > MAX_STYLE_BYTES:
        return RUNNING
    tokens = [(token, token_style(token)) for token in TOKEN.findall(block)]
    styles = [style for _, style in tokens]
    if "caseless" in styles:
        return RUNNING
    sizes = {style: sum(len(token.encode()) for token, own in tokens if own == style) for style in set(styles)}
    words = sizes.get("small", 0) + sizes.get("capital", 0)
    codes, numbers = sizes.get("code", 0), sizes.get("number", 0)
    if words == 0 or ((codes or styles.count("number") >= MIN_NUMBERS) and codes + numbers >= words):
        return CODES
    if any(pair == ("small", "small") for pair in pairwise(styles)):
        return RUNNING
    capitals = styles.count("capital")
    return NAMES if capitals >= 2 and capitals >= 2 * styles.count("small") else FRAGMENT
