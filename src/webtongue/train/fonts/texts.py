"""Text to fit on: in every font, made by rule; and ordinary text, with all that pages have besides prose."""

from __future__ import annotations

import base64
import json
import random
import zlib
from collections.abc import Iterator
from pathlib import Path

from webtongue.fonts.encode import encode
from webtongue.fonts.tables import Font, named
from webtongue.train.corpus.holdout import held_out
from webtongue.train.corpus.read import entries, read_lines
from webtongue.train.corpus.terms import Place

__all__ = ["Lines", "coded", "lines_of", "ordinary", "read_texts"]

Lines = dict[str, dict[str, list[str]]]  # label -> source -> lines

LATIN_TEXT = 6_000  # characters of each Latin label from each of its sources
COMMON_TEXT = 150_000  # characters of English, which most pages have some of
CODE_TEXT = 1_500_000  # characters of program text, which is full of odd pairs
MADE_LINES = 8000  # lines of each kind that are made: numbers, identifiers, base64
MISREAD_TEXT = 60_000  # characters of each label read in a wrong encoding
MOST_LINES = 8000  # lines of one file
MOST_BURMESE = 6000  # lines of each language in Burmese script

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


def read_texts(folder: Path, without: frozenset[Place]) -> Lines:
    """Label -> source -> lines, without those kept for measuring."""
    out: Lines = {}
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


def coded(font: Font, corpus: Lines, size: int, seed: int) -> str:
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
            if (drawn := encode(line, font, variety)) is not None:
                parts.append(drawn)
                got += len(drawn)
    random.Random(seed).shuffle(parts)
    return "\n".join(parts)


def ordinary(corpus: Lines, seed: int) -> str:
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
    for _ in range(MADE_LINES):
        raw = chance.randbytes(30)
        made += [raw.hex(), base64.b64encode(raw).decode(), raw.hex().upper()]
        made.append(" ".join(f"{chance.randrange(10**6) / 100:,.2f}" for _ in range(8)))
        made.append("".join(chance.choice("ABCDEFGHJKLMNPQRSTUVWXYZ0123456789-") for _ in range(50)))
    return code + "\n" + "\n".join(made)


def lines_of(corpus: Lines, labels: tuple[str, ...], seed: int) -> list[str]:
    out: list[str] = []
    for label in labels:
        for number, line in enumerate(_shuffled(corpus.get(label, {}), seed)):
            if number > MOST_BURMESE:
                break
            out.append(line)
    return out
