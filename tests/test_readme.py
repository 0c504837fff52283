"""The code blocks of README.md and docs/ run.

The ``python`` blocks of a page run in one process, its ``sh`` and ``console`` blocks in one folder, which holds ``examples``. Lines that
print end in a comment with what they print; a ``console`` block has commands after ``$ `` and the lines that they print, in order. A block
that cannot run here has the comment ``<!-- not run: the reason -->`` before it: its Python is compiled, its command lines are parsed.
"""

from __future__ import annotations

import contextlib
import doctest
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from webtongue.cli.commands import COMMANDS, load_command
from webtongue.cli.typer_application import declare_for_typer

ROOT = Path(__file__).parent.parent
PAGES = [
    ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "examples" / "README.md", *sorted((ROOT / "docs").glob("*.md")),
]  # fmt: skip
PAGES = [page for page in PAGES if page.is_file()]
BLOCK = re.compile(r"(?:<!-- not run: ([^\n]+) -->\n+)?^```(\w*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LANGUAGES = ("", "console", "python", "sh", "text")
INDENTED_COMMAND = re.compile(
    r"^(?: {4,}|\t)(?:\$ |[A-Z_]+=\S+ )*(?:webtongue|python3?|pip|make|git|curl|docker|env|export|spark-submit) .*",
    re.MULTILINE,
)
# Packages that the blocks of a page need, and programs.
CENSUS = ("pyarrow", "duckdb", "fastwarc", "altair")
NEEDS = {
    "README.md": (*CENSUS, "scrapy", "uvicorn", "curl"), "audit.md": CENSUS, "census.md": CENSUS, "crawl.md": ("scrapy", *CENSUS),
    "examples/README.md": (*CENSUS, "brotli", "zstandard"),
    "engines.md": ("pyarrow", "pandas", "duckdb", "datatrove", "orjson", "ray"), "estimate.md": CENSUS, "extract.md": CENSUS,
    "papers.md": CENSUS, "report.md": (*CENSUS, "jinja2"), "serve.md": ("uvicorn", "curl"), "spark.md": ("pyspark", "java"),
    "tables.md": CENSUS, "tutorial.md": CENSUS,
}  # fmt: skip
PROGRAMS = ("curl", "java")
PORTS = re.compile(r"\b(?:8000|8123)\b")  # of servers that blocks start, replaced by free ones
SECONDS = 300
REDIRECTION = re.compile(r"\s(?:\d?>>?|<)\s*\S+")


def blocks(page: Path, *languages: str, run: bool) -> list[str]:
    """Return the blocks of a page in some languages: those that run, or those that a comment excepts."""
    matches = BLOCK.findall(page.read_text("utf-8"))
    return [code for reason, name, code in matches if name in languages and run == (not reason)]


def command_lines(code: str) -> list[list[str]]:
    """Return the arguments of each call of webtongue in a shell block, without what pipes and redirections add."""
    lines = code.replace("\\\n", " ").splitlines()
    parts = [part.strip() for line in lines for part in re.split(r"\s(?:\||&&|;)\s", line.split("  #")[0])]
    calls = [part for part in parts if re.match(r"(\S*/)?webtongue\s", part)]
    return [shlex.split(REDIRECTION.sub("", call), comments=True)[1:] for call in calls]


def parse(arguments: list[str]) -> None:
    """Parse a command line without running it; raise an error of click if it is wrong."""
    name, *words = arguments
    if name not in COMMANDS:
        assert name.startswith(("-", "http")) or " " in name or "." in name, f"no command {name}"
        return
    app = typer.Typer(add_completion=False)
    app.command(name)(declare_for_typer(load_command(name)))
    typer.main.get_command(app).make_context(name, list(words))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the examples of the repository and a ``webtongue`` command."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "bin").mkdir()
    for name, arguments in (("webtongue", " -m webtongue"), ("python", "")):
        script = tmp_path / "bin" / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}"{arguments} "$@"\n')
        script.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def require(page: Path) -> None:
    for name in NEEDS.get(page_id(page), ()):
        if name not in PROGRAMS:
            pytest.importorskip(name)
        elif not shutil.which(name):
            pytest.skip(f"needs {name}")


def with_blocks(*languages: str, run: bool) -> list[Path]:
    return [page for page in PAGES if blocks(page, *languages, run=run)]


def page_id(page: Path) -> str:
    """Return the name of a page, with its folder if that is neither the root nor docs."""
    return page.name if page.parent in (ROOT, ROOT / "docs") else page.relative_to(ROOT).as_posix()


