"""The command line: one module for each command, which parses options, calls the library and prints."""

from __future__ import annotations

import os
import sys
from typing import Any

from webtongue.cli.errors import EXIT_INTERRUPTED, EXIT_TERMINATED, handle_sigterm, run_command
from webtongue.errors import UsageError, missing_extra

__all__ = ["application", "complete_command", "main"]

HELP = ("-h", "--help")
GLOBAL_WORDS = {"help": "--help", "version": "--version"}
MIN_SIMILARITY = 0.7  # similarity of a mistyped command and the command that is suggested


def main() -> None:
    """Run the ``webtongue`` command and exit."""
    code: Any
    handle_sigterm()
    try:
        code = run_command(_run)
    except SystemExit as end:
        code = end.code
    if code in (EXIT_INTERRUPTED, EXIT_TERMINATED):
        os._exit(code)  # does not wait for the threads that still read pages
    sys.exit(code)


def _run() -> None:
    """Run the command that is called; raise MissingExtra if a package of an extra is missing."""
    try:
        words = complete_command(sys.argv[1:])
        _run_plain(words) or application()(words)
    except ImportError as error:
        raise missing_extra(error) or error from None


def complete_command(words: list[str]) -> list[str]:
    """Return a command line that begins with a command: `identify` if the first word is a file, a folder or a text.

    Raise a UsageError for a mistyped command.

    >>> complete_command(["page.html", "--json"]), complete_command([""])
    (['identify', 'page.html', '--json'], ['identify', ''])
    """
    from webtongue.cli.commands import COMMANDS

    if not words:
        return words
    first = words[0]
    if first in GLOBAL_WORDS:
        return [GLOBAL_WORDS[first], *words[1:]]
    if first in COMMANDS or (first.startswith("-") and first != "-"):
        return words
    if first.isascii() and first.isalpha() and not os.path.lexists(first):
        from difflib import get_close_matches

        for match in get_close_matches(first.lower(), COMMANDS, 1, MIN_SIMILARITY):
            raise UsageError(f"there is no command {first!r}: did you mean webtongue {match}?")
    return ["identify", *words]


def _run_plain(words: list[str]) -> bool:
    """Run the command if its command line can be read without Typer; return False if it cannot."""
    from webtongue.cli.commands import COMMANDS, load_command

    name, words = (words[0], words[1:]) if words else ("", [])
    if name not in COMMANDS or any(word in HELP for word in words):
        return False
    from webtongue.cli.parameters import read_arguments
    from webtongue.cli.terminal import prepare_output

    command = load_command(name)
    values = read_arguments(command, words)
    if values is None:
        return False
    prepare_output()
    command(**values)
    return True


def application() -> Any:
    """Return all commands as a typer.Typer."""
    from webtongue.cli.typer_application import build_application

    return build_application()
