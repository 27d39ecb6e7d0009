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


def test_tests_take_the_headless_shell_before_a_browser(monkeypatch):
    monkeypatch.setattr(chromium.shutil, "which", lambda name: f"/usr/bin/{name}")
    assert chromium.find_headless() == "/usr/bin/chromium-headless-shell"
    assert chromium.find_chromium() == "/usr/bin/chromium"


def test_a_named_browser_is_taken_before_the_shell(monkeypatch, tmp_path, bare_machine):
    program = tmp_path / "my-chrome"
    program.touch()
    monkeypatch.setenv(chromium.VARIABLE, str(program))
    monkeypatch.setattr(chromium.shutil, "which", lambda name: f"/usr/bin/{name}")
    assert chromium.find_headless() == str(program)
    assert chromium.main() == 0
    assert bare_machine == []


def test_a_shell_that_cannot_be_installed_leaves_the_browser(
    monkeypatch, bare_machine, capsys
):
    only = {"chromium": "/usr/bin/chromium"}
    monkeypatch.setattr(chromium.shutil, "which", only.get)
    monkeypatch.setattr(chromium, "_may_install_packages", lambda: True)
    assert chromium.main() == 0
    installed = [command[4] for command in bare_machine if "install" in command]
    assert installed == ["chromium-headless-shell", "nginx-light"]
    assert "Browser tests use /usr/bin/chromium\n" in capsys.readouterr().out


def test_without_any_it_tries_to_install_one_and_then_says_what_to_do(
    bare_machine, capsys
):
    assert chromium.main() == 1
    assert bare_machine[-1][1:] == ("-m", "playwright", "install", "chromium")
    assert "Install either of them" in capsys.readouterr().err
