"""The font model: text made font-coded by rule against ordinary text, as pairs of bytes.

Three tables: a linear gate (font or not) that every page pays for, log-probabilities of every pair in every font for pages
that pass it, and for Burmese a linear one over pairs of code points, Zawgyi or Unicode. `native/font_guess.cpp` reads the file.
"""

from __future__ import annotations

import argparse
import base64
import json
import random
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webtongue.files import pack
from webtongue.fonts.encode import encode
from webtongue.fonts.tables import Font, named
from webtongue.train.corpus.holdout import held_out
from webtongue.train.corpus.read import NON_COMMERCIAL, entries, licences, read_lines

MAGIC = b"WTF\r\n\x1a\n\0"
VERSION = 1
SECTIONS = ("names", "threshold", "classes", "gate", "rows", "burmese", "manifest")
LANES = 32
WINDOW = 48  # as in the kernel
UNIT = 10  # weights and log-probabilities are tenths of a nat
BURMESE = 161
BURMESE_UNIT = 30  # of a model with few, small weights
ZAWGYI = "zawgyi"

FONT_TEXT = 600_000  # characters of each font
LATIN_TEXT = 6_000  # characters of each Latin label from each of its sources
COMMON_TEXT = 150_000  # of English, which most pages have some of
CODE_TEXT = 1_500_000  # program text, which is full of odd pairs
MISREAD_TEXT = 60_000  # of each label read in a wrong encoding
MOST_LINES = 8000  # of one file
RATE, PASSES, BATCH, DECAY = 0.5, 12, 4096, 1e-6
# Tenths of a nat: 0.8 in 10,000 looks at lines held out of training pass it, and 99.3% or more in each font.
THRESHOLD = 10

