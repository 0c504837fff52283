"""``detect``, ``from_bytes``, ``from_fp``, ``from_path`` and ``is_binary`` of charset-normalizer.

>>> best = from_bytes("Žluťoučký kůň pěl ďábelské ódy".encode("cp1250")).best()
>>> best.encoding, best.language, str(best)
('cp1250', 'Czech', 'Žluťoučký kůň pěl ďábelské ódy')
"""

from __future__ import annotations

import codecs
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO

import webtongue
from webtongue import labels
from webtongue.compat import chardet

__all__ = ["CharsetMatch", "CharsetMatches", "detect", "from_bytes", "from_fp", "from_path", "is_binary"]


def __dir__() -> list[str]:
    return __all__


UNKNOWN = "Unknown"


def detect(byte_str: bytes | bytearray, should_rename_legacy: bool = False, **kwargs: Any) -> dict[str, Any]:
    """Return encoding, language and confidence; the language is an English name, empty if it is unknown."""
    answer = chardet.detect(byte_str)
    encoding = answer["encoding"]
    return {
        "encoding": encoding,
        "language": labels.name(answer["language"]) if answer["language"] else "",
        "confidence": answer["confidence"] if encoding else None,
    }


class CharsetMatch:
    """Bytes, their encoding by the name of Python's codec, and the English name of their language."""

    def __init__(self, payload: bytes, encoding: str, language: str) -> None:
        self.raw = payload
        self.encoding = encoding
        self.language = language or UNKNOWN

    def __str__(self) -> str:
        return webtongue.decode(self.raw).text

    def output(self, encoding: str = "utf_8") -> bytes:
        """Return the text in another encoding, with ``?`` for what that lacks."""
        return str(self).encode(encoding, "replace")


class CharsetMatches(list[CharsetMatch]):
    """The match of some bytes, or nothing for bytes that are not text."""

    def best(self) -> CharsetMatch | None:
        """Return the match, or None."""
        return self[0] if self else None

    first = best


def from_bytes(sequences: bytes | bytearray, **options: Any) -> CharsetMatches:
    """Return the match of some bytes. All options of charset-normalizer are accepted by name, and have no effect."""
    answer = detect(sequences)
    if answer["encoding"] is None:
        return CharsetMatches()
    return CharsetMatches([CharsetMatch(bytes(sequences), _codec_name(answer["encoding"]), answer["language"])])


def from_fp(fp: BinaryIO, **options: Any) -> CharsetMatches:
    """Return the match of an open file."""
    return from_bytes(fp.read())


def from_path(path: str | PathLike[str], **options: Any) -> CharsetMatches:
    """Return the match of a file."""
    return from_bytes(Path(path).read_bytes())


def is_binary(fp_or_path_or_payload: str | PathLike[str] | BinaryIO | bytes | bytearray, **options: Any) -> bool:
    """Return True if bytes, an open file or the file of a path are not text."""
    source = fp_or_path_or_payload
    if isinstance(source, bytes | bytearray):
        return from_bytes(source).best() is None
    return (from_path(source) if isinstance(source, str | PathLike) else from_fp(source)).best() is None


def _codec_name(encoding: str) -> str:
    """Return the name of Python's codec; an encoding without one keeps its name."""
    try:
        return codecs.lookup(encoding).name.replace("-", "_").removesuffix("_sig")
    except LookupError:
        return encoding
