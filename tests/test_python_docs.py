"""The Python in README and docs/python.md runs, and prints what they say."""

import contextlib
import io
import re
import socket
import threading
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from capsnet_explorer.app import create_app
from capsnet_explorer.app.engines.torch import load_engines
from capsnet_explorer.app.http.serving import Server
from capsnet_explorer.cli import main
from tests.intake_pictures import drawn_five, encoded
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parent.parent
ADDRESS = "http://127.0.0.1:5000"
SAID = re.compile(r"^print\(.*\)  # (.+)$", re.MULTILINE)


def blocks(name: str) -> list[tuple[str, str]]:
    """Return the language and the text of each block of code of a document."""
    tokens = MarkdownIt().parse((ROOT / name).read_text(encoding="utf-8"))
    return [(token.info, token.content) for token in tokens if token.type == "fence"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder to work in, with a picture and no screen."""
    (tmp_path / "photo.jpg").write_bytes(encoded(drawn_five(), "JPEG"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    return tmp_path


@pytest.fixture
def served():
    """The address of an explorer with the CapsNet alone."""
    engines = load_engines(ROOT / "weights" / "capsnet-mnist.safetensors")
    listener = socket.create_server(("127.0.0.1", 0))
    server = Server(create_app(engines), listener, threads=2)
    thread = threading.Thread(target=server.run)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.stop()
    thread.join(PATIENCE_S)


def run(code: str, names: dict) -> str:
    """Run a block, and return what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "block", "exec"), names)
    return printed.getvalue()


def run_all(name: str, address: str) -> list[str]:
    """Run a document's blocks in order, each as one would, and return what was said.

    A comment beside `print`, or a block of text after one of code, is what it prints.
    """
    names, printed, outputs = {}, "", []
    for language, text in blocks(name):
        if language == "python":
            printed = run(text.replace(ADDRESS, address), names)
            for words in SAID.findall(text):
                assert words in printed.splitlines(), text
                outputs.append(words)
        elif language == "text":
            assert text == printed
            outputs.append(text)
        elif text.startswith("python -m capsnet_explorer trace"):
            for line in text.splitlines():
                assert main(line.split()[3:]) == 0
    return outputs


def test_the_python_of_the_documents_prints_what_they_say(folder, served):
    outputs = run_all("docs/python.md", served)
    assert len(outputs) > 5
    assert {"digit.png", "reading.png", "sweep.png"} < {
        path.name for path in folder.iterdir()
    }


def test_the_python_of_the_readme_runs(folder, served):
    assert run_all("README.md", served)


def test_the_python_of_networks_of_ones_own_runs():
    assert len(run_all("docs/own-networks.md", ADDRESS)) == 8
