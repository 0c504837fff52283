"""Tests that plain command lines mean the same to `read_arguments` and to Typer."""

from __future__ import annotations

import inspect
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from tests.cases import PAGES
from tests.cli.running import process
from webtongue.cli.commands import COMMANDS, load_command
from webtongue.cli.parameters import Argument, Option, read_arguments, unpack_annotation
from webtongue.cli.typer_application import declare_for_typer

VALUES = [
    "a",
    "-",
    "7",
    "0",
    "-3",
    "0.5",
    "1e3",
    "is,fo",
    "a=b",
    "--",
    "-x",
    "",
    " ",
    "--nothing",
    "--help",
    "٣",
    "nan",
]


@cache
def typer_command(name: str) -> Any:
    """Return a command of Typer that returns the values of its parameters, and keep nothing else of the original."""
    command = load_command(name)

    def record(**values: Any) -> None:
        RECORDED.append(values)

    record.__signature__ = inspect.signature(command, eval_str=True)  # type: ignore[attr-defined]
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    app.command(name)(declare_for_typer(record))
    return app


RECORDED: list[dict[str, Any]] = []


def read_with_typer(name: str, words: list[str]) -> dict[str, Any] | None:
    RECORDED.clear()
    CliRunner().invoke(typer_command(name), words)
    return RECORDED[0] if RECORDED else None


def option_names(name: str) -> list[str]:
    """Return every name of an option of a command."""
    names: list[str] = []
    for parameter in inspect.signature(load_command(name), eval_str=True).parameters.values():
        kind, declaration, _ = unpack_annotation(parameter.annotation)
        if isinstance(declaration, Option):
            names += declaration.flags(parameter.name) if kind is bool else declaration.option_names(parameter.name)
    return names


@pytest.mark.parametrize("name", COMMANDS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_command_lines_mean_the_same_to_typer(name: str, data: st.DataObject) -> None:
    option, value = st.sampled_from(option_names(name)), st.sampled_from(VALUES)
    word = st.one_of(option, value, st.builds("{}={}".format, option, value))
    words = data.draw(st.lists(st.one_of(st.tuples(word), st.tuples(option, value)), max_size=5))
    line = [part for group in words for part in group]
    values = read_arguments(load_command(name), line)
    if values is not None:
        assert values == read_with_typer(name, line)


def command(
    *,
    out: Annotated[Path, Argument(help="A file.")],
    paths: Annotated[list[str] | None, Argument(help="Files.")] = None,
    rows: Annotated[int, Option("--rows", "-r", min=1, help="Rows.")] = 3,
    share: Annotated[float | None, Option(help="A share.", max=1)] = None,
    quick: Annotated[bool, Option("--quick/--full", help="Less.")] = False,
    write_log: Annotated[bool, Option(help="Write a log.")] = True,
) -> None:
    """Do nothing."""


DEFAULTS = {"out": Path("o"), "paths": None, "rows": 3, "share": None, "quick": False, "write_log": True}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("o", {}),
        ("o a -", {"paths": ["a", "-"]}),
        ("--quick o -r 4 a --share=0.25", {"quick": True, "rows": 4, "share": 0.25, "paths": ["a"]}),
        ("o --quick --full --no-write-log", {"write_log": False}),
    ],
)
def test_plain_command_lines_are_read(line: str, expected: dict[str, Any]) -> None:
    assert read_arguments(command, line.split()) == DEFAULTS | expected


@pytest.mark.parametrize(
    "line",
    ["", "o -h", "o --help", "o --rows", "o --rows 0", "o --share 2", "o --rows many", "o -r4", "o --", "o --nil"],
)
def test_all_others_are_left_to_typer(line: str) -> None:
    assert read_arguments(command, line.split()) is None


def test_identify_needs_neither_typer_nor_rich(tmp_path: Path) -> None:
    for package in ("typer", "rich"):
        (tmp_path / f"{package}.py").write_text(f"raise ImportError('No module named {package}', name='{package}')")
    page = str(PAGES / "el-elies.html")
    completed = process("identify", page, PYTHONPATH=f"{tmp_path}:{Path(__file__).parents[2] / 'src'}")
    assert completed.code == 0 and "ell_Grek" in completed.out
