"""The guide: its files, its numbers, and what the server makes of them."""

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from capsnet_explorer.app.content.glossary import load_glossary
from capsnet_explorer.app.content.guide import EXTENSION, Guide, load_chapters, networks
from capsnet_explorer.app.content.guide.chapters import parse_chapter
from capsnet_explorer.app.content.guide.names import parse_placeholder
from capsnet_explorer.app.content.guide.text import parse_paragraph
from capsnet_explorer.app.engines.facts import TensorInfo
from capsnet_explorer.app.engines.protocol import Question, Trace
from capsnet_explorer.app.engines.torch import load_engines
from capsnet_explorer.datasets.digits import load_samples

QUANTITIES: Any = networks.QUANTITIES  # some are asked with a run, some without

ROOT = Path(__file__).parents[3]
STEP = """
[[step]]
id = "{}"
link = "view=input"
ring = "body"
rings = "the page"
"""
HEAD = """
title = "Title"
question = "Question?"
{steps}
[quiz]
question = "Right?"
[[quiz.answer]]
text = "Yes."
right = true
why = "So."
[[quiz.answer]]
text = "No."
why = "Because."
[[paper]]
authors = "A. Author"
title = "A paper"
year = 2017
"""


def chapter(*texts, head=HEAD, argued="Much."):
    steps = "".join(STEP.format(f"step-{i}") for i in range(len(texts)))
    body = "".join(f"## Step {i}\n\n{text}\n\n" for i, text in enumerate(texts))
    return (
        f"+++\n{head.format(steps=steps)}+++\n\nOpening.\n\n{body}"
        f"## What is still argued about\n\n{argued}\n"
    )


def parsed(*texts, **changes):
    return parse_chapter(chapter(*texts, **changes), 1, "made")


@pytest.fixture(scope="module")
def shipped():
    return load_engines(ROOT / "weights")


@pytest.fixture(scope="module")
def guide(shipped):
    """The guide that is delivered; it takes seconds to fill."""
    return Guide(load_chapters(), shipped)


@pytest.mark.parametrize(
    ("texts", "changes", "message"),
    [
        (("a",) * 3, {}, "at least 4"),
        (("a", "b", "c", "word " * 61), {}, "step step-3 must have at most 60 words"),
        (("a", "b", "c", "{{ card.tset_error }}"), {}, "cards have no key tset_error"),
        (("a", "b", "c", "{{ trace.four-open.lenth }}"), {}, "a trace of capsnet has"),
        (("a", "b", "c", "{{ trace.nobody.length }}"), {}, "no sample nobody"),
        (("a", "b", "c", "{{ cnn.card.epochs }}"), {}, "no network cnn"),
        (("a", "b", "c", "{{ card.epochs | roman }}"), {}, "the format must be one of"),
        (("a", "b", "c", "{{ test_error }}"), {}, "must be card.FIELD or trace"),
        (("a", "b", "c", "[x](https://example.org)"), {}, "must lead to a state"),
        (("a", "b", "c", "d"), {"head": HEAD.replace("right = true", "")}, "one right"),
        (("a", "b", "c", "d"), {"argued": ""}, "there must be text"),
        (("a", "b", "c", "# d"), {}, "headings must be of level 2"),
    ],
)
def test_what_is_wrong_with_a_chapter_is_said(texts, changes, message):
    with pytest.raises(ValueError, match=message):
        parsed(*texts, **changes)


def test_the_message_names_the_file(tmp_path):
    (tmp_path / "01-bad.md").write_text("no front matter", encoding="utf-8")
    with pytest.raises(ValueError, match=r"chapter 01-bad\.md: a chapter must begin"):
        load_chapters(tmp_path)


def test_marks_become_runs():
    runs = parse_paragraph("A **strong** and *soft* `u` [link](#view=input).")
    assert [(run.kind, run.text, run.to) for run in runs] == [
        ("text", "A ", None),
        ("strong", "strong", None),
        ("text", " and ", None),
        ("em", "soft", None),
        ("text", " ", None),
        ("code", "u", None),
        ("text", " ", None),
        ("link", "link", "view=input"),
        ("text", ".", None),
    ]


