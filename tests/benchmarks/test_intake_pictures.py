"""The pictures that the intake is measured with say what they are told to."""

import numpy as np
import pytest

from benchmarks.intake.pictures import MADE, drawings, made
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


@pytest.mark.parametrize("kind", MADE)
def test_chance_is_repeated_by_its_seed_alone(kind):
    first, second = made(kind, DIGITS, 2, 1)
    assert made(kind, DIGITS, 1, 1) == [first]
    assert made(kind, DIGITS, 1, 2)[0].file != first.file != second.file


def test_what_is_said_can_be_read():
    network = load("efficient-mnist")
    (photograph,) = made("photographs of a digit", DIGITS, 1, 0)
    assert network.trace(photograph.file).name == photograph.says
    (date,) = made("dates, 2 2 4 digits", DIGITS, 1, 0)
    text = network.read(date.file).text
    assert [*map(len, text.split())] == [2, 2, 4]
    pairs = zip(text, date.says, strict=True)
    assert sum(read != said for read, said in pairs) <= 1


def test_real_drawings_stand_by_kind(tmp_path):
    (tmp_path / "a.png").write_bytes(b"a")
    rows = ["file\tlabel\tkind\tpolarity", "a.png\t4\tphoto\tdark-on-light"]
    (tmp_path / "manifest.tsv").write_text("\n".join(rows))
    ((kind, (picture,)),) = drawings(tmp_path).items()
    assert kind == "photo, dark-on-light"
    assert (picture.says, picture.file) == ("4", b"a")
