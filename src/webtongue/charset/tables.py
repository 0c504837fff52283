"""Encodings by table: sequences of characters and their replacements, applied by longest match.

They cover what Python has no codec for: 8-bit character sets, encodings that write a letter with several bytes (VNI, TSCII, ISCII)
and text for legacy fonts. Bytes are passed as Latin-1, one character each. The tables are files in ``data/charset_tables`` with
rows of source, target and a mark: ``-`` for rows that only decode, ``+`` for a run, in which each character of the target belongs
to the next last character of the source and U+FFFD marks gaps.

>>> load("vni").decode("tie\xe1ng Vie\xe4t")
'tiếng Việt'
>>> load("vni").encode("tiếng Việt")
'tieáng Vieät'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from webtongue.files import DATA
from webtongue.records import dataclass

__all__ = ["SequenceTable", "load", "table_names"]

FOLDER = DATA / "charset_tables"
ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))")


@dataclass(frozen=True, slots=True)
class SequenceTable:
    """The table of an encoding; immutable."""

    name: str
    decode_map: dict[str, str]

    @property
    def encode_map(self) -> dict[str, str]:
        """The inverse of ``decode_map``, built when first needed: readers of pages only decode."""
        return _encode_map(self.name)

    def decode(self, text: str) -> str:
        """Return the decoded text; characters that start no sequence are kept."""
        return _pattern(self, False).sub(lambda match: self.decode_map[match.group()], text)

    def encode(self, text: str) -> str | None:
        """Return the encoded text, or None if it would not decode to the same text."""
        encoded = _pattern(self, True).sub(lambda match: self.encode_map[match.group()], text)
        return encoded if self.decode(encoded) == text else None

    def __hash__(self) -> int:
        return id(self)


def table_names() -> list[str]:
    """Return the names of all encodings by table."""
    return sorted(path.stem for path in FOLDER.glob("*.tsv"))


@cache
def load(name: str) -> SequenceTable:
    """Read a table; the same name gives the same object."""
    return SequenceTable(name, {source: target for source, target, _ in _read_pairs(name)})


@cache
def _encode_map(name: str) -> dict[str, str]:
    decode_map = load(name).decode_map
    encode_map: dict[str, str] = {}
    for source, target, encodes in _read_pairs(name):
        if encodes and (not target.isascii() or target in decode_map):  # else it encodes to itself
            encode_map.setdefault(target, source)
    return encode_map


def _read_pairs(name: str) -> Iterator[tuple[str, str, bool]]:
    """Yield source, target and whether the row encodes, too."""
    for line in (FOLDER / f"{name}.tsv").read_text("utf-8").split("\n"):
        if not line or line.startswith("#"):
            continue
        first, second, *marks = line.split("\t")
        source, target = _unescape(first), _unescape(second)
        for pair in _expand_run(source, target) if marks == ["+"] else [(source, target)]:
            yield *pair, marks != ["-"]


def _expand_run(source: str, targets: str) -> list[tuple[str, str]]:
    head, last = source[:-1], ord(source[-1])
    return [(head + chr(last + i), target) for i, target in enumerate(targets) if target != "\ufffd"]


@cache
def _pattern(table: SequenceTable, for_encoding: bool) -> re.Pattern[str]:
    """Return a pattern of all sequences as a prefix tree, so that the cost of a character does not depend on the table."""
    return re.compile(_expression(table.encode_map if for_encoding else table.decode_map))


def _expression(sequences: Iterable[str]) -> str:
    """Return a pattern that matches the longest of some sequences; it is optional if one of them is empty."""
    rests: dict[str, list[str]] = {}  # the rests of sequences by their first character
    is_optional = False
    for sequence in sequences:
        if sequence:
            rests.setdefault(sequence[0], []).append(sequence[1:])
        else:
            is_optional = True
    leaves = [char for char, rest in rests.items() if rest == [""]]
    branches = [re.escape(char) + _expression(rest) for char, rest in rests.items() if rest != [""]]
    if leaves:
        branches.append("[" + "".join(map(re.escape, leaves)) + "]")
    if not branches:
        return ""
    return "(?:" + "|".join(branches) + ")" + ("?" if is_optional else "")


def _unescape(text: str) -> str:
    return ESCAPE.sub(lambda match: chr(int(match.group(1) or match.group(2), 16)), text)
