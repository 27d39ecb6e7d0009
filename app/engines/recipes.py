"""What can be trained, and the recipe that a request asks for: checked without torch.

The second door between web and networks: it knows their settings, and nothing else.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field

from capsnet_explorer.app.errors import InvalidRequest, UnknownThing, short
from capsnet_explorer.dataset_files.catalogue import DATASETS, OWN, Dataset
from capsnet_explorer.dataset_files.parts import is_there
from capsnet_explorer.model.architectures import ARCHITECTURES, DEFAULT, settings_of
from capsnet_explorer.model.options import MIRROR_VARIABLE, RECIPE_HELP
from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.settings import Settings

Group = Literal["recipe", "network", "loss"]
Kind = Literal["number", "integer", "choice"]
Range = tuple[float, float]

LIVE = "live"  # the preset that a laptop trains while one watches
MNIST = "mnist"

# Runs are watched on test images, so none are held out.
LEFT_OUT = ("validation",)

# What a request may ask; the command line takes any value. They keep a run within the
# memory of a small machine, and leave room for mistakes that teach something.
RANGES: dict[str, Range] = {
    "epochs": (1, 1000),
    "batch_size": (1, 1024),
    "learning_rate": (1e-6, 1e6),
    "warmup_steps": (1, 100_000),
    "decay": (0.01, 1),
    "decay_steps": (1, 1_000_000),
    "shift": (0, 8),
    "rotation": (0, 180),
    "scale": (0, 0.9),
    "shear": (0, 1),
    "bend": (0, 4),
    "thickness": (0, 1),
    "mirror": (0, 1),
    "contrast": (0, 1),
    "ground": (0, 1),
    "noise": (0, 1),
    "toned": (0, 1),
    "flags": (0, 0.99),
    "clip": (0, 1000),
    "averaging": (0, 0.9999),
    "start_share": (0, 0.99),
    "examples": (0, 1_000_000),
    "balance": (0, 1),
    "seed": (0, 2**31 - 1),
    "threads": (0, 64),
    "kernel_size": (1, 13),
    "kernel_sizes": (1, 13),
    "primary_dim": (1, 32),
    "primary_stride": (1, 4),
    "primary_types": (1, 64),
    "caps1_types": (1, 64),
    "caps2_types": (1, 64),
    "capsule_kernel": (1, 5),
    "class_dim": (1, 64),
    "digit_dim": (1, 64),
    "routing_iterations": (1, 10),
    "decoder_hidden": (1, 2048),
    "hidden_units": (1, 4096),
    "dropout": (0, 0.95),
    "variance_floor": (1e-6, 10),
    "decoder_gain": (0.01, 100),
    "label_smoothing": (0, 0.99),
    "margin_rise": (0.001, 1),
    "voters": (1, 2000),
    "voters_most": (0, 2000),
}
RANGE_OF: dict[Group, Range] = {"network": (1, 512), "loss": (0, 10), "recipe": (0, 1)}
_KINDS: dict[type, Kind] = {str: "choice", int: "integer", float: "number"}
CHOICES = {"schedule": ("cosine", "exponential")}


class Knob(BaseModel):
    """One setting of a training recipe."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    name: str
    """As the command line's, with `_`."""
    group: Group
    """What it belongs to."""
    type: Kind
    """Of its value, or of each."""
    default: Any
    """Its value in the preset that is taken when none is named."""
    help: str
    """One line."""
    minimum: float | None = None
    """Of a number."""
    maximum: float | None = None
    """Of a number."""
    choices: tuple[str, ...] | None = None
    """Of a word."""
    count: int | None = None
    """How many values it is a list of; null for a single one."""


class PresetValues(BaseModel):
    """A recipe to start from."""

    name: str
    values: dict[str, Any] = Field(description="Every setting, by name.")


class Trainable(BaseModel):
    """An architecture that can be trained."""

    name: str
    title: str = Field(description="What people call it, in the middle of a sentence.")
    preset: str = Field(description="The preset that is taken when none is named.")
    presets: list[PresetValues]
    settings: list[Knob]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A checked recipe.

    Attributes:
        asked: as requests give it, to base another on.
        architecture: name of the architecture.
        preset: name of the preset that the changes are based on.
        dataset: what to train on.
        changes: settings that differ from the preset, by name.
        settings: every setting, by name.
        threads: processor threads; 0 leaves the choice to torch.
        start: the snapshot that it starts from; None starts from random weights.
    """

    asked: Mapping[str, Any]
    architecture: str
    preset: str
    dataset: str = MNIST
    changes: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    threads: int = 0
    start: str | None = None

    @property
    def arguments(self) -> list[str]:
        """What decides the outcome, as options of `python -m model train`."""
        found = ["--architecture", self.architecture, "--preset", self.preset]
        if self.dataset != MNIST:
            found += ["--dataset", self.dataset]
        for name, value in self.changes.items():
            values = value if isinstance(value, tuple) else (value,)
            found += [f"--{name.replace('_', '-')}", *map(str, values)]
        return found


def trainable() -> list[Trainable]:
    """Describe every architecture, the default one first."""
    found = [_trainable(name) for name in ARCHITECTURES]
    return sorted(found, key=lambda each: each.name != DEFAULT)


def _trainable(name: str) -> Trainable:
    settings = settings_of(name)
    usual = usual_preset(settings)
    presets = [
        PresetValues(name=preset, values=values_of(settings, preset))
        for preset in settings.presets
    ]
    knobs = list(_knobs(settings, usual))
    title = settings.title or name
    return Trainable(
        name=name, title=title, preset=usual, presets=presets, settings=knobs
    )


def usual_preset(settings: Settings) -> str:
    """Return the preset that is taken when none is named."""
    return LIVE if LIVE in settings.presets else settings.default_preset


def download_hosts(dataset: Dataset) -> list[str]:
    """Return the names of the servers that are asked for a data set's archives."""
    mirror = os.environ.get(MIRROR_VARIABLE)
    asked = dataset.mirrors if mirror is None or not dataset.mirrors else (mirror,)
    return [urlsplit(each).netloc for each in asked]


