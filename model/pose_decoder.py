"""The decoder for one edited capsule, as a slider asks for it again and again.

One vector through three matrices is bound by reading the matrices, and done before a
second thread has woken up. Worse, a library's threads fight when several people move
sliders at once: so this runs on the thread that calls, and many may call.
"""

import numpy as np
from numpy.typing import NDArray
from torch import nn

from model.layers import Decoder

Array = NDArray[np.float32]

HALF = np.float32(0.5)


class PoseDecoder:
    """A decoder's weights, read by NumPy.

    Args:
        decoder: its weights are shared, not copied, but for those of the first layer.
        classes: how many capsules it masks all but one of.
    """

    def __init__(self, decoder: Decoder, classes: int) -> None:
        linear = [each for each in decoder.layers if isinstance(each, nn.Linear)]
        weights = [layer.weight.numpy(force=True) for layer in linear]
        # Of the first layer, only the columns that the kept capsule meets matter.
        self._by_class = [
            np.ascontiguousarray(columns)
            for columns in np.split(weights[0], classes, axis=1)
        ]
        self._above = weights[1:]
        self._biases = [layer.bias.numpy(force=True) for layer in linear]
        self._size = decoder.image_size

    def draw(self, digit: int, pose: Array) -> Array:
        """Draw the capsule of one class, all other classes masked to zero.

        Args:
            digit: the class.
            pose: (digit_dim,).

        Returns:
            (rows, columns), each pixel in [0, 1].
        """
        values = pose
        weights = [self._by_class[digit], *self._above]
        for layer, (matrix, bias) in enumerate(zip(weights, self._biases, strict=True)):
            if layer:
                values = np.maximum(values, 0)
            # A dot product for each row: unlike `@`, it starts no threads.
            values: Array = np.vecdot(matrix, values) + bias
        # The logistic function, written so that nothing overflows.
        pixels: Array = HALF * np.tanh(HALF * values) + HALF
        return pixels.reshape(self._size, self._size)
