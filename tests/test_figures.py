"""The command that draws figures: what it refuses, and how it says so."""

import sys

import pytest

from capsnet_explorer.cli import main


@pytest.mark.parametrize(
    ("pictures", "missing", "words"),
    [
        (["none.png"], None, "PICTURE must be a file, got none.png"),
        ([__file__], "playwright.sync_api", "pip install playwright"),
        ([__file__], "chromium", "need Chromium or Chrome"),
    ],
)
def test_what_is_missing_is_said(pictures, missing, words, monkeypatch, capsys):
    if missing == "chromium":
        monkeypatch.setenv("CAPSNET_CHROMIUM", "/nowhere/chromium")
    elif missing:
        monkeypatch.setitem(sys.modules, missing, None)
    assert main(["figures", "cnn-mnist", *pictures]) == 2
    assert words in capsys.readouterr().err


def test_a_form_that_there_is_not_is_refused(capsys):
    assert main(["figures", "cnn-mnist", __file__, "--forms", "pdf"]) == 2
    assert "csv" in capsys.readouterr().err
