"""Samples to fit on: corpus text, written in every encoding that can hold it, at many lengths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from webtongue.encodings.codecs import encode
from webtongue.encodings.languages import encoding_languages
from webtongue.hints.shares import web_powers
from webtongue.train.corpus.holdout import held_out
from webtongue.train.corpus.read import SCRIPTURE, SYNTHETIC, entries, read_lines
from webtongue.train.corpus.terms import closed
from webtongue.train.encodings.classes import CLASSES, code_tables, right_classes
from webtongue.train.encodings.fit import Sample

__all__ = ["Texts", "read_texts", "samples"]

SCRIPTS = (
    "Latn Cyrl Grek Hebr Arab Thai Jpan Hans Hant Hang Armn Geor Taml Deva Beng Guru Gujr Orya Telu Knda Mlym"
).split()
# The sets of East Asia have the letters of Russian and Greek, and GB 18030 has all there are.
ALSO = {name: frozenset({"Cyrl", "Grek"}) for name in ("big5", "euc-jp", "shift_jis", "euc-kr", "johab")}
ALSO["gb18030"] = frozenset(SCRIPTS)
# Registers that pages are not written in; taken where there is nothing else.
LAST = SCRIPTURE | SYNTHETIC
ONE_LANGUAGE = frozenset({"viscii", "tcvn", "vps", "vni"})  # sets that hardly anybody but Vietnamese has written with
HELD = 0.3  # share of samples in a language that an encoding holds though it was hardly used for it
HELD_THERE = 0.1  # the same share for the sets of one language
SOFT = 0.3  # power of the web's prior by which languages are taken
RARE = -6.0  # share of the web's pages, as a power of ten, of languages that no prior names
SIGNED = 0.3  # share of samples with a sign of commerce or typography, of which running text has too few
SIGNS = (" 25 €", " €15", " 9,90 €.", " © 2008", "®", "™", " 20 °C", " § 3", " £5", " ±2", " 1½", " 3×4", " •", " ·", " « »",
         " 5¢", " ²", " µm", " ¿", " ¡", " №", " ª", " º", " ¶", " ± ", " ½ ", " ¼", " ¾", " –", " —", " –", " —", "…", " “x”",
         " „x“", " ‘x’", " „x”", " «x»", " »x«", "’s", "’t", "°", "³", "\u00ad", " \u200f", " \u200e", " ١٩٩٥",
         " ۱۹۹۵")  # fmt: skip
FOREIGN = 0.12  # share of samples with a word or two of another language of the script: names of people and places
# Share of samples with no-break spaces: on the web the commonest byte beyond ASCII, and often the only one.
SPACED = 0.15
DOS = ("cp", "ibm", "mik")  # beginnings of names of encodings that are older than no-break spaces in text
GAPS = ("\u00a0", "\u00a0", " \u00a0", "\u00a0 ", "\u00a0\u00a0", "\n\u00a0\n")
MENDED = 400  # characters of the longest text from which single ones may be left out
LABEL_BYTES = 400_000  # bytes of text for a label
WORDS = 100  # words of a label that are mixed into text of others
TRIES = 30  # lines that an encoding cannot hold, until it is given those that it can nearly hold
ENOUGH = 60_000  # bytes of other text that make scripture unneeded
PLAIN = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "‚": ",", "–": "-", "—": "-", "…": "...",
                       "\u00a0": " ", "\u200b": "", "\u200c": "", "\u200d": "", "\ufeff": "", "«": '"', "»": '"',
                       "ș": "ş", "ț": "ţ", "Ș": "Ş", "Ț": "Ţ", "ی": "ي", "ک": "ك"})  # fmt: skip
FANCY = (("'", "’"), (' "', " “"), ('"', "”"), (" - ", " – "), ("...", "…"))


@dataclass(frozen=True, slots=True)
class Texts:
    """Lines of each label, and which labels an encoding was used for and can hold."""

    lines: dict[str, list[str]]
    used: dict[str, list[str]]
    held: dict[str, list[str]]
    words: dict[str, list[str]]  # words with letters beyond ASCII, by script, of all its languages


def read_texts(folder: Path, *, measuring: bool = False, commercial: bool = False) -> Texts:
    """Text of every label that an old encoding may hold; ``measuring`` gives the lines that training leaves out."""
    lines: dict[str, list[str]] = {}
    sizes: dict[str, int] = {}
    found = [e for e in entries(folder, closed(folder) if commercial else ()) if e.label[4:] in SCRIPTS]
    for entry in sorted(found, key=lambda e: (e.source in LAST, e.source, e.label)):
        if entry.source in LAST and sizes.get(entry.label, 0) >= ENOUGH:
            continue
        room = LABEL_BYTES - sizes.get(entry.label, 0)
        if room <= 0:
            continue
        new = [line.strip() for line in read_lines(entry.path) if len(line) > 15]
        step = max(1, sum(map(len, new)) // max(room, LABEL_BYTES // 4)) if not measuring else 1
        kept = [line for line in new[::step] if held_out(line) == measuring]
        lines.setdefault(entry.label, []).extend(kept)
        sizes[entry.label] = sizes.get(entry.label, 0) + sum(map(len, kept))
    lines = {label: found for label, found in lines.items() if len(found) >= (20 if measuring else 100)}
    return Texts(lines, *_pairs(lines), _words(lines))


def _words(lines: dict[str, list[str]]) -> dict[str, list[str]]:
    """Some words with letters beyond ASCII of every label, by script."""
    out: dict[str, list[str]] = {}
    for label, found in lines.items():
        words = (word for line in found[: 2 * WORDS] for word in line.split() if not word.isascii() and word.isalpha())
        out.setdefault(label[4:], []).extend(list(dict.fromkeys(words))[:WORDS])
    return out


def _pairs(lines: dict[str, list[str]]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Labels by encoding: those it was used for, and others that it can hold."""
    used, held = {}, {}
    table = encoding_languages()
    for encoding in CLASSES:
        named = set(table[encoding])
        scripts = {label[4:] for label in lines if label[:3] in named or label in named} | ALSO.get(
            encoding, frozenset()
        )
        used[encoding] = [label for label in lines if label in named or (label[:3] in named and _usual(label, lines))]
        mostly = [label for label in lines if label[4:] in scripts and label not in used[encoding]]
        held[encoding] = [x for x in mostly if _holds(encoding, lines[x])]
    return used, held


