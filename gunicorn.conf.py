"""gunicorn's settings, which it reads from this file: `gunicorn` starts the server.

Several processes share one copy of the networks. The first process loads them and forks
the others, which share the weights in memory that is never written to. Every option of
the command line is set by its environment variable; docs/deployment.md lists them.
"""

import gc
import os
import shutil
import signal
import tempfile
from pathlib import Path

# Each worker keeps its metrics in a file here, and any of them can report the totals.
# The library looks for the folder when the app imports it.
_numbers = tempfile.mkdtemp(prefix="capsnet-metrics-")
os.environ["PROMETHEUS_MULTIPROC_DIR"] = _numbers

os.environ.setdefault("CAPSNET_LOG", "text")

import torch  # noqa: E402
from prometheus_client import multiprocess  # noqa: E402

from capsnet_explorer.app.engines.downloads import EXTENSION as DOWNLOADS  # noqa: E402
from capsnet_explorer.app.engines.runs import EXTENSION as RUNS  # noqa: E402
from capsnet_explorer.app.http.logs import level_of, log_handler  # noqa: E402
from capsnet_explorer.app.http.serving import THREADS  # noqa: E402
from capsnet_explorer.pictures.reading.decode import decoders  # noqa: E402
from capsnet_explorer.server import (  # noqa: E402
    StartError,
    end_at_once_if_held,
    environment,
)

try:
    _options = environment()
    _level = level_of(_options.log)
except (StartError, ValueError) as error:
    raise SystemExit(str(error)) from None

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
SHARED_MEMORY = Path("/dev/shm")

# A thread pool does not survive a fork, so the first process must never have one.
torch.set_num_threads(1)

wsgi_app = "capsnet_explorer.server:application()"
bind = os.environ.get("CAPSNET_BIND", "127.0.0.1:5000")
# One process watches the training runs, and finds them again when it is replaced.
workers = int(
    os.environ.get("WEB_CONCURRENCY", 1 if _options.allow_training else CORES)
)
if _options.allow_training and workers > 1:
    raise SystemExit(
        f"training needs a single process: set WEB_CONCURRENCY=1, got {workers}, "
        "or leave out CAPSNET_ALLOW_TRAINING"
    )
preload_app = not _options.allow_training

# Threads mostly wait, for the network and for slow clients, and rarely need a core.
worker_class = "gthread"
threads = THREADS
timeout = 60  # seconds without a heartbeat until a worker is replaced
graceful_timeout = 10  # seconds for requests in progress when a worker stops
keepalive = 75  # seconds of silence on a connection; longer than proxies keep one
limit_request_line = 8190  # bytes; a teacher's questions stand in the address
limit_request_fields = 50
limit_request_field_size = 1 << 13  # bytes

# gunicorn writes only to memory, so that the disk may be read-only.
worker_tmp_dir = str(SHARED_MEMORY) if SHARED_MEMORY.is_dir() else None
control_socket_disable = True

# app.http.logs writes a line for each request; gunicorn's own lines look the same.
logconfig_dict = {
    "root": {"level": _level, "handlers": ["lines"]},
    "handlers": {"lines": {"()": log_handler}},
    "loggers": {"gunicorn.error": {"level": _level, "handlers": [], "propagate": True}},
}


def when_ready(server):
    """Exclude loaded objects from garbage collection, which would write to them."""
    gc.freeze()


def post_worker_init(worker):
    """Start a decoder process before the first picture arrives, and end runs in time.

    With one process for each core, one thread each computes more than several.
    """
    torch.set_num_threads(_options.threads or 1)
    decoders.warm_up()
    extensions = worker.app.wsgi().extensions
    watched = [each for name in (RUNS, DOWNLOADS) if (each := extensions[name])]
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
        usual = signal.getsignal(number)

        def stop(number, frame, usual=usual):
            for each in watched:
                each.close()
            if callable(usual):
                usual(number, frame)

        signal.signal(number, stop)


def worker_exit(server, worker):
    """Wait for nothing that networks of others left where this process opened them."""
    if worker.booted and not preload_app:
        end_at_once_if_held()


def child_exit(server, worker):
    """Remove a worker's requests in flight from the metrics when it ends."""
    multiprocess.mark_process_dead(worker.pid)


def on_exit(server):
    """Remove the workers' metrics, and wait for nothing that networks left."""
    shutil.rmtree(_numbers, ignore_errors=True)
    end_at_once_if_held()
