"""The documentation site: it lists every page, builds without a warning, and loads nothing from other hosts."""

from __future__ import annotations

import html
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import webtongue
from tests.browser import PATIENCE, browser, find_serious_violations

__all__ = ["browser"]  # a fixture

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
EXTERNAL = re.compile(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=[\"']?(?:https?:)?//(?!localhost)[^\"'> ]*")


def test_the_navigation_lists_every_page() -> None:
    nav = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    listed = re.findall(r"([\w/.-]+\.md)$", nav, re.MULTILINE)
    assert sorted(listed) == sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md"))


def test_printed_pages_name_their_command() -> None:
    for path in (DOCS / "generated").glob("*.md"):
        assert re.search(r"`(?:webtongue|python|make) ", path.read_text("utf-8")), path.name


def test_the_reference_has_every_public_function() -> None:
    members = re.findall(r"members: \[(.*)\]", (DOCS / "api.md").read_text("utf-8"))[0].split(", ")
    functions = {name for name in webtongue.__all__ if inspect.isfunction(getattr(webtongue, name))}
    assert set(members) == functions
    classes = {name for name in webtongue.__all__ if inspect.isclass(getattr(webtongue, name))}
    text = (DOCS / "api.md").read_text("utf-8")
    errors = {name for name in classes if issubclass(getattr(webtongue, name), Exception)}  # all of webtongue.errors
    assert [name for name in sorted(classes - errors) if not re.search(rf"\b{name}\b", text)] == []


def test_doctests_of_docstrings_are_code() -> None:
    pytest.importorskip("griffe", reason="needs the extra dev: pip install 'webtongue[dev]'")
    from tools.docs_docstrings import fence_doctests

    assert fence_doctests("Add.\n\n>>> 1 + 1\n2\n\nEnd.") == "Add.\n\n```python\n>>> 1 + 1\n2\n```\n\nEnd."


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.stem)
def test_sessions_are_code(page: Path) -> None:
    """A session outside of a fence is a quotation in Markdown."""
    prose = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert not re.search(r"^>>> ", prose, re.MULTILINE)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for package in ("mkdocs", "material", "mkdocstrings"):
        pytest.importorskip(package, reason="needs the extra dev: pip install 'webtongue[dev]'")
    folder = tmp_path_factory.mktemp("docs") / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


def test_the_site_is_complete_and_offline(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 40
    assert [(page.name, match) for page in pages for match in EXTERNAL.findall(page.read_text("utf-8"))] == []
    command_line = (site / "cli.html").read_text("utf-8")
    assert "--min-confidence" in command_line and "--budget" in command_line
    assert "identify_many" in (site / "api.html").read_text("utf-8")


def test_the_reference_documents_the_fields_of_records(site: Path) -> None:
    text = (site / "api.html").read_text("utf-8")
    for record in (webtongue.Page, webtongue.Guess, webtongue.Document, webtongue.Identifier):
        for name, description in record._FIELD_DOCS.items():  # type: ignore[attr-defined]
            assert f"{record.__name__}.{name}" in text
            assert html.escape(description.partition("`")[0], quote=False) in text


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index", "switching", "api", "cli", "tables"])
def test_the_site_has_no_serious_accessibility_findings(browser: Any, site: Path, name: str, scheme: str) -> None:
    page = browser.new_page(color_scheme=scheme, viewport={"width": 1000, "height": 800})
    try:
        page.goto((site / f"{name}.html").as_uri(), wait_until="load", timeout=PATIENCE)
        page.wait_for_selector(".md-content", timeout=PATIENCE)
        assert find_serious_violations(page) == []
    finally:
        page.close()
