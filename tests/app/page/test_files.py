"""The page's own files: versioned, packed, and read again once they change."""

import gzip
import os
import re

import brotli
import pytest
from flask import Flask

from capsnet_explorer import ROOT
from capsnet_explorer.app.page.files import StaticFolder, register_static_files

SCRIPT = "export const one = 1;\n" * 100


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "static"
    (folder / "js" / "lib").mkdir(parents=True)
    (folder / "css").mkdir()
    (folder / "js" / "main.js").write_text(SCRIPT)
    (folder / "js" / "lib" / "two.js").write_text("export const two = 2;\n")
    (folder / "js" / "types.d.ts").write_text("export interface Secret {}\n")
    (folder / "css" / "all.css").write_text('@import "./a.css";\n@import "./b.css";\n')
    (folder / "css" / "a.css").write_text("a { color: red; }\n")
    (folder / "css" / "b.css").write_text("b { color: blue; }\n")
    (tmp_path / "secret.js").write_text("secret")
    return folder


@pytest.fixture
def files(folder):
    return StaticFolder(folder).refreshed()


@pytest.fixture
def client(folder):
    app = Flask(__name__, static_folder=None)
    register_static_files(app, folder)
    return app.test_client()


@pytest.mark.parametrize(
    ("name", "mimetype"),
    [
        ("js/main.js", "text/javascript"),
        ("packs/main.js", "text/javascript"),
        ("css/a.css", "text/css"),
    ],
)
def test_files_are_served_under_their_version_for_good(client, files, name, mimetype):
    answer = client.get(files.address(name))
    assert answer.status_code == 200
    assert answer.mimetype == mimetype
    cache = answer.headers["Cache-Control"]
    assert "immutable" in cache
    assert "max-age=31536000" in cache


@pytest.mark.parametrize("version", ["", "v0123456789abcdef/"])
def test_without_the_version_of_now_they_are_checked_before_reuse(client, version):
    answer = client.get(f"/static/{version}js/main.js")
    assert answer.text == SCRIPT
    assert answer.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    ("accepted", "encoding", "unpack"),
    [
        ("gzip, deflate, br, zstd", "br", brotli.decompress),
        ("gzip, deflate", "gzip", gzip.decompress),
        ("br;q=0.1, gzip", "gzip", gzip.decompress),
        (None, None, bytes),
    ],
)
def test_files_are_packed_as_the_client_likes(client, accepted, encoding, unpack):
    headers = {} if accepted is None else {"Accept-Encoding": accepted}
    answer = client.get("/static/js/main.js", headers=headers)
    assert answer.headers.get("Content-Encoding") == encoding
    assert "Accept-Encoding" in answer.vary
    assert unpack(answer.data).decode() == SCRIPT


def test_a_file_is_not_sent_twice(client, files):
    address = files.address("js/main.js")
    tag = client.get(address).headers["ETag"]
    again = client.get(address, headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    assert "Accept-Encoding" in again.vary


def test_style_sheets_are_sent_without_what_no_browser_reads(client, folder):
    sheet = "/* One */\na {\n  color: red; /* two\n * three */\n\n  margin: 0 1px;\n}\n"
    (folder / "css" / "a.css").write_text(sheet)
    sent = client.get(StaticFolder(folder).refreshed().address("css/a.css")).text
    assert sent == "a {\ncolor: red; margin: 0 1px;\n}\n"
    quoted = re.compile(rb"""["'][^"'\n]*/\*""")
    for path in (ROOT / "static" / "css").rglob("*.css"):
        assert not quoted.search(path.read_bytes()), f"{path.name} quotes a comment"


def test_style_sheets_import_others_relative_to_themselves(client, folder):
    deep = folder / "css" / "networks" / "capsnet"
    deep.mkdir(parents=True)
    (folder / "css" / "a.css").write_text(
        '@import "./networks/capsnet/all.css";\na { color: red; }\n'
    )
    (deep / "all.css").write_text('@import "./conv1.css";\n@import "../../b.css";\n')
    (deep / "conv1.css").write_text("i { color: green; }\n")
    assert client.get(StaticFolder(folder).refreshed().address("css/all.css")).text == (
        "i { color: green; }\nb { color: blue; }\n"
        "a { color: red; }\nb { color: blue; }\n"
    )


def test_style_sheets_that_import_each_other_are_told(folder):
    (folder / "css" / "a.css").write_text('@import "./c/c.css";\n')
    (folder / "css" / "c").mkdir()
    (folder / "css" / "c" / "c.css").write_text('@import "../a.css";\n')
    circle = r"circle: css/a\.css imports css/c/c\.css imports css/a\.css$"
    with pytest.raises(ValueError, match=circle):
        StaticFolder(folder).refreshed()


@pytest.mark.parametrize(
    "line",
    [
        '@import "b.css";',
        '@import "./b.css" screen;',
    ],
)
def test_an_import_of_another_kind_in_a_style_sheet_is_told(folder, line):
    (folder / "css" / "a.css").write_text(f"{line}\n")
    with pytest.raises(ValueError, match=r"css/a\.css: cannot be joined") as refusal:
        StaticFolder(folder).refreshed()
    assert line.strip() in str(refusal.value)


def test_an_imported_style_sheet_that_is_not_there_is_noticed_at_once(folder):
    (folder / "css" / "b.css").unlink()
    with pytest.raises(KeyError, match=r"css/b\.css"):
        StaticFolder(folder).refreshed()


def test_a_file_that_is_not_there_has_no_address(files):
    with pytest.raises(KeyError, match=r"js/none\.js"):
        files.address("js/none.js")


def test_the_version_changes_with_any_file_and_only_then(folder):
    static = StaticFolder(folder)
    first = static.refreshed().version
    assert re.fullmatch(r"[0-9a-f]{16}", first)
    assert static.refreshed().version == first
    two = folder / "js" / "lib" / "two.js"
    two.write_text("export const two = 3;\n")
    os.utime(two, ns=(1, 1))  # as if a while had passed
    second = static.refreshed().version
    (folder / "js" / "new.js").write_text("export const three = 3;\n")
    assert len({first, second, static.refreshed().version}) == 3


def test_a_version_made_by_another_process_is_looked_for_on_the_disk(client, folder):
    client.get("/static/js/main.js")
    (folder / "js" / "main.js").write_text("export const one = 2;\n")
    told_elsewhere = StaticFolder(folder).refreshed().address("js/main.js")
    answer = client.get(told_elsewhere)
    assert answer.text == "export const one = 2;\n"
    assert "immutable" in answer.headers["Cache-Control"]
