"""Fills the guide's texts with what the loaded networks say."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from threading import Lock
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from capsnet_explorer.app.content.claims import Outcome, load_claims
from capsnet_explorer.app.content.guide.chapters import (
    Answer,
    Check,
    Paper,
    Prediction,
    Source,
    load_chapters,
    load_ending,
)
from capsnet_explorer.app.content.guide.figures import Figure, load_figures
from capsnet_explorer.app.content.guide.names import (
    Placeholder,
    filled,
    placeholders_in,
)
from capsnet_explorer.app.content.guide.networks import QUANTITIES
from capsnet_explorer.app.content.guide.quantities import Rerun, as_single
from capsnet_explorer.app.content.guide.text import Paragraph, parse_paragraph
from capsnet_explorer.app.engines.protocol import Engine, Question, Trace
from capsnet_explorer.datasets.digits import load_samples

MEASUREMENTS = "measurements"  # the entry of a card
DIGITS = "mnist"  # the data set whose networks the guide speaks of


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class Guess(_Part):
    """One answer that readers can predict."""

    text: Paragraph
    right: bool


class FilledPrediction(_Part):
    """What readers say before they see."""

    question: Paragraph
    answers: tuple[Guess, ...] = Field(description="Exactly one of them is right.")
    found: Paragraph = Field(description="What was found.")
    reveals: str | None = Field(
        description="The state to show once predicted; null for the step's own."
    )
    ring: str | None = Field(
        description="A selector of what is ringed until then; null for the step's own."
    )
    rings: str | None = Field(description="What that is called.")


class FilledTask(_Part):
    """A task that the page recognises once it is done."""

    do: Paragraph = Field(description="What to do.")
    check: Check
    hint: Paragraph = Field(description="How to do it.")
    why: Paragraph = Field(description="What it shows.")


class Step(_Part):
    """One step: a short text, the state that it speaks of, and what it rings there."""

    id: str
    title: str
    text: tuple[Paragraph, ...]
    link: str = Field(description="The state, as it stands behind the # of an address.")
    ring: str = Field(description="A selector of the element.")
    rings: str = Field(description="What the element is called.")
    predict: FilledPrediction | None
    task: FilledTask | None
    figure: Figure | None = Field(
        description="Drawn from the very weights that are loaded."
    )


class FilledAnswer(_Part):
    """One answer of a quiz."""

    text: Paragraph
    right: bool
    why: Paragraph


class FilledQuiz(_Part):
    """The question that closes a chapter."""

    question: Paragraph
    answers: tuple[FilledAnswer, ...] = Field(
        description="In an order that follows from the chapter's id."
    )


class Chapter(_Part):
    """A chapter, its numbers filled in."""

    id: str = Field(description="Such as 01-capsule.")
    number: int
    title: str
    question: str
    opening: tuple[Paragraph, ...]
    steps: tuple[Step, ...]
    argued: tuple[Paragraph, ...] = Field(description="What is still argued about.")
    papers: tuple[Paper, ...]
    quiz: FilledQuiz


class Finding(_Part):
    """A promise made for capsules, and what was measured of it."""

    section: str = Field(description="Of /claims, after its #.")
    promise: str = Field(description="As it goes on after “capsules”.")
    outcome: Outcome
    verdict: str


class Ending(_Part):
    """What stands after the last chapter."""

    known: tuple[Paragraph, ...] = Field(description="What readers now know.")
    claims: tuple[Finding, ...]
    experiments: tuple[Paragraph, ...] = Field(description="What to try next.")


def ending() -> Ending:
    """Return what stands after the last chapter, with the verdicts on all promises."""
    known, experiments = (
        tuple(map(parse_paragraph, section.paragraphs)) for section in load_ending()
    )
    return Ending(
        known=known,
        claims=tuple(
            Finding(
                section=section,
                promise=claim.promise,
                outcome=claim.outcome,
                verdict=claim.verdict,
            )
            for section, claim in load_claims().items()
            if claim.promise
        ),
        experiments=experiments,
    )


class Guide:
    """The guide as the loaded networks make it.

    Args:
        sources: the chapters, as their files have them; None reads those of the
            explorer when first asked for.
        engines: by id; of each architecture and data set the first speaks.
    """

    def __init__(
        self, sources: Sequence[Source] | None, engines: Mapping[str, Engine]
    ) -> None:
        self._all_engines = engines
        self._all_sources = sources
        self._lock = Lock()

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        """The chapters, in order; those without their networks are left out.

        Texts are filled when first asked for. This takes a forward pass for each sample
        and option that they name.

        Raises:
            ValueError: a chapter cannot be read, or a text names a part of a card
                that the card, though it has the key, lacks; the message names both.
        """
        with self._lock:
            return self._chapters

    @cached_property
    def _engines(self) -> Mapping[str, Engine]:
        return _speakers(self._all_engines)

    @cached_property
    def _sources(self) -> list[Source]:
        sources = self._all_sources
        sources = load_chapters() if sources is None else sources
        return [source for source in sources if self._can_fill(source)]

    @cached_property
    def _chapters(self) -> tuple[Chapter, ...]:
        return tuple(self._filled(source) for source in self._sources)

    @cached_property
    def _traces(self) -> dict[tuple[str, str, int | None], Trace]:
        """Run each sample once for all quantities that texts want of it."""
        needs: dict[tuple[str, str, int | None], set[str]] = defaultdict(set)
        for source in self._sources:
            for placeholder in source.placeholders():
                if placeholder.kind == "trace":
                    network = placeholder.network or source.head.networks[0]
                    quantity = QUANTITIES[network][placeholder.path[0]]
                    key = (network, placeholder.sample, placeholder.iterations)
                    needs[key].update(quantity.needs)
        return {
            (network, sample, iterations): self._run(
                network,
                sample,
                {} if iterations is None else {"iterations": iterations},
                names,
            )
            for (network, sample, iterations), names in needs.items()
        }

    def _can_fill(self, source: Source) -> bool:
        """Return whether its networks are loaded, with the tensors it needs.

        And with the figures that its question needs: it cannot be left out.
        """
        if not all(network in self._engines for network in source.head.networks):
            return False
        for placeholder in source.placeholders():
            network = placeholder.network or source.head.networks[0]
            known = {tensor.name for tensor in self._engines[network].info.tensors}
            if placeholder.kind == "trace" and not known.issuperset(
                QUANTITIES[network][placeholder.path[0]].needs
            ):
                return False
        return all(
            slot.kind != "card" or self._card_value(source, slot) is not None
            for text in source.head.quiz.texts()
            for slot in placeholders_in(text)
        )

    def _filled(self, source: Source) -> Chapter:
        def filled(text: str) -> Paragraph:
            (paragraph,) = many([text]) or ((),)
            return paragraph

        def many(texts: Sequence[str]) -> tuple[Paragraph, ...]:
            written = (self._written(source, text) for text in texts)
            return tuple(parse_paragraph(text) for text in written if text is not None)

        def answered(answer: Answer) -> FilledAnswer:
            return FilledAnswer(
                text=filled(answer.text), right=answer.right, why=filled(answer.why)
            )

        def guessed(prediction: Prediction) -> FilledPrediction | None:
            texts = [self._written(source, text) for text in prediction.texts()]
            if None in texts:
                return None
            right = self._right(source, prediction)
            return FilledPrediction(
                question=filled(prediction.question),
                answers=tuple(
                    Guess(text=filled(text), right=index == right)
                    for index, text in enumerate(prediction.answers)
                ),
                found=filled(prediction.found),
                reveals=prediction.reveals,
                ring=prediction.ring,
                rings=prediction.rings,
            )

        head = source.head
        id = f"{source.number:02}-{source.name}"
        order = list(map(answered, head.quiz.answer))
        Random(id).shuffle(order)  # authors write the right one first
        return Chapter(
            id=id,
            number=source.number,
            title=head.title,
            question=head.question,
            opening=many(source.opening),
            steps=tuple(
                Step(
                    id=step.id,
                    title=section.title,
                    text=many(section.paragraphs),
                    link=step.link,
                    ring=step.ring,
                    rings=step.rings,
                    predict=step.predict and guessed(step.predict),
                    task=step.task
                    and FilledTask(
                        do=filled(step.task.do),
                        check=step.task.check,
                        hint=filled(step.task.hint),
                        why=filled(step.task.why),
                    ),
                    figure=self._figure(source, step.figure),
                )
                for step, section in zip(head.step, source.sections, strict=True)
            ),
            argued=many(source.argued),
            papers=head.paper,
            quiz=FilledQuiz(question=filled(head.quiz.question), answers=tuple(order)),
        )

    def _right(self, source: Source, prediction: Prediction) -> int:
        """Return the place of the answer that follows from the numbers."""
        if prediction.bounds:
            (placeholder,) = placeholders_in(prediction.right)
            value = self._value(source, placeholder)
            if placeholder.format is not None:
                value = placeholder.written(value).removesuffix(" %")
            return bisect_left(prediction.bounds, float(value))
        answers = [self._written(source, text) for text in prediction.answers]
        answer = self._written(source, prediction.right)
        return answers.index(answer) if answer in answers else len(answers) - 1

    def _figure(self, source: Source, name: str | None) -> Figure | None:
        """Return a figure if it was drawn from the weights of the loaded networks."""
        known = load_figures()
        loaded = {
            network: self._engines[network].info.card.get("sha256")
            for network in source.head.networks
        }
        is_current = all(known.weights.get(n) == sha for n, sha in loaded.items())
        return known.figures.get(name) if name and is_current else None

    def _written(self, source: Source, text: str) -> str | None:
        """Fill one paragraph; None if the card lacks one of its numbers."""
        written = {}
        for placeholder in placeholders_in(text):
            value = self._value(source, placeholder)
            if value is None:
                return None
            written[placeholder.name] = placeholder.written(value)
        return filled(text, written)

    def _value(self, source: Source, placeholder: Placeholder) -> Any:
        if placeholder.kind == "card":
            return self._card_value(source, placeholder)
        network = placeholder.network or source.head.networks[0]
        quantity = QUANTITIES[network][placeholder.path[0]]
        trace = self._traces[network, placeholder.sample, placeholder.iterations]
        if not isinstance(quantity, Rerun):
            return quantity.of(trace)
        return quantity.of(
            trace,
            lambda query: self._run(network, placeholder.sample, query, quantity.needs),
        )

    def _run(
        self, network: str, sample: str, query: Mapping[str, Any], names: Iterable[str]
    ) -> Trace:
        engine = self._engines[network]
        (image,) = (example.image for example in load_samples() if example.id == sample)
        question = Question(image, engine.options(query), tuple(sorted(names)))
        return as_single(engine.trace(question))

    def _card_value(self, source: Source, placeholder: Placeholder) -> Any:
        """Return a field of the card; None if this was not measured on the network."""
        network = placeholder.network or source.head.networks[0]
        value: Any = self._engines[network].info.card
        if placeholder.path[0] == MEASUREMENTS:
            return _measured(value.get(MEASUREMENTS, {}), placeholder.path[1:])
        for depth, key in enumerate(placeholder.path):
            if depth == 0 and key not in value:
                return None
            try:
                value = value[int(key) if isinstance(value, list) else key]
            except (KeyError, IndexError, TypeError, ValueError):
                card = f"the card of {self._engines[network].info.id}"
                raise ValueError(
                    f"chapter {source.name}: {card} has no {placeholder.name}"
                ) from None
        return value


def _measured(measurements: Mapping[str, Any], path: Sequence[str]) -> Any:
    """Return a figure of an experiment; None if it was not measured.

    Args:
        measurements: of a card, by experiment.
        path: the experiment and a field, such as `images`, or `accuracy@30`: the
            accuracy where the knob stood at 30. A comma is its decimal point.
    """
    name, field = path
    entry = measurements.get(name)
    if entry is None:
        return None
    column, _, knob = field.partition("@")
    if not knob:
        return entry.get(column)
    values, figures = entry["values"], entry.get(column)
    value = float(knob.replace(",", "."))
    matches = [row for row, number in enumerate(values) if abs(number - value) < 1e-9]
    return figures[matches[0]] if figures and matches else None


def _speakers(engines: Mapping[str, Engine]) -> dict[str, Engine]:
    """Return the first network of each name that chapters use.

    That is its architecture, where it reads the samples; where it learned from another
    data set, architecture and data set, as in `capsnet-overlapping`.
    """
    samples = load_samples()
    shape = samples[0].image.shape
    classes = len({sample.label for sample in samples})
    speakers: dict[str, Engine] = {}
    for engine in engines.values():
        info = engine.info
        dataset = info.card.get("dataset", DIGITS)
        if dataset != DIGITS:
            speakers.setdefault(f"{info.architecture}-{dataset}", engine)
        elif info.input_shape == shape and info.classes == classes:
            speakers.setdefault(info.architecture, engine)
    return speakers
