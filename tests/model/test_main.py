"""The command line: what it offers, and how it fails."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from model import __main__ as command_line
from model import data, training_run
from model.__main__ import main
from model.config import TrainingConfig
from model.weights import save_weights

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(autouse=True)
def _memory_settings_stay(monkeypatch):
    """The allocator's setting would outlive the test."""
    monkeypatch.setattr(training_run, "keep_large_buffers", lambda: False)


def help_of(*arguments):
    variables = {
        name: value
        for name, value in os.environ.items()
        if name != command_line.DATA_VARIABLE
    }
    answer = subprocess.run(
        [sys.executable, "-m", "model", *arguments, "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={**variables, "COLUMNS": "300"},
    )
    return answer.stdout


def failure(capsys, *arguments):
    """Run a command that must fail, and return its one line."""
    assert main(arguments) == 2
    printed = capsys.readouterr().err
    assert printed.startswith("python -m model: ")
    assert printed.count("\n") == 1
    return printed


def test_help_lists_the_commands():
    text = help_of()
    for name in ("train", "evaluate", "data"):
        assert f"\n    {name} " in text


def test_help_of_train_lists_every_setting_with_its_default():
    text = " ".join(help_of("train").split())
    recipe = TrainingConfig()
    for name in TrainingConfig.__slots__:
        option = text.split(f" --{name.replace('_', '-')} ")[-1]
        assert f"(default: {getattr(recipe, name)})" in option.split(" --")[0]
    for default in ("runs/capsnet-mnist", "data", "auto", "0"):
        assert f"(default: {default})" in text


def test_help_answers_without_loading_torch():
    code = (
        "import sys\nfrom model.__main__ import main\n"
        "try:\n    main(['train', '--help'])\nexcept SystemExit:\n    pass\n"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_training_without_data_fails_with_one_line(capsys, tmp_path):
    missing, run = tmp_path / "missing", tmp_path / "run"
    line = failure(capsys, "train", "--data", str(missing), "--run", str(run))
    assert f"no readable MNIST in {missing}" in line
    assert "python -m model data" in line


def test_training_where_a_run_is_fails_with_one_line(capsys, tmp_path):
    (tmp_path / "checkpoint.safetensors").write_bytes(b"")
    line = failure(capsys, "train", "--run", str(tmp_path))
    assert f"{tmp_path} holds a run already; add --resume" in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--epochs", "0"], "epochs must be at least 1, got 0"),
        (["--schedule", "linear"], "schedule must be cosine or exponential"),
        (["--threads", "-1"], "threads must not be negative"),
    ],
)
def test_a_setting_that_cannot_work_fails_with_one_line(
    capsys, tmp_path, arguments, message
):
    assert message in failure(
        capsys, "train", "--run", str(tmp_path / "run"), *arguments
    )


def test_evaluating_without_weights_fails_with_one_line(capsys, tmp_path):
    missing = tmp_path / "none.safetensors"
    line = failure(capsys, "evaluate", "--weights", str(missing))
    assert f"cannot read the weight file {missing}" in line


def test_evaluating_without_data_fails_with_one_line(capsys, tmp_path, network):
    weights = tmp_path / "tiny.safetensors"
    save_weights(weights, network, {})
    options = ("--weights", str(weights), "--data", str(tmp_path / "missing"))
    assert "no readable MNIST" in failure(capsys, "evaluate", *options)


def test_evaluating_prints_the_report(capsys, tmp_path, network, mnist_folder):
    weights = tmp_path / "tiny.safetensors"
    save_weights(weights, network, {})
    options = ["--weights", str(weights), "--data", str(mnist_folder)]
    assert main(["evaluate", "--device", "cpu", *options]) == 0
    assert "of 17 images)" in capsys.readouterr().out


def test_every_option_of_train_arrives(monkeypatch, tmp_path):
    asked = {}

    def remember(recipe, **settings):
        asked.update(settings, recipe=recipe)

    monkeypatch.setattr(training_run, "train_and_measure", remember)
    monkeypatch.setattr(sys, "argv", ["model", "train", "--run", "a folder"])
    options = "--epochs 3 --learning-rate 0.01 --schedule exponential --seed 4 --resume"
    more = f"--run {tmp_path} --output o --device cpu --precision float32 --threads 2"
    assert main(["train", *options.split(), *more.split()]) == 0
    assert asked["recipe"] == TrainingConfig(
        epochs=3, learning_rate=0.01, schedule="exponential", seed=4
    )
    assert asked["run"] == tmp_path
    assert asked["output"] == Path("o")
    assert asked["resume"] is True
    assert (asked["device"], asked["precision"], asked["threads"]) == (
        "cpu",
        "float32",
        2,
    )
    assert asked["command"] == "python -m model train --run 'a folder'"


def test_an_interrupted_run_says_how_to_continue(capsys, monkeypatch, tmp_path):
    def interrupted(recipe, **settings):
        raise KeyboardInterrupt

    monkeypatch.setattr(training_run, "train_and_measure", interrupted)
    assert main(["train", "--run", str(tmp_path)]) == 130
    printed = capsys.readouterr().err
    assert f"{tmp_path} holds where the run stands; add --resume" in printed


def test_complete_data_is_not_downloaded_again(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(data, "broken_files", lambda folder: iter(()))
    monkeypatch.setattr(data, "download_mnist", pytest.fail)
    assert main(["data", "--data", str(tmp_path)]) == 0
    assert "MNIST is complete" in capsys.readouterr().out


def test_missing_data_is_downloaded(monkeypatch, tmp_path):
    downloaded = []
    monkeypatch.setattr(data, "download_mnist", downloaded.append)
    assert main(["data", "--data", str(tmp_path)]) == 0
    assert downloaded == [tmp_path]


def test_the_environment_names_the_data_folder(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv(command_line.DATA_VARIABLE, str(tmp_path))
    assert str(tmp_path) in failure(capsys, "train", "--run", str(tmp_path / "run"))
