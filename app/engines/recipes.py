"""What can be trained, and the recipe that a request asks for: checked without torch.

The second door between web and networks: it knows their settings, and nothing else.
"""

import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field

from capsnet_explorer.app.errors import InvalidRequest, UnknownThing, short
from capsnet_explorer.datasets.catalogue import DATASETS, OWN, Dataset
from capsnet_explorer.datasets.idx import BrokenFile
from capsnet_explorer.datasets.parts import is_there
from capsnet_explorer.datasets.symbols import Symbols, checked_symbols
from capsnet_explorer.model.architectures import ARCHITECTURES, DEFAULT, settings_of
from capsnet_explorer.model.options import MIRROR_VARIABLE
from capsnet_explorer.model.setting import Kind, Setting, settings_in
from capsnet_explorer.model.settings import Group, Settings

LIVE = "live"  # the preset that a laptop trains while one watches
MNIST = "mnist"
SYMBOLS = "symbols"  # the data set of symbols of one's own
THREADS = Setting(0, low=0, high=64)


class Knob(BaseModel):
    """One setting of a training recipe."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    name: str
    """As the command line's, with `_`."""
    title: str
    """What people call it."""
    group: Group
    """What it belongs to."""
    first: bool
    """Whether people see it at once, before all others."""
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
        choices: as requests give it, to base another on.
        architecture: name of the architecture.
        preset: name of the preset that the changes are based on.
        dataset: what to train on.
        changes: settings that differ from the preset, by name.
        settings: every setting, by name.
        threads: processor threads; 0 leaves the choice to torch.
        start: the snapshot that it starts from; None starts from random weights.
    """

    choices: Mapping[str, Any]
    architecture: str
    preset: str
    dataset: str = MNIST
    changes: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    threads: int = 0
    start: str | None = None

    @property
    def arguments(self) -> list[str]:
        """What decides the outcome, as options of the command `train`."""
        options = ["--architecture", self.architecture, "--preset", self.preset]
        if self.dataset != MNIST:
            options += ["--dataset", self.dataset]
        for name, value in self.changes.items():
            values = value if isinstance(value, tuple) else (value,)
            options += [f"--{name.replace('_', '-')}", *map(str, values)]
        return options


def trainable() -> list[Trainable]:
    """Describe every architecture, the default one first."""
    architectures = [_trainable(name) for name in ARCHITECTURES]
    return sorted(architectures, key=lambda entry: entry.name != DEFAULT)


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
    addresses = dataset.mirrors if mirror is None or not dataset.mirrors else (mirror,)
    return [urlsplit(address).netloc for address in addresses]


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
            f"make it with `python -m capsnet_explorer {known.made_by}`"
            if known.made_by is not None
            else f"put its files into {known.place}"
            if not known.can_be_downloaded
            else f"download it with `python -m capsnet_explorer data{more}`"
        )
        raise UnknownThing(
            f"{known.title_in(data)} is missing on this machine: "
            f"its operator can {how}",
            field="dataset",
        )


def symbols_from(content: object) -> Symbols:
    """Check a set of symbols.

    Raises:
        InvalidRequest: says what is needed and what came.
    """
    try:
        return checked_symbols(content)
    except BrokenFile as error:
        raise InvalidRequest(str(error), field="symbols") from None


def checked_recipe(request: Mapping[str, Any], base: Recipe | None = None) -> Recipe:
    """Check a recipe.

    Args:
        request: `architecture`, `preset`, `dataset`, `start`, `threads` and any setting
            of the command line, by its name with `_` or `-`.
        base: of the network that `start` names; what is not asked is taken from what
            was asked of it, and its sizes stay.

    Raises:
        InvalidRequest: names the field at fault, what is needed and what came.
    """
    fields = {name.replace("-", "_"): value for name, value in request.items()}
    if base is not None:
        fields = {**base.choices, **fields}
    whole = {name: value for name, value in fields.items() if name != "start"}
    usual = DEFAULT if base is None else base.architecture
    architecture = _one_of(fields, "architecture", tuple(ARCHITECTURES), usual)
    settings = settings_of(architecture)
    preset = _one_of(fields, "preset", tuple(settings.presets), usual_preset(settings))
    dataset = fields.pop("dataset", MNIST)
    if not isinstance(dataset, str) or not OWN.fullmatch(dataset):
        dataset = _one_of({"dataset": dataset}, "dataset", tuple(DATASETS), MNIST)
    threads = _value("threads", THREADS, fields.pop("threads", 0))
    start = fields.pop("start", None)
    defaults = values_of(settings, preset)
    known = {name: setting for _, name, setting in _page_settings(settings)}
    changes = {}
    if base is not None and base.architecture == architecture:
        sizes = {name: base.settings.get(name) for name in settings_in(settings.sizes)}
        changed = {name: sizes[name] for name in sizes if sizes[name] != defaults[name]}
        fields = {**changed, **fields}
    for name, value in fields.items():
        if name not in known:
            names = ("architecture", "preset", "dataset", "start", "threads", *known)
            raise InvalidRequest(
                f"a recipe's settings must be of {', '.join(names)}, got {short(name)}",
                field=name,
            )
        changes[name] = _value(name, known[name], value)
    values = {**defaults, **changes}
    _check_together(settings, preset, changes)
    if base is not None:
        _check_same_network(settings, base, architecture, values)
    return Recipe(whole, architecture, preset, dataset, changes, values, threads, start)


def recipe_of_run(
    request: Mapping[str, Any], architecture: str, values: Mapping[str, Any]
) -> Recipe:
    """Return the recipe of a run, to base another on.

    Raises:
        InvalidRequest: no such network can be trained any more.
    """
    kept = {name: request[name] for name in request if name not in ("start", "symbols")}
    names = settings_in(settings_of(architecture).sizes)
    sizes = {name: values[name] for name in names if name in values}
    recipe = checked_recipe({**kept, **sizes, "architecture": architecture})
    return replace(recipe, choices=kept)


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
    names = settings_in(settings_of(architecture).sizes)
    sizes = {name: config[name] for name in names if name in config}
    return replace(checked_recipe({"architecture": architecture, **sizes}), choices={})


def _page_settings(settings: Settings) -> Iterator[tuple[Group, str, Setting]]:
    """Yield every setting that a request can name."""
    for group, declared in settings.groups.items():
        for name, setting in declared.items():
            if setting.is_for_page:
                yield group, name, setting


def values_of(settings: Settings, preset: str) -> dict[str, Any]:
    """Return every setting that a request can name, with its value in a preset."""
    values = settings.values(preset)
    return {name: values[name] for _, name, _ in _page_settings(settings)}


def _knobs(settings: Settings, preset: str) -> Iterator[Knob]:
    values = settings.values(preset)
    for group, name, setting in _page_settings(settings):
        is_word = setting.kind == "choice"
        yield Knob(
            name=name,
            title=setting.title or name.replace("_", " "),
            group=group,
            first=setting.is_first,
            type=setting.kind,
            default=values[name],
            help=setting.help,
            minimum=None if is_word else setting.low,
            maximum=None if is_word else _finite(min(setting.high, setting.most)),
            choices=tuple(setting.choices) if is_word else None,
            count=setting.count,
        )


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _one_of(
    fields: dict[str, Any], name: str, choices: tuple[str, ...], default: str
) -> str:
    value = fields.pop(name, default)
    if value not in choices:
        raise InvalidRequest(
            f"{name} must be one of {', '.join(choices)}, got {short(value)}",
            field=name,
        )
    return value


def _value(name: str, setting: Setting, value: Any) -> Any:
    """Return a setting's value, of its type and in its range."""
    try:
        return setting.checked(name, value, is_asked=True, told=short)
    except ValueError as error:
        raise InvalidRequest(str(error), field=name) from None


def _check_together(settings: Settings, preset: str, changes: dict[str, Any]) -> None:
    """Refuse settings that cannot work together, with what the run itself would say."""
    try:
        changed = settings.changed(preset, changes)
        settings.sizes(**changed.sizes)
        settings.loss(**changed.loss)
    except ValueError as error:
        named = next((name for name in changes if name in str(error)), None)
        raise InvalidRequest(str(error), field=named) from None


def _check_same_network(
    settings: Settings, base: Recipe, architecture: str, values: Mapping[str, Any]
) -> None:
    """Refuse a network that cannot take the weights of the snapshot it starts from."""
    needed = {"architecture": base.architecture}
    needed |= {name: base.settings.get(name) for name in settings_in(settings.sizes)}
    came = {"architecture": architecture, **values}
    for name, value in needed.items():
        if came[name] != value:
            raise InvalidRequest(
                f"{name} must be that of the start, {value}, got {short(came[name])}",
                field=name,
            )
