"""The file of results: how it was made, and what each run misreads."""

import base64
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.model.examples.plan import BUDGETS, PACE
from capsnet_explorer.model.files import replace_file

RESAMPLES = 2000  # of the bootstrap
INTERVAL = (0.025, 0.975)

Misread = NDArray[np.bool_]


def read_results(path: Path) -> dict[str, Any]:
    """Return what the file says.

    Raises:
        OSError: there is none.
        ValueError: it is not such a file.
    """
    try:
        found = json.loads(path.read_bytes())
        if not isinstance(found["runs"], list):
            raise TypeError
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{path} must be written by `python -m model examples`, and is not"
        ) from error
    return found


def write_results(path: Path, found: Mapping[str, Any]) -> None:
    """Write the file, with a line for each run."""
    head = json.dumps({**found, "runs": []}, indent=2, ensure_ascii=False)
    runs = ",\n".join(f"    {json.dumps(run)}" for run in found["runs"])
    text = head.removesuffix("[]\n}") + f"[\n{runs}\n  ]\n}}\n"
    replace_file(path, text.encode())


def packed(is_misread: Misread) -> str:
    """Write which test images are misread: a bit each, compressed, in base 64."""
    return base64.b64encode(
        zlib.compress(np.packbits(is_misread).tobytes(), 9)
    ).decode()


def unpacked(text: str, images: int) -> Misread:
    """Read what `packed` wrote: (images,)."""
    octets = np.frombuffer(zlib.decompress(base64.b64decode(text)), np.uint8)
    return np.unpackbits(octets, count=images).astype(bool)


@dataclass(frozen=True, slots=True)
class Point:
    """One architecture, one number of examples, one budget.

    Attributes:
        architecture: by name.
        examples: how many it learned from.
        budget: `images` or `time`.
        runs: as the file has them, one for each seed, in the seeds' order.
        images: how many it was tested on.
    """

    architecture: str
    examples: int
    budget: str
    runs: Sequence[Mapping[str, Any]]
    images: int

    @property
    def errors(self) -> list[float]:
        """Share of the test images that each run misreads."""
        return [run["wrong"] / self.images for run in self.runs]

    @property
    def error(self) -> float:
        """Their mean."""
        return sum(self.errors) / len(self.runs)

    @property
    def seconds(self) -> float:
        """Mean time of training."""
        return sum(run["seconds"] for run in self.runs) / len(self.runs)

    @property
    def presented(self) -> int:
        """How many images each run was shown, repetitions included."""
        return self.runs[0]["presented"]

    def misread(self, seed: int) -> Misread:
        """Return which test images the run of a seed misreads."""
        (run,) = (run for run in self.runs if run["seed"] == seed)
        return unpacked(run["misread"], self.images)


def points(found: Mapping[str, Any]) -> Iterator[Point]:
    """Yield all that was measured: by budget, architecture and number of examples."""
    runs = sorted(found["runs"], key=lambda run: run["seed"])
    for budget in BUDGETS:
        for name in found["speeds"]:
            own = [
                run
                for run in runs
                if run["architecture"] == name and budget in run["budgets"]
            ]
            for number in sorted({run["examples"] for run in own}):
                same = [run for run in own if run["examples"] == number]
                yield Point(name, number, budget, same, found["test_images"])


def difference(first: Point, second: Point) -> tuple[float, float, float]:
    """Return how many more the first misreads, as a share, with its 95 % interval.

    A bootstrap draws seeds and test images again, both paired: a seed means the same
    examples for both, and both read the same test images.

    Args:
        first: of at least one seed in common with `second`.
        second: tested on the same images.

    Returns:
        The difference, and the ends of its interval.
    """
    seeds = sorted(_seeds(first) & _seeds(second))
    differences = np.stack(
        [
            first.misread(seed).astype(np.int8) - second.misread(seed).astype(np.int8)
            for seed in seeds
        ]
    )
    images = differences.shape[1]
    # Test images are drawn by kind: those on which the runs differ in the same way.
    kinds, counts = np.unique(differences, axis=1, return_counts=True)
    generator = np.random.default_rng(0)
    drawn = generator.multinomial(images, counts / images, size=RESAMPLES)
    by_seed = drawn @ kinds.T / images
    places = generator.integers(len(seeds), size=by_seed.shape)
    shares = np.take_along_axis(by_seed, places, axis=1).mean(axis=1)
    low, high = np.quantile(shares, INTERVAL)
    return float(differences.mean()), float(low), float(high)


def report_examples(found: Mapping[str, Any]) -> str:
    """Return the errors for people, and how they differ from those of `PACE`."""
    lines = []
    every = list(points(found))
    pace = {
        (each.budget, each.examples): each
        for each in every
        if each.architecture == PACE
    }
    for each in every:
        errors = each.errors
        words = (
            f"equal {each.budget}, {each.architecture}, {each.examples} examples, "
            f"{each.presented} images in {each.seconds:.0f} s: {each.error:.2%} "
            f"({min(errors):.2%} to {max(errors):.2%})"
        )
        other = pace.get((each.budget, each.examples))
        if other is not None and other is not each and _seeds(each) & _seeds(other):
            more, low, high = (100 * share for share in difference(each, other))
            words += f"; minus {PACE} {more:+.2f} ({low:+.2f} to {high:+.2f}) points"
        lines.append(words)
    return "\n".join(lines)


def _seeds(point: Point) -> set[int]:
    return {run["seed"] for run in point.runs}