@pytest.mark.parametrize(
    ("text", "value", "written"),
    [
        ("card.test_error | percent", 0.0053, "0.53 %"),
        ("card.test_error|whole-percent", 0.126, "13 %"),
        ("card.training_images | grouped", 60000, "60\u202f000"),
        ("card.mistakes | count", [1, 2, 3], "3"),
        ("trace.four-open.length", 0.98765, "0.988"),
        ("trace.four-open.length | decimals-1", 0.98765, "0.99"),
        ("trace.four-open.length", 0.99996, "0.99996"),
        ("card.test_error | whole-percent", 0.9999, "99.99 %"),
        ("card.test_error | whole-percent", 1.0, "100 %"),
    ],
)
def test_numbers_are_written_as_their_format_says(text, value, written):
    assert parse_placeholder(text).written(value) == written


def test_the_longest_capsule_is_told_with_its_length_and_the_next():
    lengths = np.array([0.1, 0.2, 0.9, 0.3, 0, 0, 0, 0, 0, 0], np.float32)
    trace = Trace(2, {"scores": lengths}, (2,))
    found = {
        name: QUANTITIES["capsnet"][name].of(trace)
        for name in ("answer", "length", "second", "second-length", "sum")
    }
    assert found == pytest.approx(
        {"answer": 2, "length": 0.9, "second": 3, "second-length": 0.3, "sum": 1.5}
    )


def test_contributions_add_up_to_the_length_before_squash():
    """One capsule type at two places, worked out by hand: ‖v‖ is 0.5."""
    couplings = np.zeros((1, 2, 1, 2, 10), np.float32)
    agreement = np.zeros((1, 2, 1, 2, 10), np.float32)
    couplings[0, :, 0, :, 3] = [[0.1, 0.2], [0.5, 0.5]]
    agreement[0, :, 0, :, 3] = [[1.0, -1.0], [2.0, 2.0]]
    capsules = np.zeros((1, 10, 2), np.float32)
    capsules[0, 3] = [0.3, 0.4]
    trace = Trace(
        3,
        {
            "routing.couplings": couplings,
            "routing.agreement": agreement,
            "routing.capsules": capsules,
        },
        (3,),
    )
    quantities = QUANTITIES["capsnet"]
    assert quantities["against"].of(trace) == 1
    assert quantities["strongest-type"].of(trace) == 1
    assert quantities["strongest-share"].of(trace) == pytest.approx(4.0 / 4.2)


def test_what_attention_leaves_and_gives_is_told():
    couplings = np.full((3, 10), 0.2, np.float32)
    couplings[:, 5] = [1, 0.5, -0.25]
    shares = np.full((3, 10), 0.1, np.float32)
    shares[:, 5] = [0.75, 0.5, 0.25]
    tensors = {"routing.couplings": couplings, "routing.shares": shares}
    trace = Trace(5, tensors, (5,))
    quantities = QUANTITIES["efficient"]
    assert quantities["votes"].of(trace) == 30
    assert quantities["couplings-below-zero"].of(trace) == 1
    assert quantities["smallest-share"].of(trace) == 0.25
    assert quantities["largest-share"].of(trace) == 0.75


def test_the_capsules_that_em_routing_wins_are_counted():
    assignments = np.zeros((2, 4, 1, 1, 10), np.float32)
    assignments[1, :, 0, 0, 7] = [0.9, 0.5, 0.6, 0.1]
    trace = Trace(7, {"routing.assignments": assignments}, (7,))
    quantities = QUANTITIES["matrix"]
    assert quantities["won-capsules"].of(trace) == 2
    assert quantities["capsules-below"].of(trace) == 4


def test_every_chapter_is_filled_from_the_shipped_networks(guide):
    sources, chapters = load_chapters(), guide.chapters
    for source, filled in zip(sources, chapters, strict=True):
        assert filled.number == source.number
        for section, step in zip(source.sections, filled.steps, strict=True):
            sure = [p for p in section.paragraphs if "card.measurements" not in p]
            assert sure, step.id  # experiments may not have been measured yet
            assert len(sure) <= len(step.text) <= len(section.paragraphs), step.id
        assert len(filled.opening) == len(source.opening)
        assert len(filled.argued) == len(source.argued)
        assert filled.quiz.question
        assert all(answer.text and answer.why for answer in filled.quiz.answers)
        assert "{{" not in filled.model_dump_json()


