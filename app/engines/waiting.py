"""Networks that are on their way: what was kept of an earlier start answers meanwhile.

To import torch and to check every network takes most of a start. The page, its samples
and the list of models need neither. Questions wait, but for the one that the page began
with last time, whose answer was kept, too.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
from flask import current_app
from safetensors.numpy import load, save

from capsnet_explorer.app.engines.facts import ModelInfo
from capsnet_explorer.app.engines.protocol import (
    Array,
    Engine,
    Options,
    Question,
    Trace,
)
from capsnet_explorer.app.errors import DamagedFile
from capsnet_explorer.datasets.digits import load_samples
from capsnet_explorer.storage.writing import replace_file

ARRIVAL = "capsnet-arrival"  # among an app's extensions: a future of the networks
FILE = "start.safetensors"
IMAGE = "image"
SUM = 32  # bytes of a SHA-256
MOST_ASKED = 8  # options, and requests for one of them, that may be the page's own
# What an engine is asked that only a network can answer.
ASKED = frozenset(
    {"attack", "exported", "gradient", "reconstruct", "trace_many", "weights"}
)


@dataclass(frozen=True, slots=True)
class KeptOptions:
    """Options as requests gave them, which a network has yet to check.

    Attributes:
        asked: what requests asked, as JSON: each came to these options.
        said: what an answer repeats of them, as JSON.
    """

    asked: tuple[str, ...]
    said: str

    @property
    def choices(self) -> Mapping[str, Any]:
        """What one of the requests asked."""
        return json.loads(self.asked[0])

    @property
    def in_response(self) -> Mapping[str, object]:
        """What an answer repeats of them."""
        return json.loads(self.said)


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A question that the page began with, and the answer.

    Attributes:
        id: of the model.
        question: its options are `KeptOptions`.
        trace: the answer.
    """

    id: str
    question: Question
    trace: Trace

    def answers(self, question: Question) -> bool:
        """Tell whether a question is this one, or a part of it."""
        return (
            question.key == self.question.key
            and question.half == self.question.half
            and {*question.names} <= self.trace.tensors.keys()
        )

    def is_right(self, trace: Trace) -> bool:
        """Tell whether another answer is the same, byte for byte."""
        told = [
            (each.prediction, each.present, each.doubts) for each in (self.trace, trace)
        ]
        return told[0] == told[1] and all(
            array.dtype == trace.tensors[name].dtype
            and array.tobytes() == trace.tensors[name].tobytes()
            for name, array in self.trace.tensors.items()
        )


@dataclass(slots=True)
class Start:
    """What is kept for the next start, in one file.

    Attributes:
        folder: where the file is.
        key: changes with whatever decides about networks.
        infos: of the networks, the default one first.
        reading: what the page began with; None if it has not begun yet.
    """

    folder: Path
    key: str
    infos: Sequence[ModelInfo]
    reading: Reading | None = None

    def keep(self) -> None:
        """Write the file; where that cannot be, the next start takes longer."""
        told: dict[str, Any] = {
            "key": self.key,
            "models": [each.model_dump(mode="json") for each in self.infos],
        }
        tensors: dict[str, np.ndarray] = {}
        if self.reading is not None:
            question, trace = self.reading.question, self.reading.trace
            options = cast(KeptOptions, question.options)
            told["reading"] = {
                "id": self.reading.id,
                "options": [options.asked, options.said],
                "half": question.half,
                "prediction": trace.prediction,
                "present": trace.present,
                "doubts": trace.doubts,
            }
            tensors = {f".{name}": each for name, each in trace.tensors.items()}
            tensors[IMAGE] = question.image
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            body = save(
                {name: np.ascontiguousarray(each) for name, each in tensors.items()},
                metadata={"start": json.dumps(told)},
            )
            replace_file(self.folder / FILE, hashlib.sha256(body).digest() + body)

    def forget(self) -> None:
        """Remove the file, so that the next start looks at everything anew."""
        with suppress(OSError):
            (self.folder / FILE).unlink()


