"""Reads the chapters: TOML between two lines of `+++`, then Markdown.

Everything that can be wrong with a chapter is found here, when the explorer starts.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from capsnet_explorer.app.content.guide.files import read_numbered
from capsnet_explorer.app.content.guide.names import Placeholder, placeholders_in
from capsnet_explorer.app.content.guide.text import (
    parse_paragraph,
    plain,
    split_sections,
)
from capsnet_explorer.datasets.digits import load_samples

FOLDER = Path(__file__).with_name("en")
MOST_WORDS = 60  # of a step: more do not stand beside the picture on a phone
STEPS = (4, 9)
ARGUED = "What is still argued about"
ENDING = "ending.md"
ENDING_TITLES = ("What you now know", "Three things to try")

Name = Annotated[str, Field(pattern="^[a-z0-9]+(-[a-z0-9]+)*$")]
Text = Annotated[str, Field(min_length=1)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Check(_Part):
    """When a task is done: a rule that the network of the page brings, by name."""

    kind: Name
    digit: int | None = Field(default=None, ge=0)
    than: float | None = None


class Prediction(_Part):
    """What readers say before they see: a question, and what was found."""

    question: Text
    answers: tuple[Text, ...] = Field(min_length=2, max_length=4)
    right: Text = Field(
        description="What was found: the text of an answer, else the last one is right;"
        " with `bounds`, a number."
    )
    bounds: tuple[float, ...] = Field(
        default=(),
        description="The largest number that each answer but the last stands for.",
    )
    found: Text = Field(description="What was found, in sentences.")
    reveals: Text | None = Field(
        default=None, description="The state to show once predicted, after the #."
    )
    ring: Text | None = Field(
        default=None, description="What is ringed until then, where it differs."
    )
    rings: Text | None = Field(default=None, description="What that is called.")

    @model_validator(mode="after")
    def _names_what_it_rings(self) -> "Prediction":
        if (self.ring is None) != (self.rings is None):
            raise ValueError("a prediction must have both ring and rings, or neither")
        return self

    @model_validator(mode="after")
    def _has_a_bound_between_answers(self) -> "Prediction":
        if not self.bounds:
            return self
        if len(self.bounds) != len(self.answers) - 1:
            raise ValueError(
                f"{len(self.answers)} answers need {len(self.answers) - 1} bounds,"
                f" got {len(self.bounds)}"
            )
        if list(self.bounds) != sorted(set(self.bounds)):
            raise ValueError(f"bounds must increase, got {self.bounds}")
        if len([*placeholders_in(self.right)]) != 1:
            raise ValueError("right must be one placeholder where there are bounds")
        return self

    def texts(self) -> Iterator[str]:
        """Yield every text that may hold placeholders."""
        yield from (self.question, *self.answers, self.right, self.found)


class Task(_Part):
    """Something to try, which the page recognises once it is done."""

    do: Text = Field(description="What to do, in a sentence.")
    check: Check
    hint: Text = Field(description="How to do it, step by step.")
    why: Text = Field(description="What it shows, once it is done.")


class StepHead(_Part):
    """What the front matter says of a step."""

    id: Name
    link: Text = Field(description="The state that the step speaks of, after the #.")
    ring: Text = Field(description="Selector of the element that the step rings.")
    rings: Text = Field(description="What that element is called.")
    predict: Prediction | None = None
    task: Task | None = None
    figure: Name | None = Field(
        default=None, description="A figure of the article: static/guide/NAME.svg."
    )

    @model_validator(mode="after")
    def _predicts_before_trying(self) -> "StepHead":
        if self.task is not None and self.predict is None:
            raise ValueError(f"step {self.id} needs a prediction before its task")
        return self


class Answer(_Part):
    """One answer of a quiz."""

    text: Text
    right: bool = False
    why: Text = Field(description="Why it is right or wrong.")


class Quiz(_Part):
    """The question that closes a chapter."""

    question: Text
    answer: tuple[Answer, ...] = Field(min_length=2)

    def texts(self) -> Iterator[str]:
        """Yield every text that may hold placeholders."""
        yield self.question
        for answer in self.answer:
            yield from (answer.text, answer.why)

    @model_validator(mode="after")
    def _one_is_right(self) -> "Quiz":
        if [answer.right for answer in self.answer].count(True) != 1:
            raise ValueError("quiz must have one right answer")
        return self


class Paper(_Part):
    """A paper, by name and year."""

    authors: Text
    title: Text
    year: int = Field(ge=1900, le=2100)


class Head(_Part):
    """The front matter of a chapter."""

    title: Text
    question: Text = Field(description="What the chapter answers.")
    networks: tuple[Name, ...] = ("capsnet",)
    step: tuple[StepHead, ...] = Field(min_length=STEPS[0], max_length=STEPS[1])
    quiz: Quiz
    paper: tuple[Paper, ...] = Field(min_length=1)


class Section(_Part):
    """A heading and its paragraphs, in Markdown, placeholders not yet filled."""

    title: str
    paragraphs: tuple[str, ...]


class Source(_Part):
    """One chapter as its file has it.

    Attributes:
        number: from 1, as its file's name begins.
        name: what its file is called without the number.
        opening: what stands before the first step.
        sections: one for each step of `head`, in order.
        argued: what is still argued about.
    """

    number: int
    name: Name
    head: Head
    opening: tuple[str, ...]
    sections: tuple[Section, ...]
    argued: tuple[str, ...]

    def texts(self) -> Iterator[str]:
        """Yield every text that may hold placeholders."""
        yield from self.opening
        for section in self.sections:
            yield from section.paragraphs
        yield from self.argued
        for step in self.head.step:
            if step.predict is not None:
                yield from step.predict.texts()
            if step.task is not None:
                yield from (step.task.do, step.task.hint, step.task.why)
        yield from self.head.quiz.texts()

    def placeholders(self) -> list[Placeholder]:
        """Return the placeholders of all texts."""
        return [slot for text in self.texts() for slot in placeholders_in(text)]


@cache
def load_chapters(folder: Path = FOLDER) -> tuple[Source, ...]:
    """Return every chapter in order.

    Raises:
        ValueError: a file is not a chapter; the message names it.
    """
    return read_numbered(folder, "chapter", 2, parse_chapter, besides=ENDING)


@cache
def load_ending(folder: Path = FOLDER) -> tuple[Section, ...]:
    """Return what stands after the last chapter.

    Raises:
        ValueError: the file has other headings; the message names them.
    """
    before, *sections = split_sections((folder / ENDING).read_text("utf-8"))
    titles = [title for title, _ in sections]
    if before[1] or titles != [*ENDING_TITLES]:
        raise ValueError(
            f"{ENDING} must have the headings {ENDING_TITLES}, got {titles}"
        )
    return tuple(Section(title=title, paragraphs=texts) for title, texts in sections)


def parse_chapter(text: str, number: int, name: str) -> Source:
    """Read one chapter.

    Raises:
        ValueError: it has another format, too many words in a step, or a placeholder
            for something that nobody knows.
    """
    parts = text.split("+++\n", 2)
    if len(parts) != 3 or parts[0].strip():
        raise ValueError("a chapter must begin with TOML between two lines of +++")
    head = Head.model_validate(tomllib.loads(parts[1]))
    (_, opening), *sections = split_sections(parts[2])
    if not sections or sections[-1][0] != ARGUED:
        raise ValueError(f"the last heading must be `## {ARGUED}`")
    *steps, (_, argued) = sections
    if len(steps) != len(head.step):
        raise ValueError(
            f"each step needs one heading, got {len(steps)} headings"
            f" for {len(head.step)} steps"
        )
    source = Source(
        number=number,
        name=name,
        head=head,
        opening=opening,
        sections=tuple(Section(title=t, paragraphs=p) for t, p in steps),
        argued=argued,
    )
    _check(source)
    return source


def _check(source: Source) -> None:
    ids = [step.id for step in source.head.step]
    if len(set(ids)) != len(ids):
        raise ValueError(f"steps must have different ids, got {ids}")
    for step, section in zip(source.head.step, source.sections, strict=True):
        if not section.paragraphs:
            raise ValueError(f"step {step.id} must have text")
        words = sum(_words(text) for text in section.paragraphs)
        if words > MOST_WORDS:
            raise ValueError(
                f"step {step.id} must have at most {MOST_WORDS} words, got {words}"
            )
    if not source.opening or not source.argued:
        raise ValueError(f"there must be text before the first step and in `{ARGUED}`")
    for text in source.texts():
        parse_paragraph(text)
    samples = load_samples()
    labels = {sample.label for sample in samples}
    for step in source.head.step:
        label = step.task and step.task.check.digit
        if label is not None and label not in labels:
            raise ValueError(f"step {step.id} must ask for a class, got {label}")
    for placeholder in source.placeholders():
        placeholder.check(source.head.networks, {sample.id for sample in samples})


def _words(text: str) -> int:
    return len(re.sub(r"\{\{.*?\}\}", "0", plain(parse_paragraph(text))).split())
