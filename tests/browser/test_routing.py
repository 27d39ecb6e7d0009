"""What the routing view shows, recomputed from the API's numbers with NumPy."""

import re
from dataclasses import dataclass

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.explorer import (
    FRAMES,
    open_page,
    open_view,
    pass_frames,
    pixels_at_rest,
    pixels_of,
    prediction,
)

AMBIGUOUS = "four-nine"
AS_FOUR = "&digit=4"  # a link's choice: networks may read this sample as 9
MINUS = "\u2212"
# What changes now is on the page in the frame after next at the latest.
PAINTED = """() => new Promise(done =>
    requestAnimationFrame(() => requestAnimationFrame(done)))"""


@dataclass(frozen=True)
class Run:
    """One pass of the network; capsules below in one row: (iterations, 1152, 10)."""

    couplings: np.ndarray
    agreement: np.ndarray
    capsules: np.ndarray
    lengths: np.ndarray
    votes: np.ndarray
    digit: int

    def contributions(self, step: int, digit: int) -> np.ndarray:
        """What each capsule adds to ‖s‖ of a digit: c times its vote along s."""
        weighted = self.couplings[step, :, digit, None] * self.votes[:, digit]
        total = weighted.sum(axis=0)
        return weighted @ (total / np.linalg.norm(total))


def run_of(page: Page, sample: str, iterations: int = 3) -> Run:
    """Ask the API, in JSON, for the pass that the page shows."""
    samples = page.request.get("/api/samples").json()["samples"]
    image = next(each["image"] for each in samples if each["id"] == sample)
    model = page.request.get("/api/models").json()["models"][0]["id"]
    names = ["routing.couplings", "routing.agreement", "routing.capsules"]
    answer = page.request.post(
        f"/api/models/{model}/trace",
        data={
            "image": image,
            "iterations": iterations,
            "tensors": [*names, "primary.lengths", "votes"],
        },
    ).json()
    tensors = {name: np.array(values) for name, values in answer["tensors"].items()}
    return Run(
        couplings=tensors["routing.couplings"].reshape(iterations, 1152, 10),
        agreement=tensors["routing.agreement"].reshape(iterations, 1152, 10),
        capsules=tensors["routing.capsules"],
        lengths=tensors["primary.lengths"].reshape(1152),
        votes=tensors["votes"].reshape(1152, 10, 16),
        digit=answer["prediction"],
    )


def open_routing(page: Page, sample: str = AMBIGUOUS, more: str = "") -> Locator:
    """Open the view on a sample and wait for its pictures."""
    open_page(page, f"view=routing&sample={sample}{more}")
    panel = page.locator("#view-routing")
    expect(panel.locator("[data-story]")).to_contain_text("Iteration")
    return panel


def numbers_in(words: str) -> list[float]:
    """Every number in a text, with the page's minus sign read."""
    return [
        float(each) for each in re.findall(r"-?\d+\.?\d*", words.replace(MINUS, "-"))
    ]


