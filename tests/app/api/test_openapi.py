"""The OpenAPI document and its page."""

import re
from urllib.parse import urljoin

import pytest


@pytest.fixture
def client(settled):
    return settled


@pytest.fixture
def document(client):
    return client.get("/api/openapi.json").json


def operations(document):
    return [
        (path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def references(value):
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for part in value.values():
            yield from references(part)
    elif isinstance(value, list):
        for part in value:
            yield from references(part)


def test_every_api_route_is_described_and_nothing_else(app, document):
    served = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/api/") and not rule.endpoint.startswith("docs.")
    }
    assert {(path, method) for path, method, _ in operations(document)} == served


def test_every_reference_is_resolved(document):
    known = {
        f"#/components/schemas/{name}" for name in document["components"]["schemas"]
    }
    used = set(references(document))
    assert used
    assert used <= known


def test_every_error_has_the_one_shape(document):
    for path, method, operation in operations(document):
        for status, response in operation["responses"].items():
            if int(status) >= 400:
                schema = response["content"]["application/json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/ErrorAnswer"}, (
                    path,
                    method,
                    status,
                )


def test_every_parameter_in_a_path_is_described(document):
    for path, _, operation in operations(document):
        described = {
            parameter["name"]
            for parameter in operation.get("parameters", [])
            if parameter["in"] == "path"
        }
        assert described == set(re.findall(r"{(\w+)}", path))


def test_the_page_says_every_route_and_schema_and_needs_no_other_server(
    client, document
):
    page = client.get("/api/docs")
    assert page.status_code == 200
    for path, method, _ in operations(document):
        assert f"<code>{method.upper()} {path}</code>" in page.text
    ids = set(re.findall(r'id="([^"]+)"', page.text))
    assert set(document["components"]["schemas"]) <= ids
    assert set(re.findall(r'href="#([^"]+)"', page.text)) <= ids
    for address in re.findall(r'(?:src|href)="([^"#]+)"', page.text):
        assert "//" not in address
        assert client.get(urljoin("/api/docs", address)).status_code == 200
