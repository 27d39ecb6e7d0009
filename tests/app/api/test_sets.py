"""Sets of images of one's own over HTTP: added, read, changed, trained on, deleted."""

import io
import sys

import pytest

from capsnet_explorer.app.engines import sets as engines_sets
from capsnet_explorer.app.engines.own_set import ENDED as READING_ENDED
from capsnet_explorer.app.engines.own_set import title_of
from capsnet_explorer.app.engines.runs import ENDED
from capsnet_explorer.app.engines.sets import MOST_SETS, Sets
from tests.app.answers import refusal
from tests.app.training import app_of, until, wait_for
from tests.archives import drawing, drawings, zipped

PICTURES = zipped(drawings(within="shapes/"))
RECIPE = {
    "threads": 1,
    "epochs": 1,
    "batch_size": 8,
    "kernel_size": 9,
    "conv1_kernels": 4,
    "primary_types": 2,
    "primary_dim": 4,
    "digit_dim": 5,
    "decoder_hidden": [8, 8],
}


@pytest.fixture(scope="module")
def client(runs):
    return app_of(runs).test_client()


def ended(client, id):
    """Wait until a set is read, and return what is known of it."""
    return wait_for(
        lambda: client.get(f"/api/sets/{id}").json,
        lambda facts: facts["state"] in ("ready", "failed", "unclear"),
    )


def added(client, content=PICTURES, name="shapes.zip"):
    form = {"file": (io.BytesIO(content), name)}
    answer = client.post("/api/sets", data=form)
    assert answer.status_code == 202, answer.json
    assert answer.headers["Location"] == f"sets/{answer.json['id']}"
    return answer.json["id"]


@pytest.fixture(scope="module")
def ready(client):
    id = added(client)
    assert ended(client, id)["state"] == "ready"
    return id


def test_a_set_of_pictures_is_understood(client, ready):
    facts = client.get(f"/api/sets/{ready}").json
    assert facts["title"] == "shapes"
    assert facts["classes"] == [
        {"name": "bar", "training": 8, "test": 2},
        {"name": "ring", "training": 8, "test": 2},
    ]
    assert facts["shape"] == [1, 28, 28]
    assert len(facts["warnings"]) == 1  # that these are few
    assert [listed["id"] for listed in client.get("/api/sets").json["sets"]] == [ready]


def test_its_test_images_can_be_browsed(client, ready):
    listed = {
        entry["id"]: entry for entry in client.get("/api/datasets").json["datasets"]
    }
    test_set = listed[f"set-{ready}-test"]
    assert (test_set["dataset"], test_set["labels"]) == (f"set:{ready}", [2, 2])
    digit = client.get(f"/api/datasets/set-{ready}-test/digits/3").json
    assert digit["label"] == 1


def test_a_network_is_trained_on_it(client, runs, ready):
    recipe = {"dataset": f"set:{ready}", **RECIPE}
    answer = client.post("/api/runs", json=recipe)
    assert answer.status_code == 202, answer.json
    id = answer.json["id"]
    assert client.delete(f"/api/sets/{ready}").status_code == 409
    run = until(client, id, lambda run: run["state"] in ENDED)
    assert (run["state"], run["tested"]) == ("done", 4), run
    body = {"step": run["total"], "name": "my-shapes"}
    assert client.post(f"/api/runs/{id}/keep", json=body).status_code == 201
    model = client.get("/api/models/my-shapes").json
    card = model["card"]
    assert model["class_names"] == ["bar", "ring"]
    assert card["dataset"] == f"set:{ready}"
    picture = drawing("ring", 3, side=56)
    answer = client.post(
        "/api/models/my-shapes/read", data=picture, content_type="image/png"
    )
    assert answer.status_code == 200, answer.json
    assert answer.json["prediction"] in (0, 1)


