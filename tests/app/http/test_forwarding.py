"""Who comes through a proxy is a stranger, whatever address the server listens on."""

import pytest

from capsnet_explorer.app import create_app
from capsnet_explorer.app.engines.runs import Runs
from tests.app.conftest import FakeEngine


def client_of(tmp_path, **options):
    runs = Runs(tmp_path / "runs", tmp_path, tmp_path / "kept", **options)
    app = create_app({"fake": FakeEngine("fake")}, data_folder=tmp_path, runs=runs)
    return app.test_client()


@pytest.mark.parametrize(
    "header",
    ["Via", "x-forwarded-host", "X-Real-IP"],
)
def test_a_stranger_trains_nothing(tmp_path, header):
    client, headers = client_of(tmp_path), {header: "1.2.3.4"}
    answer = client.get("/api/recipes", headers=headers).json
    assert (answer["allowed"], "--allow-training" in answer["reason"]) == (False, True)
    for method, url in [
        ("post", "/api/runs"),
        ("patch", "/api/runs/0123abcd"),
        ("delete", "/api/runs/0123abcd"),
        ("delete", "/api/models/fake"),
        ("post", "/api/downloads"),
    ]:
        body = {"dataset": "mnist"} if "downloads" in url else {}
        answer = getattr(client, method)(url, json=body, headers=headers)
        assert answer.status_code == 403, url
    assert client.get("/api/recipes").json["allowed"]  # without a proxy
    assert client.delete("/api/runs/0123abcd").status_code == 404


def test_an_operator_may_allow_strangers_to_train(tmp_path):
    client = client_of(tmp_path, is_for_others=True)
    headers = {"X-Forwarded-For": "1.2.3.4"}
    assert client.get("/api/recipes", headers=headers).json["allowed"]
