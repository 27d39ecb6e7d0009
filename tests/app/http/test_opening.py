"""Answers that were kept of an earlier start, and the app that comes meanwhile."""

import json
import os
import threading
import time

import pytest
from werkzeug.test import Client

from capsnet_explorer.app.http import opening as module
from capsnet_explorer.app.http.opening import (
    AGAIN,
    FILE,
    FOLLOWS,
    KEEP,
    STARTS,
    Opening,
    key_of,
)
from tests.patience import PATIENCE_S

FACTS = b"facts"
HERE = {"base_url": "http://localhost:5000"}


class App:
    """A WSGI app whose answers can be kept: `word`, and what it was asked."""

    def __init__(self, word="first", status="200 OK", **headers):
        self.word, self.status = word, status
        self.headers = [*headers.items()]
        self.environs = []

    def __call__(self, environ, start_response):
        self.environs.append(environ)
        environ[KEEP] = environ["PATH_INFO"] != "/private"
        start_response(self.status, self.headers)
        body = environ["wsgi.input"].read().decode()
        return [f"{self.word} {environ['PATH_INFO']} {body}".rstrip().encode()]


def most_of(_method, _path):
    return 7


def begun(folder, app=None, key="key"):
    """Return an opening with an app, whose networks are on their way."""
    opening = Opening(folder, key)
    opening.answer_with(app or App(), most_of)
    return opening


def kept(folder, *requests, app=None):
    """Start, answer some requests, and return the next start, without an app."""
    opening = begun(folder, app)
    for method, path, options in requests or [("GET", "/", {})]:
        Client(opening).open(path, method=method, **HERE | options)
    opening.complete(FACTS)
    return Opening(folder, "key")


def test_what_was_kept_answers_before_the_app_is_there(tmp_path):
    app = App(**{"Content-Type": "text/x", "X-One": "1"})
    opening = kept(tmp_path, app=app)
    assert opening.facts == FACTS
    answer = Client(opening).get("/", **HERE)
    assert (answer.status, answer.data) == ("200 OK", b"first /")
    assert {*app.headers} <= {*answer.headers}


def test_the_app_answers_everything_once_the_networks_are_there(tmp_path):
    opening = kept(tmp_path)
    app = App("second")
    opening.answer_with(app, most_of)
    client = Client(opening)
    assert client.get("/", **HERE).data == b"first /"
    assert client.get("/other", **HERE).data == b"second /other"
    opening.complete(FACTS)
    assert client.get("/", **HERE).data == b"second /"


@pytest.mark.parametrize(
    "change",
    [
        {"path": "/other"},
        {"query_string": "a=1"},
        {"method": "HEAD"},
        {"headers": {"Accept": "text/plain"}},
        {"headers": {"Accept-Encoding": "br"}},
        {"headers": {"Range": "bytes=0-1"}},
        {"base_url": "http://example.org"},
        {"base_url": "http://localhost.example.org"},
        {"headers": {"Origin": "http://example.org"}},
        {"headers": {"Sec-Fetch-Site": "cross-site"}},
        {"headers": {"X-Forwarded-Host": "example.org"}},
        {"headers": {"Via": "1.1 proxy"}},
    ],
)
def test_any_other_request_is_for_the_app(tmp_path, change):
    opening = kept(tmp_path)
    app = App("second")
    opening.answer_with(app, most_of)
    Client(opening).open(**{"path": "/", **HERE, **change})
    assert len(app.environs) == 1


def test_a_post_is_answered_by_its_body(tmp_path):
    opening = kept(tmp_path, ("POST", "/trace", {"data": b"image"}))
    opening.answer_with(App("second"), most_of)
    client = Client(opening)
    assert client.post("/trace", data=b"drawn", **HERE).data == b"second /trace drawn"
    opening = kept(tmp_path, ("POST", "/trace", {"data": b"image"}))
    client = Client(opening)
    assert client.post("/trace", data=b"image", **HERE).data == b"first /trace image"


def test_of_posts_to_an_address_the_first_of_a_start_is_kept(tmp_path):
    posts = [("POST", "/trace", {"data": data}) for data in (b"first", b"second")]
    opening = kept(tmp_path, *posts)
    opening.answer_with(App("again"), most_of)
    client = Client(opening)
    answers = [
        client.post("/trace", data=data, **HERE).data for data in (b"second", b"first")
    ]
    assert answers == [b"again /trace second", b"again /trace first"]
    client = Client(Opening(tmp_path, "key"))
    assert client.post("/trace", data=b"first", **HERE).data == b"first /trace first"


