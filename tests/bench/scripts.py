"""Run Python code with a script of bench/ imported as if it were run: in a process of its own, with its folder on sys.path."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).absolute().parents[2]


def run_with_script(name: str, code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run code that finds the script as ``script``."""
    start = f"import sys; sys.path.insert(0, {str(ROOT / 'bench')!r}); import {name} as script\n"
    return subprocess.run(
        [sys.executable, "-c", start + code, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
