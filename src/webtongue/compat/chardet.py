"""``detect``, ``detect_all`` and ``UniversalDetector`` of chardet.

Encodings have the names of Python's codecs. For the few that Python lacks (``viscii``, ``tscii``), use ``webtongue.decode``.

>>> detect("Žluťoučký kůň pěl ďábelské ódy".encode("cp1250"))["encoding"]
'windows-1250'
"""

from __future__ import annotations

import codecs
from typing import Any

import webtongue

__all__ = ["UniversalDetector", "detect", "detect_all"]


def __dir__() -> list[str]:
    return __all__


# Names that Python's codecs lack, with the codec of the same encoding.
PYTHON_NAMES = {
    "iso-8859-8-i": "iso-8859-8",
    "mac-ce": "mac-latin2",
    "mac-icelandic": "mac-iceland",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac-cyrillic",
}
# Codecs that drop a byte order mark, by the mark and the encoding.
BOM_CODECS = {
    (codecs.BOM_UTF8, "utf-8"): "utf-8-sig",
    (codecs.BOM_UTF16_LE, "utf-16le"): "utf-16",
    (codecs.BOM_UTF16_BE, "utf-16be"): "utf-16",
    (codecs.BOM_UTF32_LE, "utf-32le"): "utf-32",
    (codecs.BOM_UTF32_BE, "utf-32be"): "utf-32",
}
MAX_STREAM_BYTES = 200_000  # as in chardet: what is fed beyond does not count


def detect(byte_str: bytes | bytearray, should_rename_legacy: bool = False, **options: Any) -> dict[str, Any]:
    """Return encoding, confidence, language and media type of some bytes. All options are accepted, and have no effect."""
    raw = bytes(byte_str)  # a TypeError for text and None
    answer = webtongue.detect(raw)
    encoding = "ascii" if raw.isascii() and answer["encoding"] == "utf-8" else answer["encoding"]
    return {
        "encoding": _codec_name(raw, encoding) if encoding else None,
        "confidence": answer["confidence"],
        "language": answer["language"],
        "mime_type": "text/plain" if encoding else "application/octet-stream",
    }


def _codec_name(raw: bytes, encoding: str) -> str:
    """Return the name of the codec that decodes the bytes, without a byte order mark if they have one."""
    for (mark, marked), codec in BOM_CODECS.items():
        if encoding == marked and raw.startswith(mark):
            return codec
    return PYTHON_NAMES.get(encoding, encoding)


def detect_all(
    byte_str: bytes | bytearray, ignore_threshold: bool = False, should_rename_legacy: bool = False, **options: Any
) -> list[dict[str, Any]]:
    """Return the answer of :func:`detect` as a list of one item: webtongue names no second encoding."""
    return [detect(byte_str)]


class UniversalDetector:
    """Detects the encoding of bytes that come in parts."""

    def __init__(self, lang_filter: object = None, should_rename_legacy: bool = False, **options: Any) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget all bytes, for the next document."""
        self._parts = bytearray()
        self.done = False
        self.result: dict[str, Any] = {"encoding": None, "confidence": 0.0, "language": None, "mime_type": None}

    def feed(self, byte_str: bytes | bytearray) -> None:
        """Add bytes; ``done`` is True as soon as there are enough."""
        self._parts += byte_str[: MAX_STREAM_BYTES - len(self._parts)]
        self.done = len(self._parts) >= MAX_STREAM_BYTES

    def close(self) -> dict[str, Any]:
        """Return the answer for all bytes, which is also in ``result``."""
        self.result = detect(self._parts)
        self.done = True
        return self.result
