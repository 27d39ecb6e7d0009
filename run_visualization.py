"""Start the explorer, then open the address that it prints."""

import argparse
import os
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

ROOT = Path(__file__).parent
FAILED = 2
SERVER_THREADS = 8  # requests in hand at once; a network answers one at a time
BACKLOG = 128  # connections that may wait
MAX_PORT = 65_535


class StartError(Exception):
    """Why the explorer cannot start, in one line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until interrupted; return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        _serve(options)
    except StartError as error:
        print(f"run_visualization.py: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("\nStopped.")
    return 0


def _serve(options: argparse.Namespace) -> None:
    data = _readable_folder(options.data)
    # Before anything slow: a busy port is told at once.
    listener = _listen(options.host, options.port)
    with listener:
        app = _build_app(options.weights, data, options.threads)

        from waitress.server import create_server

        server = create_server(
            app, sockets=[listener], threads=SERVER_THREADS, ident=None
        )
        print(f"CapsNet Explorer is ready at {_address(listener)}", flush=True)
        print("Press Ctrl-C to stop.", flush=True)
        try:
            server.run()
        finally:
            server.close()


def _build_app(weights: Path, data: Path | None, threads: int) -> "Flask":
    # Imported here, so that --help and simple mistakes answer at once.
    try:
        import torch

        from app import create_app
        from app.torch_engine import WeightsError, load_engines
    except ImportError as error:
        raise StartError(
            f"{error.name or error} is not installed; "
            "run `pip install -r requirements.txt` first"
        ) from error
    if threads:
        torch.set_num_threads(threads)
    try:
        return create_app(load_engines(weights), data_folder=data)
    except WeightsError as error:
        raise StartError(str(error)) from error


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
        help="CPU threads that the network computes with; 0 is one for each core",
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
