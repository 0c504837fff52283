"""The command line: one module a command, each of which parses, calls the library and prints."""

from __future__ import annotations

import os
import sys
from typing import Any

from webtongue.cli.exits import INTERRUPTED, TERMINATED, ended, heed
from webtongue.errors import MissingExtra

__all__ = ["application", "main"]


def main() -> None:
    """Entry point of the ``webtongue`` command."""
    code: Any
    heed()
    try:
        code = ended(lambda: application()())
    except SystemExit as end:
        code = end.code
    if code in (INTERRUPTED, TERMINATED):
        os._exit(code)  # pages that threads are still at are not waited for
    sys.exit(code)


def application() -> Any:
    """All commands, as a typer.Typer."""
    try:
        import rich  # noqa: F401
        import typer  # noqa: F401
    except ImportError as error:
        raise MissingExtra(error.name or "typer", "cli") from error
    from webtongue.cli.commands import application as made

    return made()
