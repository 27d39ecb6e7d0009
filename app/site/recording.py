"""Records what the server answers whatever the image, and what it says of examples."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice
from types import MappingProxyType
from typing import Any, cast

import numpy as np
from flask.testing import FlaskClient
from safetensors.numpy import load, save

from capsnet_explorer.app.api.wire import JSON, SAFETENSORS
from capsnet_explorer.app.engines.facts import ModelInfo
from capsnet_explorer.app.engines.protocol import ExportableEngine, pictured
from capsnet_explorer.perturbations.attack import random_signs, random_ways
from capsnet_explorer.perturbations.overlay import overlaid, placed
from capsnet_explorer.pictures.reading import fitted

PARTS = ("samples", "glossary", "guide", "toys", "datasets", "health")
MOST_TRACES = 3_500_000  # bytes of a network's traces; all others are computed
MOST_NUMBERS = 50_000  # of a tensor that comes on request: votes are many more
MOST_IMAGES = 100  # of a described network's owner, that a site has
START_LABEL = 4  # of the example that the page begins with: `static/js/main.js`
ATLAS = "atlas"  # a part of what was measured, which has an address of its own
CODES = "atlas.codes"  # begins the names of what finds the nearest images
LEAP = 4  # pixels from the middle, of either digit of a pair
PIECE = 64  # numbers; smaller tensors that are not in the network's own file are told
LEAST = 8  # numbers that are looked for in that file

Piece = tuple[str, int, int]  # of a file's tensor, from which number on, how many


def recorded(
    client: FlaskClient,
    engines: Mapping[str, ExportableEngine],
    files: Mapping[str, bytes],
    examples: int | None = None,
    *,
    half: bool = False,
    lacked: Mapping[str, str] = MappingProxyType({}),
    flat: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, bytes]:
    """Return the answers by path, each with the ending of its kind.

    Weights are not stored again: `networks/<id>.json` tells where each tensor of an
    answer stands in the network's own file.

    Args:
        client: asks the app.
        engines: the networks.
        files: what there is already: `networks/<id>.safetensors`.
        half: whether weights are rounded to half precision in these files.
        examples: how many to record what each network says of; None: as many as fit.
        lacked: what keeps networks from being run on a site, by id; of these, what they
            say of their owner's images is recorded, too.
        flat: why networks have no gradient on a site, by id.
    """
    record = {f"api/{part}.json": _answer(client, f"api/{part}") for part in PARTS}
    models = json.loads(_answer(client, "api/models?brief=true"))
    for model in models["models"]:
        _flatten(model, files, flat)
    record["api/models.json"] = json.dumps(models).encode()
    samples = json.loads(record["api/samples.json"])["samples"]
    datasets = json.loads(record["api/datasets.json"])["datasets"]
    for id, engine in engines.items():
        model = f"api/models/{id}"
        described = json.loads(_answer(client, model))
        _flatten(described, files, flat)
        record[f"{model}.json"] = json.dumps(described).encode()
        if f"networks/{id}.gradient.onnx" in files:
            record |= fields_of(engine.info)
        weights = files.get(f"networks/{id}.safetensors")
        of_network, pieces = _of_network(client, engine.info, weights, half=half)
        record |= of_network
        names = _names(engine.info)
        chosen, most = _examples(samples, engine.info), examples
        index: dict[str, Any] = {"tensors": names, "placed": pieces}
        if id in lacked:
            set_id, images = _own_images(client, engine.info, datasets)
            body = json.dumps({"total": len(images), "digits": images}).encode()
            record[f"api/datasets/{set_id}/digits.json"] = body
            labelled = (
                (f"{set_id}-{digit['index']}", digit["image"]) for digit in images
            )
            chosen, most = chain(labelled, chosen), None
            index |= {"lacks": lacked[id], "images": set_id}
        traces = dict(islice(_traces(client, engine.info, names, chosen), most))
        for sample, trace in traces.items():
            record[f"{model}/samples/{sample}.safetensors"] = trace
        index["recorded"] = [*traces]
        record[f"networks/{id}.json"] = json.dumps(
            index, separators=(",", ":")
        ).encode()
    return record


def _flatten(
    model: dict[str, Any], files: Mapping[str, bytes], flat: Mapping[str, str]
) -> None:
    """Have a model's description say whether it has a gradient on a site."""
    id = model["id"]
    if f"networks/{id}.gradient.onnx" not in files:
        model["can"]["gradient"] = False
    if id in flat:
        model["flat"] = flat[id]


