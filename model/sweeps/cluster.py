"""The runs of a sweep on other machines, by dask.distributed.

A scheduler and workers are started as dask's documentation says; each worker needs this
package. A run's folder is at the same path on all of them: where they share a disk, a
run whose worker died goes on with its last checkpoint on another.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any
from uuid import uuid4

from capsnet_explorer.model.sweeps.running import Ended, Give, Outcome, Task, train_one

CONNECT_S = 10
TRIES = 3  # workers that may die over one run
NEEDED = (
    "--cluster needs dask.distributed: pip install distributed (and the same version "
    "on the cluster)"
)


def on_cluster(address: str) -> Give:
    """Return what trains on a cluster.

    Args:
        address: of its scheduler, such as `tcp://10.0.0.1:8786`.

    Raises:
        ValueError: dask is not installed; there is no cluster; or it runs another
            version of Python or of dask, or has not got this package.
    """
    if find_spec("distributed") is None:
        raise ValueError(NEEDED)
    import distributed

    try:
        client = distributed.Client(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ValueError(
            f"there is no cluster at {address}: start one with `dask scheduler` and "
            "`dask worker`"
        ) from error
    try:
        _check(client)
    except BaseException:
        client.close()
        raise

    def give(tasks: Sequence[Task]) -> Ended:
        stopped = distributed.Event(f"sweep-{uuid4()}", client=client)
        try:
            under_way = {
                client.submit(
                    _train_there,
                    *(task, stopped.name),
                    pure=False,
                    key=f"{task.run.name}-{uuid4()}",
                ): task
                for task in tasks
            }
            for future in distributed.as_completed(under_way, loop=client.loop):
                yield under_way[future], _outcome(future)
        except BaseException:
            stopped.set()  # they save their steps
            raise
        finally:
            client.close()

    return give


def _train_there(task: Task, stopped: str) -> Outcome:
    """Train on a worker."""
    import distributed

    event = distributed.Event(stopped)
    return train_one(task, lambda: bool(event.is_set()))


def _outcome(future: Any) -> Outcome:
    from distributed.scheduler import KilledWorker

    try:
        return future.result()
    except KilledWorker:
        return Outcome(reason=f"{TRIES} workers died while it trained")
    except OSError as error:
        return Outcome(reason=f"the worker says: {error.strerror or error}")


def _check(client: Any) -> None:
    """Refuse a cluster that could not train."""
    client.scheduler_info()
    found = client.get_versions()
    own = _versions(found["client"])
    others = [found["scheduler"], *found["workers"].values()]
    for other in others:
        if _versions(other) != own:
            raise ValueError(
                f"the cluster has {_words(_versions(other))}, and here is "
                f"{_words(own)}: both must be the same"
            )
    if not found["workers"]:
        raise ValueError("the cluster has no worker: start one with `dask worker`")
    answers = client.run(_has_package, on_error="return")
    for worker, answer in answers.items():
        if answer is not True:
            raise ValueError(
                f"the worker {worker} has not got this package: pip install it there"
            )


def _versions(found: Any) -> tuple[str, str]:
    python = ".".join(str(found["host"]["python"]).split(".")[:2])
    return python, str(found["packages"]["distributed"])


def _words(versions: tuple[str, str]) -> str:
    python, dask = versions
    return f"Python {python} with distributed {dask}"


def _has_package() -> bool:
    """Return True; a worker without this package cannot even read the function."""
    return True
