"""The memory of a step: estimated, fitted, and said where it has run out."""

from dataclasses import replace

import pytest
import torch

from capsnet_explorer import cli
from capsnet_explorer.model import commands
from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.cnn.architecture import ARCHITECTURE as CNN
from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.training.memory import (
    Needed,
    figure_in,
    fit_batch,
    is_out_of_memory,
    needed_by,
)
from tests.tiny import CNN_SIZES, square

NEEDED = Needed(always=100, each=10)


@pytest.mark.parametrize(
    ("free", "batch"),
    [(1000, 64), (800, 32), (300, 8), (None, 64)],  # 85 % of it are taken at most
)
def test_the_batch_is_halved_until_it_fits(free, batch):
    messages = []
    recipe = fit_batch(TrainingConfig(batch_size=64), NEEDED, free, messages.append)
    assert recipe.batch_size == batch
    assert len(messages) == (batch < 64)
    assert all("steps have" in words for words in messages)


def test_where_one_image_does_not_fit_it_says_so():
    with pytest.raises(ValueError, match="a step with one image needs about"):
        fit_batch(TrainingConfig(), NEEDED, 120, print)


def test_larger_images_need_more(sizes):
    def bytes_of_image(sizes):
        return needed_by(ARCHITECTURE, sizes, LOSS, sizes.image_shape).each

    assert bytes_of_image(replace(sizes, **square(24))) > 2 * bytes_of_image(sizes) > 0


LOSS = ARCHITECTURE.settings.loss()


def test_figures_of_the_system_are_read_in_bytes(tmp_path):
    file = tmp_path / "status"
    file.write_text("Groups:\nVmSize:\t  3 kB\nfile 9\ninactive_file 7\n")
    names = ("VmSize", "inactive_file", "file", "Groups", "VmPeak")
    assert [figure_in(file, name) for name in names] == [3072, 7, 9, None, None]
    assert figure_in(tmp_path / "none", "VmSize") is None


def test_the_pass_that_is_tried_draws_no_random_numbers():
    """Else dropout would."""
    torch.manual_seed(3)
    CNN.build(CNN_SIZES)
    expected = torch.random.get_rng_state()
    torch.manual_seed(3)
    needed_by(CNN, CNN_SIZES, CNN.settings.loss(), CNN_SIZES.image_shape)
    assert torch.equal(torch.random.get_rng_state(), expected)


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory"),
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20 MiB"),
    ],
)
def test_what_means_that_memory_has_run_out(error, monkeypatch, capsys):
    assert is_out_of_memory(error)

    def fails() -> None:
        """Fail."""
        raise error

    monkeypatch.setattr(commands, "evaluate", fails)
    assert cli.main(["evaluate"]) == 2
    assert "memory has run out" in capsys.readouterr().err


def test_other_errors_are_not_hidden():
    assert not is_out_of_memory(RuntimeError("shapes do not match"))
    assert not is_out_of_memory(ValueError("out of memory"))
