"""Switching networks, for as long as one likes, leaves nothing behind in the page."""

from playwright.sync_api import Page

from tests.browser.explorer import open_page

ROUNDS = 10
# Shows two networks in turns, each until its first class tells its own measure.
SWITCH = """async (rounds) => {
    const chooser = document.querySelector("[data-models]");
    const told = () => document.querySelector("[data-lengths] button")?.ariaLabel ?? "";
    const both = [["cnn-mnist", "probability"], ["capsnet-mnist", "length"]];
    for (let round = 0; round < rounds; round++)
        for (const [id, measure] of both) {
            chooser.value = id;
            chooser.dispatchEvent(new Event("change", { bubbles: true }));
            while (!told().includes(measure)) await new Promise(requestAnimationFrame);
        }
}"""


def test_rounds_of_two_networks_leave_no_listeners_and_no_nodes(page: Page):
    open_page(page, "view=overview&sample=four-open")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")

    def counted(rounds: int) -> tuple[int, int]:
        page.evaluate(SWITCH, rounds)
        session.send("HeapProfiler.collectGarbage")
        metrics = session.send("Performance.getMetrics")["metrics"]
        counts = {metric["name"]: int(metric["value"]) for metric in metrics}
        return counts["JSEventListeners"], counts["Nodes"]

    listeners, nodes = counted(2)
    more_listeners, more_nodes = counted(ROUNDS)
    assert more_listeners < listeners + ROUNDS
    assert more_nodes < nodes + 2 * ROUNDS
