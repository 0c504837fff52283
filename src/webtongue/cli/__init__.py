"""The command line: one module a command, each of which parses, calls the library and prints."""

from __future__ import annotations

import sys
from typing import Any

from webtongue.errors import MissingExtra, WebtongueError

__all__ = ["application", "main"]


def main() -> None:
    """Entry point of the ``webtongue`` command."""
    try:
        application()()
    except WebtongueError as error:
        sys.exit(f"webtongue: {error}")
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output went away: nothing more to say
        sys.exit(0)


def application() -> Any:
    """All commands, as a typer.Typer."""
    try:
        import rich  # noqa: F401
        import typer
    except ImportError as error:
        raise MissingExtra(error.name or "typer", "cli") from error

    from webtongue.cli import identify
    from webtongue.cli.decode import command as decode_command
    from webtongue.cli.evaluate import command as evaluate_command
    from webtongue.cli.reproduce import command as reproduce_command
    from webtongue.cli.train import command as train_command
    from webtongue.cli.url import command as url_command

    app = typer.Typer(
        help="What language a web page is in: language, script, encoding, and how sure.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    app.callback()(_version_option)
    app.command("identify")(identify.command)
    app.command("decode")(decode_command)
    app.command("evaluate")(evaluate_command)
    app.command("url")(url_command)
    app.command("reproduce")(reproduce_command)
    app.command("train")(train_command)
    return app


def _version_option() -> None:
    """What language a web page is in: language, script, encoding, and how sure."""
