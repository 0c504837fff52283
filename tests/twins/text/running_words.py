"""Different words in a row, readably: the twin of native/text/running_words.cpp."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from tests.twins.text.features import words
from webtongue.train.corpus.pack import script_group

MOST_WORDS, MOST_TOKENS, LONG_WORD, PART, PART_CJK = 8, 256, 12, 6, 2
ROW, ROW_OF_CAPITALS = 2, 4
FEW_WORDS, MANY_TOKENS, LIST_TRUST = 4, 12, -710
FIRST_CASELESS = "\u0590"
AROUND = set(".,;:!?\"()'-")  # signs of ASCII that stand beside the letters of a word
TOKEN = re.compile(r"[^ \t\n\f\r]+")


@dataclass(frozen=True)
class Running:
    count: int
    tokens: int
    wordy: int

    @property
    def is_list(self) -> bool:
        return self.tokens > 0 and (self.wordy == 0 or (self.tokens >= MANY_TOKENS and self.count < FEW_WORDS))


def is_upper(char: str) -> bool:
    return char == "\u0130" or (len(char.lower()) == 1 and char.lower() != char)


def look_at(token: str) -> tuple[str, bool, bool]:
    """How it is written, whether no sign stands after it, and whether it is a run of a script without spaces."""
    places = [i for i, char in enumerate(token) if unicodedata.category(char)[0] in "LM"]
    signs = [i for i, char in enumerate(token) if char < "\x80" and not char.isalpha() and char not in "'-"]
    is_open = not any(i > (places[-1] if places else -1) for i in signs)
    if not places:
        return "other", is_open, False
    letters = [token[i] for i in places]
    if letters[0] >= FIRST_CASELESS:
        return "caseless", is_open, len(letters) > LONG_WORD
    plain = all(c >= "\x80" or c.isalpha() or c in AROUND for c in token)
    plain = plain and not any(places[0] < i < places[-1] for i in signs)
    upper = sum(map(is_upper, letters))
    if plain and upper == 0:
        return "small", is_open, False
    if plain and upper == len(letters) > 1:
        return "upper", is_open, False
    return ("title" if plain and is_upper(letters[0]) and upper == 1 else "other"), is_open, False


def parts(token: str, group: int) -> list[str]:
    out = []
    cjk = group == script_group("zho_Hans")
    for word, of in words(token):
        if of == group and (len(word) > 1 or cjk):
            size = min(PART_CJK, len(word)) if cjk else PART if len(word) > LONG_WORD else len(word)
            out += [word[i : i + size] for i in range(0, len(word) - size + 1, size)]
    return out


def goes_on(before: tuple[str, bool, bool], now: tuple[str, bool, bool]) -> bool:
    """Whether a token goes on with the row of the one before."""
    if now[0] in ("title", "other"):
        return False
    if now[0] == "upper":
        return before[:2] == ("upper", True)
    return now[0] == before[0] or (now[0] == "small" and before[:2] == ("title", True))


def running_words(group: int, text: str) -> Running:
    """Of one stretch of text."""
    cjk = group == script_group("zho_Hans")
    seen: dict[str, None] = {}
    tokens = wordy = 0
    for line in text.split("\n"):
        before: tuple[str, bool, bool] = ("other", True, False)
        row: list[str] = []
        for token in TOKEN.findall(line):
            if len(seen) >= MOST_WORDS or tokens == MOST_TOKENS:
                return Running(min(len(seen), MOST_WORDS), tokens, wordy)
            tokens += 1
            now = look_at(token)
            wordy += now[0] != "other"
            row = [*row, token] if goes_on(before, now) else [token]
            least = 1 if now[2] or cjk else ROW_OF_CAPITALS if now[0] == "upper" else ROW
            if now[0] in ("small", "upper", "caseless") and len(row) >= least:
                counted = row if len(row) == least else [token]
                seen |= dict.fromkeys(part for one in counted for part in parts(one, group))
            before = now
    return Running(min(len(seen), MOST_WORDS), tokens, wordy)