def test_the_app_knows_what_was_posted_before_and_that_it_starts(tmp_path):
    opening = kept(tmp_path, ("POST", "/trace", {"data": b"image"}))
    app = App()
    opening.answer_with(app, most_of)
    client = Client(opening)
    client.get("/", **HERE)
    client.post("/trace", data=b"image", **HERE)  # as kept
    client.post("/reconstruct", data=b"pose", **HERE)
    opening.complete(FACTS)
    client.get("/", **HERE)
    first, second, *_, last = app.environs
    assert [first[FOLLOWS], second[FOLLOWS]] == [False, True]
    assert [first[STARTS], last[STARTS]] == [True, False]


def test_what_the_app_does_not_offer_is_not_kept(tmp_path):
    opening = kept(tmp_path, ("GET", "/private", {}))
    opening.answer_with(App("second"), most_of)
    assert Client(opening).get("/private", **HERE).data == b"second /private"


def test_a_client_that_has_it_gets_no_body(tmp_path):
    headers = {"ETag": 'W/"1"', "Content-Type": "text/x", "Content-Security-Policy": ""}
    opening = kept(tmp_path, app=App(**headers))
    answer = Client(opening).get("/", headers={"If-None-Match": 'W/"1"'}, **HERE)
    assert (answer.status_code, answer.data) == (304, b"")
    assert {"ETag", "Content-Security-Policy"} <= {name for name, _ in answer.headers}
    assert "Content-Type" not in answer.headers
    answer = Client(opening).get("/", headers={"If-None-Match": 'W/"2"'}, **HERE)
    assert answer.data == b"first /"


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (App("second"), b"second /"),
        (App(**{"X-New": "1"}), b"first /"),
        (App("gone", "404 NOT FOUND"), None),
    ],
)
def test_what_was_sent_gives_way_to_what_the_app_answers(tmp_path, second, words):
    opening = kept(tmp_path)
    opening.answer_with(second, most_of)
    Client(opening).get("/", **HERE)
    opening.complete(FACTS)
    (environ,) = second.environs
    assert environ[STARTS]
    assert not environ[AGAIN]  # it is counted now
    next_time = Opening(tmp_path, "key")
    next_time.answer_with(App("third"), most_of)
    answer = Client(next_time).get("/", **HERE)
    assert answer.data == (words or b"third /")
    assert {*second.headers} <= {*answer.headers}


def test_what_is_right_is_not_written_again(tmp_path):
    opening = kept(tmp_path)
    os.utime(tmp_path / FILE, (1, 1))
    opening.answer_with(App(), most_of)
    Client(opening).get("/", **HERE)
    opening.complete(FACTS)
    assert (tmp_path / FILE).stat().st_mtime == 1


def test_files_of_tensors_are_equal_whatever_the_order_of_their_header(tmp_path):
    def file(*names):
        header = json.dumps(dict.fromkeys(names, "")).encode()
        return (len(header).to_bytes(8, "little") + header + b"12").decode()

    def app(word):
        return App(word, **{"Content-Type": "application/x-safetensors"})

    opening = kept(tmp_path, app=app(file("a", "b")))
    written = (tmp_path / FILE).read_bytes()
    for word, is_same in ((file("b", "a"), True), (file("b", "a") + "3", False)):
        opening = Opening(tmp_path, "key")
        opening.answer_with(app(word), most_of)
        Client(opening).get("/", **HERE)
        opening.complete(FACTS)
        assert ((tmp_path / FILE).read_bytes() == written) == is_same


def test_other_facts_leave_nothing_as_it_was(tmp_path):
    opening = kept(tmp_path)
    opening.answer_with(App("second"), most_of)
    opening.complete(b"other facts")
    next_time = begun(tmp_path, App("third"))
    assert next_time.facts == b"other facts"
    assert Client(next_time).get("/", **HERE).data == b"third /"


def test_what_is_asked_later_is_kept_too(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "PAUSE_S", 0.01)
    app = App()
    opening = begun(tmp_path, app)
    opening.complete(FACTS)
    Client(opening).get("/", **HERE)
    deadline = time.monotonic() + PATIENCE_S
    while b'"/"' not in (tmp_path / FILE).read_bytes():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    opening.close()
    assert Client(Opening(tmp_path, "key")).get("/", **HERE).data == b"first /"
    assert app.environs[-1][AGAIN]  # it was counted when it came


