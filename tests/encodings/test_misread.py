"""Text that was read in a wrong encoding is put right, and other text stays as it is."""

from __future__ import annotations

import random

import pytest

from tests.twins.encodings import misread as twin
from webtongue.encodings import misread
from webtongue.encodings.repair import repair

WORDS = "Café crème à côté – 3 € Привет мир 中文 𠂉😀 naïve ﬁ ÀÉÎ Straße".split()
LOOSE = ["Ã ", "Ã  ", "Ã\xa0", "à ", "Ã \n", "â€", "ðŸ", "abc", " ", "\n", "<p>", "\x81", "\uffff"]


def taken_for(text: str, name: str) -> str:
    """What one reads who takes UTF-8 for another encoding."""
    characters = {byte: char for char, byte in misread._mistaken(name).items()}
    return "".join(characters.get(byte, chr(byte)) for byte in text.encode())


def piece(r: random.Random) -> str:
    kind, word = r.random(), r.choice(WORDS)
    if kind < 0.3:
        return taken_for(word, "windows-1252")
    if kind < 0.5:
        return taken_for(word, "windows-1251")
    if kind < 0.6:
        return taken_for(taken_for(word, "windows-1252"), "windows-1252")
    if kind < 0.7:
        characters = list(misread._mistaken(r.choice(misread.WRONG)))
        return "".join(r.choice(characters) for _ in range(r.randrange(6)))
    return r.choice([*LOOSE, word])


@pytest.mark.parametrize("seed", range(20))
def test_equals_its_twin(seed: int) -> None:
    r = random.Random(seed)
    for _ in range(100):
        text = "".join(piece(r) for _ in range(r.randrange(20)))
        assert repair(text) == twin.repair(text), text


@pytest.mark.parametrize("text", WORDS)
@pytest.mark.parametrize("name", misread.WRONG)
def test_what_was_taken_for_another_is_put_right(text: str, name: str) -> None:
    if not text.isascii() and not (name == "windows-1251" and text in ("à", "😀")):
        assert repair(taken_for(f"{text}, {text}", name)) == f"{text}, {text}"


@pytest.mark.parametrize("text", ["", "plain", "Ã", "Ã©"[:1], "Привет", "中文", "Ã Ã"])
def test_what_was_not_misread_stays(text: str) -> None:
    assert repair(text) == text


@pytest.mark.parametrize("text", ["é", "é ", "à", "中文", "😀", "Привет "])
@pytest.mark.parametrize("name", misread.WRONG)
def test_long_texts_are_cut_between_sequences(text: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for size in (8, 9, 10, 11, 300):
        monkeypatch.setattr(misread, "CHUNK", size)
        times = max(size, 50)  # several chunks of any size
        assert repair(taken_for(text * times, name)) == text * times
        assert repair("Ã €Ã©" * times) == "à €é" * times  # what the scanner made a space of
