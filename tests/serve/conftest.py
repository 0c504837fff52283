from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.serve.servers import Service, run_service

for package in ("uvicorn", "httptools", "msgspec", "prometheus_client"):
    pytest.importorskip(package, reason="needs the extra serve")


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """Run a service with default settings, shared by all tests."""
    with run_service("--no-access-log") as running:
        yield running
