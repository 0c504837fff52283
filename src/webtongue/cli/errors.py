"""Exit codes, and errors as one line on standard error."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from webtongue.cli.terminal import print_stderr
from webtongue.errors import MissingExtra, ModelError, UsageError, WebtongueError

__all__ = [
    "EXIT_BROKEN_PIPE",
    "EXIT_FAILED",
    "EXIT_INTERRUPTED",
    "EXIT_TERMINATED",
    "EXIT_USAGE",
    "CommandExit",
    "Terminated",
    "handle_sigterm",
    "make_interrupt_exit",
    "run_command",
]

EXIT_FAILED = 1  # something could not be read or written
EXIT_USAGE = 2
# The codes that shells report for signals.
EXIT_INTERRUPTED = 128 + 2  # SIGINT
EXIT_TERMINATED = 128 + 15  # SIGTERM
EXIT_BROKEN_PIPE = 128 + 13  # SIGPIPE: the reader of the output is gone

# What to use instead of options that a command with --json does not have.
OPTION_HINTS = dict.fromkeys(("--format", "--csv", "--tsv"), "--json prints JSON Lines with all fields")
OPTION_HINTS["--min-confidence"] = "--json prints the confidence, by which you can filter"


class CommandExit(Exception):
    """The end of a command with an exit code, and a message for standard error."""

    def __init__(self, code: int, message: str = "") -> None:
        super().__init__(message)
        self.code = code


class Terminated(KeyboardInterrupt):
    """SIGTERM as an exception, so that it runs the same cleanup as Ctrl-C."""


def handle_sigterm() -> None:
    """Raise Terminated in the main thread on SIGTERM."""

    def end(_number: int, _frame: Any) -> None:
        raise Terminated

    signal.signal(signal.SIGTERM, end)


def run_command(command: Callable[[], Any]) -> int:
    """Run a command, print an error as one line, and return the exit code. Only errors of the program have a traceback."""
    try:
        code = command()
        _flush()
    except CommandExit as end:
        return _fail(end.code, str(end))
    except KeyboardInterrupt as stop:
        interrupt = make_interrupt_exit(stop)
        return _fail(interrupt.code, str(interrupt))
    except BrokenPipeError:
        _close()
        return EXIT_BROKEN_PIPE
    except (UsageError, ModelError, MissingExtra) as error:
        return _fail(EXIT_USAGE, str(error))
    except WebtongueError as error:  # a run that could not go on, or could not write
        return _fail(EXIT_FAILED, str(error))
    except OSError as error:
        message = error.strerror or str(error)
        return _fail(EXIT_FAILED, f"{error.filename}: {message}" if error.filename else message)
    except Exception as error:
        # Errors of Typer: their class has moved between its releases.
        format_message = getattr(error, "format_message", None)
        if format_message is None:
            raise
        context = getattr(error, "ctx", None)
        parts = [format_message().rstrip("."), _hint_at_json(error, context)]
        parts += [f"see {context.command_path} --help"] if context is not None else []
        return _fail(EXIT_USAGE, "; ".join(filter(None, parts)))
    return code if isinstance(code, int) else 0


def _hint_at_json(error: Any, context: Any) -> str:
    """Return what to use instead of an option of other tools, for commands with --json; empty for other errors."""
    hint = OPTION_HINTS.get(getattr(error, "option_name", ""), "")
    parameters = context.command.params if hint and context is not None else ()
    return hint if any("--json" in parameter.opts for parameter in parameters) else ""


def make_interrupt_exit(stop: KeyboardInterrupt, hint: str = "") -> CommandExit:
    """Return the exit after Ctrl-C or SIGTERM, with a hint on how to go on; further Ctrl-Cs are ignored from now on."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    is_terminated = isinstance(stop, Terminated)
    message = "terminated" if is_terminated else "interrupted"
    return CommandExit(
        EXIT_TERMINATED if is_terminated else EXIT_INTERRUPTED, f"{message}; {hint}" if hint else message
    )


def _fail(code: int, message: str) -> int:
    if message:
        print_stderr(message)
    try:
        _flush()
    except OSError:  # this error is printed already, or the reader of the output is gone
        _close()
    return code


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


def _close() -> None:
    """Discard the rest of the output: Python would report an error when it flushes it at exit."""
    try:
        null_device = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null_device, sys.stdout.fileno())
    except (OSError, ValueError):  # standard output is not a file, as in tests
        return
    os.close(null_device)
