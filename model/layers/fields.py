"""What a layer sees of the image through the layers below it."""

from collections.abc import Sequence

from capsnet_explorer.model.layers.description import Layer, Window


def receptive_field(layers: Sequence[Layer], id: str) -> Window:
    """Return the windows of the image through which a layer looks.

    Args:
        layers: of a network, from the image up.
        id: of the layer; it and those below it have windows.

    Returns:
        Size, step and first in px, each along rows and columns.

    Raises:
        ValueError: one of them reads all of the layer below it.
    """
    by_id = {layer.id: layer for layer in layers}
    size, step, first = [1, 1], [1, 1], [0, 0]
    top: str | None = id
    while top is not None:
        layer = by_id[top]
        if layer.window is None:
            raise ValueError(
                f"{id} must look through windows, got {top}, which reads all of "
                f"{layer.below or 'the image'}"
            )
        for axis in (0, 1):
            own_size, own_step, own_first = layer.window.along(axis)
            size[axis] = own_size + (size[axis] - 1) * own_step
            first[axis] = own_first + first[axis] * own_step
            step[axis] *= own_step
        top = layer.below
    return Window((size[0], size[1]), (step[0], step[1]), (first[0], first[1]))
