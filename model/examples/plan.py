"""Which runs there are to do, and in which order. Does not import torch."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

NUMBERS = (100, 300, 1_000, 3_000, 10_000, 60_000)
SEEDS = (0, 1, 2)
PRESENTED = 60_032  # images: all of MNIST in whole batches of 64
IMAGES, TIME = BUDGETS = ("images", "time")
PACE = "capsnet"  # its run of equal images lasts as long as each run of equal time
SAME_WITHIN = 0.1  # of the images: then one run serves both budgets


@dataclass(frozen=True, slots=True)
class Grid:
    """The runs that are wanted.

    Attributes:
        architectures: by name.
        numbers: of examples to learn from.
        seeds: each draws the examples, the first weights, order and shifts.
        presented: images that a run of equal images is shown, repetitions included.
    """

    architectures: Sequence[str]
    numbers: Sequence[int] = NUMBERS
    seeds: Sequence[int] = SEEDS
    presented: int = PRESENTED


@dataclass(frozen=True, slots=True)
class Planned:
    """One run.

    Attributes:
        architecture: by name.
        examples: how many it learns from.
        seed: of the run.
        presented: images that it is shown, repetitions included.
        budgets: that it serves: `images`, `time` or both.
    """

    architecture: str
    examples: int
    seed: int
    presented: int
    budgets: tuple[str, ...]

    @property
    def key(self) -> tuple[object, ...]:
        """What tells it from all others."""
        return self.architecture, self.examples, self.seed, self.budgets


def planned(
    grid: Grid, speeds: Mapping[str, float], batch_sizes: Mapping[str, int]
) -> Iterator[Planned]:
    """Yield every run, those of the first seed first.

    Of each seed, runs of equal images come before runs of equal time.

    Args:
        grid: the runs that are wanted.
        speeds: images a second of each architecture, and of `PACE`.
        batch_sizes: images in a step of each architecture.
    """
    for seed in grid.seeds:
        for budget in BUDGETS:
            for number in grid.numbers:
                for name in grid.architectures:
                    of_images, of_time = (
                        whole_batches(images, batch_sizes[name])
                        for images in (
                            grid.presented,
                            grid.presented * speeds[name] / speeds[PACE],
                        )
                    )
                    is_shared = abs(of_time - of_images) <= SAME_WITHIN * of_images
                    if is_shared and budget == TIME:
                        continue
                    yield Planned(
                        architecture=name,
                        examples=number,
                        seed=seed,
                        presented=of_time if budget == TIME else of_images,
                        budgets=BUDGETS if is_shared else (budget,),
                    )


def whole_batches(images: float, batch_size: int) -> int:
    """Return the images of as many whole batches as come closest.

    They are two or more, since a run's first step is not timed.
    """
    return max(2, round(images / batch_size)) * batch_size
