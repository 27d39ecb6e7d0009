"""What a description of layers must be, and what is said of one that is not."""

import json
from dataclasses import replace

import pytest
from capsnet_explorer.model.architectures import ARCHITECTURES, architecture_named
from capsnet_explorer.model.layers.description import (
    DescriptionError,
    Layer,
    Window,
    check_layers,
    layers_from,
)

from tests.browser.server import ROOT

USUAL = ROOT / "tests" / "static" / "networks" / "layers.json"
SHAPES = {
    "maps": (4, 10, 12),
    "poses": (2, 4, 5, 8),
    "lengths": (2, 4, 5),
    "scores": (3,),
}
CONVOLUTION = Layer(
    id="maps",
    kind="convolution",
    title="Maps",
    window=Window(3),
    tensors={"pre": "maps"},
    weights={"kernels": "maps.weight"},
)
CAPSULES = Layer(
    id="capsules",
    kind="capsules",
    title="Capsules",
    below="maps",
    window=Window(3, 2),
    tensors={"poses": "poses", "activation": "lengths"},
)
CLASSES = Layer(
    id="classes",
    kind="classes",
    title="Classes",
    below="capsules",
    tensors={"scores": "scores"},
)


def checked(*layers, weights=("maps.weight",)):
    found = layers_from("mine", layers, SHAPES)
    check_layers("mine", found, image=(1, 12, 14), tensors=SHAPES, weights=weights)
    return found


def test_what_the_shapes_tell_need_not_be_said():
    forms = [layer.form for layer in checked(CONVOLUTION, CAPSULES, CLASSES)]
    assert forms == [None, "vectors", "probabilities"]


def test_a_layer_may_be_a_mapping():
    given = {
        **{"id": "maps", "kind": "convolution", "title": "Maps", "below": None},
        "window": {"size": [3, 3], "step": 1, "first": 0},
        **{"tensors": {"pre": "maps"}, "letter": "M"},
    }
    (layer,) = checked(given)
    assert layer.window == Window((3, 3))
    assert layer.words == {"letter": "M"}


@pytest.mark.parametrize(
    ("layer", "message"),
    [
        ({"id": "Maps!"}, "mine, layer Maps!: id must be small letters"),
        ({"id": "input"}, "mine, layer input: id must be none of image, input"),
        ({"kind": "graph"}, "kind must be one of convolution, .*, got graph"),
        ({"kind": "routing"}, "form must be one of dynamic, em, attention, got None"),
        ({"below": "conv7"}, "below must be None, for the image, or maps, got conv7"),
        ({"tensors": {}}, "tensors.poses must be the name of a tensor, got nothing"),
        (
            {"tensors": {**CAPSULES.tensors, "moved": "pose"}},
            r"mine, layer capsules: tensors.moved must be one of the trace's, maps, "
            r".*, got pose$",
        ),
        (
            {"weights": {"kernels": "w"}},
            "weights.kernels must be one of the network's, maps.weight, got w",
        ),
        ({"order": "any"}, "order must be one of permute, stack, view, got any"),
        (
            {"window": Window(3, 3)},
            r"window must be one that fits 4 times into 10 rows, got size 3, step 3 "
            r"and first 0, which reach 12$",
        ),
        ({"window": Window((3, 3), (2, 3))}, "5 times into 12 columns, .* reach 15"),
        ({"window": Window(0)}, "window must be 1 or more in size and step"),
        ({"window": Window(3, 2, -3)}, "window must be one that begins at -2 or later"),
        ({"window": Window("3")}, "window must be whole numbers"),
        ({"id": "maps"}, "layer maps: id must be one that no other layer has"),
    ],
)
def test_a_description_that_cannot_be_shown_is_refused_in_one_sentence(layer, message):
    with pytest.raises(DescriptionError, match=message) as found:
        checked(CONVOLUTION, replace(CAPSULES, **layer))
    assert str(found.value).startswith("mine, layer ")
    assert "\n" not in str(found.value)


def test_two_layers_may_not_claim_one_name_in_links():
    first = replace(CONVOLUTION, links={"map": "map"})
    second = replace(CAPSULES, links={"capsule": "map"})
    message = (
        "^mine, layer capsules: links.capsule must be one that no other layer has, got "
        "map, which is maps's$"
    )
    with pytest.raises(DescriptionError, match=message):
        checked(first, second)


def test_two_layers_side_by_side_may_not_claim_one_key():
    first = replace(CONVOLUTION, keys={"map": "map"})
    upper = replace(first, id="upper", below="maps", window=None)
    checked(first, upper)  # it shares the field with the layer beneath
    beside = replace(first, id="beside")
    with pytest.raises(DescriptionError, match=r"layer beside: keys.map must be"):
        checked(first, beside)


@pytest.mark.parametrize("padding", [0, 1, 2])
@pytest.mark.parametrize("step", [1, 2])
def test_padded_windows_fit(padding, step):
    rows = (10 + 2 * padding - 5) // step + 1
    columns = (12 + 2 * padding - 5) // step + 1
    shapes = {"a": (3, 10, 12), "b": (3, rows, columns)}
    lower = replace(CONVOLUTION, window=None, tensors={"pre": "a"}, weights={})
    upper = replace(
        CONVOLUTION,
        id="upper",
        below="maps",
        window=Window(5, step, -padding),
        tensors={"pre": "b", "below": "a"},
    )
    check_layers("mine", (lower, upper), image=(1, 10, 12), tensors=shapes)
    wrong = replace(upper, window=Window(5, step + 1, -padding))
    with pytest.raises(DescriptionError, match="window must be one that fits"):
        check_layers("mine", (lower, wrong), image=(1, 10, 12), tensors=shapes)


def test_the_pages_tests_have_the_layers_of_today():
    layers = {
        name: [
            layer.as_json()
            for layer in architecture_named(name).described(
                architecture_named(name).settings.sizes()
            )
        ]
        for name in ARCHITECTURES
    }
    # To renew: write this as JSON with an indent of 2.
    assert json.loads(USUAL.read_text()) == json.loads(json.dumps(layers))