# Text whose bytes were read as windows-1252, and so is all accents: not a font's.
MISREAD = {
    "rus_Cyrl": ("cp1251", "koi8-r", "iso8859-5", "utf-8"),
    "ukr_Cyrl": ("cp1251", "koi8-u"),
    "bul_Cyrl": ("cp1251", "mac-cyrillic"),
    "ell_Grek": ("cp1253", "utf-8"),
    "heb_Hebr": ("cp1255",),
    "ara_Arab": ("cp1256", "iso8859-6", "utf-8"),
    "fas_Arab": ("cp1256",),
    "tha_Thai": ("cp874", "utf-8"),
    "jpn_Jpan": ("shift_jis", "euc-jp"),
    "kor_Hang": ("euc-kr",),
    "zho_Hans": ("gbk", "utf-8"),
    "zho_Hant": ("big5",),
    "ces_Latn": ("cp1250", "iso8859-2", "cp852", "utf-8"),
    "pol_Latn": ("cp1250", "iso8859-2", "utf-8"),
    "hun_Latn": ("cp1250", "utf-8"),
    "tur_Latn": ("cp1254", "utf-8"),
    "lav_Latn": ("cp1257", "utf-8"),
    "vie_Latn": ("cp1258", "utf-8"),
    "fra_Latn": ("cp850", "mac-roman", "utf-8"),
    "deu_Latn": ("cp850", "mac-roman", "utf-8"),
    "spa_Latn": ("cp850", "mac-roman", "utf-8"),
    "hin_Deva": ("utf-8",),
    "tam_Taml": ("utf-8",),
    "hye_Armn": ("utf-8",),
    "kat_Geor": ("utf-8",),
}
HIGH = {ord(bytes([b]).decode("cp1252", "replace")): b for b in range(0x80, 0xA0)}
HIGH |= {b: b for b in range(0x80, 0xA0)} | {0x3BC: 0xB5, 0xA0: 0x20}
# What the gate tells apart: ASCII byte by byte, the upper half by fours, so that its table stays in the nearest cache.
CLASSES = np.array([b if 0x20 <= b < 0x80 else 0 if b < 0x20 else (b - 0x80) // 4 for b in range(256)])
FOREIGN = re.compile("[^\0-\xff]")


def font_bytes(text: str) -> bytes:
    """Characters of windows-1252 as their bytes, all others as 0.

    >>> font_bytes("aé€中")
    b'a\\xe9\\x80\\x00'
    """
    return FOREIGN.sub("\0", text.translate(HIGH)).encode("latin-1")


def train(folder: Path, out: Path, *, commercial: bool = False, seed: int = 7) -> dict[str, Any]:
    """Read the corpus, fit, write the model and its manifest beside it, which is returned.

    ``commercial`` leaves out sources whose terms forbid commercial use or derivatives.
    """
    corpus = _lines(folder, NON_COMMERCIAL if commercial else frozenset())
    fonts = [font for name, font in named().items() if name != ZAWGYI]
    coded = {font.name: font_bytes(_coded(font, corpus, FONT_TEXT, seed)) for font in fonts}
    ordinary = font_bytes(_ordinary(corpus, seed))
    gate, measured = _gate(list(coded.values()), ordinary, seed)
    rows = np.full((65536, LANES), -127, np.int8)
    for lane, text in enumerate([ordinary, *coded.values()]):
        rows[:, lane] = _quantise(_log_probabilities(text))
    burmese = _burmese(named()[ZAWGYI], corpus, seed)
    names = ["ordinary", *coded, ZAWGYI]
    terms = licences(folder)
    used = sorted({source for sources in corpus.values() for source in sources})
    manifest = {
        "characters": {"ordinary": len(ordinary)} | {name: len(text) for name, text in coded.items()},
        "gate": measured,
        "seed": seed,
        "sources": {source: terms.get(source, []) for source in used},
    }
    parts = {
        "names": "\n".join(names).encode(),
        "threshold": np.array([THRESHOLD], "<i4").tobytes(),
        "classes": CLASSES.astype(np.uint8).tobytes(),
        "gate": gate.tobytes(),
        "rows": rows.tobytes(),
        "burmese": burmese.tobytes(),
        "manifest": json.dumps(manifest, sort_keys=True).encode(),
    }
    Path(f"{out}.json").write_text(json.dumps(manifest, sort_keys=True, indent=1) + "\n", "utf-8")
    out.write_bytes(pack(MAGIC, VERSION, {name: parts[name] for name in SECTIONS}))
    return manifest


def _lines(folder: Path, without: frozenset[str]) -> dict[str, dict[str, list[str]]]:
    """Label -> source -> lines, without those kept for measuring."""
    out: dict[str, dict[str, list[str]]] = {}
    wanted = {label for font in named().values() for label in font.languages} | set(MISREAD)
    for entry in entries(folder, without):
        if entry.label in wanted or entry.label.endswith(("_Latn", "_Mymr")):
            lines = [line for line in read_lines(entry.path) if line and not held_out(line)]
            out.setdefault(entry.label, {})[entry.source] = lines
    return out


def _shuffled(sources: dict[str, list[str]], seed: int) -> Iterator[str]:
    """Lines of every source in turn, each in an order of its own that runs repeat."""
    queues = []
    for name, lines in sorted(sources.items()):
        chance = random.Random(seed + zlib.crc32(name.encode()))
        queues.append(chance.sample(lines, min(len(lines), MOST_LINES)))
    while queues := [queue for queue in queues if queue]:
        for queue in queues:
            yield queue.pop()


def _coded(font: Font, corpus: dict[str, dict[str, list[str]]], size: int, seed: int) -> str:
    """Text of the font's languages in the font, the first language as much as all others."""
    variety = random.Random(seed)
    known = [label for label in font.languages if label in corpus]
    parts = []
    for number, label in enumerate(known):
        share = (
            size // 2 if number == 0 and len(known) > 1 else size // max(1, 2 * (len(known) - 1)) if number else size
        )
        got = 0
        for line in _shuffled(corpus[label], seed):
            if got > share:
                break
            if (coded := encode(line, font, variety)) is not None:
                parts.append(coded)
                got += len(coded)
    random.Random(seed).shuffle(parts)
    return "\n".join(parts)


def _ordinary(corpus: dict[str, dict[str, list[str]]], seed: int) -> str:
    """Every Latin label a little, English more; program text; capitals; text read in wrong encodings."""
    parts = []
    for label, sources in sorted(corpus.items()):
        if not label.endswith("_Latn"):
            continue
        text = _some(sources, COMMON_TEXT if label == "eng_Latn" else LATIN_TEXT * len(sources), seed)
        parts += [text, text[: len(text) // 10].upper(), text[: len(text) // 20].title()]
    for label, codecs in MISREAD.items():
        text = _some(corpus.get(label, {}), MISREAD_TEXT, seed)
        parts += [
            text.encode(codec, "ignore").decode("cp1252", "replace").replace("\ufffd", "\x81") for codec in codecs
        ]
    parts.append(_program_text(seed))
    lines = "\n".join(parts).split("\n")
    random.Random(seed).shuffle(lines)
    return "\n".join(lines)


def _some(sources: dict[str, list[str]], size: int, seed: int) -> str:
    got, parts = 0, []
    for line in _shuffled(sources, seed):
        if got > size:
            break
        parts.append(line)
        got += len(line)
    return "\n".join(parts)


def _program_text(seed: int) -> str:
    """The standard library's source, and what pages have besides prose: numbers, addresses, identifiers, base64."""
    files = sorted(Path(json.__file__).parent.parent.glob("*.py"))
    code = "\n".join(path.read_text("utf-8", "replace") for path in files)[:CODE_TEXT]
    chance = random.Random(seed)
    made = []
    for _ in range(8000):
        raw = chance.randbytes(30)
        made += [raw.hex(), base64.b64encode(raw).decode(), raw.hex().upper()]
        made.append(" ".join(f"{chance.randrange(10**6) / 100:,.2f}" for _ in range(8)))
        made.append("".join(chance.choice("ABCDEFGHJKLMNPQRSTUVWXYZ0123456789-") for _ in range(50)))
    return code + "\n" + "\n".join(made)


def _windows(text: bytes) -> NDArray[np.int64]:
    """Pairs of classes in stretches of WINDOW characters, the first after a space."""
    flat = np.frombuffer(text.replace(b"\n", b" "), np.uint8).astype(np.int64)
    flat = flat[: len(flat) // WINDOW * WINDOW].reshape(-1, WINDOW)
    before = np.concatenate([np.full((len(flat), 1), 32), flat[:, :-1]], axis=1)
    found: NDArray[np.int64] = CLASSES[before] << 7 | CLASSES[flat]
    return found


def _gate(coded: list[bytes], ordinary: bytes, seed: int) -> tuple[NDArray[np.int8], dict[str, Any]]:
    """A linear gate, and how it does on a tenth of the text kept apart."""
    fonts = [_windows(text) for text in coded]
    plain = _windows(ordinary)
    chance = np.random.default_rng(seed)
    apart = [window[: len(window) // 10] for window in (plain, *fonts)]
    fitted = [window[len(window) // 10 :] for window in (plain, *fonts)]
    weights = _logistic(np.concatenate(fitted[1:]), fitted[0], 128 * 128, chance)
    gate = np.clip(np.rint(weights * UNIT), -127, 127).astype(np.int8)
    fire = [float((gate[w].astype(np.int32).sum(axis=1) > THRESHOLD).mean()) for w in apart]
    return gate, {"false_alarms": round(fire[0], 6), "hits": [round(share, 4) for share in fire[1:]]}


def _logistic(
    yes: NDArray[np.int64], no: NDArray[np.int64], size: int, chance: np.random.Generator
) -> NDArray[np.float64]:
    """Logistic regression over counts of features by AdaGrad; both classes weigh the same."""
    rows = np.concatenate([yes, no])
    truth = np.concatenate([np.ones(len(yes)), np.zeros(len(no))])
    worth = np.where(truth > 0, 0.5 / len(yes), 0.5 / len(no)) * len(truth)
    weights, seen = np.zeros(size), np.full(size, 1.0)
    for _ in range(PASSES):
        order = chance.permutation(len(rows))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            chosen = rows[batch]
            guess = 1 / (1 + np.exp(-np.clip(weights[chosen].sum(axis=1), -30, 30)))
            slope = (guess - truth[batch]) * worth[batch]
            step = np.bincount(chosen.ravel(), np.repeat(slope, chosen.shape[1]), size) / 64 + DECAY * weights
            seen += step**2
            weights -= RATE * step / np.sqrt(seen)
    found: NDArray[np.float64] = weights
    return found


def _log_probabilities(text: bytes) -> NDArray[np.float64]:
    """Of each byte after each other, smoothed by how common the byte is."""
    flat = np.frombuffer(text.replace(b"\n", b" "), np.uint8).astype(np.int64)
    pairs = np.bincount(flat[:-1] << 8 | flat[1:], minlength=65536).reshape(256, 256).astype(float)
    single = (np.bincount(flat, minlength=256) + 0.5) / (len(flat) + 128)
    smooth = 2.0
    found: NDArray[np.float64] = np.log((pairs + smooth * single) / (pairs.sum(axis=1, keepdims=True) + smooth))
    return found.ravel()


def _quantise(logs: NDArray[np.float64]) -> NDArray[np.int8]:
    return np.clip(np.rint(logs * UNIT), -127, 0).astype(np.int8)


def _burmese(zawgyi: Font, corpus: dict[str, dict[str, list[str]]], seed: int) -> NDArray[np.int8]:
    """Pairs of code points: Burmese in Zawgyi against every language of the script in Unicode."""
    own = [_points(encode(t, zawgyi, random.Random(seed)) or "") for t in _lines_of(corpus, zawgyi.languages, seed)]
    others = [label for label in sorted(corpus) if label.endswith("_Mymr")]
    plain = [_points(line) for label in others for line in _lines_of(corpus, (label,), seed)]
    chance = np.random.default_rng(seed)
    weights = _logistic(_point_windows(own), _point_windows(plain), BURMESE**2 + 1, chance)[:-1]
    return np.clip(np.rint(weights * BURMESE_UNIT), -127, 127).astype(np.int8)


def _lines_of(corpus: dict[str, dict[str, list[str]]], labels: tuple[str, ...], seed: int) -> list[str]:
    out: list[str] = []
    for label in labels:
        for number, line in enumerate(_shuffled(corpus.get(label, {}), seed)):
            if number > 6000:
                break
            out.append(line)
    return out


def _points(text: str) -> NDArray[np.int64]:
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32).astype(np.int64)
    letters = np.where((codes >= 0x1000) & (codes <= 0x109F), codes - 0x1000 + 1, 0)
    pairs: NDArray[np.int64] = np.concatenate([[0], letters[:-1]]) * BURMESE + letters
    return pairs


def _point_windows(lines: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Stretches of a line, filled up with a feature that counts for nothing."""
    out = []
    for pairs in lines:
        for start in range(0, len(pairs), WINDOW):
            part = pairs[start : start + WINDOW]
            if np.count_nonzero(part) >= 6:
                out.append(np.concatenate([part, np.full(WINDOW - len(part), BURMESE**2)]))
    return np.array(out)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the font model.")
    parser.add_argument("corpus", type=Path, help="a folder source/label.txt[.xz]")
    parser.add_argument("out", type=Path, help="the model file to write")
    parser.add_argument("--commercial", action="store_true", help="leave out sources with non-commercial terms")
    args = parser.parse_args()
    print(json.dumps(train(args.corpus, args.out, commercial=args.commercial)["gate"]))


if __name__ == "__main__":
    main()
