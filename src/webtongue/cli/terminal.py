"""Escape untrusted text for terminals and JSON Lines.

File names, URLs, declarations and the text of pages can hold escape sequences that recolour or rewrite the screen, characters
that change the direction of a line, and bytes that are not text. They are printed as escapes.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from typing import Any

from webtongue.errors import OutputError

__all__ = ["escape_surrogates", "escape_text", "format_json_line", "prepare_output", "print_stderr"]

# Control codes, lone surrogates, and invisible characters that change how others are displayed: directions, separators,
# tags. Joiners are not among them: Persian and the scripts of India need them.
UNSAFE_CHARS = (
    "\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\ud800-\udfff\U000e0000-\U000e007f"
)
UNSAFE = re.compile(f"[{UNSAFE_CHARS}]")
UNSAFE_IN_LINES = re.compile(f"(?![\n\t])[{UNSAFE_CHARS}]")
SURROGATES = re.compile("[\ud800-\udfff]")
SHORT_ESCAPES = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def escape_text(text: str, encoding: str = "utf-8", keep_lines: bool = False) -> str:
    r"""Return text with escapes for everything that a terminal would obey or that ``encoding`` cannot represent.

    ``keep_lines`` keeps line ends and tabs. A byte of a file name that is not text is escaped as that byte.

    >>> print(escape_text("a\x1b[2Jb\nc\u202ed\udcff"), escape_text("Füße", "ascii"), escape_text("[bold]"))
    a\x1b[2Jb\nc\u202ed\xff F\xfc\xdfe [bold]
    """
    text = (UNSAFE_IN_LINES if keep_lines else UNSAFE).sub(_escape, text)
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.encode(encoding, "backslashreplace").decode(encoding)
    return text


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # Python's surrogate for a byte of a file name that is not text
        return rf"\x{code - 0xDC00:02x}"
    return SHORT_ESCAPES.get(char) or (
        rf"\x{code:02x}" if code < 0x100 else rf"\u{code:04x}" if code < 0x10000 else rf"\U{code:08x}"
    )


def escape_surrogates(name: str) -> str:
    r"""Return a file name for JSON with lone surrogates escaped: strict JSON readers refuse a line that has one.

    >>> escape_surrogates("caf\udce9.html")
    'caf\\xe9.html'
    """
    return name if name.isascii() else SURROGATES.sub(_escape, name)


def format_json_line(row: Mapping[str, Any]) -> str:
    r"""Return a line of JSON without characters that act on a terminal; every reader decodes the same data.

    >>> print(format_json_line({"lang": "\u202eel"}), end="")
    {"lang": "\u202eel"}
    """
    is_utf8 = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf8")
    return UNSAFE.sub(_escape_json, json.dumps(row, ensure_ascii=not is_utf8)) + "\n"


def _escape_json(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass")
    return "".join(rf"\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def prepare_output() -> None:
    """Make standard output escape characters that it cannot encode; raise OutputError if it is closed."""
    if sys.stdout is None:
        raise OutputError("standard output is closed: nothing can be written")
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def print_stderr(message: str) -> None:
    """Print a message as one line on standard error."""
    if sys.stderr is not None:
        sys.stderr.write(f"webtongue: {escape_text(message, sys.stderr.encoding or 'ascii')}\n")
        sys.stderr.flush()
