"""Codings by table: sequences of characters and what they stand for, read by longest match.

For what Python has no codec for: 8-bit sets, those that write a letter with several bytes (VNI, TSCII, ISCII) and text that
is a language only through a font. Bytes are handed over as Latin-1, a character each. The tables are files in
``data/codings``, a row a line: source, target, and ``-`` where the target is never written that way, or ``+`` where the
target's characters belong to consecutive last characters of the source, U+FFFD to none.

>>> load("vni").decode("tie\xe1ng Vie\xe4t")
'tiếng Việt'
>>> load("vni").encode("tiếng Việt")
'tieáng Vieät'
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from webtongue.files import DATA

__all__ = ["Sequences", "available", "load"]

FOLDER = DATA / "codings"
ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))")


@dataclass(frozen=True, slots=True)
class Sequences:
    """One coding; immutable. ``units`` reads, ``writes`` is its inverse."""

    units: dict[str, str]
    writes: dict[str, str]

    def decode(self, text: str) -> str:
        """What the sequences stand for; characters that begin none stay as they are."""
        return _matcher(self, False).sub(lambda match: self.units[match.group()], text)

    def encode(self, text: str) -> str | None:
        """The text as it would have been written, None if it cannot be: what is written must read the same again."""
        written = _matcher(self, True).sub(lambda match: self.writes[match.group()], text)
        return written if self.decode(written) == text else None

    def __hash__(self) -> int:
        return id(self)


def available() -> list[str]:
    """The names of all codings by table."""
    return sorted(path.stem for path in FOLDER.glob("*.tsv"))


@cache
def load(name: str) -> Sequences:
    """Read a table; the same name gives the same object."""
    units: dict[str, str] = {}
    writes: dict[str, str] = {}
    for line in (FOLDER / f"{name}.tsv").read_text("utf-8").split("\n"):
        if not line or line.startswith("#"):
            continue
        first, second, *rest = line.split("\t")
        source, target = _unescaped(first), _unescaped(second)
        pairs = _run(source, target) if rest == ["+"] else [(source, target)]
        units.update(pairs)
        if rest != ["-"]:
            for source, target in pairs:
                writes.setdefault(target, source)
    for plain in [target for target in writes if target.isascii() and target not in units]:
        del writes[plain]  # reads as itself
    return Sequences(units, writes)


def _run(source: str, targets: str) -> list[tuple[str, str]]:
    head, last = source[:-1], ord(source[-1])
    return [(head + chr(last + i), target) for i, target in enumerate(targets) if target != "\ufffd"]


@cache
def _matcher(sequences: Sequences, write: bool) -> re.Pattern[str]:
    """One expression for all sequences, branching letter by letter, so that a character costs the same in any table."""
    tree: dict[str, dict] = {}  # type: ignore[type-arg]
    for source in sequences.writes if write else sequences.units:
        node = tree
        for letter in source:
            node = node.setdefault(letter, {})
        node[""] = {}
    return re.compile(_expression(tree))


def _expression(node: dict[str, dict]) -> str:  # type: ignore[type-arg]
    plain = [letter for letter, then in node.items() if letter and set(then) == {""}]
    branches = [re.escape(letter) + _expression(then) for letter, then in node.items() if then and set(then) != {""}]
    if plain:
        branches.append("[" + "".join(map(re.escape, plain)) + "]")
    if not branches:
        return ""
    return "(?:" + "|".join(branches) + ")" + ("?" if "" in node else "")


def _unescaped(text: str) -> str:
    return ESCAPE.sub(lambda match: chr(int(match.group(1) or match.group(2), 16)), text)
