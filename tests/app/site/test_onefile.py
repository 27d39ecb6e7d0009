"""One HTML file stands in the place of no other's, and is written in one step."""

from pathlib import Path

import pytest

from capsnet_explorer.app.site import onefile
from capsnet_explorer.app.site.onefile import SIGNED, _signature, write_file
from capsnet_explorer.cli import main

PAGE = b"<!doctype html>"


@pytest.fixture(autouse=True)
def a_page(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What is written, in place of a network's page."""
    pages = [PAGE + SIGNED + _signature(PAGE)]
    monkeypatch.setattr(onefile, "file_of", lambda *_, **__: pages[-1])
    return pages


def test_a_page_is_written_again_in_its_own_place(tmp_path: Path, a_page: list[bytes]):
    file = tmp_path / "new" / "page.html"
    write_file(file, {})
    a_page.append(b"new" + SIGNED + _signature(b"new"))
    assert write_file(file, {}) == len(a_page[-1])
    assert file.read_bytes() == a_page[-1]
    assert [*file.parent.iterdir()] == [file]


@pytest.mark.parametrize(
    "change", [bytes.upper, lambda page: page + b" ", lambda _: b"x"]
)
def test_another_file_stays_unless_it_is_to_be_replaced(
    tmp_path: Path, a_page: list[bytes], change
):
    file = tmp_path / "page.html"
    file.write_bytes(change(a_page[0]))
    before = file.read_bytes()
    with pytest.raises(FileExistsError, match="must be new, or a page"):
        write_file(file, {})
    assert file.read_bytes() == before
    write_file(file, {}, replaces=True)
    assert file.read_bytes() == a_page[0]


def test_a_folder_is_refused_and_a_link_replaced(tmp_path: Path, a_page: list[bytes]):
    with pytest.raises(FileExistsError, match="a file is needed, got the folder"):
        write_file(tmp_path, {}, replaces=True)
    other, link = tmp_path / "other", tmp_path / "link.html"
    other.write_bytes(b"mine")
    link.symlink_to(other)
    write_file(link, {})
    assert other.read_bytes() == b"mine"
    assert not link.is_symlink()
    assert link.read_bytes() == a_page[0]


def test_the_command_takes_a_folder_or_a_file(tmp_path: Path, capsys):
    for options in ([], [str(tmp_path), "--file", str(tmp_path / "page.html")]):
        assert main(["site", *options]) == 2
        assert "a FOLDER is needed, or --file FILE" in capsys.readouterr().err
    (tmp_path / "mine.html").write_text("mine")
    assert main(["site", "--file", str(tmp_path / "mine.html")]) == 2
    assert "must be new" in capsys.readouterr().err
