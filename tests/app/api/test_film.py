"""GET /api/film: a training, recorded."""

import numpy as np
from safetensors.numpy import load

from capsnet_explorer.app.content.film import FILM

URL = "/api/film"
BINARY = {"Accept": "application/x-safetensors"}


def test_the_film_has_the_same_moments_in_every_tensor(client):
    found = client.get(URL).json
    tensors = {name: np.array(each) for name, each in found["tensors"].items()}
    moments = len(tensors["steps"])
    assert 40 <= moments <= 60
    assert {len(each) for each in tensors.values()} == {moments}
    assert tensors["kernels"].shape[1:] == (36, 9, 9)
    assert tensors["drawn"].shape[1:] == (10, 28, 28)
    assert tensors["lengths"].shape[1:] == (10, 10)
    assert tensors["steps"][0] == tensors["images"][0] == 0
    for name in ("steps", "images", "seconds"):
        assert (np.diff(tensors[name]) >= 0).all()
    # Denser at the beginning.
    assert tensors["steps"][moments // 2] < tensors["steps"][-1] / 4
    assert (found["tested"], found["kernels"]) == (2000, 64)
    assert (found["architecture"], found["preset"]) == ("capsnet", "live")
    samples = [each["id"] for each in client.get("/api/samples").json["samples"]]
    assert set(found["samples"]) < set(samples)


def test_a_program_gets_tensors(client):
    answer = client.get(URL, headers=BINARY)
    tensors, plain = load(answer.data), client.get(URL).json["tensors"]
    assert tensors.keys() == plain.keys()
    assert tensors["drawn"].dtype == np.uint8
    np.testing.assert_allclose(tensors["lengths"], plain["lengths"], atol=1e-6)
    again = client.get(URL, headers={**BINARY, "If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_the_file_is_as_small_as_its_pictures_allow():
    assert FILM.stat().st_size < 300_000
