"""The commands for Typer. Each is imported when it is called: help and version need none of them."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from webtongue.cli.errors import (
    EXIT_BROKEN_PIPE,
    EXIT_FAILED,
    EXIT_USAGE,
    CommandExit,
    make_interrupt_exit,
    run_command,
)
from webtongue.cli.terminal import escape_unencodable_output

__all__ = ["COMMANDS", "build_application"]

ABOUT = "Identify the language, script and encoding of web pages."
# The module of the same name in this package has the command.
COMMANDS = {
    "identify": "Identify the language of pages, with a confidence.",
    "url": "Identify the language of pages by their URLs alone.",
    "decode": "Write pages as UTF-8, whatever their encoding.",
    "crawl": "Fetch pages in given languages, the likeliest links first.",
    "census": "Identify every capture of a crawl: WARC in, Parquet out.",
    "extract": "Write the text of a crawl that is in given languages.",
    "search": "Find pages of a census by their text.",
    "tables": "Print the tables of a census.",
    "sql": "Query a census in SQL.",
    "compare": "Print what changed from one census to another.",
    "report": "Write the report of a census: one page of maps, charts and tables.",
    "serve": "Answer over HTTP, with a page that shows the evidence.",
    "languages": "List the languages that can be identified.",
    "train": "Train a language model.",
    "evaluate": "Score webtongue and other installed identifiers on the same items.",
    "reproduce": "Repeat the experiments of a paper.",
}
EXIT_CODES = "Exit codes: 0 success, 1 something could not be read or written, 2 wrong usage, 130 interrupted."


class Commands(TyperGroup):
    """A group that lists commands by name and imports the one that is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names in the order of COMMANDS."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command that has only its help, for the list of commands."""
        return TyperCommand(cmd_name, help=COMMANDS[cmd_name]) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that is called, imported."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, _load_command(name) if command is not None and name else command, rest

    def invoke(self, ctx: Any) -> Any:
        """Run the command; translate two errors before Typer handles them in its own way."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            raise make_interrupt_exit(stop) from None
        except BrokenPipeError:
            raise CommandExit(EXIT_BROKEN_PIPE) from None

    def main(self, *args: Any, **options: Any) -> Any:
        """Run the command and exit; errors are one line on standard error."""
        if sys.stdout is None:
            raise SystemExit(run_command(_fail_without_output))
        escape_unencodable_output()
        options["standalone_mode"] = False
        raise SystemExit(run_command(lambda: super(Commands, self).main(*args, **options)))


def build_application() -> typer.Typer:
    """Return the application with all commands."""
    app = typer.Typer(
        cls=Commands,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(help=ABOUT, epilog=EXIT_CODES, invoke_without_command=True)(_main)
    return app


def _load_command(name: str) -> Any:
    from webtongue.cli.options import expand_groups

    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    app.command(name)(expand_groups(import_module(f"webtongue.cli.{name}").command))
    return typer.main.get_command(app)


def _fail_without_output() -> None:
    raise CommandExit(EXIT_FAILED, "standard output is closed: nothing can be written")


def _print_version(is_requested: bool) -> None:
    if is_requested:
        from webtongue import __version__

        typer.echo(f"webtongue {__version__}")
        raise typer.Exit


def _main(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise CommandExit(EXIT_USAGE)
