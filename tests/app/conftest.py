"""A fake engine and an app around it: no torch, no weights."""

import threading
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
import pytest
from werkzeug.routing import Rule

from capsnet_explorer.app import create_app
from capsnet_explorer.app.engines.facts import (
    Abilities,
    ModelInfo,
    TensorInfo,
    WeightInfo,
)
from capsnet_explorer.app.engines.protocol import Trace
from capsnet_explorer.app.errors import InvalidRequest
from capsnet_explorer.perturbations.attack import Slope
from tests.idx import write_idx, write_stripes

ROWS, COLUMNS, CLASSES, POSE_DIM = 28, 28, 10, 16
DETAILS = {
    "primary_capsules": 1152,
    "pose_dim": POSE_DIM,
    "routing_iterations": 3,
    "max_routing_iterations": 10,
}

LABELS = [7, 2, 1, 0, 4, 1, 4, 9]  # of the small test set on disk
MISTAKES = [
    {"index": 2, "label": 1, "prediction": 2},
    {"index": 6, "label": 4, "prediction": 3},
]


def info_of(id, **changes):
    settings = {
        "id": id,
        "title": "Fake",
        "architecture": "capsnet",
        "version": f"version-of-{id}",
        "scores": "length",
        "can": Abilities(reconstruct=True, route=True, gradient=False),
        "classes": CLASSES,
        "class_names": tuple("0123456789"),
        "input_shape": (1, ROWS, COLUMNS),
        "parameters": 12345,
        "details": DETAILS,
        "tensors": (
            TensorInfo("maps", (2, 3, 4), "Maps", "f16"),
            TensorInfo("routing", (3, 5), "Routing", "f16"),
            TensorInfo("scores", (CLASSES,), "Scores", "f32"),
            TensorInfo("votes", (6, 7), "Votes", "f16", on_request=True),
        ),
        "weights": (WeightInfo("conv1.weight", (4, 9, 9)),),
        "card": {"test_error_percent": 0.5},
        "measured": (
            WeightInfo("poses.mean", (3, 2)),
            WeightInfo("types.mean", (2, 2)),
        ),
        "measured_version": "measured-1",
        "kernels": ("conv1.kernels", "conv1.bias"),
    }
    return ModelInfo(**settings | changes)


@dataclass(frozen=True)
class FakeOptions:
    """Iterations, and whatever else was asked."""

    iterations: int
    rest: str = "{}"

    @property
    def in_response(self):
        return {"iterations": self.iterations}


class FakeEngine:
    """Answers with numbers that depend on the question, and counts the questions."""

    def __init__(self, id, **changes):
        self.info = info_of(id, **changes)
        self.calls = Counter()
        self.questions = []
        self.choices = []
        self._lock = threading.Lock()

    def options(self, choices):
        for name in choices:
            if not self.info.can.route:
                raise InvalidRequest(f"{name} must be absent", field=name)
        most = self.info.details["max_routing_iterations"]
        iterations = choices.get("iterations", self.info.details["routing_iterations"])
        if iterations > most:
            message = f"iterations must be at most {most}, got {iterations}"
            raise InvalidRequest(message, field="iterations")
        self.choices.append(choices)
        return FakeOptions(iterations, repr(choices))

    def weights(self, names):
        self.calls["weights"] += 1
        kernels = np.arange(4 * 9 * 9, dtype=np.float32).reshape(9, 9, 4) / 7
        below = np.arange(3 * 4 * 2 * 2, dtype=np.float16).reshape(3, 4, 2, 2)
        known = {
            # Not contiguous, as torch's may be.
            "conv1.kernels": kernels.transpose(2, 0, 1),
            "conv1.weight": kernels.transpose(2, 0, 1),
            "conv1.bias": np.arange(4, dtype=np.float32) / 3,
        }
        known["measured.poses.mean"] = np.arange(6, dtype=np.float32).reshape(3, 2)
        known["measured.types.mean"] = np.ones((2, 2), np.float16)
        for type in range(2):
            known[f"primary.kernels.{type}"] = below + type
            known[f"primary.bias.{type}"] = np.full(3, type, np.float32)
        return {name: known[name] for name in names}

    def trace(self, question):
        with self._lock:
            self.calls["trace"] += 1
            self.questions.append(question)
        image, iterations = question.image, question.options.iterations
        assert image.dtype == np.float32
        ink = image.mean()
        tensors = {
            "maps": ink + np.arange(24, dtype=np.float32).reshape(4, 3, 2).T,
            "routing": np.full((iterations, 5), ink, np.float32),
            "scores": np.linspace(0, 1, CLASSES, dtype=np.float32),
            "votes": np.full((6, 7), ink, np.float32),
        }
        large = {info.name for info in self.info.tensors if info.precision == "f16"}
        halves = large if question.half else set()
        last = self.info.classes - 1
        return Trace(
            last,
            {
                name: tensors[name].astype(np.float16 if name in halves else np.float32)
                for name in question.names
            },
            (last,),
        )

    def trace_many(self, questions):
        return [self.trace(question) for question in questions]

    def reconstruct(self, digit, poses):
        first = np.full((len(poses), 1, ROWS, COLUMNS), digit / 10, np.float32)
        return first + poses[:, :1, None, None]


