"""What a description of layers must be, and what is said of one that is not."""

import json
from dataclasses import asdict, replace

import pytest

from capsnet_explorer.model.architectures import ARCHITECTURES, architecture_named
from capsnet_explorer.model.layers.description import (
    OF_ROUTING,
    DescriptionError,
    Layer,
    Window,
    check_layers,
)
from capsnet_explorer.model.layers.reading import layers_from
from capsnet_explorer.model.layers.views import DRAWN, choose_views
from tests.browser.server import ROOT

USUAL = ROOT / "tests" / "static" / "networks" / "layers.json"
SHAPES = {
    "maps": (4, 10, 12),
    "poses": (2, 4, 5, 8),
    "lengths": (2, 4, 5),
    "scores": (3,),
}


def layer_of(id, kind, below=None, **more):
    return Layer(id=id, kind=kind, title=id.capitalize(), below=below, **more)


CONVOLUTION = layer_of(
    *("maps", "convolution"),
    window=Window(3),
    tensors={"pre": "maps"},
    weights={"kernels": "maps.weight"},
)
CAPSULES = layer_of(
    *("capsules", "capsules", "maps"),
    window=Window(3, 2),
    tensors={"poses": "poses", "activation": "lengths"},
)
CLASSES = layer_of("classes", "classes", "capsules", tensors={"scores": "scores"})


def checked(*layers, weights=("maps.weight",)):
    described = layers_from("mine", layers, SHAPES)
    check_layers("mine", described, image=(1, 12, 14), tensors=SHAPES, weights=weights)
    return described


def test_what_the_shapes_tell_need_not_be_said():
    forms = [layer.form for layer in checked(CONVOLUTION, CAPSULES, CLASSES)]
    assert forms == [None, "vectors", "probabilities"]


def test_a_layer_may_be_a_mapping():
    mapping = {
        **{"id": "maps", "kind": "convolution", "title": "Maps", "below": None},
        "window": {"size": [3, 3], "step": 1, "first": 0},
        **{"tensors": {"pre": "maps"}, "letter": "M"},
    }
    (layer,) = checked(mapping)
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
            {"tensors": {**CAPSULES.tensors, "below": "pose"}},
            r"mine, layer capsules: tensors.below must be one of the trace's, maps, "
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
    with pytest.raises(DescriptionError, match=message) as refused:
        checked(CONVOLUTION, replace(CAPSULES, **layer))
    assert str(refused.value).startswith("mine, layer ")
    assert "\n" not in str(refused.value)


def test_two_layers_may_not_claim_one_name_in_links_or_one_key():
    linked = replace(CONVOLUTION, links={"map": "map"})
    with pytest.raises(DescriptionError, match=r"links\.capsule must be one .*maps's$"):
        checked(linked, replace(CAPSULES, links={"capsule": "map"}))
    first = replace(CONVOLUTION, keys={"map": "map"})
    upper = replace(first, id="upper", below="maps", window=None)
    checked(first, upper)  # it shares the field with the layer beneath
    with pytest.raises(DescriptionError, match=r"layer beside: keys.map must be"):
        checked(first, replace(first, id="beside"))


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
            {key: value for key, value in asdict(layer).items() if value}
            for layer in architecture_named(name).described(
                architecture_named(name).settings.sizes()
            )
        ]
        for name in ARCHITECTURES
    }
    # To renew: write this as JSON, and then `make fix`.
    assert json.loads(USUAL.read_text()) == json.loads(json.dumps(layers))


