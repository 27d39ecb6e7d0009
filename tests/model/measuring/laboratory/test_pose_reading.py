"""What is read of poses, of networks whose code is known."""

import numpy as np
import pytest
import torch

from capsnet_explorer.commands import main
from capsnet_explorer.model.cnn.architecture import ARCHITECTURE as CNN
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.laboratory import pose_reading
from capsnet_explorer.model.measuring.laboratory.experiments import EXPERIMENTS, Subject
from capsnet_explorer.model.measuring.laboratory.pose_reading import (
    KNOBS,
    measured_reading,
    reading_report,
)
from capsnet_explorer.model.weights import load_weights
from tests.model.measuring.laboratory.entries import by_way_of_the_card, last
from tests.tiny import CNN_SIZES

CPU = torch.device("cpu")
ROWS, COLUMNS = torch.meshgrid(torch.arange(16.0), torch.arange(16.0), indexing="ij")


class Places:
    """An architecture whose code is where the ink is, and where it is not told."""

    code_title = "place of the ink"

    @staticmethod
    def code(trace, labels):
        return trace[torch.arange(len(labels)), labels]


def centre(images):
    """Return the ink's centre for class 0; for class 1 upside down; 0 for class 2."""
    ink = images.sum((1, 2)).clamp(min=1e-6)
    x = (images * COLUMNS).sum((1, 2)) / ink
    y = (images * ROWS).sum((1, 2)) / ink
    place = torch.stack([x, y], dim=1)
    return torch.stack([place, -place, 0 * place], dim=1)


SUBJECT = Subject(Places, centre, CPU)


def blots(count, seed, classes):
    """Return `count` blots, each a square of 3 x 3 in the middle of 16 x 16 pixels."""
    images = torch.zeros(count, 16, 16, dtype=torch.uint8)
    generator = torch.Generator().manual_seed(seed)
    images[:, 6:9, 6:9] = torch.randint(
        100, 256, (count, 3, 3), generator=generator, dtype=torch.uint8
    )
    return LabelledImages(images, torch.arange(count) % classes)


@pytest.fixture
def shifts(monkeypatch):
    """Only shifts to the right, so that tests are quick."""
    monkeypatch.setattr(pose_reading, "KNOBS", {"shift": KNOBS["shift"]})


def readings_of(subject, classes, training=120, test=60):
    entry = last(
        measured_reading(subject, blots(training, 1, classes), blots(test, 2, classes))
    )
    return entry["knobs"]["shift"]["readings"]


def test_a_code_that_tells_the_shift_is_read_in_every_class(shifts):
    found = readings_of(SUBJECT, 2)
    assert found["code"]["numbers"] == 2
    assert found["code"]["r2"] > 0.99
    assert found["code"]["r2_low"] <= found["code"]["r2"] <= found["code"]["r2_high"]
    assert all(each > 0.99 for each in found["code"]["classes"])
    assert found["code"]["error"] < 0.25  # px; the blots' own centres differ
    assert "code_components" not in found
    assert abs(found["shuffled"]["r2"]) < 0.3
    assert found["pixels"]["numbers"] == 256
    assert found["pixels_components"]["numbers"] == 16


def test_a_code_that_tells_nothing_is_not_read(shifts):
    *_, silent = readings_of(SUBJECT, 3)["code"]["classes"]
    assert silent < 0.05
    assert readings_of(SUBJECT, 3)["code"]["r2"] < 0.75


def test_long_codes_are_also_read_by_few_components(shifts):
    class Pixels(Places):
        @staticmethod
        def code(trace, labels):
            return trace.flatten(1)

    found = readings_of(Subject(Pixels, lambda images: images, CPU), 1)
    assert found["code"]["numbers"] == 256
    assert found["code_components"]["numbers"] == 16
    for part in ("", "_components"):
        code, pixels = found[f"code{part}"], found[f"pixels{part}"]
        assert code["r2"] == pytest.approx(pixels["r2"], abs=0.01)


def test_an_interrupted_measurement_goes_on(monkeypatch):
    some = {name: KNOBS[name] for name in ("shift", "scale", "shear")}
    monkeypatch.setattr(pose_reading, "KNOBS", some)
    images = blots(16, 1, 1), blots(8, 2, 1)
    entries = by_way_of_the_card(measured_reading(SUBJECT, *images))
    assert [list(each["knobs"]) for each in entries] == [
        list(some)[:count] for count in (1, 2, 3)
    ]
    told = []
    rest = list(
        measured_reading(SUBJECT, *images, entries[0], lambda *now: told.append(now))
    )
    assert rest == entries[1:]
    assert told == [(2, 16, 24), (2, 24, 24), (3, 16, 24), (3, 24, 24)]
    assert not list(measured_reading(SUBJECT, *images, entries[-1]))
    other = entries[-1] | {"training_images": 15}
    assert len(list(measured_reading(SUBJECT, *images, other))) == 3


def test_every_knob_is_one_of_the_experiments():
    """So that the page finds what is read beside the curve of the same name."""
    for name, knob in KNOBS.items():
        experiment = EXPERIMENTS[name]
        assert knob.words == experiment.knob
        assert experiment.values[0] <= knob.low < knob.high <= experiment.values[-1]


def test_what_describes_an_image(subject):
    images = torch.rand(3, 1, 12, 12)
    labels = torch.tensor([2, 0, 1])
    poses = subject.network(images).poses[torch.arange(3), labels]
    assert torch.allclose(subject.codes(images.numpy(), labels), poses, atol=1e-6)
    cnn = CNN.build(CNN_SIZES).eval()
    hidden = Subject(CNN, cnn, CPU).codes(images.numpy(), labels)
    assert torch.allclose(hidden, cnn(images).hidden, atol=1e-6)
    assert CNN.code_title == "hidden layer"


def test_the_command_writes_it_into_the_card(capsys, stored, mnist_folder):
    path = stored()
    options = ("--data", str(mnist_folder), "--images", "9")
    assert main(["measure", str(path), "--only", "pose_reading", *options]) == 0
    entry = load_weights(path).card["measurements"]["pose_reading"]
    assert (entry["images"], entry["training_images"]) == (9, 17)
    assert entry["code"] == "pose of the class capsule"
    assert entry["knobs"].keys() == KNOBS.keys()
    assert reading_report(entry) in capsys.readouterr().out
    assert main(["measure", str(path), "--only", "pose_reading", *options]) == 0


def test_the_report_names_what_was_read(shifts):
    entry = last(measured_reading(SUBJECT, blots(16, 1, 1), blots(8, 2, 1)))
    found = entry["knobs"]["shift"]["readings"]["code"]
    head, knob, first, *_ = reading_report(entry).splitlines()
    assert head == (
        "amounts read from 8 test images, by readers fitted on 16 training images"
    )
    assert knob == "shift: pixels to the right, -4 to 4"
    assert first.split()[:4] == ["place", "of", "the", "ink"]
    assert f"R² = {found['r2']:.3f}" in first


def test_amounts_are_spread_over_the_knobs_range(shifts):
    told = []

    class Listening(Places):
        @staticmethod
        def code(trace, labels):
            told.extend((trace[:, 0, 0] - 7).tolist())
            return trace[:, 0]

    readings_of(Subject(Listening, centre, CPU), 1)
    amounts = np.array(told)
    assert len(amounts) == 180
    assert -4.4 < amounts.min() < -3.5
    assert 3.5 < amounts.max() < 4.4
    assert len(set(amounts.round(3))) > 150
