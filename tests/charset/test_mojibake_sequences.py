"""UTF-8 that was decoded as another encoding is repaired, and other text is kept."""

from __future__ import annotations

import random
from dataclasses import astuple

import pytest

from tests.twins.charset import mojibake_sequences as twin
from webtongue.charset import mojibake, mojibake_sequences
from webtongue.charset.mojibake import SINGLE_BYTE, bytes_by_character

WORDS = "Café crème à côté – 3 € Привет мир Россия 中文 𠂉😀 naïve ﬁ ÀÉÎ Straße Şimdi Česká ξένος".split()
LOOSE = [
    "Ã ",
    "Ã  ",
    "Ã\xa0",
    "à ",
    "Ã \n",
    "â€",
    "ðŸ",
    "abc",
    " ",
    "\n",
    "<p>",
    "\x81",
    "\uffff",
    "Ð ",
    "Ð Ð¾",
    "æ ",
    "æ –",
]


def decoded_as(text: str, name: str) -> str:
    """Return the mojibake of a text in UTF-8 that is decoded as another encoding."""
    characters = {byte: char for char, byte in bytes_by_character(name).items()}
    return "".join(characters.get(byte, chr(byte)) for byte in text.encode())


def random_fragment(r: random.Random, name: str) -> str:
    kind, word = r.random(), r.choice(WORDS)
    if kind < 0.4:
        return decoded_as(word, name)
    if kind < 0.5:
        return decoded_as(word, "windows-1252").replace("\xa0", " ")
    if kind < 0.6:
        return decoded_as(decoded_as(word, "windows-1252"), name)
    if kind < 0.7:
        characters = list(bytes_by_character(name))
        return "".join(r.choice(characters) for _ in range(r.randrange(6)))
    return r.choice([*LOOSE, word])


@pytest.mark.parametrize("name", SINGLE_BYTE)
def test_equals_its_twin(name: str) -> None:
    r = random.Random(name)
    for _ in range(500):
        text = "".join(random_fragment(r, name) for _ in range(r.randrange(20)))
        assert mojibake_sequences.repair(text, name) == twin.repair(text, name), text
        assert astuple(mojibake_sequences.count_sequences(text, name)) == twin.count_sequences(text, name), text


@pytest.mark.parametrize("name", SINGLE_BYTE)
def test_texts_that_are_skipped_have_no_sequences(name: str) -> None:
    r = random.Random(f"start {name}")
    counts = {True: 0, False: 0}  # texts with and without sequences
    for _ in range(500):
        text = "".join(random_fragment(r, name) for _ in range(r.randrange(3)))
        has_sequences = mojibake_sequences.count_sequences(text, name).sequences > 0
        counts[has_sequences] += 1
        assert mojibake._sequence_start(name).search(text) or not has_sequences, text
    assert min(counts.values()) > 50


@pytest.mark.parametrize("text", WORDS)
@pytest.mark.parametrize("name", SINGLE_BYTE)
def test_mojibake_is_repaired(text: str, name: str) -> None:
    if all(byte < 0x80 or byte in bytes_by_character(name).values() for byte in text.encode()):
        assert mojibake_sequences.repair(decoded_as(f"{text}, {text}", name), name) == f"{text}, {text}"


@pytest.mark.parametrize("text", ["", "plain", "Ã", "Ã©"[:1], "Привет", "中文", "LIBERTÉ ÉGALITÉ"])
def test_other_text_is_kept(text: str) -> None:
    for name in ("windows-1252", "windows-1251"):
        assert mojibake_sequences.repair(text, name) == text
        assert mojibake_sequences.count_sequences(text, name).sequences == 0


def test_folded_spaces_inside_words_are_repaired() -> None:
    for text in ("Россия и Рим", "Παρίσι", "Škoda", "映画館"):
        garbled = decoded_as(text, "windows-1252").replace("\xa0", " ")
        assert mojibake_sequences.repair(garbled, "windows-1252") == text


@pytest.mark.parametrize("text", ["é", "é ", "à", "中文", "😀", "Привет "])
@pytest.mark.parametrize("name", ["windows-1252", "windows-1251"])
def test_long_texts_are_cut_between_sequences(text: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for size in (8, 9, 10, 11, 300):
        monkeypatch.setattr(mojibake_sequences, "CHUNK_CHARS", size)
        times = max(size, 50)  # several chunks of any size
        assert mojibake_sequences.repair(decoded_as(text * times, name), name) == text * times
        assert (
            mojibake_sequences.repair("Ã €Ã©" * times, "windows-1252") == "à €é" * times
        )  # the scanner folded a no-break space
