"""Training text for varieties that have little: text of their standard language with the words replaced that tell them apart.

A variety's own text is often all of one kind (interface strings), so that a classifier learns the kind. Replacing what a
speaker would replace, in text of every kind, teaches the telling words and leaves all others neutral.

`data/varieties/*.tsv`, one rule a row: variety, base, form in the base, forms in the variety (one of them is drawn; a form
given twice is twice as likely), how often the rule applies. A form is a word, two words, or a beginning (`abc*`) or end
(`*abc`) of one.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from webtongue.files import DATA, rows
from webtongue.train.corpus.read import SCRIPTURE, SYNTHETIC, Corpus

__all__ = ["SOURCE", "Rules", "add_varieties", "read_rules"]

SOURCE = "varieties"
RULES = DATA / "varieties"
BYTES = 400_000  # made text for each variety and base
LEAST_REPLACED = 2  # words that must be replaced in a line
ONE_IN = 9  # a line must have one word in this many replaced
# Bases that share most of their sentences with their varieties: a line in which nothing is replaced belongs to both, and there
# is more of it to take, so that no kind of text speaks for one of them.
SHARED = frozenset({"hrv_Latn", "srp_Latn"})
SHARED_BYTES = 1_600_000  # made text for each variety of these
SHORTEST_WITH_AFFIX = 4  # letters of a word that a rule for beginnings or ends is tried on
BETWEEN_WORDS = re.compile(r"([\s,.;:!?\"()\[\]«»“”„،؛؟।॥…/–—]+)")
VOWEL_SIGNS = re.compile("[\u064b-\u0652\u0640]")
JOINED_BEFORE = ("و", "ف")  # "and" is written onto an Arabic word

Form = tuple[str, float]


@dataclass(slots=True)
class Rules:
    """The rules of one variety over one base."""

    words: dict[str, list[Form]] = field(default_factory=lambda: defaultdict(list))
    begins: dict[str, list[Form]] = field(default_factory=lambda: defaultdict(list))
    ends: dict[str, list[Form]] = field(default_factory=lambda: defaultdict(list))

    def add(self, base: str, form: str, often: float) -> None:
        if base.endswith("*"):
            self.begins[base[:-1]].append((form[:-1], often))
        elif base.startswith("*"):
            self.ends[base[1:]].append((form[1:], often))
        else:
            self.words[base].append((form, often))

    def apply(self, line: str, rnd: random.Random) -> tuple[str, int, int]:
        """The line in the variety, words replaced, words in all.

        >>> rules = Rules()
        >>> rules.add("tisuća", "hiljada", 1)
        >>> rules.apply("Tisuća riječi", random.Random(0))
        ('Hiljada riječi', 1, 2)
        """
        parts = BETWEEN_WORDS.split(VOWEL_SIGNS.sub("", line))
        replaced, at = 0, 0
        while at < len(parts):
            pair = f"{parts[at]} {parts[at + 2]}" if at + 2 < len(parts) and parts[at + 1] == " " else ""
            if pair and (new := self._word(pair, rnd)) is not None:
                parts[at : at + 3] = [new]
                replaced += 1
            elif (new := self._one(parts[at], rnd)) is not None:
                parts[at] = new
                replaced += 1
            at += 2
        return "".join(parts), replaced, (len(parts) + 1) // 2

    def _one(self, word: str, rnd: random.Random) -> str | None:
        if word.lower() in self.words:
            return self._word(word, rnd)
        if word.startswith(JOINED_BEFORE) and word[1:] in self.words:
            rest = self._word(word[1:], rnd)
            return None if rest is None else word[0] + rest
        return self._affix(word, rnd)

    def _word(self, word: str, rnd: random.Random) -> str | None:
        forms = self.words.get(word.lower())
        new = _draw(forms, rnd) if forms else None
        return new[:1].upper() + new[1:] if new is not None and word[:1].isupper() else new

    def _affix(self, word: str, rnd: random.Random) -> str | None:
        if len(word) < SHORTEST_WITH_AFFIX:
            return None
        for size in range(len(word) - 1, 0, -1):
            if (forms := self.begins.get(word[:size])) is not None:
                new = _draw(forms, rnd)
                return None if new is None else new + word[size:]
            if (forms := self.ends.get(word[-size:])) is not None:
                new = _draw(forms, rnd)
                return None if new is None else word[:-size] + new
        return None


def _draw(forms: list[Form], rnd: random.Random) -> str | None:
    form, often = forms[rnd.randrange(len(forms))]
    return form if rnd.random() < often else None


@cache
def read_rules(folder: Path = RULES) -> dict[tuple[str, str], Rules]:
    """(variety, base) -> rules."""
    out: dict[tuple[str, str], Rules] = defaultdict(Rules)
    for path in sorted(folder.glob("*.tsv")):
        for variety, base, form, forms, often in rows(path.absolute()):
            for new in forms.split("|"):
                out[variety, base].add(form, new, float(often))
    return dict(sorted(out.items()))


def add_varieties(corpus: Corpus, rules: dict[tuple[str, str], Rules] | None = None) -> None:
    """Adds a source of made lines to each variety that is in the corpus beside its base."""
    sources = corpus.of_label()
    for (variety, base), of_pair in (read_rules() if rules is None else rules).items():
        if variety in sources and base in sources:
            lines = list(_made_lines(sources[base], of_pair, base in SHARED, random.Random(f"{variety}/{base}")))
            if lines:
                corpus.lines.setdefault((SOURCE, variety), []).extend(lines)


def _made_lines(sources: dict[str, list[str]], rules: Rules, shared: bool, rnd: random.Random) -> Iterator[str]:
    lines = [line for source, some in sources.items() if source not in SCRIPTURE | SYNTHETIC for line in some]
    rnd.shuffle(lines)
    left = SHARED_BYTES if shared else BYTES
    for line in lines:
        made, replaced, words = rules.apply(line, rnd)
        if shared or replaced >= max(LEAST_REPLACED, words / ONE_IN):
            yield made
            left -= len(made.encode())
        if left <= 0:
            return
