"""Templates stay compiled from one start to the next, and say which version this is."""

from pathlib import Path

import pytest
from jinja2 import DictLoader, Environment

from capsnet_explorer.app import __version__
from capsnet_explorer.app.page.pages import CompiledTemplates


@pytest.fixture
def rendered(tmp_path):
    """Render a template as a server that has just started does."""
    folder = tmp_path / "compiled"

    def render(source):
        cache = CompiledTemplates(str(folder))
        environment = Environment(
            loader=DictLoader({"page": source}), bytecode_cache=cache, autoescape=True
        )
        return environment.get_template("page").render()

    vars(render)["folder"] = folder
    return render


def test_a_template_is_compiled_once_and_again_when_it_changes(rendered, monkeypatch):
    assert rendered("{{ 1 + 1 }}") == "2"
    with monkeypatch.context() as patched:
        patched.delattr(Environment, "_parse")  # nothing can be compiled
        assert rendered("{{ 1 + 1 }}") == "2"
    assert rendered("{{ 1 + 2 }}") == "3"


@pytest.mark.parametrize("size", [0, 40])
def test_a_damaged_file_is_compiled_again(rendered, size):
    rendered("{{ 1 + 1 }}")
    (kept,) = rendered.folder.iterdir()
    kept.write_bytes(kept.read_bytes()[:size])
    assert rendered("{{ 1 + 1 }}") == "2"


def test_a_folder_that_cannot_be_made_is_done_without(rendered):
    rendered.folder.write_text("a file where the folder should be")
    assert rendered("{{ 1 + 1 }}") == "2"
    assert rendered("{{ 1 + 1 }}") == "2"


def test_any_flipped_bit_is_noticed(rendered):
    """Compiled code of which a bit has changed could do anything."""
    rendered("{{ 1 + 1 }}")
    (kept,) = rendered.folder.iterdir()
    whole = kept.read_bytes()
    for index in [*range(40), *range(40, len(whole), 29)]:
        content = bytearray(whole)
        content[index] ^= 1 << index % 8
        kept.write_bytes(content)
        assert rendered("{{ 1 + 1 }}") == "2"
        assert kept.read_bytes() == whole  # made anew


def test_a_folder_in_place_of_a_file_is_done_without(rendered):
    rendered("{{ 1 + 1 }}")
    (kept,) = rendered.folder.iterdir()
    kept.unlink()
    kept.mkdir()
    assert rendered("{{ 1 + 1 }}") == "2"


def test_what_is_cited_is_this_version(client):
    cited = (Path(__file__).parents[3] / "CITATION.cff").read_text(encoding="utf-8")
    page = client.get("/").get_data(as_text=True)
    for name, value in {"title": "CapsNet Explorer", "version": __version__}.items():
        assert f"\n{name}: {value}\n" in cited
        assert f"{name} = {{{value}}}" in page
    assert "author = {{The CapsNet Explorer authors}}" in page
    assert "name: The CapsNet Explorer authors" in cited
