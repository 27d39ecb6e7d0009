"""Start the explorer, then open the address that it prints."""

import argparse
import contextlib
import os
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

    from app.serving import Server

ROOT = Path(__file__).parent
FAILED = 2
BACKLOG = 128  # connections that may wait
MAX_PORT = 65_535
LOG_STYLES = ("quiet", "text", "json")  # those of app.logs, which is slow to import
STOPPING = (signal.SIGINT, signal.SIGTERM)


class StartError(Exception):
    """Why the explorer cannot start, in one line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until interrupted; return the exit code."""
    options = _parser().parse_args(arguments)
    # Until there is something to finish, both ways of stopping do the same.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        _serve(options)
    except StartError as error:
        print(f"run_visualization.py: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        _say("\nStopped.")
    return 0


def _serve(options: argparse.Namespace) -> None:
    data = _readable_folder(options.data)
    # Before anything slow: a busy port is told at once.
    listener = _listen(options.host, options.port)
    with listener:
        app = _build_app(options, data)

        from app.serving import Server
        from app.warming import warm_up

        warm_up(app)
        server = Server(app, listener)
        _stop_on_signals(server)
        _say(f"CapsNet Explorer is ready at {_address(listener)}")
        if invitation := _invitation(listener):
            _say(f"Others on this network open {invitation}")
        _say("Press Ctrl-C to stop.")
        server.run()
        _say("\nStopped.")


def _stop_on_signals(server: "Server") -> None:
    """Finish what is under way at the first signal; at a second one, stop at once."""

    def stop(number: int, _frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        server.stop()

    for number in STOPPING:
        signal.signal(number, stop)


def _build_app(options: argparse.Namespace, data: Path | None) -> "Flask":
    # Imported here, so that --help and simple mistakes answer at once.
    try:
        import torch

        from app import create_app
        from app.access import access_from
        from app.logs import start_logging
        from app.torch_engine import load_engines
        from model.device import leave_a_core
    except ImportError as error:
        raise StartError(
            f"{error.name or error} is not installed; "
            "run `pip install -r requirements.txt` first"
        ) from error
    if options.threads:
        torch.set_num_threads(options.threads)
    else:
        leave_a_core()
    try:
        start_logging(options.log)
        access = access_from(os.environ, options.allow_host, options.cors)
        engines = load_engines(options.weights)
    except ValueError as error:  # weights that cannot be used are one
        raise StartError(str(error)) from error
    return create_app(engines, data_folder=data, access=access)


def _readable_folder(folder: Path | None) -> Path | None:
    """Return the folder if it can be listed; only a named one has to exist."""
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
            if os.name == "posix":  # elsewhere it would let two servers share a port
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
    """Return the address that other machines open, if they can."""
    host, port, *_ = listener.getsockname()
    if host not in ("0.0.0.0", "::"):
        return None
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", port))  # sends nothing; only finds the way out
        except OSError:
            return None  # no network
        return f"http://{probe.getsockname()[0]}:{port}"


def _say(text: str) -> None:
    """Tell whoever reads standard output; a full disk is no reason to stop."""
    with contextlib.suppress(OSError):
        print(text, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument(
        "--port", type=_port, default=5000, help="port to listen on; 0 takes a free one"
    )
    parser.add_argument(
        "--weights",
        type=Path,
        default=Path(os.environ.get("CAPSNET_WEIGHTS", ROOT / "weights")),
        metavar="PATH",
        help="a weight file, or a folder of them",
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=os.environ.get("CAPSNET_DATA"),
        metavar="FOLDER",
        help="holds MNIST/raw, for browsing test digits; None takes ./data if there",
    )
    parser.add_argument(
        "--threads",
        type=_count,
        default=0,
        help="CPU threads that the network computes with; 0 is one less than cores",
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        metavar="NAME",
        help="answer to this name too (repeatable; CAPSNET_ALLOW_HOSTS); numbers, "
        "localhost and this machine's own names are answered anyway",
    )
    parser.add_argument(
        "--cors",
        action="append",
        metavar="ORIGIN",
        help="let pages of this origin, such as https://example.org, use the API "
        "(repeatable; CAPSNET_CORS); * lets all",
    )
    parser.add_argument(
        "--log",
        choices=LOG_STYLES,
        default=os.environ.get("CAPSNET_LOG", LOG_STYLES[0]),
        help="problems only, a line for each request, or all as JSON lines",
    )
    return parser


def _port(text: str) -> int:
    port = _count(text)
    if port > MAX_PORT:
        raise argparse.ArgumentTypeError(f"must be at most {MAX_PORT}, got {text}")
    return port


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"must be a whole number from 0, got {text}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
