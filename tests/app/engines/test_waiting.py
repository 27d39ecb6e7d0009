"""What was kept of an earlier start, and networks that are on their way."""

import threading
from dataclasses import replace

import numpy as np
import pytest

from capsnet_explorer.app import create_app
from capsnet_explorer.app.engines.protocol import AttackQuestion, Question
from capsnet_explorer.app.engines.waiting import (
    ARRIVAL,
    FILE,
    Start,
    WaitingEngines,
    kept_start,
    key_of,
)
from capsnet_explorer.app.errors import DamagedFile
from capsnet_explorer.datasets.digits import load_samples
from capsnet_explorer.perturbations.attack import Attack
from tests.app.conftest import Attackable, FakeEngine, FakeOptions
from tests.patience import PATIENCE_S

NAMES = ("maps", "scores")
CHOICES = {"iterations": 3}


class EqualOptionsEngine(FakeEngine):
    """What is asked for and what is left out come to equal options."""

    def options(self, asked):
        return FakeOptions(super().options(asked).iterations)


class Loading:
    """Networks that come when they are let."""

    def __init__(self, *engines, error=None):
        self.may_come, self.failed = threading.Event(), threading.Event()
        self._engines = {each.info.id: each for each in engines}
        self._error = error

    def __call__(self):
        assert self.may_come.wait(PATIENCE_S)
        if self._error is not None:
            raise self._error
        return self._engines

    def come(self, networks):
        self.may_come.set()
        networks.begin(self.failed.set).join(PATIENCE_S)


@pytest.fixture
def start(tmp_path):
    return Start(tmp_path, "key", [FakeEngine("fake").info, FakeEngine("other").info])


def example():
    return np.array(load_samples()[3].image, np.float32)


def ask(engine, image, names=NAMES):
    question = Question(image, engine.options(CHOICES), names, half=True)
    return engine.trace(question)


def begun(start, image=None):
    """Start once with all there, and let the page begin."""
    loading = Loading(FakeEngine("fake"), FakeEngine("other"))
    networks = WaitingEngines(start, loading)
    loading.come(networks)
    return ask(networks["fake"], example() if image is None else image)


def test_facts_are_kept_for_the_same_files_alone(start, tmp_path):
    assert kept_start(tmp_path, "key") is None
    start.keep()
    kept = kept_start(tmp_path, "key")
    assert (kept.infos, kept.reading) == (start.infos, None)
    assert kept_start(tmp_path, "another key") is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda body: b"",
        lambda body: body[:20],
        lambda body: body[:-1],
        lambda body: body[:900] + bytes([body[900] ^ 1]) + body[901:],
        lambda body: b"x" * len(body),
    ],
)
def test_a_damaged_file_is_as_none(start, tmp_path, damage):
    begun(start)
    file = tmp_path / FILE
    file.write_bytes(damage(file.read_bytes()))
    assert kept_start(tmp_path, "key") is None


def test_the_key_changes_with_any_file_of_weights(tmp_path):
    (tmp_path / "measured").mkdir()
    keys = [key_of(tmp_path, "1"), key_of(tmp_path, "2")]
    for name in ("a.safetensors", "measured/a.safetensors"):
        (tmp_path / name).write_bytes(b"1")
        keys.append(key_of(tmp_path, "1"))
    assert len({*keys}) == 4
    assert key_of(tmp_path, "1") == keys[-1]


def test_the_page_begins_as_last_time_before_any_network_is_there(start, tmp_path):
    answer = begun(start)
    loading = Loading(FakeEngine("fake"), FakeEngine("other"))
    networks = WaitingEngines(kept_start(tmp_path, "key"), loading)
    fake = networks["fake"]
    assert fake.info == start.infos[0]
    kept = ask(fake, example())  # nothing has come
    assert (kept.prediction, kept.present) == (answer.prediction, answer.present)
    for name in NAMES:
        assert kept.tensors[name].dtype == answer.tensors[name].dtype
        np.testing.assert_array_equal(kept.tensors[name], answer.tensors[name])
    assert fake.options(CHOICES).in_response == CHOICES
    loading.come(networks)
    assert isinstance(fake.options(CHOICES), type(FakeEngine("x").options({})))


@pytest.mark.parametrize("changed", ["image", "names", "options"])
def test_any_other_question_waits_for_the_network(start, tmp_path, changed):
    begun(start)
    loading = Loading(FakeEngine("fake"), FakeEngine("other"))
    networks = WaitingEngines(kept_start(tmp_path, "key"), loading)
    image, names = example(), NAMES
    if changed == "image":
        image[0, 14, 14] = 0.5
    names = ("votes", *NAMES) if changed == "names" else names
    choices = {"iterations": 2} if changed == "options" else CHOICES
    answers = []

    def asked():
        engine = networks["fake"]
        question = Question(image, engine.options(choices), names, half=True)
        answers.append(engine.trace(question))

    thread = threading.Thread(target=asked)
    thread.start()
    assert answers == []
    loading.come(networks)
    thread.join(PATIENCE_S)
    (answer,) = answers
    right = FakeEngine("fake")
    question = Question(image, right.options(choices), names, half=True)
    for name, array in right.trace(question).tensors.items():
        np.testing.assert_array_equal(answer.tensors[name], array)
    next_time = kept_start(tmp_path, "key").reading
    assert ("votes" in next_time.trace.tensors) == (changed == "names")


