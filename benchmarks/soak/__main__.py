"""`python -m benchmarks.soak`: test the server with many simulated people."""

import argparse
import sys

from benchmarks.soak.soaking import soak


def main() -> int:
    """Run the soak test; return 1 if any request failed or was mixed up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument(
        "--workers", type=int, default=0, help="of gunicorn; 0: the default server"
    )
    options = parser.parse_args()
    report = soak(options.people, options.seconds, workers=options.workers)
    print(report.text())
    return 1 if report.errors or report.mixed_up else 0


if __name__ == "__main__":
    sys.exit(main())
