"""The OpenAPI document is true: its paths are those there are, its examples work, and schemathesis finds nothing against it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.serve.servers import Service
from webtongue import Identifier
from webtongue.serve.config import Config
from webtongue.serve.examples import EXAMPLES
from webtongue.serve.openapi import OPERATIONS, document
from webtongue.serve.routes import routes_of
from webtongue.serve.work import Workshop

ASIDE = ("/page/", "/docs", "/openapi.json")  # of browsers


def test_it_has_every_path_and_method() -> None:
    config = Config()
    routes = routes_of(Identifier(), Workshop(config.limits, 1), config, lambda label: None)
    there = {(path, method.lower()) for path, route in routes.items() for method in route.methods}
    there = {(path, method) for path, method in there if path != "/" and not path.startswith(ASIDE)}
    assert there | {("/metrics", "get")} == {(operation.path, operation.method) for operation in OPERATIONS}


def test_examples_are_answered(service: Service) -> None:
    sent = 0
    for operation in OPERATIONS:
        for kind, examples in EXAMPLES.get(operation.example, {}).items():
            for example in examples.values() if kind in (operation.body or {}) else ():
                value = example["value"]
                body = value if isinstance(value, str) else json.dumps(value)
                found = service.ask(operation.method.upper(), operation.path, body, kind)
                assert found.status == 200, (operation.path, found.body)
                sent += 1
    assert sent >= 15


def test_the_documentation_comes_from_a_package_and_asks_nobody_else(service: Service) -> None:
    page = service.ask("GET", "/docs").body.decode()
    assert "http://" not in page and "https://" not in page and "//" not in page.replace("</", "")
    for path in ("/docs/swagger-ui-bundle.js", "/docs/swagger-ui.css", "/page/docs.js", "/openapi.json"):
        assert service.ask("GET", path).status == 200
    assert service.ask("GET", "/openapi.json").json == json.loads(json.dumps(document(Config())))


def test_schemathesis_finds_nothing(service: Service, tmp_path: Path) -> None:
    pytest.importorskip("schemathesis", reason="needs the package schemathesis")
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{service.root}openapi.json", "-c", "all", "-n", "15"]
    command += ["--seed", "18", "--no-color", "--generation-database", "none"]
    environment = os.environ | {"SCHEMATHESIS_HOOKS": "tests.serve.schemathesis_hooks", "PYTHONPATH": str(Path.cwd())}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert "No issues found" in done.stdout
