"""What goes to a terminal: text from outside made harmless, and as much of it as there is room for.

File names, addresses, declarations and the text of pages may hold anything: escape sequences that recolour or rewrite the
screen, characters that turn the direction of a line, bytes that are no text. They are shown, never obeyed.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TextIO

__all__ = ["Screen", "complain", "json_line", "never_fail", "readable", "screen", "shown"]

# Control codes, lone surrogates, and characters without a shape that change how others are shown: directions, separators,
# invisible ones, tags. Joiners stay: Persian and the scripts of India need them.
HIDDEN = (
    "\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\ud800-\udfff\U000e0000-\U000e007f"
)
UNSAFE = re.compile(f"[{HIDDEN}]")
UNSAFE_LINES = re.compile(f"(?![\n\t])[{HIDDEN}]")  # of text that is shown as it is written, line by line
SURROGATES = re.compile("[\ud800-\udfff]")
SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}
PIPED_WIDTH = 160  # of what is wrapped where there is no terminal


def shown(text: str, encoding: str = "utf-8", lines: bool = False) -> str:
    r"""Text as it may be shown: what would act on a terminal, or could not be written, as an escape.

    ``encoding`` is the terminal's own; ``lines`` lets line ends and tabs be. A byte of a file name that is no text is itself.

    >>> print(shown("a\x1b[2Jb\nc\u202ed\udcff"), shown("Füße", "ascii"), shown("[bold]"))
    a\x1b[2Jb\nc\u202ed\xff F\xfc\xdfe [bold]
    """
    text = (UNSAFE_LINES if lines else UNSAFE).sub(_escape, text)
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.encode(encoding, "backslashreplace").decode(encoding)
    return text


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # how Python holds a byte of a file name that is no text
        return rf"\x{code - 0xDC00:02x}"
    return SHORT.get(char) or (
        rf"\x{code:02x}" if code < 0x100 else rf"\u{code:04x}" if code < 0x10000 else rf"\U{code:08x}"
    )


def readable(name: str) -> str:
    r"""A file name for JSON: bytes that are no text as escapes, since strict readers refuse a whole line for one of them.

    >>> readable("caf\udce9.html")
    'caf\\xe9.html'
    """
    return name if name.isascii() else SURROGATES.sub(_escape, name)


def json_line(row: Mapping[str, Any]) -> str:
    r"""A line of JSON that is the same data to every reader and harmless on a terminal.

    >>> print(json_line({"lang": "\u202eel"}), end="")
    {"lang": "\u202eel"}
    """
    plain = not (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf8")
    return UNSAFE.sub(_json_escape, json.dumps(row, ensure_ascii=plain)) + "\n"


def _json_escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(rf"\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


@dataclass(frozen=True, slots=True)
class Screen:
    """Where rows are printed: how wide it is (0: as wide as they come), what can be written there, and whether in colour."""

    width: int = 0
    encoding: str = "utf-8"
    colour: bool = False

    def shown(self, text: str) -> str:
        """Text from outside as it may be shown here."""
        return shown(text, self.encoding)

    def styled(self, text: str, style: str) -> str:
        """Text in a style, or in two with a space between, where there is colour."""
        if not self.colour or not style or not text:
            return text
        codes = ";".join(STYLES[name] for name in style.split())
        return f"\x1b[{codes}m{text}\x1b[0m"

    def cut(self, text: str, width: int, middle: bool = False) -> str:
        """Text in so many cells, with dots where some had to go: at its end, or in the middle where both ends tell.

        >>> Screen().cut("a-long-name-of-a-page.html", 12, middle=True), Screen(encoding="ascii").cut("too little", 8)
        ('a-long-…html', 'too l...')
        """
        from rich.cells import cell_len

        if len(text) <= 4 * width and cell_len(text) <= width:  # marks and joiners take no cell
            return text
        dots = shown_dots(self.encoding)
        room = max(width - len(dots), 0)
        last = room * 2 // 5 if middle else 0
        head, tail = text[: 2 * width], text[-2 * width :] if last else ""
        while cell_len(head) > room - last:
            head = head[:-1]
        while cell_len(tail) > last:
            tail = tail[1:]
        return head.rstrip() + dots + tail.lstrip()


def shown_dots(encoding: str) -> str:
    """What stands for text left out."""
    try:
        "…".encode(encoding)
    except UnicodeEncodeError:
        return "..."
    return "…"


def screen(file: TextIO | None = None) -> Screen:
    """Standard output as it is now; COLUMNS says how wide it is where it is no terminal."""
    file = file or sys.stdout
    encoding = file.encoding or "utf-8"
    if not file.isatty():
        wide = os.environ.get("COLUMNS", "")
        return Screen(int(wide) if wide.isdecimal() else 0, encoding)
    from rich.console import Console  # knows of terminals, and of NO_COLOR

    console = Console(file=file)
    plain = console.no_color or console.color_system is None or console.legacy_windows
    return Screen(console.width, encoding, not plain)


def never_fail() -> None:
    """Let standard output escape what it cannot write: the last resort where a character was overlooked."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def complain(sentence: str) -> None:
    """A line on standard error."""
    if sys.stderr is not None:
        sys.stderr.write(f"webtongue: {shown(sentence, sys.stderr.encoding or 'ascii')}\n")
        sys.stderr.flush()
