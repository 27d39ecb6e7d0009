"""POST /api/models/<id>/sweep: one image under many changes."""

import numpy as np

from capsnet_explorer.app import MAX_BODY, create_app
from tests.app.conftest import FakeEngine

IMAGE = np.linspace(0, 1, 28 * 28).reshape(28, 28).round(3).tolist()
CHANGES = [{}, {"rotate": 90}, {"shift": [2, 0], "ground": 0.1}]


def ask(client, route, body):
    return client.post(f"/api/models/fake/{route}", json=body)


def test_it_answers_as_a_batch_of_the_changed_images(client, engine):
    swept = ask(client, "sweep", {"image": IMAGE, "changes": CHANGES})
    assert swept.status_code == 200
    changed = client.post("/api/transform", json={"image": IMAGE, "changes": CHANGES})
    images = [question.image for question in engine.questions]
    engine.questions.clear()
    batch = ask(client, "batch", {"images": changed.json["images"]})
    assert swept.json == batch.json
    for image, question in zip(images, engine.questions, strict=True):
        np.testing.assert_allclose(image, question.image, atol=1e-7)


def test_a_large_image_needs_no_larger_body_for_more_changes():
    engine = FakeEngine("fake", input_shape=(3, 64, 64))
    client = create_app({"fake": engine}).test_client()
    image = np.full((3, 64, 64), 0.5019607843137255).tolist()
    changes = [{"rotate": 7.5 * step} for step in range(-24, 25)]
    response = ask(client, "sweep", {"image": image, "changes": changes})
    assert response.status_code == 200
    assert len(response.json["predictions"]) == len(changes)
    assert int(response.request.headers["Content-Length"]) < MAX_BODY