def is_ready(dataset: str, data: Path) -> bool:
    """Tell whether the files of a data set are there, or none are needed."""
    known = DATASETS[dataset]
    return known.is_written or is_there(known, data)


def check_ready(dataset: str, data: Path) -> None:
    """Refuse to train on what is not there.

    Raises:
        UnknownThing: says how to get it.
    """
    if not is_ready(dataset, data):
        known = DATASETS[dataset]
        more = "" if dataset == MNIST else f" --dataset {dataset}"
        how = (
            f"make it with `python -m model {known.made_by}`"
            if known.made_by is not None
            else f"put its files into {known.place}"
            if not (known.archives or known.format == "cifar")
            else f"download it with `python -m model data{more}`"
        )
        raise UnknownThing(
            f"{known.title_in(data)} is missing on this machine: "
            f"its operator can {how}",
            field="dataset",
        )


def checked_recipe(asked: Mapping[str, Any], base: Recipe | None = None) -> Recipe:
    """Check a recipe.

    Args:
        asked: `architecture`, `preset`, `dataset`, `start`, `threads` and any setting
            of the command line, by its name with `_` or `-`.
        base: of the network that `start` names; what is not asked is taken from what
            was asked of it, and its sizes stay.

    Raises:
        InvalidRequest: names the field at fault, what is needed and what came.
    """
    given = {name.replace("-", "_"): value for name, value in asked.items()}
    if base is not None:
        given = {**base.asked, **given}
    whole = {name: value for name, value in given.items() if name != "start"}
    usual = DEFAULT if base is None else base.architecture
    architecture = _one_of(given, "architecture", tuple(ARCHITECTURES), usual)
    settings = settings_of(architecture)
    preset = _one_of(given, "preset", tuple(settings.presets), usual_preset(settings))
    dataset = given.pop("dataset", MNIST)
    if not isinstance(dataset, str) or not OWN.fullmatch(dataset):
        dataset = _one_of({"dataset": dataset}, "dataset", tuple(DATASETS), MNIST)
    threads = _typed("threads", given.pop("threads", 0), 0, *RANGES["threads"])
    start = given.pop("start", None)
    defaults = values_of(settings, preset)
    knobs = {knob.name: knob for knob in _knobs(settings, preset)}
    changes = {}
    if base is not None and base.architecture == architecture:
        sizes = {name: base.settings.get(name) for name in settings.sizes_help}
        changed = {name: sizes[name] for name in sizes if sizes[name] != defaults[name]}
        given = {**changed, **given}
    for name, value in given.items():
        if name not in knobs:
            known = ("architecture", "preset", "dataset", "start", "threads", *knobs)
            raise InvalidRequest(
                f"a recipe's settings must be of {', '.join(known)}, got {short(name)}",
                field=name,
            )
        changes[name] = _value(knobs[name], value)
    values = {**defaults, **changes}
    _check_together(settings, preset, changes)
    if base is not None:
        _check_same_network(settings, base, architecture, values)
    return Recipe(whole, architecture, preset, dataset, changes, values, threads, start)


def recipe_of_run(
    asked: Mapping[str, Any], architecture: str, values: Mapping[str, Any]
) -> Recipe:
    """Return the recipe of a run, to base another on.

    Args:
        asked: what was asked for.
        architecture: of its network.
        values: every setting.

    Raises:
        InvalidRequest: no such network can be trained any more.
    """
    kept = {name: asked[name] for name in asked if name not in ("start", "symbols")}
    sizes = {name: values[name] for name in settings_of(architecture).sizes_help}
    recipe = checked_recipe({**kept, **sizes, "architecture": architecture})
    return replace(recipe, asked=kept)


