"""Every field of every request, with each thing that the document says it cannot be.

A request that can be answered is changed in one place; it is then refused by a sentence
that begins with the name of the place.
"""

import re

import pytest

from capsnet_explorer.app import create_app
from tests.app.answers import refusal
from tests.app.conftest import Attackable

IMAGE = [[0.5] * 28] * 28
MODEL = "/api/models/fake"
RUN = "/api/runs/0123abcd"
SET = "/api/sets/0123abcd"
MISSING = object()

BODIES = {
    f"post {MODEL}/trace": {
        "image": IMAGE,
        "iterations": 4.0,  # JSON has one kind of number: some write 4 as 4.0
        "tensors": ["scores"],
        "silence": [3.0],
        "routing": "uniform",
        "pin": [{"capsule": 7, "digit": 9, "coupling": 0.5}],
    },
    f"post {MODEL}/batch": {"images": [IMAGE], "iterations": 2, "tensors": ["maps"]},
    f"post {MODEL}/reconstruct": {"digit": 3, "poses": [[0.25] * 16]},
    f"post {MODEL}/nearest": {"image": IMAGE, "count": 4},
    f"post {MODEL}/attack": {
        **{"image": IMAGE, "label": 3, "method": "pgd", "epsilons": [0.1], "steps": 2},
        **{"target": 7, "gradient": "last", "loss": "trained", "seed": 1},
        "path": True,
    },
    "post /api/traces": {"image": IMAGE, "tensors": {"fake": ["scores"]}},
    f"post {MODEL}/sweep": {
        **{"image": IMAGE, "changes": [{"rotate": 30.0}], "iterations": 2},
        "tensors": ["scores"],
    },
    "post /api/transform": {
        "image": IMAGE,
        "changes": [
            {
                **{"rotate": 30, "shift": [2, -1.5], "scale": 1.2, "shear": -10},
                **{"stroke": 0.5, "blur": 0.8, "contrast": 0.7, "ground": 0.1},
                **{"noise": 0.05, "seed": 9.0},
            }
        ],
    },
    "post /api/overlay": {
        **{"images": [IMAGE, IMAGE], "shifts": [[0, 0], [1, -1]], "canvas": [36, 36]}
    },
    "post /api/render": {
        "toy": {"category": "truck", "seed": 5, "parameters": {"cargo_height": 0.3}},
        **{"azimuth": 20, "elevation": 40, "light": 4},
        **{"size": 24, "ground": "road", "tint": "red"},
    },
    "post /api/runs": {"dataset": "idx", "threads": 1, "start": "0123abcd@1"},
    f"patch {RUN}": {"learning_rate": 0.01, "state": "paused"},
    f"post {RUN}/keep": {"step": 0, "name": "mine", "title": "Mine"},
    f"patch {SET}": {
        **{"size": [16, 16], "channels": 1, "inverted": True, "left_out": ["dot"]}
    },
    "post /api/downloads": {"dataset": "mnist"},
}

PICTURE = {
    **{"as": "digit", "size": 32, "ink": "dark", "invert": True, "threshold": 0.3},
    **{"rotate": -12.5, "thickness": 3, "part": 1, "at_most": 2},
}
QUERIES = {
    "get /api/models": {"brief": True},
    f"get {MODEL}/measured/types": {"glance": True},
    "post /api/images": PICTURE,
    f"post {MODEL}/read": PICTURE | {"iterations": 2, "steps": True},
    f"get {MODEL}/tested": {"first": 1, "count": 2},
    "get /api/datasets/mnist-test/digits": {
        **{"label": 4, "order": "random", "seed": 5, "offset": 2, "limit": 3}
    },
    "get /api/datasets/mnist-test/images": {"index": 5},
    f"get {RUN}/events": {"after": 1},
    "post /api/sets": {"size": 10},
    f"put {SET}/file": {"offset": 0},
}