@pytest.mark.usefixtures("ready")
def test_other_classes_begin_with_the_lower_layers_of_a_kept_network(client):
    """The network that the test before has kept."""
    set = added(client, zipped(drawings(kinds=("bar", "dot", "ring"))))
    ended(client, set)
    recipe = {"dataset": f"set:{set}", "start": "my-shapes", "epochs": 1, "threads": 1}
    id = client.post("/api/runs", json=recipe).json["id"]
    run = client.get(f"/api/runs/{id}").json
    assert run["recipe"] == recipe
    sizes = ("conv1_kernels", "kernel_size", "primary_types", "digit_dim")
    assert [run["settings"][name] for name in sizes] == [4, 9, 2, 5]
    other = {**recipe, "conv1_kernels": 5}
    refused = client.post("/api/runs", json=other)
    assert refused.json["error"]["field"] == "conv1_kernels"
    client.delete(f"/api/runs/{id}")
    client.delete(f"/api/sets/{set}")


def test_a_set_comes_in_pieces(client):
    size = len(PICTURES)
    answer = client.post("/api/sets", query_string={"name": "big.zip", "size": size})
    id = answer.json["id"]
    address = f"/api/sets/{id}/file"
    half = size // 2
    sent = client.put(address, query_string={"offset": 0}, data=PICTURES[:half])
    assert (sent.json["state"], sent.json["received"]) == ("receiving", half)
    again = client.put(address, query_string={"offset": 0}, data=PICTURES[:half])
    assert f"begin at byte {half}" in refusal(again, 409)[0]
    client.put(address, query_string={"offset": half}, data=PICTURES[half:])
    assert ended(client, id)["state"] == "ready"
    assert client.delete(f"/api/sets/{id}").status_code == 204
    assert client.get(f"/api/sets/{id}").status_code == 404


def test_what_cannot_be_read_says_why(client, runs):
    id = added(client, b"%PDF nothing", "report.pdf")
    facts = ended(client, id)
    assert facts["state"] == "failed"
    assert str(runs.sets._folder) not in facts["error"]
    refused = client.post("/api/runs", json={"dataset": f"set:{id}", **RECIPE})
    assert refused.status_code == 409
    assert client.patch(f"/api/sets/{id}", json={"channels": 3}).status_code == 409
    assert client.get(f"/api/sets/{id}/samples").status_code == 409
    client.delete(f"/api/sets/{id}")


WRITERS = zipped(
    {
        f"{writer}/{kind}": content
        for writer in ("ada", "bob")
        for kind, content in drawings(count=5).items()
    }
)


def test_folders_that_can_be_meant_in_two_ways_are_asked_about(client, runs):
    classes = ["bar", "ring"]
    id = added(client, WRITERS)
    facts = ended(client, id)
    assert facts["state"] == "unclear"
    assert "ada, bob each have the folders bar, ring in them" in facts["question"]
    address = f"/api/sets/{id}"
    refused = client.patch(address, json={"channels": 3})
    assert "folders must say" in refusal(refused, 409)[0]
    again = Sets(runs._folder / "sets")  # as a start finds it
    again.find()
    assert again.facts(id).model_dump(mode="json") == client.get(address).json
    assert client.patch(address, json={"folders": "parts"}).status_code == 200
    facts = ended(client, id)
    assert (facts["state"], facts["question"]) == ("ready", None)
    assert [kind["name"] for kind in facts["classes"]] == classes
    assert client.patch(address, json={"size": [16, 16]}).status_code == 200
    facts = ended(client, id)  # the answer holds
    assert [kind["name"] for kind in facts["classes"]] == classes
    assert facts["shape"] == [1, 16, 16]
    client.delete(address)


