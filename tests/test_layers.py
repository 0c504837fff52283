"""The rules of docs/architecture.md: imports between packages in Python and C++, and the length of files and functions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "webtongue"
NATIVE = ROOT / "native"
MAX_FILE_LINES, MAX_FUNCTION_LINES = 400, 60

# A unit is a top-level module or package. `charset.detection` is a unit of its own, since it stands above `text`; so is `lab.papers`,
# since experiments run the applications.
SUBUNITS = {"charset.detection", "lab.papers"}
# Units of one row may use each other and every row above them.
CORE = (
    {"errors", "labels", "files", "page", "page_list", "policy", "records", "reference", "schema", "verdict"},
    {"charset"},
    {"markup"},
    {"text"},
    {"fonts"},
    {"charset.detection"},
    {"url"},
    {"evidence"},
    {"model_set", "packing", "read_page", "explain", "analysis", "pipeline", "url_only", "link_scorer"},
    {"batch", "columns", "extra_columns"},
    {"identifier"},
    {"content"},
)
RANK = {unit: rank for rank, units in enumerate(CORE) for unit in units}
APPLICATIONS = {"census", "crawl", "serve"}
FOR_APPLICATIONS = {
    "errors", "labels", "files", "page", "page_list", "policy", "records", "reference", "schema", "verdict", "evidence", "batch", "columns", "extra_columns",
    "analysis", "content", "link_scorer", "url",
}  # fmt: skip
INTEGRATIONS = (
    "integrations"  # adapters to other engines: they use the public surface, and `integrations.spark` runs the census
)
FOR_INTEGRATIONS = FOR_APPLICATIONS | {"census"}
COMPAT = "compat"  # the shapes of other packages: public surface and labels only
LAB = "lab"
SURFACE = (
    "__init__"  # the names that `import webtongue` gives: above the core, below applications, integrations and lab
)
KERNEL = "_kernel"

NATIVE_ORDER = ({"base"}, {"markup", "charset", "fonts", "evidence"}, {"text"}, {"url"}, {"page"})
NATIVE_RANK = {unit: rank for rank, units in enumerate(NATIVE_ORDER) for unit in units}
TRAINED = {
    "base",
    "charset",
    "fonts",
    "text",
    "url",
    "train",
}  # packages that training may include: models, and no pages
ABOVE_ALL = {"bind", "fuzz"}


def unit_at(dotted: str) -> str:
    """Return the unit that a dotted name below the package belongs to."""
    return next((unit for unit in SUBUNITS if f"{dotted}.".startswith(f"{unit}.")), dotted.partition(".")[0])


def modules() -> Iterator[tuple[str, str, ast.Module]]:
    """Yield unit, path in the package and syntax tree of every module."""
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        yield unit_at(name.removesuffix(".py").replace("/", ".")), name, ast.parse(path.read_text("utf-8"))


UNITS = {unit for unit, _, _ in modules()}


def imported(name: str, tree: ast.AST) -> set[str]:
    """Modules of the package that a module imports, at its top or inside functions, as dotted names below the package."""
    here = ["webtongue", *Path(name).parts[:-1]]
    out: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            out |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            out |= {f"{module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "import_module":
            out |= {str(a.value) for a in node.args if isinstance(a, ast.Constant)}
    return {full.removeprefix("webtongue").removeprefix(".") for full in out if full.split(".")[0] == "webtongue"}


def unit_of(dotted: str) -> str:
    """The unit of an imported name; what is no module of the package is a name of its public surface."""
    unit = unit_at(dotted)
    return unit if unit in UNITS or unit == KERNEL else SURFACE


def may_import(user: str, used: str) -> bool:
    if used in {user, KERNEL} or user == "__main__":
        return True
    if user in {"cli", "lab.papers"}:
        return True
    if user in RANK:
        return used in RANK and RANK[used] <= RANK[user]
    if user == SURFACE:
        return used in RANK
    if user == INTEGRATIONS:
        return used in FOR_INTEGRATIONS or used == SURFACE
    if user == COMPAT:
        return used in {SURFACE, "labels"}
    if user == LAB:
        return used in RANK or used == SURFACE
    return user in APPLICATIONS and (used in FOR_APPLICATIONS or used == SURFACE)


def imports() -> set[tuple[str, str, str]]:
    """(unit, unit used, module) of every import across units."""
    return {
        (unit, used, name)
        for unit, name, tree in modules()
        for used in {unit_of(dotted) for dotted in imported(name, tree)}
        if used != unit
    }


def test_every_unit_has_a_layer() -> None:
    placed = set(RANK) | APPLICATIONS | {INTEGRATIONS, COMPAT, LAB, "lab.papers", SURFACE, "cli", "__main__"}
    assert not UNITS - placed, f"{sorted(UNITS - placed)}: say in tests/test_layers.py who may use them"


def test_imports_go_upwards() -> None:
    assert not {f"{name} imports {used}" for unit, used, name in imports() if not may_import(unit, used)}


def test_no_two_units_use_each_other() -> None:
    edges: dict[str, set[str]] = {}
    for unit, used, _ in imports():
        if used != KERNEL:
            edges.setdefault(unit, set()).add(used)
    assert not cycle(edges)


def cycle(edges: dict[str, set[str]]) -> list[str]:
    """Nodes that lie on a cycle or between two: what is left when nodes that use nothing are taken away, again and again."""
    left = {node: set(used) for node, used in edges.items()}
    while done := [node for node, used in left.items() if not used & set(left)]:
        for node in done:
            del left[node]
    return sorted(left)


def test_the_checker_detects_cycles() -> None:
    assert cycle({"a": {"b"}, "b": {"c"}, "c": set()}) == []
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["a", "b", "c"]


# The kernel.


def sources() -> list[Path]:
    return sorted(path for path in NATIVE.rglob("*") if path.suffix in {".cpp", ".hpp"})


def includes(path: Path) -> list[str]:
    return re.findall(r'^#include [<"]([^>"]+)[>"]', path.read_text("utf-8"), re.MULTILINE)


def may_include(user: str, used: str) -> bool:
    if user in ABOVE_ALL or used in {user, "tables"}:
        return True
    if user == "train":
        return used in TRAINED
    return NATIVE_RANK.get(used, len(NATIVE_ORDER)) < NATIVE_RANK[user]


def test_includes_go_upwards() -> None:
    units = {path.name for path in NATIVE.iterdir() if path.is_dir()}
    assert units <= set(NATIVE_RANK) | ABOVE_ALL | {"train", "tables"}
    wrong = set()
    for path in sources():
        name = path.relative_to(NATIVE).as_posix()
        for included in includes(path):
            used = included.partition("/")[0]
            if (used in units and not may_include(path.parent.name, used)) or (
                used in {"nanobind", "Python.h"} and path.parent.name != "bind"
            ):
                wrong.add((name, included))
    assert not wrong


def test_includes_have_no_cycle() -> None:
    names = {path.relative_to(NATIVE).as_posix(): path for path in sources()}
    assert not cycle({name: set(includes(path)) & set(names) for name, path in names.items()})


def test_bindings_hold_no_thresholds() -> None:
    assert not [
        path.name for path in sources() if path.parent.name == "bind" and "constexpr" in path.read_text("utf-8")
    ]


def test_every_source_is_listed_once() -> None:
    listed = [line for line in (NATIVE / "sources.txt").read_text("utf-8").splitlines() if not line.startswith("#")]
    there = [path.relative_to(NATIVE).as_posix() for path in sources() if path.suffix == ".cpp"]
    assert sorted(listed) == [name for name in there if not name.startswith("fuzz/")]


# Sizes.


def test_files_are_short() -> None:
    files = [*PACKAGE.rglob("*.py"), *sources()]
    long = {path.relative_to(ROOT).as_posix() for path in files if path.read_bytes().count(b"\n") > MAX_FILE_LINES}
    assert not long


def python_functions(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#[^\n]*|\\$', re.MULTILINE
)
TYPES = re.compile(r"\b(namespace|struct|class|enum|union|extern)\b[^()]*$|\bextern\s*$|=\s*$")


def native_functions(code: str) -> Iterator[tuple[str, int]]:
    """Names and lines of functions, by counting braces: whatever opens outside of functions and is no type, namespace or value."""
    code = NOISE.sub(lambda match: "\n" * match[0].count("\n") + '""' * match[0].startswith('"'), code)
    depth, inside, start, last = 0, -1, 0, 0  # inside: the depth of the function that is read
    name = ""
    for match in re.finditer(r"[{};]", code):
        header = code[last : match.start()]
        if match[0] == "{":
            if inside < 0 and not TYPES.search(header):
                inside = depth
                start = last + len(header) - len(header.lstrip())
                name = " ".join(header.split())[-80:]
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if depth == inside:
                inside = -1
                yield name, code.count("\n", start, match.start()) + 1
        last = match.end()


def test_the_checker_detects_long_functions() -> None:
    body = "    f({1, 2});  // {\n" * 58
    short = f"namespace a {{\nstruct B {{\nint f(int x) const {{\n{body}}}\nint x{{1}};\n}};\n}}\n"
    assert dict(native_functions(short))["int f(int x) const"] == 60
    assert max(lines for _, lines in native_functions(short.replace("x)", "x,\nint y)"))) == 61
    tree = ast.parse("def f():\n" + "    x = 1\n" * 60)
    assert list(python_functions(tree)) == [("f", 61)]


def long_ones(path: Path, functions: Iterable[tuple[str, int]]) -> Iterator[str]:
    for name, lines in functions:
        if lines > MAX_FUNCTION_LINES:
            yield f"{path.relative_to(ROOT).as_posix()}: {name} has {lines} lines"


@pytest.mark.parametrize("language", ["Python", "C++"])
def test_functions_are_short(language: str) -> None:
    long: list[str] = []
    if language == "Python":
        for _, name, tree in modules():
            long += long_ones(PACKAGE / name, python_functions(tree))
    else:
        for path in sources():
            long += long_ones(path, native_functions(path.read_text("utf-8")))
    assert not long
