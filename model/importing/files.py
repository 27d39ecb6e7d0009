"""Tensors out of the usual files of weights; nothing in them is ever executed."""

import io
import re
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import torch
from safetensors.torch import load_file
from torch import Tensor

from capsnet_explorer.model.weights import WeightsError

TORCH = (".pt", ".pth", ".pth.tar", ".bin", ".ckpt")
KERAS = (".h5", ".hdf5", ".keras")
KNOWN = (*TORCH, ".safetensors", ".npz", *KERAS)
IN_KERAS = "model.weights.h5"  # of a .keras file, which is a zip archive
MOST_BYTES = 4 * 2**30
NO_H5PY = (
    "a Keras file needs h5py, which is not installed: python -m pip install h5py, then "
    "try again"
)
WOULD_RUN = (
    "holds more than tensors, and reading that would run code: load it where it was "
    "made, torch.save(model.state_dict(), FILE), and import that file"
)
# Parts of a checkpoint that are no part of the network.
BESIDES = re.compile(
    r"(^|\.)(optim(i[sz]er)?(_state(_dict)?|_weights)?|lr_schedulers?|scheduler|scaler|"
    r"num_batches_tracked|seed_generator)(\.|$)"
)
WRAPPERS = re.compile(
    r"^(module|_orig_mod|model|net|network|state_dict|model_state_dict|model_weights|"
    r"layers|_layer_checkpoint_dependencies)\."
)


def read_tensors(path: Path) -> dict[str, Tensor]:
    """Return the tensors of a file by name, in single precision.

    Names are joined by dots, and lack what wraps all of them, such as `module.`.

    Raises:
        WeightsError: it is missing, damaged, no file of weights, or would run code.
    """
    if not path.is_file():
        raise WeightsError(f"there is no file {path}")
    kind = next((each for each in KNOWN if path.name.endswith(each)), None)
    if kind is None:
        raise WeightsError(
            f"a file of weights must end in {', '.join(KNOWN)}, got {path.name}"
        )
    try:
        found = dict(_read(path, kind))
    except WeightsError:
        raise
    except (
        *(OSError, EOFError, KeyError, RuntimeError, ValueError),
        *(zipfile.BadZipFile, safetensors.SafetensorError),
    ) as error:
        raise WeightsError(
            f"{path.name} cannot be read as {kind}: it is damaged, or another "
            "kind of file"
        ) from error
    named = {
        name: tensor.detach().float().contiguous()
        for name, tensor in _unwrapped(found).items()
        if tensor.ndim and not BESIDES.search(name)
    }
    if not named:
        raise WeightsError(f"{path.name} holds no tensors of a network")
    for name, tensor in named.items():
        if not tensor.isfinite().all():
            raise WeightsError(f"{path.name}: {name} holds values that are not finite")
    return named


def _read(path: Path, kind: str) -> Iterator[tuple[str, Tensor]]:
    if kind in TORCH:
        # No pickle that executes: tensors and plain containers only.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a protocol that it may not know
            try:
                held = torch.load(path, map_location="cpu", weights_only=True)
            except Exception as error:
                # By its name: its class is pickle's, which nothing here imports.
                if type(error).__name__ != "UnpicklingError":
                    raise
                raise WeightsError(f"{path.name} {WOULD_RUN}") from error
        yield from _flat(held)
    elif kind == ".safetensors":
        yield from load_file(path).items()
    elif kind == ".npz":
        held = np.load(path, allow_pickle=False)
        if isinstance(held, np.ndarray):  # saved by `np.save`, with a name for each
            for name in held.dtype.names or ():
                yield from _of_array(name, held[name])
            return
        with held as arrays:
            for name in arrays.files:
                yield from _of_array(name, arrays[name])
    elif kind == ".keras":
        with zipfile.ZipFile(path) as archive:
            if IN_KERAS not in archive.namelist():
                raise WeightsError(f"{path.name} holds no {IN_KERAS}")
            if archive.getinfo(IN_KERAS).file_size > MOST_BYTES:
                raise WeightsError(f"{path.name} unpacks to more than 4 GB")
            yield from _of_h5(io.BytesIO(archive.read(IN_KERAS)))
    else:
        yield from _of_h5(path)


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, Tensor]]:
    """Yield the tensors of nested containers, by their joined names."""
    if isinstance(value, Tensor):
        if value.is_floating_point() or value.ndim:
            yield name, value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from _flat(each, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list | tuple):
        for index, each in enumerate(value):
            yield from _flat(each, f"{name}.{index}" if name else str(index))


def _of_array(name: str, array: np.ndarray) -> Iterator[tuple[str, Tensor]]:
    if array.dtype.kind in "fiu":
        yield re.sub(r"[/:]+", ".", name), torch.from_numpy(np.array(array, np.float32))


def _of_h5(source: Any) -> Iterator[tuple[str, Tensor]]:
    try:
        import h5py
    except ImportError as error:
        raise WeightsError(NO_H5PY) from error
    found: dict[str, np.ndarray] = {}

    def keep(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset) and item.dtype.kind in "fiu":
            found[name] = item[()]

    with h5py.File(source, "r") as file:
        file.visititems(keep)
    for name, array in found.items():
        plain = re.sub(r":\d+$", "", name)
        yield from _of_array(plain.replace("\\", "/"), np.asarray(array))


def _unwrapped(found: dict[str, Tensor]) -> dict[str, Tensor]:
    """Leave out what stands before all names, and copies beside the network."""
    found = {name: each for name, each in found.items() if not BESIDES.search(name)}
    while found and all(WRAPPERS.match(name) for name in found):
        shorter = {WRAPPERS.sub("", name): each for name, each in found.items()}
        if len(shorter) < len(found):
            break
        found = shorter
    return found
