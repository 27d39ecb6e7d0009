"""The memory that a training step takes, estimated before it is taken."""

import contextlib
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from capsnet_explorer.model.architecture import Architecture, Network
from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.settings import Shape
from capsnet_explorer.model.training.objective import Objective

try:
    import resource
except ImportError:  # Windows
    resource = None

TRIED = 2  # images of the step from which the memory of others follows
COPIES = 5  # of the weights: themselves, gradients, Adam's two means, a running mean
# Beside what a step keeps for its gradients stand the gradients themselves and what
# single operations need: measured with networks of all kinds.
TEMPORARY = 2.6
SPARE = 0.85  # share of the free memory that a step may take
GIGABYTE = 1 << 30
_OUT_OF_MEMORY = re.compile(
    r"out of memory|can't allocate memory|not enough memory|cannot allocate",
    re.IGNORECASE,
)


def is_out_of_memory(error: BaseException) -> bool:
    """Tell whether an error means that memory has run out, on a CPU or a GPU."""
    return isinstance(error, MemoryError) or (
        isinstance(error, RuntimeError)
        and _OUT_OF_MEMORY.search(str(error)) is not None
    )


@dataclass(frozen=True, slots=True)
class Needed:
    """The memory that steps need, in bytes.

    Attributes:
        always: whatever their number of images.
        each: for each image.
    """

    always: int
    each: int

    def of(self, batch: int) -> int:
        """Return the memory of a step with `batch` images."""
        return self.always + self.each * batch


def needed_by(
    architecture: Architecture, sizes: Any, loss: Any, shape: Shape
) -> Needed:
    """Estimate the memory of training steps from a pass with two images."""
    network = architecture.build(sizes)
    weights = sum(weight.nbytes for weight in network.parameters())
    kept = _kept_for_gradients(architecture, network, loss, shape)
    return Needed(COPIES * weights, round(TEMPORARY * kept / TRIED))


def _kept_for_gradients(
    architecture: Architecture, network: Network, loss: Any, shape: Shape
) -> int:
    """Return the bytes that a step with a few images keeps for its gradients."""
    weights = {weight.untyped_storage().data_ptr() for weight in network.parameters()}
    sizes: dict[int, int] = {}
    alive: list[Tensor] = []  # so that no two of them have the same place in memory

    def keep(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in weights:
            sizes[storage.data_ptr()] = storage.nbytes()
            alive.append(tensor)
        return tensor

    objective = Objective(architecture, network, loss, bfloat16=False)
    images = torch.zeros(TRIED, *shape)
    present = torch.zeros(TRIED, network.config.classes)
    present[:, 0] = 1
    state = torch.random.get_rng_state()
    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        objective(images, present)
    torch.random.set_rng_state(state)
    return sum(sizes.values())


def free_bytes(device: torch.device) -> int | None:
    """Return the memory that this process can still have; None if nobody can tell."""
    if device.type == "cuda":
        return torch.cuda.mem_get_info(device)[0]
    available = figure_in(Path("/proc/meminfo"), "MemAvailable")
    limits = [available, _left_of_group(), _left_of_limit()]
    return min((limit for limit in limits if limit is not None), default=None)


def _left_of_limit() -> int | None:
    """Return what `ulimit -v` leaves to this process."""
    if resource is None:
        return None
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    used = figure_in(Path("/proc/self/status"), "VmSize")
    if most == resource.RLIM_INFINITY or used is None:
        return None
    return max(0, most - used)


def _left_of_group() -> int | None:
    """Return what the container that this process is in leaves to it."""
    group = Path("/sys/fs/cgroup")
    with contextlib.suppress(OSError, ValueError):
        most = int((group / "memory.max").read_text())
        used = int((group / "memory.current").read_text())
        cached = figure_in(group / "memory.stat", "inactive_file") or 0
        return max(0, most - used + cached)
    return None


def figure_in(file: Path, name: str) -> int | None:
    """Return the bytes that a file of the system says under a name, if it does."""
    with contextlib.suppress(OSError, ValueError):
        match = re.search(
            rf"^{name}:?[ \t]+(\d+)( kB)?$", file.read_text(), re.MULTILINE
        )
        if match is not None:
            return int(match[1]) * (1024 if match[2] else 1)
    return None


def fit_batch(
    training: TrainingConfig,
    needed: Needed,
    free: int | None,
    say: Callable[[str], object],
) -> TrainingConfig:
    """Return the recipe with a batch that memory has room for, and say so.

    Args:
        training: the recipe.
        needed: by its steps.
        free: bytes; None if nobody can tell.
        say: told where the batch is smaller than asked.

    Raises:
        ValueError: there is no room even for one image at a time.
    """
    if free is None:
        return training
    room = SPARE * free
    batch = training.batch_size
    while batch > 1 and needed.of(batch) > room:
        batch //= 2
    if needed.of(batch) > room:
        raise ValueError(
            f"a step with one image needs about {_words(needed.of(1))} of memory, and "
            f"{_words(free)} are free: choose a smaller network or smaller images"
        )
    if batch < training.batch_size:
        say(
            f"a step with {training.batch_size} images needs about "
            f"{_words(needed.of(training.batch_size))} of memory, and {_words(free)} "
            f"are free: steps have {batch} images"
        )
    return replace(training, batch_size=batch)


def _words(size: int) -> str:
    return f"{size / GIGABYTE:.1f} GB"
