"""`python -m benchmarks.lighthouse`: Lighthouse's scores for the page and the guide.

npx fetches Lighthouse into npm's cache; it is not part of the installation.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.browser.explorer import ROOT, explorer
from tests.browser.chromium import HOW_TO_GET, find_chromium

LIGHTHOUSE = "lighthouse@12.8.2"  # the newest for Node.js 20
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
PAGES = ("/", "/guide")
FORMS = {"desktop": ["--preset=desktop"], "mobile": []}
FLAGS = "--headless=new --no-sandbox --disable-gpu"


def main() -> int:
    """Print the scores as a Markdown table, and every audit that lost points."""
    chromium = find_chromium()
    if chromium is None:
        print(HOW_TO_GET, file=sys.stderr)
        return 1
    with explorer(ROOT / "weights") as address:
        reports = {
            f"{path}, {form}": _report(f"{address}{path}", chromium, options)
            for path in PAGES
            for form, options in FORMS.items()
        }
    print(f"| | {' | '.join(CATEGORIES)} |\n|---|{'---|' * len(CATEGORIES)}")
    for what, report in reports.items():
        scores = (report["categories"][name]["score"] for name in CATEGORIES)
        print(f"| {what} | {' | '.join(f'{score:.2f}' for score in scores)} |")
    for what, report in reports.items():
        for audit in report["audits"].values():
            if audit["score"] is not None and audit["score"] < 1:
                words = audit.get("displayValue", "")
                print(f"{what}: {audit['title']}: {audit['score']:.2f} {words}")
    return 0


def _report(address: str, chromium: str, options: list[str]) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.json"
        subprocess.run(
            [
                *("npx", "--yes", LIGHTHOUSE, address, "--quiet"),
                *(f"--chrome-flags={FLAGS}", "--output=json", f"--output-path={path}"),
                f"--only-categories={','.join(CATEGORIES)}",
                *options,
            ],
            check=True,
            env=os.environ | {"CHROME_PATH": chromium},
        )
        return json.loads(path.read_text())


if __name__ == "__main__":
    sys.exit(main())
