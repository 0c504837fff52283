"""How a command ends: its exit code, and one sentence where there is something to say."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from webtongue.cli.terminal import complain
from webtongue.errors import WebtongueError

__all__ = [
    "CLOSED",
    "INTERRUPTED",
    "TERMINATED",
    "UNREAD",
    "USAGE",
    "Ended",
    "Terminated",
    "ended",
    "heed",
    "interrupted",
]

UNREAD = 1  # some of what was asked for could not be read or written
USAGE = 2
INTERRUPTED = 128 + 2  # as a shell says it of SIGINT
TERMINATED = 128 + 15  # and of SIGTERM
CLOSED = 128 + 13  # and of SIGPIPE: whoever read our output went away


class Ended(Exception):
    """The end of a command with an exit code, and a sentence for standard error."""

    def __init__(self, code: int, sentence: str = "") -> None:
        super().__init__(sentence)
        self.code = code


class Terminated(KeyboardInterrupt):
    """Asked to end by whoever looks after processes; what Ctrl-C tidies up is tidied up."""


def heed() -> None:
    """End in good order when asked to (SIGTERM)."""

    def end(_number: int, _frame: Any) -> None:
        raise Terminated

    signal.signal(signal.SIGTERM, end)


def ended(work: Callable[[], Any]) -> int:
    """Do it, say in a sentence what went wrong, and give the exit code. Only our own mistakes have a traceback."""
    try:
        code = work()
        _flush()
    except Ended as end:
        return _said(end.code, str(end))
    except KeyboardInterrupt as stop:
        stopped = interrupted(stop)
        return _said(stopped.code, str(stopped))
    except BrokenPipeError:
        _close()
        return CLOSED
    except WebtongueError as error:
        return _said(USAGE, str(error))
    except OSError as error:
        return _said(UNREAD, f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error))
    except Exception as error:
        told = getattr(error, "format_message", None)  # Typer's own errors, whose class has moved between releases
        if told is None:
            raise
        return _said(USAGE, _of_typer(told(), getattr(error, "ctx", None)))
    return code if isinstance(code, int) else 0


def interrupted(stop: KeyboardInterrupt, more: str = "") -> Ended:
    """The end by Ctrl-C or SIGTERM, with more to say; further ones do not disturb it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    is_asked = isinstance(stop, Terminated)
    said = "terminated" if is_asked else "interrupted"
    return Ended(TERMINATED if is_asked else INTERRUPTED, f"{said}; {more}" if more else said)


def _said(code: int, sentence: str) -> int:
    if sentence:
        complain(sentence)
    try:
        _flush()
    except OSError:  # what could not be written was said, or its reader is gone
        _close()
    return code


def _of_typer(told: str, context: Any) -> str:
    command = getattr(context, "command_path", "")
    return told.rstrip(".") + (f"; see {command} --help" if command else "")


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


def _close() -> None:
    """Let the rest of the output go nowhere: Python would complain of it at its very end."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):  # no file behind it, as in tests
        return
    os.close(nowhere)
