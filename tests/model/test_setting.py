"""A setting is declared once: where its dataclass has the field."""

import math
from dataclasses import dataclass, replace

import pytest

from capsnet_explorer.app.engines.recipes import checked_recipe, trainable
from capsnet_explorer.app.errors import InvalidRequest
from capsnet_explorer.cli import main
from capsnet_explorer.model.capsnet import config
from capsnet_explorer.model.capsnet.config import LossConfig
from capsnet_explorer.model.setting import check_fields, setting, settings_in
from capsnet_explorer.model.training import run as training_run
from capsnet_explorer.model.training.checkpoint import CheckpointError


@dataclass(frozen=True, slots=True)
class LaterLoss(LossConfig):
    """The loss with a setting that no run has had so far."""

    weight_decay: float = setting(
        0.0,
        "share by which weights shrink in a step",
        most=0.5,
        title="decay of weights",
        is_first=True,
    )


SETTINGS = replace(config.SETTINGS, loss=LaterLoss)


@pytest.fixture
def declared(monkeypatch):
    monkeypatch.setattr(config, "SETTINGS", SETTINGS)


@pytest.mark.usefixtures("declared")
def test_a_declared_setting_is_an_option(monkeypatch, capsys):
    requests = []
    monkeypatch.setattr(training_run, "train_and_measure", requests.append)
    assert main(["train", "--weight-decay", "0.01"]) == 0
    assert requests[0].loss == {"weight_decay": 0.01}
    with pytest.raises(SystemExit):
        main(["train", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "--weight-decay N share by which weights shrink in a step (0.0)" in text


@pytest.mark.usefixtures("declared")
def test_a_declared_setting_stands_in_the_form_and_is_checked_in_requests():
    (capsnet,) = (item for item in trainable() if item.name == "capsnet")
    (decay,) = (item for item in capsnet.settings if item.name == "weight_decay")
    assert decay.model_dump() == {
        **{"name": "weight_decay", "title": "decay of weights", "group": "loss"},
        **{"first": True, "type": "number", "default": 0.0, "count": None},
        **{"help": "share by which weights shrink in a step", "choices": None},
        **{"minimum": 0.0, "maximum": 0.5},
    }
    assert all(item.values["weight_decay"] == 0.0 for item in capsnet.presets)
    recipe = checked_recipe({"weight_decay": 0.2})
    assert recipe.arguments[-2:] == ["--weight-decay", "0.2"]
    with pytest.raises(InvalidRequest, match="weight_decay must be from 0 to"):
        checked_recipe({"weight_decay": 0.6})


def test_a_run_from_before_a_setting_was_declared_can_be_resumed(make_trainer):
    make_trainer().save()
    trainer = make_trainer(loss=LaterLoss())
    trainer.resume()
    with pytest.raises(CheckpointError, match=r"with weight_decay 0\.0, not 0\.1"):
        make_trainer(loss=LaterLoss(weight_decay=0.1)).resume()
    # A version that does not know the setting cannot go on with it.
    trainer.save()
    with pytest.raises(CheckpointError, match=r"with weight_decay 0\.0, not None"):
        make_trainer().resume()


@dataclass(frozen=True, slots=True)
class Sizes:
    sides: tuple[int, int] = setting((3, 5), "two sides", 1, most=9)
    share: float = setting(0.5, "a share", 0, 1)
    word: str = setting("a", "a word", choices=("a", "b"))
    classes: int = 10

    def __post_init__(self):
        check_fields(self)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sides": (3, 5, 7)}, r"sides must be a list of 2, got \(3, 5, 7\)"),
        ({"sides": (3, 0)}, "sides must be at least 1, got 0"),
        ({"sides": (3, 1.5)}, "sides must be a whole number, got 1.5"),
        ({"share": 1.1}, "share must be from 0 to 1, got 1.1"),
        ({"share": math.nan}, "share must be from 0 to 1, got nan"),
        ({"share": True}, "share must be a number, got True"),
        ({"word": "c"}, "word must be one of a, b, got 'c'"),
        ({"classes": 0}, "classes must be at least 1, got 0"),
    ],
)
def test_a_value_that_cannot_be_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        Sizes(**changes)


def test_a_request_has_limits_of_its_own_and_numbers_as_json_has_them():
    sides = settings_in(Sizes)["sides"]
    assert sides.checked("sides", [20, 4]) == (20, 4)
    assert sides.checked("sides", [3.0, 4], is_asked=True) == (3, 4)
    with pytest.raises(ValueError, match="sides must be from 1 to 9, got 20"):
        sides.checked("sides", [20, 4], is_asked=True)
    assert type(settings_in(Sizes)["share"].checked("share", 1)) is float
