"""Make text to fit on: text in every font encoding, by rule, and ordinary text with what pages have besides prose."""

from __future__ import annotations

import base64
import json
import random
import zlib
from collections.abc import Iterator
from pathlib import Path

from webtongue.fonts.encode import encode
from webtongue.fonts.tables import Font, all_fonts
from webtongue.lab.train.corpus.holdout import is_held_out
from webtongue.lab.train.corpus.licences import SourceLabel
from webtongue.lab.train.corpus.read import iter_files, read_lines

__all__ = ["Lines", "make_font_text", "make_ordinary_text", "read_texts", "take_lines"]

Lines = dict[str, dict[str, list[str]]]  # label -> source -> lines

LATIN_CHARS_PER_SOURCE = 6_000
ENGLISH_CHARS = 150_000  # most pages have some English
CODE_CHARS = 1_500_000  # program text has many unusual pairs of bytes
GENERATED_LINES = 8000  # lines of each kind: numbers, identifiers, base64
MOJIBAKE_CHARS = 60_000  # per label and wrong encoding
MAX_LINES_PER_SOURCE = 8000
MAX_BURMESE_LINES = 6000  # per language in Burmese script

# Encodings whose bytes are decoded as windows-1252 here: the mojibake is full of accents, but is not font-encoded.
MOJIBAKE_CODECS = {
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


def read_texts(folder: Path, without: frozenset[SourceLabel]) -> Lines:
    """Return label -> source -> lines, without the lines reserved for benchmarks."""
    texts: Lines = {}
    wanted = {label for font in all_fonts().values() for label in font.languages} | set(MOJIBAKE_CODECS)
    for entry in iter_files(folder, without):
        if entry.label in wanted or entry.label.endswith(("_Latn", "_Mymr")):
            lines = [line for line in read_lines(entry.path) if line and not is_held_out(line)]
            texts.setdefault(entry.label, {})[entry.source] = lines
    return texts


def _iter_shuffled(sources: dict[str, list[str]], seed: int) -> Iterator[str]:
    """Yield lines of every source in turn, each in a random order that is the same on every run."""
    queues = []
    for name, lines in sorted(sources.items()):
        rng = random.Random(seed + zlib.crc32(name.encode()))
        queues.append(rng.sample(lines, min(len(lines), MAX_LINES_PER_SOURCE)))
    while queues := [queue for queue in queues if queue]:
        for queue in queues:
            yield queue.pop()


def make_font_text(font: Font, corpus: Lines, size: int, seed: int) -> str:
    """Return text of the font's languages in its encoding, half of it in the first language."""
    rng = random.Random(seed)
    labels = [label for label in font.languages if label in corpus]
    parts = []
    for number, label in enumerate(labels):
        max_chars = (
            size // 2 if number == 0 and len(labels) > 1 else size // max(1, 2 * (len(labels) - 1)) if number else size
        )
        chars = 0
        for line in _iter_shuffled(corpus[label], seed):
            if chars > max_chars:
                break
            if (encoded := encode(line, font, rng)) is not None:
                parts.append(encoded)
                chars += len(encoded)
    random.Random(seed).shuffle(parts)
    return "\n".join(parts)


def make_ordinary_text(corpus: Lines, seed: int) -> str:
    """Return text of every Latin label, more of English, in capitals too; mojibake; and program text."""
    texts = []
    for label, sources in sorted(corpus.items()):
        if not label.endswith("_Latn"):
            continue
        text = _take_text(
            sources, ENGLISH_CHARS if label == "eng_Latn" else LATIN_CHARS_PER_SOURCE * len(sources), seed
        )
        texts += [text, text[: len(text) // 10].upper(), text[: len(text) // 20].title()]
    for label, codecs in MOJIBAKE_CODECS.items():
        text = _take_text(corpus.get(label, {}), MOJIBAKE_CHARS, seed)
        texts += [
            text.encode(codec, "ignore").decode("cp1252", "replace").replace("\ufffd", "\x81") for codec in codecs
        ]
    texts.append(_make_program_text(seed))
    lines = "\n".join(texts).split("\n")
    random.Random(seed).shuffle(lines)
    return "\n".join(lines)


def _take_text(sources: dict[str, list[str]], max_chars: int, seed: int) -> str:
    chars, parts = 0, []
    for line in _iter_shuffled(sources, seed):
        if chars > max_chars:
            break
        parts.append(line)
        chars += len(line)
    return "\n".join(parts)


def _make_program_text(seed: int) -> str:
    """Return the source of the standard library, and generated numbers, identifiers and base64."""
    files = sorted(Path(json.__file__).parent.parent.glob("*.py"))
    code = "\n".join(path.read_text("utf-8", "replace") for path in files)[:CODE_CHARS]
    rng = random.Random(seed)
    generated = []
    for _ in range(GENERATED_LINES):
        raw = rng.randbytes(30)
        generated += [raw.hex(), base64.b64encode(raw).decode(), raw.hex().upper()]
        generated.append(" ".join(f"{rng.randrange(10**6) / 100:,.2f}" for _ in range(8)))
        generated.append("".join(rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZ0123456789-") for _ in range(50)))
    return code + "\n" + "\n".join(generated)


def take_lines(corpus: Lines, labels: tuple[str, ...], seed: int) -> list[str]:
    """Return some lines of each label."""
    lines: list[str] = []
    for label in labels:
        for number, line in enumerate(_iter_shuffled(corpus.get(label, {}), seed)):
            if number > MAX_BURMESE_LINES:
                break
            lines.append(line)
    return lines
