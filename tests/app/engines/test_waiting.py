"""Networks that are on their way: their facts were kept of an earlier start."""

import threading

import numpy as np
import pytest

from capsnet_explorer.app import create_app
from capsnet_explorer.app.engines.protocol import Question
from capsnet_explorer.app.engines.waiting import WaitingEngines, facts_of
from capsnet_explorer.app.errors import DamagedFile
from tests.app.conftest import FakeEngine
from tests.patience import PATIENCE_S

NETWORKS = {"fake": FakeEngine("fake"), "other": FakeEngine("other")}


@pytest.fixture
def engines():
    return WaitingEngines(facts_of(NETWORKS))


def test_facts_are_there_before_any_network_and_then_its_own(engines):
    assert [engine.info for engine in engines.values()] == [
        engine.info for engine in NETWORKS.values()
    ]
    mended = FakeEngine("fake", title="Mended")
    engines.arrival.set_result({"fake": mended, "other": NETWORKS["other"]})
    assert engines["fake"].info.title == "Mended"


def test_a_question_waits_for_its_network(engines):
    answers = []
    image = np.zeros((1, 28, 28), np.float32)

    def ask():
        engine = engines["fake"]
        question = Question(image, engine.options({"iterations": 2}), ("scores",))
        answers.append(engine.trace(question))

    thread = threading.Thread(target=ask)
    thread.start()
    assert answers == []
    engines.arrival.set_result(NETWORKS)
    thread.join(PATIENCE_S)
    (answer,) = answers
    assert answer.tensors.keys() == {"scores"}
    (question,) = NETWORKS["fake"].questions
    assert question.options.iterations == 2


def test_what_no_network_is_asked_is_no_attribute(engines):
    assert not hasattr(engines["fake"], "nothing")


def test_a_network_that_is_gone_keeps_no_other_from_answering(engines):
    engines.arrival.set_result({"fake": NETWORKS["fake"]})
    engines["fake"].options({})
    with pytest.raises(DamagedFile, match="the model other cannot be used"):
        engines["other"].weights(["conv1.bias"])


def test_networks_that_cannot_be_had_answer_with_the_reason(engines):
    engines.arrival.set_exception(ValueError("nothing to load"))
    with pytest.raises(ValueError, match="nothing to load"):
        engines["fake"].options({})


def test_the_page_lists_networks_that_are_on_their_way(engines, tmp_path):
    client = create_app(engines, data_folder=tmp_path).test_client()
    models = client.get("/api/models").json["models"]
    assert [model["id"] for model in models] == ["fake", "other"]
