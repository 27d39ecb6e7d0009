"""A teacher's questions in a link, and what a class answers, on a site."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.explorer import ONE, draw, prediction

pytestmark = pytest.mark.long  # of a site

MARKUP = "<b>Why</b> does it read that?"
SILENCE = "Make it read 4 by silencing one part. Which one?"


@pytest.fixture(scope="session")
def base_url(site_address: str) -> str:
    """The address of a site."""
    return site_address


def opened(page: Page, address: str) -> Locator:
    """Go to an address, and return the place of a teacher's questions."""
    page.goto(address)
    expect(prediction(page)).to_have_text(re.compile(r"^\d$"))
    return page.locator("[data-part=asked]")


def asks(page: Page, question: str, answers: str = "", **check: str) -> None:
    """Add a question about what is on show."""
    page.locator("[data-guide]").click()
    page.locator("[data-ask]").click()
    dialog = page.locator("[data-dialog=ask]")
    dialog.locator("[name=question]").fill(question)
    dialog.locator("[name=answers]").fill(answers)
    dialog.locator("[data-check]").select_option(check.pop("kind", ""))
    for name, value in check.items():
        dialog.locator(f"[name={name}]").select_option(value)
    dialog.get_by_role("button", name=re.compile("^Add the question")).click()
    expect(dialog.get_by_role("status")).to_have_text("The question is added.")


def silence(page: Page, part: int) -> None:
    """Silence a part, or let it speak, where it stands on the Overview."""
    places = page.locator("#view-overview [data-tile]")
    places.and_(page.locator(f'[data-layer=primary][data-part="{part}"]')).focus()
    page.keyboard.press("s")


def answers(browser: Browser, link: str, name: str, parts: list[int]) -> str:
    """Answer all three questions, and return the file that is saved."""
    page = browser.new_page()
    questions = opened(page, link)
    expect(questions.locator(".asked-words")).to_have_text(SILENCE)
    questions.get_by_role("button", name="none").click()
    expect(questions).to_contain_text(
        "see to it that the network reads 4 with one part"
    )
    for part in parts:
        silence(page, part)
    expect(questions).to_contain_text("✓ Solved")
    chosen = questions.get_by_role("button", name=str(parts[-1]), exact=True)
    chosen.click()
    expect(chosen).to_have_attribute("aria-pressed", "true")
    questions.get_by_role("button", name="Next question").click()
    expect(page.locator("#view-routing")).to_be_visible()
    expect(questions.locator(".asked-words")).to_have_text(MARKUP)  # as text
    questions.get_by_label("What do you expect?").fill(f'=SUM(1), "{name}"')
    page.keyboard.press("Enter")
    questions.get_by_label("What do you say now?").fill("It votes")
    page.keyboard.press("Enter")
    questions.get_by_role("button", name="Next question").click()
    questions.get_by_role("button", name="I do not know").click()
    draw(page, ONE)
    expect(questions).to_contain_text("✓ Solved: the network reads 1")
    page.reload()
    expect(questions).to_contain_text("✓ Solved: the network reads 1")
    questions.get_by_label("Your name").fill(name)
    with page.expect_download() as saved:
        questions.get_by_role("button", name="Save my answers").click()
    assert saved.value.suggested_filename == f"answers-{name}.csv"
    text = saved.value.path().read_text(encoding="utf-8")
    questions.get_by_role("button", name="Clear them").click()
    expect(questions.locator(".asked-words")).to_have_text(SILENCE)
    questions.get_by_role("button", name="Leave").click()
    expect(questions).to_be_hidden()
    assert "ask=" not in page.url
    page.close()
    return text


def test_a_class_is_asked_three_things_and_read(
    page: Page, browser: Browser, base_url: str, tmp_path: Path
):
    opened(page, f"{base_url}/#sample=four-nine")
    silencing = {"kind": "silenced-says", "digit": "4", "than": "1"}
    asks(page, SILENCE, "1 / 15 / none", **silencing)
    page.keyboard.press("Escape")
    page.locator("[data-tab=routing]").click()
    asks(page, MARKUP)
    page.keyboard.press("Escape")
    asks(page, "Draw a 1.", kind="says", digit="1")
    dialog = page.locator("[data-dialog=ask]")
    expect(dialog.locator("ol li")).to_have_count(3)
    link = dialog.locator("[data-link]").input_value()

    table = answers(browser, link, "Ada", [15, 15, 1])
    texts = {"Ada": table, "Bo": table.replace("Ada", "Bo"), "other": "a,b\n"}
    files = [tmp_path / f"{name}.csv" for name in texts]
    for file, text in zip(files, texts.values(), strict=True):
        file.write_text(text, encoding="utf-8")

    dialog.locator("input[type=file]").set_input_files(files)
    expect(dialog.locator("[data-read]")).to_have_text("Answers of 2 people.")
    expect(dialog.get_by_role("alert")).to_contain_text(
        "other.csv is no file of answers"
    )
    tables = dialog.locator(".asked-class").first.locator("table")
    expect(tables.first.locator("tbody tr")).to_have_text(["102", "none20"])
    expect(tables.last.locator("tbody tr")).to_have_text(["Adanone1yes", "Bonone1yes"])
    why = dialog.locator(".asked-class").nth(1)
    expect(why.locator("h4")).to_have_text(MARKUP)
    expect(why).to_contain_text('=SUM(1), "Ada"')
