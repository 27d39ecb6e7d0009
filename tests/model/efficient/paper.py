"""Efficient-CapsNet straight from the paper, in NumPy's float64, read from a file.

It knows no code of the network: weights by name in, tensors of a trace by name out.
"""

import math

import numpy as np
from safetensors.numpy import load_file

EPSILON = 1e-5  # batch norm's


def weights_in(path):
    """Return the weights in a file, in double precision."""
    return {name: array.astype(np.float64) for name, array in load_file(path).items()}


def traced(weights, image, strides=(1, 1, 1, 2)):
    """Return the tensors of a trace by name, of an image (channels, rows, columns)."""
    tensors = {}
    maps = image.astype(np.float64)
    for number, stride in enumerate(strides, start=1):
        layer = {
            name.removeprefix(f"conv{number}."): array
            for name, array in weights.items()
            if name.startswith(f"conv{number}.")
        }
        pre = convolved(
            maps, layer["convolution.weight"], layer["convolution.bias"], stride
        )
        relu = np.maximum(pre, 0)
        maps = normalised(relu, layer)
        tensors |= {
            f"conv{number}.pre": pre,
            f"conv{number}.relu": relu,
            f"conv{number}.energy": np.array([(values**2).sum() for values in relu]),
            f"conv{number}.out": maps,
        }
    return tensors | capsules_above(maps, weights)


def convolved(maps, kernels, bias, stride):
    """Return (kernels, rows, columns): each window of the maps times each kernel."""
    side = kernels.shape[2]
    rows = range(0, maps.shape[1] - side + 1, stride)
    columns = range(0, maps.shape[2] - side + 1, stride)
    result = np.empty((len(kernels), len(rows), len(columns)))
    for row, top in enumerate(rows):
        for column, left in enumerate(columns):
            window = maps[:, top : top + side, left : left + side]
            result[:, row, column] = (kernels * window).sum(axis=(1, 2, 3)) + bias
    return result


def normalised(maps, norm):
    """γ (x - μ) / √(σ² + ε) + β, map by map (Ioffe & Szegedy 2015)."""
    result = np.empty_like(maps)
    for i, values in enumerate(maps):
        deviation = math.sqrt(norm["norm.running_variance"][i] + EPSILON)
        standard = (values - norm["norm.running_mean"][i]) / deviation
        result[i] = norm["norm.weight"][i] * standard + norm["norm.bias"][i]
    return result


def capsules_above(maps, weights):
    """Return everything from the primary capsules on."""
    transforms, prior = weights["classes.transforms"], weights["classes.prior"]
    below, classes, dim, primary_dim = transforms.shape
    numbers = [
        float((kernel * values).sum()) + bias
        for kernel, values, bias in zip(
            weights["primary.kernels"], maps, weights["primary.bias"], strict=True
        )
    ]
    pre = np.array(numbers).reshape(below, primary_dim)
    primary = np.array([squashed(capsule) for capsule in pre])

    votes = np.empty((below, classes, dim))
    for i in range(below):
        for n in range(classes):
            votes[i, n] = transforms[i, n] @ primary[i]  # eq. 4

    attention = np.empty((below, below, classes))
    for n in range(classes):
        for i in range(below):
            for j in range(below):  # eq. 5
                attention[i, j, n] = votes[i, n] @ votes[j, n] / math.sqrt(primary_dim)

    agreement, shares = np.empty((below, classes)), np.empty((below, classes))
    for i in range(below):
        agreement[i] = [attention[i, :, n].sum() for n in range(classes)]
        powers = np.exp(agreement[i] - agreement[i].max())
        shares[i] = powers / powers.sum()  # eq. 6
    couplings = shares + prior

    classes_found = np.empty((classes, dim))
    contributions = np.empty((below, classes))
    for n in range(classes):
        total = np.sum(
            [couplings[i, n] * votes[i, n] for i in range(below)], axis=0
        )  # eq. 7
        for i in range(below):
            along = votes[i, n] @ total / math.sqrt(total @ total)
            contributions[i, n] = couplings[i, n] * along
        assert math.isclose(contributions[:, n].sum(), math.sqrt(total @ total))
        classes_found[n] = squashed(total)
    lengths = np.linalg.norm(classes_found, axis=1)
    return {
        "primary.pre": pre,
        "primary.capsules": primary,
        "primary.lengths": np.linalg.norm(primary, axis=1),
        "votes": votes,
        "routing.attention": attention,
        "routing.agreement": agreement,
        "routing.shares": shares,
        "routing.couplings": couplings,
        "routing.contributions": contributions,
        "routing.given": couplings[:, :, None] * votes,
        "classes.capsules": classes_found,
        "scores": lengths,
        "reconstruction": decoded(classes_found, int(lengths.argmax()), weights),
    }


def squashed(vector):
    """The same direction, of length 1 - e^-n (eq. 2)."""
    length = math.sqrt(float(vector @ vector))
    return vector * ((1 - math.exp(-length)) / length) if length else vector


def decoded(capsules, kept, weights):
    """Return the pixels drawn from one capsule, row by row."""
    values = np.zeros_like(capsules)
    values[kept] = capsules[kept]
    values = values.ravel()
    for layer in (0, 2, 4):
        matrix = weights[f"decoder.layers.{layer}.weight"]
        values = matrix @ values + weights[f"decoder.layers.{layer}.bias"]
        if layer < 4:
            values = np.maximum(values, 0)
    return 1 / (1 + np.exp(-values))
