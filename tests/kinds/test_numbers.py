"""The numbers that the page works out by itself, against PyTorch's."""

import json
from dataclasses import asdict
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from capsnet_explorer.model.layers.description import (
    Layer,
    Window,
    check_layers,
)
from capsnet_explorer.model.layers.reading import layers_from
from tests.node import answer_of

SCRIPTS = (Path(__file__).parents[2] / "static/js").as_uri()


def script(*imports: tuple[str, str]) -> str:
    return "\n".join(
        f"import {{ {names} }} from {json.dumps(f'{SCRIPTS}/{path}')};"
        for names, path in imports
    )


SUMS = (
    script(
        ("summed", "kinds/convolution/reading.js"),
        ("fieldAt", "geometry/windows.js"),
        ("roundingOfSum", "lib/precision.js"),
    )
    + """
const answer = (asked) => asked.map(({ maps, kernels, biases, window, out }) => {
    const [count, rows, columns] = out;
    return Array.from({ length: count * rows * columns }, (_, i) => {
        const kernel = Math.floor(i / (rows * columns));
        const place = i % (rows * columns);
        const at = { row: Math.floor(place / columns), column: place % columns };
        const size = kernels.length / count;
        const own = kernels.slice(kernel * size, (kernel + 1) * size);
        const field = fieldAt(window, at);
        const { total, products } = summed(maps, own, biases[kernel], field);
        return [total, roundingOfSum(products, total)];
    });
});
"""
)

# Padding, steps and sizes: a number for both axes, or one for rows and one for columns.
WINDOWS = [
    *product((0, 1, 2), (1, 2), (3,)),
    ((2, 0), (1, 2), (5, 3)),
    ((0, 1), (2, 1), (2, 4)),
]


def both(pair):
    return (pair, pair) if isinstance(pair, int) else pair


def convolved(padding, step, size):
    """Return how the page is asked, what of, and the maps that PyTorch finds."""
    random = torch.Generator().manual_seed(hash((padding, step, size)) % 1000)
    maps = torch.randn(3, 9, 7, generator=random)
    kernels = torch.randn(4, 3, *both(size), generator=random)
    biases = torch.randn(4, generator=random)
    sums = F.conv2d(maps.double(), kernels.double(), biases.double(), step, padding)
    first = [-edge for edge in both(padding)]

    def request(maps, kernels, biases):
        return {
            "maps": {"shape": list(maps.shape), "data": maps.flatten().tolist()},
            "kernels": kernels.flatten().tolist(),
            "biases": biases.tolist(),
            "window": {"size": size, "step": step, "first": first},
            "out": list(sums.shape),
        }

    return request, (maps, kernels, biases), sums


def test_sums_are_pytorchs_up_to_all_four_edges():
    """Every pixel of every map: with padding, steps and rectangles."""
    cases = [convolved(*window) for window in WINDOWS]
    answers = answer_of(SUMS, [request(*read) for request, read, _ in cases])
    for (_, _, sums), answer in zip(cases, answers, strict=True):
        totals = np.array([total for total, _ in answer]).reshape(sums.shape)
        np.testing.assert_allclose(totals, sums, rtol=0, atol=1e-5)


def test_rounding_explains_what_rounding_does_and_no_more():
    """Of halved maps and kernels every sum is near enough; of moved ones, few are."""
    cases = [convolved(*window) for window in WINDOWS]

    def halved(*tensors):
        return [tensor.half().float() for tensor in tensors]

    def moved(maps, kernels, biases):
        return maps.roll(1, dims=2), kernels, biases

    for change, least, most in ((halved, 1, 1), (moved, 0, 0.05)):
        requests = [request(*change(*read)) for request, read, _ in cases]
        near = []
        for (_, _, sums), answer in zip(cases, answer_of(SUMS, requests), strict=True):
            totals, limits = (
                np.array(answer).reshape(*sums.shape, 2).transpose(3, 0, 1, 2)
            )
            near.append(
                (np.abs(totals - sums.half().double().numpy()) <= limits).ravel()
            )
        assert least <= np.concatenate(near).mean() <= most


