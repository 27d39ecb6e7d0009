"""Requests that nobody thought of: never a bug, and errors always of one shape.

Good requests, built here with every field in every form, are always answered. Broken
ones are made from them, with something else in the place of one value.
"""

import copy
import io
import json
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from capsnet_explorer.app import create_app
from tests.app.conftest import CLASSES, COLUMNS, POSE_DIM, ROWS

CAPSULES = 1152
TENSORS = ["maps", "routing", "scores", "votes"]


@pytest.fixture
def app(engine, other_engine, data_folder):
    """Without a broken model, which a request for all of them would ask."""
    engines = {"fake": engine, "small": other_engine}
    return create_app(engines, data_folder=data_folder)


few = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

# Requests that must be answered.

numbers = st.floats(0, 1) | st.sampled_from([0, 1])
pixel_rows = st.lists(numbers, min_size=COLUMNS, max_size=COLUMNS)
images = st.lists(
    st.sampled_from([[0] * COLUMNS, [1.0] * COLUMNS]) | pixel_rows,
    min_size=ROWS,
    max_size=ROWS,
)
capsules = st.integers(0, CAPSULES - 1)
digits = st.integers(0, CLASSES - 1)
pins = st.fixed_dictionaries(
    {"capsule": capsules, "digit": digits, "coupling": numbers}
)
traces = st.fixed_dictionaries(
    {"image": images},
    optional={
        "iterations": st.none() | st.integers(1, 10),
        "tensors": st.none() | st.lists(st.sampled_from(TENSORS), max_size=100),
        "silence": st.lists(capsules, unique=True, max_size=20),
        "routing": st.sampled_from(["agreement", "uniform"]),
        "pin": st.lists(pins, unique_by=lambda pin: pin["capsule"], max_size=20),
    },
)
poses = st.lists(
    st.lists(st.floats(-1000, 1000), min_size=POSE_DIM, max_size=POSE_DIM),
    min_size=1,
    max_size=5,
)
reconstructions = st.fixed_dictionaries({"digit": digits, "poses": poses})
batches = st.fixed_dictionaries(
    {"images": st.lists(images, min_size=1, max_size=3)},
    optional={
        "iterations": st.none() | st.integers(1, 10),
        "tensors": st.none() | st.lists(st.sampled_from(TENSORS), max_size=100),
    },
)
of_several = st.fixed_dictionaries(
    {"image": images},
    optional={
        "tensors": st.none()
        | st.fixed_dictionaries({"fake": st.lists(st.sampled_from(TENSORS))})
    },
)
questions = (
    st.tuples(st.just("models/fake/trace"), traces)
    | st.tuples(st.just("models/fake/reconstruct"), reconstructions)
    | st.tuples(st.just("models/fake/batch"), batches)
    | st.tuples(st.just("traces"), of_several)
)
accepts = st.sampled_from(["application/json", "application/x-safetensors", "*/*"])


@few
@given(question=questions, accept=accepts)
def test_good_questions_are_answered(client, question, accept):
    route, body = question
    response = client.post(f"/api/{route}", json=body, headers={"Accept": accept})
    assert response.status_code == 200, response.text
    wanted = "application/json" if accept == "*/*" else accept
    assert response.mimetype == wanted


# The same, with something else in the place of one value.

junk = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([-1, 10**30, 2**63, 2**64, -(2**63) - 1])
    | st.floats()
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner)
    ),
    max_leaves=10,
)


def places(value, path=()):
    """Yield the way to every value within `value`, itself included."""
    yield path
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = list(enumerate(value))[:3]  # later ones are treated like these
    else:
        return
    for key, part in inner:
        yield from places(part, (*path, key))


def replaced(value, path, new):
    """Return `value` with `new` in the place at the end of `path`."""
    if not path:
        return new
    changed = copy.copy(value)
    changed[path[0]] = replaced(value[path[0]], path[1:], new)
    return changed


