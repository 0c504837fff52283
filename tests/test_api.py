"""The public surface, and what importing it costs."""

from __future__ import annotations

import os
import subprocess
import sys

import webtongue

NAMES = {
    "Decoded", "Evidence", "Guess", "Identifier", "MissingExtra", "ModelError", "Page", "Reason", "Segment", "UsageError", "Verdict", "WebtongueError",
    "__version__", "classify", "decode", "detect", "identify", "identify_batch", "identify_many", "identify_stream", "identify_text",
    "identify_url", "identify_urls",
}  # fmt: skip
MOST_SECONDS = 0.120


def run(code: str) -> str:
    """Runs in a new interpreter that keeps compiled modules, as an installed package has them."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True, env=kept).stdout


def test_public_names() -> None:
    assert set(webtongue.__all__) == NAMES
    assert webtongue.__all__ == sorted(webtongue.__all__)
    for name in webtongue.__all__:
        assert getattr(webtongue, name) is not None


def test_import_brings_numpy_at_most() -> None:
    """Build and test tools put modules of their own into every interpreter: what was there before does not count."""
    code = (
        "import sys; before = set(sys.modules); import webtongue;"
        "print(*{n.partition('.')[0] for n in set(sys.modules) - before} - set(sys.stdlib_module_names))"
    )
    assert set(run(code).split()) <= {"webtongue", "numpy"}


def test_import_is_quick() -> None:
    """By the processor's clock, since the machine may be busy."""
    code = "import time; t = time.process_time(); import webtongue; print(time.process_time() - t)"
    assert min(float(run(code)) for _ in range(5)) < MOST_SECONDS


def test_errors_are_one_tree() -> None:
    assert issubclass(webtongue.UsageError, webtongue.WebtongueError)
    assert issubclass(webtongue.UsageError, ValueError)
    assert issubclass(webtongue.MissingExtra, webtongue.WebtongueError)
    assert issubclass(webtongue.MissingExtra, ImportError)
