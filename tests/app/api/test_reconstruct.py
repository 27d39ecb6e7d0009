"""POST /api/models/<id>/reconstruct, with a fake engine."""

import numpy as np

RECONSTRUCT = "/api/models/fake/reconstruct"
POSE = [0.25] * 16


def test_answers_with_one_image_per_pose(client):
    body = {"digit": 4, "poses": [POSE, [0.5, *POSE[1:]]]}
    images = client.post(RECONSTRUCT, json=body).json["images"]
    # The fake paints every pixel digit / 10 + the pose's first number.
    expected = np.stack([np.full((28, 28), 0.65), np.full((28, 28), 0.9)])
    np.testing.assert_allclose(images, expected, rtol=1e-6)
