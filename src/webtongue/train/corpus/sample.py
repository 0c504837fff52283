"""Which text of a label is learnt from, how much of it, and in what shape: source shares, snippets, augmentation."""

from __future__ import annotations

import math
import random
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from webtongue.train.corpus.read import SCRIPTURE


@dataclass(frozen=True, slots=True)
class SampleConfig:
    """How snippets are drawn. Limits on sources are the design's; shortest and the number of snippets were compared
    (docs/model.md), the rest are first guesses."""

    shortest: int = 10  # characters; lengths are log-uniform between the two
    longest: int = 400
    label_power: float = (
        0.6  # snippets of a label grow with its modern text to this power: what is met most is learnt best
    )
    fewest: float = 0.8  # least and most of that growth
    most: float = 8.0
    most_of_source: float = 0.4  # largest share of a source in a label's weight, where it has others
    most_scripture: float = 0.15  # largest share of scripture, where the label has enough modern text
    enough_modern: int = 200_000  # bytes of modern text that are enough
    most_repeat: float = 5.0  # a line weighs at most this many times its natural share
    upper: float = 0.04  # share of snippets in capitals
    plain: float = 0.05  # share of Latin snippets with diacritics dropped or spelt out
    nameless: float = 0.08  # share of snippets with capitalised words inside sentences left out


def sizes(sources: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Bytes by source, of those that have lines."""
    return {source: sum(len(line.encode()) for line in lines) for source, lines in sources.items() if lines}


def source_shares(size: Mapping[str, int], config: SampleConfig) -> dict[str, float]:
    """The share of a label's training weight that each source gets, by its bytes.

    >>> shares = source_shares({"ebible": 900_000, "news": 300_000}, SampleConfig())
    >>> round(shares["ebible"], 2)
    0.15
    """
    total = sum(size.values())
    share = _normalised({source: bytes_**0.7 for source, bytes_ in size.items() if bytes_ > 0})
    modern = sum(bytes_ for source, bytes_ in size.items() if source not in SCRIPTURE)
    for _ in range(30):  # the two limits push each other: a few rounds settle them
        if len(share) > 1:
            share = _normalised({s: min(w, config.most_of_source) for s, w in share.items()})
        scripture = sum(w for s, w in share.items() if s in SCRIPTURE)
        if modern >= config.enough_modern and scripture > config.most_scripture:
            down = config.most_scripture * (1 - scripture) / ((1 - config.most_scripture) * scripture)
            share = _normalised({s: w * down if s in SCRIPTURE else w for s, w in share.items()})
    return _normalised({s: min(w, config.most_repeat * size[s] / total) for s, w in share.items()})


def _normalised(weights: dict[str, float]) -> dict[str, float]:
    total = sum(weights.values())
    return {key: weight / total for key, weight in weights.items()}


# Spellings people use where a keyboard lacks the letter (Kikui 1996, 2.3); all others just lose their marks.
SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "å": "aa", "ø": "oe", "æ": "ae", "ı": "i", "đ": "d"})
INNER_CAPITAL = re.compile(r"(?<=[^\W\d_] )[A-ZÀ-ÞΑ-ΩА-Я]\w+")


def plain_letters(text: str, spelt: bool) -> str:
    """Text as typed without diacritics.

    >>> plain_letters("Müller și Åse", spelt=False), plain_letters("Müller", spelt=True)
    ('Muller si Ase', 'Mueller')
    """
    if spelt:
        text = text.translate(SPELT)
    parts = unicodedata.normalize("NFD", text)
    return "".join(char for char in parts if not unicodedata.combining(char))


def snippet(lines: Sequence[str], rnd: random.Random, config: SampleConfig) -> str:
    """A stretch of a source: from a random line on, cut to a random length, at words where they are near."""
    length = int(math.exp(rnd.uniform(math.log(config.shortest), math.log(config.longest))))
    at = rnd.randrange(len(lines))
    text = lines[at]
    while len(text) < length and len(lines) > 1 and rnd.random() < 0.85:
        at = (at + 1) % len(lines)
        text += " " + lines[at]
    if len(text) <= length + 3:
        return text
    first = rnd.randrange(len(text) - length)
    word = text.rfind(" ", 0, first + 1) + 1
    first = word if first - word < 15 else first
    text = text[first : first + length]
    space = text.rfind(" ")
    return text[:space] if space > length * 0.7 and rnd.random() < 0.8 else text


def augment(text: str, latin: bool, rnd: random.Random, config: SampleConfig) -> str:
    """The same text as the web has it: shouted, without diacritics, without its names; mostly as it is."""
    draw = rnd.random()
    if draw < config.upper:
        return text.upper()
    draw -= config.upper
    if draw < config.plain:
        return plain_letters(text, rnd.random() < 0.5) if latin else text
    draw -= config.plain
    if draw < config.nameless:
        return INNER_CAPITAL.sub("", text)
    return text


def label_snippets(
    sources: Mapping[str, Sequence[str]], latin: bool, count: int, seed: str, config: SampleConfig
) -> list[str]:
    """`count` snippets of one label, sources by their shares. The seed names label and pass, so labels are independent."""
    rnd = random.Random(seed)
    size = sizes(sources)
    names = sorted(size)
    shares = source_shares(size, config)
    modern = sum(bytes_ for source, bytes_ in size.items() if source not in SCRIPTURE)
    count = round(count * min(config.most, max(config.fewest, (modern / config.enough_modern) ** config.label_power)))
    drawn = rnd.choices(names, [shares[name] for name in names], k=count)
    return [augment(snippet(sources[name], rnd, config), latin, rnd, config) for name in drawn]
