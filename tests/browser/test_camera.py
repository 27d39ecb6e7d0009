"""A still from a camera, which a file stands for, is read as an upload is."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Page, expect

from tests.browser.access import PHONE, violations
from tests.browser.chromium import find_chromium

STREAMS = """
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    window.tracks = [];
    navigator.mediaDevices.getUserMedia = async (wish) => {
        const stream = await ask(wish);
        window.tracks.push(...stream.getTracks());
        return stream;
    };
"""


def film(place: Path) -> Path:
    """Write a film of a 0 on paper, as Chromium takes it for a camera's."""
    picture = Image.new("RGB", (640, 480), (225, 224, 218))
    pen = ImageDraw.Draw(picture)
    pen.ellipse((250, 140, 390, 340), outline=(30, 30, 60), width=24)
    pen.line((20, 0, 20, 480), fill=(30, 30, 60), width=20)  # outside the frame
    frame = io.BytesIO()
    picture.save(frame, "JPEG", quality=95)
    place.write_bytes(frame.getvalue() * 3)
    return place


@pytest.fixture(scope="module")
def camera(
    browser_type, browser_type_launch_args, base_url, tmp_path_factory
) -> Iterator[Page]:
    """A page in a browser that has a camera."""
    if find_chromium() is None:
        pytest.skip("only the headless shell is here, which has no cameras")
    file = film(tmp_path_factory.mktemp("film") / "zero.mjpeg")
    # The headless shell has no cameras.
    asked = {**browser_type_launch_args, "executable_path": find_chromium()}
    more = [
        "--headless=new",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={file}",
    ]
    asked["args"] = [*asked["args"], *more]
    browser = browser_type.launch(**asked)
    context = browser.new_context(base_url=base_url)
    context.add_init_script(STREAMS)
    yield context.new_page()
    browser.close()


def states(page: Page) -> list[str]:
    return page.evaluate("window.tracks.map(({ readyState }) => readyState)")


def test_what_stands_in_the_frame_is_read_and_the_camera_is_let_go(camera: Page):
    page = camera
    page.goto("/#view=input")
    prediction = page.locator("[data-prediction]")
    expect(prediction).not_to_be_empty()
    page.get_by_role("button", name="use the camera").click()
    expect(page.locator("[data-part=problem]")).to_contain_text("not allowed")
    page.context.grant_permissions(["camera"])
    page.get_by_role("button", name="use the camera").click()
    dialog = page.get_by_role("dialog", name="Take a picture")
    take = dialog.get_by_role("button", name="Take the picture")
    expect(take).to_be_enabled()
    assert violations(page, "dialog[open]") == []
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert states(page) == ["live"]
    take.click()
    expect(prediction).to_have_text("0")
    expect(dialog).to_be_hidden()
    assert states(page) == ["ended"]
    page.get_by_role("button", name="Draw or choose another image").click()
    page.get_by_role("button", name="use the camera").click()
    expect(take).to_be_enabled()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert states(page) == ["ended", "ended"]
