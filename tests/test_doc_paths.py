"""Every file, folder and script of the repository that the documentation names exists."""

from __future__ import annotations

import importlib.util
import re
from itertools import product
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PATTERNS = ("*.md", "docs/*.md", "docs/generated/*.md", "examples/*.md", "examples/*/*.md")
PAGES = sorted(path for pattern in PATTERNS for path in ROOT.glob(pattern))

TOP_FOLDERS = ("bench", "docs", "examples", "experiments", "native", "src", "tests", "tools")
# Folders that a path may be relative to, beside that of the page.
BASES = (ROOT, ROOT / "src" / "webtongue", ROOT / "src" / "webtongue" / "lab", ROOT / "native", ROOT / "docs")
SUFFIXES = ("", ".cpp", ".hpp")  # modules of the kernel are named without a suffix
PACKAGES = {folder.name for base in BASES[1:4] for folder in base.iterdir() if folder.is_dir()}
FILE_NAMES = {path.name for folder in TOP_FOLDERS for path in (ROOT / folder).rglob("*.*")}
# Files that users or commands write, folders of the training data, and media types.
NOT_OURS = {
    "census.json", "_manifest.json", "estimate.json", "src/webtongue/census/tables/NAME.sql", "crawl/texts/LABEL.txt", "data/romanise/LABEL.tsv", "examples/extension/url.bin", "label.tsv", "my.wtm.audit.json", "text/plain", "url/train",
    "train/manifest.tsv", "url/addresses.tsv.xz", "train/SOURCE/LABEL.txt.xz", "url/train.tsv.xz", "url/dev.tsv.xz",
}  # fmt: skip

CODE_OR_LINK = re.compile(r"`([^`\n]+)`|\]\(([^)\s]+)\)")
FILE = re.compile(r"[\w.][\w./-]*\.(?:py|cpp|hpp|inc|js|json|md|sql|tsv)")
BELOW_PACKAGE = re.compile(rf"(?:{'|'.join(PACKAGES)})/[\w./-]*")
BELOW_TOP_FOLDER = re.compile(rf"(?<![\w./:-])(?:{'|'.join(TOP_FOLDERS)})/[\w./-]+")
SCRIPT = re.compile(r"\bpython3? ([\w/-]+/[\w-]+\.py)\b")
MODULE = re.compile(r"\bpython3? -m ((?:webtongue|tests)[\w.]*)")


def named_paths(text: str) -> set[str]:
    """Return the paths that a page names: those below a top folder anywhere; files and folders of packages in code and links."""
    spans = (code or link for code, link in CODE_OR_LINK.findall(text))
    words = {word for span in spans if "://" not in span for word in re.split(r"[\s,;:()=#\"]+", span)}
    named = {word for word in words if FILE.fullmatch(word) or BELOW_PACKAGE.fullmatch(word)}
    return (named | {path.rstrip(".-") for path in BELOW_TOP_FOLDER.findall(text)}) - NOT_OURS


def exists(path: str, page: Path) -> bool:
    """Return True if a path exists relative to its page or to one of the bases; a bare file name may be in any folder."""
    places = product((page.parent, *BASES), SUFFIXES)
    return path in FILE_NAMES or any((base / (path + suffix)).exists() for base, suffix in places)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_named_paths_exist(page: Path) -> None:
    assert [path for path in sorted(named_paths(page.read_text("utf-8"))) if not exists(path, page)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_name_scripts_and_modules(page: Path) -> None:
    text = page.read_text("utf-8")
    assert [script for script in SCRIPT.findall(text) if not (ROOT / script).is_file()] == []
    assert [module for module in MODULE.findall(text) if importlib.util.find_spec(module) is None] == []


def test_paths_are_recognised() -> None:
    text = "`bench/a.py --x`, [b](../c.md#d), native/text/decide, `e.sql`, `text/f`, `/docs/g.py`, https://example.org/docs/h.md"
    assert named_paths(text) == {"bench/a.py", "../c.md", "native/text/decide", "e.sql", "text/f"}


def test_missing_paths_are_noticed() -> None:
    page = ROOT / "docs" / "architecture.md"
    assert exists("native/text/decide", page) and exists("evidence/combine.py", page) and exists("model.md", page)
    assert not exists("fuse.py", page) and not exists("native/url/judge.cpp", page)
