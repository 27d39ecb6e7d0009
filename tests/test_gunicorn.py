"""The app under gunicorn, whose workers are forked from a process that loaded it."""

import http.client
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from capsnet_explorer.app.content.samples import load_samples
from tests.intake_pictures import drawn_five, encoded
from tests.patience import PATIENCE_S, START_S

ROOT = Path(__file__).parent.parent
TRACE = "/api/models/capsnet-mnist/trace"

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="gunicorn does not run on Windows"
)


@contextmanager
def gunicorn(*arguments):
    """Run it on a free port, and yield that."""
    command = ["gunicorn", "app:create_app()", "--bind", "127.0.0.1:0", *arguments]
    with subprocess.Popen(
        [sys.executable, "-m", *command], cwd=ROOT, stderr=subprocess.PIPE, text=True
    ) as server:
        said = []
        for line in server.stderr:
            said.append(line)
            if found := re.search(r"Listening at: http://127.0.0.1:(\d+)", line):
                break
        assert found, "".join(said)
        try:
            yield int(found[1])
        finally:
            server.terminate()
            server.communicate(timeout=PATIENCE_S)


def prediction(port, image):
    """What a worker says to an image; every request is a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=START_S)
    body = json.dumps({"image": image.tolist(), "tensors": []})
    headers = {"Content-Type": "application/json"}
    connection.request("POST", TRACE, body, headers)
    answer = connection.getresponse()
    content = json.load(answer)
    connection.close()
    assert answer.status == 200, content
    return content["prediction"]


def picture_status(port, picture):
    """What a worker answers a picture with."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=START_S)
    connection.request("POST", "/api/images", picture, {"Content-Type": "image/png"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


@pytest.mark.parametrize("preload", [[], ["--preload"]], ids=["apart", "forked"])
def test_several_workers_read_digits_and_pictures_many_at_once(preload):
    samples = [sample for sample in load_samples() if not sample.hard]
    pictures = [encoded(drawn_five())] * 16
    settings = ["--workers=2", "--worker-class=gthread", "--threads=8", *preload]
    with gunicorn(*settings) as port, ThreadPoolExecutor(12) as pool:
        answers = pool.map(lambda sample: prediction(port, sample.image), samples)
        assert list(answers) == [sample.label for sample in samples]
        assert set(pool.map(partial(picture_status, port), pictures)) == {200}