def test_numbers_are_those_of_the_network(shipped):
    source = parsed(
        "{{ card.test_error | percent }}", "{{ trace.one-plain.answer }}", "c", "d"
    )
    (chapter,) = Guide([source], shipped).chapters
    engine = shipped["capsnet-mnist"]
    texts = ["".join(run.text for run in step.text[0]) for step in chapter.steps]
    expected = f"{100 * engine.info.card['test_error']:.2f}".rstrip("0")
    assert texts[0] == f"{expected} %"
    assert texts[1] in "0123456789"


def test_a_paragraph_without_its_measurement_is_left_out(engine):
    source = parsed("Known.\n\nError: {{ card.test_error }}.", "b", "c", "d")
    (chapter,) = Guide([source], {"fake": engine}).chapters
    assert [run.text for run in chapter.steps[0].text[0]] == ["Known."]
    assert len(chapter.steps[0].text) == 1


def test_a_field_that_a_measurement_lacks_stops_the_start(engine):
    engine.info = engine.info.model_copy(
        update={"card": {"loss": {"present_margin": 0.9}}}
    )
    source = parsed("{{ card.loss.absent }}", "b", "c", "d")
    with pytest.raises(ValueError, match=r"the card of fake has no card\.loss\.absent"):
        _ = Guide([source], {"fake": engine}).chapters


def test_a_chapter_without_its_networks_is_left_out(engine, other_engine):
    needs_tensor = parsed("{{ trace.one-plain.longest-primary }}", "b", "c", "d")
    plain = parsed("a", "b", "c", "d")
    assert Guide([needs_tensor, plain], {"small": other_engine}).chapters == ()
    assert len(Guide([needs_tensor, plain], {"fake": engine}).chapters) == 1
    tensors = (*engine.info.tensors, TensorInfo("primary.lengths", (1,), "", "f32"))
    engine.info = engine.info.model_copy(update={"tensors": tensors})
    assert Guide([needs_tensor], {"fake": engine})._sources == [needs_tensor]


def test_strong_words_stand_in_the_glossary():
    """A term is strong where the guide first uses it, and the page explains it."""
    forms = {form.lower() for term in load_glossary() for form in term.forms}
    for source in load_chapters():
        strong = {
            run.text.lower()
            for text in source.texts()
            for run in parse_paragraph(text)
            if run.kind == "strong"
        }
        assert strong <= forms, source.name


def test_code_names_what_the_api_has(shipped):
    for source in load_chapters():
        known = {
            tensor.name
            for engine in shipped.values()
            if engine.info.architecture in source.head.networks
            for tensor in engine.info.tensors
        }
        code = {
            run.text
            for text in source.texts()
            for run in parse_paragraph(text)
            if run.kind == "code"
        }
        assert code <= known, source.name


def test_terms_lead_to_their_entries_in_the_article(guide, client):
    client.application.extensions[EXTENSION] = guide
    text = client.get("/guide/whole").get_data(as_text=True)
    led = set(re.findall(r'<strong><a href="#term-([\w-]+)">', text))
    entries = re.findall(r'<dt id="term-([\w-]+)">', text)
    assert entries == [term.id for term in load_glossary()]
    assert {"capsule", "coupling", "em-routing", "max-pooling"} <= led <= set(entries)


def test_each_chapter_has_a_page_between_its_neighbours(guide, client):
    client.application.extensions[EXTENSION] = guide
    ids = [chapter.id for chapter in guide.chapters]
    contents = client.get("/guide").text
    assert re.findall(r'<a href="guide/([\d\w-]+)">', contents) == [*ids, "whole"]
    for before, name, after in zip(["", *ids], ids, [*ids[1:], ""], strict=False):
        text = client.get(f"/guide/{name}").text
        turns = dict(re.findall(r'<a href="([\w-]+)" rel="(prev|next)">', text))
        assert {there: way for there, way in turns.items()} == {
            there: way for there, way in ((before, "prev"), (after, "next")) if there
        }
        assert text.count('<section class="chapter"') == 1
        for term in re.findall(r'<a href="([^"]*)#term-', text):
            assert term == "../guide"
    assert client.get("/guide/none").status_code == 404


