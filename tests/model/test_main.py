"""The command line: what it offers, and how it fails."""

import contextlib
import io
import subprocess
import sys
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest
from safetensors.numpy import load_file

from capsnet_explorer import subprocess_environment
from capsnet_explorer.cli import main
from capsnet_explorer.datasets.catalogue import DATASETS
from capsnet_explorer.datasets.form import GREY, Form
from capsnet_explorer.model.architectures import ARCHITECTURES, settings_of
from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.capsnet.config import SETTINGS
from capsnet_explorer.model.cnn.architecture import ARCHITECTURE as CNN
from capsnet_explorer.model.data import files
from capsnet_explorer.model.measured import load_measured, measured_path
from capsnet_explorer.model.measuring import of_classes
from capsnet_explorer.model.measuring.commands import MEASUREMENTS
from capsnet_explorer.model.options import DATA_VARIABLE, MEASUREMENT_NAMES
from capsnet_explorer.model.portraits import of_anything
from capsnet_explorer.model.recipe import PRESETS, TrainingConfig
from capsnet_explorer.model.setting import settings_in
from capsnet_explorer.model.training import run as training_run
from capsnet_explorer.model.training.folder import RunFolder
from capsnet_explorer.model.training.run import RunRequest
from capsnet_explorer.model.weights import load_weights, save_weights
from tests.intake_pictures import drawn_five, encoded
from tests.tiny import CNN_SIZES


@pytest.fixture(autouse=True)
def _memory_settings_stay(monkeypatch):
    """The allocator's setting would outlive the test."""
    monkeypatch.setattr(training_run, "keep_large_buffers", lambda: False)


def help_of(*arguments, columns=300):
    printed = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(printed):
        patch.delenv(DATA_VARIABLE, raising=False)
        patch.setenv("COLUMNS", str(columns))
        with contextlib.suppress(SystemExit):
            assert main([*arguments, "--help"]) == 0
    return printed.getvalue()


def failure(capsys, *arguments):
    """Run a command that must fail, and return its one line."""
    assert main(arguments) == 2
    printed = capsys.readouterr().err
    assert printed.startswith("python -m capsnet_explorer: ")
    assert printed.count("\n") == 1
    return printed


def option_in(text, name):
    """Return what is said of an option."""
    return text.split(f" --{name.replace('_', '-')} ")[-1].split(" --")[0]


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_help_of_train_tells_every_setting_and_what_each_preset_makes_of_it(name):
    text = " ".join(help_of("train", "--architecture", name).split())
    settings = settings_of(name)
    for part in (settings.sizes, settings.loss, TrainingConfig):
        for option, declared in settings_in(part).items():
            assert declared.help in option_in(text, option)
    values = {preset: settings.values(preset) for preset in settings.presets}
    for option, usual in values[settings.default_preset].items():
        written = (
            option_in(text, option).rpartition("(")[2].partition(")")[0].split("; ")
        )
        others = {
            f"{preset}: {write_value(recipe[option])}"
            for preset, recipe in values.items()
            if recipe[option] != usual
        }
        assert (written[0], {*written[1:]}) == (write_value(usual), others), option


def write_value(value):
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


@pytest.mark.parametrize("command", ["train", "evaluate", "trace", "data"])
def test_help_fits_a_terminal(command):
    text = help_of(command, columns=80)
    assert max(map(len, text.splitlines())) <= 90
    assert text.startswith(f"usage: python -m capsnet_explorer {command} [options]")


def test_help_answers_without_torch_and_beside_a_model_of_ones_own(tmp_path):
    for name in ("model", "torch"):
        (tmp_path / f"{name}.py").write_text(f"raise ValueError('{name} of my own')")
    command = [sys.executable, "-m", "capsnet_explorer", "train", "--help"]
    ran = subprocess.run(
        command,
        cwd=tmp_path,
        env=subprocess_environment(),
        capture_output=True,
        text=True,
    )
    assert ran.stdout.startswith("usage: python -m capsnet_explorer train")
    assert not ran.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("train --data {0}/missing --run {0}/run", "no readable MNIST in {0}/missing"),
        ("train --data {0}/missing --run {0}/run", "python -m capsnet_explorer data"),
        ("train --run {0}/run", "no readable MNIST in {0}/named"),
        ("train --run {0}", "{0} already holds a run; add --resume"),
        ("train --run {0}/run --epochs 0", "epochs must be at least 1, got 0"),
        ("train --run {0}/run --epochs many", "--epochs: invalid int value: 'many'"),
        ("train --run {0}/run --epoch 3", "unrecognized arguments: --epoch 3"),
        ("train --architecture net", "choose from"),
        ("train --precision half", "choose from"),
        ("train --dataset mnits", "must be one of"),
        ("trace", "the following arguments are required: PICTURE"),
        ("evalute", "the command must be one of train, evaluate, "),
        ("train --run {0}/run --threads -1", "threads must not be negative"),
        ("evaluate {0}/none.safetensors", "cannot read the weight file {0}/none.saf"),
        ("evaluate {0}/tiny.safetensors", "no readable MNIST in {0}/named"),
    ],
)
def test_what_cannot_work_fails_with_one_line(
    capsys, monkeypatch, tmp_path, tiny_weights, arguments, message
):
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path / "named"))
    (tmp_path / "checkpoint").mkdir()
    RunFolder(tmp_path).checkpoint.write_bytes(b"")
    line = failure(capsys, *arguments.format(tmp_path).split())
    assert message.format(tmp_path) in line


