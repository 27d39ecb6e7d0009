"""Runs of a sweep: kept once they are there, stopped, gone on with, on a cluster."""

import json
import os
import signal
import threading
import time
import warnings

import pytest

from capsnet_explorer.commands import main
from capsnet_explorer.model.sweeps.cluster import on_cluster
from capsnet_explorer.model.sweeps.plan import planned
from capsnet_explorer.model.sweeps.running import (
    Outcome,
    Task,
    here,
    run_all,
    train_one,
)
from tests.patience import PATIENCE_S

RUNS = planned({"seeds": [0, 1, 2]})
SMALL = """
dataset = "drawn"
examples = 100
epochs = 20
batch_size = 10
conv1_kernels = 8
primary_types = 2
decoder_hidden = [16, 32]
threads = 1
validation = 20
"""


def card(error):
    measured = {"measured_on": "test", "test_error": error, "test_images": 100}
    return json.dumps({"title": "x", **measured})


def giving(outcomes):
    """A pool that trains nothing, and what it was given."""
    given = []

    def give(tasks):
        given.extend(task.run.seed for task in tasks)
        for task in tasks:
            yield task, outcomes[task.run.seed]

    return give, given


def test_what_is_done_is_kept_and_not_done_again(tmp_path):
    good = Outcome(b"weights", card(0.25))
    give, given = giving({0: good, 1: Outcome(reason="no data"), 2: good})
    said = []
    failed = run_all(RUNS, tmp_path, tmp_path, give, said.append)
    assert failed == {RUNS[1].name: "no data"}
    assert given == [0, 1, 2]
    assert said[0].startswith("1 of 3, seed 0: 25.00% misread; about ")
    assert said[1].startswith("2 of 3, seed 1: failed: no data; about ")
    assert said[2] == "3 of 3, seed 2: 25.00% misread"
    found = json.loads((tmp_path / "weights" / f"{RUNS[2].name}.json").read_text())
    assert found["title"] == "seed 2"

    give, given = giving({1: good})
    assert run_all(RUNS, tmp_path, tmp_path, give, said.append) == {}
    assert given == [1]
    assert said[3:] == [
        "2 of 3 runs are done already",
        "3 of 3, seed 1: 25.00% misread",
    ]


@pytest.mark.long
def test_a_run_that_is_stopped_goes_on_where_it_stood(tmp_path):
    """What is asked to stop saves its step; the next has all that came before."""
    (run,) = planned(
        {
            **{"dataset": "drawn", "examples": 100, "epochs": 20, "batch_size": 10},
            **{"conv1_kernels": 8, "primary_types": 2, "decoder_hidden": [16, 32]},
            **{"threads": 1, "validation": 20},
        }
    )
    task = Task(run, tmp_path / "run", tmp_path)
    log = task.folder / "log.csv"
    stopped = train_one(task, lambda: log.exists() and log.stat().st_size > 200)
    assert stopped.weights is None
    assert (task.folder / "checkpoint" / "checkpoint.safetensors").exists()
    before = log.read_text()
    outcomes = list(here(1)([task]))
    assert [each for each, _ in outcomes] == [task]
    ((_, outcome),) = outcomes
    assert outcome.weights is not None
    assert json.loads(outcome.card)["validation_images"] == 20
    assert log.read_text().startswith(before)
    assert len(json.loads((task.folder / "run.json").read_text())["sittings"]) == 2


def test_why_a_run_failed_is_said_in_one_line(tmp_path):
    (run,) = planned({"dataset": "fashion-mnist"})
    outcome = train_one(Task(run, tmp_path / "run", tmp_path / "none"))
    assert outcome.weights is None
    assert "Fashion-MNIST" in outcome.reason
    assert "\n" not in outcome.reason


@pytest.fixture
def cluster():
    """Two processes that train, one run each at a time."""
    distributed = pytest.importorskip("distributed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # dask's own
        with distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            silence_logs=60,
        ) as found:
            yield found


@pytest.mark.long
def test_a_cluster_trains_and_loses_a_worker(tmp_path, cluster, capsys):
    from distributed import Client

    settings = tmp_path / "s.toml"
    settings.write_text(f"{SMALL}\nseeds = [0, 1]\n")
    killed = []

    def kill_one():
        """End a worker once it trains, as a machine that runs out of memory does."""
        with Client(cluster.scheduler_address, set_as_default=False) as client:
            end = time.monotonic() + PATIENCE_S
            while time.monotonic() < end:
                logs = list(tmp_path.glob("out/runs/*/log.csv"))
                begun = [log for log in logs if log.stat().st_size > 200]
                for address, keys in client.processing().items():
                    for log in begun:
                        if any(str(key).startswith(log.parent.name) for key in keys):
                            pids = client.run(os.getpid)
                            os.kill(pids[address], signal.SIGKILL)
                            killed.append(log.parent)
                            return
                time.sleep(0.1)

    killer = threading.Thread(target=kill_one)
    killer.start()
    code = main(
        [
            *("sweep", str(settings), "--output", str(tmp_path / "out")),
            *("--cluster", cluster.scheduler_address, "--data", str(tmp_path)),
        ]
    )
    killer.join()
    said = capsys.readouterr().out
    assert code == 0, said
    assert len(list(tmp_path.glob("out/weights/*.safetensors"))) == 2
    (folder,) = killed
    assert len(json.loads((folder / "run.json").read_text())["sittings"]) == 2
    assert "2 seeds)" in said


def test_a_cluster_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setattr("capsnet_explorer.model.sweeps.cluster.CONNECT_S", 0.5)
    pytest.importorskip("distributed")
    with pytest.raises(
        ValueError, match=r"there is no cluster at tcp://127\.0\.0\.1:1:"
    ):
        on_cluster("tcp://127.0.0.1:1")


def test_without_dask_the_option_says_what_to_install(monkeypatch):
    monkeypatch.setattr(
        "capsnet_explorer.model.sweeps.cluster.find_spec", lambda _name: None
    )
    with pytest.raises(ValueError, match="pip install distributed"):
        on_cluster("tcp://127.0.0.1:1")
