"""Described networks with their page, served beside a script, or written as files."""

import html
import ipaddress
import os
import socket
import sys
import threading
import warnings
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from capsnet_explorer.model.described import mine as described

if TYPE_CHECKING:
    from capsnet_explorer.app.http.serving import Server

HOST = "127.0.0.1"
HEIGHT = 900  # pixels of the frame in a notebook
BACKLOG = 64
# Pages of this machine, such as a notebook's, may show the explorer in a frame.
FRAMES = ("http://localhost:*", "http://127.0.0.1:*")
BESIDE = "capsnet-mnist"  # to compare with, for a network that reads the same digits


class Mine(described.Mine):
    """A network that its owner has described, and the page that shows it."""

    def explore(self, **settings: Any) -> "Explorer | None":
        """Serve the page with this network on a port of this machine.

        Args:
            settings: those of `serve`, such as `port`.

        Returns:
            The server, with its `address` and `stop()`; in a notebook's cell it shows
            the page. None in a file that the server itself opens.
        """
        return None if described.is_collecting() else serve(self, **settings)

    def site(self, folder: "str | os.PathLike[str]", **settings: Any) -> None:
        """Write the page with this network as a folder of files, for any host.

        Networks run in the visitor's browser: see docs/publishing.md.

        Args:
            folder: a new one, or one that was written before.
            settings: those of `publish`, such as `title`.
        """
        if not described.is_collecting():
            publish(self, folder=folder, **settings)

    def page(
        self, file: "str | os.PathLike[str] | None" = None, **settings: Any
    ) -> "Page | None":
        """Write the page with this network as one HTML file, which needs no server.

        Args:
            file: is made, or replaced where it was written before; None writes none,
                and returns the page, which a notebook's cell shows and keeps.
            settings: `title`, of the page; `half`, whether to round weights to half
                precision; `runtime`, npm's onnxruntime-web; and, with a file,
                `replaces`: whether to write also where another file stands.

        Returns:
            The page, where no file is named. None in a file that the server opens.

        Raises:
            FileExistsError: another file stands there.
            FileNotFoundError, ImportError, ValueError: as `publish`.
        """
        if described.is_collecting():
            return None
        from capsnet_explorer.app.engines.torch import described_engines
        from capsnet_explorer.app.site.onefile import file_of, write_file

        engines: Any = described_engines([self])
        if file is None:
            return Page(file_of(engines, **settings).decode())
        size = write_file(Path(file), engines, **settings)
        print(f"{size / 1e6:.1f} MB are in {file}; a double click opens it")
        return None


describe = Mine.of


