"""Metrics for Prometheus. Each worker counts into files of its own, and the sums over all workers are reported.

Sums need the folder in PROMETHEUS_MULTIPROC_DIR before prometheus-client is imported; server.py sets it.
"""

from __future__ import annotations

import os
from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from webtongue.serve.config import METRICS_FOLDER_VARIABLE

__all__ = ["MEDIA_TYPE", "Metrics"]

MEDIA_TYPE = b"text/plain; version=0.0.4; charset=utf-8"
BUCKET_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The metrics of one worker. ``labels`` methods are cached: they take longer than counting."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self._requests = cache(
            Counter("webtongue_requests", "Answered requests.", ("path", "status"), registry=registry).labels
        )
        self._seconds = cache(
            Histogram(
                "webtongue_request_seconds", "Time from the head of a request to the end of its response.", ("path",),
                buckets=BUCKET_SECONDS, registry=registry,
            ).labels
        )  # fmt: skip
        self._received = Counter("webtongue_received_bytes", "Bytes of request bodies.", registry=registry)
        self._sent = Counter("webtongue_sent_bytes", "Bytes of response bodies.", registry=registry)
        self._labels = cache(Counter("webtongue_labels", "Verdicts by label.", ("label",), registry=registry).labels)
        self.pending_jobs = _gauge("webtongue_queue", "Large bodies that are processed or wait for a thread.", registry)
        self.held_bytes = _gauge("webtongue_held_bytes", "Bytes of request bodies in memory.", registry)

    def count_request(self, path: str, status: int, seconds: float, received: int, sent: int) -> None:
        """Count an answered request; ``path`` must be a path of the service, never one from the client."""
        self._requests(path, status).inc()
        self._seconds(path).observe(seconds)
        self._received.inc(received)
        self._sent.inc(sent)

    def count_label(self, label: str) -> None:
        """Count a verdict."""
        self._labels(label).inc()

    def format(self) -> bytes:
        """Return the metrics of all workers in Prometheus' text format."""
        if not os.environ.get(METRICS_FOLDER_VARIABLE):
            return generate_latest(self.registry)
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)


def _gauge(name: str, description: str, registry: CollectorRegistry) -> Gauge:
    return Gauge(name, description, multiprocess_mode="livesum", registry=registry)
