"""How several workers share the tests, and one explorer."""

import fcntl
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from capsnet_explorer.cli import main
from tests.browser.server import EXPLORER, ROOT, hosted, running
from tests.needs import PACKAGES, needed
from tests.tiny_page import EVIL, NETWORK

# NumPy reads it when it is first imported. Its products are small here, and threads
# that wait for their part of one keep the other workers' cores busy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

_open = ExitStack()
_told: dict[str, str] = {}


TESTS = Path(__file__).parent
BROWSER = TESTS / "browser"

# Files whose tests share what takes long to make: one worker makes it, and none waits.
SHARED = {
    **{"test_own_pictures": "learner", "test_symbols": "learner"},
    **{"test_site": "site", "test_asking": "site"},
    **{"test_onefile": "sent", "test_engines": "sent"},
}

# Of the site that some tests read.
NETWORKS = ("efficient-mnist", "cnn-mnist")
LEARNT = 6  # steps of training on a site
TITLE = "Mine & yours"


def touched() -> set[Path]:
    """Return the files of tests for what git says was changed and not committed."""
    command = ["git", "status", "--porcelain", "--no-renames", "--untracked-files=all"]
    status = subprocess.run(command, cwd=TESTS.parent, capture_output=True, text=True)
    changed = [Path(line[3:].strip('"')) for line in status.stdout.splitlines()]
    of_code = {
        TESTS / path.parent / f"test_{path.name}"
        for path in changed
        if path.suffix == ".py"
    }
    within = {
        TESTS / path.relative_to("capsnet_explorer").parent / f"test_{path.name}"
        for path in changed
        if path.is_relative_to("capsnet_explorer")
    }
    return of_code | within | {TESTS.parent / path for path in changed}


def dealt(
    items: list[pytest.Item], workers: int, first: set[Path]
) -> list[pytest.Item]:
    """Return tests in the order in which workers take them, each an equal piece.

    Long ones of a file stay together, and of files that share what takes long to make.
    """
    groups: dict[object, list[pytest.Item]] = {}
    fast = []
    for item in items:
        if item.get_closest_marker("long") is None:
            fast.append(item)
        else:
            groups.setdefault(SHARED.get(item.path.stem, item.path), []).append(item)
    fast.sort(key=lambda item: item.path not in first)
    pieces: list[list[pytest.Item]] = [[] for _ in range(workers)]
    for group in sorted(groups.values(), key=len, reverse=True):
        min(pieces, key=len).extend(group)
    count_first = sum(item.path in first for item in fast)
    pieces[0][:0], fast = fast[:count_first], fast[count_first:]
    ordered: list[pytest.Item] = []
    for number, piece in enumerate(pieces):  # as pytest-xdist cuts the list
        end = len(ordered) + (len(items) - len(ordered)) // (workers - number)
        ordered += piece
        room = max(0, end - len(ordered))
        ordered, fast = ordered + fast[:room], fast[room:]
    assert len(ordered) + len(fast) == len(items)
    return ordered + fast


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with what a change touches, and each worker with long tests of its own.

    So none ends with a long one alone. A test in a browser that fails is run once more;
    the summary names it.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    items[:] = dealt(items, workers, touched())
    for item in items:
        if BROWSER in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the tests that failed once, whatever became of them: each is a defect."""
    again = terminalreporter.stats.get("rerun", [])
    if again:
        terminalreporter.section("failed once, and run again: defects to mend")
        for report in again:
            terminalreporter.line(report.nodeid)


@pytest.fixture(scope="session")
def needs() -> Callable[[str], Path]:
    """Ask for a data set, or for the site's packages; or skip with the reason."""
    return needed


@pytest.fixture(autouse=True)
def nothing_unasked(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hide the site's packages from tests that do not ask for them."""
    if "needs" not in request.fixturenames:
        for name in PACKAGES:
            monkeypatch.setitem(sys.modules, name, None)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node) -> None:
    """Tell each worker of pytest-xdist where the explorer is that they share."""
    if not _told:
        _told[EXPLORER] = _open.enter_context(running())
    node.workerinput.update(_told)


@pytest.fixture(scope="session")
def explorer(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of an explorer started as a user starts it; workers share one."""
    shared = getattr(request.config, "workerinput", {}).get(EXPLORER)
    if shared is not None:
        yield shared
        return
    with running() as address:
        yield address


def written_once(name: str, write: Callable[[Path], None], base: Path) -> Path:
    """Return what the first worker that asks for it writes, and others wait for.

    Args:
        name: of the folder that is made for it.
        write: is given that folder.
        base: the worker's own folder of this run.
    """
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    folder.mkdir(exist_ok=True)
    with (folder / ".lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.seek(0)
        if not lock.read():
            write(folder)
            lock.write("written")
    return folder


@pytest.fixture(scope="session")
def own_network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that the documents show, with nothing to see."""
    text = (ROOT / "docs" / "own-networks.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    file = tmp_path_factory.mktemp("own") / "mine.py"
    file.write_text(code[1], encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, own_network: Path, needs) -> Path:
    """The folder of a site with these, below a path, as the command writes it.

    A network learns there in few steps.
    """
    needs("site")
    from capsnet_explorer.model.exporting import learning

    def write(folder: Path) -> None:
        networks = ["--network", *NETWORKS, str(own_network)]
        path = str(folder / "pages" / "site")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(learning, "STEPS", LEARNT)
            assert main(["site", path, "--learns", "--title", TITLE, *networks]) == 0

    base = tmp_path_factory.getbasetemp()
    return written_once("host", write, base) / "pages" / "site"


@pytest.fixture(scope="session")
def site_address(site: Path) -> Iterator[str]:
    """The address of that folder on a plain host of files, below a path."""
    with hosted(site.parents[1]) as address:
        yield f"{address}/pages/site"


@pytest.fixture(scope="session")
def tiny_network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that describes a tiny network, whose names are markup."""
    file = tmp_path_factory.mktemp("own") / "tiny.py"
    file.write_text(NETWORK, encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def sent(tmp_path_factory: pytest.TempPathFactory, tiny_network: Path, needs) -> Path:
    """The one file of a site with it, as the command writes it."""
    needs("site")

    def write(folder: Path) -> None:
        options = ["--file", str(folder / "a page.html"), "--title", EVIL]
        assert main(["site", *options, "--network", str(tiny_network)]) == 0

    return written_once("sent", write, tmp_path_factory.getbasetemp()) / "a page.html"


def pytest_sessionfinish() -> None:
    _open.close()
