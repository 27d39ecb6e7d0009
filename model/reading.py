"""A network as notebooks and the command line use it: one picture in, its trace out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from safetensors.numpy import save

from capsnet_explorer.model.answer import Said, list_words, said_by, write_score
from capsnet_explorer.model.architecture import Scores
from capsnet_explorer.model.doubts import doubts_about
from capsnet_explorer.model.inputs import Picture, bytes_of, image_of
from capsnet_explorer.model.layers.maps import pictured
from capsnet_explorer.model.weights import SUFFIX, Trained, card_path, load_weights
from capsnet_explorer.pictures.reading import (
    Overrides,
    fitted,
    read_digit,
    read_photograph,
)
from capsnet_explorer.storage.writing import replace_file

COLOURS = 3  # channels of a colour picture
MOST_CLASSES = 30  # whose scores are printed; of more, the highest

Array = NDArray[np.float32]


class UnknownTensor(KeyError, ValueError):
    """A name that none of the network's tensors has."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        known = list(known)
        near = get_close_matches(name, known) or known
        super().__init__(
            f"{name} is not a tensor of this network; it has {', '.join(near)}"
        )

    def __str__(self) -> str:
        return self.args[0]


class Model:
    """A trained network, ready to trace pictures.

    Args:
        file: of its weights, with the card beside it.

    Attributes:
        name: of the file, without its suffix.
        card: what is known of the network: its training, and what was measured.
        named: how to read each tensor of a trace.
    """

    def __init__(self, file: Path) -> None:
        self._use(file.stem, load_weights(file))

    def _use(self, name: str, trained: Trained) -> None:
        self.name = name
        self.card = trained.card
        self._trained = trained
        self._config = trained.network.config
        self._serving = trained.architecture.serving(trained.network)
        self.named = trained.tensors

    @property
    def tensors(self) -> dict[str, str]:
        """What each tensor of a reading is, by its name."""
        return {name: tensor.title for name, tensor in self.named.items()}

    @property
    def class_names(self) -> tuple[str, ...]:
        """What each class is called."""
        return self._trained.class_names

    @property
    def score_name(self) -> Scores:
        """What the score of a class is: a length, a probability or an activation."""
        return self._trained.architecture.scores

    @torch.inference_mode()
    def trace(
        self,
        picture: Picture,
        *,
        iterations: int | None = None,
        silence: Iterable[int] | None = None,
        routing: str | None = None,
        pin: Sequence[Mapping[str, Any]] | None = None,
    ) -> "Reading":
        """Run one forward pass and keep every tensor of it.

        Args:
            picture: a picture file, its path, its bytes or open, or an image of
                Pillow's, which is converted like an upload on the page; or the
                network's input itself, (rows, columns) or (channels, rows, columns): 0
                is ground and 1 is ink, of uint8 255.
            iterations: of routing; None takes those of training.
            silence: numbers of capsules below the classes that must not vote; of a CNN,
                maps of its last convolution that are 0.
            routing: `uniform` keeps the initial couplings; None or `agreement` routes.
            pin: couplings held fixed, each with `capsule`, `digit` and `coupling`.

        Raises:
            OSError: the file cannot be read.
            Refusal: it is not a picture, or not one of a digit.
            ValueError: the image has another size or range, or the network does not
                accept an option.
            TypeError: it is nothing of these.
        """
        image, doubts = self._input(picture)
        options = {
            name: value
            for name, value in (
                ("iterations", iterations),
                ("silence", silence),
                ("routing", routing),
                ("pin", pin),
            )
            if value is not None
        }
        choices = self._trained.architecture.options(self._config, options)
        trace = self._serving.run(torch.from_numpy(image)[None], [choices])
        said = said_by(
            trace.scores[0].numpy(), self.score_name, self._trained.rule, self.card
        )
        network_doubts = doubts_about(
            torch.from_numpy(image)[None],
            trace.scores,
            trace.reconstruction if self._trained.can.reconstruct else None,
            score_name=self.score_name,
            said=said,
            outliers=None if options else self.card.get("outliers"),
        )
        return Reading(
            model=self,
            image=pictured(torch.from_numpy(image)).numpy(),
            prediction=int(trace.scores.argmax()),
            present=self._trained.rule.named(trace.scores)[0],
            said=said,
            doubts=(*doubts, *network_doubts),
            options=choices.in_response,
            trace=trace,
        )

    def decode(self, digit: int, poses: ArrayLike) -> Array:
        """Decode the pose of one class into an image, or several poses into several.

        Args:
            digit: the class; the poses of all others are zero, as in training.
            poses: (numbers,), or (count, numbers).

        Returns:
            (rows, columns) in [0, 1], with an axis of channels before the rows for
            a network that reads several; for several poses, (count, ...).

        Raises:
            ValueError: the network has no decoder or no such class, or the poses have
                another size.
        """
        architecture = self._trained.architecture
        if not self._trained.can.reconstruct:
            why = " that was trained" if architecture.can.reconstruct else ""
            raise ValueError(f"{self.name} has no decoder{why}: {architecture.title}")
        if digit not in range(self._config.classes):
            last = self._config.classes - 1
            raise ValueError(f"digit must be a class 0..{last}, got {digit}")
        array = np.array(poses, dtype=np.float32)
        numbers = architecture.details(self._config)["pose_dim"]
        if array.ndim not in (1, 2) or array.shape[-1] != numbers or not len(array):
            raise ValueError(
                f"poses must be ({numbers},) or (count, {numbers}), got {array.shape}"
            )
        with torch.no_grad():
            several = torch.from_numpy(np.atleast_2d(array))
            images = pictured(self._serving.reconstruct(digit, several)).numpy()
        return images[0] if array.ndim == 1 else images

    def _input(self, picture: Picture) -> tuple[Array, Sequence[str]]:
        """Return a picture as the network reads it, and what makes it doubtful."""
        shape = self._config.image_shape
        data = bytes_of(picture)
        picture = picture if data is None else data
        if isinstance(picture, bytes) and shape[0] == COLOURS:
            photograph = read_photograph(picture, shape[1:])
            return photograph.image, [doubt.message for doubt in photograph.doubts]
        if isinstance(picture, bytes):
            names_several = self._trained.rule.at_most > 1
            intake = read_digit(picture, Overrides(at_most=2 if names_several else 1))
            words = [doubt.message for doubt in intake.doubts]
            return fitted(intake.image, shape, is_scaled=not names_several), words
        return image_of(picture, shape), ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Reading:
    """What a network makes of one picture: `reading["scores"]` is one of its tensors.

    Printed, it tells the class, the score of each class, and every doubt.

    Attributes:
        model: the network.
        image: its input, (rows, columns), or (channels, rows, columns) if it reads
            several; 1 is ink.
        prediction: the class with the highest score.
        present: the classes that the network's rule names, best first.
        said: what it says, as the page has it: that it reads one class or several, sees
            none of its classes, or is undecided.
        doubts: sentences on why the reading may be wrong; none for most digits.
        options: those of routing, such as `iterations`.
        trace: of a batch of one image.
    """

    model: Model
    image: Array
    prediction: int
    present: tuple[int, ...]
    said: Said
    doubts: tuple[str, ...]
    options: Mapping[str, object]
    trace: Any

    @property
    def name(self) -> str:
        """What the class with the highest score is called."""
        return self.model.class_names[self.prediction]

    @property
    def scores(self) -> Array:
        """The score of each class."""
        return self["scores"]

    def __getitem__(self, name: str) -> Array:
        """Return a tensor by its name; `model.tensors` lists them.

        Raises:
            UnknownTensor: the network has none of that name.
        """
        named = self.model.named
        if name not in named:
            raise UnknownTensor(name, named)
        with torch.inference_mode():
            # A copy: whoever changes it does not change the reading.
            return named[name].read(self.trace, 0).numpy().copy(order="C")

    def save(self, path: str | Path, names: Iterable[str] | None = None) -> list[str]:
        """Write tensors into a safetensors file, in single precision.

        Args:
            path: of the file.
            names: of the tensors; None takes all but the largest and the rarely used.

        Returns:
            Their names.

        Raises:
            UnknownTensor: the network has none of some name.
            ValueError: the path has another suffix, or is that of a weight file.
            OSError: the file cannot be written.
        """
        path = Path(path)
        if path.suffix != SUFFIX:
            raise ValueError(f"a file of tensors must end in {SUFFIX}, got {path}")
        if card_path(path).exists():
            raise ValueError(f"{path} is a weight file: tensors must go into another")
        if names is None:
            named = self.model.named.items()
            names = [name for name, tensor in named if not tensor.is_optional]
        tensors = {name: self[name] for name in names}
        metadata = {
            "model": self.model.name,
            "version": str(self.model.card["sha256"])[:16],
            **{name: str(value) for name, value in self.options.items()},
            "prediction": str(self.prediction),
            "name": self.name,
            "present": str(list(self.present)),
        }
        replace_file(path, save(tensors, metadata), makes_folder=True)
        return list(tensors)

    def _grounds(self) -> str:
        """Return the scores that the answer rests on, in words."""
        what, (best, *_) = self.model.score_name, self.said.order
        if self.said.state == "none":
            return (
                f"the highest {what} is {write_score(self.scores[best])}, of "
                + (self.model.class_names[best])
            )
        named = list_words(
            [write_score(self.scores[label]) for label in self.said.named]
        )
        return f"{what} {named}"

    def __repr__(self) -> str:
        names, scores = self.model.class_names, self.scores
        others = np.delete(np.arange(len(names)), [*self.present, self.prediction])
        second = "".join(
            f"; runner-up {names[label]} at {write_score(float(scores[label]))}"
            for label in others[scores[others].argsort()[-1:]]
        )
        width = max(map(len, names))
        labels = range(len(names))
        if len(names) > MOST_CLASSES:
            labels = (-scores).argsort(kind="stable")[:MOST_CLASSES].tolist()
        more = len(names) - len(labels)
        return "\n".join(
            [
                f"{self.model.name} {self.said.reads(names)}: "
                f"{self._grounds()}{second if self.said.named else ''}",
                *(
                    f"  {names[label]:>{width}}  {write_score(scores[label])}"
                    for label in labels
                ),
                *([f"  and {more} others"] if more else []),
                *(f"doubt: {doubt}" for doubt in self.doubts or ["none"]),
            ]
        )
