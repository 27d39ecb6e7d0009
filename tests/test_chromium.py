"""How the browser tests come by a browser."""

import pytest

from tests.browser import chromium


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch):
    """Hide every browser, and keep anything from being installed."""
    monkeypatch.delenv(chromium.VARIABLE, raising=False)
    monkeypatch.setattr(chromium.shutil, "which", lambda name: None)
    monkeypatch.setattr(chromium, "APPLICATIONS", ())
    monkeypatch.setattr(chromium, "_playwrights", lambda: None)
    commands = []
    monkeypatch.setattr(chromium, "_run", lambda *command: commands.append(command))
    return commands


def test_a_named_browser_is_taken_first(monkeypatch, tmp_path):
    program = tmp_path / "my-chrome"
    program.touch()
    monkeypatch.setenv(chromium.VARIABLE, str(program))
    monkeypatch.setattr(chromium.shutil, "which", lambda name: f"/usr/bin/{name}")
    assert chromium.find_chromium() == str(program)


def test_a_named_browser_that_is_not_there_is_no_browser(monkeypatch, tmp_path):
    monkeypatch.setenv(chromium.VARIABLE, str(tmp_path / "missing"))
    monkeypatch.setattr(chromium.shutil, "which", lambda name: f"/usr/bin/{name}")
    assert chromium.find_chromium() is None


def test_a_browser_on_the_path_is_found(monkeypatch):
    monkeypatch.setattr(
        chromium.shutil,
        "which",
        lambda name: "/usr/bin/google-chrome" if name == "google-chrome" else None,
    )
    assert chromium.find_chromium() == "/usr/bin/google-chrome"


def test_without_any_it_tries_to_install_one_and_then_says_what_to_do(
    bare_machine, capsys
):
    assert chromium.main() == 1
    assert bare_machine[-1][1:] == ("-m", "playwright", "install", "chromium")
    assert "Install either of them" in capsys.readouterr().err
