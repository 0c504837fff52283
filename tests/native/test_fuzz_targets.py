"""The fuzz targets compile with the current kernel; `make fuzz` runs them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

NATIVE = Path(__file__).parents[2] / "native"
COMPILER = shutil.which("c++") or shutil.which("clang++")


@pytest.mark.skipif(COMPILER is None, reason="a C++ compiler is missing: apt-get install g++")
@pytest.mark.parametrize("path", sorted((NATIVE / "fuzz").glob("*.cpp")), ids=lambda path: path.stem)
def test_fuzz_targets_compile(path: Path) -> None:
    command = [COMPILER, "-std=c++17", "-fsyntax-only", f"-I{NATIVE}", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