def test_the_course_is_what_numpy_makes_of_the_trace(page: Page):
    panel = open_routing(page)
    run = run_of(page, AMBIGUOUS)
    folder = panel.locator("[data-numbers=course]")
    folder.locator("summary").click()
    expect(folder.locator("tbody tr")).to_have_count(3)
    shown = [
        numbers_in(row.inner_text())[1:] for row in folder.locator("tbody tr").all()
    ]
    lengths = np.linalg.norm(run.capsules, axis=-1)
    agreement = run.agreement[:, :, run.digit].sum(axis=1)
    entropy = -(run.couplings * np.log2(run.couplings)).sum(axis=-1).mean(axis=1)
    to_digit = np.sort(run.couplings[:, :, run.digit], axis=1)
    expected = np.column_stack(
        [
            lengths,
            agreement,
            np.log2(10) - entropy,
            to_digit[:, -1],
            to_digit[:, int(np.ceil(0.99 * 1152)) - 1],
            to_digit[:, int(np.ceil(0.9 * 1152)) - 1],
            to_digit[:, 575],
        ]
    )
    # The page's tensors came in half precision; agreement is a sum of 1152 of them.
    np.testing.assert_allclose(shown, expected, rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("digit", [4, 9])
def test_a_ribbons_numbers_are_what_numpy_makes_of_the_trace(page: Page, digit: int):
    capsule = 22 * 36 + 7
    panel = open_routing(page, more=f"&digit={digit}&capsule={capsule}")
    run = run_of(page, AMBIGUOUS)
    readout = panel.locator("[data-flow-readout]")
    expect(readout).to_contain_text(f"type 22 → {digit}")
    of_type = slice(22 * 36, 23 * 36)
    flow = (run.couplings[2, of_type, digit] * run.lengths[of_type]).sum()
    total = run.lengths[of_type].sum()
    _, _, shown, share, beyond = numbers_in(readout.inner_text())
    assert shown == pytest.approx(flow, abs=2e-3)
    assert share == pytest.approx(100 * flow / total, abs=0.06)
    assert beyond == pytest.approx(flow - total / 10, abs=2e-3)


def test_places_give_what_the_votes_along_the_pose_add_up_to(page: Page):
    panel = open_routing(page, more="&capsule=21")
    run = run_of(page, AMBIGUOUS)
    places = panel.locator("[data-where-places]")
    places.scroll_into_view_if_needed()
    readout = panel.locator("[data-where-readout]")
    expect(readout).to_contain_text("row 3, column 3")
    given = run.contributions(2, run.digit).reshape(32, 6, 6).sum(axis=0)
    assert numbers_in(readout.inner_text())[2] == pytest.approx(given[3, 3], abs=2e-3)
    places.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    expect(readout).to_contain_text("row 2, column 2")
    assert numbers_in(readout.inner_text())[2] == pytest.approx(given[2, 2], abs=2e-3)
    # All ten digits' lengths before squash stand below, small.
    for digit, button in enumerate(panel.locator("[data-where-digits] button").all()):
        squashed = np.linalg.norm(run.capsules[2, digit])
        before = np.sqrt(squashed / (1 - squashed))
        assert numbers_in(button.inner_text())[1] == pytest.approx(before, abs=0.01)


def test_the_plane_of_the_votes_is_that_of_numpys_svd(page: Page):
    open_routing(page)
    run = run_of(page, AMBIGUOUS)
    for digit in (run.digit, 9, 0):
        votes = run.votes[:, digit]
        found = page.evaluate(
            """async (votes) => {
                const { principalPlane } = await import(
                    "/static/js/lib/principal.js"
                );
                const plane = principalPlane(Float32Array.from(votes), 16);
                return { ...plane, right: [...plane.right], up: [...plane.up] };
            }""",
            votes.ravel().tolist(),
        )
        mean = votes.mean(axis=0)
        _, spread, axes = np.linalg.svd(votes - mean, full_matrices=False)
        axes *= np.where(axes @ mean < 0, -1, 1)[:, None]
        shares = spread**2 / (spread**2).sum()
        np.testing.assert_allclose([found["right"], found["up"]], axes[:2], atol=1e-5)
        np.testing.assert_allclose(
            [found["rightShare"], found["upShare"]], shares[:2], atol=1e-6
        )


def test_the_votes_words_are_what_numpy_makes_of_the_votes(page: Page):
    panel = open_routing(page)
    run = run_of(page, AMBIGUOUS)
    panel.locator("[data-votes-picture]").scroll_into_view_if_needed()
    words = panel.locator("[data-votes-text]")
    expect(words).to_contain_text("variance")
    votes = run.votes[:, run.digit]
    couplings = run.couplings[:, :, run.digit]
    sums = couplings @ votes
    means = sums / couplings.sum(axis=1)[:, None]
    spread = np.linalg.svd(votes - votes.mean(axis=0), compute_uv=False)
    shares = 100 * spread**2 / (spread**2).sum()
    held, across, up, moved, total, length = numbers_in(words.inner_text())
    assert held == pytest.approx(shares[:2].sum(), abs=0.6)
    assert [across, up] == pytest.approx(shares[:2], abs=0.6)
    assert moved == pytest.approx(np.linalg.norm(means[2] - means[0]), abs=2e-4)
    assert total == pytest.approx(np.linalg.norm(sums[2]), abs=0.01)
    assert length == pytest.approx(total**2 / (1 + total**2), abs=0.005)
    # The strongest votes: those that add or take the most.
    given = run.contributions(2, run.digit)
    best = np.argsort(-np.abs(given))[:8]
    rows = panel.locator("[data-votes-rows] tr").all()
    for capsule, row in zip(best, rows, strict=True):
        _, _, _, size, coupling, _, gives = numbers_in(row.inner_text())
        assert size == pytest.approx(run.lengths[capsule], abs=2e-3)
        assert coupling == pytest.approx(couplings[2, capsule], abs=2e-3)
        assert gives == pytest.approx(given[capsule], abs=2e-3)


def test_votes_come_with_an_image_while_their_picture_is_seen_else_at_rest(page: Page):
    asked = []
    page.on("request", lambda request: asked.append(request.post_data or ""))

    def with_images():
        return [body for body in asked if "votes." in body and '"scores"' in body]

    panel = open_routing(page, more=AS_FOUR)
    expect(panel.locator("[data-votes-text]")).to_contain_text("variance")
    assert any('"votes.4"' in body for body in asked)
    assert with_images() == []
    panel.locator("[data-votes-picture]").scroll_into_view_if_needed()
    pass_frames(page)
    page.evaluate("location.hash = 'view=routing&sample=zero-round'")  # stays there
    expect(prediction(page)).to_have_text("0")
    assert with_images()
    assert not any('"votes"' in body for body in asked)


def test_a_vote_that_is_pointed_at_and_clicked_is_chosen_everywhere(page: Page):
    panel = open_routing(page)
    canvas = panel.locator("[data-votes-picture]")
    canvas.scroll_into_view_if_needed()
    expect(panel.locator("[data-votes-text]")).to_contain_text("variance")
    readout = panel.locator("[data-votes-readout]")
    chosen = readout.inner_text()
    box = canvas.bounding_box()
    assert box is not None
    # Votes are points in a cloud whose shape is the network's: go over it until one is
    # met that was not chosen before.
    for share in np.linspace(0.1, 0.9, 33):
        page.mouse.move(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
        page.evaluate(PAINTED)
        if readout.inner_text() != chosen:
            break
    pointed = readout.inner_text().split(":")[0]
    assert pointed != chosen.split(":")[0], "no vote was met"
    page.mouse.down()
    page.mouse.up()
    expect(page).to_have_url(re.compile("capsule="))
    kind = pointed.split(",")[0]
    panel.locator("[data-flow]").scroll_into_view_if_needed()
    expect(panel.locator("[data-flow-readout]")).to_contain_text(f"{kind} →")
    panel.locator("[data-matrix]").scroll_into_view_if_needed()
    expect(panel.locator("[data-matrix-readout]")).to_contain_text(f"{kind} →")


def test_arrow_keys_go_from_vote_to_vote(page: Page):
    panel = open_routing(page)
    canvas = panel.locator("[data-votes-picture]")
    canvas.scroll_into_view_if_needed()
    expect(panel.locator("[data-votes-text]")).to_contain_text("variance")
    readout = panel.locator("[data-votes-readout]")
    before = readout.inner_text()
    canvas.focus()
    # The strongest vote stands at the cloud's edge: one of these leads to another.
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    expect(readout).not_to_have_text(before)


def test_the_flow_is_walked_with_arrow_keys_and_clicked(page: Page):
    panel = open_routing(page, more=f"{AS_FOUR}&capsule=21")
    canvas = panel.locator("[data-flow]")
    readout = panel.locator("[data-flow-readout]")
    canvas.focus()
    pixels_at_rest(canvas)  # it lies below the arrows, and is drawn once it is seen
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(readout).to_contain_text("type 1 → 5")
    box = canvas.bounding_box()
    assert box is not None
    # The last digit's and the last type's nodes stand at the bottom corners.
    canvas.click(position={"x": box["width"] - 20, "y": box["height"] - 20})
    expect(readout).to_contain_text("→ 9")
    canvas.click(position={"x": 12, "y": box["height"] - 20})
    expect(readout).to_contain_text("type 31 → 9")


def test_nothing_has_been_moved_in_the_first_iteration(page: Page):
    panel = open_routing(page, more=AS_FOUR)
    words = panel.locator("[data-flow-text]")
    expect(words).to_contain_text("Routing has moved")
    panel.locator("[data-step]").fill("1")
    expect(words).to_contain_text("nothing has been moved yet")
    panel.get_by_role("button", name="all that flows").click()
    expect(words).to_contain_text("10.0\u202f% of all capsule length goes to 4")


def test_a_link_keeps_how_routing_is_looked_at(page: Page):
    panel = open_routing(page, more=AS_FOUR)
    names = ["all that flows", "for 4 rather than 9", "each its own"]
    for name in names:
        panel.get_by_role("button", name=name).click()
    expect(page).to_have_url(re.compile("flow=all&where=rather&where-scale=own"))
    words = panel.locator("[data-where-text]")
    words.scroll_into_view_if_needed()
    expect(words).to_contain_text("more to 9")
    before = words.inner_text()
    page.reload()
    for name in names:
        button = panel.get_by_role("button", name=name)
        expect(button).to_have_attribute("aria-pressed", "true")
    flow = panel.locator("[data-flow-text]")
    flow.scroll_into_view_if_needed()
    expect(flow).to_contain_text("of all capsule length")
    words.scroll_into_view_if_needed()
    expect(words).to_have_text(before)


@pytest.mark.parametrize(("back", "on"), [(",", "."), ("ArrowLeft", "ArrowRight")])
def test_keys_step_through_the_iterations(page: Page, back: str, on: str):
    panel = open_routing(page)
    value = panel.locator("[data-step-value]")
    page.locator("#stage").focus()
    page.keyboard.press(back)
    expect(value).to_have_text("2 of 3")
    page.keyboard.press(back)
    page.keyboard.press(back)
    expect(value).to_have_text("1 of 3")
    page.keyboard.press(on)
    expect(value).to_have_text("2 of 3")
    expect(panel.locator("[data-story]")).to_contain_text("Iteration 2")


# Notes each picture that a canvas shows from now on, the first one included.
NOTE_PICTURES = """(canvas) => {
    window.pictures = [];
    const look = () => {
        const now = canvas.toDataURL();
        if (now !== window.pictures.at(-1)) window.pictures.push(now);
        requestAnimationFrame(look);
    };
    look();
}"""


def test_less_motion_turns_playing_into_steps(page: Page):
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 1440, "height": 1800})  # flow and button together
    panel = open_routing(page)
    play = panel.locator("[data-play]")
    expect(play).to_contain_text("Step")
    play.click()
    value = panel.locator("[data-step-value]")
    expect(value).to_have_text("1 of 3")
    pass_frames(page, 3 * FRAMES)
    expect(value).to_have_text("1 of 3")
    flow = panel.locator("[data-flow]")
    pixels_at_rest(flow)
    flow.evaluate(NOTE_PICTURES)
    play.click()
    expect(value).to_have_text("2 of 3")
    pixels_at_rest(flow)
    assert page.evaluate("window.pictures.length") == 2


