"""What is understood of a folder, in words, before anything is trained."""

import io

import numpy as np
import pytest
from PIL import Image, ImageDraw

from capsnet_explorer.cli import main
from capsnet_explorer.datasets.describing import (
    NothingFound,
    all_equal,
    described,
    warnings_of,
)
from capsnet_explorer.datasets.looks import ground_of, looks_of
from capsnet_explorer.datasets.pictures import OneClass


def drawing(ink=20, paper=240, side=60, colour=False):
    """Return a PNG file of a stroke on paper."""
    image = Image.new("RGB", (side, side), (paper,) * 3)
    colours = (ink, ink, 255) if colour else (ink,) * 3
    ImageDraw.Draw(image).line((10, 10, 45, 50), colours, width=6)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def write(folder, classes, content=None, end="png"):
    for name, count in classes.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        for number in range(count):
            (folder / name / f"{number:02}.{end}").write_bytes(content or drawing())


def test_a_folder_of_drawings_is_described(tmp_path, capsys):
    write(tmp_path / "in", {"one": 60, "two": 10})
    (tmp_path / "in" / "two" / "notes.txt").write_text("")
    assert main(["data", "--describe", str(tmp_path / "in")]) == 0
    words = capsys.readouterr().out
    for line in (
        "one                48          12",
        "two                 8           2",
        "in all             56          14",
        "The pictures are grey, dark on light, as ink on paper.",
        "Width and height in pixels, of 56 of the 70 pictures: 60x60.",
        "Left out: .txt (1: two/notes.txt).",
        "every fifth picture of a class is for the test",
        "Warning: fewer than 10 training images show two.",
        "the commonest class has 48 training images, the rarest 8: the setting balance",
        f"--dataset folder --data {tmp_path}/in --size 28x28 --grey --inverted",
    ):
        assert line in words


def test_what_is_said_can_be_trained_on(tmp_path):
    write(tmp_path, {"one": 10, "two": 10})
    description = described(tmp_path)
    options = [
        "--dataset",
        description.dataset.name,
        "--data",
        str(tmp_path),
        *description.options,
    ]
    recipe = ["--preset", "quick", "--run", str(tmp_path / "run"), "--batch-size", "8"]
    assert main(["train", "--architecture", "cnn", *options, *recipe]) == 0
    assert (tmp_path / "run" / "cnn-folder.safetensors").is_file()
    assert main(["evaluate", str(tmp_path / "run"), "--data", str(tmp_path)]) == 0


@pytest.mark.parametrize(
    ("folder", "message"),
    [("empty", "must hold folders with pictures"), ("missing", "does not exist")],
)
def test_where_there_is_nothing_it_says_what_is_needed(tmp_path, folder, message):
    (tmp_path / "empty").mkdir()
    with pytest.raises(NothingFound, match=message):
        described(tmp_path / folder)


def test_pictures_of_one_class_are_told(tmp_path):
    write(tmp_path, {"one": 5})
    with pytest.raises(OneClass, match="two classes or more, got one alone"):
        described(tmp_path)


@pytest.mark.parametrize(
    ("ink", "paper", "ground"),
    [(20, 240, "light"), (250, 5, "dark"), (60, 190, "light")],
)
def test_plain_grounds_are_light_or_dark(ink, paper, ground):
    pixels = np.full((20, 20), float(paper))
    pixels[5:15, 8:11] = ink
    assert ground_of(pixels) == ground


def test_grounds_that_vary_are_photographs():
    pixels = np.random.default_rng(0).uniform(0, 255, (20, 20))
    assert ground_of(pixels) == "varied"


def test_form_follows_from_looks():
    looks = looks_of([Image.open(io.BytesIO(drawing(colour=True)))] * 3)
    grey = looks_of([Image.open(io.BytesIO(drawing()))] * 3)
    noise = np.random.default_rng(0).integers(0, 255, (40, 40, 3), np.uint8)
    photograph = looks_of([Image.fromarray(noise)])
    assert (looks.form.channels, looks.is_coloured) == (1, False)  # a pen's colour
    assert (grey.form.shape, grey.form.is_inverted) == ((1, 28, 28), True)
    assert photograph.form.shape == (3, 32, 32)
    assert photograph.sizes == {(40, 40): 1}


def test_a_coloured_thing_tells_something_and_a_pen_does_not():
    leaf, line = (Image.new("RGB", (64, 64), "white") for _ in range(2))
    ImageDraw.Draw(leaf).ellipse((19, 19, 45, 45), "green")
    ImageDraw.Draw(line).line(((10, 10), (40, 50)), "green", width=6)
    assert looks_of([leaf]).is_coloured
    assert not looks_of([line]).is_coloured


def test_warnings_count():
    assert warnings_of({"a": 100, "b": 100}, {"a": 1, "b": 1}) == []
    (few,) = warnings_of({"a": 9, "b": 20})
    assert few == "fewer than 10 training images show a."
    empty, untested = warnings_of({"a": 0, "b": 20, "c": 20}, {"b": 1})
    assert empty == "no training image shows a: a network cannot learn that."
    assert untested == "no test image shows c."
    assert all_equal(np.ones((3, 2)))
    assert not all_equal(np.eye(3))