def recipe_of_card(card: Mapping[str, Any]) -> Recipe:
    """Return the recipe that gives a network the sizes on a card.

    Raises:
        InvalidRequest: no such network can be trained here.
    """
    architecture = card.get("architecture", DEFAULT)
    config = card.get("config")
    if architecture not in ARCHITECTURES or not isinstance(config, Mapping):
        raise InvalidRequest(
            f"start must be a network of {', '.join(ARCHITECTURES)}, got one of "
            f"{short(architecture)}",
            field="start",
        )
    names = [name for name in settings_of(architecture).sizes_help if name in config]
    sizes = {name: config[name] for name in names}
    return replace(checked_recipe({"architecture": architecture, **sizes}), asked={})


def values_of(settings: Settings, preset: str) -> dict[str, Any]:
    """Return every setting of a recipe with its value in a preset."""
    training = settings.presets[preset]
    sizes = settings.sizes(**settings.preset_sizes.get(preset, {}))
    loss = settings.loss(**settings.preset_losses.get(preset, {}))
    return {
        **{name: getattr(training, name) for name in _of_recipe()},
        **{name: getattr(sizes, name) for name in settings.sizes_help},
        **{name: getattr(loss, name) for name in settings.loss_help},
    }


def _of_recipe() -> list[str]:
    return [name for name in RECIPE_HELP if name not in LEFT_OUT]


def _knobs(settings: Settings, preset: str) -> Iterator[Knob]:
    values = values_of(settings, preset)
    choices = {**CHOICES, **settings.choices}
    groups: tuple[tuple[Group, Mapping[str, str]], ...] = (
        ("recipe", {name: RECIPE_HELP[name] for name in _of_recipe()}),
        ("network", settings.sizes_help),
        ("loss", settings.loss_help),
    )
    for group, helps in groups:
        for name, words in helps.items():
            value = values[name]
            one = value[0] if isinstance(value, tuple) else value
            count = len(value) if isinstance(value, tuple) else None
            is_word = isinstance(one, str)
            low, high = (None, None) if is_word else RANGES.get(name, RANGE_OF[group])
            yield Knob(
                name=name,
                group=group,
                type=_KINDS[type(one)],
                default=value,
                help=words,
                minimum=low,
                maximum=high,
                choices=choices[name] if is_word else None,
                count=count,
            )


def _one_of(
    given: dict[str, Any], name: str, choices: tuple[str, ...], default: str
) -> str:
    value = given.pop(name, default)
    if value not in choices:
        raise InvalidRequest(
            f"{name} must be one of {', '.join(choices)}, got {short(value)}",
            field=name,
        )
    return value


def _value(knob: Knob, value: Any) -> Any:
    """Return a setting's value, of its type and in its range."""
    if knob.choices is not None:
        return _one_of({knob.name: value}, knob.name, knob.choices, "")
    bounds = RANGES.get(knob.name, RANGE_OF[knob.group])
    if knob.count is None:
        return _typed(knob.name, value, knob.default, *bounds)
    if not isinstance(value, list | tuple) or len(value) != knob.count:
        raise InvalidRequest(
            f"{knob.name} must be a list of {knob.count}, got {short(value)}",
            field=knob.name,
        )
    pairs = zip(value, knob.default, strict=True)
    return tuple(_typed(knob.name, each, own, *bounds) for each, own in pairs)


def _typed(name: str, value: Any, default: float, low: float, high: float) -> Any:
    """Return a number of its setting's type."""
    is_whole = isinstance(default, int)
    if is_whole and isinstance(value, float) and value.is_integer():
        value = int(value)  # JSON does not tell 4.0 from 4
    kinds = int if is_whole else (int, float)
    if not isinstance(value, kinds) or isinstance(value, bool):
        words = "a whole number" if is_whole else "a number"
        raise InvalidRequest(f"{name} must be {words}, got {short(value)}", field=name)
    if not low <= value <= high:
        raise InvalidRequest(
            f"{name} must be from {low:g} to {high:g}, got {short(value)}", field=name
        )
    return type(default)(value)


def _check_together(settings: Settings, preset: str, changes: dict[str, Any]) -> None:
    """Refuse settings that cannot work together, with what the run itself would say."""

    def part(kind: type) -> dict[str, Any]:
        names = {each.name for each in fields(kind)}
        return {name: value for name, value in changes.items() if name in names}

    try:
        replace(settings.presets[preset], **part(TrainingConfig))
        sizes = settings.preset_sizes.get(preset, {})
        settings.sizes(**{**sizes, **part(settings.sizes)})
        loss = settings.preset_losses.get(preset, {})
        settings.loss(**{**loss, **part(settings.loss)})
    except ValueError as error:
        named = next((name for name in changes if name in str(error)), None)
        raise InvalidRequest(str(error), field=named) from None


def _check_same_network(
    settings: Settings, base: Recipe, architecture: str, values: Mapping[str, Any]
) -> None:
    """Refuse a network that cannot take the weights of the snapshot it starts from."""
    needed = {"architecture": base.architecture}
    needed |= {name: base.settings.get(name) for name in settings.sizes_help}
    came = {"architecture": architecture, **values}
    for name, value in needed.items():
        if came[name] != value:
            raise InvalidRequest(
                f"{name} must be that of the start, {value}, got {short(came[name])}",
                field=name,
            )
