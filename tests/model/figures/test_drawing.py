"""`python -m capsnet_explorer figures`: the files it draws, and what they say."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from PIL import Image

from capsnet_explorer.commands import main
from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.figures import drawing as figures
from capsnet_explorer.model.figures.drawing import draw_figures
from capsnet_explorer.model.figures.plots import (
    confusion_matrix,
    learning_curves,
    sweep_sheet,
)
from capsnet_explorer.model.measuring.card import measure
from capsnet_explorer.model.measuring.evaluation import evaluate
from capsnet_explorer.model.training.log import Log, LogRow
from capsnet_explorer.model.weights import save_weights
from tests.model.varied import varied

CPU = torch.device("cpu")
OF_NETWORK = ["confusion", "most-wrong", "most-unsure", "reconstructions"]


@pytest.fixture
def weights(tmp_path, network, digits):
    """A weight file in a run's folder, with its card."""
    _, card = measure(ARCHITECTURE, varied(network), digits, CPU, "test")
    names = ["dark", "upper", "lower"]
    path = tmp_path / "run" / "capsnet-idx.safetensors"
    words = {"title": "Tiny", "dataset": "idx", "class_names": names}
    save_weights(path, ARCHITECTURE, network, {**words, **card})
    return path


def write_log(folder):
    log = Log(folder / "log.csv", keep_until=0)
    row = LogRow(0.5, 10, 1.0, 100.0, 0.001, 0.3, 0.2, 0.1, 0.75)
    log.write(row)
    log.write(replace(row, epoch=1.0, step=20, accuracy=1.0, validation_accuracy=0.8))


def draw(source, data, output=None, sweep="measured"):
    drawn = draw_figures(source, data=data, output=output, device=CPU, sweep=sweep)
    return list(drawn)


def names_of(paths):
    return [path.stem for path in paths]


def test_everything_about_a_run_is_drawn(weights, idx_folder):
    write_log(weights.parent)
    paths = draw(weights.parent, idx_folder)
    names = names_of(paths)
    assert names[: len(OF_NETWORK) + 1] == ["learning-curves", *OF_NETWORK]
    assert set(names[len(OF_NETWORK) + 1 :]) <= {"sheet-0", "sheet-1", "sheet-2"}
    assert len(names) > len(OF_NETWORK) + 1
    for path in paths:
        assert path.parent == weights.parent / "figures"
        with Image.open(path) as picture:
            low, high = picture.convert("L").getextrema()
            assert (picture.format, low < 50, high > 200) == ("PNG", True, True)


def test_of_a_run_under_way_the_curves_are_drawn(tmp_path):
    write_log(tmp_path)
    assert names_of(draw(tmp_path, tmp_path)) == ["learning-curves"]


def test_a_network_measured_on_held_out_images_is_drawn_with_those(
    weights, idx_folder, monkeypatch
):
    card = json.loads(weights.with_suffix(".json").read_text())
    card |= {"measured_on": "validation", "training": {"validation": 7}}
    weights.with_suffix(".json").write_text(json.dumps(card))
    for path in idx_folder.glob("t10k-*"):
        path.unlink()  # the test set is not read
    counted = []

    def watched(network, digits, device):
        counted.append(len(digits))
        return evaluate(network, digits, device)

    monkeypatch.setattr(figures, "evaluate", watched)
    assert "confusion" in names_of(draw(weights, idx_folder))
    assert counted == [7]


@pytest.mark.parametrize("sweep", ["measured", "paper"])
def test_the_command_names_what_it_drew_of_a_weight_file_without_its_curves(
    weights, idx_folder, tmp_path, capsys, sweep
):
    write_log(weights.parent)
    arguments = ("--data", str(idx_folder), "--device", "cpu", "--sweep", sweep)
    output = tmp_path / "elsewhere"
    assert main(["figures", str(weights), *arguments, "--output", str(output)]) == 0
    paths = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert names_of(paths)[: len(OF_NETWORK)] == OF_NETWORK
    assert {path.parent for path in paths} == {output}


def test_nothing_to_draw_is_told(tmp_path, capsys):
    assert main(["figures", str(tmp_path)]) == 2
    assert "is neither a run's folder nor a weight file" in capsys.readouterr().err


def test_without_matplotlib_it_is_told_what_to_install(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["figures", str(tmp_path)]) == 2
    assert "pip install -r requirements-train.txt" in capsys.readouterr().err


def test_curves_show_every_point_that_a_logarithmic_axis_has_a_place_for(tmp_path):
    rows = [
        {"epoch": 1.0, "accuracy": 0.9, "validation_accuracy": None},
        {"epoch": 2.0, "accuracy": 1.0, "validation_accuracy": 0.95},
    ]
    losses = {"loss": 0.3, "class_loss": 0.2, "reconstruction_loss": 0.1}
    rows = [{**row, **losses, "learning_rate": 0.001} for row in rows]
    drawn, errors, rates = learning_curves(rows, "a run").axes
    assert [line.get_ydata().tolist() for line in drawn.lines] == [
        [value, value] for value in losses.values()
    ]
    training, held_out = errors.lines
    assert training.get_xydata().tolist() == [[1.0, pytest.approx(0.1)]]
    assert held_out.get_xydata().tolist() == [[2.0, pytest.approx(0.05)]]
    assert rates.lines[0].get_ydata().tolist() == [0.001, 0.001]


def test_the_confusion_matrix_writes_every_count_where_it_belongs():
    counts = torch.tensor([[5, 2], [0, 7]])
    axes = confusion_matrix(counts, ["cat", "dog"], "Pets").axes[0]
    written = {text.get_position(): text.get_text() for text in axes.texts}
    assert written == {(0, 0): "5", (1, 0): "2", (1, 1): "7"}  # x: read, y: label
    assert counts.tolist() == [[5, 2], [0, 7]]


def test_a_sheet_has_a_row_for_each_number_and_a_column_for_each_step():
    images = torch.rand(3, 4, 1, 2, 2)
    bounds = torch.tensor([[-0.1, 0.2], [0.0, 0.5], [-0.25, 0.25]])
    axes = sweep_sheet(images, bounds, "a capsule").axes[0]
    drawn = torch.as_tensor(axes.images[0].get_array())
    for number in range(3):
        for step in range(4):
            part = drawn[2 * number : 2 * number + 2, 2 * step : 2 * step + 2]
            assert torch.equal(part, images[number, step, 0])
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels == ["1:  −0.10", "2:  +0.00", "3:  −0.25"]
