"""The digits of a data set that a model misreads, from its card."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from capsnet_explorer.app.content.datasets import Dataset
from capsnet_explorer.app.engines.facts import ModelInfo
from capsnet_explorer.app.errors import InvalidRequest


class Mistake(BaseModel):
    """One digit that a model misread."""

    model_config = ConfigDict(frozen=True)

    index: Annotated[int, Field(ge=0)]
    label: int
    prediction: int


MISTAKES = TypeAdapter(list[Mistake])


def mistakes_of(info: ModelInfo, dataset: Dataset, *, field: str) -> Mapping[int, int]:
    """Return the model's prediction for each misread digit, by the digit's index.

    Args:
        info: the model; `mistakes` on its card lists index, label and prediction.
        dataset: the data set that the indexes refer to.
        field: field of the request that named the model.

    Raises:
        InvalidRequest: the card lists no mistakes, or those of another data set.
    """
    if "mistakes" not in info.card:
        raise InvalidRequest(
            f"{field} must be a model whose card lists its mistakes; "
            f"{info.id} has not been evaluated yet",
            field=field,
        )
    try:
        mistakes = MISTAKES.validate_python(info.card["mistakes"])
    except ValidationError:
        mistakes = None
    classes = len(info.class_names)
    if mistakes is None or not all(
        _belongs(mistake, dataset) and 0 <= mistake.prediction < classes
        for mistake in mistakes
    ):
        raise InvalidRequest(
            f"{field} must be a model evaluated on {dataset.id}; "
            f"the mistakes on the card of {info.id} belong to other digits",
            field=field,
        )
    return {mistake.index: mistake.prediction for mistake in mistakes}


def _belongs(mistake: Mistake, dataset: Dataset) -> bool:
    return (
        dataset.labels is not None
        and mistake.index < len(dataset)
        and dataset.labels[mistake.index] == mistake.label
    )
