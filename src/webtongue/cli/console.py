"""Print to standard output with rich: coloured lines and notes that are wrapped at the width of the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TextIO

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from webtongue.cli.streamed_table import PIPED_WIDTH, Styled, is_width_limited
from webtongue.cli.terminal import escape_text

__all__ = ["Terminal"]

NAME_CHARS = 20  # width of the names that write_pairs prints
COMMAND_GAP = 4  # cells between a command and its purpose


class Terminal(Console):
    """Standard output, or another stream, as a rich console.

    ``is_limited`` tells whether tables are cut to ``width``: on a terminal, or if COLUMNS is set. Printing raises
    BrokenPipeError if the reader of the output is gone, where rich would exit.
    """

    def __init__(self, piped_width: int = PIPED_WIDTH, file: TextIO | None = None) -> None:
        file = file or sys.stdout
        self.is_limited = is_width_limited(file)
        super().__init__(file=file, width=None if self.is_limited else piped_width, highlight=False)

    @property
    def has_color(self) -> bool:
        """Return True if text can be coloured."""
        return self.color_system is not None and not self.no_color

    def on_broken_pipe(self) -> None:
        """Raise the error again: rich would exit."""
        raise BrokenPipeError

    def escape(self, text: str) -> str:
        """Return untrusted text with escapes for what would act on the terminal or cannot be encoded."""
        return escape_text(text, self.encoding)

    def cut(self, text: str, width: int, middle: bool = False) -> str:
        """Return text cut to ``width`` cells, with an ellipsis at its end, or in the middle if both ends matter."""
        if len(text) <= 4 * width and cell_len(text) <= width:  # combining marks and joiners take no cell
            return text
        ellipsis = "…" if escape_text("…", self.encoding) == "…" else "..."
        available = max(width - len(ellipsis), 0)
        tail_width = available * 2 // 5 if middle else 0
        tail = text[-2 * width :] if middle else ""
        while cell_len(tail) > tail_width:
            tail = tail[1:]
        return set_cell_size(text[: 2 * width], available - tail_width).rstrip() + ellipsis + tail.lstrip()

    def write(self, text: str | Text, style: str = "") -> None:
        """Print a line as it is: not wrapped, and markup is not interpreted. Untrusted text must be escaped."""
        self.print(Text(text, style) if isinstance(text, str) else text, soft_wrap=True)

    def write_parts(self, parts: Sequence[str | Styled]) -> None:
        """Print a line of texts with styles, without spaces at its end. Untrusted text must be escaped."""
        line = Text.assemble(*((str(part), part.style if isinstance(part, Styled) else "") for part in parts))
        line.rstrip()
        self.write(line)

    def write_wrapped(self, text: str, style: str = "") -> None:
        """Print text in lines as wide as the terminal, without spaces at their ends; markup is not interpreted."""
        for line in Text(text, style).wrap(self, self.width):
            line.rstrip()
            self.write(line)

    def write_pairs(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Print names and values, one pair on a line; a long value continues below itself."""
        for name, value in pairs:
            first, *others = self.wrap(value, self.width - NAME_CHARS - 1)
            self.write(Text.assemble((f"{name:<{NAME_CHARS}}", "dim"), f" {first}"))
            for line in others:
                self.write(" " * (NAME_CHARS + 1) + line)

    def wrap(self, text: str, width: int) -> list[str]:
        """Return text in lines of at most ``width`` cells, or in one line if nothing limits it."""
        if not self.is_limited:
            return [text]
        return [line.plain.rstrip() for line in Text(text).wrap(self, max(width, 1))] or [""]

    def write_commands(self, commands: Sequence[tuple[str, str]]) -> None:
        """Print commands to copy, each with its purpose beside it, or below if the line would be too long."""
        column = max(len(command) for command, _ in commands) + COMMAND_GAP
        fits = column + max(len(purpose) for _, purpose in commands) <= self.width or not self.is_limited
        for command, purpose in commands:
            if fits:
                self.write(Text.assemble(f"{command:<{column}}", (purpose, "dim")))
            else:
                self.write(command)
                self.write(f"  {purpose}", "dim")