# What no document can say: it depends on the model, or on other fields.
UNSUITED = [
    (f"post {MODEL}/trace", {"image": IMAGE[1:]}, "image must have 28 rows, got 27"),
    (
        f"post {MODEL}/trace",
        {"image": [row[1:] for row in IMAGE]},
        "image.0 must have 28 numbers, got 27",
    ),
    (
        f"post {MODEL}/trace",
        {"iterations": 11},
        "iterations must be at most 10, got 11",
    ),
    (
        f"post {MODEL}/trace",
        {"tensors": ["maps", "x"]},
        'tensors.1 must be a tensor of fake, got "x"',
    ),
    (
        f"post {MODEL}/batch",
        {"images": [IMAGE, IMAGE[1:]]},
        "images.1 must have 28 rows, got 27",
    ),
    (
        f"post {MODEL}/batch",
        {"iterations": 11},
        "iterations must be at most 10, got 11",
    ),
    (
        f"post {MODEL}/batch",
        {"tensors": ["x"]},
        'tensors.0 must be a tensor of fake, got "x"',
    ),
    (f"post {MODEL}/reconstruct", {"digit": 10}, "digit must be at most 9, got 10"),
    (
        f"post {MODEL}/reconstruct",
        {"poses": [[0.25] * 15]},
        "poses.0 must have 16 numbers, got 15",
    ),
    (f"post {MODEL}/attack", {"image": IMAGE[1:]}, "image must have 28 rows, got 27"),
    (f"post {MODEL}/attack", {"label": 10}, "label must be at most 9, got 10"),
    (f"post {MODEL}/attack", {"target": 10}, "target must be at most 9, got 10"),
    (
        f"post {MODEL}/attack",
        {"method": "fgsm"},
        "path must be false unless the method is bim or pgd, got fgsm",
    ),
    (
        f"post {MODEL}/attack",
        {"epsilons": [0.1, 0.2, 0.3]},
        "epsilons must hold one number if path is true, got 3",
    ),
    (
        "post /api/traces",
        {"tensors": {"fake": ["scores", "x"]}},
        'tensors.fake.1 must be a tensor of fake, got "x"',
    ),
    (f"post {MODEL}/sweep", {"image": IMAGE[1:]}, "image must have 28 rows, got 27"),
    (
        "post /api/transform",
        {"image": IMAGE[1:]},
        "image must have 28 rows of 28 numbers, as a model reads it, got 27 rows of 28",
    ),
    (
        "post /api/overlay",
        {"images": [IMAGE, [[0.5] * 37]]},
        "images.1 must have at most 36 rows of 36 numbers, got 1 rows of 37",
    ),
]


WRONG = {
    "integer": ["3", True, 1.5, [], {}],
    "number": ["0.5", True, [], {}],
    "boolean": [1, "true"],
    "string": [7, []],
    "array": [7, "x", {}],
    "object": [7, []],
}
UNREADABLE = {
    **{"integer": ["", "x", "1.5"], "number": ["", "nan", "inf"]},
    **{"boolean": ["perhaps"], "string": [], "array": []},
}


@pytest.fixture(scope="module")
def engine():
    return Attackable("fake")


@pytest.fixture(scope="module")
def client(engine, tmp_path_factory):
    data = tmp_path_factory.mktemp("data")
    return create_app({"fake": engine}, data_folder=data).test_client()


@pytest.fixture(scope="module")
def document(client):
    return client.get("/api/openapi.json").json


def described(document, route):
    """Return what the document says of a request."""
    method, _, address = route.partition(" ")
    (operation,) = (
        methods[method]
        for path, methods in document["paths"].items()
        if method in methods
        and re.fullmatch(re.sub(r"{\w+}", r"[\\w-]+", path), address)
    )
    return operation


def beyond(schema):
    """Yield the numbers next to those that a schema allows."""
    if "minimum" in schema:
        yield schema["minimum"] - 1
    if "maximum" in schema:
        yield schema["maximum"] + 1
    if "exclusiveMaximum" in schema:
        yield schema["exclusiveMaximum"]


def faults(schemas, schema, value, path=()):
    """Yield what must not stand in a value, each with its place in it."""
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        yield from faults(schemas, schema["anyOf"][0], value, path)
        return
    yield from ((path, wrong) for wrong in wrong_in_place(schema, value))
    if isinstance(value, list):
        inner = schema.get("items") or schema["prefixItems"][0]
        yield from faults(schemas, inner, value[0], (*path, 0))
    if isinstance(value, dict):
        yield from faults_of_fields(schemas, schema, value, path)


def wrong_in_place(schema, value):
    """Return what a value must not be."""
    wrong = [*WRONG[schema["type"]], *beyond(schema)]
    if "enum" in schema:
        wrong = ["none of these"]
    if "maxLength" in schema:
        wrong.append("x" * (schema["maxLength"] + 1))
    if schema.get("minItems"):
        wrong.append([])
    if "maxItems" in schema:
        wrong.append(value[:1] * (schema["maxItems"] + 1))
    return wrong


