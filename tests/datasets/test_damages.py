"""Damage and traps of files: each is told, and nothing is run."""

import os
import pickle

import numpy as np
import pytest

from capsnet_explorer.datasets.describing import described
from capsnet_explorer.datasets.idx import BrokenFile
from capsnet_explorer.datasets.parts import read_part
from tests.datasets.layouts import archive_of, digits, lay_out, named, saved_by_matlab


class Trap:
    def __reduce__(self):
        return os.mkdir, ("trapped",)


def test_a_pickle_that_names_something_to_run_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("data_batch_1", "test_batch", "batches.meta"):
        (tmp_path / name).write_bytes(pickle.dumps({b"data": Trap()}))
    with pytest.raises(BrokenFile, match=r"names posix\.mkdir, which is never run"):
        described(tmp_path)
    assert not (tmp_path / "trapped").exists()


def test_an_archive_that_is_cut_off_is_refused(tmp_path):
    (tmp_path / "own.zip").write_bytes(archive_of(named("cat", "dog")))
    lay_out(tmp_path, "=tar_of_pictures")
    for name in ("own.zip", "own.tar.gz"):
        content = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(content[:-100])
        with pytest.raises(BrokenFile, match="must be an undamaged zip or tar file"):
            described(tmp_path / name)


@pytest.mark.parametrize("is_packed", [True, False])
def test_matlab_arrays_are_those_that_were_saved_or_are_refused(tmp_path, is_packed):
    images, labels = digits()
    saved_by_matlab(
        tmp_path,
        is_packed=is_packed,
        images=images.astype(np.uint8),
        labels=labels[:, None],
    )
    read, numbers = read_part(described(tmp_path).dataset, tmp_path, train=True)
    kept = np.arange(40) % 10 < 8  # every fifth of a class is for the test
    np.testing.assert_array_equal(read[:, 0], images[kept])
    assert numbers.tolist() == labels[kept].tolist()
    content = (tmp_path / "own.mat").read_bytes()
    (tmp_path / "own.mat").write_bytes(content[: len(content) // 2])
    with pytest.raises(BrokenFile, match=r"own\.mat is damaged: it is cut off"):
        described(tmp_path)
