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
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from capsnet_explorer import IS_CHECKOUT, ROOT, cli
from capsnet_explorer.options import Option, parser_of, whole_number

if TYPE_CHECKING:
    from flask import Flask

    from capsnet_explorer.app.engines.downloads import Downloads
    from capsnet_explorer.app.engines.protocol import Engine
    from capsnet_explorer.app.engines.runs import Runs
    from capsnet_explorer.app.engines.torch import Engines
    from capsnet_explorer.app.http.opening import Opening
    from capsnet_explorer.app.http.serving import Server

FAILED = 2
BACKLOG = 128  # connections waiting to be accepted
MAX_PORT = 65_535
FOLDERS = ("app", "model", "capsnet_explorer", "static", "templates")
LOG_STYLES = ("quiet", "text")  # app.http.logs is imported late
STOPPING = (signal.SIGINT, signal.SIGTERM)
_LEFT: set[threading.Thread] = set()  # that may go on when all has ended


class StartError(RuntimeError):
    """The explorer cannot start; the message is one line, which gunicorn prints."""


def kept_folder() -> Path:
    """Return where training runs, sets of images and kept models go by default.

    Installed, they would go with the environment: they have a place among the user's
    own data.
    """
    if IS_CHECKOUT:
        return ROOT / "runs" / "watched"
    import platformdirs

    return platformdirs.user_data_path("capsnet-explorer", appauthor=False) / "runs"


KEPT = kept_folder()


