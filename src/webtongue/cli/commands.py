"""The commands as Typer has them, each imported when it is called: help and a version need none of them."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from webtongue.cli.exits import CLOSED, UNREAD, USAGE, Ended, ended, interrupted
from webtongue.cli.terminal import never_fail

__all__ = ["COMMANDS", "application"]

ABOUT = "What language a web page is in: language, script, encoding, and how sure."
# Name and what it does; a module of this package has the command.
COMMANDS = {
    "identify": "Say what pages are in, and how sure.",
    "url": "Say what pages are in by their URLs alone.",
    "decode": "Write pages as UTF-8, whatever encoding they are in.",
    "crawl": "Fetch pages in wanted languages, the likeliest links first.",
    "census": "Identify every capture of a crawl: WARC in, Parquet out.",
    "extract": "Write the text of a crawl that is in the wanted languages.",
    "search": "Find pages of a census by their text.",
    "tables": "Print the tables of a census.",
    "sql": "Ask a census in SQL.",
    "compare": "Say what changed from one census to another.",
    "report": "Write the report of a census: one page of maps, charts and tables.",
    "serve": "Answer over HTTP, with a page to see why.",
    "languages": "List the languages that can be answered.",
    "train": "Train a language model.",
    "evaluate": "Score webtongue and installed peers on the same items.",
    "reproduce": "Run a paper's experiments again.",
}
EXITS = "Exit codes: 0 all is well, 1 something could not be read or written, 2 called wrongly, 130 interrupted."


class Commands(TyperGroup):
    """A group that knows its commands by name, and imports the one that is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        """In the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Enough of a command to list it."""
        return TyperCommand(cmd_name, help=COMMANDS[cmd_name]) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is called."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, _loaded(name) if command is not None and name else command, rest

    def invoke(self, ctx: Any) -> Any:
        """Run it. Typer has ways of its own to end on these two."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            raise interrupted(stop) from None
        except BrokenPipeError:
            raise Ended(CLOSED) from None

    def main(self, *args: Any, **options: Any) -> Any:
        """Run it and exit, with one sentence where there is something to say."""
        if sys.stdout is None:
            raise SystemExit(ended(_no_output))
        never_fail()
        raise SystemExit(ended(lambda: super(Commands, self).main(*args, **{**options, "standalone_mode": False})))


def application() -> typer.Typer:
    """All commands."""
    app = typer.Typer(
        cls=Commands,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(help=ABOUT, epilog=EXITS, invoke_without_command=True)(_main)
    return app


def _loaded(name: str) -> Any:
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    app.command(name)(import_module(f"webtongue.cli.{name}").command)
    return typer.main.get_command(app)


def _no_output() -> None:
    raise Ended(UNREAD, "standard output is closed: there is nowhere to write to")


def _version(asked: bool) -> None:
    if asked:
        from webtongue import __version__

        typer.echo(f"webtongue {__version__}")
        raise typer.Exit


def _main(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise Ended(USAGE)
