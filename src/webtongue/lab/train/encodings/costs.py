"""Count how likely characters are in the languages of each encoding (native/charset/character_costs.hpp).

A cost is the negative logarithm of a probability, in units of 1/8 nats. In an encoding with one byte per character, it is that of a
byte after the kind of character before it. In an encoding of East Asia, it is that of a character of several bytes, and apart from
that the cost of the step from ASCII to such a character or back.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from webtongue.charset.codecs import encode
from webtongue.lab.train.encodings.classes import CLASSES, KINDS
from webtongue.lab.train.encodings.context import CharClass
from webtongue.lab.train.encodings.file import UNCHECKED_KIND, CharacterCosts
from webtongue.lab.train.encodings.samples import EXTRA_SCRIPTS, SUBSTITUTES, Texts, compute_probabilities

__all__ = ["count_costs"]

UNITS_PER_NAT = 8
CONTEXTS = 6  # sentence, other, small letter, capital, the same two beyond ASCII
ASCII_LETTER, ASCII_REST = 128, 129  # symbols after the 128 bytes beyond ASCII
SYMBOLS = 130
MIN_BYTE_PROBABILITY, MIN_PAIR_PROBABILITY, MIN_STEP_PROBABILITY = 1e-5, 1e-6, 1e-4
LABEL_BYTES = 80_000  # maximum bytes of text of a label that are counted
MAX_OTHER_LABELS = 20  # labels that an encoding can represent but was hardly used for
OTHER_LABELS_SHARE = 0.1  # their share of the probability
EAST_ASIAN_OTHER_SHARE = 0.01  # the same in encodings of East Asia, where these are labels of the following scripts
ALPHABETS = ("Cyrl", "Grek")  # have the same bytes in several of them, so that costs must not tell these apart
MIN_LABEL_BYTES = 500
IS_ASCII_LETTER = np.array([byte < 128 and chr(byte).isalpha() for byte in range(256)])


def count_costs(texts: Texts, sorts: NDArray[np.uint8]) -> CharacterCosts:
    """Return the costs of characters; ``sorts`` has the character class of each byte, one row per class."""
    kinds = UNCHECKED_KIND - 1
    costs = CharacterCosts(
        np.zeros((len(CLASSES), CONTEXTS, SYMBOLS), np.uint8),
        np.zeros((kinds, 128, 256), np.uint8),
        np.zeros((kinds, 3, 3), np.uint8),
    )
    for number, encoding in enumerate(CLASSES):
        kind = KINDS.get(encoding, 0)
        if kind in (0, UNCHECKED_KIND):
            costs.bytes[number] = _count_bytes(texts, encoding, sorts[number])
        else:
            costs.pairs[kind - 1], costs.steps[kind - 1] = _count_pairs(texts, encoding)
    return costs


def _count_bytes(texts: Texts, encoding: str, sorts: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the costs of bytes after each kind of character, for an encoding with one byte per character."""
    joint = np.zeros((CONTEXTS, SYMBOLS))
    for label, share in _list_shares(texts, encoding, OTHER_LABELS_SHARE):
        raw = _encode_lines(texts.lines[label], encoding)
        if len(raw) >= MIN_LABEL_BYTES:
            counts = np.zeros_like(joint)
            np.add.at(counts, _find_contexts(raw, sorts), 1)
            joint += share * counts / counts.sum()
    return _to_costs(_normalise(joint), MIN_BYTE_PROBABILITY)


def _list_shares(texts: Texts, encoding: str, other_share: float) -> list[tuple[str, float]]:
    """Return the labels whose text is counted, each with its share of the probability."""
    used = texts.used[encoding]
    others = [label for label in texts.encodable[encoding] if encoding not in EXTRA_SCRIPTS or label[4:] in ALPHABETS]
    others = others[:: -(-len(others) // MAX_OTHER_LABELS)] if others else []
    shares = [(label, (1 - other_share) * p) for label, p in zip(used, compute_probabilities(used), strict=True)]
    return shares + [(label, other_share / len(others)) for label in others]


def _encode_lines(lines: list[str], encoding: str) -> bytes:
    """Return lines that the encoding can represent, spread over the text."""
    encoded: list[bytes] = []
    size = 0
    for line in lines[:: max(1, sum(map(len, lines)) // LABEL_BYTES)]:
        raw = encode(line, encoding) or encode(line.translate(SUBSTITUTES), encoding)
        if raw is not None and size < LABEL_BYTES:
            encoded.append(raw)
            size += len(raw)
    return b"\n".join(encoded)


def _find_contexts(raw: bytes, sorts: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the kind of character before each byte, and the symbol of the byte."""
    text = np.frombuffer(b"\n" + raw, np.uint8)
    classes, is_high = sorts[text], text >= 0x80
    is_capital = (classes >= CharClass.LETTER) & (classes % 2 == 1)
    is_letter = (classes >= CharClass.LETTER) | (classes == CharClass.MARK)
    contexts = np.where(is_letter, 2 + is_capital + 2 * is_high, 1)
    begins = text == ord("\n")
    begins[1:] |= (text[1:] == ord(" ")) & np.isin(text[:-1], np.frombuffer(b".!?", np.uint8))
    contexts[begins] = 0
    ascii_symbols = np.where(IS_ASCII_LETTER[text], ASCII_LETTER, ASCII_REST)
    symbols = np.where(is_high, text.astype(np.int64) - 0x80, ascii_symbols)
    return contexts[:-1].astype(np.int64), symbols[1:]


def _count_pairs(texts: Texts, encoding: str) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the costs of characters and of steps for an encoding of East Asia."""
    pairs, steps = np.zeros((128, 256)), np.zeros((3, 3))
    for label, share in _list_shares(texts, encoding, EAST_ASIAN_OTHER_SHARE):
        counts = Counter(char for line in texts.lines[label] for char in line)
        units = {char: raw for char in counts if char > "\x7f" and (raw := encode(char, encoding)) is not None}
        total = max(1, sum(counts[char] for char in units))
        for char, raw in units.items():
            pairs[raw[0] - 0x80, raw[1] if len(raw) == 2 else 0] += share * counts[char] / total
        kinds = {char: 2 if char in units else 0 if char.isascii() and char.isalpha() else 1 for char in counts}
        moves = Counter(move for line in texts.lines[label] for move in zip(" " + line, line + " ", strict=True))
        joint = np.zeros((3, 3))
        for (before, after), count in moves.items():
            joint[kinds.get(before, 1), kinds.get(after, 1)] += count
        steps += share * joint / joint.sum()
    return _to_costs(pairs, MIN_PAIR_PROBABILITY), _to_costs(_normalise(steps), MIN_STEP_PROBABILITY)


def _normalise(joint: NDArray[np.float64]) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = joint / np.maximum(joint.sum(axis=1, keepdims=True), 1e-9)
    return shares


def _to_costs(probabilities: NDArray[np.float64], least: float) -> NDArray[np.uint8]:
    costs: NDArray[np.uint8] = np.rint(-UNITS_PER_NAT * np.log(np.maximum(probabilities, least))).astype(np.uint8)
    return costs
