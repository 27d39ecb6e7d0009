"""The pages' HTML, and that what reads it sees what is wrong."""

import pytest

from tests.markup import problems_of

PAGE = '<html lang="en"><body><h1 id="top">Title</h1>{}</body></html>'
ICON = '<img src="/icon.svg" alt="">'


@pytest.fixture
def client(settled):
    return settled


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("<p>One<p>", "line 1: </body> closes <p> of line 1"),
        ('<p id="top">One</p>', "line 1: id top is there twice"),
        ('<p class="a" class="b">One</p>', "line 1: <p> has an attribute twice"),
        ('<img src="/one.svg">', "line 1: <img> has no alt"),
        ('<i role="slider">', "line 1: <i> has no aria-valuenow"),
        ("<h3>Two</h3>", "line 1: <h3> comes after a heading of level 1"),
        (f'<a href="/">\n{ICON}</a>', "line 1: <a> has no words"),
        ('<a href="#end">End</a>', "line 1: href leads to end, which is not there"),
        (
            '<p aria-labelledby="top end">One</p>',
            "line 1: aria-labelledby leads to end, which is not there",
        ),
    ],
)
def test_errors_are_told_with_their_line(body, problem):
    assert problem in problems_of(PAGE.format(body))


@pytest.mark.parametrize(
    "path",
    [
        "/guide",
        "/guide/whole",
        "/guide/worksheet/1",
        "/guide/worksheet/2",
        "/guide/solutions/1",
        "/claims",
        "/api/docs",
    ],
)
def test_pages_for_reading_have_no_errors(client, path):
    assert problems_of(client.get(path).text) == []


def test_the_explorer_has_no_errors(client):
    assert problems_of(client.get("/").text, is_scripted=True) == []


def test_the_page_is_the_same_in_whatever_order_templates_are_listed(
    client, monkeypatch
):
    text = client.get("/").text
    environment = client.application.jinja_env
    names = environment.list_templates()
    monkeypatch.setattr(environment, "list_templates", lambda: names[::-1])
    assert client.get("/").text == text