@pytest.fixture
def picture(tmp_path):
    path = tmp_path / "five.png"
    path.write_bytes(encoded(drawn_five()))
    return str(path)


@pytest.fixture
def tiny_weights(tmp_path, network):
    path = tmp_path / "tiny.safetensors"
    save_weights(path, ARCHITECTURE, network, {})
    return path


@pytest.fixture
def cnn_weights(tmp_path):
    path = tmp_path / "cnn.safetensors"
    save_weights(path, CNN, CNN.build(CNN_SIZES), {})
    return path


def test_tracing_prints_the_reading_and_writes_the_tensors(
    capsys, monkeypatch, tmp_path, picture, tiny_weights
):
    out = tmp_path / "out.safetensors"
    options = ("--weights", str(tiny_weights), "--output", str(out))
    assert main(["trace", picture, *options, "--tensors", "scores,votes.1"]) == 0
    first, *scores, doubt, written = capsys.readouterr().out.splitlines()
    assert first.startswith(("tiny reads ", "tiny sees none of its classes: "))
    assert [line.split()[0] for line in scores] == ["0", "1", "2"]
    assert doubt.startswith("doubt: ")
    assert written == f"{out}: scores, votes.1"
    assert load_file(out)["votes.1"].shape == (2, 4, 4, 5)
    # Else into the folder that it is run in.
    monkeypatch.chdir(tmp_path)
    assert main(["trace", picture, "--weights", str(tiny_weights)]) == 0
    assert "routing.couplings" in load_file(tmp_path / "trace.safetensors")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"picture": "none.png"}, "none.png: No such file or directory"),
        ({"picture": __file__}, "picture"),
        (
            {"--weights": "capsnet"},
            "the network must be capsnet-cifar10, capsnet-cifar10-without-none",
        ),
        ({"--tensors": "scores,vote.1"}, "vote.1 is not a tensor of this network"),
        ({"--tensors": ""}, " is not a tensor of this network; it has conv1.pre"),
        ({"--output": "trace.json"}, "must end in .safetensors, got trace.json"),
    ],
)
def test_tracing_what_cannot_be_traced_fails_with_one_line(
    capsys, monkeypatch, tmp_path, picture, tiny_weights, changes, message
):
    monkeypatch.chdir(tmp_path)
    options = {"--weights": str(tiny_weights)} | changes
    source = options.pop("picture", picture)
    assert message in failure(capsys, "trace", source, *chain(*options.items()))
    assert not (tmp_path / "trace.safetensors").exists()


@pytest.fixture
def requested(monkeypatch):
    """What the command line asks a run for."""
    requests = []
    monkeypatch.setattr(training_run, "train_and_measure", requests.append)

    def train(*arguments):
        assert main(["train", *arguments]) == 0
        return requests.pop()

    return train


def test_a_preset_is_a_whole_recipe_and_options_change_it(requested):
    for name, recipe in PRESETS.items():
        request = requested("--preset", name)
        assert (request.preset, request.training) == (name, recipe)
    assert requested("--preset", "laptop").loss == {}
    request = requested("--preset", "legible", "--voters", "12")
    assert request.loss == {**SETTINGS.preset_losses["legible"], "voters": 12.0}
    assert request.training.ground == PRESETS["legible"].ground > 0
    request = requested("--preset", "paper", "--epochs", "3", "--shift", "0")
    assert request.training == replace(PRESETS["paper"], epochs=3, shift=0)
    assert requested("--dataset", "kmnist").run == Path("runs/capsnet-kmnist")


def test_pictures_get_the_form_that_is_asked_for(requested):
    request = requested(
        "--dataset", "folder", "--grey", "--inverted", "--size", "20x30"
    )
    assert request.dataset.form == Form(20, 30, GREY, is_inverted=True)


