"""Generate training text for varieties with little text: text of the standard language with the distinctive words replaced.

The text of a variety is often of one register (interface strings), and a classifier then learns the register. Replacing what a
speaker would replace, in text of every register, teaches the distinctive words and leaves all others neutral.

`data/varieties/*.tsv` has one rule per row: variety, base, form in the base, forms in the variety (one is drawn; a form given
twice is twice as likely), and the probability that the rule applies. A form is a word, two words, or a beginning (`abc*`) or end
(`*abc`) of a word.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from webtongue.files import DATA, read_rows
from webtongue.lab.train.corpus.read import SCRIPTURE, SYNTHETIC, Corpus

__all__ = ["SOURCE", "Rules", "add_varieties", "read_rules"]

SOURCE = "varieties"
RULES_FOLDER = DATA / "varieties"
BYTES_PER_PAIR = 400_000  # generated text for each variety and base
MIN_REPLACED_WORDS = 2  # in a line
MAX_WORDS_PER_REPLACEMENT = 9  # in a line
# Bases that share most of their sentences with their varieties. A line without replacements belongs to both; more of it is
# generated, so that no register becomes evidence for one of them.
SHARED_BASES = frozenset({"hrv_Latn", "srp_Latn"})
BYTES_PER_SHARED_PAIR = 1_600_000  # generated text for each variety of a shared base
MIN_AFFIXED_LETTERS = 4  # rules for beginnings and ends apply to longer words only
BETWEEN_WORDS = re.compile(r"([\s,.;:!?\"()\[\]«»“”„،؛؟।॥…/–—]+)")
VOWEL_SIGNS = re.compile("[\u064b-\u0652\u0640]")
JOINED_CONJUNCTIONS = ("و", "ف")  # "and" and "so" are joined to the next word in Arabic

Form = tuple[str, float]  # a form in the variety, and the probability of its rule


@dataclass(slots=True)
class Rules:
    """The rules of one variety over one base."""

    words: dict[str, list[Form]] = field(default_factory=lambda: defaultdict(list))
    begins: dict[str, list[Form]] = field(default_factory=lambda: defaultdict(list))
    ends: dict[str, list[Form]] = field(default_factory=lambda: defaultdict(list))

    def add(self, base: str, form: str, probability: float) -> None:
        if base.endswith("*"):
            self.begins[base[:-1]].append((form[:-1], probability))
        elif base.startswith("*"):
            self.ends[base[1:]].append((form[1:], probability))
        else:
            self.words[base].append((form, probability))

    def apply(self, line: str, rng: random.Random) -> tuple[str, int, int]:
        """Return the line in the variety, the number of replaced words, and the number of words.

        >>> rules = Rules()
        >>> rules.add("tisuća", "hiljada", 1)
        >>> rules.apply("Tisuća riječi", random.Random(0))
        ('Hiljada riječi', 1, 2)
        """
        parts = BETWEEN_WORDS.split(VOWEL_SIGNS.sub("", line))
        replaced, index = 0, 0
        while index < len(parts):
            pair = f"{parts[index]} {parts[index + 2]}" if index + 2 < len(parts) and parts[index + 1] == " " else ""
            if pair and (new := self._word(pair, rng)) is not None:
                parts[index : index + 3] = [new]
                replaced += 1
            elif (new := self._replace(parts[index], rng)) is not None:
                parts[index] = new
                replaced += 1
            index += 2
        return "".join(parts), replaced, (len(parts) + 1) // 2

    def _replace(self, word: str, rng: random.Random) -> str | None:
        if word.lower() in self.words:
            return self._word(word, rng)
        if word.startswith(JOINED_CONJUNCTIONS) and word[1:] in self.words:
            rest = self._word(word[1:], rng)
            return None if rest is None else word[0] + rest
        return self._affix(word, rng)

    def _word(self, word: str, rng: random.Random) -> str | None:
        options = self.words.get(word.lower())
        new = _draw(options, rng) if options else None
        return new[:1].upper() + new[1:] if new is not None and word[:1].isupper() else new

    def _affix(self, word: str, rng: random.Random) -> str | None:
        if len(word) < MIN_AFFIXED_LETTERS:
            return None
        for size in range(len(word) - 1, 0, -1):
            if (options := self.begins.get(word[:size])) is not None:
                new = _draw(options, rng)
                return None if new is None else new + word[size:]
            if (options := self.ends.get(word[-size:])) is not None:
                new = _draw(options, rng)
                return None if new is None else word[:-size] + new
        return None


def _draw(options: list[Form], rng: random.Random) -> str | None:
    form, probability = options[rng.randrange(len(options))]
    return form if rng.random() < probability else None


@cache
def read_rules(folder: Path = RULES_FOLDER) -> dict[tuple[str, str], Rules]:
    """Return the rules of each (variety, base)."""
    rules: dict[tuple[str, str], Rules] = defaultdict(Rules)
    for path in sorted(folder.glob("*.tsv")):
        for variety, base, form, forms, often in read_rows(path.absolute()):
            for new in forms.split("|"):
                rules[variety, base].add(form, new, float(often))
    return dict(sorted(rules.items()))


def add_varieties(corpus: Corpus, rules: dict[tuple[str, str], Rules] | None = None) -> None:
    """Add a source of generated lines for each variety that the corpus has together with its base."""
    sources = corpus.group_by_label()
    for (variety, base), pair_rules in (read_rules() if rules is None else rules).items():
        if variety in sources and base in sources:
            lines = list(
                _generate_lines(sources[base], pair_rules, base in SHARED_BASES, random.Random(f"{variety}/{base}"))
            )
            if lines:
                corpus.lines.setdefault((SOURCE, variety), []).extend(lines)


def _generate_lines(sources: dict[str, list[str]], rules: Rules, shared: bool, rng: random.Random) -> Iterator[str]:
    lines = [
        line for source, source_lines in sources.items() if source not in SCRIPTURE | SYNTHETIC for line in source_lines
    ]
    rng.shuffle(lines)
    bytes_left = BYTES_PER_SHARED_PAIR if shared else BYTES_PER_PAIR
    for line in lines:
        text, replaced, words = rules.apply(line, rng)
        if shared or replaced >= max(MIN_REPLACED_WORDS, words / MAX_WORDS_PER_REPLACEMENT):
            yield text
            bytes_left -= len(text.encode())
        if bytes_left <= 0:
            return
