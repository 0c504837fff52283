"""Tests that the limits in docs/security.md exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "security.md").read_text("utf-8")
NAME = r"`(\w+)`"
NAMED = re.compile(rf"((?:{NAME}(?:, | and )?)+) in `((?:src|native|tests|tools|bench)/[\w./-]+)`")


def named() -> list[tuple[str, str]]:
    """Return every constant that the document names, with its file."""
    return [(name, path) for names, _, path in NAMED.findall(TEXT) for name in re.findall(NAME, names)]


@pytest.mark.parametrize(("name", "path"), named())
def test_documented_constants_exist(name: str, path: str) -> None:
    assert re.search(rf"\b{name}\b\s*(?:[:=({{]|\[)", (ROOT / path).read_text("utf-8")), f"{path} has no {name}"


def test_enough_constants_are_documented_and_paths_exist() -> None:
    assert len(named()) > 50
    paths = re.findall(r"`((?:src|native|tests|tools|bench)/[\w./-]+)`", TEXT)
    assert not [path for path in paths if not (ROOT / path).exists()]
    assert "docs/security.md" in (ROOT / "SECURITY.md").read_text("utf-8")
    assert "docs/security.md" in (ROOT / "README.md").read_text("utf-8")
