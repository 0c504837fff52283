"""Settings and fixtures of all tests: Hypothesis has no deadline, so that a busy machine fails no example.

In CI the examples are the same in every run, so that results are reproducible. Elsewhere they are new each time; failures that they
find become fixed cases.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("webtongue", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("webtongue"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "webtongue")


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Return a function that mounts a small file system in memory, or changes its options."""
    folder = tmp_path / "small"
    folder.mkdir()
    is_mounted = False

    def mount(options: str) -> Path:
        nonlocal is_mounted
        options = f"remount,{options}" if is_mounted else options
        try:
            completed = subprocess.run(
                ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True
            )
        except OSError:
            pytest.skip("there is no mount command")
        if completed.returncode:
            pytest.skip("mounting a file system is not permitted here")
        is_mounted = True
        return folder

    yield mount
    if is_mounted:
        subprocess.run(["umount", "--lazy", str(folder)], capture_output=True)