def run_shell(code: str) -> str:
    """Run a script and return what it prints. Processes that it starts and leaves running are stopped with it."""
    process = subprocess.Popen(
        ["bash", "-euo", "pipefail"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
        start_new_session=True, env={name: value for name, value in os.environ.items() if name != "COLUMNS"},
    )  # fmt: skip
    try:
        output, errors = process.communicate(code, timeout=SECONDS)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
    assert process.returncode == 0, f"{code}\n{errors[-2000:]}"
    return output


def use_free_ports(code: str, ports: dict[str, str]) -> str:
    """Return a script with the ports of its servers replaced; ``ports`` remembers them for the other blocks of a page."""

    def replace(match: re.Match[str]) -> str:
        if match.group() not in ports:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                ports[match.group()] = str(free.getsockname()[1])
        return ports[match.group()]

    return PORTS.sub(replace, code)


def read_session(code: str) -> tuple[str, list[str]]:
    """Return the commands of a console block as a script, and the lines that they print."""
    commands = re.findall(r"^\$ (.*\n(?:^    .*\n)*)", code, re.MULTILINE)
    printed = re.sub(r"^\$ .*\n(?:^    .*\n)*", "", code, flags=re.MULTILINE)
    return "".join(commands), [line.rstrip() for line in printed.splitlines() if line.strip(" .")]


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_every_block_is_of_a_known_language(page: Path) -> None:
    names = {name for _, name, _ in BLOCK.findall(page.read_text("utf-8"))}
    assert names <= set(LANGUAGES)
    assert page.read_text("utf-8").count("\n```") == 2 * len(BLOCK.findall(page.read_text("utf-8")))


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_commands_are_in_fences(page: Path) -> None:
    """A command in an indented block would not run here."""
    prose = BLOCK.sub("", page.read_text("utf-8"))
    assert INDENTED_COMMAND.findall(prose) == []


def test_indented_commands_are_noticed() -> None:
    text = "Run\n\n    webtongue tables out\n\n    FOLDER=x make demo\n\n    score = a + b\n\n- an item\n  make sure\n"
    assert INDENTED_COMMAND.findall(text) == ["    webtongue tables out", "    FOLDER=x make demo"]


@pytest.mark.parametrize("page", [page for page in PAGES if ">>> " in page.read_text("utf-8")], ids=page_id)
def test_sessions_print_what_they_show(page: Path, folder: Path) -> None:
    require(page)
    assert doctest.testfile(str(page), module_relative=False, encoding="utf-8").failed == 0


@pytest.mark.parametrize("page", with_blocks("python", run=True), ids=page_id)
def test_python_blocks_run(page: Path, folder: Path) -> None:
    require(page)
    code = "\n".join(block for block in blocks(page, "python", run=True) if not block.startswith(">>> "))
    (folder / "page.py").write_text(code, "utf-8")
    done = subprocess.run(
        [sys.executable, "page.py"], capture_output=True, text=True, encoding="utf-8", timeout=SECONDS
    )
    assert done.returncode == 0, done.stderr[-2000:]
    expected = re.findall(r"^print\(.*\)  # (.*)$", code, re.MULTILINE)
    assert [line for line in expected if line not in done.stdout.splitlines()] == []


@pytest.mark.parametrize("page", with_blocks("sh", "console", run=True), ids=page_id)
def test_shell_blocks_run(page: Path, folder: Path) -> None:
    require(page)
    ports: dict[str, str] = {}
    for code in blocks(page, "sh", "console", run=True):
        script, expected = read_session(code) if code.startswith("$ ") else (code, [])
        printed = iter([line.rstrip() for line in run_shell(use_free_ports(script, ports)).splitlines()])
        assert [line for line in expected if line not in printed] == []  # in this order


@pytest.mark.parametrize("page", with_blocks("python", run=False), ids=page_id)
def test_other_python_blocks_compile(page: Path) -> None:
    for code in blocks(page, "python", run=False):
        compile(code, page.name, "exec")


@pytest.mark.parametrize("page", with_blocks("sh", run=False), ids=page_id)
def test_other_command_lines_parse(page: Path) -> None:
    for code in blocks(page, "sh", run=False):
        for arguments in command_lines(code):
            try:
                parse(arguments)
            except Exception as error:
                raise AssertionError(f"webtongue {' '.join(arguments)}: {error}") from error


def test_wrong_command_lines_are_noticed() -> None:
    code = "curl -s x | webtongue identify --url u -  # a comment\nwebtongue decode a \\\n  -o new > log\nmake demo\n"
    assert command_lines(code) == [["identify", "--url", "u", "-"], ["decode", "a", "-o", "new"]]
    with pytest.raises(Exception, match="No such option"):
        parse(["identify", "--colour", "red"])


def test_sessions_are_read() -> None:
    code = "$ webtongue sql out 'SELECT\n    1'\none\n\n$ webtongue url x\ntwo\n...\n"
    assert read_session(code) == ("webtongue sql out 'SELECT\n    1'\nwebtongue url x\n", ["one", "two"])


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for page in PAGES:
        for target in re.findall(r"(?:^|`)make ([\w-]+)(?=`|$| *#| [A-Z]+=)", page.read_text("utf-8"), re.MULTILINE):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"{page.name}: make {target}"
