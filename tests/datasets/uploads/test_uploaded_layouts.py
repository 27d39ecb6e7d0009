"""What docs/data.md says of a layout holds of an upload, too."""

import zipfile

import pytest

from capsnet_explorer.datasets.uploads.folder import UPLOAD
from capsnet_explorer.datasets.uploads.images import made_of
from tests.datasets.test_layouts import CASES


def uploaded(own, place):
    """Pack a folder as people do, and put it where an upload is read."""
    place.mkdir()
    with zipfile.ZipFile(place / UPLOAD, "w") as archive:
        for file in sorted(own.rglob("*")):
            archive.write(file, f"own/{file.relative_to(own).as_posix()}")
    return place


@pytest.mark.parametrize("layout", CASES)
def test_a_layout_is_understood_as_the_command_line_does(layout, tmp_path):
    make, classes, counts, told = CASES[layout]
    own = tmp_path / "own"
    own.mkdir()
    make(own)
    place = uploaded(own, tmp_path / "set")
    request = {"name": "own.zip"}
    if classes is None:
        with pytest.raises(ValueError, match=told.partition(". Say")[0]):
            made_of(place, request, print)
        return
    found = made_of(place, request, print)
    assert found.class_names == classes
    assert (len(found.labels["training"]), len(found.labels["test"])) == counts
