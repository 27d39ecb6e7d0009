"""Several people at the real server at once: nothing fails, nothing is mixed up."""

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import save

from benchmarks.soak.connection import Answer, post
from benchmarks.soak.report import Report, percentiles_ms
from benchmarks.soak.server import ROOT
from benchmarks.soak.soaking import soak
from benchmarks.soak.wishes import Wish, all_differ, is_near

MIB = 1 << 20
WEIGHTS = ROOT / "weights" / "capsnet-mnist.safetensors"


def wish(*values):
    return Wish(b"", "numbers", np.array(values, np.float32))


def test_eight_people_at_once_get_what_each_asked_for():
    # In a thread of its own: browser tests leave an event loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        asked = thread.submit(soak, people=8, seconds=3, weights=WEIGHTS, each=4)
        report = asked.result()
    assert report.errors == []
    assert report.mixed_up == 0
    assert report.busy == 0
    assert min(report.counts.values()) > 0
    if sys.platform == "linux":
        _, at_middle, at_end = report.memory
        assert 0 < at_end < at_middle + 100 * MIB


def test_an_answer_to_another_request_is_noticed():
    right, wrong = (wish(0.5, value) for value in (0.25, 0.75))
    answer = Answer(200, {}, save({"numbers": right.expected}))
    assert right.is_granted(answer)
    assert not wrong.is_granted(answer)


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ([1.0, 2.0], True),
        ([1.0, 2.0005], True),
        ([1.0, 2.1], False),
        ([1.0], False),
        ([1.0, float("nan")], False),
    ],
)
def test_tensors_are_compared_up_to_rounding(other, expected):
    assert is_near(np.array([1.0, 2.0]), np.array(other)) is expected


def test_wishes_must_be_told_apart_by_their_answers():
    assert all_differ([wish(0, 0), wish(0, 1), wish(1, 0)])
    assert not all_differ([wish(0, 0), wish(0, 1), wish(0, 0.001)])


def test_percentiles_are_in_milliseconds():
    assert percentiles_ms([number / 1000 for number in range(101)]) == [50, 95, 99]
    assert np.isnan(percentiles_ms([])).all()


def test_a_request_says_how_long_its_body_is():
    head, body = post("/api", {"a": 1}).split(b"\r\n\r\n")
    assert head.startswith(b"POST /api HTTP/1.1\r\n")
    assert f"Content-Length: {len(body)}".encode() in head


REPORT = Report(
    people=2,
    seconds=10,
    counts={"trace": 50, "slider step": 100},
    errors=[],
    mixed_up=0,
    busy=3,
    times_ms={"trace": (7.25, 9.0, 21.0), "slider step": (1.5, 2.0, 3.0)},
    after_ms=14.0,
    memory=(300 * MIB, 350 * MIB, 351 * MIB),
)


def test_a_report_is_written_for_people():
    assert REPORT.text().splitlines() == [
        "2 people, 10 s",
        "errors: 0; responses mixed up: 0; refused as busy: 3",
        "traces: 5 a second, p50 7.2 ms, p95 9.0 ms, p99 21.0 ms",
        "slider steps: 10 a second, p50 1.5 ms, p95 2.0 ms, p99 3.0 ms",
        "one trace afterwards: 14.0 ms",
        "server's memory at start, middle, end: 300, 350, 351 MiB",
    ]


def test_a_report_tells_what_went_wrong():
    text = replace(REPORT, errors=["500: bug"]).text()
    assert "errors: 1;" in text
    assert text.endswith("500: bug")
