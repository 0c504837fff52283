"""What all tests share: no example of Hypothesis is judged by the clock, so that a busy machine fails none.

In CI the examples are the same in every run: a submission is not judged by luck. Elsewhere they are new each time, and what they find
is mended and kept.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile("webtongue", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("webtongue"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "webtongue")
