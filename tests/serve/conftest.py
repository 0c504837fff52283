from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.serve.servers import Service, serving

for package in ("uvicorn", "httptools", "msgspec", "prometheus_client", "swagger_ui_bundle"):
    pytest.importorskip(package, reason="needs the extra serve")


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """A service with settings as they are; tests leave it as they found it."""
    with serving("--no-access-log") as found:
        yield found
