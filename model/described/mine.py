"""A described network in a notebook: its report, its traces, its page."""

import contextlib
import hashlib
import io
import re
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor, nn

from capsnet_explorer.model.described.describing import Checked, checked_description
from capsnet_explorer.model.described.discovery.discovering import discover
from capsnet_explorer.model.described.layers import Layer
from capsnet_explorer.model.described.network import Described
from capsnet_explorer.model.described.page.architecture import DescribedArchitecture
from capsnet_explorer.model.described.report.report import Report, report_of, yours
from capsnet_explorer.model.described.running.progress import Progress
from capsnet_explorer.model.reading import Model, Picture
from capsnet_explorer.model.weights import Trained

HASHED = 1 << 20  # numbers of a tensor that its version is made of


class Mine(Model):
    """A network that its owner has described, and that reproduces the module.

    Attributes:
        report: what was found about it.
        images: that it was checked on, as they were given.
        labels: of the images that it was checked on, (images,); None if unknown.
        answers: the class of the highest score for each of these: (images,).
        description: as Python, where it was found; "" where its owner gave it.
    """

    report: Report
    labels: Tensor | None = None
    description: str = ""

    def __init__(self, name: str, title: str, checked: Checked) -> None:
        self.report = report_of(checked, title)
        example = checked.images[:1]
        architecture = DescribedArchitecture(name, title, checked.network, example)
        card = {
            "title": title,
            # Without a name of its own, the page would take its classes for digits.
            "dataset": _own_images(name),
            "sha256": _digest(checked.network),
            "config": {"image_shape": list(checked.network.config.image_shape)},
            "described": self.report.as_json(),
        }
        self._use(name, Trained(architecture, checked.network, card))
        self.images = checked.images
        answers = checked.answers
        lengths = (
            torch.linalg.vector_norm(answers, dim=-1) if answers.ndim == 3 else answers
        )
        self.answers = lengths.argmax(dim=1)
        low, high = checked.images.aminmax()
        self._is_scaled = bool(low >= 0 and high <= 1)

    @classmethod
    def of(
        cls,
        module: nn.Module,
        layers: Sequence[Layer] | None = None,
        images: Any = None,
        *,
        scores: Any = None,
        call: Any = None,
        classes: int | None = None,
        class_names: Sequence[str] | None = None,
        normalize: Any = None,
        name: str = "mine",
        title: str | None = None,
        dataset: str | None = None,
        labels: Any = None,
        tolerance: float = 1e-4,
    ) -> Self:
        """Describe a module of one's own, and have the description checked.

        Every described layer is recomputed from the one below, and compared with what
        the module itself computes for these images. What the description does not say
        is found: how capsules are cut, over which axis the softmax runs, how many
        iterations there are, what lies between two layers.

        Args:
            module: any module that computes classes of images. It is run in evaluation
                mode, and given back as it was.
            layers: from the image up, such as `Convolution("conv1", net.conv1)`; None
                finds them, and prints the description that was found.
            images: a few real inputs, (n, channels, rows, columns), as the module reads
                them; with `normalize`, in [0, 1].
            scores: picks the lengths, or the capsules of the classes, from what the
                module returns; None takes the first tensor of that shape.
            call: runs the module, as `call(module, images)`; None calls
                `module(images)`.
            classes: how many there are; None counts them.
            class_names: what each class is called; None numbers them.
            normalize: (mean, standard deviation), each a number or one for each
                channel, which the module's images are normalised with before it reads
                them.
            name: names the network in addresses.
            title: for people; None takes the module's class.
            dataset: what it has learned to read, such as `mnist`, whose test images and
                labels the page then has for it; None says nothing of labels.
            labels: the class of each image, from 0; the report then counts mistakes,
                and the page has the images as a test set.
            tolerance: the largest difference of scores that counts as none.

        Raises:
            Different: the description does not reproduce the module; its `layer` is the
                first that differs, by `difference`.
            ValueError: module, images or settings cannot be used.
        """
        if not isinstance(name, str) or not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name):
            raise ValueError(
                f"name must be small letters, digits and hyphens, got {name!r}"
            )
        printed = io.StringIO()
        settings = {
            "scores": scores,
            "call": call,
            "classes": classes,
            "normalize": normalize,
            "tolerance": tolerance,
        }
        try:
            with (
                contextlib.redirect_stdout(printed),
                Progress("running your module") as progress,
            ):
                settings["progress"] = progress
                if layers is None:
                    discovery = discover(module, images, **settings)
                    checked, code = discovery.checked, discovery.code
                else:
                    code = ""
                    checked = checked_description(module, layers, images, **settings)
                progress.doing = "measuring what the paper’s way would change"
                title = title or type(checked.network.module).__name__
                mine = cls(name, title, checked)
        except ValueError as error:
            # Where this package found out is of no use to its user.
            raise error.with_traceback(None) from error.__cause__
        if code:
            mine.description = code
            print(code)
        mine._name_classes(class_names)
        mine._count_mistakes(labels)
        mine._say_what_was_printed(printed.getvalue())
        mine.card["described"] = mine.report.as_json()
        if dataset is not None:
            mine.card["dataset"] = dataset
        if (networks := _COLLECTING.get()) is not None:
            networks.append(mine)
        return mine

    def _name_classes(self, class_names: Sequence[str] | None) -> None:
        if class_names is None:
            return
        names = [str(name) for name in class_names]
        count = self.trained.network.config.classes
        if len(names) != count:
            raise ValueError(f"class_names must be {count} names, got {len(names)}")
        self.card["class_names"] = names

    def _count_mistakes(self, labels: Any) -> None:
        classes = self.trained.network.config.classes
        self.labels = _labels(labels, len(self.images), classes)
        if self.labels is not None:
            count = int((self.answers != self.labels).sum())
            text = f"It misreads {count} of {yours(len(self.images))}."
            self.report = self.report.with_sentence(text)

    def _say_what_was_printed(self, printed: str) -> None:
        if lines := len(printed.strip().splitlines()):
            self.report = self.report.with_sentence(
                f"Your module prints while it answers; its {lines} "
                f"line{'s' if lines > 1 else ''} were kept back here."
            )

    @property
    def trained(self) -> Trained:
        """The network behind the interface that all networks share."""
        return self._trained

    def rename(self, name: str) -> None:
        """Give the network another name, and its images with it."""
        if self.card["dataset"] == _own_images(self.name):
            self.card["dataset"] = _own_images(name)
        self.name = name

    @property
    def pictures(self) -> np.ndarray | None:
        """The same as bytes, (n, channels, rows, columns).

        None where they have numbers outside 0 to 1: such are no pictures.
        """
        if not self._is_scaled:
            return None
        return (255 * self.images).round().to("cpu", torch.uint8).numpy()

    def _input(self, picture: Picture) -> tuple[Any, Sequence[str]]:
        """Return an image as its owner gives them; pictures as any network's."""
        if isinstance(picture, Tensor):
            picture = picture.detach().cpu().numpy()
        if isinstance(picture, np.ndarray) and picture.dtype != np.uint8:
            shape = self._config.image_shape
            image = picture[0] if picture.ndim == 4 and len(picture) == 1 else picture
            image = image[None] if image.ndim == 2 else image
            if image.shape != shape:
                needed = shape[1:] if shape[0] == 1 else shape
                raise ValueError(f"the image must be {needed}, got {picture.shape}")
            if not np.isfinite(image).all():
                raise ValueError("the image must have finite numbers, got others")
            return np.ascontiguousarray(image, dtype=np.float32), ()
        return super()._input(picture)

    def __repr__(self) -> str:
        return str(self.report)

    def _repr_html_(self) -> str:
        return self.report._repr_html_()


