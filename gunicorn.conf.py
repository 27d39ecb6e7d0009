"""Settings of gunicorn, which reads them from here: `gunicorn` alone starts the server.

Several processes share one copy of the networks. The first process loads them and forks
the others, which find the weights in memory that nobody writes to.
"""

import gc
import os
import shutil
import tempfile
from pathlib import Path

# Each worker keeps its numbers in a file here, and any of them answers for all. Their
# library looks for the folder when it is first imported, which the app does.
_numbers = tempfile.mkdtemp(prefix="capsnet-metrics-")
os.environ["PROMETHEUS_MULTIPROC_DIR"] = _numbers

import torch  # noqa: E402
from prometheus_client import multiprocess  # noqa: E402

from app.intake.decode import decoders  # noqa: E402
from app.logs import LEVELS, log_handler  # noqa: E402
from app.serving import THREADS  # noqa: E402

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
SHARED_MEMORY = Path("/dev/shm")

# A pool of threads does not survive a fork: whoever forks must never have had one. And
# as many processes as cores compute more with one thread each than with several.
torch.set_num_threads(1)

wsgi_app = "app:create_app()"
preload_app = True
bind = os.environ.get("CAPSNET_BIND", "127.0.0.1:5000")
workers = int(os.environ.get("WEB_CONCURRENCY", CORES))

# Threads wait for each other, not for a core: for the network, and for slow clients.
worker_class = "gthread"
threads = THREADS
timeout = 60  # seconds without a sign of life until a worker is replaced
graceful_timeout = 10  # seconds for what is under way when a worker stops
keepalive = 75  # seconds that a connection may be silent; longer than proxies keep one
limit_request_fields = 50
limit_request_field_size = 1 << 13  # bytes

# Nothing is written but to memory, so that the disk may be read-only.
worker_tmp_dir = str(SHARED_MEMORY) if SHARED_MEMORY.is_dir() else None
control_socket_disable = True

# app.logs writes a line for each request; gunicorn's own lines look the same.
_style = os.environ.get("CAPSNET_LOG", "json")
_level = LEVELS.get(_style, "INFO")
logconfig_dict = {
    "root": {"level": _level, "handlers": ["lines"]},
    "handlers": {"lines": {"()": log_handler, "style": _style}},
    "loggers": {"gunicorn.error": {"level": _level, "handlers": [], "propagate": True}},
}


def when_ready(server):
    """Leave what is loaded out of garbage collection, which would write to it."""
    gc.freeze()


def post_worker_init(_worker):
    """Start a process that decodes pictures before anybody sends one."""
    decoders.warm_up()


def child_exit(server, worker):
    """Forget the requests that a worker had in flight when it ended."""
    multiprocess.mark_process_dead(worker.pid)


def on_exit(server):
    """Remove the workers' numbers."""
    shutil.rmtree(_numbers, ignore_errors=True)