def test_pictures_follow_the_theme(page: Page):
    panel = open_routing(page)
    flow = panel.locator("[data-flow]")
    light = pixels_at_rest(flow)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        "before => document.querySelector('[data-flow]').toDataURL() !== before",
        arg=light,
    )


def test_every_picture_follows_another_digit_of_another_image(page: Page):
    panel = open_routing(page, "zero-round")
    pictures = ["[data-flow]", "[data-matrix]", "[data-where-picture]"]
    before = {name: pixels_of(panel.locator(name)) for name in pictures}
    page.evaluate("location.hash = 'view=routing&sample=seven-bar'")
    expect(prediction(page)).to_have_text("7")
    for name in pictures:
        panel.locator(name).scroll_into_view_if_needed()
        page.wait_for_function(
            "([name, before]) => document.querySelector(name).toDataURL() !== before",
            arg=[name, before[name]],
        )
    expect(panel.locator("[data-where-text]")).to_contain_text("capsule of 7")


def test_the_rival_is_compared_place_by_place(page: Page):
    panel = open_routing(page, more=AS_FOUR)
    run = run_of(page, AMBIGUOUS)
    panel.get_by_role("button", name="rather than 9").click()
    words = panel.locator("[data-where-text]")
    expect(words).to_contain_text("that of 9")
    places = [run.contributions(2, each).reshape(32, 36).sum(axis=0) for each in (4, 9)]
    difference = places[0] - places[1]
    more = difference[difference > 0].sum()
    less = difference[difference < 0].sum()
    adds = re.search(r" give (\S+) in all; .* take (\S+) in all", words.inner_text())
    assert adds is not None
    found = numbers_in(" ".join(adds.groups()))
    assert found == pytest.approx([more, -less], abs=0.01)


def test_the_view_opens_alone(page: Page):
    open_page(page)
    panel = open_view(page, "routing")
    expect(panel.locator("[data-story]")).to_contain_text("Iteration 3")
