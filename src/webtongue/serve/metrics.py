"""What the service counts, as Prometheus reads it; the workers of one service count into files of their own, which are summed.

The sums of several workers need their folder in PROMETHEUS_MULTIPROC_DIR before prometheus-client is imported: see running.py.
"""

from __future__ import annotations

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

__all__ = ["FOLDER", "Metrics"]

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
MEDIA_TYPE = b"text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """Counters of one worker. Children are kept at hand: to look one up takes longer than to count."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self._requests = Counter(
            "webtongue_requests", "Requests that were answered.", ("path", "status"), registry=registry
        )
        self._seconds = Histogram(
            "webtongue_request_seconds", "From the head of a request to the end of its answer.", ("path",),
            buckets=SECONDS, registry=registry,
        )  # fmt: skip
        self._received = Counter("webtongue_received_bytes", "Bytes of bodies that came.", registry=registry)
        self._sent = Counter("webtongue_sent_bytes", "Bytes of bodies that went.", registry=registry)
        self._labels = Counter("webtongue_labels", "Verdicts by label.", ("label",), registry=registry)
        self.busy = Gauge(
            "webtongue_queue",
            "Large bodies at work or waiting for a thread.",
            multiprocess_mode="livesum",
            registry=registry,
        )
        self.held = Gauge(
            "webtongue_held_bytes", "Bytes of bodies in memory.", multiprocess_mode="livesum", registry=registry
        )
        self._counts: dict[tuple[str, int], Counter] = {}
        self._times: dict[str, Histogram] = {}
        self._named: dict[str, Counter] = {}

    def count(self, path: str, status: int, seconds: float, received: int, sent: int) -> None:
        """A request that was answered; ``path`` is one that the service has, never one that was made up by who asked."""
        try:
            self._counts[path, status].inc()
            self._times[path].observe(seconds)
        except KeyError:
            self._counts[path, status] = self._requests.labels(path, str(status))
            self._times[path] = self._seconds.labels(path)
            self._counts[path, status].inc()
            self._times[path].observe(seconds)
        self._received.inc(received)
        self._sent.inc(sent)

    def count_label(self, label: str) -> None:
        """A verdict."""
        try:
            self._named[label].inc()
        except KeyError:
            self._named[label] = self._labels.labels(label)
            self._named[label].inc()

    def text(self) -> bytes:
        """All of it, of all workers."""
        if not os.environ.get(FOLDER):
            return generate_latest(self.registry)
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)
