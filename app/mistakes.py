"""Which digits of a data set a model gets wrong, as its card records them."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from app.datasets import Dataset
from app.engine import ModelInfo
from app.errors import InvalidRequest


class Mistake(BaseModel):
    """One digit that a model took for another."""

    model_config = ConfigDict(frozen=True)

    index: Annotated[int, Field(ge=0)]
    label: int
    prediction: int


MISTAKES = TypeAdapter(list[Mistake])


def mistakes_of(info: ModelInfo, dataset: Dataset, *, field: str) -> Mapping[int, int]:
    """Return what the model took each misread digit for, by the digit's index.

    Args:
        info: the model; `mistakes` of its card is a list of index, label, prediction.
        dataset: where the indexes point.
        field: where the request named the model.

    Raises:
        InvalidRequest: the card records no mistakes, or not those of this data set.
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
    if mistakes is None or not all(_belongs(mistake, dataset) for mistake in mistakes):
        raise InvalidRequest(
            f"{field} must be a model evaluated on {dataset.id}; "
            f"the mistakes on the card of {info.id} are not of these digits",
            field=field,
        )
    return {mistake.index: mistake.prediction for mistake in mistakes}


def _belongs(mistake: Mistake, dataset: Dataset) -> bool:
    return (
        mistake.index < len(dataset) and dataset.labels[mistake.index] == mistake.label
    )
