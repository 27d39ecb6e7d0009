"""A site's page brings drawings into a network's form as Python does."""

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from capsnet_explorer.intake import read_digit
from capsnet_explorer.intake.errors import NoDigitFound
from capsnet_explorer.intake.settings import Overrides
from tests.node import answer_of

PAGE = Path(__file__).parents[2] / "static/js/site/worker/pen.js"
SCRIPT = f"""
import {{ readPen, wishIn }} from {json.dumps(PAGE.as_uri())};
function answer(drawings) {{
    return drawings.map(({{ file, atMost }}) => {{
        const side = atMost === 2 ? 36 : 28;
        const present = {{ at_most: atMost }};
        const model = {{ input_shape: [1, side, side], present }};
        const wish = wishIn([["at_most", String(atMost)], ["steps", "true"]]);
        try {{
            const bytes = Buffer.from(file, "base64");
            const {{ pixels, report }} = readPen(bytes, model, wish);
            return {{ pixels: [...pixels], ...report }};
        }} catch (error) {{
            if (error.status !== 422) throw error;
            return {{ refused: error.message }};
        }}
    }});
}}
"""
DRAWINGS = 48


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


@pytest.mark.parametrize("at_most", [1, 2])
def test_a_drawing_becomes_the_same_image_by_the_same_steps(at_most: int):
    files = [drawing(number) for number in range(DRAWINGS)]
    asked = [
        {"file": base64.b64encode(file).decode(), "atMost": at_most} for file in files
    ]
    equal = 0
    for file, found in zip(files, answer_of(SCRIPT, asked), strict=True):
        try:
            ours = read_digit(file, Overrides(ink="light", at_most=at_most))
        except NoDigitFound:
            assert "refused" in found
            continue
        levels = np.rint(255 * ours.image.ravel()).astype(int)
        theirs = np.rint(255 * np.array(found["pixels"])).astype(int)
        # Sums in single precision may round one level the other way.
        assert np.abs(levels - theirs).max() <= 1
        equal += np.array_equal(levels, theirs)
        notes = [step["note"] for step in json.loads(found["steps"])]
        assert notes == [step.note for step in ours.steps]
        assert json.loads(found["parts"]) == [*ours.parts]
        boxes = [each["box"] for each in json.loads(found["found"])]
        assert boxes == [pytest.approx(each.box.sides) for each in ours.found]
        doubts = [each["message"] for each in json.loads(found["warnings"])]
        assert doubts == [each.message for each in ours.doubts]
    assert equal >= DRAWINGS - 2