def is_starting() -> bool:
    """Tell whether networks of the current app are still on their way."""
    arrival = current_app.extensions.get(ARRIVAL)
    return arrival is not None and not arrival.done()


def kept_start(folder: Path, key: str) -> Start | None:
    """Return what was kept under the same key; None where nothing was, or not whole."""
    with suppress(Exception):  # whatever a file of another version leads to
        content = (folder / FILE).read_bytes()
        body = content[SUM:]
        if hashlib.sha256(body).digest() != content[:SUM]:
            return None
        header = json.loads(body[8 : 8 + int.from_bytes(body[:8], "little")])
        told = json.loads(header["__metadata__"]["start"])
        if told["key"] == key and told["models"]:
            infos = [ModelInfo.model_validate(each) for each in told["models"]]
            return Start(folder, key, infos, _reading(told.get("reading"), load(body)))
    return None


def _reading(told: Mapping[str, Any] | None, tensors: dict[str, Any]) -> Reading | None:
    if told is None:
        return None
    image = tensors.pop(IMAGE)
    trace = Trace(
        told["prediction"],
        {name.removeprefix("."): each for name, each in tensors.items()},
        tuple(told["present"]),
        tuple(told["doubts"]),
    )
    asked, said = told["options"]
    options = KeptOptions((*asked,), said)
    question = Question(image, options, (*trace.tensors,), half=told["half"])
    return Reading(told["id"], question, trace)


def key_of(weights: Path, version: str) -> str:
    """Return what changes with any file of weights, and of code that reads them."""
    engines = Path(__file__).parent
    folders = [weights, engines, engines.parents[1] / "model"]
    files = [weights] if weights.is_file() else []
    for folder in folders:
        files += sorted(path for path in folder.rglob("*") if path.suffix != ".pyc")
    stats = [(path.stat(), path) for path in files if path.is_file()]
    seen = [(str(path), stat.st_size, stat.st_mtime_ns) for stat, path in stats]
    return hashlib.sha256(repr((version, str(weights), seen)).encode()).hexdigest()


class WaitingEngine:
    """A network that may not be there yet: all but its facts waits for it."""

    def __init__(self, info: ModelInfo, networks: "WaitingEngines") -> None:
        self._info = info
        self._networks = networks
        self._asked: dict[Options, KeptOptions] = {}

    @property
    def info(self) -> ModelInfo:
        """What the model says of itself: as kept, until it is there."""
        engine = self._networks.here.get(self._info.id)
        return self._info if engine is None else engine.info

    @property
    def _engine(self) -> Engine:
        id, networks = self._info.id, self._networks.arrival.result()
        if id not in networks:
            why = getattr(networks, "refused", {}).get(id, "its file is gone")
            raise DamagedFile(f"the model {id} cannot be used: {why}")
        return networks[id]

    def __getattr__(self, name: str) -> Any:
        """Return a method of the network, which waits for it."""
        if name not in ASKED:
            raise AttributeError(name)

        def wait(*asked: Any, **how: Any) -> Any:
            method = getattr(self._engine, name)
            return method(*map(self._in_full, asked), **how)

        return wait

    def _in_full(self, asked: Any) -> Any:
        """Return what is asked with the network's own options, and wait for it."""
        if isinstance(asked, list | tuple):
            return [self._in_full(each) for each in asked]
        options = getattr(asked, "options", None)
        if isinstance(options, KeptOptions):
            self._networks.arrival.result()  # then options are the network's own
            return replace(asked, options=self.options(options.choices))
        return asked

    def options(self, choices: Mapping[str, Any]) -> Options:
        """Check what a request asks, or take what was asked before."""
        reading = self._networks.reading_of(self._info.id)
        if not self._networks.here and reading is not None:
            kept = cast(KeptOptions, reading.question.options)
            if _written(choices) in kept.asked:
                return kept
        options = self._engine.options(choices)
        if not self._networks.is_begun:
            with suppress(TypeError):  # surgery is no JSON
                self._remember(choices, options)
        return options

    def _remember(self, choices: Mapping[str, Any], options: Options) -> None:
        """Keep what came to options: others than the page ask, too, for the same."""
        known = self._asked.pop(options, None)
        asked = {*(() if known is None else known.asked), _written(choices)}
        said = json.dumps(options.in_response)
        self._asked[options] = KeptOptions((*sorted(asked)[:MOST_ASKED],), said)
        for oldest in list(self._asked)[:-MOST_ASKED]:
            self._asked.pop(oldest, None)

    def trace(self, question: Question) -> Trace:
        """Answer as it was answered last time, or by the network."""
        if isinstance(question.options, KeptOptions):
            reading = self._networks.reading_of(self._info.id)
            if reading is not None and reading.answers(question):
                self._networks.is_begun = True
                return reading.trace
            question = self._in_full(question)
        trace = self._engine.trace(question)
        kept = self._asked.get(question.options)
        if kept is not None:
            asked = replace(question, options=kept, names=(*trace.tensors,))
            self._networks.note(Reading(self._info.id, asked, trace))
        return trace


