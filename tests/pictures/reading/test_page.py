"""A site's page brings drawings and pictures into a network's form as Python does."""

import base64
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from capsnet_explorer.app.api.payloads import UploadQuery
from capsnet_explorer.pictures.reading import Intake, read_digit, read_photograph
from capsnet_explorer.pictures.reading.errors import NoDigitFound
from capsnet_explorer.pictures.reading.settings import Overrides
from tests.node import answer_of

PAGE = Path(__file__).parents[3] / "static/js/site/worker/intake.js"
SCRIPT = f"""
import {{ readPicture, wishIn }} from {json.dumps(PAGE.as_uri())};
function answer(asked) {{
    return asked.map(({{ file, width, height, shape, query }}) => {{
        const at_most = Number(query.at_most ?? 1);
        const model = {{ input_shape: shape, present: {{ at_most }} }};
        const wish = wishIn(Object.entries({{ ...query, steps: "true" }}));
        try {{
            const data = Buffer.from(file, "base64");
            const picture = width ? {{ width, height, data }} : data;
            const {{ pixels, report }} = readPicture(picture, model, wish);
            return {{ pixels: [...pixels], ...report }};
        }} catch (error) {{
            if (error.status !== 422) throw error;
            return {{ refused: error.message }};
        }}
    }});
}}
"""
DRAWINGS = 24


def drawing(number: int) -> bytes:
    """Return strokes at random: some apart, some with specks, some from the edge."""
    numbers = np.random.default_rng(number)
    side = (140, 280)[number % 2]  # as the page sends small drawings, and large ones
    picture = Image.new("L", (2 * side, 2 * side))
    pen = ImageDraw.Draw(picture)
    width = int(numbers.integers(6, 50) * side / 280)

    def stroke(places: np.ndarray) -> None:
        points = [(float(x), float(y)) for x, y in 2 * side * places]
        pen.line(points, fill=255, width=width, joint="curve")
        for x, y in points:
            pen.circle((x, y), width / 2, fill=255)

    for _ in range(numbers.integers(1, 4)):
        middle = numbers.uniform(0.2, 0.8, 2)
        near = numbers.uniform(-0.15, 0.15, (4, 2))
        is_small = number % 3 == 0
        stroke(middle + near if is_small else numbers.uniform(0.15, 0.85, (3, 2)))
    if number % 4 == 0:
        for x, y in numbers.uniform(0.1, 0.9, (3, 2)) * 2 * side:
            pen.circle((float(x), float(y)), width / 4, fill=255)
    if number % 5 == 0:
        stroke(np.array([[0, 0.3], [0.08, 0.6]]))
    small = picture.resize((side, side), Image.Resampling.BOX)
    return b"P5\n%d %d\n255\n" % (side, side) + small.tobytes()


def request_of(file: bytes, query: dict[str, Any], shape: Sequence[int]) -> Any:
    """Ask about a drawing as it is, and about the pixels of any other file."""
    size: dict[str, int] = {}
    if not file.startswith(b"P5"):
        picture = Image.open(io.BytesIO(file)).convert("RGBA")
        size = {"width": picture.width, "height": picture.height}
        file = picture.tobytes()
    text = base64.b64encode(file).decode()
    return {"file": text, **size, "query": query, "shape": shape}


def assert_same_reading(answer: Any, ours: Intake) -> bool:
    """Compare what both made of a picture; tell whether the images are equal."""
    levels = np.rint(255 * ours.image.ravel()).astype(int)
    theirs = np.rint(255 * np.array(answer["pixels"])).astype(int)
    # Sums in single precision may round one level the other way.
    assert np.abs(levels - theirs).max() <= 1
    notes = [step["note"] for step in json.loads(answer["steps"])]
    assert notes == [step.note for step in ours.steps]
    assert json.loads(answer["parts"]) == [*ours.parts]
    boxes = [digit["box"] for digit in json.loads(answer["found"])]
    assert boxes == [pytest.approx(each.box.sides) for each in ours.found]
    doubts = json.loads(answer["warnings"])
    messages = [doubt["message"] for doubt in doubts]
    assert messages == [doubt.message for doubt in ours.doubts]
    return np.array_equal(levels, theirs)


