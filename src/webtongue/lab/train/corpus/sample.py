"""Sample training text: shares of the sources of a label, snippets of random length, and augmentation."""

from __future__ import annotations

import math
import random
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from webtongue.lab.train.corpus.read import SCRIPTURE


@dataclass(frozen=True, slots=True)
class SampleConfig:
    """Settings of sampling. ``shortest`` and the number of snippets were compared by measurement
    (docs/generated/figures-model.md), the limits on sources follow from the design, the rest are first guesses. Names are part of
    the manifest in model files."""

    shortest: int = 10  # minimum characters; lengths are log-uniform between the two
    longest: int = 400  # maximum characters
    label_power: float = 0.6  # the number of snippets of a label grows with this power of its modern text
    fewest: float = 0.8  # minimum factor of that growth
    most: float = 8.0  # maximum factor of that growth
    most_of_source: float = 0.4  # maximum share of one source, where a label has several
    most_scripture: float = 0.15  # maximum share of scripture, where a label has enough modern text
    enough_modern: int = 200_000  # bytes of modern text that are enough
    most_repeat: float = 5.0  # maximum weight of a line, relative to its share of the bytes
    upper: float = 0.04  # share of snippets in capitals
    plain: float = 0.1  # share of Latin and Greek text with diacritics dropped or spelt out
    nameless: float = 0.08  # share of snippets without the capitalised words inside sentences


def count_bytes(sources: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return the bytes of each source that has lines."""
    return {source: sum(len(line.encode()) for line in lines) for source, lines in sources.items() if lines}


def compute_source_shares(bytes_by_source: Mapping[str, int], config: SampleConfig) -> dict[str, float]:
    """Return the share of each source in the training weight of a label, from the bytes of the sources.

    >>> shares = compute_source_shares({"ebible": 900_000, "news": 300_000}, SampleConfig())
    >>> round(shares["ebible"], 2)
    0.15
    """
    total = sum(bytes_by_source.values())
    shares = _normalise({source: size**0.7 for source, size in bytes_by_source.items() if size > 0})
    modern_bytes = sum(size for source, size in bytes_by_source.items() if source not in SCRIPTURE)
    for _ in range(30):  # the two limits affect each other; a few rounds converge
        if len(shares) > 1:
            shares = _normalise({s: min(w, config.most_of_source) for s, w in shares.items()})
        scripture = sum(w for s, w in shares.items() if s in SCRIPTURE)
        if modern_bytes >= config.enough_modern and scripture > config.most_scripture:
            factor = config.most_scripture * (1 - scripture) / ((1 - config.most_scripture) * scripture)
            shares = _normalise({s: w * factor if s in SCRIPTURE else w for s, w in shares.items()})
    return _normalise({s: min(w, config.most_repeat * bytes_by_source[s] / total) for s, w in shares.items()})


def _normalise(weights: dict[str, float]) -> dict[str, float]:
    total = sum(weights.values())
    return {key: weight / total for key, weight in weights.items()}


# Common spellings where a keyboard lacks the letter (Kikui 1996, 2.3); other letters only lose their marks.
DIGRAPHS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
DIGRAPH_LANGUAGES = frozenset({"deu", "gsw", "nds", "bar", "ltz", "dan", "nob", "nno"})  # they spell letters out
# Letters that do not decompose into a base and marks.
UNMARKED_LETTERS = {
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ı": "i", "đ": "d", "ł": "l", "ħ": "h", "ð": "d", "þ": "th", "ŋ": "ng", "ɓ": "b",
        "ɗ": "d", "ƙ": "k", "ƴ": "y", "ɛ": "e", "ɔ": "o", "ə": "e", "ʼ": "", "ʻ": "",
}  # fmt: skip
UNMARKED = str.maketrans(
    UNMARKED_LETTERS | {letter.upper(): plain.upper() for letter, plain in UNMARKED_LETTERS.items() if letter != "ß"}
)
CAPITALISED_WORD_IN_SENTENCE = re.compile(r"(?<=[^\W\d_] )[A-ZÀ-ÞΑ-ΩА-Я]\w+")


def strip_diacritics(text: str, spelt_out: bool) -> str:
    """Return the text as typed on a keyboard without diacritics.

    >>> strip_diacritics("Müller și Åse", spelt_out=False), strip_diacritics("Müller", spelt_out=True)
    ('Muller si Ase', 'Mueller')
    """
    if spelt_out:
        text = text.translate(DIGRAPHS)
    decomposed = unicodedata.normalize("NFD", text.translate(UNMARKED))
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def may_lack_diacritics(label: str) -> bool:
    """Return True if people write the language without its diacritics where a keyboard lacks them, or in capitals."""
    return label.endswith(("_Latn", "_Grek"))


def draw_unmarked(text: str, label: str, rng: random.Random) -> str:
    """Return the text without diacritics, as a writer of the language types it."""
    return strip_diacritics(text, label.partition("_")[0] in DIGRAPH_LANGUAGES and rng.random() < 0.5)


def draw_unmarked_lines(lines: Sequence[str], label: str, one_in: int) -> list[tuple[int, str]]:
    """Return every n-th line without its diacritics, with the number of the line; lines that have none are left out."""
    if not may_lack_diacritics(label):
        return []
    rng = random.Random(f"unmarked/{label}")
    drawn = ((number, draw_unmarked(lines[number], label, rng)) for number in range(0, len(lines), one_in))
    return [(number, text) for number, text in drawn if text != lines[number]]


def draw_snippet(lines: Sequence[str], rng: random.Random, config: SampleConfig) -> str:
    """Return a snippet of a source: from a random line on, cut to a random length, at word boundaries where they are near."""
    length = int(math.exp(rng.uniform(math.log(config.shortest), math.log(config.longest))))
    index = rng.randrange(len(lines))
    text = lines[index]
    while len(text) < length and len(lines) > 1 and rng.random() < 0.85:
        index = (index + 1) % len(lines)
        text += " " + lines[index]
    if len(text) <= length + 3:
        return text
    first = rng.randrange(len(text) - length)
    word = text.rfind(" ", 0, first + 1) + 1
    first = word if first - word < 15 else first
    text = text[first : first + length]
    space = text.rfind(" ")
    return text[:space] if space > length * 0.7 and rng.random() < 0.8 else text


def augment(text: str, label: str, rng: random.Random, config: SampleConfig) -> str:
    """Return the text as the web writes it: sometimes in capitals, without diacritics or without names, mostly unchanged."""
    draw = rng.random()
    if draw < config.upper:
        return text.upper()
    draw -= config.upper
    if draw < config.plain:
        return draw_unmarked(text, label, rng) if may_lack_diacritics(label) else text
    draw -= config.plain
    if draw < config.nameless:
        return CAPITALISED_WORD_IN_SENTENCE.sub("", text)
    return text


def draw_snippets(
    sources: Mapping[str, Sequence[str]], label: str, count: int, seed: str, config: SampleConfig
) -> list[str]:
    """Return about ``count`` snippets of one label, sources by their shares.

    The seed names label and pass, so that labels are independent of each other.
    """
    rng = random.Random(seed)
    bytes_by_source = count_bytes(sources)
    names = sorted(bytes_by_source)
    shares = compute_source_shares(bytes_by_source, config)
    modern_bytes = sum(size for source, size in bytes_by_source.items() if source not in SCRIPTURE)
    count = round(
        count * min(config.most, max(config.fewest, (modern_bytes / config.enough_modern) ** config.label_power))
    )
    drawn_sources = rng.choices(names, [shares[name] for name in names], k=count)
    return [augment(draw_snippet(sources[name], rng, config), label, rng, config) for name in drawn_sources]