@pytest.mark.parametrize("method", ["trace_many", "attack"])
def test_what_is_asked_before_the_network_is_there_gets_its_own_options(
    start, tmp_path, method
):
    begun(start)
    fake = Attackable("fake")
    loading = Loading(fake, FakeEngine("other"))
    engine = WaitingEngines(kept_start(tmp_path, "key"), loading)
    options = engine["fake"].options(CHOICES)  # as kept: no network is there
    about = Question(example(), options, NAMES)
    fgsm = AttackQuestion(
        *(example(), 4, None, (0.2,), Attack("fgsm"), "gap", "full", options, NAMES)
    )
    asked = fgsm if method == "attack" else [about]
    thread = threading.Thread(target=getattr(engine["fake"], method), args=[asked])
    thread.start()
    loading.come(engine)
    thread.join(PATIENCE_S)
    assert {question.options.iterations for question in fake.questions} == {3}


def test_what_others_ask_meanwhile_does_not_keep_the_page_from_being_kept(
    start, tmp_path
):
    loading = Loading(EqualOptionsEngine("fake"), FakeEngine("other"))
    networks = WaitingEngines(start, loading)
    loading.come(networks)
    fake = networks["fake"]
    page = Question(example(), fake.options(CHOICES), NAMES, half=True)
    for iterations in range(4, 9):
        fake.options({"iterations": iterations})
    fake.options({})  # comes to the same options
    fake.trace(page)
    again = WaitingEngines(kept_start(tmp_path, "key"), Loading())["fake"]
    assert again.options(CHOICES).in_response == CHOICES
    assert again.options({}).in_response == CHOICES


def test_what_a_visitor_drew_is_not_kept(start, tmp_path):
    begun(start, example() / 2)
    assert not (tmp_path / FILE).exists()


def test_what_was_kept_gives_way_to_what_the_networks_say(start, tmp_path):
    begun(start)
    kept = kept_start(tmp_path, "key")
    wrong = {name: array + 1 for name, array in kept.reading.trace.tensors.items()}
    trace = replace(kept.reading.trace, tensors=wrong)
    infos = [info.model_copy(update={"title": "Old"}) for info in kept.infos]
    wrongly = Start(tmp_path, "key", infos, replace(kept.reading, trace=trace))
    loading = Loading(FakeEngine("fake"), FakeEngine("other"))
    networks = WaitingEngines(wrongly, loading)
    assert networks["fake"].info.title == "Old"
    loading.come(networks)
    assert networks["fake"].info.title == "Fake"
    mended = kept_start(tmp_path, "key")
    assert mended.infos == start.infos
    assert mended.reading.is_right(kept.reading.trace)


def test_networks_that_cannot_be_had_are_told_of_and_looked_at_anew(start, tmp_path):
    start.keep()
    loading = Loading(error=ValueError("nothing to load"))
    networks = WaitingEngines(start, loading)
    loading.come(networks)
    assert loading.failed.is_set()
    assert not (tmp_path / FILE).exists()
    with pytest.raises(ValueError, match="nothing to load"):
        ask(networks["fake"], example())


def test_a_network_that_is_gone_keeps_no_other_from_answering(start, tmp_path):
    start.keep()
    loading = Loading(FakeEngine("fake"))
    networks = WaitingEngines(start, loading)
    loading.come(networks)
    assert not loading.failed.is_set()
    assert not (tmp_path / FILE).exists()
    ask(networks["fake"], example())
    with pytest.raises(DamagedFile, match="the model other cannot be used"):
        networks["other"].weights(["conv1.bias"])


def test_a_server_says_that_it_starts_until_the_networks_are_there(start, tmp_path):
    loading = Loading(FakeEngine("fake"), FakeEngine("other"))
    networks = WaitingEngines(start, loading)
    app = create_app(networks, data_folder=tmp_path)
    app.extensions[ARRIVAL] = networks.arrival
    client = app.test_client()
    assert client.get("/api/health").json["status"] == "starting"
    assert 'data-part="starting"' in client.get("/").text
    models = client.get("/api/models").json["models"]
    assert [each["id"] for each in models] == ["fake", "other"]
    loading.come(networks)
    assert client.get("/api/health").json["status"] == "ok"
    assert 'data-part="starting"' not in client.get("/").text
