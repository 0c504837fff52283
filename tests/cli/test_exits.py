"""How the command line starts and ends: what it imports, its exit codes, and one sentence where there is something to say."""

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
    "webtongue.evaluate",
    "webtongue.methods",
}


def imported(*arguments: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", IMPORTS, *arguments], capture_output=True, text=True, check=True)
    ended, modules = done.stderr.splitlines()[-2:]
    assert ended == "ended 0"
    return set(modules.split())


@pytest.mark.parametrize("arguments", [("--version",), ("--help",), ("identify", "--help"), ("url", "--help")])
def test_help_and_version_import_little(arguments: tuple[str, ...]) -> None:
    found = imported(*arguments)
    assert not found & HEAVY
    commands = {name for name in COMMANDS if f"webtongue.cli.{name}" in found}
    assert commands <= {arguments[0]}


def test_a_command_imports_what_it_needs() -> None:
    page = str(PAGES / "el-elies.html")
    assert not imported("identify", page) & HEAVY
    assert not imported("identify", "--json", page) & HEAVY
    assert not imported("decode", page) & HEAVY
    assert not imported("languages", "greek") & HEAVY


def test_every_command_is_there_and_has_help() -> None:
    said = run("--help").out
    for name in COMMANDS:
        assert f"  {name} " in said
        done = run(name, "--help")
        assert done.code == 0 and f"{name} [OPTIONS]" in done.out


@pytest.mark.parametrize("columns", ["60", "80"])
def test_help_fits(columns: str) -> None:
    for arguments in (("--help",), ("identify", "--help"), ("decode", "--help")):
        assert max(map(len, on_terminal(*arguments, columns=int(columns)).plain.splitlines())) <= int(columns)


def test_version_and_module() -> None:
    assert run("--version").out == process("--version").out == f"webtongue {__version__}\n"


def test_without_a_command_there_is_help() -> None:
    done = run()
    assert done.code == 2 and "identify" in done.out


def test_an_unknown_command_is_a_sentence() -> None:
    done = run("identfy")
    assert (done.code, done.out) == (2, "") and done.err.startswith("webtongue: ") and "identfy" in done.err


@pytest.mark.parametrize("way", [(), ("--json",), ("--explain",)])
def test_ctrl_c_is_one_line(way: tuple[str, ...]) -> None:
    code, said = _stopped(
        signal.SIGINT, "identify", *way, str(PAGES), "-"
    )  # waits for standard input after the last page
    assert (code, said) == (130, b"webtongue: interrupted\n")


def test_being_asked_to_end_is_one_line() -> None:
    assert _stopped(signal.SIGTERM, "identify", str(PAGES), "-") == (143, b"webtongue: terminated\n")


@pytest.mark.parametrize(
    ("number", "code", "word"), [(signal.SIGINT, 130, b"interrupted"), (signal.SIGTERM, 143, b"terminated")]
)
def test_a_census_that_is_stopped_says_how_to_go_on(tmp_path: Path, number: int, code: int, word: bytes) -> None:
    ended, said = _stopped(number, "census", "-", "-o", str(tmp_path / "out"))
    assert ended == code and said.startswith(b"webtongue: " + word) and b"--resume" in said and said.count(b"\n") == 1


def _stopped(number: int, *arguments: str) -> tuple[int, bytes]:
    """A command that waits for standard input gets a signal: its exit code, and what it says."""
    pipe = subprocess.PIPE
    with subprocess.Popen([*COMMAND, *arguments], stdin=pipe, stdout=pipe, stderr=pipe, preexec_fn=_heeds) as started:
        assert started.stdout is not None and started.stderr is not None and started.stdin is not None
        while not _waits(started.pid):
            assert started.poll() is None
            time.sleep(0.01)
        started.send_signal(number)
        said = started.stderr.read()
        started.stdout.read()
        return started.wait(60), said


def _heeds() -> None:
    """Tests may run where Ctrl-C is ignored, in the background of a shell, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _waits(pid: int) -> bool:
    """Whether a process sleeps in a read of its standard input."""
    try:
        call = Path(f"/proc/{pid}/syscall").read_text().split()
    except OSError:
        pytest.skip("needs /proc")
    return len(call) > 1 and call[0] in ("0", "63") and call[1] == "0x0"  # read() on x86 and on ARM


@pytest.mark.parametrize("way", [(), ("--json",), ("--explain",)])
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path, way: tuple[str, ...]) -> None:
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
def test_a_full_disk_is_one_line(arguments: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (1, b"webtongue: No space left on device\n")


@pytest.mark.parametrize(("closed", "said"), [(0, "standard input is closed"), (1, "standard output is closed")])
def test_closed_streams(closed: int, said: str) -> None:
    redirect = {0: "<&-", 1: ">&-"}[closed]
    done = subprocess.run(
        ["sh", "-c", f'"$@" {redirect}', "sh", *COMMAND, "identify", "-"], capture_output=True, text=True, input=""
    )
    assert done.returncode == 1 and said in done.stdout + done.stderr and "Traceback" not in done.stderr


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("raise ImportError('No module named typer', name='typer')")
    done = process("--version", PYTHONPATH=os.pathsep.join([str(tmp_path), *sys.path]))
    assert done.code == 2 and done.err == "webtongue: this needs the package 'typer': pip install 'webtongue[cli]'\n"
