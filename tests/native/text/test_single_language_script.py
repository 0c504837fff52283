"""Tests of scripts with one label: units equal the twin, sentences are answered, random letters are not."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from tests.quality.sentences import SENTENCES
from tests.twins.text.features import last, mix, words
from webtongue import Identifier, _kernel

SEED = 0x6A09E667F3BCC909
# Letters that stand next to each other in Unicode: consonants, in Hangul syllables.
LETTERS = {
    "Thai": (0xE01, 0xE2E), "Hang": (0xAC00, 0xD7A3), "Mlym": (0xD15, 0xD39), "Khmr": (0x1780, 0x17A2),
    "Gujr": (0xA95, 0xAA8), "Guru": (0xA15, 0xA28), "Sinh": (0xD9A, 0xDB1), "Thaa": (0x780, 0x7A5),
}  # fmt: skip
IDENT = Identifier()


def units(text: str, script: str) -> list[int]:
    """Pairs of letters, in Hangul syllables, hashed to 32 bits; at most 400 or a word more."""
    group = _kernel.script_group(script)
    out: list[int] = []
    for word, of in words(text):
        if of == group and len(out) < 400:
            codes = [ord(char) for char in word]
            pairs = [(code, 0) for code in codes] if script == "Hang" else list(pairwise(codes))
            out += [last(mix(mix(SEED, one), other)) & 0xFFFFFFFF for one, other in pairs]
    return out


@pytest.mark.parametrize("script", LETTERS)
def test_random_letters_are_rejected(script: str) -> None:
    rng = random.Random(script)
    low, high = LETTERS[script]
    for _ in range(30):
        words = ["".join(chr(rng.randrange(low, high + 1)) for _ in range(rng.randrange(3, 9))) for _ in range(12)]
        text = " ".join(words)
        assert _kernel.script_units(script, text.encode()) == units(text, script)
        assert not IDENT.identify_text(text).reliable
        assert not IDENT.identify(f"<p>{text}".encode()).reliable


def test_sentences_are_answered() -> None:
    cases = [(label, text) for label, texts in SENTENCES.items() if label[4:] in LETTERS for text in texts]
    assert len(cases) >= 4
    for label, text in cases:
        verdict = IDENT.identify_text(text)
        assert (verdict.label, verdict.reliable) == (label, True)