def test_the_api_serves_every_chapter(client):
    answer = client.get("/api/guide")
    assert answer.status_code == 200
    tag = answer.headers["ETag"]
    again = client.get("/api/guide", headers={"If-None-Match": tag})
    assert again.status_code == 304


PREDICT = """
[step.predict]
question = "Which?"
answers = {answers}
right = "{right}"
bounds = {bounds}
found = "This."
"""


def predicted(engine, answers, right, bounds=()):
    """The right answer of a step's prediction, as the page gets it."""
    script = PREDICT.format(answers=[*answers], right=right, bounds=[*bounds]).replace(
        "'", '"'
    )
    braced = script.replace("{", "{{").replace("}", "}}")  # kept by str.format
    source = parsed(
        "a", "b", "c", "d", head=HEAD.replace("{steps}", "{steps}" + braced)
    )
    (chapter,) = Guide([source], {"fake": engine}).chapters
    prediction = chapter.steps[-1].predict
    if prediction is None:
        return None
    (right,) = (answer for answer in prediction.answers if answer.right)
    return "".join(run.text for run in right.text)


@pytest.mark.parametrize(
    ("epochs", "right"), [(49, "few"), (50, "few"), (51, "some"), (501, "many")]
)
def test_the_right_prediction_follows_from_a_number(engine, epochs, right):
    engine.info = engine.info.model_copy(update={"card": {"epochs": epochs}})
    answers = ("few", "some", "many")
    assert predicted(engine, answers, "{{ card.epochs }}", (50, 500)) == right


@pytest.mark.parametrize(("title", "right"), [("4", "4"), ("9", "9"), ("3", "another")])
def test_what_is_no_answers_text_is_the_last_answer(engine, title, right):
    engine.info = engine.info.model_copy(update={"card": {"title": title}})
    assert predicted(engine, ("4", "9", "another"), "{{ card.title }}") == right


def test_nobody_predicts_what_was_not_measured(engine):
    assert predicted(engine, ("few", "many"), "{{ card.test_error }}", (0.5,)) is None


@pytest.mark.parametrize(
    ("answers", "right", "bounds", "message"),
    [
        (("a",), "a", (), "at least 2"),
        (("a", "b"), "{{ card.epochs }}", (1, 2), "2 answers need 1 bounds, got 2"),
        (("a", "b", "c"), "{{ card.epochs }}", (2, 1), "bounds must increase"),
        (("a", "b"), "5", (1,), "right must be one placeholder"),
    ],
)
def test_what_is_wrong_with_a_prediction_is_said(
    engine, answers, right, bounds, message
):
    with pytest.raises(ValueError, match=message):
        predicted(engine, answers, right, bounds)


def test_a_prediction_in_words_has_its_outcome_among_its_answers(guide):
    """What is the text of no answer falls to the last, which must say so."""
    for source in load_chapters():
        for step in source.head.step:
            if step.predict is None or step.predict.bounds:
                continue
            *named, last = (guide._written(source, a) for a in step.predict.answers)
            right = guide._written(source, step.predict.right)
            assert right in (*named, last) or last.startswith("Another"), step.id
            if last.startswith("Another"):
                assert all(answer.isdigit() for answer in named), step.id


def test_a_task_without_a_prediction_is_refused():
    task = '[step.task]\ndo = "a"\ncheck = { kind = "a" }\nhint = "a"\nwhy = "a"\n'
    head = HEAD.replace(
        "{steps}", "{steps}" + task.replace("{", "{{").replace("}", "}}")
    )
    with pytest.raises(ValueError, match="needs a prediction before its task"):
        parsed("a", "b", "c", "d", head=head)


def test_right_answers_stand_at_every_place_and_always_at_the_same(guide, shipped):
    quizzes = [chapter.quiz for chapter in guide.chapters]
    places = [[a.right for a in quiz.answers].index(True) for quiz in quizzes]
    assert set(places) == {0, 1, 2}
    again = Guide(load_chapters()[:3], shipped).chapters
    assert [chapter.quiz for chapter in again] == quizzes[:3]


