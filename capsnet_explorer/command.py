"""The command that starts the server."""

import argparse
import contextlib
import gc
import ipaddress
import math
import os
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from capsnet_explorer import IS_CHECKOUT, ROOT, commands

if TYPE_CHECKING:
    from flask import Flask

    from capsnet_explorer.app.engines.downloads import Downloads
    from capsnet_explorer.app.engines.runs import Runs
    from capsnet_explorer.app.engines.torch import Engines
    from capsnet_explorer.app.http.serving import Server

FAILED = 2
BACKLOG = 128  # connections waiting to be accepted
MAX_PORT = 65_535
# Browsers refuse these with "unsafe port" (the Fetch standard, section 2.9).
UNSAFE_PORTS = frozenset(
    (
        *(1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79),
        *(87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137),
        *(139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532),
        *(540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723),
        *(2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669),
        *(6679, 6697, 10080),
    )
)
LOG_STYLES = ("quiet", "text")  # app.http.logs is imported late
STOPPING = (signal.SIGINT, signal.SIGTERM)
YES, NO = ("1", "true", "yes", "on"), ("", "0", "false", "no", "off")


class StartError(RuntimeError):
    """The explorer cannot start; the message is one line, which gunicorn prints."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until interrupted, or run a command; return the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    if given and not given[0].startswith("-"):
        return commands.main(given)
    # During the start there are no requests to finish: both signals end it at once.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    gc.disable()  # until all is there: looking for garbage takes a tenth of the start
    try:
        _serve(_parser().parse_args(arguments))
    except StartError as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        _say("\nStopped.")
    finally:
        gc.enable()
    return 0


def application() -> "Flask":
    """Return the app with the options that the environment gives, for a WSGI server.

    Whoever runs that decides on threads, host and port. It reaches others, so training
    has to be allowed, and needs a single process.

    Raises:
        StartError: the explorer cannot start so.
    """
    with _as_start_errors():
        return _build_app(environment(), is_own=False, at_once=True)


def environment() -> argparse.Namespace:
    """Return the options that the environment gives.

    Raises:
        StartError: a variable cannot be.
    """
    return _parser().parse_args([])


def _serve(options: argparse.Namespace) -> None:
    # Before anything slow, so that a busy port is reported at once.
    listener = _listen(options.host, options.port)
    with listener:
        is_own = ipaddress.ip_address(listener.getsockname()[0]).is_loopback
        with _as_start_errors():
            _prepare(options)
            app = _build_app(options, is_own=is_own)

        from capsnet_explorer.app.engines.downloads import EXTENSION as DOWNLOADS
        from capsnet_explorer.app.engines.runs import EXTENSION as RUNS
        from capsnet_explorer.app.http.bodies import most_of_body
        from capsnet_explorer.app.http.serving import Server
        from capsnet_explorer.app.warming import warm_up

        warm_up(app)
        gc.freeze()  # what is there now stays
        gc.enable()
        server = Server(app, listener, most_of=most_of_body(app))
        _stop_on_signals(server, app.extensions[RUNS], app.extensions[DOWNLOADS])
        _say(f"CapsNet Explorer is ready at {_address(listener)}")
        if invitation := _invitation(listener):
            _say(f"Others on this network open {invitation}")
        if app.extensions[RUNS] is not None and not IS_CHECKOUT:
            _say(f"Runs, sets of images and kept models are in {options.runs}")
        _say("Press Ctrl-C to stop.")
        server.run()
        _say("\nStopped.")


def _stop_on_signals(
    server: "Server", runs: "Runs | None", downloads: "Downloads | None"
) -> None:
    """Finish requests in progress at the first signal; stop at once at a second.

    Training runs and downloads stop, and the streams of events end.
    """

    def stop(number: int, _frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        for each in (runs, downloads):
            if each is not None:
                each.close()
        server.stop()

    for number in STOPPING:
        signal.signal(number, stop)


def _build_app(
    options: argparse.Namespace, *, is_own: bool, at_once: bool = False
) -> "Flask":
    """Load networks and return the app around them.

    Args:
        options: of the command line.
        is_own: whether only this machine reaches the server.
        at_once: have all networks in memory now, for processes forked from this one.
    """
    # Imported here, so that --help and wrong options respond at once.
    from capsnet_explorer.app import create_app
    from capsnet_explorer.app.engines.heap import share_one_heap
    from capsnet_explorer.app.engines.memory import MEBI, process_memory
    from capsnet_explorer.app.engines.runs import Runs
    from capsnet_explorer.app.engines.torch import load_engines
    from capsnet_explorer.app.http.access import access_from
    from capsnet_explorer.model.weights import weight_files

    share_one_heap()
    data = _readable_folder(options.data)
    access = access_from(
        os.environ,
        options.allow_host,
        options.cors,
        options.allow_frame,
        is_behind_proxy=options.behind_proxy,
    )
    process_memory().budget = options.memory * MEBI
    engines = load_engines(options.weights, at_once=at_once)
    largest = max(engines.values(), key=lambda each: each.info.parameters).info
    if process_memory().budget < 4 * largest.parameters:
        need = math.ceil(4 * largest.parameters / MEBI)
        raise StartError(
            f"--memory must hold the largest network: at least {need} MB for "
            f"{largest.id}, got {options.memory}"
        )
    _add_networks(engines, options.network)
    runs = None
    is_own = is_own and not access.is_for_others
    if is_own or options.allow_training:
        runs = Runs(
            options.runs,
            data or ROOT / "data",
            options.runs / "kept",
            at_once=2 if is_own else 1,
            is_for_others=options.allow_training,
            shipped={file.stem: file for file in weight_files(options.weights)},
        )
    return create_app(engines, data_folder=data, access=access, runs=runs)


def _prepare(options: argparse.Namespace) -> None:
    """Start logging, and choose how many threads compute."""
    import torch

    from capsnet_explorer.app.http.logs import start_logging
    from capsnet_explorer.model.device import leave_a_core

    start_logging(options.log)
    if options.threads:
        torch.set_num_threads(options.threads)
    else:
        leave_a_core()


@contextlib.contextmanager
def _as_start_errors() -> Iterator[None]:
    """Turn what a start meets, a wrong setting or a missing package, into one line."""
    try:
        yield
    except ImportError as error:
        raise StartError(
            f"{error.name or error} is not installed; "
            "run `pip install -r requirements.txt` first"
        ) from error
    except ValueError as error:  # includes WeightsError
        raise StartError(str(error)) from error


def _add_networks(engines: "Engines", files: Sequence[Path]) -> None:
    """Add described networks; one that fails is listed, and its error printed."""
    from capsnet_explorer.app.engines.torch import open_described
    from capsnet_explorer.model.described.files import networks_named

    for name, trace in open_described(
        engines, networks_named(files, os.environ)
    ).items():
        print(
            f"{trace}The network {name} is left out: {engines.refused[name]}",
            file=sys.stderr,
        )


def _readable_folder(folder: Path | None) -> Path | None:
    """Return the folder if it can be listed; only a given one must exist."""
    if folder is None:
        return None
    try:
        os.listdir(folder)
    except OSError as error:
        raise StartError(
            f"cannot read the data folder {folder}: {error.strerror}"
        ) from error
    return folder


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        try:
            if os.name == "posix":  # on Windows it would let two servers share a port
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(BACKLOG)
        except OSError:
            listener.close()
            raise
    except OSError as error:
        raise StartError(
            f"cannot listen on {host} port {port}: {error.strerror or error}; "
            "choose another with --host and --port"
        ) from error
    return listener


def _address(listener: socket.socket) -> str:
    host, port, *_ = listener.getsockname()
    if host in ("0.0.0.0", "::"):
        host = "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _invitation(listener: socket.socket) -> str | None:
    """Return the address that other machines can open, if any."""
    host, port, *_ = listener.getsockname()
    if host not in ("0.0.0.0", "::"):
        return None
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", port))  # sends nothing, only finds the route
        except OSError:
            return None  # no network
        return f"http://{probe.getsockname()[0]}:{port}"


def _say(text: str) -> None:
    """Print a line, ignoring errors such as a full disk."""
    with contextlib.suppress(OSError):
        print(text, flush=True)


def _parser() -> argparse.ArgumentParser:
    """Return the parser; each option begins as its environment variable says."""
    parser = argparse.ArgumentParser(
        usage="%(prog)s [options], or %(prog)s COMMAND [options]",
        description="Start the explorer; it prints the address to open in a browser.",
        epilog=f"commands, of which --help tells more: {', '.join(commands.COMMANDS)}",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    given = os.environ.get
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument(
        "--port", type=_port, default=5000, help="port to listen on; 0 takes a free one"
    )
    parser.add_argument(
        "--weights",
        type=Path,
        default=given("CAPSNET_WEIGHTS", ROOT / "weights"),
        metavar="PATH",
        help="a weight file, or a folder of them (CAPSNET_WEIGHTS)",
    )
    parser.add_argument(
        "--network",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a Python file that describes a network of your own, see "
        "docs/own-networks.md; it runs with your rights (repeatable; CAPSNET_NETWORKS)",
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=given("CAPSNET_DATA"),
        metavar="FOLDER",
        help="contains MNIST/raw, for browsing test digits; None takes ./data if any "
        "(CAPSNET_DATA)",
    )
    parser.add_argument(
        "--threads",
        type=_count,
        default=given("CAPSNET_THREADS", "0"),
        help="CPU threads for the network; 0 takes one fewer than there are cores "
        "(CAPSNET_THREADS)",
    )
    parser.add_argument(
        "--memory",
        type=_count,
        default=given("CAPSNET_MEMORY", "256"),
        metavar="MB",
        help="for networks, and copies of them that attacks need; those unused longest "
        "make room for others (CAPSNET_MEMORY)",
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        metavar="NAME",
        help="accept this host name too (repeatable; CAPSNET_ALLOW_HOSTS); IP "
        "addresses, localhost and this machine's own names are always accepted",
    )
    parser.add_argument(
        "--cors",
        action="append",
        metavar="ORIGIN",
        help="let pages of this origin, such as https://example.org, use the API "
        "(repeatable; CAPSNET_CORS); * allows all",
    )
    parser.add_argument(
        "--allow-frame",
        action="append",
        metavar="ORIGIN",
        help="let pages of this origin, such as https://example.org or "
        "https://*.example.org, show the explorer in a frame (repeatable; "
        "CAPSNET_ALLOW_FRAMES)",
    )
    parser.add_argument(
        "--behind-proxy",
        action=argparse.BooleanOptionalAction,
        default=_is_set("CAPSNET_BEHIND_PROXY"),
        help="trust X-Forwarded-Host, -Proto and -Prefix, which a proxy must set "
        "(CAPSNET_BEHIND_PROXY=1)",
    )
    parser.add_argument(
        "--allow-training",
        action=argparse.BooleanOptionalAction,
        default=_is_set("CAPSNET_ALLOW_TRAINING"),
        help="let others train networks on this machine, too; on a server that only "
        "this machine reaches, that is always allowed (CAPSNET_ALLOW_TRAINING=1)",
    )
    parser.add_argument(
        "--runs",
        type=_folder,
        default=given("CAPSNET_RUNS", kept_folder()),
        metavar="FOLDER",
        help="for training runs that are started from the page, at most 2 GB, and for "
        "the models that are kept of them (CAPSNET_RUNS)",
    )
    parser.add_argument(
        "--log",
        choices=LOG_STYLES,
        default=given("CAPSNET_LOG", LOG_STYLES[0]),
        help="problems only, or a line for each request, too (CAPSNET_LOG)",
    )
    return parser


def kept_folder() -> Path:
    """Return where training runs, sets of images and kept models go by default.

    Installed, they would go with the environment: they have a place among the user's
    own data.
    """
    if IS_CHECKOUT:
        return ROOT / "runs" / "watched"
    return platformdirs.user_data_path("capsnet-explorer", appauthor=False) / "runs"


def _folder(text: str) -> Path:
    if not text.strip():
        raise argparse.ArgumentTypeError("must be a folder, got nothing (CAPSNET_RUNS)")
    return Path(text)


def _is_set(name: str) -> bool:
    """Return whether an environment variable says yes.

    Raises:
        StartError: it says neither yes nor no.
    """
    text = os.environ.get(name, "")
    if text.lower() not in (*YES, *NO):
        raise StartError(f"{name} must be 1 or 0, got {text!r}")
    return text.lower() in YES


def _port(text: str) -> int:
    port = _count(text)
    if port > MAX_PORT:
        raise argparse.ArgumentTypeError(f"must be at most {MAX_PORT}, got {text}")
    if port in UNSAFE_PORTS:
        raise argparse.ArgumentTypeError(
            f"must be a port that browsers open, got {text}: they refuse that one, as "
            "another protocol uses it"
        )
    return port


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"must be a whole number from 0, got {text}")
    return int(text)
