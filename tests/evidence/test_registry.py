"""The registry of sources: a new source takes one file and one line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import webtongue
from webtongue import _kernel
from webtongue.errors import UsageError
from webtongue.evidence import registry

PACKAGE = Path(webtongue.__file__).parent
SOURCE = '''
"""Evidence from a header that no server sends."""

from webtongue.evidence.hint import EvidenceContext, Hint


def collect(context: EvidenceContext) -> Hint | None:
    language = context.page.header("x-page-language")
    return Hint("page_note", f"note {language}", language, {language: 50.0}) if language else None
'''
LINE = '    Source("page_note", page_note.collect, weight=0.5, max_nats=5.0),\n'
SCRIPT = """
import json
import sys

# The finder of an editable installation would import the original in place of the copy.
sys.meta_path[:] = [finder for finder in sys.meta_path if "ScikitBuild" not in type(finder).__name__]
from typing import get_type_hints
from webtongue import Identifier
from webtongue.census.schema import rows_schema
from webtongue.cli.options import EvidenceOptions
from webtongue.extra_columns import EXTRA_COLUMNS

raw, headers = "<p>Halló".encode(), {"X-Page-Language": "isl"}
ident = Identifier()
verdict = ident.identify(raw, headers=headers)
columns = ident.identify_batch({"raw": [raw], "headers": [headers]}, extra=EXTRA_COLUMNS)
option = get_type_hints(EvidenceOptions, include_extras=True)["evidence"].__metadata__[0]
print(json.dumps({
    "without": ident.identify(raw).label,
    "label": verdict.label,
    "evidence": [row for row in verdict.evidence if row.source == "page_note"],
    "bits": float(columns["bits_page_note"][0]),
    "census": "bits_page_note" in rows_schema().names,
    "alone": Identifier(**EvidenceOptions(evidence="page_note").settings()).identify(raw, headers=headers).label,
    "off": Identifier(evidence=["url"]).identify(raw, headers=headers).label,
    "help": option.help,
}))
"""


def copy_package(folder: Path) -> Path:
    """Return a copy of the package in which everything but ``evidence`` is linked."""
    package = folder / "webtongue"
    package.mkdir()
    for path in PACKAGE.iterdir():
        if path.name not in ("evidence", "__pycache__"):
            os.symlink(path, package / path.name)
    kernel = Path(_kernel.__file__)
    if not (package / kernel.name).exists():
        os.symlink(kernel, package / kernel.name)
    shutil.copytree(PACKAGE / "evidence", package / "evidence", ignore=shutil.ignore_patterns("__pycache__"))
    return package


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    package = copy_package(tmp_path_factory.mktemp("package"))
    (package / "evidence" / "page_note.py").write_text(SOURCE, "utf-8")
    path = package / "evidence" / "registry.py"
    text = path.read_text("utf-8")
    text = text.replace("host, links, url\n", "host, links, page_note, url\n", 1)
    path.write_text(
        text.replace("SOURCES: tuple[Source, ...] = (\n", f"SOURCES: tuple[Source, ...] = (\n{LINE}", 1), "utf-8"
    )
    environment = os.environ | {"PYTHONPATH": str(package.parent)}
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_new_source_is_collected_and_weighted(answers: dict[str, Any]) -> None:
    assert (answers["without"], answers["label"]) == ("hun_Latn", "isl_Latn")
    ((source, value, label, weight),) = answers["evidence"]
    assert (source, value, label) == ("page_note", "note isl", "isl")
    assert weight == pytest.approx(
        5.0 / 0.6931, abs=1
    )  # its limit of 5 nats: beside so short a text hints count in full


def test_a_new_source_has_columns(answers: dict[str, Any]) -> None:
    assert answers["bits"] == pytest.approx(answers["evidence"][0][3], abs=0.001)
    assert answers["census"]


def test_a_new_source_has_a_name_on_the_command_line(answers: dict[str, Any]) -> None:
    assert "page_note" in answers["help"]
    assert (answers["alone"], answers["off"]) == ("isl_Latn", "hun_Latn")


def test_select() -> None:
    assert registry.select(None) == registry.SOURCES
    assert [source.name for source in registry.select(["host", "declared"])] == ["declared", "host"]
    assert registry.select([]) == ()
    with pytest.raises(UsageError, match="unknown: 'text'"):
        registry.select(["text"])
    with pytest.raises(TypeError, match="not one string"):
        registry.select("url")
