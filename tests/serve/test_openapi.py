"""The OpenAPI document has all paths, its examples are valid, and schemathesis finds no contradiction to it."""

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
from webtongue.serve.openapi import OPERATIONS, build_document
from webtongue.serve.routes import build_routes
from webtongue.serve.worker_pool import WorkerPool

UNDOCUMENTED = ("/page/", "/docs", "/openapi.json")  # for browsers


def test_the_document_has_every_path_and_method() -> None:
    config = Config()
    routes = build_routes(Identifier(), WorkerPool(config.limits, 1), config, lambda label: None)
    operations = {(path, method.lower()) for path, route in routes.items() for method in route.methods}
    operations = {(path, method) for path, method in operations if path != "/" and not path.startswith(UNDOCUMENTED)}
    assert operations | {("/metrics", "get")} == {(operation.path, operation.method) for operation in OPERATIONS}


def test_examples_are_valid(service: Service) -> None:
    count = 0
    for operation in OPERATIONS:
        for kind, examples in EXAMPLES.get(operation.example, {}).items():
            for example in examples.values() if kind in (operation.body or {}) else ():
                value = example["value"]
                body = value if isinstance(value, str) else json.dumps(value)
                reply = service.request(operation.method.upper(), operation.path, body, kind)
                assert reply.status == 200, (operation.path, reply.body)
                count += 1
    assert count >= 15


def test_the_documentation_loads_from_no_other_host(service: Service) -> None:
    page = service.request("GET", "/docs").body.decode()
    assert "http://" not in page and "https://" not in page and "//" not in page.replace("</", "")
    for path in ("/docs/swagger-ui-bundle.js", "/docs/swagger-ui.css", "/page/docs.js", "/openapi.json"):
        assert service.request("GET", path).status == 200
    assert service.request("GET", "/openapi.json").json == json.loads(json.dumps(build_document(Config())))


def test_schemathesis_finds_nothing(service: Service, tmp_path: Path) -> None:
    pytest.importorskip("schemathesis", reason="needs the package schemathesis")
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{service.root}openapi.json", "-c", "all", "-n", "15"]
    command += ["--seed", "18", "--no-color", "--generation-database", "none"]
    environment = os.environ | {"SCHEMATHESIS_HOOKS": "tests.serve.schemathesis_hooks", "PYTHONPATH": str(Path.cwd())}
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path, env=environment)
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-2000:]
    assert "No issues found" in run.stdout
