"""Generate samples to fit on: corpus text of various lengths in every encoding that can represent it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from webtongue.charset.codecs import encode
from webtongue.charset.languages import encoding_languages
from webtongue.lab.train.corpus.holdout import is_held_out
from webtongue.lab.train.corpus.licences import find_restricted_files
from webtongue.lab.train.corpus.read import SCRIPTURE, SYNTHETIC, iter_files, read_lines
from webtongue.lab.train.encodings.classes import CLASSES, build_code_tables, find_equivalent_classes
from webtongue.lab.train.encodings.fit import Sample
from webtongue.reference.web_shares import web_powers

__all__ = [
    "EXTRA_SCRIPTS",
    "MIN_LINES",
    "SUBSTITUTES",
    "Texts",
    "compute_probabilities",
    "generate_samples",
    "read_texts",
]

SCRIPTS = (
    "Latn Cyrl Grek Hebr Arab Thai Jpan Hans Hant Hang Armn Geor Taml Deva Beng Guru Gujr Orya Telu Knda Mlym"
).split()
# East Asian character sets have the letters of Russian and Greek, and GB 18030 has all scripts.
EXTRA_SCRIPTS = {name: frozenset({"Cyrl", "Grek"}) for name in ("big5", "euc-jp", "shift_jis", "euc-kr", "johab")}
EXTRA_SCRIPTS["gb18030"] = frozenset(SCRIPTS)
# Registers that pages are not written in; used only where there is little else.
FALLBACK_SOURCES = SCRIPTURE | SYNTHETIC
VIETNAMESE_ENCODINGS = frozenset({"viscii", "tcvn", "vps", "vni"})  # hardly used for other languages
OTHER_LANGUAGE_SHARE = 0.3  # samples in a language that the encoding can represent but was hardly used for
VIETNAMESE_OTHER_SHARE = 0.1  # the same share for Vietnamese encodings
SHARE_POWER = 0.3  # languages are drawn by this power of their share of web pages
UNKNOWN_SHARE_POWER = -6.0  # share of web pages, as a power of ten, of languages without a known share
SIGN_SHARE = 0.3  # samples with a sign of commerce or typography, which running text has too rarely
SIGNS = (" 25 €", " €15", " 9,90 €.", " © 2008", "®", "™", " 20 °C", " § 3", " £5", " ±2", " 1½", " 3×4", " •", " ·", " « »",
         " 5¢", " ²", " µm", " ¿", " ¡", " №", " ª", " º", " ¶", " ± ", " ½ ", " ¼", " ¾", " –", " —", " –", " —", "…", " “x”",
         " „x“", " ‘x’", " „x”", " «x»", " »x«", "’s", "’t", "°", "³", "\u00ad", " \u200f", " \u200e", " ١٩٩٥",
         " ۱۹۹۵")  # fmt: skip
FOREIGN_WORD_SHARE = 0.12  # samples with words of another language of the script: names of people and places
# No-break spaces are the most common byte beyond ASCII on the web, and often the only one.
NBSP_SHARE = 0.15
OLD_ENCODING_PREFIXES = ("cp", "ibm", "mik")  # encodings older than the use of no-break spaces in text
GAPS = ("\u00a0", "\u00a0", " \u00a0", "\u00a0 ", "\u00a0\u00a0", "\n\u00a0\n")
MAX_REPAIRED_CHARS = 400  # longer texts are discarded if they have characters that cannot be encoded
LABEL_BYTES = 400_000  # maximum bytes of text of a label
WORDS_PER_LABEL = 100  # inserted into text of other languages
MAX_FAILED_LINES = 30  # lines that cannot be encoded, before such lines are accepted and repaired
MIN_LINES = 100  # labels with fewer lines are left out
MIN_MODERN_BYTES = 60_000  # with so much modern text, fallback sources are not read
SUBSTITUTES = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "‚": ",", "–": "-", "—": "-", "…": "...",
                       "\u00a0": " ", "\u200b": "", "\u200c": "", "\u200d": "", "\ufeff": "", "«": '"', "»": '"',
                       "ș": "ş", "ț": "ţ", "Ș": "Ş", "Ț": "Ţ", "ی": "ي", "ک": "ك"})  # fmt: skip
TYPOGRAPHY = (("'", "’"), (' "', " “"), ('"', "”"), (" - ", " – "), ("...", "…"))


@dataclass(frozen=True, slots=True)
class Texts:
    """Lines of each label, the labels that each encoding was used for, and other labels that it can represent."""

    lines: dict[str, list[str]]
    used: dict[str, list[str]]
    encodable: dict[str, list[str]]
    words: dict[str, list[str]]  # words with letters beyond ASCII, by script


def read_texts(folder: Path, *, measuring: bool = False, commercial: bool = False) -> Texts:
    """Return text of every label with a legacy encoding; ``measuring`` selects the lines that training leaves out."""
    lines: dict[str, list[str]] = {}
    sizes: dict[str, int] = {}
    files = [
        e for e in iter_files(folder, find_restricted_files(folder) if commercial else ()) if e.label[4:] in SCRIPTS
    ]
    for entry in sorted(files, key=lambda e: (e.source in FALLBACK_SOURCES, e.source, e.label)):
        if entry.source in FALLBACK_SOURCES and sizes.get(entry.label, 0) >= MIN_MODERN_BYTES:
            continue
        bytes_left = LABEL_BYTES - sizes.get(entry.label, 0)
        if bytes_left <= 0:
            continue
        all_lines = [line.strip() for line in read_lines(entry.path) if len(line) > 15]
        step = max(1, sum(map(len, all_lines)) // max(bytes_left, LABEL_BYTES // 4)) if not measuring else 1
        chosen = [line for line in all_lines[::step] if is_held_out(line) == measuring]
        lines.setdefault(entry.label, []).extend(chosen)
        sizes[entry.label] = sizes.get(entry.label, 0) + sum(map(len, chosen))
    lines = {label: files for label, files in lines.items() if len(files) >= (20 if measuring else MIN_LINES)}
    return Texts(lines, *_assign_labels(lines), _collect_words(lines))


def _collect_words(lines: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return words with letters beyond ASCII of every label, by script."""
    by_script: dict[str, list[str]] = {}
    for label, label_lines in lines.items():
        words = (
            word
            for line in label_lines[: 2 * WORDS_PER_LABEL]
            for word in line.split()
            if not word.isascii() and word.isalpha()
        )
        by_script.setdefault(label[4:], []).extend(list(dict.fromkeys(words))[:WORDS_PER_LABEL])
    return by_script