def faults_of_fields(schemas, schema, value, path):
    """Yield what must not stand in an object's fields, each with its place."""
    for name in schema.get("required", ()):
        yield (*path, name), MISSING
    others = schema.get("additionalProperties")
    if others is False:
        yield (*path, "colour"), 1
    for name, part in value.items():
        inner = schema.get("properties", {}).get(name, others)
        if isinstance(inner, dict):
            yield from faults(schemas, inner, part, (*path, name))


def replaced(value, path, new):
    """Return a value with another in one place."""
    if not path:
        return new
    first, *rest = path
    if isinstance(value, list):
        return [replaced(value[0], rest, new), *value[1:]]
    if new is MISSING and not rest:
        return {name: part for name, part in value.items() if name != first}
    return value | {first: replaced(value.get(first), rest, new)}


@pytest.mark.parametrize("route", BODIES)
def test_what_is_wrong_in_a_body_is_told_by_its_place(client, engine, document, route):
    method, _, address = route.partition(" ")
    good = BODIES[route]
    answer = client.open(address, method=method, json=good)
    assert answer.status_code != 422 or good == {"symbols": {}}, answer.text
    before = len(engine.questions)
    schema = described(document, route)["requestBody"]["content"]["application/json"]
    cases = [*faults(document["components"]["schemas"], schema["schema"], good)]
    for path, wrong in cases:
        body = replaced(good, path, wrong)
        answer = client.open(address, method=method, json=body)
        message, field = refusal(answer)
        if path:
            prefix = ".".join(map(str, path))
            assert f"{field}.".startswith(f"{prefix}."), (wrong, message)
            need = r" (must .*, got .*|is required|is not a field of this request)"
            assert re.fullmatch(re.escape(field) + need, message), (prefix, wrong)
        assert len(message) < 200
    assert {path[0] for path, _ in cases if path} >= good.keys()
    assert len(engine.questions) == before


@pytest.mark.parametrize("route", QUERIES)
def test_what_is_wrong_in_a_query_is_told_by_its_name(client, document, route):
    method, _, address = route.partition(" ")
    parameters = described(document, route)["parameters"]
    known = {parameter["name"]: parameter["schema"] for parameter in parameters}
    tried = [("colour", "red")]
    for name in QUERIES[route]:
        schema = known[name].get("anyOf", [known[name]])[0]
        schema = schema.get("items", schema)
        wrong = [*UNREADABLE[schema["type"]], *beyond(schema)]
        tried += [(name, value) for value in wrong]
        tried += [(name, "none of these")] if "enum" in schema else []
    body = {} if method == "get" else {"content_type": "image/png", "data": b"x"}
    for name, wrong in tried:
        query = QUERIES[route] | {name: wrong}
        answer = client.open(address, method=method, query_string=query, **body)
        message, field = refusal(answer)
        assert f"{field}.".startswith(f"{name}."), (wrong, message)
        assert message.startswith(f"{field} "), (wrong, message)


def test_every_request_is_tried(document):
    """But those that name a version alone, which may be anything."""
    operations = [described(document, route) for route in (*BODIES, *QUERIES)]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            fields = [
                *(operation.get("requestBody", {}).get("content", {})),
                *(
                    parameter["name"]
                    for parameter in operation.get("parameters", ())
                    if parameter["in"] == "query" and parameter["name"] != "version"
                ),
            ]
            assert not fields or operation in operations, (method, path)


@pytest.mark.parametrize(("route", "change", "message"), UNSUITED)
def test_what_does_not_suit_a_model_is_told(client, engine, route, change, message):
    method, _, address = route.partition(" ")
    before = len(engine.questions)
    answer = client.open(address, method=method, json=BODIES[route] | change)
    assert refusal(answer) == (message, message.partition(" ")[0])
    assert len(engine.questions) == before


@pytest.mark.parametrize(
    "route",
    [
        *(route for route in (*BODIES, *QUERIES) if MODEL in route),
        *(f"get {MODEL}{part}" for part in ("", "/kernels", "/kernels/primary/0")),
        *(f"get {MODEL}{part}" for part in ("/weights/a", "/measured/a", "/atlas")),
    ],
)
def test_a_model_that_is_not_there_is_not_found(client, route):
    method, _, address = route.replace("fake", "nobody").partition(" ")
    sent = {"json": BODIES[route]} if route in BODIES else {}
    if route in QUERIES and method == "post":
        sent = {"data": b"x", "content_type": "image/png"}
    message, field = refusal(client.open(address, method=method, **sent), 404)
    assert message == 'the model must be one of fake, got "nobody"'
    assert field is None
