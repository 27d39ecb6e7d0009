"""The worksheets: their files, and their pages."""

import html
import re

import pytest

from capsnet_explorer.app.content.guide.text import plain
from capsnet_explorer.app.content.guide.worksheets import (
    load_worksheets,
    parse_worksheet,
)

SHEET = """# Title

45 minutes.

## 1. First

Do [this](#view=routing).

### Solution

Done.
"""


def test_a_worksheet_has_its_tasks_and_solutions():
    sheet = parse_worksheet(SHEET, 1)
    (exercise,) = sheet.exercises
    assert (sheet.title, plain(sheet.about[0])) == ("Title", "45 minutes.")
    assert exercise.title == "1. First"
    assert plain(exercise.text[0]) == "Do this."
    assert plain(exercise.solution[0]) == "Done."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SHEET.replace("# Title", "Title", 1), "needed are a title"),
        (SHEET.replace("### Solution", ""), "must have text and a solution"),
        (SHEET.replace("#view=routing", "https://a.example"), "must lead to a state"),
    ],
)
def test_what_is_wrong_with_a_worksheet_is_said(text, message):
    with pytest.raises(ValueError, match=message):
        parse_worksheet(text, 1)


def test_each_takes_one_lesson():
    sheets = load_worksheets()
    assert [sheet.number for sheet in sheets] == [1, 2]
    for sheet in sheets:
        minutes = [
            int(match[1])
            for exercise in sheet.exercises
            if (match := re.search(r"\((\d+) minutes\)", exercise.title))
        ]
        assert len(minutes) == len(sheet.exercises)
        assert sum(minutes) == 45


def test_worksheets_have_pages_that_the_guide_leads_to(client):
    for sheet in load_worksheets():
        tasks, solutions = (
            client.get(f"/guide/{part}/{sheet.number}").text
            for part in ("worksheet", "solutions")
        )
        assert f'href="../solutions/{sheet.number}"' in tasks
        for exercise in sheet.exercises:
            assert exercise.title in tasks
            assert exercise.title in solutions
            (first, *_), *_ = exercise.solution
            assert html.escape(first.text) in solutions
            assert html.escape(first.text) not in tasks
    assert client.get("/guide/worksheet/9").status_code == 404
