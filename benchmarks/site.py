"""`python -m benchmarks.site`: a site of files beside server and PyTorch, in turns."""

import argparse
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from playwright.sync_api import Browser

from benchmarks.browser.answering import updates_while_drawing
from benchmarks.browser.explorer import chromium, fresh_page, open_view
from benchmarks.browser.figures import Figure, median, table
from benchmarks.server import ROOT
from capsnet_explorer.app.engines.protocol import ExportableEngine, Question
from capsnet_explorer.app.site.command import engines_of
from capsnet_explorer.app.site.writing import write_site
from tests.browser.server import hosted, running

# Readings a second that a hand should get.
WANTED = {"efficient-mnist": 30, "cnn-mnist": 30, "capsnet-mnist": 20}
WARMING = 20  # traces, until a browser has compiled what computes them

# The times of a trace, from its question to its bytes: of a site's worker, or of a
# server. Both are asked from a document without a policy.
SCRIPT = """async ([worker, id, body, times]) => {
  const site = worker && new Worker(worker, { type: "module" });
  const headers = { "Accept": "application/x-safetensors",
                    "Content-Type": "application/json" };
  const ask = async (number) => {
    if (!site) {
      const request = { method: "POST", headers, body: JSON.stringify(body) };
      return (await fetch(`/api/models/${id}/trace`, request)).arrayBuffer();
    }
    const answered = new Promise((done) => {
      site.onmessage = ({ data }) => data.number === number && done(data.file);
    });
    site.postMessage({ number, question: { what: "trace", id, body } });
    return answered;
  };
  const found = [];
  for (let number = 0; number < times; number++) {
    const start = performance.now();
    if (!(await ask(number))?.byteLength) throw new Error("no trace was answered");
    found.push(performance.now() - start);
  }
  return found;
}"""


def beside(weights: Path, rounds: int) -> list[Figure]:
    """Measure networks in a site, behind a server, and in process.

    Raises:
        ImportError: a package of requirements-site.txt is missing.
        FileNotFoundError: so is onnxruntime-web, or a network.
    """
    engines = engines_of([*WANTED], weights)
    with TemporaryDirectory() as folder:
        write_site(Path(folder), engines, say=lambda _: None)
        (worker,) = Path(folder).glob("static/*/js/site/worker/main.js")
        place = "/" + worker.relative_to(folder).as_posix()
        with (
            hosted(Path(folder)) as site,
            running("--weights", str(weights)) as server,
            chromium() as browser,
        ):
            figures = []
            for id, engine in engines.items():
                figures += _drawing(browser, site, server, id, rounds)
                figures += _tracing(browser, (site, place), server, engine, rounds)
            return figures


def _drawing(
    browser: Browser, site: str, server: str, id: str, rounds: int
) -> list[Figure]:
    """Draw in a site and on a server, in turns, once the network is there."""
    rates: dict[str, list[float]] = {site: [], server: []}
    for _ in range(-(-rounds // 4)):
        for address, found in rates.items():
            with open_view(browser, address, f"view=overview&model={id}") as page:
                updates_while_drawing(page)
                found.append(updates_while_drawing(page))
    ours, theirs = (median(each) for each in rates.values())
    doing = "drawing in a site: updates"
    return [
        Figure(doing, id, ours, "a second", WANTED[id], at_least=True),
        Figure(f"{doing}, of the server's", id, ours / theirs, "times"),
    ]


def _tracing(
    browser: Browser,
    site: tuple[str, str],
    server: str,
    engine: ExportableEngine,
    rounds: int,
) -> list[Figure]:
    """Compute all usual tensors of one image in three places."""
    info = engine.info
    names = [each.name for each in info.tensors if not each.on_request]
    image = np.zeros(info.input_shape, np.float32)
    image[..., 5:24, 12:16] = 1
    body = {"image": image.squeeze().tolist(), "tensors": names}
    address, worker = site
    times = []
    for base, script in ((address, worker), (server, "")):
        with fresh_page(browser) as page:
            page.goto(f"{base}/{'site.json' if script else 'claims'}")
            asked = [script and base + script, info.id, body, WARMING + 5 * rounds]
            times.append(statistics.median(page.evaluate(SCRIPT, asked)[WARMING:]))
    question = Question(image, engine.options({}), tuple(names))
    here = []
    for _ in range(WARMING + 5 * rounds):
        start = time.perf_counter()
        engine.trace(question)
        here.append(1000 * (time.perf_counter() - start))
    ours, theirs = times
    what = "a trace in a site"
    return [
        Figure(what, info.id, ours, "ms"),
        Figure(f"{what}, of the server's", info.id, ours / theirs, "times"),
        Figure(
            f"{what}, of PyTorch's in process",
            info.id,
            ours / statistics.median(here[WARMING:]),
            "times",
        ),
    ]


def main() -> None:
    """Print the measurements as a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--weights", type=Path, default=ROOT / "weights")
    options = parser.parse_args()
    print(table(beside(options.weights, options.rounds)))


if __name__ == "__main__":
    main()