class Attackable(FakeEngine):
    """Its slope is 1 in the upper half and -1 in the lower, turned by the label."""

    def __init__(self, id, **changes):
        drawn = TensorInfo("reconstruction", (28, 28), "Reconstruction", "f32")
        tensors = (*info_of(id).tensors, drawn)
        can = Abilities(reconstruct=True, route=True, gradient=True)
        super().__init__(id, **{"can": can, "tensors": tensors} | changes)
        self.slopes = []
        self.chunks = []

    def gradient(self, images, labels, *, of="gap", through="full"):
        assert images.dtype == np.float32
        assert len(images) == len(labels)
        self.slopes.append((tuple(labels), of, through))
        way = np.ones_like(images)
        way[:, :, 14:] = -1
        return Slope((way * images).sum((1, 2, 3)), way)

    def attack(self, question):
        return question.answer(self.gradient, self.trace_many)

    def trace_many(self, questions):
        self.chunks.append(len(questions))
        return super().trace_many(questions)

    def trace(self, question):
        names = tuple(name for name in question.names if name != "reconstruction")
        trace = super().trace(replace(question, names=names))
        tensors = {**trace.tensors}
        if "reconstruction" in question.names:
            tensors["reconstruction"] = question.image[0] / 2
        prediction = int(100 * question.image[0, 0, 0]) % 10
        return Trace(prediction, tensors, (prediction,))


class BrokenEngine(FakeEngine):
    """Has a bug, whose text must stay on the server."""

    def trace(self, question):
        raise RuntimeError("secret path /home/me")


def small_engine():
    return FakeEngine(
        "small",
        input_shape=(1, 3, 2),
        classes=4,
        details=DETAILS
        | {"primary_capsules": 12, "pose_dim": 5, "max_routing_iterations": 4},
        class_names=("a", "b", "c", "d"),
        card={"mistakes": MISTAKES},
    )


@pytest.fixture
def engine():
    return FakeEngine("fake")


@pytest.fixture
def other_engine():
    return small_engine()


@pytest.fixture
def app(engine, other_engine, data_folder):
    engines = {"fake": engine, "small": other_engine, "broken": BrokenEngine("broken")}
    return create_app(engines, data_folder=data_folder)


@pytest.fixture
def client(app):
    return app.test_client()


@pytest.fixture(scope="session")
def settled(tmp_path_factory):
    """A client of an app for tests that neither change it nor ask how often it ran."""
    engines = {"fake": FakeEngine("fake"), "small": small_engine()}
    folder = tmp_path_factory.mktemp("data")
    return create_app(engines, data_folder=folder).test_client()


@pytest.fixture
def image():
    return [[(row + column) / 54 for column in range(COLUMNS)] for row in range(ROWS)]


@pytest.fixture
def write():
    return write_idx


@pytest.fixture
def pictures():
    """Eight images of 28 x 28; image i is full of the value 10 i."""
    return np.repeat(10 * np.arange(8), 28 * 28).reshape(8, 28, 28)


@pytest.fixture
def data_folder(tmp_path, pictures):
    raw = tmp_path / "MNIST" / "raw"
    write_idx(raw / "t10k-images-idx3-ubyte", pictures)
    write_idx(raw / "t10k-labels-idx1-ubyte", np.array(LABELS))
    return tmp_path


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    """The folder of a small data set to train on."""
    folder = tmp_path_factory.mktemp("stripes")
    write_stripes(folder)
    return folder


@pytest.fixture(autouse=True, scope="session")
def hurried():
    """Let processes that train and read take their turn beside those of other tests."""
    with pytest.MonkeyPatch.context() as patch:
        module = "capsnet_explorer.app.engines.training.process"
        patch.setattr(f"{module}.NICENESS", 0)
        yield


@pytest.fixture(autouse=True, scope="session")
def routes_known():
    """Compile what builds the address of a route once: most tests make an app."""
    builders = {}
    compiled = Rule._compile_builder

    def builder(rule, append_unknown=True):
        key = (rule.rule, str(rule.defaults), append_unknown)
        if key not in builders:
            builders[key] = compiled(rule, append_unknown)
        return builders[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rule, "_compile_builder", builder)
        yield
