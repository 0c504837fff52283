"""What all tests share: no example of Hypothesis is judged by the clock, so that a busy machine fails none.

In CI the examples are the same in every run: a submission is not judged by luck. Elsewhere they are new each time, and what they find
is mended and kept.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

CLUSTER = Path(__file__).parent / "spark"

settings.register_profile("webtongue", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("webtongue"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "webtongue")


@pytest.hookimpl(tryfirst=True)  # before the names of groups are read
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With several processes, tests of a file stay together, for what they share; those that need a cluster share one."""
    if config.getoption("loadgroup", default=False):  # of xdist, in each of its processes
        for item in items:
            group = "spark" if item.path.parent == CLUSTER else str(item.path)
            item.add_marker(pytest.mark.xdist_group(group))
