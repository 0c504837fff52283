"""The command line: one module for each command, which parses options, calls the library and prints."""

from __future__ import annotations

import os
import sys
from typing import Any

from webtongue.cli.errors import EXIT_INTERRUPTED, EXIT_TERMINATED, handle_sigterm, run_command
from webtongue.errors import MissingExtra

__all__ = ["application", "main"]

HELP = ("-h", "--help")
PACKAGES = ("rich", "typer")  # of the extra "cli"


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
    """Run the command that is called; raise MissingExtra if a package of the command line is missing."""
    try:
        _run_plain() or application()()
    except ImportError as error:
        if error.name in PACKAGES:
            raise MissingExtra(error.name, "cli") from error
        raise


def _run_plain() -> bool:
    """Run the command if its command line can be read without Typer; return False if it cannot."""
    from webtongue.cli.commands import COMMANDS, load_command

    name, words = (sys.argv[1], sys.argv[2:]) if len(sys.argv) > 1 else ("", [])
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
