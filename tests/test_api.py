"""The public surface, and what importing it costs."""

from __future__ import annotations

import subprocess
import sys

import webtongue

NAMES = {
    "Contents", "Decoded", "Evidence", "Guess", "HostCounts", "Identifier", "Inlink", "MissingExtra", "ModelError", "Page", "Reason", "Segment", "UsageError", "Verdict", "WebtongueError",
    "__version__", "classify", "decode", "detect", "identify", "identify_batch", "identify_many", "identify_stream", "identify_text",
    "identify_url", "identify_urls",
}  # fmt: skip
APPLICATIONS = {"census", "cli", "compat", "crawl", "serve"}
WORKSHOP = {"evaluate", "methods", "train"}


def run(code: str) -> str:
    """What a new interpreter prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout


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


def test_import_is_light() -> None:
    """Neither applications nor workshop are imported, and no table or model is read; ``bench/markup.py`` has the seconds."""
    code = (
        "import sys; opened = []\n"
        "sys.addaudithook(lambda event, about: opened.append(str(about[0])) if event == 'open' else None)\n"
        "import webtongue\n"
        "print(*{n.split('.')[1] for n in sys.modules if n.startswith('webtongue.')})\n"
        "print(*[name for name in opened if '/webtongue/data/' in name or '/webtongue/models/' in name])"
    )
    rooms, files = run(code).split("\n")[:2]
    assert not set(rooms.split()) & (APPLICATIONS | WORKSHOP)
    assert not files


def test_errors_are_one_tree() -> None:
    assert issubclass(webtongue.UsageError, webtongue.WebtongueError)
    assert issubclass(webtongue.UsageError, ValueError)
    assert issubclass(webtongue.MissingExtra, webtongue.WebtongueError)
    assert issubclass(webtongue.MissingExtra, ImportError)