@st.composite
def broken_questions(draw):
    route, body = draw(questions)
    path = draw(st.sampled_from(list(places(body))))
    return route, replaced(body, path, draw(junk))


def assert_answered_or_refused(response, refusals=frozenset({422})):
    assert response.status_code in {200, *refusals}, response.text
    if response.status_code != 200:
        error = response.json["error"]
        assert response.json.keys() == {"error"}
        assert error.keys() == {"message", "field"}
        assert 0 < len(error["message"]) < 300
        assert error["field"] is None or isinstance(error["field"], str)


@few
@given(question=broken_questions())
def test_no_value_in_any_place_is_a_bug(client, question):
    route, body = question
    response = client.post(
        f"/api/{route}",
        data=json.dumps(body),  # writes NaN and Infinity too
        content_type="application/json",
    )
    # The only body that names models: 404 is for those that there are not.
    assert_answered_or_refused(response, {422, 404} if route == "traces" else {422})


@st.composite
def pictures(draw):
    """A picture of any size and kind, written in one of the usual formats."""
    mode = draw(st.sampled_from(["1", "L", "LA", "RGB", "RGBA", "P", "I;16"]))
    size = draw(st.tuples(st.integers(1, 40), st.integers(1, 40)))
    picture = Image.new(mode, size)
    for _ in range(draw(st.integers(0, 6))):
        place = (draw(st.integers(0, size[0] - 1)), draw(st.integers(0, size[1] - 1)))
        picture.paste(
            draw(st.integers(0, 255)) if mode in "1LP" else 1, (*place, *size)
        )
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def crop_of(sides):
    """Four numbers as left, top, right and bottom, in their right order."""
    (left, right), (top, bottom) = sorted(sides[:2]), sorted(sides[2:])
    return ",".join(map(str, (left, top, right, bottom)))


TOLD = st.fixed_dictionaries(
    {},
    optional={
        "ink": st.sampled_from(["auto", "dark", "light"]) | st.text(max_size=5),
        "invert": st.sampled_from(["true", "false", "perhaps"]),
        "threshold": st.floats(0.02, 0.98) | st.floats(),
        "crop": st.lists(st.floats(0, 1), min_size=4, max_size=4).map(crop_of)
        | st.sampled_from(["0,0,1,1", "0.2,0.1,0.9,0.6", "0,0,0.02,0.02", "0,0,1"]),
        "rotate": st.floats(-180, 180) | st.floats(),
        "thickness": st.floats(1, 6) | st.floats(),
        "part": st.integers(0, 3) | st.integers(),
    },
)


@few
@given(
    data=st.binary(max_size=50)
    | pictures()
    | st.tuples(pictures(), st.integers(8, 200)).map(lambda cut: cut[0][: cut[1]]),
    told=TOLD,
    as_form=st.booleans(),
)
def test_no_picture_is_a_bug(client, data, told, as_form):
    body = {"file": (io.BytesIO(data), "a.png")} if as_form else data
    content_type = None if as_form else "image/png"
    response = client.post(
        "/api/images", query_string=told, data=body, content_type=content_type
    )
    assert response.status_code in {200, 413, 415, 422}
    if response.status_code != 200:
        assert response.json["error"].keys() == {"message", "field"}


DIGITS_FIELDS = ["label", "mistakes_of", "order", "seed", "offset", "limit", "unknown"]


@few
@given(
    query=st.dictionaries(
        st.sampled_from(DIGITS_FIELDS),
        st.integers().map(str)
        | st.text(max_size=5)
        | st.sampled_from(["1e3", "random"]),
    ),
    set_id=st.sampled_from(["mnist-test", ""]) | st.text(max_size=5),
)
def test_no_query_is_a_bug(client, query, set_id):
    address = f"/api/datasets/{quote(set_id, safe='')}/digits"
    response = client.get(address, query_string=query)
    assert response.status_code in {200, 308, 404, 422}