def fields_of(info: ModelInfo) -> dict[str, bytes]:
    """Return the random numbers of attacks: a site draws none of its own."""
    shape = (1, *info.input_shape)
    ways = random_ways(shape, seed=0)
    fields = {"signs": random_signs(shape, seed=0)}
    fields |= {f"way.{place}": way for place, way in enumerate(ways)}
    sizes = "-".join(map(str, info.input_shape))
    return {f"attack/{sizes}.safetensors": in_order(save(fields))}


def recorded_alone(
    client: FlaskClient, info: ModelInfo, weights: bytes
) -> tuple[bytes, dict[str, Any]]:
    """Return what the app says of a network, and where its file has its tensors."""
    _, pieces = _of_network(client, info, weights, half=False)
    return _answer(client, f"api/models/{info.id}"), pieces


def _of_network(
    client: FlaskClient, info: ModelInfo, weights: bytes | None, *, half: bool
) -> tuple[dict[str, bytes], dict[str, Any]]:
    """Return weights and what was measured: as files, and as places in its file."""
    record, pieces = {}, {}
    model = f"api/models/{info.id}"
    for path in _own_tensors(info):
        try:
            answer = _answer(client, f"{model}/{path}", SAFETENSORS)
        except ValueError:
            if path.startswith("kernels/"):
                continue  # of a layer whose kernels serving does not name
            raise
        if path == f"measured/{ATLAS}":
            answer = _codes_of(answer)
        placed = None if weights is None else _placed(answer, weights, half=half)
        if placed is None:
            record[f"{model}/{path}.safetensors"] = answer
        else:
            pieces[path] = placed
    return record, pieces


def _answer(client: FlaskClient, path: str, kind: str = JSON) -> bytes:
    answer = client.get(f"/{path}", headers={"Accept": kind})
    if answer.status_code != 200:
        raise ValueError(f"/{path} must be answered, got {answer.status}")
    return answer.data if kind == JSON else in_order(answer.data)


def in_order(file: bytes) -> bytes:
    """Return a safetensors file with its metadata sorted, which come in any order."""
    start = 8 + int.from_bytes(file[:8], "little")
    header = json.loads(file[8:start])
    metadata = dict(sorted(header.pop("__metadata__", {}).items()))
    text = json.dumps(
        {"__metadata__": metadata, **header}, separators=(",", ":")
    ).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + file[start:]


def _codes_of(atlas: bytes) -> bytes:
    """Return an atlas's codes alone: all else of it has an address of its own."""
    header = json.loads(atlas[8 : 8 + int.from_bytes(atlas[:8], "little")])
    tensors = {name: tensor for name, tensor in load(atlas).items() if CODES in name}
    return in_order(save(tensors, metadata=header["__metadata__"]))


def _names(info: ModelInfo) -> list[str]:
    """Return the tensors to record: all that the first views of a page ask for."""
    return [
        tensor.name
        for tensor in info.tensors
        if not tensor.on_request
        or (
            math.prod(tensor.shape) <= MOST_NUMBERS
            and not tensor.name.rpartition(".")[2].isdigit()  # votes.0 is of votes
        )
    ]


def _own_images(
    client: FlaskClient, info: ModelInfo, datasets: Sequence[Mapping[str, Any]]
) -> tuple[str, list[dict[str, Any]]]:
    """Return the images that a described network was checked on, and their set's id."""
    names = (info.card["dataset"], f"described-{info.id}")
    id = next(entry["id"] for entry in datasets if entry["dataset"] in names)
    path = f"api/datasets/{id}/digits?limit={MOST_IMAGES}"
    return id, json.loads(_answer(client, path))["digits"]


def _traces(
    client: FlaskClient,
    info: ModelInfo,
    names: Sequence[str],
    images: Iterable[tuple[str, list]],
) -> Iterator[tuple[str, bytes]]:
    """Yield what a network says of images, each with a name."""
    size = 0
    for name, image in images:
        answer = client.post(
            f"/api/models/{info.id}/trace",
            json={"image": image, "tensors": [*names]},
            headers={"Accept": SAFETENSORS},
        )
        answer = in_order(answer.data)
        size += len(answer)
        if size > MOST_TRACES:
            return
        yield name, answer


