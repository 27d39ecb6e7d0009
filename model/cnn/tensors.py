"""The named tensors of a trace: title, shape, and how to read each."""

from torch import Tensor

from model.architecture import NamedTensor
from model.cnn.config import CnnConfig
from model.cnn.network import Trace
from model.glimpse import GLIMPSE, strongest


def named_tensors(config: CnnConfig) -> dict[str, NamedTensor]:
    """Return every tensor that a trace of such a network offers."""
    conv1 = (config.conv1_kernels, config.conv1_size, config.conv1_size)
    pool1 = (config.conv1_kernels, config.pool1_size, config.pool1_size)
    conv2 = (config.conv2_kernels, config.conv2_size, config.conv2_size)
    pool2 = (config.conv2_kernels, config.pool2_size, config.pool2_size)
    return {
        "conv1.pre": NamedTensor(
            "Conv1 maps before ReLU", conv1, lambda t, k: t.conv1_pre[k]
        ),
        "conv1.relu": NamedTensor(
            "Conv1 maps after ReLU", conv1, lambda t, k: t.conv1_relu[k]
        ),
        "pool1": NamedTensor(
            "Conv1 maps after 2×2 max-pooling", pool1, lambda t, k: t.pool1[k]
        ),
        "pool1.winners": NamedTensor(
            "pixel that pooling took in each 2×2 window of Conv1: 0 to 3, row by row; "
            "the first of equal ones",
            pool1,
            lambda t, k: t.pool1_winners[k].float(),
        ),
        "conv2.pre": NamedTensor(
            "Conv2 maps before ReLU", conv2, lambda t, k: t.conv2_pre[k]
        ),
        "conv2.relu": NamedTensor(
            "Conv2 maps after ReLU", conv2, lambda t, k: t.conv2_relu[k]
        ),
        "pool2": NamedTensor(
            "Conv2 maps after 2×2 max-pooling", pool2, lambda t, k: t.pool2[k]
        ),
        "pool2.winners": NamedTensor(
            "pixel that pooling took in each 2×2 window of Conv2: 0 to 3, row by row; "
            "the first of equal ones",
            pool2,
            lambda t, k: t.pool2_winners[k].float(),
        ),
        "hidden": NamedTensor(
            "units of the hidden layer after ReLU",
            (config.hidden_units,),
            lambda t, k: t.hidden[k],
            is_large=False,
        ),
        "logits": NamedTensor(
            "output of each class before softmax",
            (config.classes,),
            lambda t, k: t.logits[k],
            is_large=False,
        ),
        "scores": NamedTensor(
            "probability of each class: the softmax of the logits, which sums to 1",
            (config.classes,),
            lambda t, k: t.scores[k],
            is_large=False,
        ),
        **_glimpses(conv1, pool1, conv2, pool2),
    }


def _glimpses(
    conv1: tuple[int, int, int],
    pool1: tuple[int, int, int],
    conv2: tuple[int, int, int],
    pool2: tuple[int, int, int],
) -> dict[str, NamedTensor]:
    """Return the maps that thumbnails show, the same before and after pooling."""

    def glimpse(title: str, shape: tuple[int, int, int], maps: str, by: str):
        def read(trace: Trace, image: int) -> Tensor:
            return getattr(trace, maps)[image][strongest(getattr(trace, by)[image])]

        shown = (min(GLIMPSE, shape[0]), *shape[1:])
        return NamedTensor(title, shown, read, is_optional=True)

    return {
        "conv1.glimpse": glimpse(
            "the Conv1 maps with the most energy after ReLU, in order of their number",
            *(conv1, "conv1_relu", "conv1_relu"),
        ),
        "pool1.glimpse": glimpse(
            "the maps of conv1.glimpse after pooling",
            *(pool1, "pool1", "conv1_relu"),
        ),
        "conv2.glimpse": glimpse(
            "the Conv2 maps with the most energy after ReLU, in order of their number",
            *(conv2, "conv2_relu", "conv2_relu"),
        ),
        "pool2.glimpse": glimpse(
            "the maps of conv2.glimpse after pooling",
            *(pool2, "pool2", "conv2_relu"),
        ),
    }
