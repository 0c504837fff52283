"""Tests of running words: the count equals a readable twin, and distinguishes lists from sentences."""

from __future__ import annotations

import random
from functools import partial

import pytest

from tests.inputs import random_text
from tests.quality import kinds, samples
from tests.twins.text import running_words as twin
from webtongue import Identifier, _kernel

READER = Identifier().reader


def check(text: str) -> None:
    reading = READER.read_text(text)
    if reading.guesses(1) and not reading.shares:  # its sentences were not read one by one
        label = reading.guesses(1)[0][0]
        masked = _kernel.mask_code(_kernel.mask_debris(text), text).decode("utf-8", "replace")
        expected = twin.running_words(reading.group, masked, partial(_kernel.is_common_word, READER.kernel, label))
        counts = (expected.count, expected.letters, expected.tokens)
        assert (reading.running_words, reading.running_letters, reading.tokens) == counts, text


@pytest.mark.parametrize("seed", range(4))
def test_equals_the_twin(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(150):
        check(random_text(rng))


@pytest.mark.parametrize("kind", kinds())
def test_equals_the_twin_on_non_sentences(kind: str) -> None:
    for sample in samples(kind)[:12]:
        if isinstance(sample.content, str):
            check(sample.content)


@pytest.mark.parametrize("space", twin.SPACES.replace("\n", ""))
def test_words_are_separated_by_any_space(space: str) -> None:
    text = "The library in our street opens at nine on every day".replace(" ", space)
    check(text)
    assert READER.read_text(text).running_words == 8


@pytest.mark.parametrize(
    "text, count",
    [
        ("The library opens at nine.", 5),
        ("THE LIBRARY OPENS AT NINE", 5),
        ("word", 0),
        ("la la la la la la", 1),
        ("Anna Schmidt, Peter Weber", 0),
        ("visit www.example.org or user@example.org today", 3),
        ("The Library Opens At Nine", 5),
        ("visit 😀 the 😀 library 😀 today", 4),
        ("10 AM 11 AM 12 PM", 0),
        ("A B C D E F", 0),
        ("USB and HDMI", 0),
        ("ห้องสมุดเปิดเก้าโมงเช้าและปิดหกโมงเย็น", 6),
        ("ฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮ", 1),
        ("図書館は朝九時に開きます", 6),
    ],
)
def test_words_in_a_row(text: str, count: int) -> None:
    assert READER.read_text(text).running_words == count


def test_few_words_lower_the_confidence() -> None:
    def best(text: str) -> int:
        reading: _kernel.Reading = READER.read_text(text)
        return reading.guesses(1)[0][1]

    assert (
        best("Montag Dienstag Mittwoch " * 5)
        <= twin.LIST_LOG_PROB
        < best("am Montag und am Dienstag ist immer geschlossen")
    )