def test_every_option_of_train_arrives(requested, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "argv", ["model", "train", "--run", "a folder"])
    request = requested(
        *("--run", str(tmp_path), "--data", "d", "--output", "o", "--resume"),
        *("--dataset", "kmnist", "--device", "cpu", "--threads", "2"),
        *("--precision", "float32", "--convolution", "direct", "--compile"),
        *("--digit-dim", "8", "--decoder-hidden", "64", "128"),
        *("--reconstruction-weight", "0.001"),
    )
    assert request == RunRequest(
        training=PRESETS["laptop"],
        preset="laptop",
        sizes={"digit_dim": 8, "decoder_hidden": (64, 128)},
        loss={"reconstruction_weight": 0.001},
        dataset=DATASETS["kmnist"],
        data=Path("d"),
        run=tmp_path,
        output=Path("o"),
        resume=True,
        device="cpu",
        precision="float32",
        convolution="direct",
        compiled=True,
        threads=2,
        command="python -m capsnet_explorer train --run 'a folder'",
    )


@pytest.mark.parametrize(
    ("error", "code"),
    [(KeyboardInterrupt(), 130), (OSError(28, "No space left on device", "a/b"), 2)],
)
def test_a_run_that_ended_early_says_how_to_continue(
    capsys, monkeypatch, tmp_path, error, code
):
    def ended(request):
        raise error

    monkeypatch.setattr(training_run, "train_and_measure", ended)
    assert main(["train", "--run", str(tmp_path)]) == code
    assert "--resume" not in capsys.readouterr().err  # nothing was saved yet

    checkpoint = RunFolder(tmp_path).checkpoint
    checkpoint.parent.mkdir()
    checkpoint.write_bytes(b"")
    assert main(["train", "--run", str(tmp_path)]) == code
    printed = capsys.readouterr().err
    assert f"{tmp_path} holds a checkpoint of the run" in printed
    assert "add --resume" in printed
    if code == 2:
        assert "python -m capsnet_explorer: a/b: No space left on device\n" in printed


def test_complete_data_is_not_downloaded_again(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(files, "broken_files", lambda *_: iter(()))
    monkeypatch.setattr(files, "download", pytest.fail)
    assert main(["data", "--data", str(tmp_path)]) == 0
    assert "MNIST is complete" in capsys.readouterr().out


def test_measuring_writes_the_time_of_a_pass_into_the_card(
    capsys, tmp_path, tiny_weights
):
    assert main(["measure", str(tmp_path)]) == 0
    forward = load_weights(tiny_weights).card["forward"]
    assert forward["milliseconds"] > 0
    assert forward["threads"] == 1
    assert f"{forward['milliseconds']} ms" in capsys.readouterr().out


def test_measuring_meanings_fills_card_and_file(
    capsys, monkeypatch, tiny_weights, mnist_folder
):
    monkeypatch.setattr(of_classes, "LEAST", 2)
    options = (str(tiny_weights), "--data", str(mnist_folder))
    assert main(["measure", "--meanings", *options]) == 0
    assert main(["measure", "--portraits", *options]) == 0
    card = load_weights(tiny_weights).card
    assert len(card["meanings"]["classes"]) == 3
    assert "forward" not in card  # was not asked for
    measured = load_measured(tiny_weights, card["sha256"])
    assert {name.split(".")[0] for name in measured} == {"types"}
    assert card["anything"] == of_anything(measured)
    assert str(measured_path(tiny_weights)) in capsys.readouterr().out


def test_a_network_without_poses_is_passed_over(capsys, cnn_weights, mnist_folder):
    before = cnn_weights.with_suffix(".json").read_bytes()
    options = ("--meanings", str(cnn_weights), "--data", str(mnist_folder))
    assert main(["measure", *options]) == 0
    assert f"{cnn_weights}: a CNN has no" in capsys.readouterr().err
    assert cnn_weights.with_suffix(".json").read_bytes() == before
    assert not measured_path(cnn_weights).exists()


def test_what_maps_seek_is_measured_without_a_decoder(cnn_weights, mnist_folder):
    options = ("--portraits", str(cnn_weights), "--data", str(mnist_folder))
    assert main(["measure", *options]) == 0
    card = load_weights(cnn_weights).card
    measured = load_measured(cnn_weights, card["sha256"])
    assert measured.keys() == {"types.strongest", "types.lengths", "types.support"}
    assert card["anything"] == of_anything(measured)


@pytest.mark.parametrize("command", ["evaluate", "measure"])
def test_a_folder_without_networks_is_refused(command, capsys, tmp_path):
    assert main([command, str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err


def test_evaluate_takes_a_run(capsys, tmp_path, tiny_weights, mnist_folder):
    options = ("--data", str(mnist_folder), "--device", "cpu")
    assert main(["evaluate", str(tmp_path), *options]) == 0
    printed = capsys.readouterr().out
    assert "of 17 images)" in printed
    assert "capsules that share in a digit" in printed


def test_everything_that_can_be_named_is_measured():
    assert tuple(MEASUREMENTS) == MEASUREMENT_NAMES
