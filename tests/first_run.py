"""Start the explorer as the README says, ask it something, and end it.

`python -m tests.first_run` needs what running needs, and no browser.
"""

import json
import sys
import tempfile
import urllib.request

from tests.browser.server import running


def main() -> int:
    """Return 0 where a network has read an image, and the page is there."""
    with tempfile.TemporaryDirectory() as runs, running("--runs", runs) as address:
        with urllib.request.urlopen(f"{address}/", timeout=60) as page:
            if b"<title>" not in page.read():
                print("the page has no title", file=sys.stderr)
                return 1
        with urllib.request.urlopen(f"{address}/api/models", timeout=60) as answer:
            model = json.load(answer)["models"][0]
        _, rows, columns = model["input_shape"]
        image = [[0.0] * columns] * rows
        body = json.dumps({"image": image, "tensors": ["scores"]}).encode()
        request = urllib.request.Request(
            f"{address}/api/models/{model['id']}/trace",
            body,
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            scores = json.load(answer)["tensors"]["scores"]
        print(f"{model['id']} answers: {len(scores)} scores")
        return 0


if __name__ == "__main__":
    sys.exit(main())
