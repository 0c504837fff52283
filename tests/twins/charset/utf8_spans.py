"""A readable twin of native/charset/utf8_spans.cpp."""

from __future__ import annotations

import re

RUN = re.compile(rb"[\x80-\xff]+")
TWO = rb"[\xc2-\xdf][\x80-\xbf]"
THREE = rb"\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}"
FOUR = rb"\xf0[\x90-\xbf][\x80-\xbf]{2}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}"
LOST = "\ufffd".encode()  # no evidence: it may occur in any encoding
UNIT = re.compile(b"|".join((FOUR, THREE, TWO, rb"[\x80-\xff]")))


def find_utf8_spans(
    text: bytes, two: int, three: int, four: int, in_word: int, error: int, min_sum: int
) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    first = last = total = best = 0
    for run in RUN.finditer(text):
        if total <= 0:
            if 0 < best >= min_sum:
                spans.append((first, last))
            first, total, best = run.start(), 0, 0
        gains = {1: -error, 2: two, 3: three, 4: four}
        gain = sum(gains[len(unit)] for unit in UNIT.findall(run[0]) if unit != LOST)
        if len(run[0]) == 2 and gain > 0 and text[: run.start()][-1:].isalpha():
            gain = max(in_word, two)
        total += gain
        if total > best:
            best, last = total, run.end()
        if best - total > min_sum:
            if 0 < best >= min_sum:
                spans.append((first, last))
            total = best = 0
    if 0 < best >= min_sum:
        spans.append((first, last))
    return spans
