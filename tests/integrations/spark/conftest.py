"""One cluster for all tests of this folder, because starting it takes longer than most of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.integrations.spark.cluster import HOW, Cluster, java, running, session


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Run a master and two workers; skip the tests without Java."""
    pytest.importorskip("pyspark", reason="pyspark (extra spark) is not installed")
    if not java():
        pytest.skip(HOW)
    with running(tmp_path_factory.mktemp("cluster")) as started:
        yield started


@pytest.fixture(scope="session")
def spark(cluster: Cluster) -> Iterator[Any]:
    """Return a session on the cluster."""
    with_session = session(cluster)
    try:
        yield with_session
    finally:
        with_session.stop()