@pytest.mark.parametrize("at_most", [1, 2])
def test_a_drawing_becomes_the_same_image_by_the_same_steps(at_most: int):
    files = [drawing(number) for number in range(DRAWINGS)]
    shape = (1, 36, 36) if at_most == 2 else (1, 28, 28)
    query = {"at_most": str(at_most), "ink": "light"}
    requests = [request_of(file, query, shape) for file in files]
    equal = 0
    for file, answer in zip(files, answer_of(SCRIPT, requests), strict=True):
        try:
            ours = read_digit(file, Overrides(ink="light", at_most=at_most))
        except NoDigitFound:
            assert "refused" in answer
            continue
        equal += assert_same_reading(answer, ours)
    assert equal >= DRAWINGS - 2


def picture(
    size: tuple[int, int],
    ink: tuple[int, ...] = (40, 40, 48),
    paper: tuple[int, ...] = (235, 232, 228),
    mode: str = "RGB",
) -> Image.Image:
    """A 7 with a bar on paper that is even but for noise."""
    width, height = size
    image = Image.new(mode, size, paper)
    points = [(0.3, 0.2), (0.7, 0.25), (0.4, 0.8), (0.4, 0.8)]
    line = [(x * width, y * height) for x, y in points]
    pen = ImageDraw.Draw(image)
    pen.line(line, fill=ink, width=width // 12, joint="curve")
    pen.line([(0.42 * width, 0.5 * height), (0.62 * width, 0.52 * height)], ink, 9)
    if mode == "RGBA":
        return image.resize((width // 2, height // 2), Image.Resampling.BOX)
    noise = np.random.default_rng(0).normal(0, 1, np.asarray(image).shape)
    return Image.fromarray(np.uint8(np.clip(np.asarray(image) + noise, 0, 255)))


def png(image: Image.Image) -> bytes:
    """Return the file of a picture."""
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


PICTURES = {
    "dark on light": png(picture((300, 360))),
    "light on dark": png(picture((420, 300), (240, 240, 240), (20, 25, 20))),
    "grey": png(picture((220, 220)).convert("L")),
    "larger than is worked with": png(picture((1700, 1100))),
    "by colour": png(picture((300, 300), (210, 60, 60), (60, 140, 60))),
    "faint": png(picture((300, 300), (208, 208, 208))),
    "transparent": png(picture((500, 560), (0, 0, 0, 255), (0, 0, 0, 0), "RGBA")),
    "light, transparent": png(
        picture((500, 560), (255, 255, 240, 255), (0, 0, 0, 0), "RGBA")
    ),
}


@pytest.mark.parametrize(
    "query", [{}, {"crop": "0.1,0.1,0.85,0.9"}, {"threshold": "0.6"}, {"at_most": "2"}]
)
def test_a_picture_on_even_paper_becomes_the_same_image(query: dict[str, str]):
    shape = (1, 36, 36) if "at_most" in query else (1, 28, 28)
    overrides = UploadQuery.model_validate(query).overrides()
    requests = [request_of(file, query, shape) for file in PICTURES.values()]
    answers = answer_of(SCRIPT, requests)
    for name, file, answer in zip(PICTURES, PICTURES.values(), answers, strict=True):
        assert "refused" not in answer, f"{name}: {answer}"
        assert_same_reading(answer, read_digit(file, overrides))


def test_a_colour_network_reads_the_same_middle():
    requests = [request_of(file, {}, (3, 32, 32)) for file in PICTURES.values()]
    answers = answer_of(SCRIPT, requests)
    for file, answer in zip(PICTURES.values(), answers, strict=True):
        ours = read_photograph(file, (32, 32))
        theirs = np.array(answer["pixels"]).reshape(3, 32, 32)
        np.testing.assert_allclose(theirs, ours.image, atol=1e-6)
        notes = [step["note"] for step in json.loads(answer["steps"])]
        assert notes == [step.note for step in ours.steps]


def test_what_is_not_read_here_is_said_in_a_sentence():
    even = np.asarray(picture((300, 300))).astype(float)
    shade = np.linspace(0.35, 1, 300)[None, :, None]
    squared = even.copy()
    squared[::24] = squared[:, ::24] = 150
    pictures = {
        "uneven": even * shade,
        "printed lines": squared,
        "it is blank": np.full((60, 60, 3), 200.0),
        "at least 4 by 4": np.full((3, 60, 3), 200.0),
    }
    files = [png(Image.fromarray(np.uint8(pixels))) for pixels in pictures.values()]
    requests = [request_of(file, {}, (1, 28, 28)) for file in files]
    for words, answer in zip(pictures, answer_of(SCRIPT, requests), strict=True):
        assert words in answer["refused"]
