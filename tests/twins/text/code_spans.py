"""Mask code and data beside prose: the readable twin of native/text/code_spans.cpp."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from tests.twins.text.junk import look_for_junk, looks_like_prose, tally

MAX_TEXT, MIN_ASCII_RUN, MAX_REST = 4096, 24, 16
MIN_CODE, MIN_RARE_SIGNS, RARE_SIGN_SHARE = 24, 2, 512
OTHER_LEAD, CJK_LEAD = 0xCE, 0xE3
MAX_PROSE_SCORE, MIN_PROSE, PROSE_SHARE = -150, 20, 4
ASCII_RUN = re.compile(rb"[\x00-\x09\x0b-\x7f]{%d}" % MIN_ASCII_RUN)
COMMENT = re.compile(rb"\t| [ \t]| ?[!-/:-@\[-`{-~]")


@dataclass
class Part:
    """A line or a sentence."""

    begin: int
    end: int
    is_comment: bool
    kind: str = "rest"
    size: int = 0


def cut_at(text: bytes, at: int) -> str:
    """Return the kind of cut before a byte: line, sentence, statement, or an empty string."""
    if text[at - 1] == 10:
        return "line"
    before = text[:at].rstrip(b" \n")
    if not before or text[at] in b" \n":
        return ""
    last = before[-1]
    places = [i for i in range(max(0, len(before) - 4), len(before)) if not 0x80 <= before[i] < 0xC0]
    lead = before[places[-1] if places else max(0, len(before) - 4)]
    starts_ascii = ASCII_RUN.match(text, at) is not None
    if text[at - 1] != 32:
        return "statement" if lead >= CJK_LEAD and starts_ascii else ""
    if last in b".!?":
        return "sentence"
    if last in b";})]" and (text[at] >= 0x80 or 65 <= text[at] <= 90):
        return "statement"
    if lead >= OTHER_LEAD:
        return "statement" if starts_ascii else ""
    ends_ascii = at >= MIN_ASCII_RUN and text[at - MIN_ASCII_RUN : at].isascii()
    return "statement" if text[at] >= OTHER_LEAD and ends_ascii else ""


def split(text: bytes, unmasked: bytes) -> list[Part]:
    parts = []
    begin, is_comment = 0, COMMENT.match(unmasked) is not None
    for at in range(1, len(text)):
        cut = cut_at(text, at) if at > begin else ""
        if cut:
            parts.append(Part(begin, at, is_comment))
            begin = at
            if cut != "sentence":
                is_comment = cut == "line" and COMMENT.match(unmasked, at) is not None
    return [*parts, Part(begin, len(text), is_comment)] if text else []


def classify(part: Part, text: bytes) -> None:
    counted, (score, kind) = tally(text), look_for_junk(text)
    part.size = counted.bytes
    if score > 0 and kind != "names" and len(text) >= MIN_CODE and not looks_like_prose(text):
        part.kind = "code"
    elif not part.is_comment and looks_like_prose(text) and score <= MAX_PROSE_SCORE:
        part.kind = "prose" if counted.counts["runs"] * 2 >= counted.bytes else "rest"


def mask_code(text: bytes, unmasked: bytes) -> bytes:
    rare = sum(byte in b"{}<>[];=_" for byte in text)
    if len(text) > MAX_TEXT or rare < MIN_RARE_SIGNS or rare * RARE_SIGN_SHARE < len(text):
        return text
    parts = split(text, unmasked)
    for part in parts:
        classify(part, text[part.begin : part.end])
    if len(parts) < 2 or all(part.kind != "code" for part in parts):
        return text
    for before, part in pairwise(parts):
        if before.kind == "code" and part.kind == "rest" and part.size < MAX_REST:
            part.kind = "code"
    prose = sum(part.size for part in parts if part.kind == "prose")
    if prose < MIN_PROSE or prose * PROSE_SHARE < sum(part.size for part in parts):
        return text
    masked = bytearray(text)
    for part in parts:
        if part.kind == "code":
            masked[part.begin : part.end] = re.sub(rb"[^\n]", b" ", text[part.begin : part.end])
    return bytes(masked)
