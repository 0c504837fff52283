"""Packed pages: the input of a second pass, a few hundred bytes per page.

A packed page holds the declared languages and either the text itself, if it is short, or the kernel's packed reading.
Each part is preceded by its length.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from webtongue import _kernel
from webtongue.labels import MAX_TAG_CHARS
from webtongue.markup.declarations import LanguageDeclaration
from webtongue.markup.sniff import Syntax
from webtongue.model_set import Models

__all__ = ["Unpacked", "pack", "unpack"]

LENGTH_BYTES = 2  # size of the length field before each part
MAX_DECLARATIONS = 64  # a well-formed page has three
MAX_TEXT_BYTES = 600  # a longer text is packed as the kernel's reading of it
MAX_BLOCKS = 40
# Markup that the scanner turns into a block of each kind, in the order of the kernel's kind numbers.
BLOCK_MARKUP = (
    "<p>{}</p>", "<title>{}</title>", "<h1>{}</h1>", "<ul><li>{}</li></ul>", '<p><a href="#">{}</a></p>', "<nav><p>{}</p></nav>",
    '<img alt="{}">', '<meta name="description" content="{}">',
)  # fmt: skip


class Unpacked(NamedTuple):
    """A page restored from its packed form; ``scan`` is None if the text was too long to be packed."""

    declarations: tuple[LanguageDeclaration, ...]
    reading: _kernel.Reading  # without hints
    scan: _kernel.Scan | None


def pack(
    reading: _kernel.Reading,
    declarations: Sequence[LanguageDeclaration],
    models: Models,
    scan: _kernel.Scan | None = None,
) -> bytes:
    """Return a packed page; with its ``scan``, the text itself is packed if it is short."""
    rows = [[row.form, row.key, row.raw[:MAX_TAG_CHARS]] for row in declarations[:MAX_DECLARATIONS]]
    declared = json.dumps(rows, separators=(",", ":")).encode() if rows else b""
    text = b"" if scan is None else _minimal_page(scan)
    return b"".join((_length(declared), declared, _length(text), text or models.flow.pack(reading)))


def _length(part: bytes) -> bytes:
    return len(part).to_bytes(LENGTH_BYTES, "little")


def _minimal_page(scan: _kernel.Scan) -> bytes:
    """Return HTML with the same text blocks and nothing else; empty if the text is long or the HTML scans to other blocks."""
    if scan.text_size > MAX_TEXT_BYTES or not 0 < scan.block_count <= MAX_BLOCKS:
        return b""
    ends, *_, kinds, _ = (column.tolist() for column in scan.blocks())
    text = scan.text
    starts = [0, *(end + 1 for end in ends[:-1])]
    blocks = [text[start:end].decode("utf-8", "replace") for start, end in zip(starts, ends, strict=True)]
    page = "".join(
        [BLOCK_MARKUP[kind].format(escape(block)) for kind, block in zip(kinds, blocks, strict=True)]
    ).encode()
    rescanned = _kernel.scan(page, Syntax.HTML, False, True)
    is_same = rescanned.text == text and rescanned.blocks()[4].tolist() == kinds
    return page if is_same and len(page) < 1 << 8 * LENGTH_BYTES else b""


def unpack(packed: bytes, models: Models) -> Unpacked:
    """Return the page that :func:`pack` packed; raise ValueError for bytes of another release, model or origin."""
    declared, rest = _split(packed)
    text, reading = _split(rest)
    if not text:
        return Unpacked(_declarations(declared), models.flow.unpack(reading), None)
    scan = _kernel.scan(text, Syntax.HTML, False, True)
    return Unpacked(_declarations(declared), models.flow.read(scan, -1, 0, []), scan)


def _split(packed: bytes) -> tuple[bytes, bytes]:
    """Return the first part and the bytes after it."""
    end = LENGTH_BYTES + int.from_bytes(packed[:LENGTH_BYTES], "little")
    if len(packed) < end or len(packed) < LENGTH_BYTES:
        raise ValueError("not a packed page: the bytes end within a part")
    return packed[LENGTH_BYTES:end], packed[end:]


def _declarations(declared: bytes) -> tuple[LanguageDeclaration, ...]:
    try:
        rows = json.loads(declared) if declared else []
        return tuple(LanguageDeclaration(str(form), str(key), str(raw)) for form, key, raw in rows[:MAX_DECLARATIONS])
    except (TypeError, KeyError, RecursionError) as error:  # json.loads itself raises ValueError
        raise ValueError("not a packed page: its declared languages cannot be read") from error
