"""Several people at the real server at once: nothing fails, nothing is mixed up."""

import sys

import numpy as np
from safetensors.numpy import save

from benchmarks.crowd import Wish, crowd, wishes_of
from benchmarks.server import ROOT
from capsnet_explorer.app.engines.torch import load_engines

WEIGHTS = ROOT / "weights" / "capsnet-mnist.safetensors"


def test_eight_people_at_once_get_what_each_asked_for():
    report = crowd(8, 1, WEIGHTS, each=4)
    assert report.errors == []
    assert report.refused == []
    assert all(report.times_s.values())
    if sys.platform == "linux":
        _, at_middle, at_end = report.memory
        assert 0 < at_end < at_middle + 100 * 2**20


def test_an_answer_to_another_request_is_noticed():
    engine = next(iter(load_engines(WEIGHTS).values()))
    for wishes in wishes_of(engine, np.random.default_rng(0), 3).values():
        for wish in wishes:
            answer = save({wish.tensor: wish.expected})
            assert [each.is_granted(answer) for each in wishes] == [
                each is wish for each in wishes
            ]
    near = Wish("", b"", "numbers", np.array([1.0, 2.0], np.float32))
    assert near.is_granted(save({"numbers": np.array([1.0, 2.0005], np.float32)}))
