"""Counts and durations of requests as Prometheus metrics."""

import os

from prometheus_client import (
    CONTENT_TYPE_PLAIN_0_0_4,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

EXTENSION = "capsnet-metrics"
TEXT = CONTENT_TYPE_PLAIN_0_0_4  # the format that every version of Prometheus reads

# Each of several processes keeps its metrics in a file in this folder, and any of them
# can report the totals.
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)

disable_created_metrics()  # an unused second series for each metric


class Metrics:
    """The metrics of one app's requests, and of its process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "capsnet_requests",
            "Requests answered.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "capsnet_request_seconds",
            "Time from a request's arrival in the app to its response's last byte.",
            ("route",),
            buckets=SECONDS,
            registry=self._registry,
        )
        self._in_flight = Gauge(
            "capsnet_requests_in_flight",
            "Requests being answered now.",
            registry=self._registry,
            multiprocess_mode="livesum",
        )
        ProcessCollector(registry=self._registry)

    def request_started(self) -> None:
        """Count a request in progress."""
        self._in_flight.inc()

    def request_ended(
        self, method: str, route: str, status: int, seconds: float
    ) -> None:
        """Count a completed request."""
        self._in_flight.dec()
        self._requests.labels(method, route, status).inc()
        self._seconds.labels(route).observe(seconds)

    def text(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        if SHARED_FOLDER in os.environ:
            everyone = CollectorRegistry()
            MultiProcessCollector(everyone)
            return generate_latest(everyone)
        return generate_latest(self._registry)
