"""What all tests share: no example of Hypothesis is judged by the clock, so that a busy machine fails none."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("webtongue", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("webtongue")
