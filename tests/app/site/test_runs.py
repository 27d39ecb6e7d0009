"""A run that a site shows again has its moments, and one graph that reads with each."""

import json
import shutil
from pathlib import Path

import pytest

from capsnet_explorer import ROOT
from capsnet_explorer.app.site.runs import moments_of, run_files

SHIPPED = ROOT / "weights" / "runs" / "efficient-drawn"


def test_few_moments_stand_for_all_from_the_first_to_the_last():
    steps = [0, 1, 4, 9, 16, 25, 36]
    assert moments_of(steps, 3) == [0, 9, 36]
    assert moments_of(steps, 9) == steps
    assert moments_of([5], 3) == [5]


def test_what_is_no_run_is_named(tmp_path: Path):
    with pytest.raises(ValueError, match=r"--run needs the folder of a run .*, got /"):
        run_files(tmp_path, {})


@pytest.fixture
def short(tmp_path: Path) -> Path:
    """Return a copy of the shipped run with its first and last moment."""
    folder = tmp_path / "run"
    shutil.copytree(SHIPPED, folder)
    steps = sorted(int(file.stem) for file in folder.rglob("*.safetensors"))
    for step in steps[1:-1]:
        (folder / "watched" / f"{step}.safetensors").unlink()
    events = folder / "watched" / "events.jsonl"
    lines = [json.loads(line) for line in events.read_text().splitlines()]
    for line in lines:
        if line["event"] == "snapshot" and line["step"] in steps[1:-1]:
            line["bytes"] = 0
    events.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return folder


def test_a_run_is_shown_by_its_moments_its_events_and_one_graph(needs, short: Path):
    needs("site")
    before = {"api/runs.json": b'{"runs": [{"id": "0"}], "refused": []}'}
    files = run_files(short, before)
    *_, run = json.loads(files["api/runs.json"])["runs"]
    assert len(json.loads(files["api/runs.json"])["runs"]) == 2
    assert (run["state"], run["is_recorded"]) == ("done", True)
    first, last = run["snapshots"]
    for step in (first, last):
        weights = (short / "watched" / f"{step}.safetensors").read_bytes()
        assert files[f"networks/{run['id']}@{step}.safetensors"] == weights
        said = json.loads(files[f"api/models/{run['id']}@{step}.json"])
        assert said["card"]["steps"] == step
    graphs = {name for name in files if name.endswith(".onnx")}
    start = f"networks/{run['id']}"
    kinds = ("reading", "drawing", "gradient")
    assert graphs == {f"{start}.{kind}.fed.onnx" for kind in kinds}
    assert "attack/1-28-28.safetensors" in files
    # Moments have other numbers: where they stand is told, and none of them.
    placed = json.loads(files[f"{start}.json"])["placed"]
    tensors = [each for part in placed.values() for each in part["tensors"].items()]
    valued = {name for name, entry in tensors if "pieces" not in entry}
    assert all(name.endswith(".norm.deviation") for name in valued)
    assert {"kernels", "weights/classes.transforms"} <= placed.keys()
    events = json.loads(files[f"api/runs/{run['id']}/events.json"])
    assert len(events) == run["events"]
    snapshots = [each for each in events if each["event"] == "snapshot"]
    assert [each["step"] for each in snapshots if each["bytes"]] == [first, last]
    assert sum(each["error"] is not None for each in snapshots) > 2
    recipes = json.loads(files["api/recipes.json"])
    assert not recipes["allowed"]
    assert "recorded" in recipes["reason"]
    assert [each["name"] for each in recipes["architectures"]] == ["efficient"]
