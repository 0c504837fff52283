"""The command line: one module for each command, which parses options, calls the library and prints."""

from __future__ import annotations

import os
import sys
from typing import Any

from webtongue.cli.errors import EXIT_INTERRUPTED, EXIT_TERMINATED, handle_sigterm, run_command
from webtongue.errors import MissingExtra

__all__ = ["application", "main"]


def main() -> None:
    """Run the ``webtongue`` command and exit."""
    code: Any
    handle_sigterm()
    try:
        code = run_command(lambda: application()())
    except SystemExit as end:
        code = end.code
    if code in (EXIT_INTERRUPTED, EXIT_TERMINATED):
        os._exit(code)  # does not wait for the threads that still read pages
    sys.exit(code)


def application() -> Any:
    """Return all commands as a typer.Typer."""
    try:
        import rich  # noqa: F401
        import typer  # noqa: F401
    except ImportError as error:
        raise MissingExtra(error.name or "typer", "cli") from error
    from webtongue.cli.commands import build_application

    return build_application()