class Page:
    """The page as one HTML file: a notebook's cell shows it, also without a kernel.

    Attributes:
        text: of the file.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return f"CapsNet Explorer as one page of {len(self.text) / 1e6:.1f} MB"

    def _repr_html_(self) -> str:
        size = f"{len(self.text) / 1e6:.0f} MB"
        warnings.warn(
            f"the notebook keeps this page, and becomes {size} larger. Where it does "
            "not appear, the server holds back outputs so large: start it with "
            "--ServerApp.iopub_data_rate_limit=1e9",
            stacklevel=2,
        )
        # Of what stands in quotes, these two alone mean something.
        text = self.text.replace("&", "&amp;").replace('"', "&quot;")
        return (
            f'<iframe srcdoc="{text}" width="100%" height="{HEIGHT}" '
            'style="border:0" sandbox="allow-scripts allow-downloads allow-modals" '
            'allow="fullscreen; clipboard-write"></iframe>'
        )


def explore(
    network: Any,
    images: Any = None,
    layers: Any = None,
    *,
    port: int = 0,
    host: str = HOST,
    beside: str | None = BESIDE,
    **settings: Any,
) -> "Explorer | None":
    """Describe a network by its layers, which are found, and open the page with it.

    The description that was found is printed, to be kept and corrected.

    Args:
        network: an `nn.Module`, or what `describe` returned.
        images: a few real inputs of the module, as `describe` takes them.
        layers: of the module; None finds them.
        port: to listen on; 0 takes a free one.
        host: address or name to listen on, of this machine alone.
        beside: a network of the project to compare with; None leaves it out.
        settings: those of `describe`, such as `labels` and `normalize`.

    Returns:
        The server, with its `address` and `stop()`; in a notebook's cell it shows the
        page. None in a file that the server itself opens.

    Raises:
        ValueError: module, images or settings cannot be used.
        OSError: the port is taken.
    """
    if not isinstance(network, Mine):
        network = describe(network, layers, images, **settings)
    return network.explore(port=port, host=host, beside=beside)


class Explorer:
    """A server of described networks; in a notebook's cell it shows the page.

    It stops when `stop` is called, when nothing refers to it any more, and when the
    program ends.

    Attributes:
        address: of the page.
    """

    def __init__(self, server: "Server", listener: socket.socket, path: str) -> None:
        host, port = listener.getsockname()[:2]
        self.address = f"http://{host}:{port}/{path}"
        self._thread = threading.Thread(
            target=_serve, args=(server, listener), daemon=True
        )
        self._thread.start()
        # Neither holds this object, so that it can be collected.
        self._end = weakref.finalize(self, _stop, server, self._thread)

    def stop(self) -> None:
        """Stop serving, and free the port."""
        self._end()

    def wait(self) -> None:
        """Serve until Ctrl-C, for a script that would otherwise end."""
        print(f"CapsNet Explorer is ready at {self.address}\nPress Ctrl-C to stop.")
        try:
            self._thread.join()
        except KeyboardInterrupt:
            self.stop()

    def __repr__(self) -> str:
        state = f"at {self.address}" if self._end.alive else "stopped"
        return f"CapsNet Explorer {state}"

    def _repr_html_(self) -> str:
        if not self._end.alive:
            return "<p>CapsNet Explorer has stopped.</p>"
        address = html.escape(self.address)
        return (
            f'<iframe src="{address}" width="100%" height="{HEIGHT}" '
            'style="border:0" allow="fullscreen"></iframe>'
            f'<p><a href="{address}" target="_blank">Open it in its own tab</a></p>'
        )


def serve(
    *networks: described.Mine,
    port: int = 0,
    host: str = HOST,
    beside: str | None = BESIDE,
) -> Explorer:
    """Serve described networks on a port of this machine.

    Args:
        networks: of `describe`; the page opens with the first.
        port: to listen on; 0 takes a free one.
        host: address or name to listen on, of this machine alone, such as localhost.
        beside: a network of the project to compare with, where it reads images of the
            same shape; None leaves it out.

    Raises:
        ValueError: the host is reached by other machines, or has no address.
        OSError: the port is taken.
    """
    from capsnet_explorer.app import create_app
    from capsnet_explorer.app.engines.torch import described_engines, load_engines
    from capsnet_explorer.app.http.access import Access
    from capsnet_explorer.app.http.serving import Server
    from capsnet_explorer.model.weights import weight_file

    if not _is_own(host):
        raise ValueError(
            f"host must be of this machine alone, such as {HOST}, got {host}: "
            "run_visualization.py --network FILE serves others"
        )
    engines: dict[str, Any] = dict(described_engines(networks))
    if beside is not None and beside not in engines:
        shipped = load_engines(weight_file(beside))
        shape = shipped[beside].info.input_shape
        if any(engine.info.input_shape == shape for engine in engines.values()):
            engines |= shipped
    app = create_app(engines, access=Access(frames=FRAMES))
    cell = _cell()
    if cell is not None and (before := _IN_CELLS.pop(cell, lambda: None)()):
        before.stop()  # the cell is run again: its network is another now
    listener = socket.create_server((host, port), backlog=BACKLOG)
    try:
        explorer = Explorer(Server(app, listener), listener, "")
    except BaseException:
        listener.close()
        raise
    if cell is not None:
        _IN_CELLS[cell] = weakref.ref(explorer)
    return explorer


def _is_own(host: str) -> bool:
    """Tell whether no other machine reaches an address, or a name such as localhost."""
    try:
        addresses = socket.getaddrinfo(host, 0, family=socket.AF_INET)
    except socket.gaierror as error:
        raise ValueError(
            f"host must be an address of this machine, such as {HOST}, got {host!r}: "
            f"{error.strerror}"
        ) from error
    return all(ipaddress.ip_address(entry[4][0]).is_loopback for entry in addresses)


# The server that each cell of a notebook has started, while it runs.
_IN_CELLS: "dict[str, Callable[[], Explorer | None]]" = {}


def _cell() -> str | None:
    """Return what names the notebook's cell that runs; None outside of notebooks."""
    ipython = sys.modules.get("IPython")
    shell: Any = None if ipython is None else ipython.get_ipython()
    parent = getattr(shell, "get_parent", dict)() or {}
    return parent.get("metadata", {}).get("cellId")


def publish(
    *networks: described.Mine, folder: "str | os.PathLike[str]", **settings: Any
) -> None:
    """Write the page for described networks as a folder of files, for any host.

    Args:
        networks: of `describe`; the page opens with the first.
        folder: a new one, or one that was written before.
        settings: `title`, of the page, and `runtime`, npm's onnxruntime-web.

    Raises:
        FileExistsError: the folder holds other things.
        FileNotFoundError: onnxruntime-web is missing; the message says how to get it.
        ImportError: a package of requirements-site.txt is missing.
        ValueError: what would be published computes something else than the network.
    """
    from capsnet_explorer.app.engines.torch import described_engines
    from capsnet_explorer.app.site.writing import write_site

    engines: Any = described_engines(networks)
    sizes = write_site(Path(folder), engines, **settings)
    print(f"{sum(sizes.values()) / 1e6:.0f} MB are in {folder}; any host serves it")


def _serve(server: "Server", listener: socket.socket) -> None:
    with listener:
        server.run()


def _stop(server: "Server", thread: threading.Thread) -> None:
    server.stop()
    if thread is not threading.current_thread():
        thread.join(timeout=15)
