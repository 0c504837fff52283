"""Counts of the characters of a multi-byte encoding."""

from __future__ import annotations

# First bytes of the common characters and of signs, and the least second byte of common ones.
ROWS: dict[int, tuple[list[tuple[int, int]], list[tuple[int, int]], int, int]] = {
    1: ([(0xB0, 0xD7)], [(0xA1, 0xA9)], 0xA1, 0x81), 2: ([(0xA4, 0xC6)], [(0xA1, 0xA3)], 0x40, 0x87),
    3: ([(0xA4, 0xA5), (0xB0, 0xCF)], [(0xA1, 0xA8)], 0x40, 0x8F), 4: ([(0x82, 0x83), (0x88, 0x97)], [(0x81, 0x87)], 0x40, 0x81),
    5: ([(0xB0, 0xC8)], [(0xA1, 0xAF)], 0xA1, 0x81),
}  # fmt: skip


def count_multibyte(text: bytes, kind: int) -> tuple[int, int, int, int, int, int]:
    """Return counts of multi-byte characters, of longer ones, of invalid bytes, of adjacent, common and rare characters."""
    good = long_ones = bad = place = joined = common = rare = 0
    last = -1
    while place < len(text):
        length = character(text, place, kind)
        if length is None:
            break
        if length > 1 and kind in ROWS:
            usual, signs, least, first = ROWS[kind]
            c = text[place]
            if inside(c, usual) and text[place + 1] >= least:
                common += 1
            elif c >= first and (inside(c, usual) or not inside(c, signs)):
                rare += 1
        if length > 1:
            joined += place == last
            last = place + length
        good += length > 1
        long_ones += length > 2
        bad += length == 0
        place += length or 1
    return good, long_ones, bad, joined, common, rare


def character(text: bytes, at: int, kind: int) -> int | None:
    """Return the length of the character at a position, 0 if there is none, None if the text ends inside it."""
    name = ("", "gb18030", "big5", "euc_jp", "shift_jis", "euc_kr", "johab", "euc_tw")[kind]
    c = text[at]
    if c < 0x80 or (name == "shift_jis" and 0xA1 <= c <= 0xDF):
        return 1
    leads = {
        "gb18030": [(0x81, 0xFE)], "big5": [(0x87, 0xFE)], "euc_jp": [(0x8E, 0x8F), (0xA1, 0xFE)],
        "shift_jis": [(0x81, 0x9F), (0xE0, 0xFC)], "euc_kr": [(0x81, 0xFE)],
        "johab": [(0x84, 0xD3), (0xD8, 0xDE), (0xE0, 0xF9)], "euc_tw": [(0x8E, 0x8E), (0xA1, 0xFD)],
    }  # fmt: skip
    if not inside(c, leads[name]):
        return 0
    rest = text[at + 1 : at + 4]
    if not rest:
        return None
    if name == "gb18030" and 0x30 <= rest[0] <= 0x39:
        if len(rest) < 3:
            return None
        return 4 * (0x81 <= rest[1] <= 0xFE and 0x30 <= rest[2] <= 0x39)
    euc = [(0xA1, 0xFE)]
    if name == "euc_jp" and c == 0x8F:
        return None if len(rest) < 2 else 3 * (inside(rest[0], euc) and inside(rest[1], euc))
    if name == "euc_tw" and c == 0x8E:
        ok = len(rest) == 3 and 0xA1 <= rest[0] <= 0xB0 and inside(rest[1], euc) and inside(rest[2], euc)
        return None if len(rest) < 3 else 4 * ok
    trails = {
        "gb18030": [(0x40, 0x7E), (0x80, 0xFE)], "big5": [(0x40, 0x7E), (0xA1, 0xFE)],
        "euc_jp": [(0xA1, 0xDF)] if c == 0x8E else euc, "shift_jis": [(0x40, 0x7E), (0x80, 0xFC)],
        "euc_kr": euc if c >= 0xC7 else [(0x41, 0x5A), (0x61, 0x7A), (0x81, 0xFE)],
        "johab": [(0x41, 0x7E), (0x81, 0xFE)] if c <= 0xD3 else [(0x31, 0x7E), (0x91, 0xFE)], "euc_tw": euc,
    }  # fmt: skip
    return 2 * inside(rest[0], trails[name])


def inside(c: int, ranges: list[tuple[int, int]]) -> bool:
    return any(low <= c <= high for low, high in ranges)
