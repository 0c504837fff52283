"""Training the model of encodings: corpus text, written in every encoding that can hold it, at many lengths."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue import _kernel, files
from webtongue.coding.model import common_offsets
from webtongue.encodings import tables
from webtongue.encodings.codecs import encode, single_byte_table
from webtongue.encodings.languages import encoding_languages
from webtongue.train.corpus.holdout import held_out
from webtongue.train.corpus.read import NON_COMMERCIAL, SCRIPTURE, SYNTHETIC, entries, licences, read_lines
from webtongue.train.encodings.context import fit_readings, read_as
from webtongue.train.encodings.file import NOTHING, OTHER, ByteRule, write_byte_model
from webtongue.train.encodings.fit import FitConfig, Sample, fit_byte_model

__all__ = ["CLASSES", "KINDS", "RULE", "read_texts", "samples", "train_encodings"]

# Kinds of the kernel (native/multibyte.hpp) by encoding; single-byte ones are 0.
KINDS = {"gb18030": 1, "big5": 2, "euc-jp": 3, "shift_jis": 4, "euc-kr": 5, "johab": 6, "euc-tw": 7, "vni": OTHER,
         "tscii": OTHER, "tab": OTHER, "tam": OTHER}  # fmt: skip
BY_TWO = ("vni",)  # letters of two bytes, of which the second is beyond ASCII: it has a table nonetheless
# Found by their escapes, or read by the same decoder as another.
NO_CLASS = frozenset({"gbk", "hz-gb-2312"})
CLASSES = sorted(name for name in encoding_languages() if name not in NO_CLASS and not name.startswith("iso-2022"))

SCRIPTS = (
    "Latn Cyrl Grek Hebr Arab Thai Jpan Hans Hant Hang Armn Geor Taml Deva Beng Guru Gujr Orya Telu Knda Mlym"
).split()
# The sets of East Asia have the letters of Russian and Greek, and GB 18030 has all there are.
ALSO = {name: frozenset({"Cyrl", "Grek"}) for name in ("big5", "euc-jp", "shift_jis", "euc-kr", "johab")}
ALSO["gb18030"] = frozenset(SCRIPTS)
# Registers that pages are not written in; taken where there is nothing else.
LAST = SCRIPTURE | SYNTHETIC
ONE_LANGUAGE = frozenset({"viscii", "tcvn", "vps", "vni"})  # sets that hardly anybody else has written with
HELD_THERE = 0.1
HELD = 0.3  # share of samples in a language that an encoding holds though it was hardly used for it
SOFT, RARE = 0.3, -6.0  # of the web's prior of languages; powers of ten
SIGNED = 0.3  # share of samples with a sign of commerce or typography, of which running text has too few
SIGNS = (" 25 €", " €15", " 9,90 €.", " © 2008", "®", "™", " 20 °C", " § 3", " £5", " ±2", " 1½", " 3×4", " •", " ·", " « »",
         " 5¢", " ²", " µm", " ¿", " ¡", " №", " ª", " º", " ¶", " ± ", " ½ ", " ¼", " ¾", " –", " —", " –", " —", "…", " “x”",
         " „x“", " ‘x’", " „x”", " «x»", " »x«", "’s", "’t", "°", "³", "\u00ad", " \u200f", " \u200e", " ١٩٩٥",
         " ۱۹۹۵")  # fmt: skip
FOREIGN = 0.12  # share of samples with a word or two of another language of the script: names of people and places
SPACED = (
    0.15  # share of samples with no-break spaces: on the web the commonest byte beyond ASCII, and often the only one
)
DOS = ("cp", "ibm", "mik")  # older than no-break spaces in text
GAPS = ("\u00a0", "\u00a0", " \u00a0", "\u00a0 ", "\u00a0\u00a0", "\n\u00a0\n")
PRIVATE = 0xF700
MENDED = 400  # characters of a text from which single ones may be left out
LABEL_BYTES = 400_000  # of text for a label
WORDS = 100  # of a label that are sown into text of others
TRIES = 30  # lines that an encoding cannot hold, until it is given those that it can nearly hold
KEPT = 5  # lines, of which one is kept for fitting how readings count
READ_LENGTHS = (30, 8000)  # characters of a text whose readings are learnt
ENOUGH = 60_000  # bytes of other text that make scripture unneeded
PLAIN = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "‚": ",", "–": "-", "—": "-", "…": "...",
                       "\u00a0": " ", "\u200b": "", "\u200c": "", "\u200d": "", "\ufeff": "", "«": '"', "»": '"',
                       "ș": "ş", "ț": "ţ", "Ș": "Ş", "Ț": "Ţ", "ی": "ي", "ک": "ك"})  # fmt: skip
FANCY = (("'", "’"), (' "', " “"), ('"', "”"), (" - ", " – "), ("...", "…"))


def _map() -> bytes:
    """Cases folded, digits alike, what parts words taken for a space; other signs stay, as they may be trail bytes."""
    out = bytearray(range(256))
    for byte in range(0x21):
        out[byte] = 0x20
    out[0x7F] = 0x20
    for byte in range(ord("A"), ord("Z") + 1):
        out[byte] = byte + 32
    for byte in range(ord("0"), ord("9") + 1):
        out[byte] = ord("0")
    return bytes(out)


RULE = ByteRule(_map())


@dataclass(frozen=True, slots=True)
class Texts:
    """Lines of each label, and which labels an encoding was used for and can hold."""

    lines: dict[str, list[str]]
    used: dict[str, list[str]]
    held: dict[str, list[str]]
    words: dict[str, list[str]]  # by script, with letters beyond ASCII, of all its languages


def read_texts(folder: Path, *, measuring: bool = False, commercial: bool = False) -> Texts:
    """Text of every label that an old encoding may hold; ``measuring`` gives the lines that training leaves out."""
    lines: dict[str, list[str]] = {}
    sizes: dict[str, int] = {}
    found = [e for e in entries(folder, NON_COMMERCIAL if commercial else frozenset()) if e.label[4:] in SCRIPTS]
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
    powers = {language: float(power) for language, power in files.rows("priors.tsv")}
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
            text = _sown(text, f" {word}", random)
    if random.random() < SPACED and not encoding.startswith(DOS) and encode("\u00a0", encoding) is not None:
        gaps = [place for place, char in enumerate(text) if char == " "]
        for gap in random.choice(gaps, min(len(gaps), int(random.integers(1, 5)))) if gaps else ():
            text = text[:gap] + GAPS[random.integers(len(GAPS))] + text[gap + 1 :]
    if random.random() < SIGNED:
        sign = SIGNS[random.integers(len(SIGNS))]
        if encode(sign, encoding) is not None:
            text = _sown(text, sign, random)
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


def _sown(text: str, what: str, random: np.random.Generator) -> str:
    """The text with something at the end of a word; ``x`` stands for the word after that."""
    at = text.find(" ", int(random.integers(len(text))))
    if at < 0:
        return text
    if "x" in what:
        word = text[at + 1 :].split(" ", 1)[0]
        return text[:at] + what.replace("x", word) + text[at + 1 + len(word) :]
    return text[:at] + what + text[at:]


def code_tables(classes: list[str]) -> NDArray[np.uint16]:
    """Code points of the bytes from 0x80 on, a row a class."""
    out = np.full((len(classes), 128), NOTHING, np.uint16)
    for row, name in enumerate(classes):
        table = None if KINDS.get(name) and name not in BY_TWO else single_byte_table(name) or _upper_table(name)
        if table is not None:
            out[row] = table
    return out


def _upper_table(name: str) -> list[int] | None:
    """The upper half of a coding that reads some control codes as letters or some bytes with their neighbours.

    Bytes that mean something only beside others stand for characters of the private area.
    """
    units = tables.load(name).units
    beside = {char for source in units for char in source}
    alone = (ord(units[char][0]) if char in units else PRIVATE + ord(char) for char in sorted(beside))
    known = dict(zip(sorted(beside), alone, strict=True))
    return [known.get(chr(byte), NOTHING) for byte in range(0x80, 0x100)]


def right_classes(raw: bytes, number: int, tables: NDArray[np.uint16]) -> tuple[int, ...]:
    """The class itself and all that read these bytes alike."""
    if KINDS.get(CLASSES[number]):
        return (number,)
    present = np.unique(np.frombuffer(raw, np.uint8))
    present = present[present >= 0x80] - 0x80
    alike = np.flatnonzero((tables[:, present] == tables[number, present]).all(axis=1))
    return tuple(int(k) for k in alike if not KINDS.get(CLASSES[k]))


def _part(texts: Texts, readings: bool) -> Texts:
    """The lines that n-grams are fitted on, or those kept for readings: on text that it has seen a model is too sure."""

    def part(lines: list[str]) -> list[str]:
        return [line for place, line in enumerate(lines) if (place % KEPT == 0) == readings]

    return replace(texts, lines={label: part(lines) for label, lines in texts.lines.items()})


def train_encodings(
    folder: Path,
    out: Path,
    count: int = 1200,
    config: FitConfig = FitConfig(),  # noqa: B008  frozen
    commercial: bool = False,
    progress: Callable[[str], None] = lambda step: None,
) -> None:
    """Read the corpus, write samples, fit and write the model."""
    progress("reading")
    texts = read_texts(folder, commercial=commercial)
    progress(f"{len(texts.lines)} labels")
    weights = fit_byte_model(samples(_part(texts, False), count, config.seed), CLASSES, RULE, config, progress)
    tables = code_tables(CLASSES)
    letters, sorts = read_as(tables)
    kinds = [KINDS.get(name, 0) for name in CLASSES]
    weights = replace(weights, kinds=kinds, tables=tables, letters=letters, sorts=sorts)
    write_byte_model(out, weights, {})
    model = _kernel.ByteModel(np.fromfile(out, np.uint8))
    unseen = samples(_part(texts, True), count // 2, config.seed + 1, READ_LENGTHS)
    weights = replace(weights, readings=fit_readings(model, unseen, common_offsets(CLASSES), progress=progress))
    sources = sorted({e.source for e in entries(folder, NON_COMMERCIAL if commercial else frozenset())})
    manifest: dict[str, Any] = {
        "kind": "encodings",
        "samples": count,
        "sources": {name: terms for name, terms in licences(folder).items() if name in sources},
        "commercial": commercial,
    }
    write_byte_model(out, weights, manifest)
