"""`python -m benchmarks.observing`: the cost of ids, logs and metrics for a request.

Alternates requests to the same app with and without the layer that observes it.
"""

import logging
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

from werkzeug.test import EnvironBuilder

from capsnet_explorer.app import create_app
from capsnet_explorer.app.http.logs import LEVELS, log_handler

ROUNDS = 5000

Wsgi = Callable[[dict[str, Any], Callable[..., None]], Any]


def main() -> None:
    """Print the first decile for each log style, which excludes busy moments."""
    app = create_app()
    observed: Any = app.wsgi_app
    plain: Wsgi = observed.app
    print("| log | without, µs | with, µs | cost, µs |\n|---|---|---|---|")
    for style, level in LEVELS.items():
        with open(os.devnull, "w") as nowhere:
            handler: Any = log_handler(style)
            handler.setStream(nowhere)
            logging.basicConfig(handlers=[handler], level=level, force=True)
            times: tuple[list[float], list[float]] = [], []
            for _ in range(ROUNDS):
                times[0].append(_ask(plain))
                times[1].append(_ask(observed))
        without, with_it = (1e6 * statistics.quantiles(each, n=10)[0] for each in times)
        cost = with_it - without
        print(f"| {style} | {without:.0f} | {with_it:.0f} | {cost:.0f} |")


def _ask(app: Wsgi) -> float:
    """Return the time of the smallest response in seconds."""
    environ = EnvironBuilder("/api/health").get_environ()
    start = time.perf_counter()
    answer = app(environ, lambda *_: None)
    for _ in answer:
        pass
    answer.close()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
