"""Models that are kept: their names, their number, and what is left of a failure."""

import errno

import orjson
import pytest

from capsnet_explorer.app.engines.training import keeping
from capsnet_explorer.app.engines.training.keeping import (
    KeptModels,
    check_name,
    checked_title,
)
from capsnet_explorer.app.errors import (
    Conflict,
    DamagedFile,
    InvalidRequest,
    Overloaded,
)


@pytest.fixture
def kept(tmp_path):
    return KeptModels(tmp_path / "kept")


@pytest.fixture
def source(tmp_path):
    file = tmp_path / "6.safetensors"
    file.write_bytes(b"weights")
    return file


def fine(_file):
    return None


@pytest.mark.parametrize("name", ["a", "A-b_9", "console", "x" * 60])
def test_names_of_files_on_every_system_are_taken(name):
    check_name(name)


@pytest.mark.parametrize(
    "name",
    ["", "-a", "a.b", "../a", "CON", "nul", "Com1", "lpt9", "ä", "x" * 61, "a\n"],
)
def test_other_names_are_refused(name):
    with pytest.raises(InvalidRequest) as error:
        check_name(name)
    assert error.value.field == "name"


def test_titles_are_any_that_can_be_seen():
    assert checked_title("  Größe 2 – ᚠ 🙂 ") == "Größe 2 – ᚠ 🙂"
    for title in ("", "  ", "a\nb", "a\x00", "a\u202eb", "a\u2028b", "\u2067a"):
        with pytest.raises(InvalidRequest):
            checked_title(title)


def test_a_model_is_there_as_a_whole_and_can_be_removed(kept, source):
    kept.add("mine", source, {"title": "Mine"}, fine)
    assert kept.names() == ["mine"]
    assert kept.weights("mine").read_bytes() == b"weights"
    card = kept.weights("mine").with_suffix(".json")
    assert orjson.loads(card.read_bytes()) == {"title": "Mine"}
    kept.remove("mine")
    assert kept.names() == []
    kept.remove("mine")  # twice is once
    assert list(source.parent.joinpath("kept").iterdir()) == []


def test_a_name_is_taken_in_any_case(kept, source):
    kept.add("mine", source, {}, fine)
    for name, others in [("Mine", ()), ("mine", ()), ("shipped", ["SHIPPED"])]:
        with pytest.raises(Conflict, match="already"):
            kept.add(name, source, {}, fine, others)


def test_no_more_are_kept_than_may_be(kept, source, monkeypatch):
    monkeypatch.setattr(keeping, "MOST_MODELS", 2)
    for name in ("one", "two"):
        kept.add(name, source, {}, fine)
    with pytest.raises(Conflict, match="2 models are kept, and no more can be"):
        kept.add("three", source, {}, fine)
    kept.remove("one")
    kept.add("three", source, {}, fine)


def test_what_fails_leaves_nothing_and_its_name_is_free(kept, source, monkeypatch):
    def damaged(file):
        assert file.read_bytes() == b"weights"
        raise DamagedFile("it is damaged")

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(DamagedFile):
        kept.add("mine", source, {}, damaged)
    with monkeypatch.context() as patch:
        patch.setattr(keeping, "replace_file", full)
        with pytest.raises(Overloaded, match=r"the disk is full\. It needs 7 bytes"):
            kept.add("mine", source, {}, fine)
    assert list(source.parent.joinpath("kept").iterdir()) == []
    kept.add("mine", source, {}, fine)
    assert kept.names() == ["mine"]


def test_what_others_keep_beside_the_models_stays(kept, source):
    folder = source.parent / "kept"
    theirs = [folder / f".mine.{name}" for name in ("writing", "2.writing", "removing")]
    for path in theirs:
        path.mkdir(parents=True)
        (path / "notes.txt").write_bytes(b"theirs")

    def damaged(file):
        raise DamagedFile("it is damaged")

    with pytest.raises(DamagedFile):
        kept.add("mine", source, {}, damaged)
    kept.add("mine", source, {}, fine)
    kept.remove("mine")
    assert sorted(folder.rglob("*")) == sorted(
        [*theirs, *(path / "notes.txt" for path in theirs)]
    )
