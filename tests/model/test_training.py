"""The training loop: rates, steps, means and the log."""

import csv
import dataclasses
import math

import pytest
import torch
from torch.testing import assert_close

from model import training
from model.config import LossConfig, TrainingConfig
from model.data import epoch_batches
from model.loss import margin_loss, reconstruction_loss
from model.training import learning_rate
from model.training_log import Log, LogRow


def ignore(row, seen):
    """Report to nobody."""


def rows_of(log):
    with log.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def often(monkeypatch):
    """Write a line of the log every second step."""
    monkeypatch.setattr(training, "LOG_EVERY", 2)


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (0, 0.1),  # a tenth of the way up
        (4, 0.5),
        (9, 1.0),  # the top
        (10, 1.0),  # the cosine's start
        (60, 0.5),  # its middle
        (109, (1 + math.cos(math.pi * 0.99)) / 2),  # nearly its end
    ],
)
def test_the_cosine_schedule_by_hand(step, expected):
    config = TrainingConfig(learning_rate=1.0, warmup_steps=10)
    assert learning_rate(step, 110, config) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("step", "expected"),
    [(0, 0.001), (2000, 0.00096), (4000, 0.001 * 0.96**2), (1000, 0.001 * 0.96**0.5)],
)
def test_the_exponential_schedule_by_hand(step, expected):
    config = TrainingConfig(schedule="exponential")
    assert learning_rate(step, 9000, config) == pytest.approx(expected)


def test_a_run_shorter_than_its_warm_up_only_rises():
    config = TrainingConfig(learning_rate=1.0, warmup_steps=100)
    rates = [learning_rate(step, 4, config) for step in range(4)]
    assert rates == [0.25, 0.5, 0.75, 1.0]


def test_a_step_is_adams_on_the_sum_of_both_losses(make_trainer, digits):
    trainer, same = make_trainer(), make_trainer()
    batch = epoch_batches(digits, epoch=0, batch_size=5, shift=2, seed=2)[0].read()
    figures = trainer.step(batch, 0.01)

    trace = same.network(batch.images, keep=batch.labels)
    margin = margin_loss(trace.lengths, batch.labels, LossConfig())
    drawn = reconstruction_loss(trace.reconstruction, batch.images, LossConfig())
    (margin + drawn).backward()
    torch.optim.Adam(same.network.parameters(), lr=0.01).step()

    right = (trace.lengths.argmax(dim=1) == batch.labels).float().mean()
    expected = (margin.item(), drawn.item(), right.item())
    assert figures == pytest.approx(expected)
    for one, other in zip(
        trainer.network.parameters(), same.network.parameters(), strict=True
    ):
        assert_close(one, other)


def test_training_learns_the_synthetic_digits(make_trainer):
    losses = []
    recipe = TrainingConfig(epochs=30, batch_size=5, warmup_steps=5, shift=0)
    trainer = make_trainer(training=dataclasses.replace(recipe, learning_rate=0.01))
    trainer.run(lambda row, seen: losses.append((row.margin_loss, row.accuracy)))
    assert losses[-1][0] < losses[0][0] / 3
    assert losses[-1][1] > 0.9


def test_each_epoch_sees_every_image_once(make_trainer):
    seen = []
    make_trainer().run(lambda row, count: seen.append((row.step, count)))
    assert [step for step, _ in seen] == list(range(1, 17))
    assert [count for _, count in seen] == 4 * [5, 5, 5, 2]


def test_each_step_has_the_rate_of_the_schedule(make_trainer, recipe):
    rates = []
    make_trainer().run(lambda row, _: rates.append(row.learning_rate))
    assert rates == [learning_rate(step, 16, recipe) for step in range(16)]


def test_held_out_images_are_not_trained_on_and_are_read_at_each_epochs_end(
    make_trainer, digits, recipe
):
    accuracies = []
    recipe = dataclasses.replace(recipe, validation=7)
    trainer = make_trainer(training=recipe)
    trainer.run(lambda row, _: accuracies.append(row.validation_accuracy))

    assert (len(trainer.training_part), trainer.steps_per_epoch) == (10, 2)
    assert accuracies[::2] == 4 * [None]
    with torch.no_grad():
        lengths = trainer.network(digits.images[10:].float() / 255).lengths
    right = (lengths.argmax(dim=1) == digits.labels[10:]).float().mean().item()
    assert accuracies[-1] == pytest.approx(right)


def test_holding_out_every_image_is_refused(make_trainer, recipe):
    with pytest.raises(ValueError, match="must leave training images, got 17 of 17"):
        make_trainer(training=dataclasses.replace(recipe, validation=17))


@pytest.mark.usefixtures("often")
def test_the_log_has_a_line_every_so_often_and_at_each_epochs_end(make_trainer):
    trainer = make_trainer()
    trainer.run(ignore)
    rows = rows_of(trainer.folder.log)
    assert [row["step"] for row in rows] == [str(step) for step in range(2, 17, 2)]
    assert list(rows[0]) == [field.name for field in dataclasses.fields(LogRow)]
    assert [float(row["epoch"]) for row in rows[:2]] == [0.5, 1.0]


@pytest.mark.usefixtures("often")
def test_a_line_of_the_log_is_the_mean_over_images_since_the_line_before(make_trainer):
    trainer, figures = make_trainer(), []
    step = trainer.step

    def watched(batch, rate):
        figures.append((len(batch.labels), step(batch, rate)))
        return figures[-1][1]

    trainer.step = watched
    trainer.run(ignore)
    for number, row in enumerate(rows_of(trainer.folder.log)):
        (first, one), (second, other) = figures[2 * number : 2 * number + 2]
        means = [
            (first * a + second * b) / (first + second)
            for a, b in zip(one, other, strict=True)
        ]
        found = [row["margin_loss"], row["reconstruction_loss"], row["accuracy"]]
        assert [float(value) for value in found] == pytest.approx(means, rel=1e-5)
        assert float(row["loss"]) == pytest.approx(means[0] + means[1], rel=1e-5)


def row_of_step(step):
    return LogRow(0.5, step, 1.25, 100.0, 0.001, 0.3, 0.2, 0.1, 0.75)


@pytest.fixture
def log_path(tmp_path):
    """A log with lines of the steps 10, 20 and 30."""
    log = Log(tmp_path / "log.csv", keep_until=0)
    for step in (10, 20, 30):
        log.write(row_of_step(step))
    return log.path


def test_lines_past_the_step_resumed_from_are_dropped(log_path):
    log = Log(log_path, keep_until=20)
    log.write(row_of_step(30))
    log.write(row_of_step(40))
    assert [row["step"] for row in rows_of(log_path)] == ["10", "20", "30", "40"]


def test_kept_lines_keep_their_values(log_path):
    before = rows_of(log_path)
    Log(log_path, keep_until=30)
    assert rows_of(log_path) == before


def test_a_new_run_starts_a_new_log(log_path):
    Log(log_path, keep_until=0)
    assert rows_of(log_path) == []


@pytest.mark.parametrize("kept", [1, 5, 20])
def test_a_line_cut_short_by_a_crash_is_dropped(log_path, kept):
    *whole, last = log_path.read_text().splitlines(keepends=True)
    log_path.write_text("".join(whole) + last[:kept])
    Log(log_path, keep_until=30)
    assert [row["step"] for row in rows_of(log_path)] == ["10", "20"]