# A number of a map above: what the kernel makes of its window of all maps below.
LAYERS = (
    script(
        ("layersOf", "kinds/network.js"),
        ("summed", "kinds/convolution/reading.js"),
        ("cutOf, fieldOf, orderOf, sourceOf", "kinds/capsules/source.js"),
        ("fieldAt", "geometry/windows.js"),
    )
    + """
const typed = ({ shape, data }) => ({ shape, data: Float32Array.from(data) });
const layersIn = (all) => layersOf(all.map(({ window, below, kind, ...layer }) => ({
    ...{ ...layer, kind: { name: kind }, below: below ?? undefined },
    window: window && (() => window),
})));
function totalOf(read, map, window) {
    const [maps, kernels, bias] = [read.maps, read.kernels, read.bias].map(typed);
    const size = kernels.data.length / kernels.shape[0];
    const kernel = kernels.data.subarray(map * size, (map + 1) * size);
    return summed(maps, kernel, bias.data[map], window).total;
}
"""
)
CAPSULES = (
    LAYERS
    + """
function answer({ layers, model, capsules, numbers, ...read }) {
    const layer = layersIn(layers).find(({ id }) => id === "primary");
    const cut = cutOf(layer, model);
    return Array.from({ length: capsules }, (_, capsule) => ({
        field: fieldOf(layer, model, capsule),
        before: Array.from({ length: numbers }, (_, number) => {
            const source = sourceOf(orderOf(layer), cut, capsule, number);
            return totalOf(read, source.map, fieldAt(layer.window(model), source));
        }),
    }));
}
"""
)


def answer_of_layers(script, layers, shapes, maps, kernels, **wish):
    """Return what the page answers of maps and the convolution that reads them."""
    return answer_of(
        script,
        {
            "layers": [asdict(layer) for layer in layers],
            "model": {
                "input_shape": [1, *wish.pop("size")],
                "tensors": [
                    {"name": name, "shape": list(shape)}
                    for name, shape in shapes.items()
                ],
            },
            **{"maps": sized(maps), "kernels": sized(kernels.weight)},
            **{"bias": sized(kernels.bias), **wish},
        },
    )


def sized(tensor):
    return {"shape": list(tensor.shape), "data": tensor.flatten().tolist()}


@pytest.mark.parametrize("size", [(28, 28), (20, 24)])
@pytest.mark.parametrize("cut", ["permute", "view", "stack"])
def test_every_number_of_every_capsule_comes_from_its_own_window(cut, size):
    """And what a capsule is said to see is what its numbers depend on."""
    rows, columns = size
    dim, types = 4, 3
    torch.manual_seed(2)
    first = torch.nn.Conv2d(1, 8, (3, 5), stride=(1, 2), padding=(1, 2))
    primary = torch.nn.Conv2d(8, types * dim, 3, stride=2, padding=1)
    image = torch.rand(1, 1, rows, columns, requires_grad=True)
    convolved = first(image).relu()
    pool = F.max_pool2d(convolved, 2)
    maps = primary(pool)[0]
    before = {
        "permute": lambda: maps.unflatten(0, (types, dim)).permute(0, 2, 3, 1),
        "view": lambda: maps.reshape(-1, dim),
        "stack": lambda: maps.unflatten(0, (dim, types)).permute(1, 2, 3, 0),
    }[cut]()
    shapes = {
        **{"first": convolved[0].shape, "pool": pool[0].shape},
        **{"before": before.shape, "lengths": before.shape[:-1]},
    }
    layers = layers_from(
        "mine",
        [
            Layer(
                **{"id": "first", "kind": "convolution", "title": "First"},
                window=Window((3, 5), (1, 2), (-1, -2)),
                tensors={"pre": "first"},
            ),
            Layer(
                **{"id": "pool", "kind": "pooling", "title": "Pool", "below": "first"},
                window=Window(2, 2),
                tensors={"below": "first", "values": "pool"},
            ),
            Layer(
                **{"id": "primary", "kind": "capsules", "title": "Capsules"},
                **{"below": "pool", "order": None if cut == "permute" else cut},
                window=Window(3, 2, -1),
                tensors={
                    **{"below": "pool", "before": "before"},
                    **{"poses": "before", "activation": "lengths"},
                },
            ),
        ],
        shapes,
    )
    before = before.flatten(0, -2)
    answers = answer_of_layers(
        *(CAPSULES, layers, shapes, pool[0], primary),
        **{"size": size, "capsules": len(before), "numbers": dim},
    )
    numbers = [answer["before"] for answer in answers]
    np.testing.assert_allclose(numbers, before.detach(), rtol=0, atol=1e-4)

    for capsule in range(0, len(before), 7):
        field = answers[capsule]["field"]
        visible = torch.zeros(rows, columns, dtype=torch.bool)
        bottom, right = (
            field["row"] + field["size"],
            field["column"] + field.get("columns", field["size"]),
        )
        visible[field["row"] : bottom, field["column"] : right] = True
        (slope,) = torch.autograd.grad(before[capsule].sum(), image, retain_graph=True)
        assert not slope[0, 0][~visible].any()
        assert 0 <= field["row"] < bottom <= rows
        assert 0 <= field["column"] < right <= columns


