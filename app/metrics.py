"""Counts and times of requests, for Prometheus to read."""

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

from app.recorder import RequestRecord
from app.watching import Source

EXTENSION = "capsnet-metrics"
TEXT = CONTENT_TYPE_PLAIN_0_0_4  # the form that every version of Prometheus reads

# Of several processes, each keeps its numbers in a file of this folder, and any of them
# answers for all.
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)

IMAGES = (1, 2, 4, 8)

disable_created_metrics()  # a second series beside each, which nobody asks for


class Metrics:
    """The numbers of one app. Observes its requests, watches its engines."""

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
            "From a request's arrival in the app to its answer's last byte.",
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
        self._traces = Counter(
            "capsnet_traces",
            "Traces by where they came from: the cache, a pass of their own, or a pass "
            "that another request waited for.",
            ("source",),
            registry=self._registry,
        )
        self._together = Histogram(
            "capsnet_pass_images",
            "For each image computed: how many images were in its forward pass.",
            buckets=IMAGES,
            registry=self._registry,
        )
        self._waiting = Gauge(
            "capsnet_traces_waiting",
            "Requests that wait for the network now.",
            registry=self._registry,
            multiprocess_mode="livesum",
        )
        ProcessCollector(registry=self._registry)

    def started(self) -> None:
        """Count a request that is being answered."""
        self._in_flight.inc()

    def ended(self, record: RequestRecord) -> None:
        """Count a request that was answered."""
        self._in_flight.dec()
        self._requests.labels(record.method, record.route, record.status).inc()
        self._seconds.labels(record.route).observe(record.seconds)

    def waits(self) -> None:
        """Count a request that waits for the network."""
        self._waiting.inc()

    def waited(self) -> None:
        """Count that it waits no longer."""
        self._waiting.dec()

    def answered(self, source: Source, together: int) -> None:
        """Count a trace, and how many were computed with it."""
        self._traces.labels(source).inc()
        if source == "pass":
            self._together.observe(together)

    def text(self) -> bytes:
        """Write all numbers in Prometheus' text format."""
        if SHARED_FOLDER in os.environ:
            everyone = CollectorRegistry()
            MultiProcessCollector(everyone)
            return generate_latest(everyone)
        return generate_latest(self._registry)
