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


POOLING = Layer(
    id="pool",
    kind="pooling",
    title="Pooled",
    below="maps",
    window=Window(2, 2),
    tensors={**dict.fromkeys(("values", "winners"), "pooled"), "scores": "scores"}
    | {"below": "maps"},
)


@pytest.mark.parametrize(
    ("window", "pooled", "kind"),
    [
        (Window(2, 2), (4, 5, 6), "pooling"),
        (Window(3, 3), (4, 3, 4), "tensor"),
        (Window(3, 2), (4, 4, 5), "tensor"),
        (Window(2, 1), (4, 9, 11), "tensor"),
        (Window((2, 3), (2, 3)), (4, 5, 4), "tensor"),
        (Window(2, 2, -1), (4, 6, 7), "tensor"),
    ],
)
def test_pooling_that_the_page_cannot_follow_is_shown_as_its_values(
    window, pooled, kind
):
    shapes = SHAPES | {"pooled": pooled}
    layers = layers_from("mine", (CONVOLUTION, replace(POOLING, window=window)), shapes)
    check_layers("mine", layers, image=(1, 12, 14), tensors=shapes)
    shown = layers[1]
    assert (shown.kind, shown.window) == (kind, window)
    assert shown.tensors["values"] == "pooled"
    assert ("why" in shown.words) == (kind == "tensor")


@pytest.mark.parametrize("form", ["em", "attention", "dynamic"])
def test_only_routing_that_the_page_can_follow_in_the_middle_is(form):
    routing = Layer(
        id="routing",
        kind="routing",
        form=form,
        title="Routing",
        below="capsules",
        tensors={"couplings": "poses"},
    )
    made = Layer(
        id="made",
        kind="capsules",
        title="Made",
        below="routing",
        tensors={"poses": "made", "activation": "scores"},
    )
    shapes = SHAPES | {"made": (3, 8)}
    # To the classes it is what it is …
    below = (CONVOLUTION, CAPSULES, routing)
    classes = replace(CLASSES, below="routing")
    assert layers_from("mine", (*below, classes), shapes)[2].form == form
    # … and in the middle only routing by agreement.
    layers = layers_from("mine", (*below, made, replace(CLASSES, below="made")), shapes)
    check_layers(
        "mine", layers, image=(1, 12, 14), tensors=shapes, weights=["maps.weight"]
    )
    assert layers[2].kind == ("routing" if form == "dynamic" else "tensor")
    assert layers[3].form == "routed"


JOINED = Layer(
    id="joined",
    kind="tensor",
    title="Joined",
    below="maps",
    beside=("others",),
    window=Window(1),
    tensors={"values": "joined"},
)


@pytest.mark.parametrize(
    ("joined", "shape", "message"),
    [
        ({}, (7, 10, 12), None),
        ({}, (8, 10, 12), "beside must be of layers whose maps together are 8×10×12"),
        ({}, (7, 5, 6), "window must be one that fits|beside must be of layers"),
        (
            {"beside": ("lost",)},
            (7, 10, 12),
            "beside must be of maps, others, got lost",
        ),
        ({"below": None}, (7, 10, 12), "beside must be empty, but for a tensor"),
        ({"below": ["maps"]}, (7, 10, 12), "below must be None, for the image, or"),
    ],
)
def test_layers_side_by_side_are_joined_where_they_fit(joined, shape, message):
    shapes = SHAPES | {"others": (3, 10, 12), "joined": shape}
    others = replace(
        CONVOLUTION,
        id="others",
        window=Window(5, 1, -1),
        tensors={"pre": "others"},
        weights={},
    )
    layers = (CONVOLUTION, others, replace(JOINED, **joined))

    def check():
        found = layers_from("mine", layers, shapes)
        check_layers("mine", found, image=(1, 12, 14), tensors=shapes)

    if message is None:
        return check()
    with pytest.raises(DescriptionError, match=message):
        check()


def test_layers_side_by_side_look_equally_far_apart():
    shapes = {"a": (2, 10, 12), "b": (2, 5, 6), "c": (2, 5, 6), "joined": (4, 5, 6)}

    def maps(id, below, step):
        return Layer(
            id=id,
            kind="tensor",
            title=id,
            below=below,
            window=Window(1, step),
            tensors={"values": id},
        )

    lower = maps("a", None, 1), maps("b", "a", 2)
    joined = replace(JOINED, below="b", beside=("c",))
    for step, is_right in ((2, True), (1, False)):
        layers = (*lower, maps("c", "a", step), joined)
        if is_right:
            check_layers("mine", layers, image=(1, 10, 12), tensors=shapes)
            continue
        with pytest.raises(DescriptionError, match="with the same step in the image"):
            check_layers("mine", layers, image=(1, 10, 12), tensors=shapes)
