"""The named tensors of a trace: title, shape, and how to read each."""

from torch import Tensor

from capsnet_explorer.model.cnn.config import CnnConfig
from capsnet_explorer.model.cnn.network import Trace
from capsnet_explorer.model.layers.maps import GLIMPSE, map_tensors, strongest
from capsnet_explorer.model.layers.tensors import NamedTensor


def named_tensors(config: CnnConfig) -> dict[str, NamedTensor]:
    """Return every tensor that a trace of such a network offers."""
    conv1, pool1 = config.conv1_maps, config.pool1_maps
    conv2, pool2 = config.conv2_maps, config.pool2_maps
    return {
        **map_tensors("conv1", "Conv1", conv1),
        "pool1": NamedTensor(
            "Conv1 maps after 2×2 max-pooling", pool1, lambda t, k: t.pool1[k]
        ),
        "pool1.winners": NamedTensor(
            "pixel that pooling took in each 2×2 window of Conv1: 0 to 3, row by row; "
            "the first of equal ones",
            pool1,
            lambda t, k: t.pool1_winners[k].float(),
        ),
        **map_tensors("conv2", "Conv2", conv2),
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
            f"output of each class before {config.probabilities}",
            (config.classes,),
            lambda t, k: t.logits[k],
            is_large=False,
        ),
        "scores": NamedTensor(
            "probability of each class: the softmax of the logits, which sums to 1"
            if config.probabilities == "softmax"
            else "probability of each class by itself: the sigmoid of its logit",
            (config.classes,),
            lambda t, k: t.scores[k],
            is_large=False,
        ),
        "hidden.contributions": NamedTensor(
            "what each value of Pool2 adds to each logit through the hidden units that "
            "are open"
            + (
                ", less its mean over the classes"
                if config.probabilities == "softmax"
                else ""
            ),
            (*pool2, config.classes),
            lambda t, k: t.contributions(k),
            is_optional=True,
        ),
        "pool1.glimpse": _pooled_glimpse("pool1", "conv1", pool1),
        "pool2.glimpse": _pooled_glimpse("pool2", "conv2", pool2),
    }


def _pooled_glimpse(name: str, below: str, shape: tuple[int, int, int]) -> NamedTensor:
    """Return the same maps as the thumbnail of the convolution below, after pooling."""

    def read(trace: Trace, image: int) -> Tensor:
        relu = getattr(trace, f"{below}_relu")[image]
        return getattr(trace, name)[image][strongest(relu)]

    return NamedTensor(
        f"the maps of {below}.glimpse after pooling",
        (min(GLIMPSE, shape[0]), *shape[1:]),
        read,
        is_optional=True,
    )
