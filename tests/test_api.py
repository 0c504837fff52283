"""The public surface, and the cost of importing it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import webtongue

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "webtongue"
NAMES = {
    "Analysis", "Block", "Decoded", "Document", "Evidence", "Guess", "HostCounts", "Identifier", "Inlink", "Link", "MissingExtra", "ModelError", "OutputError", "Page", "Reason", "Segment", "UsageError", "Verdict", "WebtongueError",
    "__version__", "classify", "decode", "detect", "extract", "identify", "identify_batch", "identify_many", "identify_stream", "identify_text", "identify_texts",
    "identify_url", "identify_urls",
}  # fmt: skip
# Packages beside `webtongue` itself whose exported names are public, as docs/architecture.md says.
PUBLIC_PACKAGES = ("census", "crawl", "serve", "integrations", "compat", "lab")
NOT_IMPORTED = {*PUBLIC_PACKAGES, "cli"}  # by `import webtongue`
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
IMPORT = re.compile(r"^(?:>>> |    )?(?:from|import) webtongue\.([a-z_]+)", re.MULTILINE)


def run(code: str) -> str:
    """Return what a new interpreter prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout


def test_the_public_names_are_the_expected_ones() -> None:
    assert set(webtongue.__all__) == NAMES
    assert webtongue.__all__ == sorted(webtongue.__all__)
    for name in webtongue.__all__:
        assert getattr(webtongue, name) is not None


def test_dir_shows_public_names_only() -> None:
    assert dir(webtongue) == sorted(webtongue.__all__)


def test_the_rule_of_public_packages_is_documented() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    section = text.partition("## Public surface")[2].partition("\n## ")[0]
    assert re.findall(r"`webtongue(?:\.([a-z]+))?`", section) == ["", *PUBLIC_PACKAGES]


def exporting_modules() -> list[str]:
    """Return the modules of public packages that export names."""
    paths = [path for name in PUBLIC_PACKAGES for path in (PACKAGE / name).rglob("__init__.py")]
    return sorted(
        ".".join(path.parent.relative_to(PACKAGE.parent).parts)
        for path in paths
        if "__all__" in {name.id for name in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(name, ast.Name)}
    )


@pytest.mark.parametrize("name", exporting_modules())
def test_exported_names_exist_and_are_public(name: str) -> None:
    module = import_module(name)
    assert len(set(module.__all__)) == len(module.__all__)
    for exported in module.__all__:
        assert not exported.startswith("_")
        assert getattr(module, exported) is not None


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_documents_import_public_packages_only(path: Path) -> None:
    assert set(IMPORT.findall(path.read_text("utf-8"))) <= set(PUBLIC_PACKAGES)


def test_import_loads_at_most_numpy() -> None:
    """Modules that build and test tools put into every interpreter do not count."""
    code = (
        "import sys; before = set(sys.modules); import webtongue;"
        "print(*{n.partition('.')[0] for n in set(sys.modules) - before} - set(sys.stdlib_module_names))"
    )
    assert set(run(code).split()) <= {"webtongue", "numpy"}


def test_import_is_light() -> None:
    """No application is imported, and no table or model is read."""
    code = (
        "import sys; opened = []\n"
        "sys.addaudithook(lambda event, about: opened.append(str(about[0])) if event == 'open' else None)\n"
        "import webtongue\n"
        "print(*{n.split('.')[1] for n in sys.modules if n.startswith('webtongue.')})\n"
        "print(*[name for name in opened if '/webtongue/data/' in name or '/webtongue/models/' in name])"
    )
    packages, files = run(code).split("\n")[:2]
    assert not set(packages.split()) & NOT_IMPORTED
    assert not files


def test_errors_are_one_tree() -> None:
    assert issubclass(webtongue.UsageError, webtongue.WebtongueError)
    assert issubclass(webtongue.UsageError, ValueError)
    assert issubclass(webtongue.MissingExtra, webtongue.WebtongueError)
    assert issubclass(webtongue.MissingExtra, ImportError)
    assert issubclass(webtongue.OutputError, webtongue.WebtongueError)
    assert issubclass(webtongue.OutputError, OSError)
