"""The distribution: extras and the errors that name them, one version, and constraints."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

import webtongue
from webtongue.errors import EXTRAS as IMPORTED_EXTRAS
from webtongue.errors import PACKAGES

ROOT = Path(__file__).parent.parent
PYPROJECT = (ROOT / "pyproject.toml").read_text("utf-8")
PROJECT = tomllib.loads(PYPROJECT)["project"]
EXTRAS = PROJECT["optional-dependencies"]
REQUIREMENT = re.compile(r"([A-Za-z0-9_.-]+)(?:\[([a-z,]+)\])?")
# Dependencies of a package of the extra, which is imported with it.
BROUGHT_BY = {"twisted": "scrapy", "zope-interface": "scrapy", "botocore": "s3fs", "markupsafe": "jinja2"}
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "Makefile", ROOT / "Dockerfile"]
SOURCES = [*(ROOT / "src").rglob("*.py"), *(ROOT / "tests").rglob("*.py"), *(ROOT / "bench").rglob("*.py")]


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def packages(extra: str) -> set[str]:
    """Return the packages of an extra, also those of the extras that it includes."""
    names: set[str] = set()
    for requirement in EXTRAS[extra]:
        match = REQUIREMENT.match(requirement)
        assert match is not None
        if match[1] == "webtongue":
            names |= set().union(*map(packages, match[2].split(",")))
        else:
            names.add(canonical(match[1]))
    return names


def missing_extras() -> Iterator[tuple[str, list[str], str]]:
    """Yield the module, the packages that a call may name and the extra of each ``MissingExtra(package, extra)``."""
    for path in sorted((ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "MissingExtra":
                package, extra = node.args
                names = [part.value for part in ast.walk(package) if isinstance(part, ast.Constant)]
                if path.name != "errors.py":
                    assert isinstance(extra, ast.Constant), f"{path}: the extra is not a plain string"
                    yield path.name, [name for name in names if name and re.fullmatch(r"[\w-]{2,}", name)], extra.value


def test_the_extras_are_these() -> None:
    assert set(EXTRAS) == {"census", "crawl", "serve", "spark", "integrations", "lab", "dev", "all"}
    assert packages("all") == set().union(*map(packages, EXTRAS))
    assert {canonical(REQUIREMENT.match(name)[1]) for name in PROJECT["dependencies"]} == {"numpy", "rich", "typer"}  # type: ignore[index]


def test_every_missing_extra_contains_its_package() -> None:
    calls = list(missing_extras())
    assert len(calls) > 20
    for module, names, extra in calls:
        assert extra in EXTRAS, f"{module}: there is no extra {extra!r}"
        for name in names:
            assert BROUGHT_BY.get(canonical(name), canonical(name)) in packages(extra), (
                f"{module}: {name} is not in {extra}"
            )


@pytest.mark.parametrize("module", IMPORTED_EXTRAS)
def test_every_imported_module_is_in_its_extra(module: str) -> None:
    package = canonical(PACKAGES.get(module, module))
    assert BROUGHT_BY.get(package, package) in packages(IMPORTED_EXTRAS[module])


def test_every_optional_import_has_an_extra() -> None:
    base = {canonical(REQUIREMENT.match(name)[1]) for name in PROJECT["dependencies"]}  # type: ignore[index]
    known = {*sys.stdlib_module_names, *base, *IMPORTED_EXTRAS, "webtongue"}
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            assert {name.partition(".")[0] for name in names} <= known, path


@pytest.mark.parametrize(
    ("module", "missing", "extra"),
    [
        ("webtongue.serve.app", "msgspec", "serve"),
        ("webtongue.integrations.spark", "pyspark", "spark"),
        ("webtongue.census.extract", "zstandard", "census"),
    ],
)
def test_documented_modules_name_their_extra(module: str, missing: str, extra: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None\ntry:\n    import {module}\nexcept ImportError as error: print(error)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout in ("", f"this needs the package {missing!r}: pip install 'webtongue[{extra}]'\n")


def test_documents_and_messages_name_extras_that_exist() -> None:
    for path in [*DOCUMENTS, *SOURCES]:
        text = path.read_text("utf-8")
        for names in re.findall(r"(?:pip install|editable)[^\n`]{0,60}(?:webtongue|\.)\[([a-z,]+)\]", text):
            assert set(names.split(",")) <= set(EXTRAS), f"{path}: {names}"
        if path.suffix == ".md":
            assert set(re.findall(r"extra `(\w+)`", text)) <= set(EXTRAS), path


def test_the_version_is_in_one_place() -> None:
    assert webtongue.__version__ == metadata.version("webtongue")  # make dev installs it again after a change
    assert f"## {PROJECT['version']}\n" in (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f"version: {PROJECT['version']}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    for path in (ROOT / "src").rglob("*.py"):
        assert f'"{PROJECT["version"]}"' not in path.read_text("utf-8"), path


def test_constraints_fit_the_requirements() -> None:
    pinned = {
        canonical(name) for name in re.findall(r"^([\w.-]+)==", (ROOT / "constraints.txt").read_text("utf-8"), re.M)
    }
    assert packages("all") <= pinned and "webtongue-geo" not in pinned
