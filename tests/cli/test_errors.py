"""Tests of imports, exit codes and error messages of the command line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cases import PAGES
from tests.cli.running import COMMAND, on_terminal, process, run
from webtongue import __version__
from webtongue.cli.commands import COMMANDS

IMPORTS = """
import sys
sys.argv[0] = "webtongue"
from webtongue.cli import main
try:
    main()
except SystemExit as end:
    print("ended", end.code, file=sys.stderr)
print(*sys.modules, file=sys.stderr)
"""
# What takes long to import, and who may import it.
HEAVY = {
    "numpy",
    "pyarrow",
    "scipy",
    "sklearn",
    "pandas",
    "rich.progress",
    "webtongue.lab.evaluate",
    "webtongue.lab.methods",
}


def imported(*arguments: str) -> set[str]:
    completed = subprocess.run([sys.executable, "-c", IMPORTS, *arguments], capture_output=True, text=True, check=True)
    ended, modules = completed.stderr.splitlines()[-2:]
    assert ended == "ended 0"
    return set(modules.split())


@pytest.mark.parametrize("arguments", [("--version",), ("--help",), ("identify", "--help"), ("url", "--help")])
def test_help_and_version_import_little(arguments: tuple[str, ...]) -> None:
    modules = imported(*arguments)
    assert not modules & HEAVY
    commands = {name for name in COMMANDS if f"webtongue.cli.{name}" in modules}
    assert commands <= {arguments[0]}


def test_a_command_imports_what_it_needs() -> None:
    page = str(PAGES / "el-elies.html")
    assert not imported("identify", page) & HEAVY
    assert not imported("identify", "--json", page) & HEAVY
    assert not imported("decode", page) & HEAVY
    assert not imported("languages", "greek") & HEAVY


def test_every_command_has_help() -> None:
    message = run("--help").out
    for name in COMMANDS:
        assert f"  {name} " in message
        completed = run(name, "--help")
        assert completed.code == 0 and f"{name} [OPTIONS]" in completed.out


@pytest.mark.parametrize("columns", ["60", "80"])
def test_help_fits_the_width(columns: str) -> None:
    for arguments in (("--help",), ("identify", "--help"), ("decode", "--help")):
        assert max(map(len, on_terminal(*arguments, columns=int(columns)).plain.splitlines())) <= int(columns)


def test_version_and_module() -> None:
    assert run("--version").out == process("--version").out == f"webtongue {__version__}\n"


def test_without_a_command_help_is_printed() -> None:
    completed = run()
    assert completed.code == 2 and "identify" in completed.out


def test_an_unknown_command_fails_with_one_sentence() -> None:
    completed = run("identfy")
    assert (
        (completed.code, completed.out) == (2, "")
        and completed.err.startswith("webtongue: ")
        and "identfy" in completed.err
    )


@pytest.mark.parametrize("way", [(), ("--json",), ("--explain",)])
def test_ctrl_c_prints_one_line(way: tuple[str, ...]) -> None:
    code, message = _stopped(
        signal.SIGINT, "identify", *way, str(PAGES), "-"
    )  # waits for standard input after the last page
    assert (code, message) == (130, b"webtongue: interrupted\n")


def test_sigterm_prints_one_line() -> None:
    assert _stopped(signal.SIGTERM, "identify", str(PAGES), "-") == (143, b"webtongue: terminated\n")


@pytest.mark.parametrize(
    ("number", "code", "word"), [(signal.SIGINT, 130, b"interrupted"), (signal.SIGTERM, 143, b"terminated")]
)
def test_a_stopped_census_says_how_to_resume(tmp_path: Path, number: int, code: int, word: bytes) -> None:
    ended, message = _stopped(number, "census", "-", "-o", str(tmp_path / "out"))
    assert (
        ended == code
        and message.startswith(b"webtongue: " + word)
        and b"--resume" in message
        and message.count(b"\n") == 1
    )


def _stopped(number: int, *arguments: str) -> tuple[int, bytes]:
    """Send a signal to a command that waits for standard input; return its exit code and its standard error.

    Its output is discarded: it is larger than a pipe holds.
    """
    pipe, null = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(
        [*COMMAND, *arguments], stdin=pipe, stdout=null, stderr=pipe, preexec_fn=_restore_sigint
    ) as started:
        assert started.stderr is not None and started.stdin is not None
        while not _waits(started.pid):
            assert started.poll() is None
            time.sleep(0.01)
        started.send_signal(number)
        return started.wait(60), started.stderr.read()


def _restore_sigint() -> None:
    """Undo an ignored SIGINT, which a child inherits if the tests run in the background of a shell."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _waits(pid: int) -> bool:
    """Return True if a process sleeps in a read of its standard input."""
    try:
        call = Path(f"/proc/{pid}/syscall").read_text().split()
    except OSError:
        pytest.skip("needs /proc")
    return len(call) > 1 and call[0] in ("0", "63") and call[1] == "0x0"  # read() on x86 and on ARM


@pytest.mark.parametrize("way", [(), ("--json",), ("--explain",)])
def test_a_closed_pipe_is_no_error(tmp_path: Path, way: tuple[str, ...]) -> None:
    for number in range(500):
        (tmp_path / f"{number}.html").write_bytes(b"<p>x")
    with subprocess.Popen(
        [*COMMAND, "identify", *way, str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as started:
        assert started.stdout is not None and started.stderr is not None
        started.stdout.close()
        assert started.stderr.read() == b""
        assert started.wait(60) == 141


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(
    "arguments", [("identify", str(PAGES)), ("--version",), ("decode", str(PAGES / "el-elies.html"))]
)
def test_a_full_disk_prints_one_line(arguments: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:
        completed = subprocess.run([*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE)
    assert (completed.returncode, completed.stderr) == (1, b"webtongue: No space left on device\n")


@pytest.mark.parametrize(("closed", "message"), [(0, "standard input is closed"), (1, "standard output is closed")])
def test_closed_streams_do_not_crash(closed: int, message: str) -> None:
    redirect = {0: "<&-", 1: ">&-"}[closed]
    completed = subprocess.run(
        ["sh", "-c", f'"$@" {redirect}', "sh", *COMMAND, "identify", "-"], capture_output=True, text=True, input=""
    )
    assert (
        completed.returncode == 1
        and message in completed.stdout + completed.stderr
        and "Traceback" not in completed.stderr
    )


def test_a_missing_extra_is_named(tmp_path: Path) -> None:
    (tmp_path / "pyarrow.py").write_text("raise ImportError('No module named pyarrow', name='pyarrow')")
    completed = process(
        "census", str(tmp_path), "-o", str(tmp_path / "out"), PYTHONPATH=os.pathsep.join([str(tmp_path), *sys.path])
    )
    assert (
        completed.code == 2
        and completed.err == "webtongue: this needs the package 'pyarrow': pip install 'webtongue[census]'\n"
    )
