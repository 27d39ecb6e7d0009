"""What a layer sees of the image, against what its gradient reaches."""

import pytest
import torch
from torch import nn

from capsnet_explorer.model.layers.description import Layer, Window
from capsnet_explorer.model.layers.fields import receptive_field


def described(*windows: Window | None) -> list[Layer]:
    """Return a chain of layers with these windows."""
    return [
        Layer(
            id=f"l{index}",
            kind="convolution",
            title="",
            below=f"l{index - 1}" if index else None,
            window=window,
        )
        for index, window in enumerate(windows)
    ]


def test_fields_grow_by_the_steps_below_and_begin_where_padding_does():
    layers = described(Window(5, 2, -1), Window(3, 1, -1), Window(2, 2))
    # 5; 5 + 2*2 = 9; 9 + 1*2 = 11. -1; -1 - 2 = -3. 2; 2; 4.
    fields = [receptive_field(layers, layer.id) for layer in layers]
    assert [field.along(0) for field in fields] == [(5, 2, -1), (9, 2, -3), (11, 4, -3)]


def test_a_field_is_what_the_gradient_reaches():
    first, second = Window((3, 5), (2, 1), (-1, -2)), Window((4, 2), (1, 3), (0, -1))
    modules = [
        nn.Conv2d(1, 1, (3, 5), (2, 1), padding=(1, 2)),
        nn.Conv2d(1, 1, (4, 2), (1, 3), padding=(0, 1)),
    ]
    image = torch.zeros(1, 1, 21, 22, requires_grad=True)
    for module in modules:
        nn.init.ones_(module.weight)
    output = nn.Sequential(*modules)(image)
    output[0, 0, 3, 4].backward()
    reached = image.grad[0, 0].nonzero()
    field = receptive_field(described(first, second), "l1")
    for axis, index in ((0, 3), (1, 4)):
        size, step, start = field.along(axis)
        assert reached[:, axis].min() == start + index * step
        assert reached[:, axis].max() == start + index * step + size - 1


def test_a_layer_that_reads_all_has_no_field():
    layers = described(Window(3), None, Window(2))
    with pytest.raises(ValueError, match="l2 must look through windows, got l1"):
        receptive_field(layers, "l2")
