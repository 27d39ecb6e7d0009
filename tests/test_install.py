"""The first command takes PyTorch's CPU build where its index has it."""

import socket
import sys
import threading
import venv
import zipfile
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import install

VERSION = "2.13.0"
BUILD = f"{VERSION}+cpu"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextmanager
def served(folder):
    """Serve a folder as an index of packages; give its address."""
    handler = partial(Quiet, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def put_wheel(index, name, version):
    """Put a wheel of nothing but its description into an index's folder."""
    folder = index / name
    folder.mkdir(parents=True)
    inner = f"{name}-{version}.dist-info"
    files = {
        f"{inner}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}",
        f"{inner}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n",
    }
    record = "".join(f"{path},,\n" for path in [*files, f"{inner}/RECORD"])
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as file:
        for path, text in {**files, f"{inner}/RECORD": record}.items():
            file.writestr(path, text)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Return requirements, and where they go, from a registry of this machine alone."""
    requirements = tmp_path / "requirements.txt"
    requirements.write_text(f"torch=={VERSION}\nbeside==1.0\n", encoding="utf-8")
    put_wheel(tmp_path / "registry", "torch", VERSION)
    put_wheel(tmp_path / "registry", "beside", "1.0")
    venv.create(tmp_path / "installed")
    into = ("--python", str(tmp_path / "installed"))
    monkeypatch.setattr(install, "PIP", (*install.PIP, *into))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    for name in ("EXTRA_INDEX_URL", "FIND_LINKS", "NO_INDEX", "CONSTRAINT"):
        monkeypatch.delenv(f"PIP_{name}", raising=False)
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with served(tmp_path / "registry") as registry:
        monkeypatch.setenv("PIP_INDEX_URL", registry)
        yield requirements, tmp_path / "installed"


def versions(target):
    names = [path.name for path in target.rglob("*.dist-info")]
    return sorted(name.removesuffix(".dist-info") for name in names)


def test_the_cpu_build_is_taken_from_its_index(place, tmp_path):
    requirements, target = place
    put_wheel(tmp_path / "cpu", "torch", BUILD)
    with served(tmp_path / "cpu") as index:
        assert install.install(index, requirements, patience_s=60) == 0
    assert versions(target) == ["beside-1.0", f"torch-{BUILD}"]


@pytest.mark.parametrize("version", ["2.99.0+cpu", BUILD])
def test_of_an_index_without_a_whole_build_none_is_taken(
    place, tmp_path, capsys, version
):
    requirements, target = place
    put_wheel(tmp_path / "cpu", "torch", version)
    if version == BUILD:
        (wheel,) = (tmp_path / "cpu" / "torch").iterdir()
        wheel.write_bytes(b"cut")
    with served(tmp_path / "cpu") as index:
        assert install.install(index, requirements, patience_s=60) == 0
    assert versions(target) == ["beside-1.0", f"torch-{VERSION}"]
    assert f"{index} has no torch=={VERSION} for here" in capsys.readouterr().err


def test_an_index_that_never_answers_is_left(place):
    requirements, target = place
    with socket.create_server(("127.0.0.1", 0)) as silent:
        index = f"http://127.0.0.1:{silent.getsockname()[1]}"
        assert install.install(index, requirements, patience_s=1) == 0
    assert versions(target) == ["beside-1.0", f"torch-{VERSION}"]


@pytest.fixture
def bare(monkeypatch):
    """Stand on a Linux machine without a card and without PyTorch."""
    monkeypatch.delenv("TORCH", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(install.shutil, "which", lambda _: None)
    monkeypatch.setattr(install, "CARD", ())
    monkeypatch.setattr(install, "_installed", lambda: None)


@pytest.mark.parametrize(
    ("place", "name", "value", "suits"),
    [
        (install, "CARD", (), True),
        (sys, "platform", "darwin", False),
        (sys, "platform", "win32", False),
        (install, "CARD", (__file__,), False),
        (install, "_installed", lambda: VERSION, False),  # what is there stays
    ],
)
def test_the_cpu_build_suits_a_bare_linux_alone(
    bare, monkeypatch, place, name, value, suits
):
    monkeypatch.setattr(place, name, value)
    assert install.suits_cpu_build(install.REQUIREMENTS) == suits


def test_whoever_installs_may_ask_for_the_registrys(bare, monkeypatch):
    monkeypatch.setenv("TORCH", "default")
    assert not install.suits_cpu_build(install.REQUIREMENTS)
    monkeypatch.setenv("TORCH", "rocm")
    with pytest.raises(SystemExit, match="must be default or absent, got rocm"):
        install.suits_cpu_build(install.REQUIREMENTS)


def test_the_container_takes_it_from_the_same_index():
    recipe = Path(install.__file__).with_name("Dockerfile").read_text(encoding="utf-8")
    assert f"--index-url {install.CPU_INDEX} " in recipe
