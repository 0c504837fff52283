"""The Docker image of the service, built from the wheel; skipped without Docker."""

from __future__ import annotations

import shutil
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAME = "webtongue-test"
PORT = 18300


def test_the_image_answers() -> None:
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "info"], capture_output=True, timeout=60).returncode:
        pytest.skip("needs a running Docker")
    if not list((ROOT / "dist").glob("webtongue-*.whl")):
        pytest.skip("needs a wheel in dist: run make wheel")
    built = subprocess.run([docker, "build", "-t", NAME, str(ROOT)], capture_output=True, text=True, timeout=900)
    assert built.returncode == 0, built.stderr[-2000:]
    run = [docker, "run", "--rm", "-d", "-p", f"127.0.0.1:{PORT}:8000", NAME]
    container = subprocess.run(run, check=True, capture_output=True, text=True, timeout=120).stdout.strip()
    try:
        for _ in range(120):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/healthz", timeout=5) as answer:
                    assert answer.status == 200
                    return
            except OSError:
                time.sleep(0.5)
        raise AssertionError("the image does not answer")
    finally:
        subprocess.run([docker, "kill", container], capture_output=True, timeout=60)
