"""The film of a run: a real one, of a tiny network on drawn digits."""

import numpy as np
import pytest
import torch
from safetensors import safe_open

from capsnet_explorer.commands import main
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.figures import film
from capsnet_explorer.model.figures.film import (
    FIRST,
    MOMENTS,
    chosen_moments,
    write_film,
)
from capsnet_explorer.model.training import run as training_run
from capsnet_explorer.model.training import watching
from capsnet_explorer.model.weights import load_weights
from capsnet_explorer.sample_digits import load_samples, writing

TINY = ("--conv1-kernels", "40", "--primary-types", "2", "--decoder-hidden", "8", "16")
SHORT = ("--examples", "40", "--batch-size", "20", "--epochs", "1", "--threads", "1")
TESTED = 30


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folder of a run of two steps, and the film of it."""
    folder = tmp_path_factory.mktemp("film")
    recipe = ("--dataset", "drawn", "--preset", "live", *TINY, *SHORT)
    with pytest.MonkeyPatch.context() as patch:
        # The allocator's setting would outlive the test.
        patch.setattr(training_run, "keep_large_buffers", lambda: False)
        patch.setattr(writing, "COUNTS", {"training": 60, "test": 40})
        patch.setattr(watching, "TESTED", TESTED)
        patch.setattr(film, "TESTED", TESTED)
        run = folder / "run"
        assert main(["train", "--watched", "--run", str(run), *recipe]) == 0
        size = write_film(run, folder, folder / "film.safetensors")
        test = writing.written("test"), writing.labels_of("test")
    assert (folder / "film.safetensors").stat().st_size == size
    with safe_open(folder / "film.safetensors", framework="numpy") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        return run, tensors, file.metadata(), test


def test_a_film_shows_each_moment_as_its_snapshot_computes_it(made):
    run, tensors, metadata, (images, labels) = made
    assert tensors["steps"].tolist() == [0, 1, 2]
    assert tensors["images"].tolist() == [0, 20, 40]
    assert (metadata["tested"], metadata["all_kernels"]) == (str(TESTED), "40")
    samples = {each.id: each for each in load_samples()}
    ids = [
        "zero-round",
        "one-plain",
        "two-plain",
        *("three-round", "four-open", "five-bar", "six-curved", "seven-plain"),
        *("eight-swift", "nine-straight"),
    ]
    assert metadata["samples"] == str(ids).replace("'", '"')
    pixels = torch.from_numpy(np.stack([samples[id].image for id in ids]))
    tested = LabelledImages(
        torch.from_numpy(images[:TESTED])[:, None],
        torch.from_numpy(labels[:TESTED].astype(np.int64)),
    )
    for place, step in enumerate(tensors["steps"]):
        network = load_weights(run / "watched" / f"{step}.safetensors").network
        with torch.no_grad():
            trace = network(pixels)
            read = network(tested.images.float() / 255).scores.argmax(dim=1)
        lengths = tensors["lengths"][place] / 255
        np.testing.assert_allclose(lengths, trace.scores, atol=0.002)
        both = tensors["drawn"][place]
        grey = np.stack([both >> 4, both & 15], axis=2).reshape(10, 784) / 15
        drawn = trace.reconstruction.flatten(1)
        np.testing.assert_allclose(grey, drawn, atol=0.034)
        reach = tensors["kernels.reach"][0]
        kernels = (tensors["kernels"][place].astype(float) - 128) * reach / 127
        weights = network.get_parameter("conv1.weight").detach()[:36, 0]
        np.testing.assert_allclose(kernels, weights, atol=reach / 250)
        assert tensors["wrong"][place] == (read != tested.labels).sum()
    assert np.isfinite(tensors["loss"]).all()


def test_the_first_moments_follow_each_other():
    assert chosen_moments(3) == [0, 1, 2]
    chosen = chosen_moments(60)
    assert len(chosen) == MOMENTS
    assert chosen[:FIRST] == list(range(FIRST))
    assert chosen[-1] == 59
    assert chosen == sorted({*chosen})


def test_a_run_that_was_not_watched_has_no_film(tmp_path):
    with pytest.raises(ValueError, match="has no snapshots: train with --watched"):
        write_film(tmp_path, tmp_path, tmp_path / "film.safetensors")
