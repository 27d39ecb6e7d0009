"""The pictures that the intake is measured with say what they are told to."""

import numpy as np

from benchmarks.intake.pictures import drawings, photographs
from capsnet_explorer.app.content.datasets import Dataset
from capsnet_explorer.datasets.digits import load_samples
from capsnet_explorer.model import load

SAMPLES = [each for each in load_samples() if each.label is not None]
DIGITS = Dataset(
    id="samples",
    dataset="mnist",
    title="",
    images=np.rint([255 * each.image[0] for each in SAMPLES]).astype(np.uint8),
    labels=np.array([each.label for each in SAMPLES]),
)


def test_chance_is_repeated_by_its_seed_alone_and_what_is_said_can_be_read():
    first, second = photographs(DIGITS, 2, 1)
    assert photographs(DIGITS, 1, 1) == [first]
    assert photographs(DIGITS, 1, 2)[0].file != first.file != second.file
    assert load("efficient-mnist").trace(first.file).name == first.says


def test_real_drawings_stand_by_kind(tmp_path):
    (tmp_path / "a.png").write_bytes(b"a")
    rows = ["file\tlabel\tkind\tpolarity", "a.png\t4\tphoto\tdark-on-light"]
    (tmp_path / "manifest.tsv").write_text("\n".join(rows))
    ((kind, (picture,)),) = drawings(tmp_path).items()
    assert kind == "photo, dark-on-light"
    assert (picture.says, picture.file) == ("4", b"a")