def test_an_answer_that_makes_no_set_asks_again(client, runs, monkeypatch):
    loose = {f"train/{k}.png": drawing("bar", k) for k in range(6)}
    loose |= {f"test/{k}.png": drawing("ring", k) for k in range(6)}
    id = added(client, zipped(loose))
    question = ended(client, id)["question"]
    address = f"/api/sets/{id}"
    assert client.patch(address, json={"folders": "parts"}).status_code == 200
    facts = ended(client, id)
    assert (facts["state"], facts["question"]) == ("unclear", question)
    assert "a set needs folders with pictures" in facts["error"]

    waits = (sys.executable, "-c", "import time; time.sleep(600)")
    with monkeypatch.context() as patch:
        patch.setattr(engines_sets, "COMMAND", waits)
        client.patch(address, json={"folders": "classes"})
        assert client.get(address).json["state"] == "reading"
        runs.sets._sets[id].process.kill()
        facts = ended(client, id)
        assert (facts["state"], facts["error"]) == ("unclear", READING_ENDED)
        client.patch(address, json={"folders": "classes"})
        assert client.delete(address).status_code == 204  # the answer alone
        assert ended(client, id)["state"] == "unclear"

    assert client.patch(address, json={"folders": "classes"}).status_code == 200
    facts = ended(client, id)
    assert (facts["state"], facts["error"]) == ("ready", None)
    assert [kind["name"] for kind in facts["classes"]] == ["test", "train"]
    client.delete(address)


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"data": b""}, 422),
        ({"data": {"other": "x"}, "content_type": "multipart/form-data"}, 422),
        ({"query_string": {"size": 1 << 40}}, 413),
    ],
)
def test_what_cannot_be_a_set_is_refused(client, sent, status):
    answer = client.post("/api/sets", **sent)
    assert (answer.status_code, answer.json["error"]["field"]) == (status, "file")


def test_the_body_may_be_the_file_itself(client):
    answer = client.post("/api/sets?name=tiny.csv", data=b"a,b\n1,2\n")
    id = answer.json["id"]
    assert ended(client, id)["title"] == "tiny"
    client.delete(f"/api/sets/{id}")


def test_more_than_was_announced_is_refused(client):
    id = client.post("/api/sets?size=10").json["id"]
    sent = client.put(f"/api/sets/{id}/file?offset=0", data=bytes(11))
    assert sent.status_code == 413
    assert client.get(f"/api/sets/{id}").status_code == 404


def test_there_may_be_so_many_sets(runs, client, monkeypatch):
    monkeypatch.setattr(engines_sets, "MOST_SETS", len(runs.sets.all()))
    answer = client.post("/api/sets?size=10")
    assert "delete one first" in refusal(answer, 503)[0]
    monkeypatch.setattr(engines_sets, "MOST_SETS", MOST_SETS)
    monkeypatch.setattr(engines_sets, "MOST_BYTES", 10)
    assert client.post("/api/sets?size=11").status_code == 503


def test_sets_outlast_the_server_and_halves_do_not(runs, ready, client):
    half = client.post("/api/sets?size=10").json["id"]
    again = Sets(runs._folder / "sets")
    again.find()
    assert [facts.id for facts in again.all()] == [ready]
    assert again.facts(ready).state == "ready"
    assert not (runs._folder / "sets" / half).exists()
    runs.sets.remove(half)


def test_an_upload_whose_reader_is_killed_is_read_again(runs, client, monkeypatch):
    waits = (sys.executable, "-c", "import time; time.sleep(600)")
    monkeypatch.setattr(engines_sets, "COMMAND", waits)
    id = added(client)
    folder = runs._folder / "sets" / id
    (folder / "making").mkdir()
    (folder / "making" / "half").write_bytes(b"half an image")
    first = runs.sets._sets[id].process
    first.kill()
    assert wait_for(
        lambda: runs.sets._sets[id].process, lambda process: process is not first
    )
    assert client.get(f"/api/sets/{id}").json["state"] == "reading"
    runs.sets._sets[id].process.kill()
    facts = ended(client, id)
    assert facts["state"] == "failed"
    assert "reading was ended" in facts["error"]
    assert "read again when the server starts" in facts["error"]
    assert {file.name for file in folder.iterdir()} == {"request.json", "upload"}
    monkeypatch.undo()
    again = Sets(runs._folder / "sets")
    again.find()
    assert wait_for(lambda: again.facts(id).state, lambda state: state != "reading")
    assert again.facts(id).state == "ready"
    client.delete(f"/api/sets/{id}")


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("C:\\pets\\My pets.zip", "My pets"),
        ("\x07.zip", "pictures"),
        ("x" * 300, "x" * 60),
    ],
)
def test_sets_are_called_as_their_files(name, title):
    assert title_of(name) == title
