"""Pictures made to do harm: each is answered in words, and leaves nothing behind."""

import os
import re
from pathlib import Path

import pytest

from capsnet_explorer.app import create_app
from capsnet_explorer.pictures.decoding.limits import MEMORY
from capsnet_explorer.pictures.reading.decode import decode, decoders
from tests.app.conftest import FakeEngine
from tests.fuzz import EXAMPLES
from tests.fuzz.pictures import answers_well, fuzz_pictures
from tests.hostile_pictures import BOMBS, NO_DIGIT, SLOW, TOO_MUCH, polyglots
from tests.intake_pictures import drawn_five, encoded

PNG = encoded(drawn_five())
POLYGLOTS = dict(polyglots())
LEFT_BEHIND = 48 << 20  # bytes that a process may keep for the next picture

on_linux = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="asks Linux about memory"
)


@pytest.fixture(scope="module")
def post():
    client = create_app({"fake": FakeEngine("fake")}).test_client()

    def post(data):
        response = client.post("/api/images", data=data, content_type="image/png")
        return response.status_code, response.json

    return post


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_in_words(post, name):
    status, answer = post(BOMBS[name]())
    assert status == (413 if name in TOO_MUCH else 422)
    message = answer["error"]["message"]
    # A fast processor decodes in time what is slow but within all other limits.
    is_decoded = name in NO_DIGIT or (name in SLOW and "it is blank" in message)
    if name in SLOW:
        assert is_decoded or "takes too long" in message
    if not is_decoded:
        assert message.startswith(("A picture may have at most", "Send a"))
        assert "; this " in message or "; decoding this" in message


@pytest.mark.parametrize("name", POLYGLOTS)
def test_what_else_a_picture_is_does_not_matter(post, name):
    status, answer = post(POLYGLOTS[name])
    assert status == 200, answer


@pytest.mark.parametrize("kind", ["GIF", "PNG", "TIFF", "WEBP"])
def test_a_few_frames_are_no_bomb(post, kind):
    frames = [drawn_five(paper=level / 100) for level in range(60, 90)]
    data = encoded(frames[0], kind, save_all=True, append_images=frames[1:])
    assert post(data)[0] == 200


def memory(pid, what):
    """Bytes that a process has (VmRSS), or had at its largest (VmHWM)."""
    status = Path(f"/proc/{pid}/status").read_text()
    return 1024 * int(re.search(rf"{what}:\s*(\d+) kB", status)[1])


@on_linux
def test_memory_is_back_to_where_it_was(post):
    post(PNG)
    server = memory(os.getpid(), "VmRSS")
    pid = decoders._idle[-1].pid
    decoder = memory(pid, "VmRSS")
    for name in ("png of 40 million pixels", "png of a row", "jpeg of segments"):
        post(BOMBS[name]())
    assert decoders._idle[-1].pid == pid
    assert memory(pid, "VmHWM") < MEMORY + (40 << 20)  # its libraries do not count
    assert memory(pid, "VmRSS") < decoder + LEFT_BEHIND
    assert memory(os.getpid(), "VmRSS") < server + LEFT_BEHIND


@on_linux
def test_there_is_a_limit_to_memory():
    decode(PNG)
    pid = decoders._idle[-1].pid
    limits = Path(f"/proc/{pid}/limits").read_text()
    assert re.search(rf"Max data size\s+{MEMORY}\s+{MEMORY}", limits)
    assert re.search(r"Max core file size\s+0\s+0", limits)


def test_bytes_at_random_and_broken_pictures_are_answered(post):
    fuzz_pictures(lambda data: answers_well(*post(data)), EXAMPLES or 150)
