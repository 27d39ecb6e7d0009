"""Damage, traps and oddities of folders: each is told, and nothing is run."""

import os
import pickle
import tarfile

import numpy as np
import pytest
from PIL import Image

from capsnet_explorer.datasets.describing import NothingFound, described
from capsnet_explorer.datasets.idx import BrokenFile
from capsnet_explorer.datasets.parts import read_part
from tests.archives import drawings, zipped
from tests.datasets.test_layouts import archive_of, digits, named, pictures, table


def told(place):
    """Return what is said of a folder that can be trained on."""
    description = described(place)
    return " ".join([*description.lines, *description.warnings])


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


@pytest.mark.parametrize("end", ["zip", "tar.gz"])
def test_an_archive_that_is_cut_off_is_refused(tmp_path, end):
    content = archive_of(named("cat", "dog"))
    if end == "tar.gz":
        pictures(tmp_path / "own", named("cat", "dog"))
        with tarfile.open(tmp_path / "whole.tar.gz", "w:gz") as archive:
            archive.add(tmp_path / "own", "own")
        content = (tmp_path / "whole.tar.gz").read_bytes()
    (tmp_path / f"cut.{end}").write_bytes(content[:-100])
    with pytest.raises(BrokenFile, match="must be an undamaged zip or tar file"):
        described(tmp_path / f"cut.{end}")


def test_matlab_files_that_are_cut_off_or_of_another_version_are_refused(tmp_path):
    savemat = pytest.importorskip("scipy.io").savemat
    images, labels = digits()
    savemat(tmp_path / "own.mat", {"images": images, "labels": labels})
    content = (tmp_path / "own.mat").read_bytes()
    (tmp_path / "own.mat").write_bytes(content[: len(content) // 2])
    with pytest.raises(BrokenFile, match=r"own\.mat is damaged: it is cut off"):
        described(tmp_path)
    (tmp_path / "own.mat").write_bytes(b"MATLAB 7.3 MAT-file, Platform: GLNXA64")
    with pytest.raises(BrokenFile, match=r"own\.mat .* save it with -v7"):
        described(tmp_path)


def test_matlab_arrays_are_those_that_were_saved(tmp_path):
    savemat = pytest.importorskip("scipy.io").savemat
    images, labels = digits()
    for do_compression in (True, False):
        content = {"images": images.astype(np.uint8), "labels": labels[:, None]}
        savemat(tmp_path / "own.mat", content, do_compression=do_compression)
        dataset = described(tmp_path).dataset
        read, numbers = read_part(dataset, tmp_path, train=True)
        kept = [k for label in (0, 1) for k in np.flatnonzero(labels == label)]
        kept = sorted(k for place, k in enumerate(kept) if place % 20 % 5 != 4)
        np.testing.assert_array_equal(read[:, 0], images[kept])
        assert numbers.tolist() == labels[kept].tolist()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_among_pictures_is_not_waited_for(tmp_path):
    pictures(tmp_path, named("cat", "dog"))
    os.mkfifo(tmp_path / "cat" / "99.png")
    assert "Left out: pipes and devices (1: cat/99.png)." in told(tmp_path)


def test_links_that_lead_nowhere_and_in_circles_are_named(tmp_path):
    pictures(tmp_path, named("cat", "dog"))
    (tmp_path / "bird").symlink_to(tmp_path / "gone")
    (tmp_path / "cat" / "again").symlink_to(tmp_path)
    words = told(tmp_path)
    assert "links that lead nowhere (1: bird)" in words
    assert "links to folders that are here already (1: cat/again)" in words


def test_empty_folders_and_folders_without_a_name_are_named(tmp_path):
    pictures(tmp_path, named("cat", "dog", "New folder"))
    (tmp_path / "bird").mkdir()
    words = told(tmp_path)
    assert "Left out: empty folders (1: bird)." in words
    assert "the class New folder is called unlike all others (cat, dog)" in words
    packed = zipped(drawings() | {"c/": b""})
    (tmp_path / "own.zip").write_bytes(packed)
    assert "empty folders (1: c)" in told(tmp_path / "own.zip")


def test_a_picture_that_is_damaged_is_found_wherever_it_is(tmp_path):
    pictures(tmp_path, named("cat", "dog", each=30))
    (tmp_path / "dog" / "29.png").write_bytes(b"version https://git-lfs.github.com")
    assert "dog/29.png must be a picture" in told(tmp_path)


def test_each_table_of_a_part_stands_for_itself(tmp_path):
    """As in Tiny ImageNet, where boxes lie beside, and columns have no names."""
    for name in ("n01", "n02"):
        pictures(tmp_path, [f"train/{name}/images/{name}_{k}.png" for k in range(10)])
        rows = [f"{name}_{k}.png\t0\t0\t62\t62" for k in range(10)]
        (tmp_path / "train" / name / "boxes.txt").write_text("\n".join(rows))
    pictures(tmp_path, [f"val/images/val_{k}.png" for k in range(6)])
    rows = [f"val_{k}.png\tn0{k % 2 + 1}\t0\t32\t44\t62" for k in range(6)]
    (tmp_path / "val" / "val_annotations.txt").write_text("\n".join(rows))
    description = described(tmp_path)
    assert description.counts["test"] == {"n01": 3, "n02": 3}
    assert "those that val/val_annotations.txt lists." in " ".join(description.lines)


def test_pictures_of_phones_are_pictures(tmp_path):
    pillow_heif = pytest.importorskip("pillow_heif")
    pillow_heif.register_heif_opener()
    pictures(tmp_path, named("cat", "dog"))
    Image.new("RGB", (64, 64), "red").save(tmp_path / "cat" / "99.heic")
    assert sum(described(tmp_path).counts["training"].values()) == 17


def test_tables_in_an_archive_are_read_by_the_command_too(tmp_path):
    images, labels = digits()
    table(tmp_path / "all.csv", images, labels)
    content = (tmp_path / "all.csv").read_bytes()
    (tmp_path / "own.zip").write_bytes(zipped({"own/all.csv": content}))
    dataset = described(tmp_path / "own.zip").dataset
    assert dataset.name == "csv"
    assert len(read_part(dataset, tmp_path / "own.zip", train=True)[1]) == 32


def test_what_is_in_no_folder_of_a_class_is_named(tmp_path):
    pictures(tmp_path, [f"cat_{number}.png" for number in range(5)])
    with pytest.raises(NothingFound, match=r"pictures in no folder \(5, such as cat_0"):
        described(tmp_path)


def test_a_project_of_teachable_machine_is_named_as_one(tmp_path):
    (tmp_path / "own.tm").write_bytes(zipped({"manifest.json": b"{}"}))
    with pytest.raises(
        NothingFound, match=r"own\.tm is a Teachable Machine project and"
    ):
        described(tmp_path / "own.tm")
