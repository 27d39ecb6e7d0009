"""POST /api/images, with the reading of pictures replaced by a fake."""

import base64
import io
import re

import numpy as np
import pytest
from PIL import Image, ImageDraw, features

from capsnet_explorer.pictures.reading import (
    Box,
    Busy,
    Doubt,
    Found,
    Intake,
    NoDigitFound,
    NoSuchPart,
    Overrides,
    Step,
    TooMuch,
    UnknownKind,
    Used,
)
from tests.app.answers import refusal
from tests.intake_pictures import drawn_five, encoded, painted, strokes

FORM = "multipart/form-data"
GREY = np.arange(6, dtype=np.uint8).reshape(2, 3) * 40
INK = GREY / np.float32(255)
COLOUR = np.stack([GREY, GREY + 1, GREY + 2], axis=2)
DIGIT = np.eye(28, dtype=np.float32)[None]
ANSWER = Intake(
    image=DIGIT,
    steps=(
        Step("paper", "Paper", "The ground was found.", Image.fromarray(COLOUR)),
        Step("ink", "Ink", "The ink was found.", Image.fromarray(GREY)),
    ),
    inverted=True,
    found=(Found(Box(0.25, 0, 0.5, 1), 0.75, INK), Found(Box(), 0.25, INK)),
    chosen=0,
    parts=(0,),
    used=Used(Box(0, 0, 0.5, 1), -90.0, "dark", 0.4, 2.1, 1.5),
    doubts=(Doubt("several", "There are two."),),
)
TOLD = {
    "ink": "light",
    "invert": "true",
    "threshold": "0.3",
    "crop": "0.1,0.2,0.9,1",
    "rotate": "-12.5",
    "thickness": "3",
    "part": "1",
    "at_most": "2",
}
TOLD_OVERRIDES = Overrides(
    ink="light",
    invert=True,
    threshold=0.3,
    crop=Box(0.1, 0.2, 0.9, 1),
    rotate=-12.5,
    thickness=3,
    part=1,
    at_most=2,
)


@pytest.fixture
def client(settled):
    return settled


@pytest.fixture
def calls(monkeypatch):
    """What the reader was asked, while it answers with two steps."""
    calls = []

    def read_digit(data, overrides):
        calls.append((data, overrides))
        return ANSWER

    monkeypatch.setattr("capsnet_explorer.app.api.pictures.read_digit", read_digit)
    return calls


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
        {"data": b"picture", "content_type": "application/octet-stream"},
    ],
)
def test_a_picture_may_come_as_a_form_or_as_the_body(client, calls, upload):
    response = client.post("/api/images", **upload)
    assert response.status_code == 200
    assert calls == [(b"picture", Overrides())]


def test_the_digit_and_each_step_come_back(client, calls):
    answer = client.post("/api/images", **form()).json
    np.testing.assert_array_equal(answer["image"], DIGIT[0])
    assert answer["inverted"] is True
    paper, ink = answer["steps"]
    assert (paper["name"], paper["title"]) == ("paper", "Paper")
    assert paper["note"] == "The ground was found."
    np.testing.assert_array_equal(decoded(paper["image"]), COLOUR)
    np.testing.assert_array_equal(decoded(ink["image"]), GREY)


def test_all_that_was_found_and_used_comes_back(client, calls):
    answer = client.post("/api/images", **form()).json
    first, second = answer["found"]
    assert (first["box"], first["share"]) == ([0.25, 0, 0.5, 1], 0.75)
    assert second["box"] == [0, 0, 1, 1]
    np.testing.assert_array_equal(decoded(first["image"]), GREY)
    assert answer["chosen"] == 0
    assert answer["settings"] == {
        "ink": "dark",
        "threshold": 0.4,
        "crop": [0, 0, 0.5, 1],
        "rotate": -90,
        "thickness": 2.1,
        "thickness_before": 1.5,
    }
    assert answer["warnings"] == [{"code": "several", "message": "There are two."}]


def with_fields(fields):
    return {"data": fields | form()["data"]}


def test_a_form_tells_it_as_well_as_the_query(client, calls):
    client.post("/api/images", query_string=TOLD, **form())
    client.post("/api/images", **with_fields(TOLD))
    assert calls == [(b"picture", TOLD_OVERRIDES)] * 2


