"""Tests of the exception tree at the top of errors.py."""

from __future__ import annotations

import ast
import builtins
import importlib
import re
from pathlib import Path

import pytest

from webtongue import errors
from webtongue.errors import MissingExtra, UnreadableFile, UsageError, WebtongueError

PACKAGE = Path(errors.__file__).parent
# Packages whose exceptions become exit codes and HTTP responses, and never reach a caller.
WITH_INTERNAL_EXCEPTIONS = ("cli", "serve")
BUILTIN = {
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
}


def subclasses(root: type) -> set[type]:
    return {root}.union(*(subclasses(child) for child in root.__subclasses__()))


def test_the_documented_tree_equals_the_classes() -> None:
    importlib.import_module("webtongue.census.engines.local")
    drawn = set(re.findall(r"^(?:[├└]── )?([A-Z]\w+)(?:$| {2,})", errors.__doc__ or "", re.MULTILINE))
    assert drawn == {
        error.__name__
        for error in subclasses(WebtongueError)
        if error.__module__.startswith("webtongue.") and "compat" not in error.__module__
    }


def test_exceptions_outside_the_tree_stay_in_applications() -> None:
    """A class that derives from a built-in exception alone is in no package that callers use."""
    for path in PACKAGE.rglob("*.py"):
        if path.relative_to(PACKAGE).parts[0] in (*WITH_INTERNAL_EXCEPTIONS, "errors.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                assert not {base.id for base in node.bases if isinstance(base, ast.Name)} & BUILTIN, (path, node.name)


@pytest.mark.parametrize(
    ("error", "builtin"), [(UsageError, ValueError), (MissingExtra, ImportError), (UnreadableFile, OSError)]
)
def test_errors_derive_from_builtin_exceptions(error: type, builtin: type) -> None:
    assert issubclass(error, WebtongueError)
    assert issubclass(error, builtin)
