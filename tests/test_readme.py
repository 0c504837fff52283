"""The README's Python blocks run and print what their comments claim; its shell commands exist."""

from __future__ import annotations

import doctest
import io
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("code", blocks("python"))
def test_python_blocks_print_their_comments(code: str) -> None:
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(code, "README.md", "exec"), {})
    expected = [line.partition("# ")[2].strip() for line in code.splitlines() if line.startswith("print(")]
    assert expected
    assert out.getvalue().splitlines() == expected


@pytest.mark.parametrize("page", sorted(path.name for path in (ROOT / "docs").glob("*.md")))
def test_examples_of_the_documentation_run(page: str) -> None:
    assert doctest.testfile(str(ROOT / "docs" / page), module_relative=False, encoding="utf-8").failed == 0


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"make (\w+)", README):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
