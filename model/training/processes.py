"""The processes that train one network together: a single one, or torchrun's.

An ordinary run uses `Alone` and needs no further library. Under `torchrun` each process
takes its share of every batch, and Accelerate averages the gradients.
"""

import os
from abc import ABC, abstractmethod

import torch
from torch import Tensor, distributed, nn


class TeamError(ValueError):
    """Several processes that cannot work together; the message says why."""


class Team(ABC):
    """The processes of a training run, seen from one of them.

    Args:
        rank: number of this process, from 0. Only process 0 writes files.
        count: number of processes.
        device: where this process computes.
    """

    def __init__(self, rank: int, count: int, device: torch.device) -> None:
        self.rank = rank
        self.count = count
        self.device = device

    @abstractmethod
    def distribute(self, objective: nn.Module) -> nn.Module:
        """Return the module with gradients averaged over the processes."""

    @abstractmethod
    def total(self, figures: Tensor) -> Tensor:
        """Return the sum over the processes; every process must call this."""

    @abstractmethod
    def leave(self) -> None:
        """Disconnect from the other processes at the end of the run."""


class Alone(Team):
    """A team of one."""

    def __init__(self, device: torch.device) -> None:
        super().__init__(0, 1, device)

    def distribute(self, objective: nn.Module) -> nn.Module:
        """Return the module unchanged."""
        return objective

    def total(self, figures: Tensor) -> Tensor:
        """Return the figures unchanged."""
        return figures

    def leave(self) -> None:
        """Do nothing."""


class Processes(Team):
    """The processes that torchrun started, on one machine or on several.

    Args:
        device: the kind of device; each process takes one of its own.

    Raises:
        TeamError: Accelerate is not installed.
    """

    def __init__(self, device: torch.device) -> None:
        try:
            from accelerate import Accelerator
            from accelerate.utils import DistributedDataParallelKwargs
        except ImportError as error:
            raise TeamError(
                "several processes need Accelerate: "
                "pip install -r requirements-train.txt"
            ) from error
        # The network's buffers are constant, so they need not be sent in each step.
        constants = DistributedDataParallelKwargs(broadcast_buffers=False)
        self._accelerator = Accelerator(
            cpu=device.type == "cpu", kwargs_handlers=[constants]
        )
        super().__init__(
            self._accelerator.process_index,
            self._accelerator.num_processes,
            self._accelerator.device,
        )

    def distribute(self, objective: nn.Module) -> nn.Module:
        """Return the module with gradients averaged over the processes."""
        return self._accelerator.prepare_model(objective)

    def total(self, figures: Tensor) -> Tensor:
        """Return the sum over the processes."""
        total = figures.clone()
        distributed.all_reduce(total)
        return total

    def leave(self) -> None:
        """Close the connections."""
        self._accelerator.end_training()


def current_team(device: torch.device) -> Team:
    """Return the team that this process belongs to."""
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        return Processes(device)
    return Alone(device)
