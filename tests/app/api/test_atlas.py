"""The atlas's routes, with a fake engine that was measured."""

import numpy as np
import pytest
from safetensors.numpy import load

from capsnet_explorer.app import create_app
from capsnet_explorer.app.content.datasets import open_test_set
from capsnet_explorer.app.content.pairs import Pairs
from capsnet_explorer.app.engines.facts import WeightInfo
from tests.app.answers import BINARY, refusal
from tests.app.conftest import LABELS, FakeEngine, info_of
from tests.archives import drawings

IMAGES, NUMBERS = 8, 10  # the fake's embedding: its ten scores
RANDOM = np.random.default_rng(0)
TENSORS = {
    "labels": np.arange(IMAGES, dtype=np.uint8),
    "predictions": np.arange(IMAGES, dtype=np.uint8)[::-1],
    "scores": RANDOM.random((IMAGES, 10)).astype(np.float16),
    "positions.capsules": RANDOM.random((IMAGES, 2)).astype(np.float16),
    "codes": RANDOM.integers(-127, 128, (IMAGES, 3)).astype(np.int8),
    "codes.step": np.array([0.01, 0.02, 0.03], np.float32),
    "codes.mean": RANDOM.random(NUMBERS).astype(np.float32),
    "codes.axes": RANDOM.random((3, NUMBERS)).astype(np.float32),
}


class Measured(FakeEngine):
    """Was measured for the atlas, in which its scores are the embedding."""

    def __init__(self):
        names = {name: tensor.shape for name, tensor in TENSORS.items()}
        measured = (
            *(WeightInfo(f"atlas.{name}", shape) for name, shape in names.items()),
            *info_of("known").measured,
        )
        super().__init__(
            "known", measured=measured, card={"atlas": {"embedding": "scores"}}
        )

    def weights(self, names):
        prefix = "measured.atlas."
        return {name: TENSORS[name.removeprefix(prefix)] for name in names}


@pytest.fixture
def client(data_folder, engine):
    engines = {"known": Measured(), "fake": engine}
    return create_app(engines, data_folder=data_folder).test_client()


def test_the_atlas_has_everything_but_the_codes(client):
    response = client.get("/api/models/known/atlas", headers=BINARY)
    tensors = load(response.data)
    names = {name for name in TENSORS if not name.startswith("codes")}
    assert set(tensors) == names
    for name in names:
        assert np.array_equal(tensors[name], TENSORS[name])
        assert tensors[name].dtype == TENSORS[name].dtype
    assert response.headers["ETag"]


@pytest.mark.parametrize(("way", "path"), [("get", "atlas"), ("post", "nearest")])
def test_what_was_not_measured_is_not_found(client, image, way, path):
    body = {"json": {"image": image}} if way == "post" else {}
    response = getattr(client, way)(f"/api/models/fake/{path}", **body)
    assert "python -m capsnet_explorer measure" in refusal(response, 404)[0]


def test_a_model_without_an_atlas_reads_its_test_images_now(client, engine, pictures):
    response = client.get("/api/models/fake/tested?first=2&count=4", headers=BINARY)
    tensors = load(response.data)
    assert tensors["labels"].tolist() == LABELS[2:6]
    assert tensors["predictions"].tolist() == [9] * 4
    assert tensors["scores"].shape == (4, 10)
    for index, question in enumerate(engine.questions, start=2):
        assert np.allclose(question.image, pictures[index] / 255)
    rest = client.get("/api/models/fake/tested?first=6").json
    assert rest["total"] == len(LABELS)
    assert rest["tensors"]["labels"] == LABELS[6:]


@pytest.mark.parametrize(("classes", "kind"), [(10, np.uint8), (300, np.int32)])
def test_labels_of_pictures_in_folders_come_as_the_page_reads_them(
    tmp_path, classes, kind
):
    for name, content in drawings(2).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    sizes = {"image_rows": 20, "image_columns": 24, "image_channels": 1}
    engine = FakeEngine(
        "own",
        input_shape=(1, 20, 24),
        class_names=tuple(f"c{label}" for label in range(classes)),
        card={"dataset": "folder", "config": sizes},
    )
    client = create_app({"own": engine}, data_folder=tmp_path).test_client()
    tensors = load(client.get("/api/models/own/tested", headers=BINARY).data)
    assert (tensors["labels"].tolist(), tensors["labels"].dtype) == ([0, 1], kind)
    assert tensors["predictions"].dtype == kind


def test_a_model_for_two_digits_reads_the_pairs_of_its_test_set_now(data_folder):
    engine = FakeEngine("two", input_shape=(1, 36, 36), card={"dataset": "overlapping"})
    client = create_app({"two": engine}, data_folder=data_folder).test_client()
    tensors = load(client.get("/api/models/two/tested?first=1", headers=BINARY).data)
    pairs = Pairs(open_test_set(data_folder))
    assert tensors["labels"].tolist() == pairs.labels[1:].tolist()
    assert tensors["predictions"].tolist() == [[9, 8]] * 7
    assert np.array_equal(tensors["digits"], pairs.digits[1:])
    assert np.array_equal(tensors["shifts"], pairs.shifts[1:])
    for index, question in enumerate(engine.questions, start=1):
        assert np.array_equal(question.image, pairs.image(index))


def test_test_images_read_before_are_not_read_again(client, engine):
    path = "/api/models/fake/tested?count=3"
    tag = client.get(path).headers["ETag"]
    again = client.get(path, headers={"If-None-Match": tag})
    assert again.status_code == 304
    assert engine.calls["trace"] == 3
    other = "/api/models/fake/tested?count=2"
    assert client.get(other, headers={"If-None-Match": tag}).status_code == 200


def test_test_images_that_are_not_there_are_not_read(client, engine, tmp_path):
    assert client.get("/api/models/fake/tested?first=8").status_code == 404
    assert client.get("/api/models/fake/tested?count=257").status_code == 422
    none = create_app({"fake": engine}, data_folder=tmp_path / "none").test_client()
    answer = none.get("/api/models/fake/tested")
    assert "in the data folder" in refusal(answer, 404)[0]


def test_the_nearest_are_those_of_a_slow_search(client, image):
    body = {"image": image, "count": 4}
    nearest = client.post("/api/models/known/nearest", json=body).json
    embedding = np.linspace(0, 1, NUMBERS)
    projected = TENSORS["codes.axes"] @ (embedding - TENSORS["codes.mean"])
    apart = [
        sum((code * TENSORS["codes.step"] - projected) ** 2) ** 0.5
        for code in TENSORS["codes"].astype(float)
    ]
    order = sorted(range(IMAGES), key=lambda index: apart[index])[:4]
    assert [entry["index"] for entry in nearest] == order
    assert [entry["label"] for entry in nearest] == order
    assert [entry["labels"] for entry in nearest] == [[label] for label in order]
    for entry in nearest:
        assert entry["distance"] == pytest.approx(apart[entry["index"]], abs=1e-4)


def test_pictures_come_as_bytes_in_the_order_asked_for(client, pictures):
    path = "/api/datasets/mnist-test/images?index=5&index=0&index=5"
    images = load(client.get(path, headers=BINARY).data)["images"]
    assert images.dtype == np.uint8
    assert np.array_equal(images, pictures[[5, 0, 5]])
