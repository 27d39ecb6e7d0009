"""POST /api/models/<id>/read, with the reading of pictures replaced by a fake."""

import json

import numpy as np
import pytest
from safetensors.numpy import load

from capsnet_explorer.app.engines.facts import Presence
from capsnet_explorer.pictures.reading import (
    Box,
    Found,
    Intake,
    Overrides,
    Step,
    Used,
)
from tests.app.answers import metadata_of, refusal

BINARY = "application/x-safetensors"
PICTURE = {"data": b"picture", "content_type": "image/png"}
READ = "/api/models/fake/read"
SPANS = "must be numbers and ranges such as 0-35,40, of 4096 capsules at most"
PINS = "must be capsules:class:coupling, such as 0-35:4:0.5,40:3:1"
REPORT = {"steps", "found", "chosen", "settings", "warnings"}
DIGIT = np.eye(28, dtype=np.float32)[None]


@pytest.fixture(autouse=True)
def calls(monkeypatch):
    """What the intake was asked."""
    calls = []

    def read_digit(data, overrides):
        calls.append((data, overrides))
        grey = np.zeros((2, 3), np.uint8)
        return Intake(
            image=DIGIT,
            steps=(Step("ink", "Ink", "It was found.", grey),),
            inverted=True,
            found=(Found(Box(), 1.0, grey),),
            chosen=0,
            parts=(0,),
            used=Used(Box(), 0, "dark", 0.4, 2, 2),
            doubts=(),
        )

    monkeypatch.setattr("capsnet_explorer.app.api.pictures.read_digit", read_digit)
    return calls


def test_it_answers_as_the_two_routes_do_one_after_the_other(client):
    intake = client.post("/api/images", **PICTURE).json
    trace = client.post("/api/models/fake/trace", json={"image": intake["image"]}).json
    read = client.post(READ, **PICTURE).json
    of_intake = {name: intake[name] for name in ("image", "inverted")}
    assert read == trace | of_intake | {"doubts": []}


def test_the_intake_looks_for_as_many_digits_as_the_model_names(client, calls, engine):
    client.post(READ, **PICTURE)
    rule = Presence(at_most=2, threshold=0.5)
    shape = {"present": rule, "input_shape": (1, 36, 36)}
    engine.info = engine.info.model_copy(update=shape)
    client.post(READ, **PICTURE)
    client.post(f"{READ}?at_most=1", **PICTURE)
    assert [overrides.at_most for _, overrides in calls] == [1, 2, 1]


def test_a_reading_goes_before_a_trace(client, engine):
    """Someone draws, and waits for it."""
    intake = client.post("/api/images", **PICTURE).json
    client.post("/api/models/fake/trace", json={"image": intake["image"]})
    client.post(f"{READ}?iterations=2", **PICTURE)
    assert [question.is_urgent for question in engine.questions] == [False, True]


def test_the_steps_come_when_they_are_asked_for(client):
    """And with them all else that is told of how the picture was read."""
    intake = client.post("/api/images", **PICTURE).json
    read = client.post(f"{READ}?steps=true", **PICTURE).json
    assert intake.keys() >= REPORT
    assert {name: read[name] for name in intake} == intake


def test_the_query_says_how_to_read_and_what_to_answer(client, calls):
    query = "ink=light&rotate=90&iterations=2&tensors=scores&tensors=routing"
    answer = client.post(f"{READ}?{query}", **PICTURE).json
    assert calls == [(b"picture", Overrides(ink="light", rotate=90))]
    assert answer["iterations"] == 2
    assert list(answer["tensors"]) == ["scores", "routing"]
    assert np.shape(answer["tensors"]["routing"]) == (2, 5)


@pytest.mark.parametrize(
    ("query", "trace"),
    [
        ("silence=0-2,7", {"silence": [0, 1, 2, 7]}),
        (
            "silence=3&silence=9&routing=uniform",
            {"silence": [3, 9], "routing": "uniform"},
        ),
        (
            "iterations=2&pin=0-1:4:0.5,7:3:1",
            {
                "iterations": 2,
                "pin": [
                    {"capsule": 0, "digit": 4, "coupling": 0.5},
                    {"capsule": 1, "digit": 4, "coupling": 0.5},
                    {"capsule": 7, "digit": 3, "coupling": 1.0},
                ],
            },
        ),
    ],
)
def test_it_asks_the_engine_for_what_a_trace_does(client, engine, query, trace):
    assert client.post(f"{READ}?{query}", **PICTURE).status_code == 200
    (question,) = engine.questions
    assert question.options == engine.options(trace)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("silence=0,two", f'{SPANS}, got "two"'),
        ("silence=5-2", f'{SPANS}, got "5-2"'),
        ("silence=0-99999999999", f'{SPANS}, got "0-99999999999"'),
        ("silence=", f'{SPANS}, got ""'),
        ("silence=0-4095,0", "must name at most 4096 capsules, got more"),
        ("pin=0-4095:4:1,0:4:1", "must name at most 4096 capsules, got more"),
        ("pin=3:4", f'{PINS}, got "3:4"'),
        ("pin=3:4:high", f'{PINS}, got "3:4:high"'),
        ("routing=none", "must be 'agreement' or 'uniform'"),
        ("iterations=two", 'must be a valid integer, got "two"'),
    ],
)
def test_what_cannot_be_changed_in_routing_is_told(client, query, message):
    answer, field = refusal(client.post(f"{READ}?{query}", **PICTURE))
    assert field == query.split("=")[0]
    assert message in answer


def test_a_safetensors_answer_holds_the_same(client):
    headers = {"Accept": BINARY}
    address = f"{READ}?tensors=scores&steps=true"
    answer = client.post(address, headers=headers, **PICTURE)
    plain = client.post(address, **PICTURE).json
    assert answer.mimetype == BINARY
    tensors = load(answer.data)
    assert tensors.keys() == {"scores", "image"}
    np.testing.assert_array_equal(tensors["image"], DIGIT[0])
    np.testing.assert_allclose(tensors["scores"], plain["tensors"]["scores"])
    metadata = metadata_of(answer.data)
    assert metadata["model"] == "fake"
    assert metadata["prediction"] == str(plain["prediction"])
    assert metadata["version"] == "version-of-fake"
    for name in REPORT:
        assert json.loads(metadata[name]) == plain[name]


def test_a_model_of_another_size_reads_the_image_scaled(client, other_engine):
    read = client.post("/api/models/small/read", **PICTURE).json
    (question,) = other_engine.questions
    assert question.image.shape == (1, 3, 2)
    np.testing.assert_allclose(read["image"], question.image[0], rtol=1e-6)
    # A pixel covers 28/3 rows of 14 columns: the diagonal has 28/3 of its ink in the
    # first, half of that in each of the middle two, and never meets the others.
    whole = (28 / 3) / (28 / 3 * 14)
    expected = [[whole, 0], [whole / 2, whole / 2], [0, whole]]
    np.testing.assert_allclose(question.image[0], expected, atol=0.5 / 255 + 1e-6)
