"""What is predicted is the place of a class: its name stands beside it everywhere."""

import json

import pytest
from PIL import Image, ImageDraw

from capsnet_explorer.app import create_app
from tests.app.answers import BINARY, metadata_of
from tests.app.conftest import MISTAKES, Attackable
from tests.intake_pictures import encoded

NAMES = tuple("abcdefghij")
MODEL = "/api/models/letters"


@pytest.fixture
def client(data_folder):
    engine = Attackable("letters", class_names=NAMES, card={"mistakes": MISTAKES})
    return create_app({"letters": engine}, data_folder=data_folder).test_client()


def metadata_for(client, address, body):
    """Return the metadata of an answer in safetensors."""
    return metadata_of(client.post(address, json=body, headers=BINARY).data)


def test_a_trace_names_its_class(client, image):
    image[0][0] = 0.035
    body = {"image": image}
    alone = client.post(f"{MODEL}/trace", json=body).json
    (together,) = client.post("/api/traces", json=body).json["traces"]
    for trace in (alone, together):
        assert (trace["prediction"], trace["name"]) == (3, "d")
    assert metadata_for(client, f"{MODEL}/trace", body)["name"] == "d"
    assert metadata_for(client, "/api/traces", body)["letters/name"] == "d"


def test_a_batch_names_the_class_of_each_image(client, image):
    images = [[[shade, *image[0][1:]], *image[1:]] for shade in (0.015, 0.085)]
    address, body = f"{MODEL}/batch", {"images": images}
    batch = client.post(address, json=body).json
    assert (batch["predictions"], batch["names"]) == ([1, 8], ["b", "i"])
    assert json.loads(metadata_for(client, address, body)["names"]) == ["b", "i"]


def test_an_attack_names_what_it_reaches_step_by_step(client, image):
    address = f"{MODEL}/attack"
    body = {"image": image, "method": "bim", "label": 3, "epsilons": [0.1]}
    body |= {"steps": 2, "path": True}
    answer = client.post(address, json=body)
    assert answer.status_code == 200, answer.text
    metadata = metadata_for(client, address, body)
    for prefix, steps in (("", answer.json), ("path.", answer.json["path"])):
        assert steps["names"] == [NAMES[best] for best in steps["predictions"]]
        assert json.loads(metadata[f"{prefix}names"]) == steps["names"]


def test_a_picture_names_its_class(client):
    ink = Image.new("L", (600, 200), "white")
    ImageDraw.Draw(ink).line([(100, 50), (100, 150)], "black", 12)
    picture = {"data": encoded(ink, "PNG"), "content_type": "image/png"}
    read = client.post(f"{MODEL}/read", **picture).json
    assert read["name"] == NAMES[read["prediction"]]
    answer = client.post(f"{MODEL}/read", headers=BINARY, **picture)
    assert metadata_of(answer.data)["name"] == read["name"]


def test_a_misread_digit_names_what_it_was_taken_for(client):
    address = "/api/datasets/mnist-test/digits?mistakes_of=letters"
    digits = client.get(address).json["digits"]
    assert [digit["name"] for digit in digits] == ["c", "d"]
