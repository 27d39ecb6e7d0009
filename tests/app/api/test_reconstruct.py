"""POST /api/models/<id>/reconstruct, with a fake engine."""

import numpy as np
import pytest
from safetensors.numpy import load

RECONSTRUCT = "/api/models/fake/reconstruct"
POSE = [0.25] * 16


def test_answers_with_one_image_per_pose(client):
    body = {"digit": 4, "poses": [POSE, [0.5, *POSE[1:]]]}
    images = client.post(RECONSTRUCT, json=body).json["images"]
    # The fake paints every pixel digit / 10 + the pose's first number.
    expected = np.stack([np.full((28, 28), 0.65), np.full((28, 28), 0.9)])
    np.testing.assert_allclose(images, expected, rtol=1e-6)


def test_the_binary_answer_holds_the_same_images(client):
    body = {"digit": 4, "poses": [POSE] * 3}
    headers = {"Accept": "application/x-safetensors"}
    arrays = load(client.post(RECONSTRUCT, json=body, headers=headers).data)
    assert list(arrays) == ["images"]
    assert arrays["images"].dtype == np.float32
    images = client.post(RECONSTRUCT, json=body).json["images"]
    np.testing.assert_array_equal(arrays["images"], np.array(images, np.float32))


@pytest.mark.parametrize("count", [1, 256])
def test_takes_up_to_256_poses(client, count):
    response = client.post(RECONSTRUCT, json={"digit": 0, "poses": [POSE] * count})
    assert len(response.json["images"]) == count


def test_digit_and_pose_sizes_are_those_of_the_model(client):
    small = "/api/models/small/reconstruct"
    assert client.post(small, json={"digit": 3, "poses": [[0] * 5]}).status_code == 200
    assert client.post(small, json={"digit": 4, "poses": [[0] * 5]}).status_code == 422
