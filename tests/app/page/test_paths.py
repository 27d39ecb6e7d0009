"""Nothing outside the folder of static files can be had through it."""

from pathlib import Path
from urllib.parse import quote

import pytest
from flask import Flask

from capsnet_explorer.app.page.files import register_static_files

ROOT = Path(__file__).parents[3]

# Files that exist, as seen from /static/.
OUTSIDE = ["../run_visualization.py", "../app/__init__.py", "js/../../pyproject.toml"]


@pytest.fixture
def client(settled):
    return settled


def spellings(path):
    yield path
    yield quote(path, safe="")
    yield path.replace("..", "%2e%2e")
    yield path.replace("..", ".%2E")
    yield path.replace("/", "%2f")
    yield path.replace("/", "%5c")
    yield path.replace("/", "\\")
    yield path.replace("/", "//")
    yield path.replace("..", "....//")
    yield path.replace("..", "%252e%252e")
    yield path.replace("..", "%c0%ae%c0%ae")
    yield path + "%00.js"


@pytest.mark.parametrize("folder", ["/static/", "/"])
@pytest.mark.parametrize("path", OUTSIDE)
def test_no_spelling_leads_out(client, folder, path):
    assert (ROOT / "static" / path).exists()
    for spelling in spellings(path):
        with client.get(folder + spelling, follow_redirects=True) as response:
            assert response.status_code == 404, spelling


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "%2fetc%2fpasswd", "C:%5cWindows%5cwin.ini", "main.js%00"],
)
def test_no_path_of_the_machine_is_one_of_ours(client, path):
    with client.get(f"/static/{path}", follow_redirects=True) as response:
        assert response.status_code == 404


@pytest.mark.parametrize("path", ["", ".", "js", "js/", "types.d.ts", ".hidden.js"])
def test_neither_folders_nor_other_files_are_listed(client, path):
    assert client.get(f"/static/{path}").status_code == 404


@pytest.fixture
def linked(tmp_path):
    """A folder with a file, and with links to a file and a folder outside."""
    secret = tmp_path / "secret" / "key.js"
    secret.parent.mkdir()
    secret.write_text("export const key = 42;")
    folder = tmp_path / "static"
    folder.mkdir()
    (folder / "own.js").write_text("export const own = 1;")
    try:
        (folder / "file.js").symlink_to(secret)
        (folder / "folder").symlink_to(secret.parent)
    except OSError:
        pytest.skip("this system makes no links")
    app = Flask("linked", static_folder=None)
    register_static_files(app, folder)
    return app.test_client()


def test_links_lead_nowhere(linked):
    assert linked.get("/static/own.js").status_code == 200
    for path in ("file.js", "folder/key.js"):
        assert linked.get(f"/static/{path}").status_code == 404