def _folder(text: str) -> Path:
    if not text.strip():
        raise ValueError("must be a folder, got nothing (CAPSNET_RUNS)")
    return Path(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Start the explorer; it prints the address to open in a browser.

    Attributes:
        host: address to listen on.
        port: port to listen on; 0 takes a free one.
        weights: a weight file, or a folder of them.
        network: a Python file that describes a network of your own, see
            docs/own-networks.md; it runs with your rights (repeatable;
            CAPSNET_NETWORKS).
        data: contains MNIST/raw, for browsing test digits; ./data, if any, unless said.
        threads: CPU threads for the network; 0 takes one fewer than there are cores.
        memory: for networks, and copies of them that attacks need; those unused longest
            make room for others.
        allow_host: accept this host name too (repeatable; CAPSNET_ALLOW_HOSTS); IP
            addresses, localhost and this machine's own names are always accepted.
        cors: let pages of this origin, such as https://example.org, use the API
            (repeatable; CAPSNET_CORS); * allows all.
        allow_frame: let pages of this origin, such as https://example.org or
            https://*.example.org, show the explorer in a frame (repeatable;
            CAPSNET_ALLOW_FRAMES).
        behind_proxy: trust X-Forwarded-Host, -Proto and -Prefix, which a proxy must
            set.
        allow_training: let others train networks on this machine, too; on a server that
            only this machine reaches, that is always allowed.
        runs: for training runs that are started from the page, at most 2 GB, and for
            the models that are kept of them.
        log: problems only, or a line for each request, too.
    """

    host: Annotated[str, Option(metavar="HOST")] = "127.0.0.1"
    port: Annotated[int, Option(metavar="PORT", read=whole_number(0, MAX_PORT))] = 5000
    weights: Annotated[Path, Option(metavar="PATH", variable="CAPSNET_WEIGHTS")] = (
        ROOT / "weights"
    )
    network: Sequence[Path] = ()
    data: Annotated[Path | None, Option(metavar="FOLDER", variable="CAPSNET_DATA")] = (
        None
    )
    threads: Annotated[
        int, Option(read=whole_number(0), variable="CAPSNET_THREADS")
    ] = 0
    memory: Annotated[
        int, Option(metavar="MB", read=whole_number(0), variable="CAPSNET_MEMORY")
    ] = 256
    allow_host: Sequence[str] | None = None
    cors: Annotated[Sequence[str] | None, Option(metavar="ORIGIN")] = None
    allow_frame: Annotated[Sequence[str] | None, Option(metavar="ORIGIN")] = None
    behind_proxy: Annotated[bool, Option(variable="CAPSNET_BEHIND_PROXY")] = False
    allow_training: Annotated[bool, Option(variable="CAPSNET_ALLOW_TRAINING")] = False
    runs: Annotated[
        Path, Option(metavar="FOLDER", read=_folder, variable="CAPSNET_RUNS")
    ] = KEPT
    log: Annotated[str, Option(choices=LOG_STYLES, variable="CAPSNET_LOG")] = "quiet"


def environment() -> Options:
    """Return the options that the environment gives.

    Raises:
        StartError: a variable cannot be.
    """
    return _given([])


def _given(arguments: Sequence[str] | None) -> Options:
    with _as_start_errors():
        return Options(**vars(_parser().parse_args(arguments)))


def _parser() -> argparse.ArgumentParser:
    parser = parser_of(Options, Path(sys.argv[0]).name)
    parser.usage = "%(prog)s [options], or %(prog)s COMMAND [options]"
    parser.epilog = "commands, of which --help tells more:\n"
    parser.epilog += ", ".join(cli.COMMANDS)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until interrupted, or run a command; return the exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    if words and not words[0].startswith("-"):
        return cli.main(words)
    # During the start there are no requests to finish: both signals end it at once.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    gc.disable()  # until all is there: looking for garbage takes a tenth of the start
    try:
        _serve(_given(arguments))
    except StartError as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        _say("\nStopped.")
    finally:
        gc.enable()
    end_at_once_if_held()
    return 0


def application() -> "Flask":
    """Return the app with the options that the environment gives, for a WSGI server.

    Whoever runs that decides on threads, host and port. It reaches others, so training
    has to be allowed, and needs a single process.

    Raises:
        StartError: the explorer cannot start so.
    """
    with _as_start_errors():
        from capsnet_explorer.app.page.files import current_static_folder

        options = environment()
        load = partial(_loaded, options, at_once=True)
        app = _build_app(options, load, is_own=False)
    with app.app_context():  # read once, for all processes
        current_static_folder().refreshed()
    return app


def _serve(options: Options) -> None:
    # Before anything slow, so that a busy port is reported at once.
    listener = _listen(options.host, options.port)
    with listener:
        is_own = ipaddress.ip_address(listener.getsockname()[0]).is_loopback
        with _as_start_errors():
            # Imported here, so that --help and wrong options respond at once.
            from capsnet_explorer.app.engines.heap import share_one_heap
            from capsnet_explorer.app.http.logs import start_logging
            from capsnet_explorer.app.http.serving import Server

            share_one_heap()
            start_logging(options.log)
            opening = _opening(options)
            bring = partial(_bring, options, opening, is_own=is_own)
            comes_later = bool(opening.facts)
            if not comes_later:
                bring()
        server = Server(opening, listener, most_of=opening.most_of)
        _stop_on_signals(server, partial(_services, opening))
        _say(f"CapsNet Explorer is ready at {_address(listener)}")
        if invitation := _invitation(listener):
            _say(f"Others on this network open {invitation}")
        if not IS_CHECKOUT and (is_own or options.allow_training):
            _say(f"Runs, sets of images and kept models are in {options.runs}")
        _say("Press Ctrl-C to stop.")
        arrival = _in_background(bring, server.stop) if comes_later else None
        server.run()
        opening.close()
        # Where they compute, an orderly end of Python would abort.
        _LEFT.update(thread for thread in threading.enumerate() if thread.daemon)
        with _as_start_errors():
            if arrival is not None and arrival.done():
                arrival.result()
        _say("\nStopped.")


def _stop_on_signals(
    server: "Server", services: "Callable[[], Iterable[Runs | Downloads]]"
) -> None:
    """Finish requests in progress at the first signal; stop at once at a second.

    Training runs and downloads stop, and the streams of events end.
    """

    def stop(number: int, _frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        for service in services():
            service.close()
        server.stop()

    for number in STOPPING:
        signal.signal(number, stop)


def _services(opening: "Opening") -> "list[Runs | Downloads]":
    """Return what goes on besides requests."""
    if not opening.is_answered:
        return []
    from capsnet_explorer.app.engines.downloads import EXTENSION as DOWNLOADS
    from capsnet_explorer.app.engines.runs import EXTENSION as RUNS

    extensions = opening.app.result().extensions
    return [service for name in (RUNS, DOWNLOADS) if (service := extensions[name])]


def _opening(options: Options) -> "Opening":
    """Return what was kept of an earlier start, to answer until the networks are there.

    Nothing is where a described network is opened, which is code of its owner, or where
    a model was kept from a run: both can be others at the next start.
    """
    import waitress

    from capsnet_explorer.app.http.opening import Opening, key_of

    has_own = options.network or os.environ.get("CAPSNET_NETWORKS")
    if has_own or any((options.runs / "kept").glob("*.safetensors")):
        return Opening()
    _readable_folder(options.data)
    packages = Path(waitress.__file__).parents[1].stat().st_mtime_ns
    settings = sorted(pair for pair in os.environ.items() if "CAPSNET_" in pair[0])
    facts = (sys.version, packages, replace(options, port=0), settings)
    folders = [ROOT / name for name in FOLDERS] if IS_CHECKOUT else [ROOT]
    weights = options.weights
    beside = [*weights.parent.glob(f"{weights.stem}.*"), weights.parent / "measured"]
    return Opening(options.runs, key_of([*folders, weights, *beside], facts))


def _bring(options: Options, opening: "Opening", *, is_own: bool) -> None:
    """Build the app and load its networks; the app comes first if facts were kept."""
    waiting = None
    if opening.facts:
        opening.wait_until_quiet()
    try:
        from capsnet_explorer.app.engines.waiting import WaitingEngines, facts_of
        from capsnet_explorer.app.http.bodies import most_of_body
        from capsnet_explorer.app.warming import (
            keep_answers,
            read_networks_ahead,
            warm_up,
        )

        loaded = cache(lambda: _loaded(options))
        if opening.facts:
            waiting = WaitingEngines(opening.facts)
        app = _build_app(options, lambda: waiting or loaded(), is_own=is_own)
        keep_answers(app)
        read_networks_ahead(app)
        opening.answer_with(app, most_of_body(app))
        engines = loaded()
        if waiting is not None:
            waiting.arrival.set_result(engines)
        if engines.refused:
            opening.forget()
        else:
            opening.complete(facts_of(engines))
        warm_up(app)
    except BaseException as error:
        opening.fail(error)
        if waiting is not None and not waiting.arrival.done():
            waiting.arrival.set_exception(error)
        raise
    finally:
        gc.freeze()  # what is there now stays
        gc.enable()


def _in_background(
    work: Callable[[], None], failed: Callable[[], None]
) -> Future[None]:
    """Work on a thread of its own; `failed` is called if that raises anything."""
    end: Future[None] = Future()

    def run() -> None:
        try:
            end.set_result(work())
        except BaseException as error:
            end.set_exception(error)
            failed()

    threading.Thread(target=run, daemon=True).start()
    return end


def _build_app(
    options: Options, load: "Callable[[], Mapping[str, Engine]]", *, is_own: bool
) -> "Flask":
    """Load networks and return the app around them.

    Args:
        options: of the command line.
        load: returns the networks.
        is_own: whether only this machine reaches the server.
    """
    # Imported here, so that --help and wrong options respond at once.
    from capsnet_explorer.app import create_app
    from capsnet_explorer.app.engines.runs import Runs
    from capsnet_explorer.app.http.access import access_from

    data = _readable_folder(options.data)
    access = access_from(
        os.environ,
        options.allow_host,
        options.cors,
        options.allow_frame,
        is_behind_proxy=options.behind_proxy,
    )
    engines = load()
    runs = None
    is_own = is_own and not access.is_for_others
    if is_own or options.allow_training:
        runs = Runs(
            options.runs,
            data or ROOT / "data",
            options.runs / "kept",
            at_once=2 if is_own else 1,
            is_for_others=options.allow_training,
            shipped=_weight_files(options.weights),
        )
    return create_app(engines, data_folder=data, access=access, runs=runs)


def _loaded(options: Options, *, at_once: bool = False) -> "Engines":
    """Return all networks, described ones, too.

    Args:
        options: of the command line.
        at_once: have them in memory now, for processes forked from this one, which
            choose how many threads compute.
    """
    import torch

    from capsnet_explorer.app.engines.memory import MEBI, process_memory
    from capsnet_explorer.app.engines.torch import load_engines
    from capsnet_explorer.model.device import leave_a_core

    if not at_once and options.threads:
        torch.set_num_threads(options.threads)
    elif not at_once:
        leave_a_core()
    process_memory().budget = options.memory * MEBI
    engines = load_engines(options.weights, at_once=at_once)
    largest = max(engines.values(), key=lambda engine: engine.info.parameters).info
    if process_memory().budget < 4 * largest.parameters:
        need = math.ceil(4 * largest.parameters / MEBI)
        raise StartError(
            f"--memory must hold the largest network: at least {need} MB for "
            f"{largest.id}, got {options.memory}"
        )
    _add_networks(engines, options.network)
    return engines


def _weight_files(source: Path) -> dict[str, Path]:
    files = sorted(source.glob("*.safetensors")) if source.is_dir() else [source]
    return {file.stem: file for file in files}


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

    before = {*threading.enumerate()}
    try:
        traces = open_described(engines, networks_named(files, os.environ))
    finally:
        _LEFT.update({*threading.enumerate()} - before)
    for name, trace in traces.items():
        print(
            f"{trace}The network {name} is left out: {engines.refused[name]}",
            file=sys.stderr,
        )


def end_at_once_if_held() -> None:
    """End the process where threads or processes of somebody's network go on.

    Python would wait for them.
    """
    import multiprocessing

    children = multiprocessing.active_children()
    if not children and not any(thread.is_alive() for thread in _LEFT):
        return
    for child in children:
        child.kill()  # it may have our handlers, which only note that we stop
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(0)


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
        family, *_, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        is_dual = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
        return socket.create_server(
            address, family=family, backlog=BACKLOG, dualstack_ipv6=is_dual
        )
    except OSError as error:
        # Python adds the address, which is told already.
        reason = (error.strerror or str(error)).partition(" (while ")[0]
        raise StartError(
            f"cannot listen on {host} port {port}: {reason}; "
            "choose another with --host and --port"
        ) from error


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
