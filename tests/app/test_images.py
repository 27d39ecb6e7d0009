"""POST /api/images, with the reading of pictures replaced by a fake."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

from app.intake import ImageTooLarge, Intake, NoDigitFound, Step, UnreadableImage

FORM = "multipart/form-data"
GREY = np.arange(6, dtype=np.uint8).reshape(2, 3) * 40
COLOUR = np.stack([GREY, GREY + 1, GREY + 2], axis=2)
DIGIT = np.eye(28, dtype=np.float32)


@pytest.fixture
def asked(monkeypatch):
    """What the reader was asked, while it answers with two steps."""
    asked = []

    def read_digit(data, *, ink):
        asked.append((data, ink))
        steps = (
            Step("paper", "Paper", "The ground was found.", COLOUR),
            Step("ink", "Ink", "The ink was found.", GREY),
        )
        return Intake(DIGIT, steps, True)

    monkeypatch.setattr("app.pictures.read_digit", read_digit)
    return asked


def form(data=b"picture"):
    return {"data": {"file": (io.BytesIO(data), "digit.png")}}


def large_form(data):
    """Like `form`, but the test client leaves no file open behind it."""
    head = (
        b'--edge\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
    )
    body = head + data + b"\r\n--edge--\r\n"
    return {"data": body, "content_type": f"{FORM}; boundary=edge"}


def decoded(address):
    head, _, body = address.partition(",")
    assert head == "data:image/png;base64"
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(body))))


@pytest.mark.parametrize(
    "upload",
    [
        form(),
        {"data": b"picture", "content_type": "image/png"},
        {"data": b"picture", "content_type": "image/x-unheard-of"},
        {"data": b"picture", "content_type": "application/octet-stream"},
    ],
)
def test_a_picture_may_come_as_a_form_or_as_the_body(client, asked, upload):
    response = client.post("/api/images", **upload)
    assert response.status_code == 200
    assert asked == [(b"picture", "auto")]


def test_the_digit_and_each_step_come_back(client, asked):
    answer = client.post("/api/images", **form()).json
    np.testing.assert_array_equal(answer["image"], DIGIT)
    assert answer["inverted"] is True
    paper, ink = answer["steps"]
    assert (paper["name"], paper["title"]) == ("paper", "Paper")
    assert paper["note"] == "The ground was found."
    np.testing.assert_array_equal(decoded(paper["image"]), COLOUR)
    np.testing.assert_array_equal(decoded(ink["image"]), GREY)


@pytest.mark.parametrize("ink", ["auto", "dark", "light"])
def test_the_kind_of_ink_may_be_told(client, asked, ink):
    client.post(f"/api/images?ink={ink}", **form())
    assert asked == [(b"picture", ink)]


@pytest.mark.parametrize(
    ("error", "status"),
    [(UnreadableImage, 415), (ImageTooLarge, 413), (NoDigitFound, 422)],
)
def test_a_picture_that_cannot_be_used_says_why(client, monkeypatch, error, status):
    def read_digit(data, *, ink):
        raise error("the reason")

    monkeypatch.setattr("app.pictures.read_digit", read_digit)
    response = client.post("/api/images", **form())
    assert response.status_code == status
    assert response.json["error"] == {"message": "the reason", "field": "file"}


@pytest.mark.parametrize(
    ("upload", "status", "field"),
    [
        ({"data": {"picture": (io.BytesIO(b"x"), "x.png")}}, 422, "file"),
        (
            {"data": {"file": "text"}, "content_type": "multipart/form-data"},
            422,
            "file",
        ),
        ({"data": b"?", "content_type": "multipart/form-data"}, 422, "file"),
        (form(b""), 422, "file"),
        ({"data": b"", "content_type": "image/png"}, 422, None),
        ({"data": b"{}", "content_type": "application/json"}, 415, None),
        ({"data": b"x"}, 415, None),
        ({"query_string": "ink=red", **form()}, 422, "ink"),
    ],
)
def test_an_upload_without_a_picture_is_refused(client, asked, upload, status, field):
    response = client.post("/api/images", **upload)
    assert response.status_code == status
    assert response.json["error"]["field"] == field
    assert asked == []


def test_a_picture_may_be_larger_than_a_json_body(client, asked):
    data = bytes(19 << 20)
    assert client.post("/api/images", **large_form(data)).status_code == 200
    assert len(asked[0][0]) == len(data)


@pytest.mark.parametrize("as_form", [True, False])
def test_a_picture_has_a_limit(client, asked, as_form):
    data = bytes((20 << 20) + 1)
    raw = {"data": data, "content_type": "image/png"}
    response = client.post("/api/images", **(large_form(data) if as_form else raw))
    assert response.status_code == 413
    assert "must have at most 20971520 bytes" in response.json["error"]["message"]
    assert asked == []


def test_a_real_picture_is_read(client):
    picture = np.full((100, 80), 255, np.uint8)
    picture[20:80, 36:44] = 0  # a dark one
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG")
    answer = client.post("/api/images", **form(file.getvalue())).json
    assert np.array(answer["image"]).max() > 0.9
    assert answer["inverted"] is True
    assert answer["steps"]
