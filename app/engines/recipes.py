"""The recipe of a training run, as a request gives it: checked without torch.

The second door between web and networks: it knows their settings, and nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from app.errors import InvalidRequest, short
from model.architectures import ARCHITECTURES, DEFAULT, settings_of
from model.recipe import TrainingConfig
from model.settings import Settings

LIVE = "live"  # the preset that a laptop trains while one watches


@dataclass(frozen=True, slots=True)
class Recipe:
    """A checked recipe.

    Attributes:
        architecture: name of the architecture.
        preset: name of the preset that the changes are based on.
        changes: recipe, sizes and loss that differ from the preset, by name.
        start: the model to start from; None starts from random weights.
    """

    architecture: str
    preset: str
    changes: Mapping[str, Any]
    start: str | None = None

    @property
    def arguments(self) -> list[str]:
        """The recipe as options of `python -m model train`."""
        found = ["--architecture", self.architecture, "--preset", self.preset]
        for name, value in self.changes.items():
            values = value if isinstance(value, tuple) else (value,)
            found += [f"--{name.replace('_', '-')}", *map(str, values)]
        return found


def checked_recipe(asked: Mapping[str, Any]) -> Recipe:
    """Check a recipe.

    Args:
        asked: `architecture`, `preset`, `start` and any setting of the command line, by
            its name with `_` or `-`.

    Raises:
        InvalidRequest: names the field at fault, what is needed and what came.
    """
    given = {name.replace("-", "_"): value for name, value in asked.items()}
    architecture = _one_of(given, "architecture", tuple(ARCHITECTURES), DEFAULT)
    settings = settings_of(architecture)
    usual = LIVE if LIVE in settings.presets else settings.default_preset
    preset = _one_of(given, "preset", tuple(settings.presets), usual)
    start = given.pop("start", None)
    if start is not None and not isinstance(start, str):
        raise InvalidRequest(
            f"start must be the id of a model, got {short(start)}", field="start"
        )
    defaults = _defaults(settings, preset)
    changes = {}
    for name, value in given.items():
        if name not in defaults:
            known = ", ".join(("architecture", "preset", "start", *defaults))
            raise InvalidRequest(
                f"a recipe's settings must be of {known}, got {short(name)}", field=name
            )
        changes[name] = _typed(name, value, defaults[name])
    _check_together(settings, preset, changes)
    return Recipe(architecture, preset, changes, start)


def _one_of(
    given: dict[str, Any], name: str, choices: tuple[str, ...], default: str
) -> str:
    value = given.pop(name, default)
    if value not in choices:
        raise InvalidRequest(
            f"{name} must be one of {', '.join(choices)}, got {short(value)}", field=name
        )
    return value


def _defaults(settings: Settings, preset: str) -> dict[str, Any]:
    """Return every setting of a recipe with its value in the preset."""
    training = settings.presets[preset]
    sizes = settings.sizes(**settings.preset_sizes.get(preset, {}))
    loss = settings.loss(**settings.preset_losses.get(preset, {}))
    return {
        **{each.name: getattr(training, each.name) for each in fields(TrainingConfig)},
        **{name: getattr(sizes, name) for name in settings.sizes_help},
        **{name: getattr(loss, name) for name in settings.loss_help},
    }


def _typed(name: str, value: Any, default: Any) -> Any:
    """Return a value of its setting's type."""
    if isinstance(default, tuple):
        if not isinstance(value, list) or len(value) != len(default):
            raise InvalidRequest(
                f"{name} must be a list of {len(default)}, got {short(value)}",
                field=name,
            )
        return tuple(
            _typed(name, each, own) for each, own in zip(value, default, strict=True)
        )
    kinds = {float: (int, float), int: (int,), str: (str,)}
    is_number = not isinstance(value, bool)
    if not (isinstance(value, kinds[type(default)]) and is_number):
        words = {float: "a number", int: "a whole number", str: "a word"}
        raise InvalidRequest(
            f"{name} must be {words[type(default)]}, got {short(value)}", field=name
        )
    return type(default)(value)


def _check_together(settings: Settings, preset: str, changes: dict[str, Any]) -> None:
    """Refuse settings that cannot work together, with what the run itself would say."""

    def part(kind: type) -> dict[str, Any]:
        names = {each.name for each in fields(kind)}
        return {name: value for name, value in changes.items() if name in names}

    try:
        replace(settings.presets[preset], **part(TrainingConfig))
        settings.sizes(
            **{**settings.preset_sizes.get(preset, {}), **part(settings.sizes)}
        )
        settings.loss(
            **{**settings.preset_losses.get(preset, {}), **part(settings.loss)}
        )
    except ValueError as error:
        named = next((name for name in changes if name in str(error)), None)
        raise InvalidRequest(str(error), field=named) from None
