"""What a run needs before it can start."""

import pytest

from capsnet_explorer.app.engines.recipes import check_ready, is_ready
from capsnet_explorer.app.errors import UnknownThing
from capsnet_explorer.datasets.catalogue import TEST, TRAINING


@pytest.mark.parametrize(
    ("dataset", "hint"),
    [
        ("mnist", "download it with `python -m capsnet_explorer data`$"),
        (
            "kmnist",
            "download it with `python -m capsnet_explorer data --dataset kmnist`$",
        ),
        ("toys", "make it with `python -m capsnet_explorer toys`$"),
        ("cifar10", "download it with .* data --dataset cifar10`$"),
        ("csv", r"put its files into \.$"),
    ],
)
def test_what_is_missing_is_told_with_how_to_get_it(tmp_path, dataset, hint):
    assert not is_ready(dataset, tmp_path)
    with pytest.raises(UnknownThing, match=f"missing on this machine: .* can {hint}"):
        check_ready(dataset, tmp_path)


def test_a_data_set_is_ready_once_all_its_files_are_there(tmp_path):
    (tmp_path / "toys").mkdir()
    for name in (*TRAINING, *TEST):
        assert not is_ready("toys", tmp_path)
        (tmp_path / "toys" / name).touch()
    assert is_ready("toys", tmp_path)
    check_ready("toys", tmp_path)
