"""Good requests, with every field in every form that it may have, are answered.

`tests/fuzz` asks what is not good, too.
"""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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
