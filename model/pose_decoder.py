"""The decoder for one edited capsule, which a moving slider requests repeatedly.

Three matrices times one vector cost little more than reading the matrices, and are done
before a second thread has woken up. A library's threads would also compete when several
people move sliders at once. So this decoder runs on the calling thread, and any number
of threads may call it.
"""

import numpy as np
from numpy.typing import NDArray
from torch import nn

from capsnet_explorer.model.decoder import Decoder

Array = NDArray[np.float32]

HALF = np.float32(0.5)


class PoseDecoder:
    """A decoder in NumPy.

    Args:
        decoder: its weights are shared, except for the first layer's, which are copied.
        classes: number of class capsules.
    """

    def __init__(self, decoder: Decoder, classes: int) -> None:
        linear = [layer for layer in decoder.layers if isinstance(layer, nn.Linear)]
        weights = [layer.weight.numpy(force=True) for layer in linear]
        # The masked capsules are zero, so only the kept capsule's columns are needed.
        self._by_class = [
            np.ascontiguousarray(columns)
            for columns in np.split(weights[0], classes, axis=1)
        ]
        self._above = weights[1:]
        self._biases = [layer.bias.numpy(force=True) for layer in linear]
        self._shape = decoder.image_shape
        self._gain = np.float32(decoder.gain)

    def draw(self, label: int, pose: Array) -> Array:
        """Decode the capsule of one class, all others masked to zero.

        Args:
            label: the class.
            pose: (numbers in a pose,).

        Returns:
            (channels, rows, columns), each pixel in [0, 1].
        """
        values: Array = self._gain * pose
        weights = [self._by_class[label], *self._above]
        for layer, (matrix, bias) in enumerate(zip(weights, self._biases, strict=True)):
            if layer:
                values = np.maximum(values, 0)
            # One dot product a row; unlike `@`, `vecdot` starts no threads.
            values = np.vecdot(matrix, values) + bias
        # The logistic function in a form that cannot overflow.
        pixels: Array = HALF * np.tanh(HALF * values) + HALF
        return pixels.reshape(self._shape)