def _labels(labels: Any, images: int, classes: int) -> Tensor | None:
    """Return labels as (images,) int64."""
    if labels is None:
        return None
    numbers = torch.as_tensor(labels).cpu()
    is_whole = not numbers.is_floating_point() and not numbers.is_complex()
    if not is_whole or tuple(numbers.shape) != (images,):
        raise ValueError(
            f"labels must be {images} whole numbers, one for each image, got "
            f"{numbers.dtype} of shape {tuple(numbers.shape)}"
        )
    if numbers.min() < 0 or numbers.max() >= classes:
        raise ValueError(
            f"labels must be from 0 to {classes - 1}, got {int(numbers.min())} to "
            f"{int(numbers.max())}"
        )
    return numbers.long()


_COLLECTING: ContextVar[list[Mine] | None] = ContextVar("collecting", default=None)


def is_collecting() -> bool:
    """Tell whether the server is opening a file, which then starts none of its own."""
    return _COLLECTING.get() is not None


@contextlib.contextmanager
def collected() -> Iterator[list[Mine]]:
    """Collect all networks that are described meanwhile."""
    networks: list[Mine] = []
    token = _COLLECTING.set(networks)
    try:
        yield networks
    finally:
        _COLLECTING.reset(token)


def _own_images(name: str) -> str:
    """Return what the images of a network are called, as data sets are on cards."""
    return f"described-{name}"


def _digest(network: Described) -> str:
    """Return what changes whenever the weights do."""
    digest = hashlib.sha256()
    for name, tensor in network.module.state_dict().items():
        digest.update(f"{name} {tuple(tensor.shape)}".encode())
        if isinstance(tensor, Tensor):
            some = tensor.detach().flatten()[:HASHED].to("cpu", torch.float32)
            digest.update(some.numpy().tobytes())
            digest.update(str(tensor.detach().float().sum().item()).encode())
    return digest.hexdigest()