def test_the_app_is_asked_nothing_once_all_is_closed(tmp_path):
    app = App()
    opening = begun(tmp_path, app)
    Client(opening).get("/", **HERE)
    opening.close()
    opening.complete(FACTS)
    assert len(app.environs) == 1


@pytest.mark.parametrize(
    ("bound", "most", "expected"),
    [  # the newest stay where not all have room; the first of a start are added
        ("MOST_BYTES", 20, [b"second", b"second", b"first", b"first"]),
        ("MOST_NEW", 2, [b"first", b"first", b"second", b"second"]),
    ],
)
def test_so_many_are_kept_and_no_more(tmp_path, monkeypatch, bound, most, expected):
    monkeypatch.setattr(module, bound, most)
    opening = kept(tmp_path, *(("GET", f"/{number}", {}) for number in range(4)))
    opening.answer_with(App("second"), most_of)
    client = Client(opening)
    words = [client.get(f"/{number}", **HERE).data.split()[0] for number in range(4)]
    assert words == expected


@pytest.mark.parametrize(
    "damage",
    [
        lambda body: b"",
        lambda body: body[:20],
        lambda body: body[:-1],
        lambda body: body[:100] + bytes([body[100] ^ 1]) + body[101:],
        lambda body: b"x" * len(body),
    ],
)
def test_a_damaged_file_is_as_none(tmp_path, damage):
    kept(tmp_path)
    file = tmp_path / FILE
    file.write_bytes(damage(file.read_bytes()))
    opening = begun(tmp_path, App("second"))
    assert opening.facts == b""
    assert Client(opening).get("/", **HERE).data == b"second /"


def test_what_was_kept_counts_under_its_key_alone(tmp_path):
    kept(tmp_path)
    assert Opening(tmp_path, "key").facts == FACTS
    assert Opening(tmp_path, "another").facts == b""


def test_the_key_changes_with_any_file_and_fact(tmp_path):
    (tmp_path / "measured").mkdir()
    keys = [key_of([tmp_path], 1), key_of([tmp_path], 2)]
    for name in ("a.safetensors", "measured/a.safetensors"):
        (tmp_path / name).write_bytes(b"1")
        keys.append(key_of([tmp_path], 1))
    assert len({*keys}) == 4
    assert key_of([tmp_path / "a.safetensors"], 1) == keys[2]
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").write_bytes(b"1")
    assert key_of([tmp_path, tmp_path / "missing"], 1) == keys[3]


def test_an_app_that_cannot_be_had_is_told_of_and_nothing_stays(tmp_path):
    opening = kept(tmp_path)
    opening.fail(ValueError("nothing to load"))
    answer = Client(opening).get("/", **HERE)
    assert answer.status_code == 503
    assert b"its output says why" in answer.data
    assert not (tmp_path / FILE).exists()


def test_bodies_are_as_large_as_the_app_takes_once_it_is_there(tmp_path):
    opening = Opening(tmp_path, "key")
    assert opening.most_of("POST", "/") == module.MOST_UNSEEN
    opening.answer_with(App(), most_of)
    assert opening.most_of("POST", "/") == 7


def test_without_a_folder_nothing_is_kept():
    opening = Opening()
    app = App()
    opening.answer_with(app, most_of)
    Client(opening).get("/", **HERE)
    opening.complete(FACTS)
    assert len(app.environs) == 1


def test_an_app_comes_once_a_page_has_what_it_opens_with(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "QUIET_S", 0.05)
    monkeypatch.setattr(module, "LONGEST_S", 10 * PATIENCE_S)
    opening = kept(tmp_path)
    Client(opening).get("/", **HERE)
    thread = threading.Thread(target=opening.wait_until_quiet)
    thread.start()
    deadline = time.monotonic() + PATIENCE_S
    while thread.is_alive():  # a page asks again and again whether all is there
        assert time.monotonic() < deadline
        Client(opening).get("/", **HERE)

    monkeypatch.setattr(module, "QUIET_S", 10 * PATIENCE_S)
    opening = begun(tmp_path)
    Client(opening).get("/other", **HERE)  # somebody needs the app
    opening.wait_until_quiet()
    monkeypatch.setattr(module, "LONGEST_S", 0.01)
    Opening(tmp_path, "key").wait_until_quiet()
