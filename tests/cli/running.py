"""Run the command line in this process, as a process, or as a process on a terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from dataclasses import dataclass
from typing import Any

from typer.testing import CliRunner

from webtongue.cli import application

COMMAND = [sys.executable, "-m", "webtongue"]
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Done:
    """The exit code and the output of a run."""

    code: int
    out: str
    err: str = ""

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def plain(self) -> str:
        """The output without colours."""
        return COLOUR.sub("", self.out)


def run(*arguments: str, feed: bytes = b"", columns: int = 0) -> Done:
    """Run a command inside this process, without a terminal."""
    env = {"COLUMNS": str(columns) if columns else ""}
    done = CliRunner().invoke(application(), list(arguments), input=feed, env=env)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Done(done.exit_code, done.stdout, done.stderr)


def process(*arguments: str, feed: bytes = b"", **env: str) -> Done:
    """Run a command as a process, without a terminal."""
    done = subprocess.run([*COMMAND, *arguments], input=feed, capture_output=True, env={**_clean(), **env})
    return Done(done.returncode, done.stdout.decode("utf-8", "surrogateescape"), done.stderr.decode())


def on_terminal(*arguments: str, columns: int = 80, both: bool = True, **env: str) -> Done:
    """Run a command as a process on a new terminal; without ``both`` only its standard error is a terminal."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    quiet: Any = subprocess.DEVNULL
    started = subprocess.Popen(
        [*COMMAND, *arguments], stdin=theirs, stdout=theirs if both else quiet, stderr=theirs,
        env={**_clean(), "TERM": "xterm", **env},
    )  # fmt: skip
    os.close(theirs)
    raw = b""
    while select.select([ours], [], [], 60)[0]:
        try:
            read = os.read(ours, 1 << 16)
        except OSError:  # its end
            break
        if not read:
            break
        raw += read
    os.close(ours)
    encoding = env.get("PYTHONIOENCODING", "utf-8")
    return Done(started.wait(60), raw.decode(encoding, "surrogateescape").replace("\r\n", "\n"))


def _clean() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")}