def _assign_labels(lines: dict[str, list[str]]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the labels that each encoding was used for, and the others that it can represent."""
    used, encodable = {}, {}
    table = encoding_languages()
    for encoding in CLASSES:
        language_codes = set(table[encoding])
        named = [label for label in lines if label in language_codes or label[:3] in language_codes]
        scripts = {label[4:] for label in named} | EXTRA_SCRIPTS.get(encoding, frozenset())
        used[encoding] = [label for label in named if label in language_codes or _is_main_label(label, lines)]
        other_labels = [label for label in lines if label[4:] in scripts and label not in used[encoding]]
        encodable[encoding] = [label for label in other_labels if _can_encode(encoding, lines[label])]
    return used, encodable


def _is_main_label(label: str, lines: dict[str, list[str]]) -> bool:
    """Return True if the label has the most text of its language: a bare language code then means this label."""
    same = [other for other in lines if other[:3] == label[:3]]
    return label == max(same, key=lambda other: (len(lines[other]), other))


def _can_encode(encoding: str, lines: list[str]) -> bool:
    """Return True if the encoding can represent a third of the lines."""
    tried = [line.translate(SUBSTITUTES) for line in lines[:: max(1, len(lines) // 40)]]
    encoded = [encode(line, encoding) for line in tried]
    return sum(raw is not None and not raw.isascii() for raw in encoded) * 3 >= len(tried)


def generate_samples(texts: Texts, count: int, seed: int, lengths: tuple[int, int] = (30, 2000)) -> Iterator[Sample]:
    """Yield ``count`` samples for an encoding of one language, more for an encoding of many."""
    rng = np.random.default_rng(seed)
    tables = build_code_tables(CLASSES)
    for number, encoding in enumerate(CLASSES):
        used, encodable = texts.used[encoding], texts.encodable[encoding]
        probabilities = compute_probabilities(used)
        sample_count = int(count * (1 + np.log2(max(1, len(used) + len(encodable) / 4)) / 2))
        other_share = VIETNAMESE_OTHER_SHARE if encoding in VIETNAMESE_ENCODINGS else OTHER_LANGUAGE_SHARE
        for _ in range(sample_count if used else 0):
            if encodable and rng.random() < other_share:
                label = encodable[rng.integers(len(encodable))]
            else:
                label = used[rng.choice(len(used), p=probabilities)]
            length = int(np.exp(rng.uniform(np.log(lengths[0]), np.log(lengths[1]))))
            words = texts.words.get(label[4:], []) if rng.random() < FOREIGN_WORD_SHARE else []
            raw = _encode_sample(texts.lines[label], encoding, length, rng, words)
            if raw is not None:
                yield Sample(raw, find_equivalent_classes(raw, number, tables), own_class=number)


def compute_probabilities(labels: list[str]) -> NDArray[np.float64]:
    """Return the probabilities of drawing each label: common languages more often, rare ones not much less."""
    powers = web_powers()
    weights = np.array([10 ** (SHARE_POWER * powers.get(label[:3], UNKNOWN_SHARE_POWER)) for label in labels])
    shares: NDArray[np.float64] = weights / max(weights.sum(), 1e-9)
    return shares


def _encode_sample(
    lines: list[str], encoding: str, length: int, rng: np.random.Generator, words: list[str]
) -> bytes | None:
    """Return some lines as bytes, or None if they are ASCII only or cannot be encoded."""
    chosen: list[str] = []
    size = failed = 0
    while size < length:
        line = lines[rng.integers(len(lines))]
        if (
            failed < MAX_FAILED_LINES
            and encode(line, encoding) is None
            and encode(line.translate(SUBSTITUTES), encoding) is None
        ):
            failed += 1
            continue
        chosen.append(line)
        size += len(line) + 1
    text = "\n".join(chosen)
    if size > length:
        start = int(rng.integers(size - length + 1))
        text = text[start : start + length]
    for word in (words[rng.integers(len(words))] for _ in range(int(rng.integers(1, 4)))) if words else ():
        if encode(word, encoding) is not None:
            text = _insert_at_word(text, f" {word}", rng)
    if (
        rng.random() < NBSP_SHARE
        and not encoding.startswith(OLD_ENCODING_PREFIXES)
        and encode("\u00a0", encoding) is not None
    ):
        gaps = [place for place, char in enumerate(text) if char == " "]
        for gap in rng.choice(gaps, min(len(gaps), int(rng.integers(1, 5)))) if gaps else ():
            text = text[:gap] + GAPS[rng.integers(len(GAPS))] + text[gap + 1 :]
    if rng.random() < SIGN_SHARE:
        sign = SIGNS[rng.integers(len(SIGNS))]
        if encode(sign, encoding) is not None:
            text = _insert_at_word(text, sign, rng)
    style = rng.random()
    if style < 0.1:
        text = text.upper()
    elif style < 0.13:
        text = text.replace("'", "´").replace("’", "´")  # a common typing habit
    elif style < 0.16:
        text = text[: int(rng.integers(2, 12))] * (length // 8)  # menus and filler text
    elif style < 0.35:
        for plain, fancy in TYPOGRAPHY:
            text = text.replace(plain, fancy)
    raw = encode(text, encoding) or encode(text.translate(SUBSTITUTES), encoding)
    if raw is None and length <= MAX_REPAIRED_CHARS:  # up to 5% of the characters may be dropped
        parts = [encode(char, encoding) for char in text.translate(SUBSTITUTES)]
        raw = b"".join(part or b"" for part in parts) if parts.count(None) * 20 <= len(parts) else None
    return None if raw is None or raw.isascii() else raw


def _insert_at_word(text: str, insertion: str, rng: np.random.Generator) -> str:
    """Return the text with an insertion after a random word; ``x`` in it stands for the next word."""
    position = text.find(" ", int(rng.integers(len(text))))
    if position < 0:
        return text
    if "x" in insertion:
        word = text[position + 1 :].split(" ", 1)[0]
        return text[:position] + insertion.replace("x", word) + text[position + 1 + len(word) :]
    return text[:position] + insertion + text[position:]