def _usual(label: str, lines: dict[str, list[str]]) -> bool:
    """Whether a language is meant by its code alone: its label with the most text."""
    same = [other for other in lines if other[:3] == label[:3]]
    return label == max(same, key=lambda other: (len(lines[other]), other))


def _holds(encoding: str, lines: list[str]) -> bool:
    some = [line.translate(PLAIN) for line in lines[:: max(1, len(lines) // 40)]]
    good = [encode(line, encoding) for line in some]
    return sum(raw is not None and not raw.isascii() for raw in good) * 3 >= len(some)


def samples(texts: Texts, count: int, seed: int, lengths: tuple[int, int] = (30, 2000)) -> Iterator[Sample]:
    """``count`` samples for an encoding used in one language, more where it is used in many."""
    random = np.random.default_rng(seed)
    tables = code_tables(CLASSES)
    for number, encoding in enumerate(CLASSES):
        used, held = texts.used[encoding], texts.held[encoding]
        common = _common(used)
        wanted = int(count * (1 + np.log2(max(1, len(used) + len(held) / 4)) / 2))
        for _ in range(wanted if used else 0):
            if held and random.random() < (HELD_THERE if encoding in ONE_LANGUAGE else HELD):
                label = held[random.integers(len(held))]
            else:
                label = used[random.choice(len(used), p=common)]
            length = int(np.exp(random.uniform(np.log(lengths[0]), np.log(lengths[1]))))
            words = texts.words.get(label[4:], []) if random.random() < FOREIGN else []
            raw = _written(texts.lines[label], encoding, length, random, words)
            if raw is not None:
                yield Sample(raw, right_classes(raw, number, tables), own=number)


def _common(labels: list[str]) -> NDArray[np.float64]:
    """How often each language is taken: the common more often, the rare not much less."""
    powers = web_powers()
    weights = np.array([10 ** (SOFT * powers.get(label[:3], RARE)) for label in labels])
    shares: NDArray[np.float64] = weights / max(weights.sum(), 1e-9)
    return shares


def _written(
    lines: list[str], encoding: str, length: int, random: np.random.Generator, words: list[str]
) -> bytes | None:
    """Some lines as bytes, None if they have nothing beyond ASCII or cannot be held."""
    picked: list[str] = []
    size = failed = 0
    while size < length:
        line = lines[random.integers(len(lines))]
        if failed < TRIES and encode(line, encoding) is None and encode(line.translate(PLAIN), encoding) is None:
            failed += 1
            continue
        picked.append(line)
        size += len(line) + 1
    text = "\n".join(picked)
    if size > length:
        start = int(random.integers(size - length + 1))
        text = text[start : start + length]
    for word in (words[random.integers(len(words))] for _ in range(int(random.integers(1, 4)))) if words else ():
        if encode(word, encoding) is not None:
            text = _mixed_in(text, f" {word}", random)
    if random.random() < SPACED and not encoding.startswith(DOS) and encode("\u00a0", encoding) is not None:
        gaps = [place for place, char in enumerate(text) if char == " "]
        for gap in random.choice(gaps, min(len(gaps), int(random.integers(1, 5)))) if gaps else ():
            text = text[:gap] + GAPS[random.integers(len(GAPS))] + text[gap + 1 :]
    if random.random() < SIGNED:
        sign = SIGNS[random.integers(len(SIGNS))]
        if encode(sign, encoding) is not None:
            text = _mixed_in(text, sign, random)
    style = random.random()
    if style < 0.1:
        text = text.upper()
    elif style < 0.13:
        text = text.replace("'", "´").replace("’", "´")  # as people type it
    elif style < 0.16:
        text = text[: int(random.integers(2, 12))] * (length // 8)  # menus, fillers
    elif style < 0.35:
        for plain, fancy in FANCY:
            text = text.replace(plain, fancy)
    raw = encode(text, encoding) or encode(text.translate(PLAIN), encoding)
    if raw is None and length <= MENDED:  # the odd character that cannot be written is left out
        parts = [encode(char, encoding) for char in text.translate(PLAIN)]
        raw = b"".join(part or b"" for part in parts) if parts.count(None) * 20 <= len(parts) else None
    return None if raw is None or raw.isascii() else raw


def _mixed_in(text: str, what: str, random: np.random.Generator) -> str:
    """The text with something at the end of a word; ``x`` stands for the word after that."""
    at = text.find(" ", int(random.integers(len(text))))
    if at < 0:
        return text
    if "x" in what:
        word = text[at + 1 :].split(" ", 1)[0]
        return text[:at] + what.replace("x", word) + text[at + 1 + len(word) :]
    return text[:at] + what + text[at:]
