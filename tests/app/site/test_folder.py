"""A site in a folder that holds other people's files, too."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from capsnet_explorer.app.site import folder as writing
from capsnet_explorer.app.site.folder import LIST, PLAN, replace_site, require_own
from capsnet_explorer.cli import main
from capsnet_explorer.storage import writing as storage

OLD = {
    "index.html": b"old, with networks/a.1.onnx",
    "guide/one.html": b"old guide",
    "networks/a.1.onnx": b"one",
    "runtime/same.js": b"the same",
}
NEW = {
    "index.html": b"new, with networks/a.2.onnx",
    "guide/two.html": b"new guide",
    "networks/a.2.onnx": b"two",
    "runtime/same.js": b"the same",
}
NEEDS = {OLD["index.html"]: "networks/a.1.onnx", NEW["index.html"]: "networks/a.2.onnx"}


def write(folder: Path, files: dict[str, bytes], say=lambda _: None) -> None:
    replace_site(folder, files, ["a"], say)


def all_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture(autouse=True)
def in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for no disk."""
    monkeypatch.setattr(storage.os, "fsync", lambda _: None)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site as it was written first."""
    folder = tmp_path / "site"
    write(folder, OLD)
    return folder


@pytest.fixture
def wanted(tmp_path: Path) -> dict[str, bytes]:
    """The files of the new site, where no other stood before."""
    write(tmp_path / "alone", NEW)
    return all_in(tmp_path / "alone")


def test_a_folder_that_holds_other_things_is_not_written_to(tmp_path: Path, capsys):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(FileExistsError, match=r"other things: thesis\.tex"):
        require_own(tmp_path)
    assert main(["site", str(tmp_path), "--network", "cnn-mnist"]) == 2
    assert "which holds other things" in capsys.readouterr().err
    with pytest.raises(FileExistsError, match="folder is needed, got the file"):
        require_own(tmp_path / "thesis.tex")
    assert all_in(tmp_path) == {"thesis.tex": b"years of work"}


@pytest.mark.parametrize(
    "text",
    ["{}", "[]", "null", "", '{"files": {}, "digest": "0"}', '{"networks": ["a"]}'],
)
def test_a_list_that_was_not_written_here_is_refused(tmp_path: Path, text: str):
    (tmp_path / LIST).write_text(text)
    (tmp_path / "index.html").write_text("somebody's own")
    with pytest.raises(FileExistsError, match="was not written by this version"):
        write(tmp_path, NEW)
    assert all_in(tmp_path) == {LIST: text.encode(), "index.html": b"somebody's own"}


def test_a_list_that_names_files_elsewhere_removes_none(tmp_path: Path):
    (tmp_path / "precious").write_bytes(b"one")
    folder = tmp_path / "site"
    folder.mkdir()
    paths = ["../precious", str(tmp_path / "precious"), "a/../../precious"]
    listed = dict.fromkeys([*paths, "gone.html"], writing._digest(b"one"))
    (folder / LIST).write_bytes(writing._list(listed))
    write(folder, NEW)
    assert (tmp_path / "precious").read_bytes() == b"one"


def test_what_stands_beside_a_site_stays(site: Path, wanted: dict[str, bytes]):
    others = {
        **{".git/HEAD": b"ref", ".gitattributes": b"*.wasm", ".nojekyll": b""},
        **{"README.md": b"mine", "CNAME": b"host", "networks/mine.txt": b"notes"},
    }
    for path, body in others.items():
        (site / path).parent.mkdir(exist_ok=True)
        (site / path).write_bytes(body)
    write(site, NEW)
    assert all_in(site) == wanted | others
    assert not (site / "guide" / "one.html").exists()


def test_a_clone_of_an_empty_repository_becomes_a_site(
    tmp_path: Path, wanted: dict[str, bytes]
):
    folder = tmp_path / "space"
    for path in (".git/HEAD", ".gitattributes", "README.md"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(b"the host's")
    write(folder, NEW)
    assert wanted.items() <= all_in(folder).items()
    assert (folder / "README.md").read_bytes() == b"the host's"


def test_a_file_that_somebody_changed_is_told_and_not_touched(site: Path):
    (site / "networks/a.1.onnx").write_bytes(b"changed by hand")
    messages: list[str] = []
    write(site, NEW, messages.append)
    assert messages == [
        "networks/a.1.onnx was changed since it was written here, so it stays"
    ]
    assert (site / "networks/a.1.onnx").read_bytes() == b"changed by hand"
    # Where the new site needs its place, nothing is written at all.
    (site / "index.html").write_bytes(b"with my own logo")
    before = all_in(site)
    with pytest.raises(FileExistsError, match=r"here: index\.html, networks/a\.1"):
        write(site, OLD)
    assert all_in(site) == before


def test_a_file_in_the_place_of_a_folder_is_not_touched(site: Path):
    (site / "networks/a.1.onnx").unlink()
    (site / "networks").rmdir()
    (site / "networks").write_bytes(b"a file of mine")
    with pytest.raises(FileExistsError, match=r"networks/a\.2\.onnx"):
        write(site, NEW)
    assert (site / "networks").read_bytes() == b"a file of mine"


@pytest.mark.parametrize(
    "path", ["index.html", "networks", "runtime", ".index.html.writing"]
)
def test_a_link_is_replaced_and_never_followed(
    site: Path, tmp_path: Path, wanted: dict[str, bytes], path: str
):
    outside = tmp_path / "outside"
    outside.mkdir()
    for file in ("a.1.onnx", "a.2.onnx", "same.js", "page"):
        (outside / file).write_bytes(b"not the site's")
    before = all_in(outside)
    is_folder = (site / path).is_dir()
    if is_folder:
        (site / path).rename(tmp_path / "away")
    else:
        (site / path).unlink(missing_ok=True)
    (site / path).symlink_to(outside if is_folder else outside / "page")
    write(site, NEW)
    assert all_in(outside) == before
    assert all_in(site) == wanted
    assert not any(path.is_symlink() for path in site.rglob("*"))


class Cut(BaseException):
    """The process ends here."""


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """A function that ends the process at the n-th change of the disk from now on."""
    with monkeypatch.context() as patch:
        remaining = [-1]

        def until_cut(change):
            def maybe(*arguments, **named):
                remaining[0] -= 1
                if remaining[0] < 0:  # a process that is gone cleans nothing up, either
                    raise Cut
                return change(*arguments, **named)

            return maybe

        def after(count: int) -> None:
            remaining[0] = count

        for name in ("replace", "unlink", "mkdir", "rmdir", "open"):
            patch.setattr(Path, name, until_cut(getattr(Path, name)))
        remaining[0] = 10**9
        yield after


@pytest.mark.parametrize("before", [{}, OLD], ids=["first", "second"])
def test_each_moment_is_one_site_and_the_same_command_goes_on(
    tmp_path: Path,
    wanted: dict[str, bytes],
    cut: Callable[[int], None],
    before: dict[str, bytes],
):
    for count in range(200):
        cut(10**9)
        folder = tmp_path / str(count)
        if before:
            write(folder, before)
        cut(count)
        try:
            write(folder, NEW)
        except Cut:
            is_cut = True
        else:
            is_cut = False
        cut(10**9)
        now = all_in(folder) if folder.exists() else {}
        if before or "index.html" in now:  # a page has what it needs, old or new
            assert NEEDS[now["index.html"]] in now
        if not is_cut:
            assert count > 20
            assert now == wanted
            return
        write(folder, OLD if count % 3 == 2 else NEW)  # or somebody thinks again
        write(folder, NEW)
        assert all_in(folder) == wanted, f"after {count} changes"
    pytest.fail("nothing was ever whole")


def test_a_full_disk_leaves_the_old_site(
    site: Path, wanted: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
):
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    before = all_in(site)
    with monkeypatch.context() as patch:
        patch.setattr(storage.os, "fsync", full)
        with pytest.raises(OSError, match="No space left"):
            write(site, NEW)
    assert all_in(site) == before
    write(site, NEW)
    assert all_in(site) == wanted


def test_the_list_names_each_file_and_nothing_is_left_of_the_plan(site: Path):
    listing = json.loads((site / LIST).read_bytes())
    assert listing["networks"] == ["a"]
    assert listing["files"].keys() == OLD.keys()
    assert not (site / PLAN).exists()
