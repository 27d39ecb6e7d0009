"""gunicorn's settings, which it reads from this file: `gunicorn` starts the server.

Several processes share one copy of the networks. The first process loads them and forks
the others, which share the weights in memory that is never written to.
"""

import gc
import os
import shutil
import tempfile
from pathlib import Path

# Each worker keeps its metrics in a file here, and any of them can report the totals.
# The library looks for the folder when the app imports it.
_numbers = tempfile.mkdtemp(prefix="capsnet-metrics-")
os.environ["PROMETHEUS_MULTIPROC_DIR"] = _numbers

import torch  # noqa: E402
from capsnet_explorer.app.http.logs import LEVELS, log_handler  # noqa: E402
from capsnet_explorer.app.http.serving import THREADS  # noqa: E402
from capsnet_explorer.intake.decode import decoders  # noqa: E402
from prometheus_client import multiprocess  # noqa: E402

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
SHARED_MEMORY = Path("/dev/shm")

# A thread pool does not survive a fork, so the first process must never have one. And
# with one process for each core, one thread each computes more than several.
torch.set_num_threads(1)

wsgi_app = "capsnet_explorer.app:create_app()"
preload_app = True
bind = os.environ.get("CAPSNET_BIND", "127.0.0.1:5000")
workers = int(os.environ.get("WEB_CONCURRENCY", CORES))

# Threads mostly wait, for the network and for slow clients, and rarely need a core.
worker_class = "gthread"
threads = THREADS
timeout = 60  # seconds without a heartbeat until a worker is replaced
graceful_timeout = 10  # seconds for requests in progress when a worker stops
keepalive = 75  # seconds of silence on a connection; longer than proxies keep one
limit_request_fields = 50
limit_request_field_size = 1 << 13  # bytes

# gunicorn writes only to memory, so that the disk may be read-only.
worker_tmp_dir = str(SHARED_MEMORY) if SHARED_MEMORY.is_dir() else None
control_socket_disable = True

# app.http.logs writes a line for each request; gunicorn's own lines look the same.
_style = os.environ.get("CAPSNET_LOG", "json")
_level = LEVELS.get(_style, "INFO")
logconfig_dict = {
    "root": {"level": _level, "handlers": ["lines"]},
    "handlers": {"lines": {"()": log_handler, "style": _style}},
    "loggers": {"gunicorn.error": {"level": _level, "handlers": [], "propagate": True}},
}


def when_ready(server):
    """Exclude loaded objects from garbage collection, which would write to them."""
    gc.freeze()


def post_worker_init(_worker):
    """Start a decoder process before the first picture arrives."""
    decoders.warm_up()


def child_exit(server, worker):
    """Remove a worker's requests in flight from the metrics when it ends."""
    multiprocess.mark_process_dead(worker.pid)


def on_exit(server):
    """Remove the workers' metrics."""
    shutil.rmtree(_numbers, ignore_errors=True)
