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

from capsnet_explorer.app.observing import Observer, RequestRecord, Source

EXTENSION = "capsnet-metrics"
TEXT = CONTENT_TYPE_PLAIN_0_0_4  # the format that every version of Prometheus reads

# Each of several processes keeps its metrics in a file in this folder, and any of them
# can report the totals.
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)

IMAGES = (1, 2, 4, 8)

disable_created_metrics()  # an unused second series for each metric


class Metrics(Observer):
    """The metrics of one app's requests and engines."""

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
        self._traces = Counter(
            "capsnet_traces",
            "Traces by source: the cache, a pass of their own, a pass started by "
            "another request, or a batch.",
            ("source",),
            registry=self._registry,
        )
        self._together = Histogram(
            "capsnet_pass_images",
            "Number of images in the forward pass of each computed image.",
            buckets=IMAGES,
            registry=self._registry,
        )
        self._waiting = Gauge(
            "capsnet_traces_waiting",
            "Requests waiting for the network now.",
            registry=self._registry,
            multiprocess_mode="livesum",
        )
        self._networks = Gauge(
            "capsnet_networks_loaded",
            "Networks in memory, copies for attacks and measured tensors included.",
            registry=self._registry,
            multiprocess_mode="livesum",
        )
        self._networks_size = Gauge(
            "capsnet_networks_bytes",
            "About what they take, at most what --memory allows.",
            registry=self._registry,
            multiprocess_mode="livesum",
        )
        self._dropped = Counter(
            "capsnet_networks_dropped",
            "Networks that left memory for others; they are read again when needed.",
            registry=self._registry,
        )
        ProcessCollector(registry=self._registry)

    def request_started(self) -> None:
        """Count a request in progress."""
        self._in_flight.inc()

    def request_ended(self, record: RequestRecord) -> None:
        """Count a completed request."""
        self._in_flight.dec()
        self._requests.labels(record.method, record.route, record.status).inc()
        self._seconds.labels(record.route).observe(record.seconds)

    def wait_started(self) -> None:
        """Count a request that waits for the network."""
        self._waiting.inc()

    def wait_ended(self) -> None:
        """Count the end of its wait."""
        self._waiting.dec()

    def networks_changed(self, count: int, size: int, dropped: int) -> None:
        """Say what is in memory, and count what left it."""
        self._networks.set(count)
        self._networks_size.set(size)
        self._dropped.inc(dropped)

    def image_answered(self, source: Source, together: int) -> None:
        """Count a trace and the images in its pass."""
        self._traces.labels(source).inc()
        if source in {"pass", "batch"}:
            self._together.observe(together)

    def text(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        if SHARED_FOLDER in os.environ:
            everyone = CollectorRegistry()
            MultiProcessCollector(everyone)
            return generate_latest(everyone)
        return generate_latest(self._registry)