def test_a_form_says_a_thing_once(client, calls):
    fields = {"rotate": ["10", "20"]}
    response = client.post("/api/images", **with_fields(fields))
    assert refusal(response)[1] == "rotate"
    assert calls == []


def test_the_forms_word_counts_before_the_querys(client, calls):
    query = {"ink": "dark", "rotate": "10"}
    client.post("/api/images", query_string=query, **with_fields({"rotate": "20"}))
    assert calls == [(b"picture", Overrides(ink="dark", rotate=20))]


@pytest.mark.parametrize(
    "crop",
    [
        *("0,0,1", "left,0,1,1", "nan,0,1,1", "-0.1,0,1,1", "0.5,0,0.51,1"),
    ],
)
def test_a_crop_is_a_part_of_the_picture(client, calls, crop):
    assert (
        refusal(client.post("/api/images", **with_fields({"crop": crop})))[1] == "crop"
    )
    assert calls == []


@pytest.mark.parametrize(
    ("error", "status", "field"),
    [
        (UnknownKind, 415, "file"),
        (TooMuch, 413, "file"),
        (Busy, 503, None),
        (NoDigitFound, 422, "file"),
        (NoSuchPart, 422, "part"),
    ],
)
def test_a_picture_that_cannot_be_used_says_why(
    client, monkeypatch, error, status, field
):
    def read_digit(data, overrides):
        raise error("the reason")

    monkeypatch.setattr("capsnet_explorer.app.api.pictures.read_digit", read_digit)
    response = client.post("/api/images", **form())
    assert response.status_code == status
    assert response.json["error"] == {"message": "the reason", "field": field}


@pytest.mark.parametrize(
    ("upload", "status", "field"),
    [
        ({"data": {"picture": (io.BytesIO(b"x"), "x.png")}}, 422, "file"),
        (form(b""), 422, "file"),
        ({"data": b"", "content_type": "image/png"}, 422, None),
        ({"data": b"{}", "content_type": "application/json"}, 415, None),
    ],
)
def test_an_upload_without_a_picture_is_refused(client, calls, upload, status, field):
    response = client.post("/api/images", **upload)
    assert refusal(response, status)[1] == field
    assert calls == []


@pytest.mark.parametrize("as_form", [True, False])
def test_a_picture_has_a_limit(client, calls, as_form):
    data = bytes((20 << 20) + 1)
    raw = {"data": data, "content_type": "image/png"}
    response = client.post("/api/images", **(large_form(data) if as_form else raw))
    assert "must have at most 20 MB" in refusal(response, 413)[0]
    assert calls == []


def real(client, picture, **query):
    return client.post("/api/images", query_string=query, **form(encoded(picture))).json


def test_a_real_picture_is_read(client):
    answer = real(client, drawn_five())
    assert np.array(answer["image"]).max() > 0.9
    assert answer["inverted"] is True
    assert answer["steps"]
    (digit,) = answer["found"]
    np.testing.assert_allclose(digit["box"], [0.29, 0.2, 0.71, 0.8], atol=0.03)
    assert answer["warnings"] == []


def test_what_was_used_can_be_told_and_changes_nothing(client):
    """So that every control can start at the value that was found."""
    answer = real(client, drawn_five(width=6))
    used = answer["settings"]
    query = {"threshold": used["threshold"], "thickness": used["thickness"]}
    again = real(client, drawn_five(width=6), ink="dark", part=0, **query)
    assert used["thickness_before"] < used["thickness"]
    np.testing.assert_allclose(again["image"], answer["image"], atol=1 / 255)


def test_inverting_exchanges_what_was_found_or_told(client):
    light = real(client, drawn_five(), ink="light")
    inverted = real(client, drawn_five(), invert=True)
    assert inverted["image"] == light["image"]
    assert inverted["inverted"] is False
    both = real(client, drawn_five(), ink="light", invert=True)
    assert both["image"] == real(client, drawn_five())["image"]


def two_fives():
    """A small five on the left, a large one on the right."""
    size = (300, 160)
    small = strokes(size, (30, 60, 60), 8)
    return painted(small + strokes(size, (160, 30, 100), 10), 0.1, 0.9)


def test_the_largest_of_several_is_read_and_the_others_are_offered(client):
    answer = real(client, two_fives())
    left, right = answer["found"]
    assert left["box"][2] < 0.5 < right["box"][0]
    assert right["share"] > 0.5
    assert left["share"] + right["share"] == pytest.approx(1)
    assert answer["chosen"] == 1
    assert [warning["code"] for warning in answer["warnings"]] == ["several"]
    assert "2 shapes" in answer["warnings"][0]["message"]


