"""Hash the n-grams and words of a text: the readable twin of native/text/features.cpp."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from tests.twins.text.forms import first_letter_of, letters_of
from tests.twins.text.greek import strip_monosyllable
from tests.twins.text.homoglyphs import SHAPE_GROUPS, Folder, group_of, lower
from webtongue.lab.train.corpus.pack import script_group

MASK = (1 << 64) - 1
SEED, WORD, STEP, LAST = 0x6A09E667F3BCC909, 0xBB67AE8584CAA73B, 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
MAX_ORDER, MAX_ORDER_CJK, MAX_WORD, MAX_RUN = 4, 3, 24, 256
GREEK = script_group("ell_Grek")
APOSTROPHES = set("'\u2019\u2018\u02bc`\u00b4")


def mix(state: int, code: int) -> int:
    return ((state ^ code) * STEP) & MASK


def last(state: int) -> int:
    state = ((state ^ (state >> 32)) * LAST) & MASK
    return state ^ (state >> 32)


def is_skipped(code: int) -> bool:
    if 0x591 <= code <= 0x5C7:
        return code not in (0x5BE, 0x5C0, 0x5C3, 0x5C6)
    return (
        code in (0xAD, 0x640, 0x670, 0x2060, 0xFEFF, 0xFF9E, 0xFF9F)
        or 0x64B <= code <= 0x652
        or code in (0x951, 0x952, 0x1CED, 0x1CF4)
        or 0x1CD0 <= code <= 0x1CE8
        or 0x1CF7 <= code <= 0x1CF9
        or 0xA8E0 <= code <= 0xA8F1
        or 0x200B <= code <= 0x200F
        or 0xFE00 <= code <= 0xFE0F
    )


def written_words(text: str) -> Iterator[str]:
    """Yield words as written, letters and accents composed; a word may mix scripts that share letter shapes."""
    word, group, quoted = "", 0, False
    for char in "".join(letters_of(char) for char in text if not is_skipped(ord(char))):
        code = ord(char)
        if is_skipped(code):
            continue
        if char == "\u02bc" or unicodedata.category(char)[0] not in "LM":
            inner = bool(word) and not quoted and char in APOSTROPHES
            if char == "\u02bc":
                quoted = quoted or inner
                continue
            if not inner and word:
                yield word
                word = ""
            quoted = inner
            continue
        low = lower(word[-1]) if word and not quoted and 0x300 <= code < 0x370 else ""
        both = unicodedata.normalize("NFC", low + char) if low else ""
        if len(both) == 1 and unicodedata.decomposition(both):
            word = word[:-1] + first_letter_of(both)
            continue
        now = group_of(char) or group
        mixes = not quoted and now in SHAPE_GROUPS and group in SHAPE_GROUPS
        if word and ((now != group and not mixes) or len(word) + 1 >= MAX_RUN):
            yield word
            word, quoted = "", False
        if not word and not group_of(char):
            continue
        group = now
        if not quoted and len(word) > 1 and lower(word[-1]) == lower(word[-2]) == lower(char):
            continue
        word, quoted = word + ("'" if quoted else "") + char, False
    if word:
        yield word


def words(text: str) -> Iterator[tuple[str, int]]:
    """Yield (lower-cased word, script group) in the order of the text."""
    folder = Folder()
    for written in written_words(text):
        for word, group in folder.take(written):
            yield strip_monosyllable(word) if group == GREEK else word, group


def features(text: str) -> list[tuple[int, int]]:
    """Return (hash, script group) of every n-gram and word."""
    cjk = script_group("zho_Hans")
    out = []
    for word, group in words(text):
        codes = [32, *map(ord, word), 32]
        top = MAX_ORDER_CJK if group == cjk else MAX_ORDER
        for first in range(len(codes) - 1):
            state = mix(SEED, codes[first])
            for order in range(1, min(top, len(codes) - first) + 1):
                if order > 1:
                    state = mix(state, codes[first + order - 1])
                letters = codes[first : first + order]
                foreign = any(code >= 128 for code in letters)
                edge = first == 0 or first + order == len(codes)
                if order > 2 or (order == 2 and (foreign or edge)) or (order == 1 and first > 0 and foreign):
                    out.append((last(state), group))
        if len(codes) > MAX_ORDER and len(word) <= MAX_WORD and group != cjk:
            state = WORD
            for char in word:
                state = mix(state, ord(char))
            out.append((last(state), group))
    return out
