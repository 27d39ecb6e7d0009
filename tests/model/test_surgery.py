"""What a request may ask of routing, against the network's sizes."""

from dataclasses import replace

import pytest

from capsnet_explorer.model.architecture import OptionsError
from capsnet_explorer.model.capsnet.config import CapsNetConfig
from capsnet_explorer.model.surgery import Pin, RoutingOptions, checked_options
from tests.tiny import SIZES

LAST = SIZES.primary_capsules - 1


def pin(capsule, digit=0, coupling=0.5):
    return {"capsule": capsule, "digit": digit, "coupling": coupling}


@pytest.mark.parametrize(
    ("query", "expected"), [({}, 3), ({"iterations": 1}, 1), ({"iterations": 10}, 10)]
)
def test_iterations_are_the_networks_own_unless_asked_for(query, expected):
    options = checked_options(SIZES, query)
    assert options == RoutingOptions(expected)
    assert options.in_response == {"iterations": expected}
    assert not options.has_surgery


def test_a_network_trained_with_more_iterations_may_run_them():
    many = replace(CapsNetConfig(), routing_iterations=12)
    assert checked_options(many, {"iterations": 12}).iterations == 12


def test_surgery_is_the_same_in_whatever_order_it_is_asked_for():
    pins = [pin(1, 2), pin(0, 2)]
    options = checked_options(SIZES, {"silence": [4, 3], "pin": pins})
    reversed_options = checked_options(SIZES, {"silence": [3, 4], "pin": pins[::-1]})
    expected = RoutingOptions(
        3,
        silenced=frozenset({3, 4}),
        pins=frozenset({Pin(1, 2, 0.5), Pin(0, 2, 0.5)}),
    )
    assert options == reversed_options == expected
    assert hash(options) == hash(reversed_options)
    assert options.has_surgery


@pytest.mark.parametrize(
    ("query", "field", "message"),
    [
        ({"iterations": 11}, "iterations", "iterations must be at most 10, got 11"),
        ({"iterations": 0}, "iterations", "iterations must be at least 1, got 0"),
        ({"routing": "none"}, "routing", "must be agreement or uniform, got none"),
        ({"silence": [-1]}, "silence.0", f"a capsule 0..{LAST}, got -1"),
        ({"silence": [0, LAST + 1]}, "silence.1", f"a capsule 0..{LAST}, got"),
        ({"silence": [5, 5]}, "silence.1", "must not repeat a capsule, got 5"),
        ({"pin": [pin(LAST + 1)]}, "pin.0.capsule", f"a capsule 0..{LAST}, got"),
        ({"pin": [pin(1), pin(1, 2)]}, "pin.1.capsule", "must not repeat"),
        ({"pin": [pin(1, 3)]}, "pin.0.digit", "a digit 0..2, got 3"),
        ({"pin": [pin(1, -1)]}, "pin.0.digit", "a digit 0..2, got -1"),
        ({"pin": [pin(1, 2, 1.5)]}, "pin.0.coupling", r"must be in 0\.\.1, got 1\.5"),
    ],
)
def test_what_the_network_has_not_is_refused(query, field, message):
    with pytest.raises(OptionsError, match=message) as caught:
        checked_options(SIZES, query)
    assert caught.value.field == field


def test_the_only_digit_of_a_network_cannot_be_pinned():
    only = replace(SIZES, classes=1)
    with pytest.raises(OptionsError, match="a second digit to share with") as caught:
        checked_options(only, {"pin": [pin(0)]})
    assert caught.value.field == "pin.0.digit"
