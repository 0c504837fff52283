"""Short strings in old encodings, without a declaration: shares of decoded texts that are right, by encoding and length.

Run it by ``python bench/encoding.py --only short``. The strings are pieces of training lines that are held out of the models: half
of them are the beginning of a line, half are from its middle.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

from webtongue.charset.codecs import decode, encode
from webtongue.lab.train.corpus.holdout import is_held_out
from webtongue.lab.train.corpus.read import SCRIPTURE, SYNTHETIC, iter_files, read_lines

__all__ = ["print_table"]

LENGTHS = (5, 10, 20, 40)
LABELS_BY_ENCODING = {
    "euc-kr": "kor_Hang", "johab": "kor_Hang", "euc-jp": "jpn_Jpan", "shift_jis": "jpn_Jpan", "gb18030": "zho_Hans",
    "big5": "zho_Hant", "euc-tw": "zho_Hant", "windows-874": "tha_Thai", "windows-1251": "rus_Cyrl ukr_Cyrl bul_Cyrl",
    "koi8-r": "rus_Cyrl", "koi8-u": "ukr_Cyrl", "iso-8859-5": "rus_Cyrl", "ibm866": "rus_Cyrl", "windows-1253": "ell_Grek",
    "iso-8859-7": "ell_Grek", "windows-1255": "heb_Hebr", "iso-8859-8": "heb_Hebr", "windows-1256": "ara_Arab fas_Arab",
    "iso-8859-6": "ara_Arab", "windows-1250": "ces_Latn hun_Latn", "iso-8859-2": "pol_Latn",
    "windows-1252": "deu_Latn fra_Latn spa_Latn swe_Latn por_Latn", "windows-1254": "tur_Latn", "windows-1257": "lit_Latn",
    "iso-8859-13": "lav_Latn",
}  # fmt: skip
MIN_LINE_CHARS = 16
MAX_LINES_PER_FILE = 600
MIN_LETTER_SHARE = 0.6  # of a string; in scripts other than Latin, as many are beyond ASCII
MAX_TRIES = 40  # per string


def print_table(data: Path, each: int, read: Callable[[bytes], str]) -> None:
    """Print the shares of right texts of ``each`` strings for every encoding, language and length."""
    lines = _held_out_lines(data / "train")
    print(f"\nshort strings, percent of texts decoded right; lengths {', '.join(map(str, LENGTHS))}")
    for encoding, labels in LABELS_BY_ENCODING.items():
        for label in labels.split():
            shares = []
            for length in LENGTHS:
                strings = list(_strings(lines[label], encoding, label, length, each))
                shares.append(sum(read(raw) == text for text, raw in strings) / max(1, len(strings)))
            print(f"{encoding:14}{label:10}" + "".join(f"{100 * share:7.1f}" for share in shares), flush=True)


def _held_out_lines(folder: Path) -> dict[str, list[str]]:
    wanted = {label for labels in LABELS_BY_ENCODING.values() for label in labels.split()}
    lines: dict[str, list[str]] = {label: [] for label in wanted}
    for entry in iter_files(folder, ()):
        if entry.label in wanted and entry.source not in SCRIPTURE | SYNTHETIC:
            held = [line for line in map(str.strip, read_lines(entry.path)) if is_held_out(line)]
            lines[entry.label] += [line for line in held if len(line) >= MIN_LINE_CHARS][:MAX_LINES_PER_FILE]
    return lines


def _strings(lines: list[str], encoding: str, label: str, length: int, count: int) -> Iterator[tuple[str, bytes]]:
    """Yield strings of about a length, and their bytes."""
    rng = random.Random(f"{encoding}:{label}:{length}")
    long_lines = [line for line in lines if len(line) >= length]
    found = 0
    for _ in range(MAX_TRIES * count):
        line = rng.choice(long_lines)
        start = rng.choice((0, rng.randrange(len(line) - length + 1)))
        text = line[start : start + length].strip()
        raw = encode(text, encoding)
        if len(text) < length - 2 or raw is None or raw.isascii() or not _is_telling(text, label, length):
            continue
        if decode(raw, encoding) == text:
            found += 1
            yield text, raw
        if found == count:
            return


def _is_telling(text: str, label: str, length: int) -> bool:
    least = MIN_LETTER_SHARE * length
    foreign = sum(char > "\x7f" for char in text)
    letters = sum(char.isalpha() or char > "\u0900" for char in text)
    return letters >= least and (label.endswith("_Latn") or foreign >= least)
