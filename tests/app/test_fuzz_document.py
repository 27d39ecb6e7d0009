"""What the OpenAPI document promises, held against random requests to a real server."""

import contextlib
import random
import socket
import threading

from capsnet_explorer.app import create_app
from capsnet_explorer.app.errors import InvalidRequest
from capsnet_explorer.app.http.serving import Server
from capsnet_explorer.model.architecture import OptionsError
from capsnet_explorer.model.capsnet.config import CapsNetConfig
from capsnet_explorer.model.surgery import checked_options
from tests.app.conftest import MISTAKES, Attackable, BrokenEngine
from tests.fuzz import EXAMPLES, fuzz


@contextlib.contextmanager
def serving(engine, data_folder):
    app = create_app({"capsnet-mnist": engine}, data_folder=data_folder)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = Server(app, listener, threads=4)
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.stop()
            thread.join()


class Strict(Attackable):
    """Refuses and decodes what a CapsNet of its sizes would."""

    def options(self, choices):
        try:
            checked_options(CapsNetConfig(), choices)
        except OptionsError as error:
            raise InvalidRequest(str(error), field=error.field) from error
        return super().options(choices)

    def reconstruct(self, digit, poses):
        return super().reconstruct(digit, poses).clip(0, 1)


def test_the_document_holds(data_folder):
    engine = Strict("capsnet-mnist", card={"mistakes": MISTAKES})
    with serving(engine, data_folder) as address:
        outcome = fuzz(address, EXAMPLES or 1, seed=random.randrange(max(1, EXAMPLES)))
    assert outcome.has_passed, outcome.report
    assert outcome.cases > 300
    assert engine.calls["trace"] > 0


def test_a_bug_would_be_found(data_folder):
    only = ("--include-path-regex", "/trace$", "--phases", "fuzzing")
    with serving(BrokenEngine("capsnet-mnist"), data_folder) as address:
        outcome = fuzz(address, 10, *only)
    assert not outcome.has_passed
    assert "POST /api/models/{id}/trace" in outcome.report
    assert "[500]" in outcome.report
