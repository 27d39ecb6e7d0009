"""Whatever a client sends, it meets a limit before it costs much."""

import gzip

import pytest
from pydantic import ValidationError

from capsnet_explorer.app.api.payloads import PinRequest, TraceRequest
from tests.app.answers import refusal

TRACE = "/api/models/fake/trace"
BATCH = "/api/models/fake/batch"
RECONSTRUCT = "/api/models/fake/reconstruct"
MEBI = 1 << 20
MANY = b"9" * 5000  # Python itself refuses to read more than 4300 digits


@pytest.fixture
def post(client, engine):
    """Post JSON text; the engine must not have been asked for anything."""

    def post(body, path=TRACE, **more):
        response = client.post(path, data=body, content_type="application/json", **more)
        assert response.json.keys() == {"error"}
        assert not engine.calls
        return response.status_code

    return post


@pytest.mark.parametrize("depth", [100, 50_000])
def test_lists_and_objects_within_each_other(post, depth):
    for field in (b"image", b"unknown"):
        lists = b"[" * depth + b"]" * depth
        assert post(b'{"image": [[0]], "%s": %s}' % (field, lists)) == 422
    assert post(b'{"image":' * depth + b"1" + b"}" * depth) == 422


@pytest.mark.parametrize("number", [MANY, b"-18446744073709551616", b"1e400"])
@pytest.mark.parametrize(
    ("path", "body"),
    [
        (TRACE, b'{"image": [[0]], "iterations": %s}'),
        (BATCH, b'{"images": [[[%s]]]}'),
        (RECONSTRUCT, b'{"digit": %s, "poses": [[0]]}'),
        (RECONSTRUCT, b'{"digit": 0, "poses": [[%s]]}'),
    ],
)
def test_numbers_beyond_measure(post, path, body, number):
    assert post(body % number, path) == 422


@pytest.mark.parametrize(
    ("field", "item", "complaint"),
    [
        ("silence", 1, "silence must have at most 4096 items, got a list of 20000"),
        ("pin", {}, "pin.0.capsule is required"),
        ("tensors", 0, "tensors must have at most 100 items, got a list of 20000"),
    ],
)
def test_of_many_mistakes_only_the_first_is_looked_at(
    client, image, field, item, complaint
):
    """Telling all of them apart took seconds, and nobody would read them."""
    body = {"image": image, field: [item] * 20_000}
    with pytest.raises(ValidationError) as caught:
        TraceRequest.model_validate(body)
    assert caught.value.error_count() <= len(PinRequest.model_fields)
    response = client.post(TRACE, json=body)
    assert refusal(response)[0] == complaint


def test_a_body_beyond_measure(post):
    assert post(b" " * (MEBI + 1)) == 413


def test_a_body_that_hides_its_length_is_not_read_beyond_the_limit(client, engine):
    """As a server hands over a chunked body: to be read to its end."""
    environ = {
        "wsgi.input": Endless(),
        "wsgi.input_terminated": True,
        "CONTENT_LENGTH": None,
    }
    with client.post(
        TRACE, content_type="application/json", environ_overrides=environ
    ) as response:
        assert response.status_code == 422
    assert not engine.calls


class Endless:
    """A body that never ends, and says when too much of it was read."""

    def __init__(self):
        self.bytes_read = 0

    def read(self, size=-1):
        assert size >= 0, "asked for all of an endless body"
        self.bytes_read += size
        assert self.bytes_read < 2 * MEBI
        return b" " * size

    def readinto(self, buffer):
        data = self.read(len(buffer))
        buffer[:] = data
        return len(data)


def test_compressed_bodies_are_not_unpacked(post):
    bomb = gzip.compress(b'{"image": [[0]]}' + b" " * (100 * MEBI))
    assert len(bomb) < MEBI
    assert post(bomb, headers={"Content-Encoding": "gzip"}) == 422


def form_of(part, times=1):
    head = b"--x\r\nContent-Disposition: form-data; "
    return (head + part + b"\r\n") * times + b"--x--\r\n"


@pytest.mark.parametrize(
    "form",
    [
        form_of(b'name="a"\r\n\r\n1', times=50),
        form_of(b'name="a"\r\n\r\n' + b"1" * MEBI),
        form_of(b'name="a"\r\n' + b"A: b\r\n" * 200_000),
        form_of(b'name="file"; filename="a"\r\n\r\n' + b"1" * 20 * MEBI),
    ],
    ids=["many fields", "a long field", "many headers", "a long file"],
)
def test_forms_beyond_measure(client, form):
    with client.post(
        "/api/images", data=form, content_type="multipart/form-data; boundary=x"
    ) as response:
        assert response.status_code == 413
        message = response.json["error"]["message"]
    assert message.startswith("the form must have at most 20 MB, ")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"/api/datasets/x/digits/{MANY.decode()}", 404),
        (f"/api/datasets/x/digits?limit={MANY.decode()}", 422),
        (f"/api/models/{'a' * 50_000}/kernels", 404),
        (f"/api/models/fake/kernels?{'&'.join(f'a{i}' for i in range(5000))}", 422),
        ("/api/models/%ff%fe/kernels", 404),
    ],
)
def test_addresses_beyond_measure(client, path, status):
    response = client.get(path)
    assert response.status_code == status
    assert len(response.data) < 500


@pytest.mark.parametrize("path", ["/api/samples", "/static/icon.svg"])
def test_headers_beyond_measure(client, path):
    for name, value in (
        ("Accept", "a/b;q=9,"),
        ("Accept-Encoding", "gzip;q=0.1,"),
        ("If-None-Match", '"W/'),
        ("Range", "bytes=0-1,"),
    ):
        with client.get(path, headers={name: value * 5000}) as response:
            assert response.status_code in {200, 406, 416}
