"""A real Chromium for tests: Debian's (the package ``chromium``). Where it is missing and we are root it is installed, else tests skip."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
PATIENCE = 60_000  # milliseconds that anything may take before it counts as broken
INSTALL = ["apt-get", "install", "-y", "--no-install-recommends", "chromium"]


def chromium() -> str:
    """The path of Chromium."""
    path = shutil.which("chromium")
    if path is None and hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        try:
            subprocess.run(INSTALL, check=True, capture_output=True, timeout=600)
        except (OSError, subprocess.SubprocessError):
            pytest.skip("Chromium is not here and could not be installed")
        path = shutil.which("chromium")
    if path is None:
        pytest.skip("these tests look at pages in Chromium: install the package chromium")
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium for the tests of a module, which import this by name."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the package playwright")
    path = chromium()
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=path, headless=True, args=FLAGS, timeout=PATIENCE)
        try:
            yield opened
        finally:
            opened.close()


def find_serious_violations(page: Any) -> list[tuple[str, str]]:
    """Return axe's serious and critical findings on a page, as rules with the first element of each."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs the package axe-playwright-python")
    violations = axe.Axe().run(page).response["violations"]
    return [
        (rule["id"], rule["nodes"][0]["html"][:200]) for rule in violations if rule["impact"] in ("serious", "critical")
    ]
