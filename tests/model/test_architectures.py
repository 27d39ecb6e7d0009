"""Networks from outside the project, and what is said where they cannot be had."""

import pytest

from capsnet_explorer.model.architectures import (
    ARCHITECTURES,
    architecture_named,
    register,
)

PACKAGE = "tests.third.model"


@pytest.fixture(autouse=True)
def _as_before():
    before = dict(ARCHITECTURES)
    yield
    ARCHITECTURES.clear()
    ARCHITECTURES.update(before)
    architecture_named.cache_clear()


def test_a_package_from_anywhere_is_an_architecture():
    register("linear", PACKAGE)
    register("linear", PACKAGE)  # again is no other
    assert architecture_named("linear").title == "Linear classifier"


@pytest.mark.parametrize(
    ("name", "package", "message"),
    [
        ("capsnet", PACKAGE, f"capsnet must be one package, got .* and {PACKAGE}"),
        ("My net", PACKAGE, "must be small letters, digits and hyphens, .* 'My net'"),
        ("mine", "nowhere_at_all", "mine must be a package nowhere_at_all with archi"),
    ],
)
def test_what_is_none_is_refused_and_not_kept(name, package, message):
    before = dict(ARCHITECTURES)
    with pytest.raises(ValueError, match=message):
        register(name, package)
    assert before == ARCHITECTURES


def test_a_description_that_cannot_be_shown_is_refused(monkeypatch):
    from tests.third.model.architecture import LinearArchitecture

    layers = [
        {
            "id": "scores",
            "kind": "classes",
            "title": "S",
            "tensors": {"scores": "score"},
        }
    ]
    monkeypatch.setattr(LinearArchitecture, "layers", lambda _self, _config: layers)
    message = (
        "^linear, layer scores: tensors.scores must be one of the trace's, .*score$"
    )
    with pytest.raises(ValueError, match=message):
        register("linear", PACKAGE)
    assert "linear" not in ARCHITECTURES
