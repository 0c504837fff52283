"""The kernel's stub says what the kernel has, and no more: names, members, parameters, what can be set."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from webtongue import _kernel

STUB = Path(__file__).parents[2] / "src" / "webtongue" / "_kernel.pyi"
TREE = ast.parse(STUB.read_text("utf-8"))
CLASSES = {node.name: node for node in TREE.body if isinstance(node, ast.ClassDef)}
FUNCTIONS = {node.name: node for node in TREE.body if isinstance(node, ast.FunctionDef)}
OURS = ("__init__", "__len__", "__getitem__", "__iter__", "__contains__", "__call__")


def members(node: ast.ClassDef) -> dict[str, ast.FunctionDef | ast.AnnAssign]:
    out: dict[str, ast.FunctionDef | ast.AnnAssign] = {}
    for item in node.body:
        if isinstance(item, ast.FunctionDef):
            out[item.name] = item
        elif isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            out[item.target.id] = item
    return out


def bound(kind: type) -> dict[str, object]:
    """What the bindings gave a class; nanobind gives every class an ``__init__``, which may be none of theirs."""
    return {
        name: value
        for name, value in vars(kind).items()
        if not name.startswith("_") or (name in OURS and hasattr(value, "__nb_signature__"))
    }


def test_names_are_the_same() -> None:
    there = {name for name in dir(_kernel) if not name.startswith("__")}
    said = set(CLASSES) | set(FUNCTIONS)
    assert there - said == set(), "missing in src/webtongue/_kernel.pyi"
    assert said - there == set(), "not in the kernel"


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_members_are_the_same(name: str) -> None:
    there, said = bound(getattr(_kernel, name)), members(CLASSES[name])
    assert set(there) - set(said) == set(), f"missing in the stub of {name}"
    assert set(said) - set(there) == set(), f"not in {name}"
    for member, value in there.items():
        node = said[member]
        if isinstance(value, property):
            read_only = isinstance(node, ast.FunctionDef)
            assert read_only == (value.fset is None), f"{name}.{member}: read-only in one of the two"
            if read_only:
                assert [ast.unparse(d) for d in node.decorator_list] == ["property"], f"{name}.{member}"
            assert_same_type(signature_of(value.fget).returns, node.returns if read_only else node.annotation)
        else:
            assert isinstance(node, ast.FunctionDef) and not node.decorator_list, f"{name}.{member} is a method"
            assert_same_signature(value, node, f"{name}.{member}")


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_parameters_are_the_same(name: str) -> None:
    assert_same_signature(getattr(_kernel, name), FUNCTIONS[name], name)


def signature_of(function: object) -> ast.FunctionDef:
    """What nanobind says of a function, without array types, defaults and module names."""
    (text, *_), *more = function.__nb_signature__  # type: ignore[attr-defined]
    assert not more, "overloads"
    text = re.sub(r"\\\d+", "...", text)
    text = text.replace("webtongue._kernel.", "").replace("def (", "def _(")
    tree = ast.parse(without_arrays(text) + ": ...").body[0]
    assert isinstance(tree, ast.FunctionDef)
    return tree


def without_arrays(text: str) -> str:
    """``numpy.ndarray[dtype=..., ...]`` is no Python."""
    while (at := text.find("ndarray[")) >= 0:
        start = text.rfind("numpy.", 0, at) if text[:at].endswith("numpy.") else at
        depth, end = 1, at + len("ndarray[")
        while depth:
            depth += {"[": 1, "]": -1}.get(text[end], 0)
            end += 1
        text = text[:start] + "Array" + text[end:]
    return text


def assert_same_signature(function: object, said: ast.FunctionDef, name: str) -> None:
    there = signature_of(function)
    ours, theirs = said.args, there.args
    assert len(ours.args) + len(ours.posonlyargs) == len(theirs.args) + len(theirs.posonlyargs), f"{name}: parameters"
    method = bool(theirs.args or theirs.posonlyargs) and (theirs.posonlyargs + theirs.args)[0].arg == "self"
    assert len(ours.defaults) == len(theirs.defaults), f"{name}: defaults"
    named = [arg.arg for arg in theirs.args][0 if theirs.posonlyargs else method :]
    assert [arg.arg for arg in ours.args][0 if ours.posonlyargs else method :] == named, f"{name}: names of parameters"
    for one, other in zip(ours.posonlyargs + ours.args, theirs.posonlyargs + theirs.args, strict=True):
        if other.annotation is not None:
            assert_same_type(other.annotation, one.annotation)
    assert_same_type(there.returns, said.returns)


def assert_same_type(there: ast.expr | None, said: ast.expr | None) -> None:
    """As far as nanobind knows: an object may be anything, and a list or tuple hold anything."""
    assert said is not None
    assert "Any" not in ast.unparse(said)
    if there is None:
        return
    known, ours = ast.unparse(there), ast.unparse(said)
    if known in {"int", "float", "bool", "str", "bytes", "None"} or known in CLASSES:
        assert ours == known
    elif known in {"list", "tuple"}:
        assert ours.startswith((known, "_Answer")), f"{ours} is no {known}"
    elif known.startswith(("list[", "tuple[")):
        assert ours == known


def test_the_stub_knows_every_type() -> None:
    text = STUB.read_text("utf-8")
    assert "Any" not in text
    assert "__getattr__" not in text
