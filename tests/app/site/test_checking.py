"""Graphs are held against their network where numbers are in danger."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from capsnet_explorer.app.site.checking import _difference, _requests


def reading(**shapes: list[int]) -> Any:
    inputs = [SimpleNamespace(name=name, shape=shapes[name]) for name in shapes]
    return SimpleNamespace(get_inputs=lambda: inputs)


def info(*, routes: bool, most: int = 0) -> Any:
    return SimpleNamespace(
        can=SimpleNamespace(route=routes),
        classes=10,
        details={"max_routing_iterations": most},
    )


def test_everything_is_silenced_and_routed_as_often_as_a_request_may_ask():
    graph = reading(image=[1, 28, 28], silenced=[16], held=[16, 10], iterations=[])
    requests = _requests(info(routes=True, most=10), graph)
    assert {"silence": [*range(16)]} in requests
    assert {"iterations": 10} in requests
    assert {"routing": "uniform"} in requests
    maps = _requests(info(routes=False), reading(image=[1, 28, 28], silenced=[4]))
    assert maps == [{}, {"silence": [0, 1, 2, 3]}, {"silence": [0, 2]}]
    assert _requests(info(routes=False), reading(image=[1, 28, 28])) == [{}]


def test_what_is_no_number_is_no_answer():
    with pytest.raises(ValueError, match="lengths must be what PyTorch computes"):
        _difference(np.full(10, np.nan), np.zeros(10), "lengths")
    with pytest.raises(ValueError, match="lengths must be"):
        _difference(np.full(10, 0.01), np.zeros(10), "lengths")
    assert _difference(np.full(10, 1e-6), np.zeros(10), "lengths") == 1e-6