def _examples(
    samples: Sequence[Mapping[str, Any]], info: ModelInfo
) -> Iterator[tuple[str, list]]:
    """Yield examples as a network opens on them: `static/js/core/pair.js`, too.

    The page's first one comes first, so the page has its first picture long before a
    network has come.

    Yields:
        The id, and an image of the network's shape. A network for two digits opens on
        two: another example lies over the one.
    """
    channels, *canvas = info.input_shape
    for sample in sorted(samples, key=lambda example: example["label"] != START_LABEL):
        image = np.array(sample["image"], np.float32)
        label = sample["label"]
        at_most = info.present.at_most
        if not (at_most == 2 and channels == 1 and min(canvas) > len(image)):
            yield sample["id"], pictured(fitted(image[None], info.input_shape)).tolist()
            continue
        other = next(
            (example for example in samples if example["label"] != label), sample
        )
        both = (image, np.array(other["image"], np.float32))
        placed_both = (
            placed(digit, (right, 0), canvas)
            for digit, right in zip(both, (-LEAP, LEAP), strict=True)
        )
        yield sample["id"], pictured(overlaid(*placed_both)[None]).tolist()


def _own_tensors(info: ModelInfo) -> Iterator[str]:
    """Yield the paths of weights and of what was measured, below a model's own."""
    parts = dict.fromkeys(tensor.name.split(".")[0] for tensor in info.measured)
    yield from (f"measured/{part}" for part in parts)
    if ATLAS in parts:
        yield ATLAS  # without the codes, by which the nearest images are found
    if info.kernels:
        yield "kernels"  # of the first layer, which Train shows at each moment
    shapes = {tensor.name: tensor.shape for tensor in info.tensors}
    for layer in info.layers:
        yield from (f"weights/{name}" for name in layer.weights.values())
        # A piece for each type of capsules that a convolution makes.
        if layer.kind == "capsules" and "below" in layer.tensors and not layer.weights:
            types = shapes[layer.tensors["poses"]][0]
            yield from (f"kernels/{layer.id}/{type}" for type in range(types))


def _placed(answer: bytes, file: bytes, *, half: bool = False) -> dict[str, Any] | None:
    """Return where the tensors of an answer stand in a network's own file.

    Returns:
        `metadata`, and by name of the tensor its `shape` and `pieces`: runs of numbers
        of the file's tensors, one after the other. So they hold for every file of the
        same names and shapes. None if a large one is not there; small ones have their
        numbers in place of pieces.
    """
    start = 8 + int.from_bytes(answer[:8], "little")
    header = json.loads(answer[8:start])
    places: dict[str, Any] = {"metadata": header.pop("__metadata__", {}), "tensors": {}}
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        body = answer[start + first : start + last]
        kind = np.float16 if entry["dtype"] == "F16" else np.float32
        values = np.frombuffer(body, kind).reshape(entry["shape"])
        pieces = _pieces(name, values, file, half=half)
        if pieces is not None:
            where: dict[str, Any] = {"pieces": pieces}
        elif values.size < PIECE:
            where = {"values": values.ravel().tolist()}
        else:
            return None
        places["tensors"][name] = {"shape": entry["shape"], **where}
    return places


def _pieces(
    name: str, values: np.ndarray, file: bytes, *, half: bool
) -> list[Piece] | None:
    """Return where a tensor stands in a file: by its name, or whole, or row by row."""
    contents, places = _layout(file)
    kinds = [values.astype(np.float32)]
    with np.errstate(over="ignore"):
        rounded = values.astype(np.float16)
    if half or np.array_equal(rounded, values):
        kinds = [rounded, *kinds]
    for array in kinds:
        if array.tobytes() == contents.get(name):
            return [(name, 0, array.size)]
        for rows in ([array], [*array] if array.ndim else []):
            pieces = [_piece(row, file, places) for row in rows]
            if None not in pieces:
                return cast("list[Piece]", pieces)
    return None


def _piece(
    row: np.ndarray, file: bytes, places: Mapping[str, tuple[int, int]]
) -> Piece | None:
    """Return where numbers stand in a file; few or equal ones may stand anywhere."""
    if row.size < LEAST or row.min() == row.max():
        return None
    offset = file.find(row.tobytes())
    for name, (first, last) in places.items():
        if first <= offset and offset + row.nbytes <= last:
            return name, (offset - first) // row.itemsize, row.size
    return None


@lru_cache(1)
def _layout(file: bytes) -> tuple[dict[str, bytes], dict[str, tuple[int, int]]]:
    """Return the bytes of a file's tensors by name, and where they begin and end."""
    start = 8 + int.from_bytes(file[:8], "little")
    header = json.loads(file[8:start])
    places = {
        name: (start + entry["data_offsets"][0], start + entry["data_offsets"][1])
        for name, entry in header.items()
        if name != "__metadata__"
    }
    contents = {name: file[first:last] for name, (first, last) in places.items()}
    return contents, places
