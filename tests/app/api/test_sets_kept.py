"""Sets of images over starts, changes and accidents: nothing of people's is lost."""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from capsnet_explorer import subprocess_environment
from capsnet_explorer.app.engines import sets as engines_sets
from capsnet_explorer.app.engines.runs import Runs
from capsnet_explorer.app.engines.sets import Sets
from capsnet_explorer.app.engines.training import room
from capsnet_explorer.app.errors import Overloaded
from capsnet_explorer.datasets.uploads.folder import CHANGE, UNCHANGED, UNDERSTOOD
from capsnet_explorer.datasets.uploads.reading import read_upload
from tests.app.answers import refusal
from tests.app.training import app_of, wait_for
from tests.archives import drawings, zipped
from tests.patience import PATIENCE_S

ID = "0123abcd"
PICTURES = zipped(drawings(count=5, kinds=("bar", "dot", "ring")))
REQUEST = {
    **{"name": "shapes.zip", "title": "shapes", "size": len(PICTURES)},
    "started": "2026-01-02T03:04:05.678+00:00",
}
SMALLER = {"asked": {"size": [12, 12], "left_out": ["dot"]}}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a set that is ready."""
    folder = tmp_path_factory.mktemp("whole") / ID
    folder.mkdir()
    (folder / "upload").write_bytes(PICTURES)
    (folder / "request.json").write_text(json.dumps(REQUEST))
    assert read_upload(folder) == 0
    return folder


@pytest.fixture
def folder(whole, tmp_path):
    """Such a folder, to be broken, where a server looks for it."""
    folder = tmp_path / "runs" / "sets" / ID
    shutil.copytree(whole, folder)
    return folder


@pytest.fixture
def served(tmp_path):
    """Start an explorer in place of the last one; return its client and its runs."""
    every = []

    def start():
        for earlier in every:
            earlier.close()
        runs = Runs(tmp_path / "runs", tmp_path / "data", tmp_path / "kept")
        every.append(runs)
        return app_of(runs).test_client(), runs

    yield start
    for runs in every:
        runs.close()


@pytest.fixture
def endless_reading(monkeypatch):
    """Let whoever reads an upload never finish."""
    waits = (sys.executable, "-c", "import time; time.sleep(600)")
    monkeypatch.setattr(engines_sets, "COMMAND", waits)


def contents(folder):
    """Return the files of a folder, but for what only tells how far reading is."""
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and file.name != "progress.json"
    }


def ended(client, id=ID):
    return wait_for(
        lambda: client.get(f"/api/sets/{id}").json,
        lambda facts: facts["state"] in ("ready", "failed"),
    )


def is_whole(client):
    """Check that a set is ready, and return its shape."""
    facts = ended(client)
    assert facts["state"] == "ready", facts
    samples = client.get(f"/api/sets/{ID}/samples").json["tensors"]["images"]
    assert np.array(samples).shape[1:] == tuple(facts["shape"])
    counts = [kind["training"] for kind in facts["classes"]]
    assert np.array(samples).shape[0] == sum(counts)
    assert facts["can_change"]
    return facts


# The start


def test_a_start_leaves_alone_what_the_explorer_did_not_make(folder, served, caplog):
    sets = folder.parent
    (sets / "holiday" / "beach").mkdir(parents=True)
    (sets / "holiday" / "beach" / "one.png").write_bytes(b"mine")
    (sets / "deadbeef").mkdir()
    (sets / "deadbeef" / "one.png").write_bytes(b"mine, though named like theirs")
    (sets / "feedface").write_bytes(b"a file")
    (sets / ".DS_Store").write_bytes(b"of a Mac")
    before = contents(sets)
    client, _ = served()
    assert [listed["id"] for listed in client.get("/api/sets").json["sets"]] == [ID]
    assert contents(sets) == before
    assert not caplog.records


DAMAGED_REQUESTS = {
    "gone": None,
    "cut": json.dumps(REQUEST).encode()[:40],
    "one_bad_byte": json.dumps(REQUEST).encode().replace(b"shapes", b"sh\xffpes"),
    "a_list": b"[]",
    "nested": b"[" * 50_000,
    "no_time": json.dumps(REQUEST | {"started": "soon"}).encode(),
}


@pytest.mark.parametrize("damage", DAMAGED_REQUESTS)
def test_a_set_whose_request_cannot_be_read_is_left_out(folder, served, caplog, damage):
    content = DAMAGED_REQUESTS[damage]
    if content is None:
        (folder / "request.json").unlink()
    else:
        (folder / "request.json").write_bytes(content)
    before = contents(folder)
    client, _ = served()
    assert client.get("/api/sets").json == {"sets": []}
    assert contents(folder) == before
    (line,) = [record.getMessage() for record in caplog.records]
    assert "The set of images 0123abcd is left out" in line
    assert "request.json" in line


def test_an_upload_that_was_being_read_is_read_by_the_next_server(folder, served):
    for name in ("data", "understood.json"):
        path = folder / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    (folder / "making").mkdir()
    (folder / "making" / "half").write_bytes(b"half an image")
    client, _ = served()
    assert is_whole(client)["shape"] == [1, 28, 28]
    assert not (folder / "making").exists()


@pytest.mark.parametrize("upload", [b"", b"cut", PICTURES + b"more"])
@pytest.mark.parametrize("data", ["data", "data.1", "data.12"])
def test_what_was_read_once_is_no_half_upload(folder, served, upload, data):
    (folder / "data").rename(folder / data)
    (folder / "understood.json").unlink()
    (folder / "upload").write_bytes(upload)
    before = contents(folder)
    client, _ = served()
    assert client.get("/api/sets").json == {"sets": []}
    assert contents(folder) == before


def test_images_outlast_an_upload_that_can_no_longer_be_read(folder, served):
    (folder / "data").rename(folder / "data.1")
    (folder / "understood.json").unlink()
    (folder / "upload").write_bytes(bytes(len(PICTURES)))
    before = contents(folder)
    client, _ = served()
    assert ended(client)["state"] == "failed"
    assert before.items() <= contents(folder).items()


def test_images_outlast_a_word_that_others_are_the_set(folder, served):
    shutil.copytree(folder / "data", folder / "data.1")
    for file in (folder / "data").iterdir():
        file.unlink()
    before = contents(folder)
    served()
    assert contents(folder) == before


@pytest.mark.parametrize(
    "held", [{"holiday.png": b"mine"}, {"upload": b"mine"}, {"request.json": b"mine"}]
)
def test_a_start_leaves_alone_what_is_only_called_half_made(folder, served, held):
    theirs = folder.parent / ".deadbeef.writing"
    theirs.mkdir()
    for name, content in held.items():
        (theirs / name).write_bytes(content)
    begun = folder.parent / ".0badcafe.writing"
    begun.mkdir()
    (begun / "request.json").write_text(json.dumps(REQUEST))
    (begun / "upload").touch()
    served()
    assert contents(theirs) == held
    assert not begun.exists()


def test_half_an_upload_stays_until_people_delete_it(folder, served):
    half = folder.with_name("0badcafe")
    half.mkdir()
    (half / "request.json").write_text(json.dumps(REQUEST))
    (half / "upload").write_bytes(PICTURES[:1000])
    before = contents(half)
    for _ in range(2):
        client, _ = served()
        facts = client.get("/api/sets/0badcafe").json
        assert facts["state"] == "failed"
        assert "1 kB of " in facts["error"]
        assert contents(half) == before
    assert client.delete("/api/sets/0badcafe").status_code == 204
    assert not half.exists()


# Its files


def _cut(file):
    file.write_bytes(file.read_bytes()[:-1])


def _a_folder(file):
    file.unlink()
    file.mkdir()


def _a_pipe(file):
    file.unlink()
    os.mkfifo(file)


def _a_list(file):
    file.write_bytes(b"[]")


def _nested(file):
    file.write_bytes(b"[" * 50_000)


@pytest.mark.parametrize("damage", [_cut, _a_folder, _a_pipe, _a_list, _nested])
@pytest.mark.parametrize(
    "name", ["understood.json", "failed.json", "unchanged.json", "progress.json"]
)
def test_no_file_of_a_set_stops_the_start_or_the_list(folder, served, damage, name):
    if name == "failed.json":
        (folder / "understood.json").unlink()
        (folder / "upload").unlink()
    if not (folder / name).exists():
        (folder / name).write_text('{"error": "a reason"}')
    damage(folder / name)
    client, _ = served()
    listed = client.get("/api/sets")
    assert listed.status_code == 200
    (facts,) = listed.json["sets"]
    if name in ("progress.json", "unchanged.json"):
        assert facts["state"] == "ready"
    else:
        assert facts["state"] == "failed"
        assert name in facts["error"]
        assert str(folder.parent) not in facts["error"]
        assert client.get(f"/api/sets/{ID}/samples").status_code == 409
        change = client.patch(f"/api/sets/{ID}", json={"channels": 3})
        assert change.status_code == 409
    assert client.get("/api/datasets").status_code == 200
    assert client.delete(f"/api/sets/{ID}").status_code == 204
    assert not folder.exists()


def fields_of(content):
    """Yield changes of a JSON object that make it another shape, field by field."""
    for name in content:
        yield {key: value for key, value in content.items() if key != name}
        for wrong in (None, [], {}, "x", -1, True, [[]], {"a": 1}):
            if wrong != content[name]:
                yield content | {name: wrong}


def test_what_was_understood_may_have_any_shape(folder, served):
    client, _ = served()
    content = json.loads((folder / UNDERSTOOD).read_bytes())
    for changed in fields_of(content):
        (folder / UNDERSTOOD).write_text(json.dumps(changed))
        answer = client.get("/api/sets")
        assert answer.status_code == 200, changed
        assert answer.json["sets"][0]["state"] in ("ready", "failed")
        samples = client.get(f"/api/sets/{ID}/samples")
        assert samples.status_code in (200, 409), changed
        assert client.get("/api/datasets").status_code == 200
        assert client.get(f"/api/datasets/set-{ID}-test/digits/0").status_code < 500


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("train-images-idx3-ubyte", _cut),
        ("train-labels-idx1-ubyte", _a_folder),
        ("t10k-images-idx3-ubyte", _a_folder),
        ("t10k-labels-idx1-ubyte", _cut),
    ],
)
def test_a_damaged_file_of_images_is_a_conflict_that_names_it(
    folder, served, name, damage
):
    file = folder / "data" / name
    damage(file)
    client, _ = served()
    assert client.get("/api/sets").json["sets"][0]["state"] == "ready"
    for answer in (
        client.get(f"/api/sets/{ID}/samples"),
        client.post("/api/runs", json={"dataset": f"set:{ID}"}),
    ):
        assert answer.status_code == 409, answer.json
        assert file.name in answer.json["error"]["message"]
        assert str(folder.parent) not in answer.json["error"]["message"]
    assert client.get("/api/datasets").status_code == 200


# Changes


def test_a_change_that_cannot_be_leaves_what_was_there(folder, served):
    before = contents(folder)
    client, _ = served()
    change = {"left_out": ["bar", "dot"]}
    assert client.patch(f"/api/sets/{ID}", json=change).status_code == 200
    facts = is_whole(client)
    assert "two classes or more, got ring alone" in facts["error"]
    assert len(facts["classes"]) == 3
    assert contents(folder) == before | {
        UNCHANGED: json.dumps({"error": facts["error"]}).encode()
    }
    again = client.patch(f"/api/sets/{ID}", json={"size": [12, 12]})
    assert again.json["error"] is None
    facts = is_whole(client)
    assert (facts["shape"], facts["error"]) == ([1, 12, 12], None)
    assert [kind["name"] for kind in facts["classes"]] == ["bar", "dot", "ring"]


@pytest.mark.usefixtures("endless_reading")
def test_while_a_set_is_read_again_its_images_are_there(folder, served):
    client, runs = served()
    answer = client.patch(f"/api/sets/{ID}", json={"size": [12, 12]})
    assert answer.json["state"] == "reading"
    listed = client.get("/api/datasets").json["datasets"]
    assert f"set-{ID}-test" in [dataset["id"] for dataset in listed]
    assert runs.sets.ready() == {ID: folder / "data"}
    assert client.patch(f"/api/sets/{ID}", json={"channels": 3}).status_code == 409
    assert client.get(f"/api/sets/{ID}/samples").status_code == 409


@pytest.mark.usefixtures("endless_reading")
def test_a_change_outlasts_neither_its_reader_nor_its_server(folder, served):
    before = contents(folder)
    client, runs = served()
    client.patch(f"/api/sets/{ID}", json={"size": [12, 12]})
    runs.sets._sets[ID].process.kill()
    facts = is_whole(client)
    assert "reading was ended" in facts["error"]
    assert facts["shape"] == [1, 28, 28]
    client.patch(f"/api/sets/{ID}", json={"size": [12, 12]})
    runs.close()
    client, _ = served()
    facts = is_whole(client)
    assert "reading was ended" in facts["error"]
    assert before.items() <= contents(folder).items()


@pytest.mark.usefixtures("endless_reading")
def test_a_change_that_is_cancelled_leaves_what_was_there(folder, served):
    before = contents(folder)
    client, runs = served()
    client.patch(f"/api/sets/{ID}", json={"size": [12, 12]})
    process = runs.sets._sets[ID].process
    assert client.delete(f"/api/sets/{ID}").status_code == 204
    assert process.poll() is not None
    assert is_whole(client)["error"] is None
    assert contents(folder) == before
    assert client.delete(f"/api/sets/{ID}").status_code == 204
    assert not folder.exists()


# Reads each folder in a process that ends by SIGKILL before the n-th time that
# something in the n-th folder changes, until one is read to its end.
KILLED = """
import os, signal, sys
from pathlib import Path
from capsnet_explorer.datasets.uploads.folder import settle
from capsnet_explorer.datasets.uploads.reading import read_upload

CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "shutil.rmtree"}

def watch(event, arguments):
    global left
    is_written = event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR)
    if (event in CHANGES or is_written) and own in str(arguments[0]):
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1

own = "no folder"
sys.addaudithook(watch)
for left, own in enumerate(sys.argv[1:]):
    if (child := os.fork()) == 0:
        read_upload(Path(own))
        settle(Path(own))
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(code, flush=True)
    if code == 0:
        break
"""


@pytest.mark.long
def test_a_change_that_is_killed_at_any_step_loses_nothing(whole, tmp_path):
    target = tmp_path / "runs" / "sets" / ID
    target.parent.mkdir(parents=True)
    folders = [tmp_path / f"step-{step:02}" for step in range(50)]
    for folder in folders:
        shutil.copytree(whole, folder)
        (folder / CHANGE).write_text(json.dumps(SMALLER))
    command = [sys.executable, "-c", KILLED, *map(str, folders)]
    done = subprocess.run(command, env=subprocess_environment(), stdout=subprocess.PIPE)
    *killed, last = map(int, done.stdout.split())
    assert (set(killed), last) == ({-signal.SIGKILL}, 0)
    assert len(killed) > 15
    shapes = []
    for folder, _ in zip(folders, [*killed, last], strict=False):
        shutil.rmtree(target, ignore_errors=True)
        folder.rename(target)
        sets = Sets(target.parent)
        sets.find()
        facts = sets.facts(ID)
        assert (facts.state, facts.can_change) == ("ready", True)
        assert sets.samples(ID)[0].shape[1:] == facts.shape
        shapes.append(facts.shape)
        if facts.shape == (1, 28, 28):
            assert len(facts.classes) == 3
            assert "reading was ended" in str(facts.error)
        else:
            assert (facts.shape, len(facts.classes)) == ((1, 12, 12), 2)
            assert facts.error is None
        assert (target / "upload").read_bytes() == PICTURES
        kept = {file.name for file in target.iterdir()} - {UNCHANGED}
        assert len(kept) == 4, kept  # request, upload, what was understood, images
    first_changed = shapes.index((1, 12, 12))
    assert 10 < first_changed < len(killed)
    assert shapes[first_changed:] == [(1, 12, 12)] * (len(shapes) - first_changed)


def test_the_reader_ends_with_its_server(folder):
    (folder / CHANGE).write_text(json.dumps(SMALLER))
    before = contents(folder)
    os.mkfifo(folder / "unpacked")  # it would wait for this: no folder can be made
    reader = subprocess.Popen(
        [*engines_sets.COMMAND, str(folder)],
        stdin=subprocess.PIPE,
        env=subprocess_environment(),
    )
    with (folder / "request.json").open("rb") as held:
        import fcntl

        fcntl.flock(held, fcntl.LOCK_EX)  # another reader, at work
        assert reader.stdin is not None
        reader.stdin.close()
        assert reader.wait(PATIENCE_S) == 1
    (folder / "unpacked").unlink()
    assert contents(folder) == before


# The disk


def test_a_change_on_a_full_disk_says_what_it_needs(folder, served, monkeypatch):
    client, _ = served()
    before = contents(folder)
    monkeypatch.setattr(room, "free_bytes", lambda folder: 1000)
    answer = client.patch(f"/api/sets/{ID}", json={"size": [12, 12]})
    assert answer.status_code == 503
    words = answer.json["error"]["message"]
    assert words == "the disk is full: 1 GB must be free, there are 1 kB"
    assert client.post("/api/sets?size=10").status_code == 503
    monkeypatch.undo()
    full = OSError(errno.ENOSPC, "No space left on device")

    def fail(file, content):
        raise full

    monkeypatch.setattr(engines_sets, "replace_file", fail)
    answer = client.patch(f"/api/sets/{ID}", json={"size": [12, 12]})
    assert "the disk is full. It needs 1 GB" in refusal(answer, 503)[0]
    assert client.post("/api/sets?size=10").status_code == 503
    monkeypatch.undo()
    assert is_whole(client)["error"] is None
    assert contents(folder) == before


class Full:
    """Content that comes; the disk is full after its first piece."""

    def __init__(self, monkeypatch):
        self.monkeypatch = monkeypatch

    def read(self, size):
        def fail(file, data):
            raise OSError(errno.ENOSPC, "No space left on device")

        self.monkeypatch.setattr(engines_sets, "_write_all", fail)
        return b"x"


def test_an_upload_that_fills_the_disk_leaves_nothing(tmp_path, monkeypatch):
    sets = Sets(tmp_path / "sets")
    id = sets.begin("a.zip", 10)
    with pytest.raises(Overloaded, match=r"the disk is full\. It needs 1 GB"):
        sets.add(id, 0, Full(monkeypatch))
    assert list((tmp_path / "sets").iterdir()) == []


# Slow uploads


class Stalled:
    """Content that stops coming."""

    def __init__(self):
        self.is_asked = threading.Event()
        self.goes_on = threading.Event()

    def read(self, size):
        self.is_asked.set()
        assert self.goes_on.wait(PATIENCE_S)
        return b""


def test_an_upload_that_stalls_holds_nobody_else(tmp_path):
    sets = Sets(tmp_path / "sets")
    id = sets.begin("slow.zip", 10)
    content = Stalled()
    sender = threading.Thread(target=sets.add, args=(id, 0, content))
    sender.start()
    try:
        assert content.is_asked.wait(PATIENCE_S)
        begun = time.monotonic()
        other = sets.begin("other.zip", 10)
        assert [facts.id for facts in sets.all()] == [other, id]
        with pytest.raises(Exception, match="another piece of this set"):
            sets.add(id, 0, content)
        sets.remove(other)
        assert time.monotonic() - begun < PATIENCE_S / 2
    finally:
        content.goes_on.set()
        sender.join()


def test_what_is_announced_counts_before_it_comes(tmp_path, monkeypatch):
    monkeypatch.setattr(engines_sets, "MOST_BYTES", 1000)
    sets = Sets(tmp_path / "sets")
    sets.begin("a.zip", 600)
    with pytest.raises(Overloaded, match="all sets together"):
        sets.begin("b.zip", 600)
