"""Count distinct consecutive words: the readable twin of native/text/running_words.cpp."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from tests.twins.text.features import words
from tests.twins.text.forms import first_letter_of
from tests.twins.text.junk import UNICODE_SPACES
from webtongue.lab.train.corpus.pack import script_group

MAX_RUNNING_WORDS, MAX_TOKENS, MAX_WORD_LETTERS, PART_LETTERS, CJK_PART_LETTERS = 8, 256, 12, 6, 2
MIN_ROW_WORDS, MIN_CAPITAL_ROW_WORDS = 2, 4
MIN_HEADLINE_WORDS, MAX_HEADLINE_WORDS, MIN_COMMON_WORDS = 4, 24, 1
MIN_RUNNING_WORDS, MIN_LIST_TOKENS, LIST_LOG_PROB = 4, 12, -710
FIRST_CASELESS = "\u0590"
WORD_PUNCTUATION = set(".,;:!?\"()'-")  # ASCII punctuation that may be next to the letters of a word
SPACES = " \t\n\v\f\r" + "".join(sorted(UNICODE_SPACES))
TOKEN = re.compile(f"[^{SPACES}]+")
EMOJI = re.compile("[\U0001f000-\U0001ffff\u2600-\u277f\u200d\ufe00-\ufe0f]+")


@dataclass(frozen=True)
class Running:
    count: int
    letters: int
    tokens: int
    word_like: int

    @property
    def is_list(self) -> bool:
        return self.tokens > 0 and (
            self.word_like == 0 or (self.tokens >= MIN_LIST_TOKENS and self.count < MIN_RUNNING_WORDS)
        )


def is_upper(char: str) -> bool:
    return char == "\u0130" or (len(char.lower()) == 1 and char.lower() != char)


def classify_token(token: str) -> tuple[str, bool, bool]:
    """Return the case of a token, whether no punctuation follows, and whether it is a run of a script without spaces."""
    token = "".join(map(first_letter_of, token))
    places = [i for i, char in enumerate(token) if unicodedata.category(char)[0] in "LM"]
    signs = [i for i, char in enumerate(token) if char < "\x80" and not char.isalpha() and char not in "'-"]
    is_open = not any(i > (places[-1] if places else -1) for i in signs)
    if not places:
        return "other", is_open, False
    letters = [token[i] for i in places]
    if letters[0] >= FIRST_CASELESS:
        return "caseless", is_open, len(letters) > MAX_WORD_LETTERS
    plain = all(c >= "\x80" or c.isalpha() or c in WORD_PUNCTUATION for c in token)
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
    for word, word_group in words(token):
        if word_group == group and (len(word) > 1 or cjk):
            size = (
                min(CJK_PART_LETTERS, len(word)) if cjk else PART_LETTERS if len(word) > MAX_WORD_LETTERS else len(word)
            )
            out += [word[i : i + size] for i in range(0, len(word) - size + 1, size)]
    return out


def continues_row(before: tuple[str, bool, bool], now: tuple[str, bool, bool]) -> bool:
    """Return True if a token continues the row of the previous one."""
    if now[0] in ("title", "other"):
        return False
    if now[0] == "upper":
        return before[:2] == ("upper", True)
    return now[0] == before[0] or (now[0] == "small" and before[:2] == ("title", True))


class DistinctWords:
    """Distinct words, up to the limit."""

    def __init__(self, group: int) -> None:
        self.group = group
        self.seen: dict[str, None] = {}

    def add(self, tokens: list[str]) -> None:
        for part in (part for token in tokens for part in parts(token, self.group)):
            if len(self.seen) < MAX_RUNNING_WORDS:
                self.seen[part] = None


class Headline:
    """A row of words in any case, without punctuation between them, that counts if it has common words."""

    def __init__(self, words: DistinctWords, is_common: Callable[[str], bool]) -> None:
        self.words, self.is_common = words, is_common
        self.row: list[str] = []
        self.common = 0

    def add(self, token: str, case: str, is_open: bool) -> None:
        if case in ("other", "caseless"):
            return self.end()
        self.row.append(token)
        if self.common < MIN_COMMON_WORDS:
            self.common += sum(group == self.words.group and self.is_common(word) for word, group in words(token))
        if not is_open:
            self.end()

    def end(self) -> None:
        """Count the row; a longer one is a list of names."""
        if MIN_HEADLINE_WORDS <= len(self.row) <= MAX_HEADLINE_WORDS and self.common >= MIN_COMMON_WORDS:
            self.words.add(self.row)
        self.row, self.common = [], 0


def running_words(group: int, text: str, is_common: Callable[[str], bool] = lambda _: False) -> Running:
    """Return the counts for one span of text; ``is_common`` tells the common words of the language."""
    cjk = group == script_group("zho_Hans")
    distinct = DistinctWords(group)
    tokens = word_like = 0
    for line in text.split("\n"):
        before: tuple[str, bool, bool] = ("other", True, False)
        row: list[str] = []
        headline = Headline(distinct, is_common)
        for token in TOKEN.findall(line):
            if len(distinct.seen) == MAX_RUNNING_WORDS or tokens == MAX_TOKENS:
                break
            tokens += 1
            if EMOJI.fullmatch(token):
                word_like += 1
                continue
            now = classify_token(token)
            headline.add(token, now[0], now[1])
            word_like += now[0] != "other"
            row = [*row, token] if continues_row(before, now) else [token]
            min_length = 1 if now[2] or cjk else MIN_CAPITAL_ROW_WORDS if now[0] == "upper" else MIN_ROW_WORDS
            if now[0] in ("small", "upper", "caseless") and len(row) >= min_length:
                distinct.add(row if len(row) == min_length else [token])
            before = now
        else:
            headline.end()
    return Running(len(distinct.seen), sum(map(len, distinct.seen)), tokens, word_like)
