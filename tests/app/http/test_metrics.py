"""GET /api/metrics: what Prometheus reads, parsed by Prometheus' own parser."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from capsnet_explorer.app.http.metrics import Metrics
from capsnet_explorer.app.http.recorder import register_recorder

ROOT = Path(__file__).parents[3]


def read(text):
    """Return the value of every sample by its name and labels."""
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.fixture
def numbers(client):
    """Read the metrics; what they count of themselves comes with the next reading."""

    def numbers():
        with client.get("/api/metrics") as response:
            assert response.status_code == 200
            return read(response.text)

    return numbers


def ask(client, path, times=1, **more):
    for _ in range(times):
        with client.open(path, **more):
            pass


def count(numbers, method, route, status):
    labels = [("method", method), ("route", route), ("status", str(status))]
    return numbers.get(("capsnet_requests_total", *labels), 0)


def test_requests_are_counted_by_method_route_and_status(client, numbers, image):
    ask(client, "/api/health", times=3)
    ask(client, "/api/models/fake/kernels")
    ask(client, "/api/models/small/kernels")
    ask(client, "/api/models/none/kernels")
    ask(client, "/api/models/broken/trace", method="POST", json={"image": image})
    ask(client, "/api/health", headers={"Host": "evil.example"})
    values = numbers()
    assert count(values, "GET", "/api/health", 200) == 3
    assert count(values, "GET", "/api/models/<id>/kernels", 200) == 2
    assert count(values, "GET", "/api/models/<id>/kernels", 404) == 1
    assert count(values, "POST", "/api/models/<id>/trace", 500) == 1
    assert count(values, "GET", "/api/health", 421) == 1


def test_a_failure_of_the_app_itself_is_counted(app):
    def broken(*_):
        raise MemoryError

    app.wsgi_app = broken
    metrics = Metrics()
    register_recorder(app, metrics)
    with pytest.raises(MemoryError):
        app.test_client().get("/")
    values = read(metrics.text().decode())
    assert count(values, "GET", "other", 500) == 1
    assert values["capsnet_requests_in_flight",] == 0


def test_a_scanner_adds_no_series(client, numbers):
    ask(client, "/nowhere")
    before = numbers()
    for number in range(20):
        ask(client, f"/{number}.php")
        ask(client, "/nowhere", method=f"BREW{number}")
    after = numbers()
    assert count(after, "GET", "other", 404) == count(before, "GET", "other", 404) + 20
    assert count(after, "other", "other", 404) == 20
    new = {dict(key[1:]).get("route") for key in after.keys() - before.keys()}
    assert new <= {"other", "/api/metrics"}


def test_times_are_gathered_by_route(client, numbers):
    ask(client, "/api/samples", times=4)
    values = numbers()
    route = ("route", "/api/samples")
    assert values["capsnet_request_seconds_count", route] == 4
    assert 0 < values["capsnet_request_seconds_sum", route] < 60
    buckets = [
        value
        for (name, *labels), value in values.items()
        if name == "capsnet_request_seconds_bucket" and route in labels
    ]
    assert buckets == sorted(buckets)
    assert buckets[-1] == 4


def test_a_request_is_in_flight_until_its_answer_is_taken(client, numbers):
    itself = 1
    assert numbers()["capsnet_requests_in_flight",] == itself
    with client.get("/api/health"):
        assert numbers()["capsnet_requests_in_flight",] == 1 + itself
    assert numbers()["capsnet_requests_in_flight",] == itself


@pytest.mark.skipif(sys.platform != "linux", reason="read from Linux's /proc")
def test_the_process_is_described(numbers):
    assert numbers()["process_resident_memory_bytes",] > 1_000_000


def test_the_answer_is_prometheus_text_and_never_kept(client):
    response = client.get("/api/metrics")
    assert response.content_type == "text/plain; version=0.0.4; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-store"


# Of two processes each answers some requests; the second tells what it knows of both.
WORKERS = """
import os, sys
sys.path.insert(0, "tests/app")
from conftest import FakeEngine
from capsnet_explorer.app import create_app
client = create_app({"fake": FakeEngine("fake")}).test_client()
child = os.fork()
for _ in range(3 if child else 2):
    with client.get("/api/health"):
        pass
if child:
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    print(client.get("/api/metrics").text)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="starts a second process by fork")
def test_any_of_several_processes_answers_for_all(tmp_path):
    result = subprocess.run(
        [sys.executable, "-c", WORKERS],
        cwd=ROOT,
        env=os.environ
        | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert count(read(result.stdout), "GET", "/api/health", 200) == 5