BESIDE = (
    LAYERS
    + """
function answer({ layers, model, cells, ...read }) {
    const all = layersIn(layers);
    const [joined, above] = ["joined", "above"].map((name) =>
        all.find(({ id }) => id === name));
    return {
        above: cells.map(({ map, row, column }) => ({
            total: totalOf(read, map, fieldAt(above.window(model), { row, column })),
            field: above.field(model, row, column),
        })),
        joined: Array.from({ length: read.maps.shape[0] }, (_, map) =>
            joined.field(model, 3, 2, map)),
    };
}
"""
)


def test_convolutions_side_by_side_are_summed_together_and_see_each_its_own():
    """Two that read the image, and one that reads both: sums, and what each sees."""
    torch.manual_seed(4)
    narrow = torch.nn.Conv2d(1, 2, 3, padding=1)
    broad = torch.nn.Conv2d(1, 3, (5, 7), padding=(2, 3))
    above = torch.nn.Conv2d(5, 2, 3, stride=2, padding=1)
    image = torch.rand(1, 1, 11, 13, requires_grad=True)
    branches = [module(image) for module in (narrow, broad)]
    joined = torch.cat(branches, dim=1).relu()
    sums = above(joined)
    shapes = {
        **{"one": branches[0].shape[1:], "other": branches[1].shape[1:]},
        **{"joined": joined.shape[1:], "above": sums.shape[1:]},
    }
    layers = layers_from(
        "mine",
        [
            *(
                Layer(
                    id=name,
                    kind="convolution",
                    title=name,
                    window=window,
                    tensors={"pre": name},
                )
                for name, window in (
                    ("one", Window(3, 1, -1)),
                    ("other", Window((5, 7), 1, (-2, -3))),
                )
            ),
            Layer(
                id="joined",
                kind="tensor",
                title="Both",
                below="one",
                beside=("other",),
                window=Window(1),
                tensors={"values": "joined"},
            ),
            Layer(
                id="above",
                kind="convolution",
                title="Above",
                below="joined",
                window=Window(3, 2, -1),
                tensors={"below": "joined", "pre": "above"},
            ),
        ],
        shapes,
    )
    check_layers("mine", layers, image=(1, 11, 13), tensors=shapes)
    cells = [
        {"map": map_, "row": row, "column": column}
        for map_, row, column in product(*map(range, sums.shape[1:]))
    ]
    answer = answer_of_layers(
        BESIDE, layers, shapes, joined[0], above, size=(11, 13), cells=cells
    )
    totals = [cell_answer["total"] for cell_answer in answer["above"]]
    np.testing.assert_allclose(totals, sums[0].detach().flatten(), atol=1e-5)

    def is_seen(value, field):
        (slope,) = torch.autograd.grad(value, image, retain_graph=True)
        rows, columns = np.nonzero(slope[0, 0].numpy())
        bottom = field["row"] + field["size"]
        right = field["column"] + field.get("columns", field["size"])
        assert field["row"] == rows.min()
        assert rows.max() == bottom - 1
        assert field["column"] == columns.min()
        assert columns.max() == right - 1

    for map_, field in enumerate(answer["joined"]):
        branch, map_of_branch = divmod(map_, 2) if map_ < 2 else (1, map_ - 2)
        is_seen(branches[branch][0, map_of_branch, 3, 2], field)
    wide = torch.cat(branches, dim=1)  # no ReLU, which stops a slope
    for cell, cell_answer in zip(cells, answer["above"], strict=True):
        value = above(wide)[0, cell["map"], cell["row"], cell["column"]]
        is_seen(value, cell_answer["field"])
