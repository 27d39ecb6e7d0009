"""The command that people type first: what it says when something is wrong."""

import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import run_visualization

ROOT = Path(__file__).parent.parent
CARD = ROOT / "weights" / "capsnet-mnist.json"


def start(*arguments):
    """Run the command to its end; none of these starts get as far as serving."""
    return subprocess.run(
        [sys.executable, ROOT / "run_visualization.py", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
    )


def refused(*arguments):
    """The one line with which a start is refused."""
    result = start(*arguments)
    assert result.returncode == 2, result.stderr
    assert result.stdout == ""
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, result.stderr
    return lines[0]


@pytest.fixture
def damaged(tmp_path):
    """A weight file that was cut short, with its card."""
    weights = tmp_path / "capsnet-mnist.safetensors"
    weights.write_bytes(b"\0" * 1000)
    shutil.copy(CARD, tmp_path)
    return weights


def test_help_lists_every_option_with_its_default():
    text = start("--help").stdout
    for option in ("--host", "--port", "--weights", "--data", "--threads"):
        assert option in text
    assert "127.0.0.1" in text
    assert "5000" in text


def test_a_busy_port_is_told_in_one_line():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        line = refused("--port", port)
    assert f"port {port}" in line
    assert "in use" in line


def test_an_unknown_host_is_told_in_one_line():
    assert "no.such.host.invalid" in refused("--host", "no.such.host.invalid")


def test_missing_weights_are_told_in_one_line(tmp_path):
    missing = tmp_path / "none.safetensors"
    assert str(missing) in refused("--port", 0, "--weights", missing)


def test_a_folder_without_weights_is_told_in_one_line(tmp_path):
    assert "holds no" in refused("--port", 0, "--weights", tmp_path)


def test_damaged_weights_are_told_in_one_line(damaged):
    assert "damaged" in refused("--port", 0, "--weights", damaged)


def test_an_unreadable_data_folder_is_told_in_one_line(tmp_path):
    missing = tmp_path / "nowhere"
    assert str(missing) in refused("--port", 0, "--data", missing)


@pytest.mark.parametrize("port", ["-1", "65536", "http", "1.5"])
def test_a_port_that_cannot_be_is_refused(port):
    result = start(f"--port={port}")
    assert result.returncode == 2
    assert "--port" in result.stderr


def test_the_address_printed_can_be_opened():
    with run_visualization._listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        assert run_visualization._address(listener) == f"http://127.0.0.1:{port}"
        with socket.create_connection(("127.0.0.1", port)):
            pass


def test_an_explorer_for_everybody_is_opened_on_this_machine():
    with run_visualization._listen("0.0.0.0", 0) as listener:
        assert run_visualization._address(listener).startswith("http://localhost:")
