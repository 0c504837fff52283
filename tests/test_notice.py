"""Tests that NOTICE names all third-party parts of wheels with their licences, and that wheels contain it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NOTICE = (ROOT / "NOTICE").read_text("utf-8")
BUILD_ONLY = {"scikit-build-core"}  # builds the wheel and leaves nothing in it
LICENSE_COMMENT = re.compile(r"/\*\*(.*?)\*/", re.DOTALL)


def words(text: str) -> str:
    """Return a text with its line breaks and indentation taken out."""
    return " ".join(text.split())


def test_libraries_linked_into_the_kernel_are_named() -> None:
    packages = re.findall(r"find_package\((\w+)", (ROOT / "CMakeLists.txt").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    required = {re.split(r"[><=]", name)[0] for name in project["build-system"]["requires"]}
    linked = (set(packages) - {"Python"}) | (required - BUILD_ONLY)
    assert linked == {"nanobind"}, "a new component: add its licence to NOTICE, and then its name here"
    assert "nanobind" in NOTICE and "robin-map" in NOTICE


def test_licences_of_nanobind_and_robin_map_are_complete() -> None:
    nanobind = pytest.importorskip("nanobind", reason="compares with the installed nanobind")
    files = importlib.metadata.files("nanobind") or []
    texts = [path.read_text("utf-8") for path in files if path.name == "LICENSE" and "dist-info" in str(path)]
    assert len(texts) == 1 and words(texts[0]) in words(NOTICE)
    header = Path(nanobind.__file__).parent / "ext" / "robin_map" / "include" / "tsl" / "robin_map.h"
    comment = LICENSE_COMMENT.search(header.read_text("utf-8"))
    assert comment is not None and "MIT License" in comment[1]
    assert words(comment[1].replace("\n *", "\n")) in words(NOTICE)


def test_vendored_packages_are_named_with_their_version_and_notice() -> None:
    manifests = [
        path for path in (ROOT / "src").rglob("manifest.json") if "integrity" in json.loads(path.read_text("utf-8"))
    ]
    assert [path.parent.name for path in manifests] == ["swagger_ui"]
    for path in manifests:
        manifest = json.loads(path.read_text("utf-8"))
        assert f"{manifest['name']} {manifest['version']}" in NOTICE
        assert words((path.parent / "NOTICE").read_text("utf-8")) in words(NOTICE)


def test_wheels_carry_the_notice_and_the_licences(tmp_path: Path) -> None:
    if importlib.util.find_spec("scikit_build_core") is None:
        pytest.skip("needs scikit-build-core")
    code = "import sys; from scikit_build_core.build import prepare_metadata_for_build_wheel as p; p(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, check=True, capture_output=True, timeout=300)
    (metadata,) = tmp_path.glob("webtongue-*.dist-info")
    licences = metadata / "licenses"
    assert (licences / "NOTICE").read_text("utf-8") == NOTICE
    assert (licences / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    swagger = "src/webtongue/serve/swagger_ui/swagger-ui-bundle.js.LICENSE.txt"
    assert (licences / swagger).read_bytes() == (ROOT / swagger).read_bytes()
    declared = re.findall(r"^License-File: (.*)$", (metadata / "METADATA").read_text("utf-8"), re.MULTILINE)
    assert set(declared) == {"LICENSE", "NOTICE", swagger}
