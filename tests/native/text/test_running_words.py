"""Different words in a row: the kernel's count against a readable twin, and what it says of lists and sentences."""

from __future__ import annotations

import random

import pytest

from tests.inputs import text_of
from tests.quality import kinds, samples
from tests.twins.text import running_words as twin
from webtongue import Identifier, _kernel

READER = Identifier().reader


def check(text: str) -> None:
    found = READER.read_text(text)
    if found.guesses(1) and not found.shares:  # its sentences were not read one by one
        wanted = twin.running_words(found.group, text)
        assert (found.running_words, found.tokens) == (wanted.count, wanted.tokens), text


@pytest.mark.parametrize("seed", range(4))
def test_equals_the_twin(seed: int) -> None:
    rnd = random.Random(seed)
    for _ in range(150):
        check(text_of(rnd))


@pytest.mark.parametrize("kind", kinds())
def test_equals_the_twin_on_what_is_no_sentence(kind: str) -> None:
    for sample in samples(kind)[:12]:
        if isinstance(sample.content, str):
            check(sample.content)


@pytest.mark.parametrize(
    "text, count",
    [
        ("The library opens at nine.", 5),
        ("THE LIBRARY OPENS AT NINE", 5),
        ("word", 0),
        ("la la la la la la", 1),
        ("Anna Schmidt, Peter Weber", 0),
        ("visit www.example.org or user@example.org today", 0),
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
        found: _kernel.Reading = READER.read_text(text)
        return found.guesses(1)[0][1]

    assert (
        best("Montag Dienstag Mittwoch " * 5)
        <= twin.LIST_TRUST
        < best("am Montag und am Dienstag ist immer geschlossen")
    )