@pytest.mark.parametrize("degrees", [-30, 100])
def test_turning_takes_a_slant_back_and_leaves_no_corners(client, degrees):
    """Clockwise, so a picture that was turned the other way comes out upright."""
    upright = np.array(real(client, drawn_five())["image"])
    paper = round(0.9 * 255)
    slanted = drawn_five(box=(60, 60, 80), width=8).rotate(
        degrees, Image.Resampling.BICUBIC, expand=True, fillcolor=paper
    )
    image = np.array(real(client, slanted, rotate=degrees)["image"])
    shifts = [(down, across) for down in (-1, 0, 1) for across in (-1, 0, 1)]
    rolled = [np.roll(image, shift, axis=(0, 1)) for shift in shifts]
    assert min(np.abs(turned - upright).mean() for turned in rolled) < 0.03


def test_a_higher_threshold_drops_fainter_strokes(client):
    coverage = strokes((200, 200), (40, 40, 120), 12)
    coverage[:90] *= 0.6  # half of the digit is faint
    picture = painted(coverage, 0.0, 1.0)
    tops = [
        real(client, picture, threshold=value)["found"][0]["box"][1]
        for value in (0.2, 0.8)
    ]
    np.testing.assert_allclose(tops, [0.2, 0.45], atol=0.03)


@pytest.mark.parametrize("width", [1.2, 4])
def test_strokes_become_as_thick_as_told(client, width):
    answer = real(client, drawn_five(), thickness=width)
    assert answer["settings"]["thickness"] == width
    image = np.array(answer["image"])
    framed = np.pad(image, 1)
    edges = np.hypot(np.diff(framed, axis=0)[:, :-1], np.diff(framed, axis=1)[:-1])
    assert 2 * image.sum() / edges.sum() == pytest.approx(width, rel=0.35)


def test_what_is_no_digit_is_doubted(client):
    loops = Image.new("L", (300, 300), 255)
    for row in range(3):
        for column in range(2):
            box = (60 + 80 * column, 30 + 75 * row, 150 + 80 * column, 115 + 75 * row)
            ImageDraw.Draw(loops).ellipse(box, outline=0, width=8)
    answer = real(client, loops)
    assert [warning["code"] for warning in answer["warnings"]] == ["unlike"]
    assert "closed loops" in answer["warnings"][0]["message"]


def test_cropping_a_large_picture_brings_out_what_is_small(client):
    """The part is as fine as the file has it, not cut from what was shrunk."""
    five = drawn_five(size=(120, 120), box=(30, 20, 80), width=8)
    sheet = Image.new("L", (3000, 2000), round(0.9 * 255))
    sheet.paste(five, (1500, 1000))
    crop = "0.5,0.5,0.54,0.56"  # the five and nothing else
    image, expected = (
        np.array(real(client, picture, **query)["image"])
        for picture, query in ((sheet, {"crop": crop}), (five, {}))
    )
    np.testing.assert_allclose(image, expected, atol=2 / 255)


def test_the_page_offers_what_is_read(client):
    offered = re.search(r'type="file" accept="([^"]*)"', client.get("/").text)
    assert offered is not None
    types = set(offered[1].split(","))
    assert types >= {"image/png", "image/jpeg", "image/webp", "image/gif"}
    assert ("image/avif" in types) == features.check("avif")
    assert "image/heic" not in types  # so that a phone sends it as JPEG


def test_a_colour_picture_keeps_its_colours(client):
    picture = encoded(Image.new("RGB", (40, 20), (255, 0, 51)))
    response = client.post(
        "/api/images?as=colour&size=8", data=picture, content_type="image/png"
    )
    assert response.status_code == 200
    answer = response.json
    assert np.array(answer["image"]).shape == (3, 8, 8)
    np.testing.assert_allclose(np.array(answer["image"])[:, 3, 3], [1, 0, 0.2])
    assert [step["name"] for step in answer["steps"]] == ["picture", "middle", "scaled"]
    assert answer["found"] == []
    assert answer["chosen"] is None
    assert answer["settings"]["ink"] is None
    assert answer["settings"]["crop"] == [0, 0, 1, 1]
