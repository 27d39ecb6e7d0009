"""The guide's tasks: for each a wrong try, and what its hint says."""

from playwright.sync_api import Page, expect


def _decode_another(page: Page) -> None:
    page.locator("#view-reconstruction [data-classes] button").first.click()


def _move_a_slider(page: Page) -> None:
    slider = page.locator("#view-reconstruction [data-sliders] input").first
    slider.focus()
    before = slider.input_value()
    page.keyboard.press("ArrowLeft")
    if slider.input_value() == before:  # it was at that end
        page.keyboard.press("ArrowRight")


def _take_a_blur(page: Page) -> None:
    page.get_by_role("button", name="Box blur").click()


def _take_a_horizontal_edge(page: Page) -> None:
    page.get_by_role("button", name="Horizontal edge").click()


def _choose_a_capsule(page: Page, *, longest: bool) -> None:
    """Press the brightest cell of the sheet of all types, or the darkest."""
    canvas = page.locator("#view-primary [data-types] canvas")
    x, y = canvas.evaluate(
        """(canvas, longest) => {
            const { width, height } = canvas;
            const copy = new OffscreenCanvas(width, height);
            const context = copy.getContext("2d", { willReadFrequently: true });
            context.drawImage(canvas, 0, 0);
            const { data } = context.getImageData(0, 0, width, height);
            const light = (i) => data[4 * i] + data[4 * i + 1] + data[4 * i + 2];
            const opaque = Array.from({ length: width * height }, (_, i) => i)
                .filter((i) => data[4 * i + 3] > 0);
            const found = opaque.reduce((best, i) =>
                (longest ? light(i) > light(best) : light(i) < light(best)) ? i : best);
            const box = canvas.getBoundingClientRect();
            return [
                ((found % width) + 0.5) / width * box.width,
                (Math.floor(found / width) + 0.5) / height * box.height,
            ];
        }""",
        longest,
    )
    canvas.click(position={"x": x, "y": y})


def _choose_a_short_capsule(page: Page) -> None:
    _choose_a_capsule(page, longest=False)


def _choose_a_long_capsule(page: Page) -> None:
    _choose_a_capsule(page, longest=True)


def _choose_another_window(page: Page) -> None:
    page.locator("#view-pool1 [data-pooled] canvas").click()


def _move_the_image(page: Page) -> None:
    page.locator("#view-pool1 [data-moved] [data-step=right]").click()


def _choose_a_vote(page: Page, *, most: bool) -> None:
    """Press the row with the largest number in its last column, or the smallest."""
    rows = page.locator("#view-routing [data-votes-rows] tr")
    rows.first.wait_for()
    given = [
        float(row.locator("td").last.inner_text().replace("\u2212", "-"))
        for row in rows.all()
    ]
    best = (max if most else min)(range(len(given)), key=given.__getitem__)
    rows.nth(best).get_by_role("button").click()


def _choose_a_lesser_vote(page: Page) -> None:
    _choose_a_vote(page, most=False)


def _choose_the_largest_vote(page: Page) -> None:
    _choose_a_vote(page, most=True)


def _step(page: Page, to: str) -> None:
    page.locator("#view-routing .routing-time [data-step]").fill(to)


def _step_on(page: Page) -> None:
    _step(page, "2")


def _step_to_the_end(page: Page) -> None:
    slider = page.locator("#view-routing .routing-time [data-step]")
    _step(page, slider.get_attribute("max") or "")


def _switch_routing_off(page: Page) -> None:
    page.locator("#view-routing [data-routing] [data-value=uniform]").click()


def _silence_more_and_more(page: Page) -> None:
    page.locator("#view-routing [data-routing] [data-value=agreement]").click()
    slider = page.locator("#view-routing [data-strongest]")
    why = page.locator("[data-part=guide] [data-why]")
    for count in range(1, int(slider.get_attribute("max") or "0") + 1):
        slider.fill(str(count))
        expect(page.locator("body")).to_have_attribute("aria-busy", "false")
        if why.is_visible():
            return


TASKS = {
    "02-first-layers/edges": (_take_a_blur, _take_a_horizontal_edge),
    "02-first-layers/types": (_choose_a_short_capsule, _choose_a_long_capsule),
    "03-pooling/moved": (_choose_another_window, _move_the_image),
    "04-votes/most": (_choose_a_lesser_vote, _choose_the_largest_vote),
    "05-agreeing/step": (_step_on, _step_to_the_end),
    "05-agreeing/silence": (_switch_routing_off, _silence_more_and_more),
    "01-capsule/direction": (_decode_another, _move_a_slider),
    "07-drawing/numbers": (_decode_another, _move_a_slider),
}