def test_types_fall_silent_until_the_digit_is_absent(shipped):
    """Asked of the server as the page does, one type more at a time."""
    engine = shipped["capsnet-mnist"]
    (sample,) = (sample for sample in load_samples() if sample.id == "three-round")

    def run(choices, names=("scores",)):
        return engine.trace(Question(sample.image, engine.options(choices), names))

    quantity = QUANTITIES["capsnet"]["types-until-absent"]
    intact = run({}, quantity.needs)
    count = quantity.of(intact, lambda choices: run(choices))
    contributions = (
        intact.tensors["routing.couplings"][-1][..., 3]
        * intact.tensors["routing.agreement"][-1][..., 3]
    )
    ranked = np.argsort(-contributions.sum((1, 2)))
    cells = contributions[0].size

    def length(types):
        silent = [
            int(t) * cells + cell for t in ranked[:types] for cell in range(cells)
        ]
        return run({"silence": silent}).tensors["scores"][3]

    assert length(count) < 0.5 <= length(count - 1)


def test_windows_keep_their_value_as_often_as_in_the_moved_image(shipped):
    engine = shipped["cnn-mnist"]
    (sample,) = (sample for sample in load_samples() if sample.id == "four-open")
    quantity = QUANTITIES["cnn"]["kept-when-moved"]

    def run(image):
        return engine.trace(Question(image, engine.options({}), quantity.needs))

    was, now = run(sample.image), run(np.roll(sample.image, 1, axis=2))
    before, after = was.tensors["pool1"], now.tensors["pool1"]
    active = (before > 0) | (after > 0)
    same = np.isclose(before, after, rtol=2**-10, atol=0)
    assert quantity.of(was) == pytest.approx(same[active].mean(), abs=0.005)


def test_the_short_paths_answer_holds_for_the_shipped_networks(shipped):
    """Beyond chance for matrix capsules, and not for the CapsNet, by a sign test."""
    card = shipped["capsnet-mnist"].info.card
    saved, spoiled = card["saved_by_routing"], card["spoiled_by_routing"]
    errors, images = card["errors_by_iterations"], card["test_images"]
    assert round((errors["1"] - errors["3"]) * images) == saved - spoiled
    most, count = max(saved, spoiled), saved + spoiled
    beyond = sum(math.comb(count, k) for k in range(most, count + 1)) / 2 ** (count - 1)
    assert beyond > 0.05
    assert shipped["matrix-mnist"].info.card["errors_by_iterations"]["1"] > 0.5


def test_the_short_path_shows_an_image_of_each_kind(shipped):
    """One that routing reads right, one that it misreads, one that it only sharpens."""
    engine = shipped["capsnet-mnist"]

    def read(sample, iterations):
        options = engine.options({"iterations": iterations})
        trace = engine.trace(Question(sample.image, options, ("scores",)))
        return trace.prediction, trace.tensors["scores"].max()

    readings = {
        sample.id: (sample.label, read(sample, 3), read(sample, 1))
        for sample in load_samples()
        if sample.id in ("nine-eight", "seven-nine", "four-open")
    }
    label, (routed, _), (even, _) = readings["nine-eight"]
    assert routed == label != even
    label, (routed, _), (even, _) = readings["seven-nine"]
    assert even == label != routed
    label, (routed, sharp), (even, blunt) = readings["four-open"]
    assert routed == even == label
    assert sharp > 1.5 * blunt > 0.5


def test_a_sample_that_is_nearly_another_digit_has_that_one_next(shipped):
    engine = shipped["capsnet-mnist"]
    named = re.compile(r"(\d), nearly an? (\d)")
    samples = [sample for sample in load_samples() if named.match(sample.title)]
    assert samples
    for sample in samples:
        trace = engine.trace(Question(sample.image, engine.options({}), ("scores",)))
        longest = trace.tensors["scores"].ravel().argsort()[::-1][:2]
        assert {str(digit) for digit in longest} == set(named.findall(sample.title)[0])