class WaitingEngines(dict[str, Engine]):
    """Engines by id, of which the networks are on their way.

    Attributes:
        arrival: of the networks, or of what went wrong.
        is_begun: whether the page's first question was asked, and is kept.
    """

    def __init__(self, start: Start, load: Callable[[], Mapping[str, Engine]]) -> None:
        super().__init__(
            {each.id: cast(Engine, WaitingEngine(each, self)) for each in start.infos}
        )
        self.arrival: Future[Mapping[str, Engine]] = Future()
        self._start = start
        self._load = load
        self.is_begun = False

    @property
    def here(self) -> Mapping[str, Engine]:
        """The networks that have come."""
        is_there = self.arrival.done() and self.arrival.exception() is None
        return self.arrival.result() if is_there else {}

    def reading_of(self, id: str) -> Reading | None:
        """Return what was kept of the page's first question to a network."""
        reading = self._start.reading
        return reading if reading is not None and reading.id == id else None

    def note(self, reading: Reading) -> None:
        """Keep the first question about an example, for the next start."""
        if self.is_begun or reading.id != next(iter(self)):
            return
        if reading.question.half and _is_example(reading.question.image):
            self.is_begun = True
            self._start.reading = reading
            self._start.keep()

    def begin(self, failed: Callable[[], None]) -> threading.Thread:
        """Bring the networks on a thread of its own, and return that.

        Args:
            failed: is called if they cannot be had; `arrival` has the reason.
        """
        thread = threading.Thread(target=partial(self._bring, failed), daemon=True)
        thread.start()
        return thread

    def _bring(self, failed: Callable[[], None]) -> None:
        try:
            networks = self._load()
        except BaseException as error:
            self._start.forget()
            self.arrival.set_exception(error)
            failed()
            return
        self.arrival.set_result(networks)
        self._check(networks)

    def _check(self, networks: Mapping[str, Engine]) -> None:
        """Compare what was kept with the networks, and keep what is right."""
        start, infos = self._start, [each.info for each in networks.values()]
        reading = start.reading
        is_right = start.infos == infos
        if networks.keys() != self.keys():
            start.forget()
            return
        if reading is not None and reading.id in networks:
            engine, question = networks[reading.id], reading.question
            choices = cast(KeptOptions, question.options).choices
            trace = engine.trace(replace(question, options=engine.options(choices)))
            if not reading.is_right(trace):
                start.reading = replace(reading, trace=trace)
                is_right = False
        if not is_right:
            start.infos = infos
            start.keep()


def _written(choices: Mapping[str, Any]) -> str:
    return json.dumps(choices, sort_keys=True)


def _is_example(image: Array) -> bool:
    """Tell whether an image is one that comes with the explorer, and nobody's own."""
    levels = (255 * image).round()
    examples = ((255 * sample.image).round() for sample in load_samples())
    return any(np.array_equal(levels, each) for each in examples)
