"""The commands for Typer, which prints help, explains mistakes and reads command lines that are not plain."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any, get_args

import typer
from typer.core import TyperCommand, TyperGroup

from webtongue.cli.commands import COMMANDS, load_command
from webtongue.cli.errors import (
    EXIT_BROKEN_PIPE,
    EXIT_USAGE,
    CommandExit,
    make_interrupt_exit,
    run_command,
)
from webtongue.cli.parameters import Option
from webtongue.cli.terminal import prepare_output

__all__ = ["build_application", "declare_for_typer"]

ABOUT = (
    "Identify the language, script and encoding of web pages.\n\n"
    "A file, a folder or a text in place of a command is identified: webtongue page.html, webtongue 'Wie spät ist es?'."
)
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
        options["standalone_mode"] = False

        def run() -> Any:
            prepare_output()
            return super(Commands, self).main(*args, **options)

        raise SystemExit(run_command(run))


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
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    app.command(name)(declare_for_typer(load_command(name)))
    return typer.main.get_command(app)


def declare_for_typer(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with the declarations of its parameters as Typer's."""
    parameters = [
        parameter.replace(annotation=_convert_annotation(parameter.annotation))
        for parameter in inspect.signature(command, eval_str=True).parameters.values()
    ]

    def declared(**values: Any) -> None:
        command(**values)

    declared.__doc__ = command.__doc__
    declared.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    declared.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return declared


def _convert_annotation(annotation: Any) -> Any:
    kind, declaration = get_args(annotation)
    settings = dict(vars(declaration))
    names = settings.pop("names", ())
    return Annotated[kind, (typer.Option if isinstance(declaration, Option) else typer.Argument)(*names, **settings)]


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
