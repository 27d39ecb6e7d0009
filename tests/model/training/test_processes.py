"""Several processes train as one would: the same losses, the same network."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import nn

from capsnet_explorer.commands import main
from capsnet_explorer.model.training import processes as team
from capsnet_explorer.model.training.processes import (
    Alone,
    TeamError,
    current_team,
)
from capsnet_explorer.model.weights import load_weights
from tests.model.training.reports import rows_of

ROOT = Path(__file__).parents[3]
CPU = torch.device("cpu")

SMALL = (
    *("--kernel-size", "3", "--conv1-kernels", "4", "--primary-types", "2"),
    *("--primary-dim", "4", "--digit-dim", "5", "--decoder-hidden", "8", "8"),
)
# Of sixteen images, batches of five part unevenly, and the last one leaves a second
# process without any.
RECIPE = (
    *("--preset", "paper", "--epochs", "3", "--batch-size", "5", "--shift", "1"),
    *("--validation", "1"),
)


# Said where a thread of torch’s is still at work while the interpreter ends.
ABORTED = "terminate called without an active exception"


def train(launcher, data, run):
    """Run the command, by a launcher if there is one; return log and network."""
    where = ["--dataset", "idx", "--data", str(data), "--run-folder", str(run)]
    machine = ["--device", "cpu", "--precision", "float32", "--threads", "1"]
    asked = ["train", *RECIPE, *SMALL, *where, *machine]
    if not launcher:
        assert main(asked) == 0
        return told_by(run)
    answer = subprocess.run(
        [sys.executable, *launcher, "-m", "capsnet_explorer", *asked],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    if answer.returncode and ABORTED in answer.stderr and not run.name.endswith("+"):
        return train(launcher, data, run.with_name(f"{run.name}+"))  # once
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.count("Wrote ") == 1
    return told_by(run)


def told_by(run):
    return rows_of(run / "log.csv"), load_weights(
        run / "capsnet-idx.safetensors"
    ).network


TORCHRUN = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")


@pytest.mark.long
def test_two_processes_learn_what_one_does(idx_folder, tmp_path):
    rows, network = train((), idx_folder, tmp_path / "one")
    shared_rows, shared = train(TORCHRUN, idx_folder, tmp_path / "two")
    assert [row["step"] for row in rows] == ["4", "8", "12"]
    for one, two in zip(rows, shared_rows, strict=True):
        for name in ("step", "epoch", "learning_rate", "accuracy"):
            assert one[name] == two[name]
        assert one["validation_accuracy"] == two["validation_accuracy"]
        for name in ("loss", "class_loss", "reconstruction_loss"):
            assert float(two[name]) == pytest.approx(float(one[name]), rel=1e-5)
    for one, two in zip(network.parameters(), shared.parameters(), strict=True):
        torch.testing.assert_close(two, one, rtol=2e-3, atol=1e-5)


@pytest.mark.parametrize("count", [None, "1"])  # as by torchrun
def test_a_plain_run_is_alone(monkeypatch, count):
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    if count:
        monkeypatch.setenv("WORLD_SIZE", count)
    monkeypatch.setattr(team, "Processes", pytest.fail)
    found = current_team(CPU)
    assert isinstance(found, Alone)
    assert (found.rank, found.count, found.device) == (0, 1, CPU)
    module, figures = nn.Linear(1, 1), torch.ones(2)
    assert found.distribute(module) is module
    assert found.total(figures) is figures


def test_a_plain_run_needs_no_accelerate():
    """Only several processes import it, where they start."""
    importing = [
        path.name
        for path in (ROOT / "model").rglob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        and "accelerate" in ast.unparse(node)
    ]
    assert not importing


def test_several_processes_without_accelerate_are_told_what_to_install(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setitem(sys.modules, "accelerate", None)
    with pytest.raises(TeamError, match=r"pip install -r requirements-train\.txt"):
        current_team(CPU)