POOLING = layer_of(
    *("pool", "pooling", "maps"),
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
    _, pooling = choose_views(layers, shapes)
    assert (pooling.kind, pooling.window) == (kind, window)
    assert pooling.tensors["values"] == "pooled"
    assert ("why" in pooling.words) == (kind == "tensor")


# What the view of each form of routing is drawn from.
ROUTINGS = {
    form: layer_of(
        *("routing", "routing", "capsules"),
        form=form,
        tensors=dict.fromkeys(DRAWN[f"routing {form}"].tensors, "poses"),
        weights=dict.fromkeys(DRAWN[f"routing {form}"].weights, "maps.weight"),
        words={"routes": [{"to": "classes", "from": "capsules"}]},
    )
    for form in ("em", "attention", "dynamic")
}


@pytest.mark.parametrize("form", ROUTINGS)
def test_only_routing_that_the_page_can_follow_in_the_middle_is(form):
    routing = ROUTINGS[form]
    top = layer_of(
        *("made", "capsules", "routing"),
        tensors={"poses": "made", "activation": "scores"}
        | dict.fromkeys(("before", "below"), "made"),
    )
    shapes = SHAPES | {"made": (3, 8)}
    # To the classes it is what it is …
    below = (CONVOLUTION, CAPSULES, routing)
    classes = replace(CLASSES, below="routing")
    layers = layers_from("mine", (*below, classes), shapes)
    check_layers(
        "mine", layers, image=(1, 12, 14), tensors=shapes, weights=["maps.weight"]
    )
    assert choose_views(layers, shapes)[2].form == form
    # … and in the middle only routing by agreement.
    layers = layers_from("mine", (*below, top, replace(CLASSES, below="made")), shapes)
    assert layers[3].form == "routed"
    view = choose_views(layers, shapes)[2]
    assert view.kind == ("routing" if form == "dynamic" else "tensor")
    assert "In the middle" in view.words.get("why", "In the middle")


@pytest.mark.parametrize("form", ROUTINGS)
@pytest.mark.parametrize("field", ["tensors", "weights", "words"])
def test_what_a_view_is_drawn_from_and_lacks_is_named_beside_the_values(form, field):
    routing = ROUTINGS[form]
    needed = getattr(DRAWN[f"routing {form}"], field)
    if not needed:
        return
    *_, lost = (role for role in needed if role not in OF_ROUTING[:1])
    named = {
        name: value for name, value in getattr(routing, field).items() if name != lost
    }
    layers = (replace(routing, **{field: named}),)
    (view,) = choose_views(layers, SHAPES)
    assert (view.kind, view.tensors) == ("tensor", {"values": "poses"})
    assert f"does not name {field}.{lost}, and without this" in view.words["why"]


def test_classes_of_which_only_scores_are_known_are_shown_as_scores():
    layers = checked(CONVOLUTION, CAPSULES, CLASSES)
    classes = choose_views(layers, SHAPES)[2]
    assert (classes.kind, classes.form) == ("classes", "scores")
    more = {"logits": "scores", "below": "scores"}
    weights = dict.fromkeys(("weights", "bias"), "maps.weight")
    whole = replace(layers[2], tensors={**layers[2].tensors, **more}, weights=weights)
    assert choose_views((whole,), SHAPES)[0].form == "probabilities"


def test_poses_of_classes_are_drawn_only_beside_the_routing_that_makes_them():
    routing = ROUTINGS["em"]
    classes = layer_of(
        *("classes", "classes", "routing"),
        form="matrices",
        tensors={"scores": "scores", "poses": "poses", "means": "poses"},
    )
    assert choose_views((routing, classes), SHAPES) == (routing, classes)
    _, scores = choose_views((replace(routing, words={}), classes), SHAPES)
    assert (scores.form, scores.tensors) == ("scores", {"scores": "scores"})


def test_matrices_are_drawn_of_one_size_and_others_as_activations():
    layer = layer_of(
        *("capsules", "capsules"),
        form="matrices",
        tensors={"poses": "poses", "activation": "lengths"},
        weights={"transforms": "maps.weight"},
        words={"above": "classes"},
    )
    sized = {side: SHAPES | {"poses": (2, 4, 5, side, side)} for side in (3, 4)}
    assert choose_views((layer,), sized[4]) == (layer,)
    (view,) = choose_views((layer,), sized[3])
    assert view.tensors == {"values": "lengths"}
    assert "drawn if they are 4×4; these are 3×3" in view.words["why"]


@pytest.mark.parametrize(
    ("layer", "message"),
    [
        (
            replace(ROUTINGS["dynamic"], tensors={}),
            "routing: tensors must be the names of tensors, at least of couplings",
        ),
        (
            replace(
                ROUTINGS["em"], words={"routes": [{"to": "nowhere", "from": "maps"}]}
            ),
            "words.routes must be mappings with `to` and `from`, each of maps, c",
        ),
        (
            replace(ROUTINGS["em"], words={"routes": ["capsules"]}),
            "words.routes must be mappings",
        ),
        (
            replace(CAPSULES, form="matrices", words={"above": "nowhere"}),
            "layer capsules: words.above must be one of maps, capsules, routing",
        ),
    ],
)
def test_words_about_other_layers_name_layers_that_are_there(layer, message):
    by_id = {layer.id: layer for layer in (CONVOLUTION, CAPSULES, ROUTINGS["dynamic"])}
    layers = [*(by_id | {layer.id: layer}).values(), replace(CLASSES, below="routing")]
    with pytest.raises(DescriptionError, match=message):
        check_layers(
            "mine",
            layers_from("mine", layers, SHAPES),
            image=(1, 12, 14),
            tensors=SHAPES,
            weights=["maps.weight"],
        )


JOINED = layer_of(
    *("joined", "tensor", "maps"),
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
        described = layers_from("mine", layers, shapes)
        check_layers("mine", described, image=(1, 12, 14), tensors=shapes)

    if message is None:
        return check()
    with pytest.raises(DescriptionError, match=message):
        check()


def test_layers_side_by_side_look_equally_far_apart():
    shapes = {"a": (2, 10, 12), "b": (2, 5, 6), "c": (2, 5, 6), "joined": (4, 5, 6)}

    def maps(id, below, step):
        return replace(
            JOINED,
            **{"id": id, "below": below, "beside": ()},
            **{"window": Window(1, step), "tensors": {"values": id}},
        )

    def check(step):
        joined = replace(JOINED, below="b", beside=("c",))
        layers = maps("a", None, 1), maps("b", "a", 2), maps("c", "a", step), joined
        check_layers("mine", layers, image=(1, 10, 12), tensors=shapes)

    check(2)
    with pytest.raises(DescriptionError, match="with the same step in the image"):
        check(1)
